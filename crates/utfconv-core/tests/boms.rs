//! Tests every BOM mode, in encodings with and without a byte order, and the watch on an assumed byte order.

use utfconv_core::{
    CheckItem, Checker, Encoding, InputBom, OnUnmappable, Options, OutputBom, Policy, Stop, Transcoder,
    UTF_8, UTF_16, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE, convert,
};

use crate::shown::{named, shown};
use crate::texts::in_hex;

#[test]
fn an_encoding_by_its_bom() {
    for (head, found) in [
        (&b"\xEF\xBB\xBFa"[..], Some((&UTF_8, 3))),
        (b"\xFF\xFE\0\0", Some((&UTF_32LE, 4))),
        (b"\0\0\xFE\xFF", Some((&UTF_32BE, 4))),
        (b"\xFF\xFEa\0", Some((&UTF_16LE, 2))),
        (b"\xFF\xFE\0", Some((&UTF_16LE, 2))),
        (b"\xFE\xFF", Some((&UTF_16BE, 2))),
        (b"\xEF\xBB", None),
        (b"\0\0\xFE", None),
        (b"text", None),
        (b"", None),
    ] {
        assert_eq!(Encoding::for_bom(head), found, "{head:02X?}");
    }
    assert_eq!(InputBom::Auto.read_as(&UTF_16, b"\xFE\xFF\0a"), &UTF_16BE);
    assert_eq!(InputBom::Auto.read_as(&UTF_16, b"\xFF\xFEa\0"), &UTF_16LE);
    assert_eq!(InputBom::Sniff.read_as(&UTF_8, b"\0\0\xFE\xFF"), &UTF_32BE);
}

