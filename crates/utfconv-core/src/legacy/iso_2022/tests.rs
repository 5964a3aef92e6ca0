use super::*;
use crate::decode::{Decode, Next};
use crate::encode::Encode;
use crate::fault::IllFormed;
use crate::legacy::testkit::{read_all, write_all};

fn read(variant: &'static Variant, src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
    read_all(Iso2022::new(variant), src)
}

fn write(variant: &'static Variant, text: &str) -> Option<Vec<u8>> {
    write_all(ToIso2022::new(variant), text)
}

#[test]
fn japanese_is_read_in_any_state() {
    let fine = |text: &str| (text.to_string(), vec![]);
    assert_eq!(read(&JP, b"\x1B$B$\"\n$\"\x1B(B\\"), fine("あ\nあ\\"), "a set lasts beyond a line");
    assert_eq!(read(&JP, b"\x1B$@0!"), fine("亜"), "a text may end in any set");
    assert_eq!(read(&JP, b"\x1B(Ja\\~\x1B(B~"), fine("a¥‾~"));
    assert_eq!(read(&JP, b"\x1B$B!A\t \x7F"), fine("〜\t \x7F"));
    assert_eq!(read(&JP_2, b"\x1B(I1\x1B.A\x1B.F\x1BNaA"), fine("ｱαﾁ"));
    let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
    assert_eq!(read(&JP, b"\x1B(I1"), faulty("(I1", IllFormed::UnknownEscape, 1), "half-width katakana");
    assert_eq!(read(&JP, b"\x1B$"), faulty("$", IllFormed::UnknownEscape, 1));
    assert_eq!(read(&JP, b"\x1B$B$\n$\""), faulty("\nあ", IllFormed::Truncated, 1));
    assert_eq!(read(&JP, b"\x1B$B$\"$"), faulty("あ", IllFormed::Truncated, 1));
    assert_eq!(read(&JP, b"\x1B$B$\x1B(B$"), faulty("$", IllFormed::Truncated, 1));
    assert_eq!(read(&JP, b"\x1B$B-!$\""), faulty("あ", IllFormed::Unassigned, 2), "NEC's row 13");
    assert_eq!(read(&JP, b"a\x85b"), faulty("ab", IllFormed::NeverUsed, 1));
    assert_eq!(read(&JP_2, b"\x1BNa"), faulty("Na", IllFormed::UnknownEscape, 1), "no set for it");
    assert_eq!(read(&JP_2, b"\x1B.A\x1BN\n"), faulty("\n", IllFormed::Truncated, 2));
    assert_eq!(read(&JP_2, b"\x1B.F\x1BNR"), faulty("", IllFormed::Unassigned, 3));
}

#[test]
fn korean_and_chinese_are_read_between_shifts() {
    let fine = |text: &str| (text.to_string(), vec![]);
    assert_eq!(read(&KR, b"\x1B$)C\x0E0!\x0Fa\x0E0!"), fine("가a가"));
    assert_eq!(read(&KR, b"\x0E0!"), fine("가"), "without the header");
    assert_eq!(read(&CN, b"\x0E0!\x0F\x1B$)G\x0EDc"), fine("啊中"));
    assert_eq!(read(&CN, b"\x1B$)A\x0E0!\x1B$)GDc"), fine("啊中"), "a designation takes effect at once");
    assert_eq!(read(&CN, b"\x1B$*H\x1BN!!a"), fine("乂a"), "for one character");
    assert_eq!(read(&CN_EXT, b"\x1B$+I\x1BO!!\x1B$)E\x0E0!"), fine("\u{4E28}啊"));
    let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
    assert_eq!(read(&CN_EXT, b"\x0Ea"), faulty("a", IllFormed::UnknownEscape, 1), "no set for it");
    assert_eq!(read(&KR, b"\x0E0!\n\x0Fa"), faulty("가a", IllFormed::Truncated, 1), "a line ends in ASCII");
    assert_eq!(read(&KR, b"\x0E0\x0Fa"), faulty("a", IllFormed::Truncated, 1));
    assert_eq!(read(&CN, b"\x1BN!\x0Fa"), faulty("a", IllFormed::Truncated, 3));
    assert_eq!(read(&KR, b"\x1B(Ba"), faulty("(Ba", IllFormed::UnknownEscape, 1));
}

#[test]
fn decoding_without_commit_changes_nothing() {
    let mut reader = Iso2022::new(&JP);
    for _ in 0..2 {
        assert_eq!(reader.next(b"\x1B$B", false), Next::Shift { len: 3 });
    }
    assert_eq!(reader.next(b"0!", false), Next::Scalar { code_point: 0x30, len: 1 });
    for cut in [&b""[..], b"\x1B", b"\x1B(", b"\x1B$"] {
        assert_eq!(reader.next(cut, false), Next::Incomplete);
    }
    let mut reader = Iso2022::new(&CN);
    for cut in [&b"\x1BN"[..], b"\x1BN!", b"\x1B$", b"\x1B$*"] {
        assert_eq!(reader.next(cut, false), Next::Incomplete, "{cut:02X?}");
    }
}

