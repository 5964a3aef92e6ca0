//! The legacy multi-byte encodings of East Asia.
//!
//! Tables ([`assigned`]) have the characters of codes of one and two bytes, and adapters ([`longer`]) have the
//! characters of longer codes. [`MultiByte`] is made of both, and [`codec`] has its logic. The tables for reading are
//! made on first use, out of mapping files in `mappings/` ([`packed`]), which may build on each other. The modules
//! [`japanese`], [`chinese`], [`korean`] and [`latin`] list them, with lead and trail bytes. Mappings known only at run
//! time become tables, too ([`Builder::of`]). The tables for writing are made from the tables for reading when a
//! character is first written.
//!
//! A fault never includes a byte below 80 after a lead byte. A lead byte without a trail byte is a fault by itself. So
//! is a lead byte before a trail byte below 80 with which it forms no character; the trail byte is decoded again,
//! because it may be ASCII. If the trail byte is 80 or above, both bytes are one fault.
//!
//! To add a two-byte encoding, write its row in `ENCODINGS` of `mappings.py`, and run the script with `--glibc NAME
//! --pack`, which makes its file in `mappings/`; for a .ucm file of ICU or a list of libiconv, use `--published FILE`
//! and a row of `PUBLISHED`. An encoding that shares most codes with another names it in `BASE`, and differences from
//! glibc are rows of `CHANGES`. List the file in [`packed`], the lead and trail bytes in the module of the language
//! (see `JOHAB`), and the encoding in its family's file in `encoding/`. `tests/legacy_multi_byte.rs` of the program
//! compares the encoding with the codecs of other programs. To have `-f auto` find the encoding, add a row to
//! `multi_byte.rs` of `utfconv-detect`.

mod assigned;
mod builder;
mod chinese;
mod codec;
pub(crate) mod host;
mod hz;
pub(crate) mod iso_2022;
mod japanese;
mod korean;
mod latin;
mod lazy;
mod leads;
mod listed;
mod long_cells;
mod longer;
mod mapping;
mod multi_byte;
mod packed;
mod pairing;
#[cfg(test)]
pub(crate) mod testkit;
mod transitions;
mod tscii;
mod web;
mod written;

pub(crate) use assigned::DOUBLES;
pub(crate) use builder::Builder;
pub(crate) use chinese::{
    BIG5, BIG5_2003, BIG5_HKSCS, BIG5_HKSCS_1999, BIG5_HKSCS_2001, BIG5_HKSCS_2004, CP936, CP950, EUC_TW,
    GB2312, GB18030, GBK, IBM_950, IBM_1373, IBM_1375, IBM_1383, IBM_1386, IBM_5471,
};
pub(crate) use host::{
    Host, HostPage, IBM930, IBM933, IBM935, IBM937, IBM939, IBM1364, IBM1371, IBM1388, IBM1390, IBM1399,
    ToHost,
};
pub(crate) use hz::HZ;
pub(crate) use iso_2022::{Iso2022, ToIso2022};
pub(crate) use japanese::{
    CP932, CP51932, DEC_KANJI, EUC_JISX0213, EUC_JP, EUC_JP_MS, IBM_954, IBM_16684, IBM_33722, IBM932,
    IBM943, SHIFT_JIS, SHIFT_JISX0213,
};
pub(crate) use korean::{CP949, EUC_KR, IBM_949, IBM_949C, IBM_970, IBM_971, IBM_1363, IBM_1363C, JOHAB};
pub(crate) use latin::{ANSI_X3_110, ISO_6937, ISO_6937_2, T_61};
pub(crate) use lazy::{Lazy, Tables};
pub(crate) use leads::{Leads, pair_leads};
pub(crate) use mapping::{Code, Mapping};
pub(crate) use multi_byte::MultiByte;
pub(crate) use pairing::Pairing;
pub(crate) use tscii::TSCII;
pub(crate) use web::{ToWeb, Web, WebIso2022Jp};

#[cfg(test)]
mod tests {
    use super::longer::quad_bytes;
    use super::*;
    use crate::decode::{Decode, IllFormedSequence, Next, WINDOW, WellFormed};
    use crate::encode::WIDEST;
    use crate::encoding::Encoding;
    use crate::fault::IllFormed;
    use crate::form::Form;

    /// Returns the encodings whose tables are [`MultiByte`].
    fn all() -> impl Iterator<Item = (&'static str, &'static MultiByte)> {
        let all = Encoding::all().filter_map(|encoding| match encoding.form() {
            Form::MultiByte(tables) => Some((encoding.name(), tables.get())),
            _ => None,
        });
        assert_eq!(all.clone().count(), 43);
        all
    }

    fn scalar(code_point: u32, len: usize) -> Next {
        Next::Scalar { code_point, len }
    }

