//! Compares conversions with Python's codecs, ICU's uconv and glibc's iconv, except for the differences in
//! `differences.md`.
//!
//! A missing peer is skipped with a message. CI has all peers.

use std::collections::HashMap;

use crate::harness::{command, dir_with, glibc, has, hex, rows, run, sh, udhr};
use crate::texts::CORE;

/// Name of a peer, its commands for conversions from UTF-8 and to UTF-8 (`$E` is the encoding, `$P` is Python's name
/// for it), and the encodings that it lacks.
const PEERS: [(&str, &str, &str, &[&str]); 3] = [
    (
        "python3",
        "python3 -c \"import sys; sys.stdout.buffer.write(open('text', 'rb').read().decode().encode('$P'))\"",
        "python3 -c \"import sys; sys.stdout.buffer.write(open('coded', 'rb').read().decode('$P').encode())\"",
        &["CESU-8"],
    ),
    ("uconv", "uconv -f UTF-8 -t $E text", "uconv -f $E -t UTF-8 coded", &[]),
    ("iconv", "iconv -f UTF-8 -t $E text", "iconv -f $E -t UTF-8 coded", &["CESU-8"]),
];

#[test]
fn real_text_in_thirteen_languages() {
    let text = udhr();
    let latin1: String =
        text.lines().filter(|line| line.chars().all(|c| c <= '\u{FF}')).collect::<Vec<_>>().join("\n");
    assert!(latin1.contains('é'), "there is French in it");
    for encoding in CORE {
        let name = encoding.name();
        let text = match name {
            "US-ASCII" => "plain\n",
            "ISO-8859-1" => &latin1,
            _ => &text,
        };
        let coded = run(&["-t", name], text);
        assert_eq!((coded.status, coded.stderr.as_str()), (0, ""));
        let dir = dir_with(&[("text", text.as_bytes()), ("coded", &coded.stdout)]);
        run(&["-f", name], &coded.stdout).expect(0, text, "");
        for (peer, encode, decode, lacks) in PEERS {
            if lacks.contains(&name) || !has(peer) {
                continue;
            }
            let python = if name == "US-ASCII" { "ascii" } else { name };
            let with = |script: &str| sh(dir.path(), &script.replace("$E", name).replace("$P", python));
            let (theirs, back) = (with(encode), with(decode));
            assert!(theirs.status == 0 && theirs.stdout == coded.stdout, "{peer} to {name}");
            assert!(back.status == 0 && back.stdout == text.as_bytes(), "{peer} from {name}");
        }
    }
}

/// Encoding and ill-formed bytes.
const ILL_FORMED: [(&str, &str); 46] = [
    ("UTF-8", "C0 AF"),
    ("UTF-8", "E0 80 AF"),
    ("UTF-8", "ED A0 80"),
    ("UTF-8", "ED A0 BD ED B8 80"),
    ("UTF-8", "F4 90 80 80"),
    ("UTF-8", "F5 80 80 80"),
    ("UTF-8", "F8 88 80 80 80"),
    ("UTF-8", "FC 84 80 80 80 80"),
    ("UTF-8", "E1 80 41"),
    ("UTF-8", "F0 90 80 41"),
    ("UTF-8", "E1 A0 20"),
    ("UTF-8", "61 E2 82"),
    ("UTF-8", "80 BF 41"),
    ("UTF-8", "FE FF 41"),
    ("UTF-8", "C0 AF E0 80 BF F0 81 82 41"),
    ("UTF-8", "ED A0 80 ED BF BF ED AF 41"),
    ("UTF-8", "F4 91 92 93 FF 41 80 BF 42"),
    ("UTF-8", "E1 80 E2 F0 91 92 F1 BF 41"),
    ("UTF-8", "61 F1 80 80 E1 80 C2 62 80 63 80 BF 64"),
    ("UTF-8", "EF BB BF 41"),
    ("UTF-16LE", "41 00 00 D8 42 00"),
    ("UTF-16LE", "41 00 00 DC 42 00"),
    ("UTF-16LE", "41 00 00 D8"),
    ("UTF-16LE", "41 00 42"),
    ("UTF-16LE", "41 00 00 D8 42"),
    ("UTF-16LE", "00 D8 00 D8 00 DC 41 00"),
    ("UTF-16LE", "FF FE 41 00"),
    ("UTF-16BE", "D8 00 00 41 DC 00"),
    ("UTF-16", "00 41"),
    ("UTF-16", "41 00"),
    ("UTF-16", "FE FF D8 00 00 41"),
    ("UTF-16", "FE FF"),
    ("UTF-32LE", "00 D8 00 00 41 00 00 00"),
    ("UTF-32LE", "00 00 11 00 41 00 00 00"),
    ("UTF-32LE", "41 00 00"),
    ("UTF-32LE", "FF FF FF FF 41 00 00 00"),
    ("UTF-32", "00 00 00 41"),
    ("CESU-8", "F0 9F 98 80 41"),
    ("CESU-8", "ED A0 BD 41"),
    ("CESU-8", "ED B8 80 41"),
    ("CESU-8", "ED A0 BD ED A0 BD ED B8 80"),
    ("CESU-8", "ED A0 BD"),
    ("CESU-8", "ED A0 41"),
    ("CESU-8", "C0 80 41"),
    ("CESU-8", "ED A0 80 ED 80 80"),
    ("US-ASCII", "41 E9 42"),
];

