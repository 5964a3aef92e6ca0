//! Makes the rows of the table, each with a conversion and the call of each library.

use encoding_rs::Encoding as Theirs;
use utfconv_core::{Encoding, decode, decode_into, encode, encode_into, utf8_well_formed_up_to};

use crate::Call;

/// Encodes a text as the source of a conversion.
type Encode = Box<dyn Fn(&str) -> Vec<u8>>;

/// Makes the call that converts a source.
type Prepare = Box<dyn Fn(&[u8]) -> Call<'_>>;

/// A conversion of one text.
pub struct Row {
    pub name: String,
    /// Text that is repeated and then encoded as the source.
    sample: &'static str,
    to_source: Encode,
    pub ours: Prepare,
    pub theirs: Prepare,
}

impl Row {
    /// Returns a source of about `size` bytes that consists of whole characters of the sample.
    pub fn text(&self, size: usize) -> Vec<u8> {
        let mut text = String::new();
        let mut scalars = self.sample.chars().cycle();
        let per_scalar = (self.to_source)(self.sample).len() as f64 / self.sample.chars().count() as f64;
        for _ in 0..(size as f64 / per_scalar).round() as usize {
            text.extend(scalars.next());
        }
        (self.to_source)(&text)
    }
}

const ENGLISH: &str = "The quick brown fox jumps over the lazy dog, and then it sleeps. ";
const LATIN: &str = "Où est la bibliothèque ? Voilà, après le café à côté du musée, là-bas. ";
const CZECH: &str = "Příliš žluťoučký kůň úpěl ďábelské ódy, a přece se točí. ";
const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю. ";
const GREEK: &str = "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, και τα λοιπά. ";
const HEBREW: &str = "דג סקרן שט בים מאוכזב ולפתע מצא חברה. ";
const ARABIC: &str = "صف خلق خود كمثل الشمس إذ بزغت يحظى الضجيع بها. ";
const TURKISH: &str = "Pijamalı hasta yağız şoföre çabucak güvendi, öyle mi. ";
const VIETNAMESE: &str = "Con sâu xanh ăn lá cây trên núi đá xa. ";
const THAI: &str = "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์ ";
const LITHUANIAN: &str = "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą. ";
const JAPANESE: &str = "いろはにほへと、散りぬるを。我が世誰ぞ常ならむ。日本語の文章です。";
const CHINESE: &str = "我们的祖国是花园，花园的花朵真鲜艳，和暖的阳光照耀着我们。";
const TAIWANESE: &str = "我們的祖國是花園，花園的花朵真鮮豔，和暖的陽光照耀著我們。";
const KOREAN: &str = "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. ";

/// Encodings of the Encoding Standard, each with a sample.
const WEB: &[(&str, &str)] = &[
    ("UTF-8", JAPANESE),
    ("IBM866", RUSSIAN),
    ("ISO-8859-2", CZECH),
    ("ISO-8859-3", TURKISH),
    ("ISO-8859-4", LITHUANIAN),
    ("ISO-8859-5", RUSSIAN),
    ("ISO-8859-6", ARABIC),
    ("ISO-8859-7", GREEK),
    ("ISO-8859-8", HEBREW),
    ("ISO-8859-10", LITHUANIAN),
    ("ISO-8859-13", LITHUANIAN),
    ("ISO-8859-14", LATIN),
    ("ISO-8859-15", LATIN),
    ("ISO-8859-16", LATIN),
    ("KOI8-R", RUSSIAN),
    ("KOI8-U", RUSSIAN),
    ("macintosh", LATIN),
    ("windows-874", THAI),
    ("windows-1250", CZECH),
    ("windows-1251", RUSSIAN),
    ("windows-1252", LATIN),
    ("windows-1253", GREEK),
    ("windows-1254", TURKISH),
    ("windows-1255", HEBREW),
    ("windows-1256", ARABIC),
    ("windows-1257", LITHUANIAN),
    ("windows-1258", VIETNAMESE),
    ("GBK", CHINESE),
    ("GB18030", CHINESE),
    ("Big5", TAIWANESE),
    ("EUC-JP", JAPANESE),
    ("ISO-2022-JP", JAPANESE),
    ("Shift_JIS", JAPANESE),
    ("EUC-KR", KOREAN),
];

pub fn all() -> Vec<Row> {
    let mut rows = vec![
        utf8_to_utf16(ENGLISH, "English"),
        utf8_to_utf16(LATIN, "French"),
        utf8_to_utf16(JAPANESE, "Japanese"),
        utf16_to_utf8(ENGLISH, "English"),
        utf16_to_utf8(RUSSIAN, "Russian"),
        utf16_to_utf8(JAPANESE, "Japanese"),
        validate(ENGLISH, "English"),
        validate(RUSSIAN, "Russian"),
        validate(JAPANESE, "Japanese"),
    ];
    for (label, sample) in WEB {
        let mixed: &'static str = format!("<p class=\"text\">{sample}</p>\n{ENGLISH}").leak();
        for (sample, language) in [(*sample, "native"), (ENGLISH, "ASCII"), (mixed, "mixed")] {
            rows.extend(decoding(label, sample, language));
            rows.extend(encoding(label, sample, language));
            rows.extend(decoding_into(label, sample, language));
        }
    }
    rows
}

