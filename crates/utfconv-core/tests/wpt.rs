//! Runs the decoder and encoder tests of WPT (the Web Platform Tests), and the test data of encoding_rs, neither of
//! which is in this repository. `UTFCONV_WPT` is a file with the cases of WPT, which `node
//! crates/utfconv-core/tests/wpt.js WPT/encoding` prints. `UTFCONV_ENCODING_RS` is the directory of the test data.

use std::path::PathBuf;

use utfconv_core::{
    Encoding, InputBom, OnIllFormed, OnUnmappable, Options, Policy, ScalarEscape, Stop, Transcoder, UTF_8,
    convert,
};

/// Returns the path in an environment variable. If the variable is not set, reports that the test is skipped, and
/// returns `None`.
fn path(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        eprintln!("skipped: {variable} is not set");
    }
    path
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().as_chunks::<2>().0;
    digits
        .iter()
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).expect("hex"), 16).expect("hex"))
        .collect()
}

/// Returns the policy with which a web page is decoded and encoded.
fn as_on_the_web() -> Policy {
    Policy::default()
        .ill_formed(OnIllFormed::Replace(None))
        .unmappable(OnUnmappable::Escape(ScalarEscape::Html))
}

/// Decodes chunks. Returns `None` if an error stops the conversion.
fn decode(label: &str, chunks: &str, policy: Policy, strips_bom: bool) -> Option<Vec<u8>> {
    let encoding = Encoding::for_label(label).expect("a label");
    let is_unicode = encoding == &UTF_8 || encoding.code_unit_len() == 2;
    let bom = if strips_bom && is_unicode { InputBom::Strip } else { InputBom::Text };
    let mut transcoder = Transcoder::new(encoding, &UTF_8, Options::default().policy(policy).input_bom(bom));
    let (mut text, mut room) = (Vec::new(), [0; 1024]);
    let chunks: Vec<_> = chunks.split(',').map(bytes).collect();
    for (at, chunk) in chunks.iter().enumerate() {
        let mut rest = chunk.as_slice();
        loop {
            let step = transcoder.step(rest, &mut room, at + 1 == chunks.len());
            text.extend_from_slice(&room[..step.written]);
            rest = &rest[step.read..];
            match step.stop {
                Stop::SourceEmpty => break,
                Stop::Stopped(_) => return None,
                _ => {}
            }
        }
    }
    Some(text)
}

#[test]
fn web_platform_tests() {
    let Some(cases) = path("UTFCONV_WPT") else { return };
    let cases = std::fs::read_to_string(cases).expect("the cases that wpt.js writes");
    assert!(cases.lines().count() > 100_000);
    let options = Options::default().policy(as_on_the_web()).input_bom(InputBom::Text);
    for case in cases.lines() {
        let fields: Vec<_> = case.split(' ').collect();
        let [kind, label, input, output] = fields[..] else { panic!("{case}") };
        match kind {
            "label" if output == "-" && input == "replacement" => {
                assert!(Encoding::is_replacement(label), "{case}")
            }
            "label" => {
                let found = Encoding::for_label(label).expect(case).name();
                assert_eq!(found.trim_start_matches("whatwg:"), input, "{case}");
            }
            "encode" => {
                let encoding = Encoding::for_label(label).expect(case);
                let made = convert(&bytes(input), &UTF_8, encoding, &options).expect("escapes").output;
                let (expected, to_ascii) = (bytes(output), b"\x1B(B");
                // The characters of a form are encoded in a row, so most cases do not return to ASCII at the end.
                let may_go_on = encoding.is_stateful() && !expected.ends_with(to_ascii);
                let text = made.strip_suffix(to_ascii).filter(|_| may_go_on).unwrap_or(&made);
                assert_eq!(text, expected, "{case}");
            }
            "error" => assert_eq!(decode(label, input, Policy::default(), true), None, "{case}"),
            "decode" => {
                assert_eq!(decode(label, input, as_on_the_web(), true), Some(bytes(output)), "{case}")
            }
            "decode-with-bom" => {
                assert_eq!(decode(label, input, as_on_the_web(), false), Some(bytes(output)), "{case}");
            }
            _ => panic!("{case}"),
        }
    }
}

#[test]
fn test_data_of_encoding_rs() {
    let Some(directory) = path("UTFCONV_ENCODING_RS") else { return };
    let read = |name: String| std::fs::read(directory.join("tests/test_data").join(name)).expect("is there");
    let options = Options::default().policy(as_on_the_web()).input_bom(InputBom::Text);
    for (label, names) in [
        ("big5", &["big5"][..]),
        ("euc-jp", &["jis0208", "jis0212"]),
        ("euc-kr", &["euc_kr"]),
        ("gb18030", &["gb18030"]),
        ("iso-2022-jp", &["iso_2022_jp"]),
        ("shift_jis", &["shift_jis"]),
    ] {
        let encoding = Encoding::for_label(label).expect("a label");
        for name in names {
            let decoded =
                convert(&read(format!("{name}_in.txt")), encoding, &UTF_8, &options).expect("replaces");
            assert!(decoded.output == read(format!("{name}_in_ref.txt")), "{label} {name}");
            // encoding_rs only decodes JIS X 0212.
            if *name != "jis0212" {
                let text = read(format!("{name}_out.txt"));
                let encoded = convert(&text, &UTF_8, encoding, &options).expect("escapes");
                assert!(encoded.output == read(format!("{name}_out_ref.txt")), "{label} {name}");
            }
        }
    }
}