    /// Returns every sequence of one or two bytes. If the encoding has longer codes, also returns sequences of three
    /// bytes that begin with 8F, of four bytes that begin with a plane of EUC-TW, and of four bytes in the form of
    /// GB18030.
    fn sequences(table: &MultiByte) -> impl Iterator<Item = Vec<u8>> {
        let is_short = matches!(table.longer, longer::Longer::None);
        let most = if is_short { 256 + 65536 } else { usize::MAX };
        let ones = (0..=0xFF).map(|a| vec![a]);
        let twos = (0..=0xFFFF_u16).map(|code| code.to_be_bytes().to_vec());
        let threes = (0..=0xFFFF_u16).map(|code| [&[0x8F][..], &code.to_be_bytes()].concat());
        let fours = (0..126 * 10 * 126 * 10).map(|at| quad_bytes(at).to_vec());
        let planes = (0..0x11_0000_u32).map(|at| {
            let [_, plane, row, column] = at.to_be_bytes();
            vec![0x8E, 0xA0 + plane, row, column]
        });
        ones.chain(twos).chain(threes).chain(planes).chain(fours).take(most)
    }

    #[test]
    fn the_fast_decoder_and_the_exact_one_agree() {
        for (name, mut table) in all() {
            for sequence in sequences(table) {
                let mut window = [0; WINDOW];
                window[..sequence.len()].copy_from_slice(&sequence);
                let fast = table.scalar(&window).map(|(found, len)| scalar(found.into(), len));
                let exact = table.next(&window, true);
                match exact {
                    Next::Scalar { len, .. } => {
                        assert_eq!(fast, Some(exact), "{name} {sequence:02X?}");
                        assert_eq!(table.count(&window[..len]), 1, "{name} {sequence:02X?}");
                    }
                    _ => assert_eq!(fast, None, "{name} {sequence:02X?}"),
                }
            }
        }
    }

    #[test]
    fn later_bytes_change_no_result_and_faults_contain_no_ascii() {
        for (name, mut table) in all() {
            for sequence in sequences(table).take(256 + 65536 * 2 + 20_000) {
                let whole = [&sequence[..], b"0\xA1A"].concat();
                let found = table.next(&whole, true);
                if let Next::IllFormed(IllFormedSequence { len, .. }) = found {
                    assert!(whole[1..len].iter().all(|byte| *byte >= 0x80), "{name} {sequence:02X?}");
                }
                for len in 0..whole.len() {
                    let cut = table.next(&whole[..len], false);
                    assert!(cut == found || cut == Next::Incomplete, "{name} {sequence:02X?}");
                    assert!(len == 0 || table.next(&whole[..len], true) != Next::Incomplete);
                }
            }
        }
    }

    #[test]
    fn encoded_text_decodes_to_itself() {
        for (name, mut table) in all() {
            let mut other = Vec::new();
            for character in '\0'..=char::MAX {
                let mut room = [0; WIDEST];
                let Some(len) = table.put_alone(character, &mut room) else {
                    assert_ne!(name, "GB18030", "{character:?}");
                    continue;
                };
                if table.next(&room[..len], true) != scalar(character.into(), len) {
                    other.push(character);
                }
            }
            let expected = match name {
                "Shift_JIS" | "Shift_JISX0213" => "\\~",
                "windows-31j" | "CP51932" => "¢£¬—‖−〜",
                "EUC-JP-MS" => "¢£¦¬—‖−〜",
                // Symbols as Microsoft maps them, and ideographs in the forms of other editions, are not read back.
                "IBM932" | "IBM943" => {
                    "―∥俠剝啞嚙囊塡屛屢搔摑攢栅梎潑瀆焰瘦禱簞繈繡繫腁荆萊蔣蟬蠟軀醬醱頰頹顚驒鷗鹼麴麵\u{f86f}－～￤"
                }
                _ => "",
            };
            assert_eq!(other.iter().collect::<String>(), expected, "{name}");
        }
    }