/// A row is the mode, the source, its encoding, the target's encoding, and the output with reports.
const MODES: &[(InputBom, &str, &str, &str, &str)] = &[
    (InputBom::Auto, "EF BB BF 41", "UTF-8", "UTF-8", "EFBBBF41"),
    (InputBom::Auto, "EF BB BF 41", "UTF-8", "UTF-16", "FFFE4100"),
    (InputBom::Auto, "EF BB BF 41", "UTF-8", "ISO-8859-1", "41"),
    (InputBom::Auto, "41", "UTF-8", "UTF-16BE", "0041"),
    (InputBom::Auto, "FF FE 41 00", "UTF-16", "UTF-8", "41"),
    (InputBom::Auto, "FE FF 00 41", "UTF-16", "UTF-16LE", "4100"),
    (InputBom::Auto, "00 00 FE FF 00 00 00 41", "UTF-32", "UTF-8", "41"),
    (InputBom::Auto, "FF FE 41 00", "UTF-16LE", "UTF-8", "EFBBBF41"),
    (
        InputBom::Auto,
        "FF FE 41 00",
        "UTF-16LE",
        "UTF-16",
        "FFFEFFFE4100; begins with U+FEFF, which is text in UTF-16LE, not a BOM",
    ),
    (
        InputBom::Auto,
        "2B 2F 76 38 2D 41",
        "UTF-7",
        "UTF-16",
        "FFFEFFFE4100; begins with U+FEFF, which is text in UTF-7, not a BOM",
    ),
    (
        InputBom::Auto,
        "EF BB BF EF BB BF 41",
        "UTF-8",
        "UTF-16",
        "FFFEFFFE4100; has U+FEFF after the BOM, which is text, not a BOM",
    ),
    (InputBom::Text, "EF BB BF 41", "UTF-8", "UTF-16", "FFFEFFFE4100"),
    (
        InputBom::Auto,
        "FF FE 41 00",
        "UTF-16LE",
        "ISO-8859-1",
        "; begins with U+FEFF, which is text in UTF-16LE, not a BOM; ends: unmappable character at byte 0: FF FE: U+FEFF cannot be encoded in ISO-8859-1",
    ),
    (
        InputBom::Auto,
        "FE FF 00 41",
        "UTF-16LE",
        "UTF-8",
        "EFBFBEE48480; begins with FE FF, the BOM of UTF-16BE, but is read as UTF-16LE",
    ),
    (
        InputBom::Auto,
        "EF BB BF 41",
        "ISO-8859-1",
        "UTF-8",
        "C3AFC2BBC2BF41; begins with EF BB BF, the BOM of UTF-8, but is read as ISO-8859-1",
    ),
    (InputBom::Keep, "EF BB BF 41", "UTF-8", "UTF-16", "FFFE4100"),
    (
        InputBom::Keep,
        "EF BB BF 41",
        "UTF-8",
        "ISO-8859-1",
        "; ends: unmappable character at byte 0: EF BB BF: U+FEFF cannot be encoded in ISO-8859-1",
    ),
    (InputBom::Keep, "FF FE 41 00", "UTF-16", "UTF-8", "EFBBBF41"),
    (InputBom::Keep, "FE FF 00 41", "UTF-16", "UTF-16LE", "FFFE4100"),
    (InputBom::Keep, "41 00", "UTF-16", "UTF-8", "41"),
    (InputBom::Keep, "FF FE 41 00", "UTF-16LE", "UTF-16", "FFFE4100"),
    (InputBom::Strip, "EF BB BF 41", "UTF-8", "UTF-8", "41"),
    (InputBom::Strip, "EF BB BF 41", "UTF-8", "ISO-8859-1", "41"),
    (InputBom::Strip, "FE FF 00 41", "UTF-16", "UTF-16LE", "4100"),
    (InputBom::Strip, "FF FE 41 00", "UTF-16LE", "UTF-16", "FFFE4100"),
    (InputBom::Text, "EF BB BF 41", "UTF-8", "UTF-16", "FFFEFFFE4100"),
    (
        InputBom::Text,
        "EF BB BF 41",
        "UTF-8",
        "ISO-8859-1",
        "; ends: unmappable character at byte 0: EF BB BF: U+FEFF cannot be encoded in ISO-8859-1",
    ),
    (
        InputBom::Text,
        "FE FF 00 41",
        "UTF-16",
        "UTF-16LE",
        "FEFF0041; begins with FE FF, the BOM of UTF-16BE, but is read as UTF-16LE",
    ),
    (InputBom::Text, "FF FE 41 00", "UTF-16LE", "UTF-16", "FFFEFFFE4100"),
    (
        InputBom::Text,
        "00 00 00 61",
        "UTF-32",
        "UTF-8",
        "; has no BOM and is read as UTF-32LE, but looks like UTF-32BE; \
         ends: invalid UTF-32LE (above U+10FFFF) at byte 0: 00 00 00 61: U+61000000 is above U+10FFFF",
    ),
    (InputBom::Forbid, "41", "UTF-8", "UTF-8", "41"),
    (
        InputBom::Forbid,
        "EF BB BF 41",
        "UTF-8",
        "UTF-8",
        "; ends: forbidden BOM at byte 0: EF BB BF: UTF-8 input must not begin with a BOM",
    ),
    (
        InputBom::Forbid,
        "FF FE 41 00",
        "UTF-16",
        "UTF-8",
        "; ends: forbidden BOM at byte 0: FF FE: UTF-16LE input must not begin with a BOM",
    ),
    (
        InputBom::Forbid,
        "FF FE 41 00",
        "UTF-16LE",
        "UTF-8",
        "; ends: forbidden BOM at byte 0: FF FE: UTF-16LE input must not begin with a BOM",
    ),
    (InputBom::Require, "EF BB BF 41", "UTF-8", "UTF-8", "EFBBBF41"),
    (
        InputBom::Require,
        "41",
        "UTF-8",
        "UTF-16BE",
        "; ends: missing BOM at byte 0: UTF-8 input must begin with a BOM",
    ),
    (InputBom::Require, "FF FE 41 00", "UTF-16", "UTF-8", "41"),
    (InputBom::Require, "FF FE 41 00", "UTF-16LE", "UTF-8", "EFBBBF41"),
    (InputBom::Require, "FF FE 41 00", "UTF-16LE", "ISO-8859-1", "41"),
    (InputBom::Sniff, "EF BB BF 41", "UTF-8", "UTF-8", "EFBBBF41"),
    (InputBom::Sniff, "EF BB BF 41", "CESU-8", "UTF-8", "EFBBBF41"),
    (InputBom::Sniff, "EF BB BF 41", "ISO-8859-1", "UTF-8", "EFBBBF41"),
    (InputBom::Sniff, "FF FE 41 00", "UTF-16LE", "UTF-8", "41"),
    (InputBom::Sniff, "FE FF 00 41", "UTF-16LE", "UTF-8", "41"),
    (InputBom::Sniff, "FE FF 00 41", "UTF-8", "UTF-8", "41"),
    (InputBom::Sniff, "41", "UTF-8", "UTF-16BE", "0041"),
];