/// Returns utfconv's encoding for a label of the Encoding Standard, in which some IANA names mean supersets.
fn ours(label: &str) -> &'static Encoding {
    let name = match label {
        "Shift_JIS" => "windows-31j",
        "EUC-KR" => "CP949",
        other => other,
    };
    Encoding::for_name(name).expect("a name")
}

fn theirs(label: &str) -> &'static Theirs {
    Theirs::for_label(label.as_bytes()).expect("a label")
}

/// Returns encoding_rs's conversion of text to bytes, if utfconv encodes the sample to the same bytes.
fn encoder(label: &str, sample: &str) -> Option<Encode> {
    let theirs = theirs(label);
    let (bytes, _, is_lossy) = theirs.encode(sample);
    let is_same = decode(&bytes, ours(label)).is_ok_and(|text| text == sample)
        && encode(sample, ours(label)).is_ok_and(|ours| ours == bytes);
    (is_same && !is_lossy)
        .then(|| -> Encode { Box::new(move |text: &str| theirs.encode(text).0.into_owned()) })
}

fn decoding(label: &'static str, sample: &'static str, language: &str) -> Option<Row> {
    let (ours, theirs) = (ours(label), theirs(label));
    Some(Row {
        name: format!("{label} to text, {language}"),
        sample,
        to_source: encoder(label, sample)?,
        ours: Box::new(move |source| Box::new(move || decode(source, ours).expect("well-formed").len())),
        theirs: Box::new(move |source| {
            Box::new(move || {
                theirs.decode_without_bom_handling_and_without_replacement(source).expect("well-formed").len()
            })
        }),
    })
}

fn decoding_into(label: &'static str, sample: &'static str, language: &str) -> Option<Row> {
    let (ours, theirs) = (ours(label), theirs(label));
    Some(Row {
        name: format!("{label} to own buffer, {language}"),
        sample,
        to_source: encoder(label, sample)?,
        ours: Box::new(move |source| {
            let mut buffer = vec![0; 3 * source.len() + 64];
            Box::new(move || decode_into(source, ours, &mut buffer).written)
        }),
        theirs: Box::new(move |source| {
            let mut buffer = vec![0; 3 * source.len() + 64];
            Box::new(move || {
                let mut decoder = theirs.new_decoder_without_bom_handling();
                decoder.decode_to_utf8_without_replacement(source, &mut buffer, true).2
            })
        }),
    })
}

fn encoding(label: &'static str, sample: &'static str, language: &str) -> Option<Row> {
    let (ours, theirs) = (ours(label), theirs(label));
    encoder(label, sample).as_ref()?;
    Some(Row {
        name: format!("text to {label}, {language}"),
        sample,
        to_source: Box::new(|text| text.as_bytes().to_vec()),
        ours: Box::new(move |source| {
            let text = str::from_utf8(source).expect("text");
            Box::new(move || encode(text, ours).expect("has codes").len())
        }),
        theirs: Box::new(move |source| {
            let text = str::from_utf8(source).expect("text");
            Box::new(move || theirs.encode(text).0.len())
        }),
    })
}

fn utf8_to_utf16(sample: &'static str, language: &str) -> Row {
    Row {
        name: format!("UTF-8 to UTF-16, own buffer, {language}"),
        sample,
        to_source: Box::new(|text| text.as_bytes().to_vec()),
        ours: Box::new(move |source| {
            let (text, mut units) = (str::from_utf8(source).expect("text"), vec![0; 2 * source.len() + 64]);
            Box::new(move || encode_into(text, &utfconv_core::UTF_16LE, &mut units).written / 2)
        }),
        theirs: Box::new(move |source| {
            let mut units = vec![0_u16; source.len() + 64];
            // SAFETY: `units` has more than one code unit for each byte of the source, which is the longest possible output.
            Box::new(move || unsafe {
                simdutf::convert_utf8_to_utf16le(source.as_ptr(), source.len(), units.as_mut_ptr())
            })
        }),
    }
}

fn utf16_to_utf8(sample: &'static str, language: &str) -> Row {
    Row {
        name: format!("UTF-16 to UTF-8, own buffer, {language}"),
        sample,
        to_source: Box::new(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ours: Box::new(move |source| {
            let mut text = vec![0; 2 * source.len() + 64];
            Box::new(move || decode_into(source, &utfconv_core::UTF_16LE, &mut text).written)
        }),
        theirs: Box::new(move |source| {
            let units: Vec<u16> = source.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
            let mut text = vec![0_u8; 2 * source.len() + 64];
            // SAFETY: `text` has four bytes for each code unit of the source, and the output has at most three.
            Box::new(move || unsafe {
                simdutf::convert_utf16le_to_utf8(units.as_ptr(), units.len(), text.as_mut_ptr())
            })
        }),
    }
}

fn validate(sample: &'static str, language: &str) -> Row {
    Row {
        name: format!("validate UTF-8, {language}"),
        sample,
        to_source: Box::new(|text| text.as_bytes().to_vec()),
        ours: Box::new(move |source| Box::new(move || utf8_well_formed_up_to(source))),
        theirs: Box::new(move |source| Box::new(move || str::from_utf8(source).expect("text").len())),
    }
}
