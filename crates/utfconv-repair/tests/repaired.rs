//! Tests that correct text, and text in a single encoding, is never repaired.

#[path = "../../utfconv-core/tests/a_chosen_set.rs"]
mod a_chosen_set;

use utfconv_core::{Encoding, Options, UTF_8, convert};
use utfconv_repair::{Document, Unit, window_len};

/// Returns sentences with the names of their languages.
fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("../../utfconv-core/tests/data/languages.txt")
        .lines()
        .filter_map(|line| line.split_once(": "))
}

/// Returns the number of changes in a file.
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

/// Returns the text in an encoding; `None` if the encoding lacks a character.
fn encoded(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    Some(convert(text.as_bytes(), &UTF_8, encoding, &Options::default()).ok()?.output)
}

/// Returns forms of a sentence: as it is, in capitals, with one word a line, and with repeated words.
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
        // Mix the text with other languages.
        for (other, more) in languages().skip(count % 7).step_by(7) {
            assert_eq!(changes(format!("{text}\n{more}\n").as_bytes(), Unit::Line), 0, "{language} {other}");
        }
        count += 1;
    }
    assert!(count >= 60, "{count}");
    assert_eq!(changes(all.as_bytes(), Unit::Line), 0);
}

/// Decodes the bytes of a text as another code page; `None` if a code page lacks a character.
fn confused(text: &str, [right, wrong]: [&str; 2]) -> Option<String> {
    let named = |name| Encoding::for_name(name).expect("an encoding");
    let bytes = encoded(text, named(right))?;
    let read = convert(&bytes, named(wrong), &UTF_8, &Options::default()).ok()?.output;
    String::from_utf8(read).ok()
}

const CONFUSED: [[&str; 2]; 12] = [
    ["KOI8-R", "windows-1251"],
    ["KOI8-U", "windows-1251"],
    ["IBM866", "windows-1251"],
    ["windows-1251", "KOI8-R"],
    ["windows-1251", "KOI8-U"],
    ["windows-1251", "IBM866"],
    ["macintosh", "windows-1252"],
    ["IBM850", "windows-1252"],
    ["IBM437", "windows-1252"],
    ["windows-1252", "macintosh"],
    ["windows-1252", "IBM850"],
    ["windows-1252", "IBM437"],
];

/// Texts with many non-ASCII letters.
const TEXTS: [&str; 6] = [
    "Файл не найден: проверьте, что имя задано правильно.\nНажмите любую клавишу, чтобы продолжить работу.\n",
    "Зависимости не удовлетворены, установка прервана.\nПопробуйте ещё раз позже или обратитесь к администратору.\n",
    "L'élève a déjà reçu une réponse à sa question.\nLa fenêtre était fermée : réessayez après avoir ouvert l'école.\n",
    "Die größte Änderung für Benutzer wäre möglich.\nBitte prüfen Sie die Verzögerung, bevor Sie das Menü schließen.\n",
    "La opción está vacía, y la página no se cargó.\nEl año próximo habrá más información aquí, según el señor Núñez.\n",
    "A informação não está disponível no momento.\nVocê já pode fazer a configuração do módulo da aplicação também.\n",
];

#[test]
fn code_pages_that_were_confused_come_back() {
    let mut count = 0;
    for text in TEXTS {
        for pages in CONFUSED {
            let Some(file) = confused(text, pages) else { continue };
            let found = Document::new(Unit::Line, &[]).next(file.as_bytes(), false);
            assert_eq!(found.applied(&file), text, "{pages:?}: {file}");
            assert!(found.suspects.is_empty(), "{pages:?}: {found:?}");
            // KOI8-U is named KOI8-R in Russian text, because both have the same Russian letters; IBM437 is named
            // IBM850.
            let was = pages[0].replace("KOI8-U", "KOI8-R").replace("IBM437", "IBM850");
            assert!(found.changes.iter().all(|change| change.mistakes[0].was() == was), "{pages:?}");
            // A BOM before the text does not affect the result.
            let found = Document::new(Unit::Line, &[]).next(format!("\u{FEFF}{file}").as_bytes(), false);
            assert_eq!(found.changes.len(), 2, "{pages:?}");
            count += 1;
        }
    }
    assert!(count >= 30, "{count}");
}

#[test]
fn correct_text_is_not_reported_as_damaged_by_a_system_without_unicode() {
    let names = ["macintosh", "IBM437", "IBM850", "GBK"];
    for (language, text) in languages() {
        for form in forms(text) {
            let mut found = Document::new(Unit::Line, &[]).next(form.as_bytes(), false);
            found
                .suspects
                .retain(|suspect| suspect.mistake.is_some_and(|mistake| names.contains(&mistake.name())));
            assert!(found.suspects.is_empty(), "{language}: {found:?}");
        }
    }
}

#[test]
fn correct_text_is_no_confusion() {
    for (language, text) in languages() {
        for form in forms(text) {
            let mut found = Document::new(Unit::Line, &[]).next(form.as_bytes(), false);
            found.suspects.retain(|suspect| suspect.mistake.is_some_and(|mistake| mistake.was() != "UTF-8"));
            assert!(found.suspects.is_empty(), "{language}: {found:?}");
        }
    }
    // Correct lines among confused lines are not changed.
    for text in TEXTS {
        for pages in CONFUSED {
            let Some(file) = confused(text, pages) else { continue };
            let both = format!("{file}{text}");
            let repaired = Document::new(Unit::Line, &[]).next(both.as_bytes(), false).applied(&both);
            assert!(repaired.ends_with(text), "{pages:?}: {repaired}");
        }
    }
}