#[test]
fn every_mode_of_input() {
    for (bom, source, from, to, expected) in MODES {
        let options = Options::default().input_bom(*bom);
        // The table has the results of a little-endian machine.
        if cfg!(target_endian = "big") && is_in_host_order(*bom, source, from) {
            continue;
        }
        assert_eq!(shown(source, from, to, &options), *expected, "{bom:?} {source} {from} {to}");
    }
}

/// Whether a source is read in the byte order of the host.
fn is_in_host_order(bom: InputBom, source: &str, from: &str) -> bool {
    let has_bom = ["FF FE", "FE FF", "00 00 FE FF"].iter().any(|head| source.starts_with(head));
    ["UTF-16", "UTF-32"].contains(&from) && (bom == InputBom::Text || !has_bom)
}

#[test]
fn every_mode_of_output() {
    use OutputBom::{Always, Auto, Forbid, Never};
    for (bom, continues, source, to, expected) in [
        (Auto, false, "41", "UTF-16", "FFFE4100"),
        (Auto, false, "", "UTF-16", ""),
        (Auto, false, "41", "UTF-8", "41"),
        (Auto, true, "41", "UTF-16", "4100"),
        (Auto, true, "EF BB BF 41", "UTF-8", "41"),
        (Auto, true, "EF BB BF 41", "UTF-16", "4100"),
        (Always, false, "41", "UTF-8", "EFBBBF41"),
        (Always, false, "", "UTF-8", ""),
        (Always, false, "EF BB BF 41", "UTF-8", "EFBBBF41"),
        (Always, false, "41", "ISO-8859-1", "41"),
        (Always, true, "41", "UTF-8", "41"),
        (Never, false, "41", "UTF-16", "4100"),
        (Never, false, "EF BB BF 41", "UTF-8", "41"),
        (Never, false, "EF BB BF EF BB BF 41", "UTF-8", "EFBBBF41"),
        (Forbid, false, "41", "UTF-16", "4100"),
        (Forbid, false, "EF BB BF 41", "UTF-8", "41"),
        (Forbid, false, "EF BB BF 41 EF BB BF", "UTF-8", "41EFBBBF"),
        (Forbid, true, "EF BB BF EF BB BF 41", "UTF-8", "EFBBBF41"),
        (Forbid, false, "EF BB BF", "UTF-8", ""),
    ] {
        let options = Options::default().output_bom(bom).continues(continues);
        assert_eq!(shown(source, "UTF-8", to, &options), expected, "{bom:?} {continues} {source} {to}");
    }
    for to in ["UTF-8", "UTF-16", "UTF-32BE", "GB18030", "UTF-7"] {
        let options = Options::default().output_bom(OutputBom::Forbid);
        let stopped = convert(b"\xEF\xBB\xBF\xEF\xBB\xBFA", &UTF_8, named(to), &options).unwrap_err();
        let expected = "line 1, column 1: forbidden BOM at byte 3: EF BB BF: this U+FEFF is text in UTF-8, but the output would \
                        begin with it";
        assert_eq!((stopped.to_string().as_str(), &*stopped.before.output), (expected, &b""[..]), "{to}");
    }
    // `InputBom::Keep` writes a BOM in the middle of an output, too.
    let options = Options::default().input_bom(InputBom::Keep).continues(true);
    assert_eq!(shown("EF BB BF 41", "UTF-8", "UTF-8", &options), "EFBBBF41");
    assert_eq!(shown("EF BB BF 41", "UTF-8", "UTF-8", &options.output_bom(OutputBom::Never)), "41");
}