/// Returns Python's decoding of all of [`ILL_FORMED`] in a mode, keyed by encoding and bytes. All decodings run in one
/// process, because starting Python takes most of the time.
fn ask_python(mode: &str) -> HashMap<(&'static str, &'static str), Vec<u8>> {
    let errors = if mode == "skip" { "ignore" } else { mode };
    let script = format!(
        "import sys\nfor line in sys.stdin:\n    name, source = line.split(':')\n    \
         print(bytes.fromhex(source).decode(name, '{errors}').encode().hex())"
    );
    // Python has no CESU-8 codec.
    let asked: Vec<_> = ILL_FORMED.iter().filter(|(encoding, _)| *encoding != "CESU-8").collect();
    let lines = asked.iter().map(|(encoding, bytes)| format!("{encoding}:{bytes}\n"));
    let output = assert_cmd::Command::from_std(command("python3"))
        .args(["-c", &script])
        .write_stdin(lines.collect::<String>())
        .output()
        .expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("ASCII");
    assert_eq!(answers.lines().count(), asked.len());
    asked.into_iter().copied().zip(answers.lines().map(hex)).collect()
}

/// Returns the decoding of `bytes` by uconv or iconv. The mode is "replace" or "skip".
fn ask(peer: &str, mode: &str, encoding: &str, bytes: &[u8]) -> Vec<u8> {
    let mut command = assert_cmd::Command::from_std(command(peer));
    match (peer, mode) {
        ("uconv", _) => {
            let callback = if mode == "skip" { "skip" } else { "substitute" };
            command.args(["-f", encoding, "-t", "UTF-8", "--from-callback", callback])
        }
        _ => command.args(["-c", "-f", encoding, "-t", "UTF-8"]),
    };
    command.write_stdin(bytes).output().expect("runs").stdout
}

#[test]
fn ill_formed_input_except_the_listed_differences() {
    let listed: Vec<[&str; 5]> = rows(include_str!("differences.md"));
    assert!(listed.len() > 15, "the table is read");
    let is_glibc = glibc().is_some();

    let by_python = |mode| if has("python3") { ask_python(mode) } else { HashMap::new() };
    let (replaced, skipped) = (by_python("replace"), by_python("skip"));
    for (encoding, bytes) in ILL_FORMED {
        let source = hex(bytes);
        for (mode, ours) in [("replace", "--ill-formed=replace"), ("skip", "--ill-formed=omit")] {
            let ours = run(&["-s", "-f", encoding, ours], &source).stdout;
            for peer in ["python3", "uconv", "iconv"] {
                let cannot = encoding == "CESU-8" && peer != "uconv" || mode == "replace" && peer == "iconv";
                let cannot = cannot || peer == "iconv" && !is_glibc;
                if cannot || !has(peer) {
                    continue;
                }
                let theirs = match peer {
                    "python3" if mode == "skip" => skipped[&(encoding, bytes)].clone(),
                    "python3" => replaced[&(encoding, bytes)].clone(),
                    _ => ask(peer, mode, encoding, &source),
                };
                let name = if peer == "iconv" { "glibc".to_string() } else { peer.replace('3', "") };
                let row = listed.iter().find(|row| row[..3] == [encoding, bytes, &format!("{name} {mode}")]);
                match row {
                    None => assert_eq!(theirs, ours, "{name} {mode} {encoding} {bytes}: not listed"),
                    // A newer version of the peer may agree with utfconv.
                    Some(_) if theirs == ours => {
                        println!("{name} {mode} {encoding} {bytes}: no longer differs")
                    }
                    Some(row) => {
                        let output = if row[3] == "-" { Vec::new() } else { hex(row[3]) };
                        assert_eq!(
                            theirs, output,
                            "{name} {mode} {encoding} {bytes}: differs in another way"
                        );
                    }
                }
            }
        }
    }
}
