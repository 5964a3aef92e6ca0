//! WHATWG labels: those of encodings that mean the same there and here.

use utfconv_core::{Encoding, Options, UTF_8, convert};

/// Whether both decode every sequence of up to two bytes, and those of three and four that encodings have, alike.
fn decode_alike(theirs: &'static encoding_rs::Encoding, ours: &'static Encoding) -> bool {
    let options = Options::default();
    let is_same = |bytes: &[u8]| {
        let their_text = theirs.decode_without_bom_handling_and_without_replacement(bytes);
        let our_text = convert(bytes, ours, &UTF_8, &options).ok();
        their_text.as_deref().map(str::as_bytes) == our_text.as_ref().map(|made| &made.output[..])
    };
    let ones = (0..=u8::MAX).all(|byte| is_same(&[byte]));
    let twos = || (0..=u16::MAX).all(|code| is_same(&code.to_be_bytes()));
    let threes = || (0..=u16::MAX).all(|code| is_same(&[&[0x8F], &code.to_be_bytes()[..]].concat()));
    let fours = || {
        let leads = (0x81..=0xFE_u8).flat_map(|a| (0x30..=0x39_u8).map(move |b| [a, b]));
        leads.clone().all(|[a, b]| leads.clone().all(|[c, d]| is_same(&[a, b, c, d])))
    };
    let is_gb = theirs == encoding_rs::GB18030 || theirs == encoding_rs::GBK;
    ones && (theirs.is_single_byte() || twos() && threes() && (!is_gb || fours()))
}

/// The encodings of the standard, by their names there.
const WHATWG: [&str; 40] = [
    "UTF-8",
    "IBM866",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-8-I",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "KOI8-U",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "GBK",
    "gb18030",
    "Big5",
    "EUC-JP",
    "ISO-2022-JP",
    "Shift_JIS",
    "EUC-KR",
    "replacement",
    "UTF-16BE",
    "UTF-16LE",
    "x-user-defined",
];

#[test]
fn labels_are_those_of_equal_encodings() {
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for name in WHATWG {
        let theirs = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
        let is_stateful = name == "ISO-2022-JP";
        let ours = Encoding::named(name).filter(|_| !is_stateful);
        if let (Some(theirs), Some(ours)) = (theirs, ours)
            && (name.starts_with("UTF-") || decode_alike(theirs, ours))
        {
            expected.push((name, ours));
        }
        found.extend(Encoding::for_label(name).map(|ours| (name, ours)));
    }
    assert_eq!(found, expected);
    for (label, encoding) in
        [(" CSKOI8R\n", "KOI8-R"), ("unicode-1-1-utf-8", "UTF-8"), ("utf-16", "UTF-16LE")]
    {
        assert_eq!(Encoding::for_label(label).map(Encoding::name), Some(encoding), "{label}");
    }
    assert_eq!(Encoding::for_label("no such"), None);
    // windows-1252 there, where 81 is a control character.
    assert_eq!(Encoding::for_label("latin1"), None);
}