#[test]
fn the_policy_decides_about_a_kept_bom_that_cannot_be_encoded() {
    let options = |unmappable| {
        let policy = Policy::default().unmappable(unmappable);
        Options::default().input_bom(InputBom::Keep).policy(policy)
    };
    let report = "unmappable character at byte 0: EF BB BF: U+FEFF cannot be encoded in ISO-8859-1";
    let replaced =
        shown("EF BB BF 41", "UTF-8", "ISO-8859-1", &options(OnUnmappable::Replace(Some("*".into()))));
    assert_eq!(replaced, format!("2A41; {report}"));
    let omitted = shown("EF BB BF 41", "UTF-8", "ISO-8859-1", &options(OnUnmappable::Omit));
    assert_eq!(omitted, format!("41; {report}"));
}

/// No output is pending once the BOM is complete and cannot become a longer BOM.
#[test]
fn the_byte_order_is_known_with_the_bom() {
    for (source, from, encoding) in [
        ("\u{FEFF}".as_bytes(), &UTF_8, &UTF_8),
        (b"\xFE\xFF", &UTF_16, &UTF_16BE),
        (b"\0\0\xFE\xFF", named("UTF-32"), &UTF_32BE),
        (b"\xFF\xFE\0\0", named("UTF-32"), &UTF_32LE),
        (b"\xFF\xFEa", &UTF_16, &UTF_16LE),
    ] {
        let mut transcoder = Transcoder::new(from, &UTF_8, Options::default());
        let step = transcoder.step(source, &mut [0; 8], false);
        assert_eq!((step.read, step.stop), (source.len(), Stop::SourceEmpty), "{source:02X?}");
        assert_eq!(transcoder.encoding(), encoding, "{source:02X?}");
        assert_eq!(transcoder.position().offset(), source.len() as u64 & !1 | u64::from(from == &UTF_8));
    }
    // FF FE may be the first half of the BOM of UTF-32LE.
    let mut transcoder = Transcoder::new(&UTF_16, &UTF_8, Options::default());
    let _ = transcoder.step(b"\xFF\xFE", &mut [0; 8], false);
    assert_eq!((transcoder.encoding(), transcoder.position().offset()), (&UTF_16, 0));
}

#[test]
fn a_checker_opens_as_a_conversion_does() {
    let open = |encoding, bom, source: &[u8]| {
        let mut checker = Checker::new(encoding).input_bom(bom);
        (checker.next(source, true), checker.encoding(), checker.position().offset())
    };
    assert_eq!(open(&UTF_16, InputBom::Auto, b"\xFE\xFF\0a"), (CheckItem::Bom(2), &UTF_16BE, 2));
    assert_eq!(open(&UTF_16LE, InputBom::Auto, b"\xFF\xFEa\0"), (CheckItem::Text(4), &UTF_16LE, 4));
    assert_eq!(open(&UTF_8, InputBom::Sniff, b"\xFE\xFF\0a"), (CheckItem::Bom(2), &UTF_16BE, 2));
}

/// Returns code units in hexadecimal, in the byte order of the host or the opposite one.
fn units(values: &[u32], size: usize, is_other: bool) -> String {
    let bytes = values.iter().flat_map(|value| {
        let mut unit = value.to_le_bytes()[..size].to_vec();
        if is_other == cfg!(target_endian = "little") {
            unit.reverse();
        }
        unit
    });
    in_hex(&bytes.collect::<Vec<_>>())
}

