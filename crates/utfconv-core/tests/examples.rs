//! Tests the programs in `examples/`, and that they are short.

#[path = "../examples/check_buffers.rs"]
mod check_buffers;
#[allow(dead_code)] // main reads standard input, so it is not called
#[path = "../examples/to_ebcdic.rs"]
mod to_ebcdic;

use utfconv_core::{SHIFT_JIS, UTF_8};

#[test]
fn a_stream_is_encoded_as_ebcdic() {
    let mut out = Vec::new();
    assert_eq!(to_ebcdic::encode(&mut "A1\n“é”日".as_bytes(), &mut out).unwrap(), 3);
    assert_eq!(out, b"\xC1\xF1\x15\x7F\x51\x7F\x3F");
    assert!(to_ebcdic::encode(&mut &b"A\xFF"[..], &mut out).is_err());
}

#[test]
fn ten_thousand_buffers_are_checked() {
    let buffers = (0..10_000).map(|number| if number % 1000 == 7 { &b"a\n\x93"[..] } else { b"\x93\xFA" });
    let found = check_buffers::faulty(buffers, &SHIFT_JIS);
    let found: Vec<_> = found.iter().map(|(number, fault)| (*number, fault.line, fault.column)).collect();
    assert_eq!(found, (0..10).map(|n| (1000 * n + 7, 2, 1)).collect::<Vec<_>>());
    assert!(check_buffers::faulty([&b"ok"[..]], &UTF_8).is_empty());
    check_buffers::main();
}

#[test]
fn each_example_is_short() {
    for text in [include_str!("../examples/check_buffers.rs"), include_str!("../examples/to_ebcdic.rs")] {
        assert!(text.lines().count() < 30, "{text}");
    }
}