#[test]
fn text_round_trips() {
    for (variant, text, bytes) in [
        (&JP, "あ\nい", &b"\x1B$B$\"\x1B(B\n\x1B$B$$\x1B(B"[..]),
        (&JP, "¥a\\b‾~", b"\x1B(J\\a\x1B(B\\b\x1B(J~\x1B(B~"),
        (&JP, "あ\r\n", b"\x1B$B$\"\x1B(B\r\n"),
        (&JP, "¥あ", b"\x1B(J\\\x1B$B$\"\x1B(B"),
        (&JP, "plain", b"plain"),
        (&JP, "¥\n", b"\x1B(J\\\x1B(B\n"),
        (&JP_1, "丂", b"\x1B$(D0!\x1B(B"),
        (&JP_2, "αé\né", b"\x1B$B&A\x1B$(D+1\x1B(B\n\x1B$(D+1\x1B(B"),
        (&JP_2, "ｱ", b"\x1B(I1\x1B(B"),
        (&JP_2, "가门", b"\x1B$(C0!\x1B$ACE\x1B(B"),
        (&JP_3, "か\u{309A}かa", b"\x1B$(O$w$+\x1B(Ba"),
        (&JP_3, "か俱\u{309A}", b""),
        (&JP_3, "𠂉俱", b"\x1B$(P!!\x1B$(Q.!\x1B(B"),
        (&KR, "a가나\n", b"\x1B$)Ca\x0E0!3*\x0F\n"),
        (&CN, "啊a\n啊乂啊", b"\x1B$)A\x0E0!\x0Fa\n\x1B$)A\x0E0!\x1B$*H\x1BN!!0!\x0F"),
        (&CN_EXT, "啊\u{3421}", b"\x1B$)A\x0E0!\x1B$+I\x1BO4;\x0F"),
        (&CN, "", b""),
        (&KR, "", b""),
    ] {
        let written = write(variant, text);
        if bytes.is_empty() && !text.is_empty() {
            assert_eq!(written, None, "{text:?}");
            continue;
        }
        assert_eq!(written.as_deref(), Some(bytes), "{text:?}");
        assert_eq!(read(variant, bytes), (text.to_string(), vec![]));
    }
    for text in ["\x1B", "\x0E", "\x0F", "ｱ", "①", "丂", "é", "😀"] {
        assert_eq!(write(&JP, text), None, "{text:?}");
    }
}

#[test]
fn half_width_katakana() {
    for (variant, text, read_as, bytes) in [
        (&CP50221, "ｱa①", "ｱa①", &b"\x1B(I1\x1B(Ba\x1B$B-!\x1B(B"[..]),
        (&CP50220, "ｶﾞｶﾊﾟｳﾞｱﾞ", "ガカパヴア゛", b"\x1B$B%,%+%Q%t%\"!+\x1B(B"),
        (&CP50220, "ｶ", "カ", b"\x1B$B%+\x1B(B"),
        (&CP50222, "aｱｲ\n亜", "aｱｲ\n亜", b"a\x0E12\x0F\n\x1B$B0!\x1B(B"),
        (&JIS8, "ｱ亜ｱ丂", "ｱ亜ｱ丂", b"\xB1\x1B$B0!\xB1\x1B$(D0!\x1B(B"),
        (&JP_EXT, "ｱ丂", "ｱ丂", b"\x1B(I1\x1B$(D0!\x1B(B"),
        (&JP_MS, "ｱ〜①丂", "ｱ〜①丂", b"\x1B(I1\x1B$B!A-!\x1B$(D0!\x1B(B"),
        (&IBM_25546, "a가", "a가", b"a\x0E0!\x0F"),
        (&CN_CNS, "中", "中", b"\x1B$)G\x0EDc\x0F"),
    ] {
        let written = write(variant, text);
        assert_eq!(written.as_deref(), Some(bytes), "{text:?} {written:02X?}");
        assert_eq!(read(variant, bytes), (read_as.to_string(), vec![]));
    }
    assert_eq!(read(&IBM_25546, b"\x1B$)C\x0E0!\x0F"), ("가".to_string(), vec![]), "with a header");
    assert_eq!(write(&CP50220, "ｶ😀"), None);
    let mut writer = ToIso2022::new(&CP50220);
    let mut out = Vec::new();
    assert!(writer.encode(0xFF76, &mut out) && !writer.encode(0x1F600, &mut out) && out.is_empty());
    assert!(writer.encode(0xFF9E, &mut out) && !out.is_empty(), "it is still held");
}

/// The expected codes come from libiconv 1.17.
#[test]
fn characters_of_nec_and_ibm_and_user_areas() {
    for (text, bytes) in [
        ("\u{E000}\u{E3AB}", &b"\x1B$Bu!~~\x1B(B"[..]),
        ("\u{E3AC}\u{E757}", b"\x1B$(Du!~~\x1B(B"),
        ("ⅰ＇炻黑霻靍", b"\x1B$(Ds!s5s:t,t\"tc\x1B(B"),
        ("昻￢￤", b"\x1B$Bz6|{||\x1B(B"),
    ] {
        assert_eq!(write(&JP_MS, text).as_deref(), Some(bytes), "{text}");
        assert_eq!(read(&JP_MS, bytes), (text.to_string(), vec![]));
    }
    // The first codes are in the rows in which NEC had IBM's characters. The last codes are unassigned in these rows.
    assert_eq!(read(&JP_MS, b"\x1B$By!|n|o|q\x1B(B"), ("纊黑\u{E2E0}ⅰ".to_string(), vec![]));
    let all = (0xE000..0xE178).chain(0xE2F0..0xE758).chain(0x2170..0x217A);
    let text: String = all.filter_map(char::from_u32).collect();
    let written = write(&JP_MS, &text).expect("all have codes");
    assert!(read(&JP_MS, &written) == (text, vec![]));
    assert_eq!((write(&JP_MS, "😀"), write(&JP_MS, "\u{E178}")), (None, None));
}
