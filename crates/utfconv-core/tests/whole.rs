//! Tests that whole texts, converted without a transcoder, have the same text, bytes and faults as a conversion, for
//! every encoding.

mod agree;

use std::borrow::Cow;

use utfconv_core::{
    Encoding, ISO_8859_1, OnIllFormed, Options, Policy, SHIFT_JIS, Transcoder, UTF_8, UTF_16, decode,
    decode_utf16, encode, encode_utf16,
    encodings::{ISO_2022_CN_EXT, ISO_2022_JP},
};

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

/// Tests text of every length around the blocks of kernels, with the characters that the encoding can encode.
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
                // Test a text that the end cuts, and a text that continues after a fault.
                assert_decodes(&bytes[..bytes.len().saturating_sub(1)], encoding);
                assert_decodes(&[&bytes, &b"\xFF\x80"[..], &bytes].concat(), encoding);
            }
            let text: String = sample.chars().take(90).collect();
            assert_encodes(&text, encoding);
        }
    }
}

/// ISO-IR-165, a set of ISO-2022-CN-EXT, has ASCII characters, too.
#[test]
fn ascii_after_iso_ir_165_is_in_ascii() {
    let to = &ISO_2022_CN_EXT;
    assert_encodes("¢}b", to);
    assert_eq!(encode("¢}b", to).as_deref(), Ok(&b"\x1B$)E\x0E!i\x0F}b"[..]));
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

/// BOMs are removed, and decide the byte order. A BOM is written for UTF-16 and UTF-32, but never a second one.
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
    // Shift_JIS has a yen sign at 5C, HZ and UTF-7 write some ASCII as sequences, and EBCDIC contains no ASCII.
    for name in ["Shift_JIS", "HZ", "UTF-7", "IBM037", "UTF-16LE"] {
        assert!(matches!(encode("plain", named(name)), Ok(Cow::Owned(_))), "{name}");
    }
    assert!(matches!(decode("né".as_bytes(), &UTF_8), Ok(Cow::Borrowed("né"))));
    assert!(matches!(decode(b"\x1B$B", named("ISO-2022-JP")), Ok(Cow::Owned(text)) if text.is_empty()));
}

#[test]
fn code_units_of_utf16() {
    let text: String = udhr().chars().chain("a😀".chars()).collect();
    let units: Vec<u16> = text.encode_utf16().collect();
    for len in 0..200 {
        let part = &units[units.len() - len..];
        let expected = String::from_utf16(part).ok();
        assert_eq!(decode_utf16(part).ok(), expected, "{len}");
        if let Some(expected) = expected {
            assert_eq!(encode_utf16(&expected), part, "{len}");
        }
    }
    assert_eq!(decode_utf16(&[0xFEFF, 0x61]).expect("a BOM"), "a");
    assert_eq!(decode_utf16(&[0x61, 0xDC00]).expect_err("a low surrogate").offset, 2);
}

/// Bytes that become up to four characters have room in the buffer sizes that [`decode_into`] documents.
#[test]
fn bytes_that_become_many() {
    for (name, text) in [("TSCII", "ஸ்ரீ"), ("BOCU-1", "𐌰𐌱𐌲"), ("SCSU", "𐌰𐌱𐌲")] {
        let encoding = Encoding::for_name(name).expect("a name");
        let text = text.repeat(50);
        assert_decodes(&encode(&text, encoding).expect("has them"), encoding);
    }
}

/// A kernel can be shared by all threads.
#[test]
fn many_threads_share_a_kernel() {
    let names = ["windows-1252", "Shift_JIS", "IBM930", "ISO-2022-JP", "UTF-16LE", "GB18030", "KOI8-R"];
    let text = udhr();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for encoding in names.map(|name| Encoding::for_name(name).expect("a name")) {
                    let known: String = text
                        .chars()
                        .filter(|scalar| encode(scalar.encode_utf8(&mut [0; 4]), encoding).is_ok())
                        .collect();
                    let bytes = encode(&known, encoding).expect("has them");
                    assert!(decode(&bytes, encoding).is_ok_and(|text| text == known), "{encoding}");
                }
            });
        }
    });
}

/// After a conversion that ended in any way, another source is converted as by a new transcoder.
#[test]
fn a_transcoder_starts_over() {
    let policy = Policy::default().ill_formed(OnIllFormed::Fallback(&ISO_8859_1));
    for options in [Options::default(), Options::default().policy(policy)] {
        for from in [&UTF_16, &UTF_8, &SHIFT_JIS, &ISO_2022_JP] {
            let mut transcoder = Transcoder::new(from, &UTF_8, options.clone());
            for source in [&b"\xFE\xFF\0a"[..], b"\x1B$B\x24\x22", b"\xFF\xD8", b"\xFF\xFEa\0", b"a\0"] {
                let ([mut out, mut expected], mut new) =
                    ([[0; 64]; 2], Transcoder::new(from, &UTF_8, options.clone()));
                transcoder.reset();
                assert_eq!(
                    transcoder.step(source, &mut out, true),
                    new.step(source, &mut expected, true),
                    "{from}"
                );
                assert_eq!((out, transcoder.encoding()), (expected, new.encoding()), "{from}");
                transcoder.count_faults();
            }
        }
    }
}