    #[test]
    fn codes_have_known_characters() {
        for (table, bytes, scalars) in [
            (&SHIFT_JIS, &b"\\~\x81\x60\xB1"[..], "¥‾〜ｱ"),
            (&CP932, b"\\~\x81\x60\xB1\x87\x40\xF0\x40\xED\x40", "\\~～ｱ①\u{E000}纊"),
            (&EUC_JP, b"\xA1\xC1\x8E\xB1\x8F\xA2\xB7\x8F\xB0\xA1", "〜ｱ～丂"),
            (&EUC_JP_MS, b"\xA1\xC1\xF5\xA1\x8F\xF3\xF3\x8F\xFE\xFE", "～\u{E000}ⅰ\u{E757}"),
            (&CP51932, b"\xAD\xA1\xF9\xA1", "①纊"),
            (&EUC_KR, b"\xB0\xA1\xA2\xE8", "가㉾"),
            (&CP949, b"\x81\x41\xC9\xA1\xFE\xFE", "갂\u{E000}\u{E0BB}"),
            (&BIG5, b"\xA1\x45\xC6\xA1\xC8\xFE\xF9\xFE", "‧\u{F6B1}\u{F848}▓"),
            (&CP950, b"\xFA\x40\x81\x40\xA0\xFE\xFE\xFE", "\u{E000}\u{EEB8}\u{EEB7}\u{E310}"),
            (&BIG5_HKSCS, b"\x88\x66\xA1\x45\x87\x40", "Ê•䏰"),
            (&GB2312, b"\xA1\xA4\xA1\xAA", "・―"),
            (&GBK, b"\xA1\xA4\xA1\xAA\x81\x40", "·—丂"),
            (&CP936, b"\x80\xAA\xA1\xFE\xFE\xA7\xA0", "€\u{E000}\u{E4C5}\u{E765}"),
            (&GB18030, b"\xA8\xBC\xA3\xA0\x84\x31\xA4\x37\x90\x30\x81\x30", "ḿ\u{E5E5}\u{FFFD}𐀀"),
            (&EUC_JP_MS, b"\x8F\xF4\xAC\x8F\xF4\xFE", "№黑"),
            (&EUC_TW, b"\xC4\xE3\x8E\xA1\xC4\xE3\x8E\xA2\xA1\xA1\x8E\xAF\xA1\xA1", "中中乂\u{20002}"),
            (&JOHAB, b"\\\x88\x61\xD9\x31\xE0\x31", "₩가\u{3000}伽"),
            (&EUC_JISX0213, b"\x8F\xA1\xA1\x8E\xB1\xAE\xA1", "𠂉ｱ俱"),
            (&SHIFT_JISX0213, b"\\\xF0\x40\xFC\xF4\xB1\x87\x9F", "¥𠂉𪚲ｱ俱"),
            (&IBM943, b"\x1A\x88\x9F", "\x1C亜"),
            (&T_61, b"a\xC2e\xA6", "aé#"),
        ] {
            let (mut table, mut rest): (&MultiByte, _) = (table, bytes);
            for expected in scalars.chars() {
                let Next::Scalar { code_point, len } = table.next(rest, true) else { panic!("{rest:02X?}") };
                assert_eq!(code_point, expected.into(), "{rest:02X?}");
                rest = &rest[len..];
            }
            assert_eq!(rest, []);
        }
        let pair = Next::pair([0xCA, 0x304], 2);
        assert_eq!(Tables(&BIG5_HKSCS).get().next(b"\x88\x62", true), pair);
    }

    #[test]
    fn faults() {
        use IllFormed::{NeverUsed, Truncated, Unassigned};
        for (table, bytes, kind, len) in [
            (&GBK, &b"\xBF"[..], Truncated, 1),
            (&GBK, b"\xBF\n", Truncated, 1),
            (&GBK, b"\xFF", NeverUsed, 1),
            (&GB18030, b"\x80", NeverUsed, 1),
            (&GBK, b"\xA1\x40", Unassigned, 1),
            (&GBK, b"\xAA\xA1", Unassigned, 2),
            (&SHIFT_JIS, b"\x81\x22", Truncated, 1),
            (&SHIFT_JIS, b"\x87\x40", Unassigned, 1),
            (&SHIFT_JIS, b"\xEA\xFC", Unassigned, 2),
            (&SHIFT_JIS, b"\x81\xFD", Truncated, 1),
            (&SHIFT_JIS, b"\xF0\x40", NeverUsed, 1),
            (&EUC_JP, b"\x8F\xA1\xA1", Unassigned, 3),
            (&EUC_JP, b"\x8F\xA1A", Truncated, 2),
            (&EUC_JP, b"\x8FA", Truncated, 1),
            (&EUC_JP, b"\x8E\xE0", Unassigned, 2),
            (&EUC_JP, b"\x85", NeverUsed, 1),
            (&GB18030, b"\x84\x31\xA5\x30", Unassigned, 1),
            (&GB18030, b"\xE3\x32\x9A\x36", Unassigned, 1),
            (&GB18030, b"\x81\x30\x81A", Truncated, 1),
            (&GB18030, b"\x81\x30", Truncated, 1),
            (&EUC_TW, b"\x8E\xB1\xA1\xA1", Truncated, 1),
            (&EUC_TW, b"\x8E\xA2\xA1A", Truncated, 3),
            (&EUC_TW, b"\x8E\xA2\xA1", Truncated, 3),
            (&EUC_TW, b"\x8E\xA8\xA1\xA1", Unassigned, 4),
            (&JOHAB, b"\x84\x41", Unassigned, 1),
            (&T_61, b"#", NeverUsed, 1),
            (&T_61, b"\xC2b", Unassigned, 1),
            (&T_61, b"\xC2\n", Truncated, 1),
        ] {
            let fault = Next::ill_formed(kind, len);
            assert_eq!(Tables(table).get().next(bytes, true), fault, "{bytes:02X?}");
        }
    }
}