#[test]
fn a_file_in_one_encoding_is_never_a_mixture() {
    let legacy = || {
        Encoding::all().filter(|encoding| {
            encoding.is_ascii_compatible()
                && encoding.is_of_bytes()
                && encoding.code_unit_len() == 1
                && *encoding != &UTF_8
        })
    };
    let mut files = 0;
    let mut mixed = Vec::new();
    // These words are two bytes of UTF-8 in windows-1251.
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

/// The first window with ill-formed bytes decides whether a file is a mixture, even if later text is well-formed.
#[test]
fn a_file_is_not_half_converted() {
    let line = b"Gr\xFC\xDFe aus M\xFCnchen und K\xF6ln\n";
    let utf8 = "Grüße aus München, Zürich und Köln: Straße, Äpfel, Öl\n".repeat(20_000);
    let mut file = line.repeat(40_000);
    file.extend_from_slice(utf8.as_bytes());
    file.extend_from_slice(&line.repeat(40_000));
    assert_eq!(changes(&file, Unit::Line), 0);
    // If UTF-8 comes first, all other lines are decoded.
    let mut file = utf8.clone().into_bytes();
    file.extend_from_slice(&line.repeat(40_000));
    file.extend_from_slice(utf8.as_bytes());
    assert_eq!(changes(&file, Unit::Line), 40_000);
    // ASCII at the start changes nothing.
    let mut file = b"A line of nothing but ASCII.\n".repeat(80_000);
    file.extend_from_slice(&line.repeat(80_000));
    assert_eq!(changes(&file, Unit::Line), 0);
}

/// Returns a file with lines in UTF-8 and other encodings after its repair, and the number of lines that are not
/// repaired.
fn repaired(lines: &[(&str, &str)]) -> (Vec<u8>, usize) {
    let mut file = "naïve café für Größe schön\n".as_bytes().to_vec();
    for (line, encoding) in lines {
        let encoding = Encoding::for_name(encoding).expect("an encoding");
        file.extend(encoded(&format!("{line}\n"), encoding).expect("has all characters"));
    }
    let found = Document::new(Unit::Line, &[]).next(&file, false);
    let lines = found
        .suspects
        .iter()
        .map(|suspect| file[..suspect.range.start].iter().filter(|byte| **byte == b'\n').count());
    let left = lines.collect::<std::collections::BTreeSet<_>>().len();
    let edits = found.changes.iter().rev().map(|change| (change.range.clone(), change.text.as_bytes()));
    let mut now = file.clone();
    edits.for_each(|(range, text)| drop(now.splice(range, text.iter().copied())));
    (now, left)
}

/// Symbols of windows-1252 that are letters of other scripts in other encodings, without another letter beside them.
const SYMBOLS: [&str; 13] = [
    "Euro (€) • Pfund (£) • Yen (¥)",
    "from € to £ or ¥",
    "20 ° – 30 °",
    "Preis in € – nicht £",
    "€…£…¥",
    "(€) • (£)",
    "10 € – 20 €",
    "§ 5 – § 7",
    "± 5 µ × 3",
    "© 2020 – ® x",
    "5 € ½ ¼",
    "½ × ½ = ¼",
    "a · b · c",
];

#[test]
fn single_letters_are_no_evidence_of_their_encoding() {
    let german = ("Grüße aus München", "windows-1252");
    for symbols in SYMBOLS {
        let (file, left) = repaired(&[(symbols, "windows-1252")]);
        match str::from_utf8(&file) {
            // All Windows code pages have these symbols at the same bytes.
            Ok(text) => {
                assert!(["20 ° – 30 °", "§ 5 – § 7"].contains(&symbols), "{text}");
                assert_eq!(text.lines().last(), Some(symbols));
            }
            Err(_) => assert_eq!(left, 1, "{symbols}"),
        }
        // Other lines are in windows-1252.
        for count in [1, 20] {
            let lines = [vec![german; count], vec![(symbols, "windows-1252")]].concat();
            let (file, left) = repaired(&lines);
            let last = str::from_utf8(&file).map(|file| file.lines().last());
            assert_eq!((last, left), (Ok(Some(symbols)), 0), "{count}");
        }
        // If some lines are in another encoding too, the line may be left, but it is never wrong.
        let lines =
            [vec![german; 3], vec![("Файл не найден: проверьте имя", "IBM866"), (symbols, "windows-1252")]];
        let (file, left) = repaired(&lines.concat());
        let is_right = file.ends_with(format!("\n{symbols}\n").as_bytes());
        assert!(is_right || left == 1, "{symbols}: {}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn words_of_one_letter_are_read_as_other_lines_are() {
    for encoding in ["windows-1251", "KOI8-R", "IBM866"] {
        let words =
            ["Вариант в", "я и ты", "а б в г д", "а) в) г)", "5 в 3", "C и D", "Windows в Linux и Mac с BSD"];
        let words = words.map(|word| (word, encoding));
        let lines = [&[("Зависимости не удовлетворены", encoding)], &words[..]].concat();
        let (file, left) = repaired(&lines);
        let file = String::from_utf8(file);
        let file = file.as_ref().map(|file| file.lines().skip(1).collect::<Vec<_>>());
        assert_eq!((file, left), (Ok(lines.iter().map(|line| line.0).collect()), 0), "{encoding}");
    }
}
