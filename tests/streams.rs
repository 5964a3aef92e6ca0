//! Tests of slow and non-blocking pipes.
#![cfg(unix)]

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};

use crate::harness::{UTFCONV, dir_with, sh, udhr};

/// Converted text is written before more input arrives.
#[test]
fn output_follows_a_slow_input() {
    let mut child = Command::new(UTFCONV)
        .args(["-s", "-f", "UTF-8", "-t", "UTF-16BE", "--ill-formed=replace"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    let (mut to, mut from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    for (sent, expected) in [
        (&b"A"[..], &b"\0A"[..]),
        (b"\n", b"\0\n"),
        (b"\xE2\x82", b""),
        (b"\xAC\xC3", b"\x20\xAC"),
        (b"\xA9", b"\0\xE9"),
        (b"b\xFF", b"\0b\xFF\xFD"),
    ] {
        to.write_all(sent).expect("takes it");
        let mut got = vec![0; expected.len()];
        from.read_exact(&mut got).expect("answers");
        assert_eq!(got, expected);
    }
    drop(to);
    let mut rest = Vec::new();
    from.read_to_end(&mut rest).expect("ends");
    assert_eq!((rest.as_slice(), child.wait().expect("ends").success()), (&b""[..], true));
}

/// Waits for pipes that are not ready, where other converters fail.
#[test]
fn non_blocking_pipes_are_waited_for() {
    let text = udhr().repeat(40);
    let (in_read, in_write) = std::io::pipe().expect("a pipe");
    let (mut out_read, out_write) = std::io::pipe().expect("a pipe");
    for end in [std::os::fd::AsFd::as_fd(&in_read), std::os::fd::AsFd::as_fd(&out_write)] {
        fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).expect("sets it");
    }
    let mut child = Command::new(UTFCONV)
        .args(["-t", "UTF-16LE"])
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(in_read)))
        .stdout(Stdio::from(std::os::fd::OwnedFd::from(out_write)))
        .spawn()
        .expect("runs");
    let source = text.clone();
    let writer = std::thread::spawn(move || {
        let mut in_write = in_write;
        for chunk in source.as_bytes().chunks(7001) {
            in_write.write_all(chunk).expect("takes it");
            std::thread::sleep(Duration::from_micros(300));
        }
    });
    std::thread::sleep(Duration::from_millis(50));
    let mut got = Vec::new();
    out_read.read_to_end(&mut got).expect("reads");
    writer.join().expect("writes");
    assert!(child.wait().expect("ends").success());
    assert_eq!(got, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
}

/// Errors and their positions are the same for a pipe in small pieces, a file and a memory map.
#[test]
fn pipe_file_and_map_report_the_same_errors() {
    let mut text = udhr().into_bytes();
    for (n, at) in (50..text.len()).step_by(97).enumerate() {
        text[at] = [0xFF, 0xC0, 0xED, 0x80, b'\n'][n % 5];
    }
    let dir = dir_with(&[("text", &text)]);
    for to in ["UTF-8", "UTF-16BE", "ISO-8859-1"] {
        let options = format!("-t {to} --errors=replace --max-errors=0");
        let whole = sh(dir.path(), &format!("$U {options} < text"));
        assert!(whole.status == 0 && whole.stderr.lines().count() > 50, "{}", whole.stderr);
        for how in [
            "$U O --mmap=always < text",
            "$U O --mmap=always --buffer-size=5 < text",
            "$U O --buffer-size=13 < text",
            "dd if=text bs=1 status=none | $U O",
            "dd if=text bs=7 status=none | $U O",
            "dd if=text bs=1021 status=none | $U O",
        ] {
            assert_eq!(sh(dir.path(), &how.replace('O', &options)), whole, "{how}");
        }
    }
}

/// Texts of odd sizes give the same output through a pipe, a file and a memory map.
#[test]
fn pipe_file_and_map_are_the_same() {
    let text = udhr().repeat(20) + "\u{1F600}";
    let dir = dir_with(&[("text", text.as_bytes())]);
    for size in [1, 7, 64, 4093, 100_000] {
        for how in [
            "--mmap=always text",
            "--mmap=never text",
            "--mmap=auto text",
            "- < text",
            "--mmap=always < text",
        ] {
            let script = format!("$U -t UTF-32BE --buffer-size={size} {how}");
            let ran = sh(dir.path(), &script);
            let expected: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
            assert!(ran.status == 0 && ran.stdout == expected && ran.stderr.is_empty(), "{script}");
        }
    }
}

/// A log can be followed, as in `tail -f app.log | utfconv -f ENC`: each line is written before the next line arrives.
#[test]
fn each_line_of_a_log_at_once() {
    for (options, lines) in [
        (&["-f", "windows-1252"][..], [(&b"caf\xE9\r\n"[..], "café\r\n"), (b"\x80 5\r\n", "€ 5\r\n")]),
        (&["-f", "windows-1252", "--newline=lf"], [(b"caf\xE9\r\n", "café\n"), (b"\x80 5\r\n", "€ 5\n")]),
        (&["-f", "UTF-16"], [(b"\xFF\xFEa\0\n\0", "a\n"), (b"\xE9\0\n\0", "é\n")]),
        (&["-f", "windows-31j"], [(b"\x93\xFA\n", "日\n"), (b"\x96\x7B\n", "本\n")]),
        (&["--ill-formed=fallback=windows-1252"], [(b"caf\xE9\n", "café\n"), ("é\n".as_bytes(), "é\n")]),
    ] {
        let mut child = Command::new(UTFCONV)
            .args(options)
            .arg("-s")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("runs");
        let (mut to, mut from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        for (sent, expected) in lines {
            to.write_all(sent).expect("takes it");
            let mut got = vec![0; expected.len()];
            from.read_exact(&mut got).expect("answers");
            assert_eq!(String::from_utf8_lossy(&got), expected, "{options:?}");
        }
        drop(to);
        assert!(child.wait().expect("ends").success(), "{options:?}");
    }
}

/// The command that the cookbook gives for `rg --pre`, which rg runs for each file, prints the text in UTF-8, whatever
/// the encoding of the file is.
#[test]
fn a_preprocessor_for_searches() {
    let dir = dir_with(&[("log", b"\xFF\xFEW\0 \0\xE9\0\n\0"), ("utf8", "W é\n".as_bytes())]);
    let made = "printf '#!/bin/sh\\nexec %s textconv -- \"$1\"\\n' $U > pre; chmod +x pre";
    sh(dir.path(), &format!("{made}; ./pre log; ./pre utf8")).expect(0, "W é\nW é\n", "");
}