/// Whether there is a notice about the byte order of code units. Asserts that a check gives the same notice.
fn watched(values: &[u32], size: usize, is_other: bool) -> bool {
    let from = if size == 2 { "UTF-16" } else { "UTF-32" };
    let source = units(values, size, is_other);
    let policy = Policy::default().ill_formed(utfconv_core::OnIllFormed::Omit);
    let line = shown(&source, from, "UTF-8", &Options::default().policy(policy));
    let (order, other) = if cfg!(target_endian = "little") { ("LE", "BE") } else { ("BE", "LE") };
    let notice = format!("; has no BOM and is read as {from}{order}, but looks like {from}{other}");
    assert_eq!(line.matches("has no BOM").count(), line.matches(&notice).count(), "{line}");
    let source = crate::texts::hex(&source);
    let mut checker = Checker::new(named(from));
    let (mut at, mut notices) = (0, Vec::new());
    loop {
        match checker.next(&source[at..], true) {
            CheckItem::Text(len) => at += len,
            CheckItem::Fault(fault) => at += fault.bytes.len(),
            CheckItem::Notice(found) => notices.push(format!("; {found}")),
            CheckItem::Incomplete => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(notices.len(), line.matches(&notice).count(), "{values:X?}");
    assert!(notices.iter().all(|found| *found == notice));
    line.contains(&notice)
}

/// An assumed byte order is reported as wrong if no code unit is plausible in it, but at least half of the swapped code
/// units (UTF-16), or at least one (UTF-32), are plausible.
#[test]
fn a_wrong_assumed_byte_order_is_noticed() {
    let word = [0x4E2D; 3];
    for (letters, others, is_noticed) in
        [(2, 0, true), (1, 0, false), (2, 2, true), (2, 3, false), (3, 3, true), (3, 4, false), (0, 3, false)]
    {
        let text = [&[0x61; 3][..letters], &[word, word].concat()[..others]].concat();
        assert_eq!(watched(&text, 2, true), is_noticed, "{letters} letters, {others} others");
        assert!(!watched(&text, 2, false), "{letters} letters, {others} others");
    }
    for (text, is_noticed) in [
        // One code unit is plausible as read.
        (&[0x61, 0x61, 0x61, 0x6100][..], false),
        (&[0x01, 0x01], true),
        (&[0x7F, 0x7F], true),
        (&[0x80, 0x80], false),
        (&[0x00, 0x00], false),
        (&[0x61, 0x161], false),
    ] {
        assert_eq!(watched(text, 2, true), is_noticed, "{text:X?}");
    }
    for (text, is_noticed) in [
        (&[0x61][..], true),
        (&[0x10_FFFF], true),
        (&[0x11_0000], false),
        (&[0xFFFF_FFFF], false),
        (&[0xFFFF_FFFF, 0x61], true),
        // Both byte orders are plausible.
        (&[0x100], false),
        (&[0x0001_0000, 0x61], false),
        (&[0x01], true),
        (&[0x00], false),
    ] {
        assert_eq!(watched(text, 4, true), is_noticed, "{text:X?}");
        assert!(!watched(&[0x61], 4, false));
    }
}

/// Only 64 bytes are examined, in chunks of any size.
#[test]
fn the_watch_on_the_byte_order_ends() {
    let noticed_after = |values: &[u32], size: usize| {
        let source = crate::texts::hex(&units(values, 2, true));
        let mut transcoder = Transcoder::new(&UTF_16, &UTF_8, Options::default());
        let mut sink = [0; 1000];
        let mut notices = Vec::new();
        for (count, chunk) in source.chunks(size).enumerate() {
            let mut read = 0;
            loop {
                let step = transcoder.step(&chunk[read..], &mut sink, false);
                read += step.read;
                match step.stop {
                    Stop::SourceEmpty => break,
                    Stop::Notice(notice) => {
                        assert!(matches!(notice, utfconv_core::Notice::OtherByteOrder { .. }));
                        notices.push((count + 1) * size);
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        notices
    };
    let letters = [0x61; 100];
    for (size, after) in [(2, 64), (4, 64), (40, 80), (64, 64), (80, 80), (200, 200)] {
        assert_eq!(noticed_after(&letters, size), [after], "chunks of {size}");
    }
    assert_eq!(noticed_after(&letters[..31], 62), [0; 0]);
    assert_eq!(noticed_after(&letters[..32], 64), [64]);
    let late = [&[0x61; 32][..], &[0x6100; 3]].concat();
    assert!(watched(&late, 2, true));
    let early = [&[0x61; 31][..], &[0x6100; 3]].concat();
    assert!(!watched(&early, 2, true));
}
