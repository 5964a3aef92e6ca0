//! Correct text, and text that is in one encoding, is never repaired.

use utfconv_core::repair::{Document, Unit, window_len};
use utfconv_core::{Encoding, Options, UTF_8, convert};

/// Sentences by language.
fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("data/languages.txt").lines().filter_map(|line| line.split_once(": "))
}

/// Returns how many changes a file gets.
fn changes(file: &[u8], unit: Unit) -> usize {
    let mut document = Document::new(unit, &[]);
    let (mut at, mut sum) = (0, 0);
    while at < file.len() {
        let (len, is_cut) = window_len(&file[at..], true);
        sum += document.next(&file[at..at + len], is_cut).changes.len();
        at += len;
    }
    sum
}

/// Returns the text in an encoding; None if it does not have all characters.
fn encoded(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    Some(convert(text.as_bytes(), &UTF_8, encoding, &Options::default()).ok()?.output)
}

/// Of a sentence, forms that texts have: as it is, capitals, a word a line, and each word again and again.
fn forms(text: &str) -> [String; 4] {
    let words: Vec<&str> = text.split(' ').collect();
    [
        format!("{text}\n"),
        format!("{}\n", text.to_uppercase()),
        words.join("\n") + "\n",
        words.iter().map(|word| format!("{word} {word}, {word}\n")).collect(),
    ]
}

#[test]
fn correct_text_of_many_languages_is_kept() {
    let mut count = 0;
    let mut all = String::new();
    for (language, text) in languages() {
        for form in forms(text) {
            assert_eq!(changes(form.as_bytes(), Unit::Line), 0, "{language}: {form}");
            all += &form;
        }
        // Beside other languages.
        for (other, more) in languages().skip(count % 7).step_by(7) {
            assert_eq!(changes(format!("{text}\n{more}\n").as_bytes(), Unit::Line), 0, "{language} {other}");
        }
        count += 1;
    }
    assert!(count >= 60, "{count}");
    assert_eq!(changes(all.as_bytes(), Unit::Line), 0);
}

#[test]
fn a_file_in_one_encoding_is_never_a_mixture() {
    let legacy = || {
        Encoding::all().filter(|encoding| {
            encoding.is_ascii_compatible()
                && encoding.is_of_bytes()
                && encoding.unit() == 1
                && *encoding != &UTF_8
        })
    };
    let mut files = 0;
    let mut mixed = Vec::new();
    // Words that are two bytes of UTF-8 in windows-1251.
    let chance = (
        "Russian",
        "Рё РЁ Рё, «Рё» Рё. Рё! Пять Рё и три РЁ: Рё; Рё? (Рё) Ещё раз: Рё, Рё. Это Рё, а то РЁ.",
    );
    for (language, text) in languages().chain([chance]) {
        for encoding in legacy() {
            let text = forms(text).concat();
            let Some(file) = encoded(&text, encoding).filter(|file| str::from_utf8(file).is_err()) else {
                continue;
            };
            let unit = [Unit::Line, Unit::Run, Unit::Field(b' ')][files % 3];
            if changes(&file, unit) > 0 {
                mixed.push(format!("{language} in {}, {unit:?}", encoding.name()));
            }
            files += 1;
        }
    }
    assert_eq!(mixed, Vec::<String>::new(), "of {files}");
    assert!(files > 400, "{files}");
}

/// Whether a file is a mixture is decided once: later text may be well-formed.
#[test]
fn a_file_is_not_half_converted() {
    let line = b"Gr\xFC\xDFe aus M\xFCnchen und K\xF6ln\n";
    let utf8 = "Grüße aus München, Zürich und Köln: Straße, Äpfel, Öl\n".repeat(20_000);
    let mut file = line.repeat(40_000);
    file.extend_from_slice(utf8.as_bytes());
    file.extend_from_slice(&line.repeat(40_000));
    assert_eq!(changes(&file, Unit::Line), 0);
    // Where UTF-8 is known before, all other lines are decoded.
    let mut file = utf8.clone().into_bytes();
    file.extend_from_slice(&line.repeat(40_000));
    file.extend_from_slice(utf8.as_bytes());
    assert_eq!(changes(&file, Unit::Line), 40_000);
    // ASCII in front changes nothing.
    let mut file = b"A line of nothing but ASCII.\n".repeat(80_000);
    file.extend_from_slice(&line.repeat(80_000));
    assert_eq!(changes(&file, Unit::Line), 0);
}
