//! Whole texts without a transcoder: the same text, bytes and faults as a conversion, for every encoding.

mod agree;

use std::borrow::Cow;

use utfconv_core::{Encoding, UTF_8, decode, encode};

use agree::{assert_decodes, assert_encodes};

use crate::random::generator;
use crate::texts::udhr;

fn encodings() -> impl Iterator<Item = &'static Encoding> {
    let web = [
        "gbk",
        "gb18030",
        "big5",
        "euc-jp",
        "iso-2022-jp",
        "shift_jis",
        "euc-kr",
        "windows-1252",
        "utf-16le",
    ];
    Encoding::all().chain(web.into_iter().filter_map(|label| Encoding::for_label(label)))
}

/// Text of every length around the blocks of kernels, with what the encoding has of it.
#[test]
fn text_of_every_length() {
    let lines = udhr();
    let samples: Vec<&str> = lines.lines().filter(|line| line.len() > 60).step_by(7).collect();
    for encoding in encodings() {
        for sample in &samples {
            let known: String = sample
                .chars()
                .filter(|scalar| encode(scalar.encode_utf8(&mut [0; 4]), encoding).is_ok())
                .collect();
            for len in (0..24).chain([31, 32, 33, 47, 63, 64, 65, 66, 100, 127, 128, 129, 200]) {
                let text: String = known.chars().take(len).collect();
                assert_encodes(&text, encoding);
                let Ok(bytes) = encode(&text, encoding) else { continue };
                assert_decodes(&bytes, encoding);
                // A text that the end cuts, and one that goes on after a fault.
                assert_decodes(&bytes[..bytes.len().saturating_sub(1)], encoding);
                assert_decodes(&[&bytes, &b"\xFF\x80"[..], &bytes].concat(), encoding);
            }
            let text: String = sample.chars().take(90).collect();
            assert_encodes(&text, encoding);
        }
    }
}

#[test]
fn random_bytes() {
    let mut random = generator();
    for encoding in encodings() {
        for _ in 0..60 {
            let len = random(150) as usize;
            let ascii = random(3);
            let source: Vec<u8> = (0..len)
                .map(|_| if random(3) < ascii { random(0x80) as u8 } else { random(0x100) as u8 })
                .collect();
            assert_decodes(&source, encoding);
        }
    }
}

/// BOMs are removed, and decide the byte order; one is written for UTF-16 and UTF-32, but never a second.
#[test]
fn boms() {
    for encoding in encodings() {
        for source in
            [&b"\xEF\xBB\xBFa"[..], b"\xFF\xFEa\0", b"\xFE\xFF\0a", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF", b"\xFE"]
        {
            assert_decodes(source, encoding);
        }
        for text in ["", "\u{FEFF}", "\u{FEFF}a", "a\u{FEFF}"] {
            assert_encodes(text, encoding);
        }
    }
}

#[test]
fn text_that_need_not_change_is_borrowed() {
    let named = |name| Encoding::for_name(name).expect("a name");
    for name in
        ["UTF-8", "US-ASCII", "windows-1252", "GB18030", "Big5", "windows-31j", "ISO-2022-JP", "UTF-8-MAC"]
    {
        assert!(matches!(decode(b"plain", named(name)), Ok(Cow::Borrowed("plain"))), "{name}");
        assert!(matches!(encode("plain", named(name)), Ok(Cow::Borrowed(b"plain"))), "{name}");
    }
    // Shift_JIS has a yen sign at 5C, HZ and UTF-7 write some of ASCII as sequences, and EBCDIC has none of it.
    for name in ["Shift_JIS", "HZ", "UTF-7", "IBM037", "UTF-16LE"] {
        assert!(matches!(encode("plain", named(name)), Ok(Cow::Owned(_))), "{name}");
    }
    assert!(matches!(decode("né".as_bytes(), &UTF_8), Ok(Cow::Borrowed("né"))));
    assert!(matches!(decode(b"\x1B$B", named("ISO-2022-JP")), Ok(Cow::Owned(text)) if text.is_empty()));
}
