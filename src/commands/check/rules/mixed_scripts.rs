//! Words with letters of two scripts that look like one script (Unicode Technical Standard #39).

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};
use utfconv_core::utf8::count_chars;
use utfconv_scan::marks::Start;

use super::look_alikes::LOOK_ALIKES;
use super::{Definition, Detection, Fix, Sequence, Severity, Why};
use crate::text::hidden::shows_nothing;
use crate::ui::quote::{character, one_line, shortened};

pub const RULE: Definition = Definition {
    id: "mixed-scripts",
    title: "mixed scripts",
    explanation: "\
A word with letters of ASCII and of another script, such as Cyrillic, in
which all letters of one script look like letters of the other script
(homoglyphs). An example is \"payload\" with U+0430 for its first a. The error
gives the word, the letter and its look-alike.

Such a word reads like another word, but is different to a compiler, a search
or a person who types the word. It comes from attacks and from typing errors.
A word is a run of letters, marks and invisible characters. Digits, _ and
U+200B end a word, and text after a command such as \\n, \\fI and %s begins a
new word. Look-alikes are those of UTS #39.

Non-ASCII Latin, Chinese, Japanese and Korean letters can mix with all
scripts. Also allowed are:
- small letters of Greek at the start or end of a word, or in formulas of up
to four letters
- I and l in Cyrillic, for the palochka of Chechen and neighboring languages
- capitals with an ending in small letters
- names in capitals, as in HTTP, before or after letters of another script
",
    standards: "UAX #24 (scripts); UTS #39 (confusables)",
    severity: Severity::Major,
    detection: Detection::Sequence(Sequence { start: Start::MixedScripts, find, why }),
    ..Definition::with(Fix::Never("the intended letter is not certain"))
};

/// The scripts of East Asia, as a pattern.
macro_rules! EAST_ASIA {
    () => {
        Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo
    };
}

/// Returns the number of ASCII letters at the start of `word` that belong to a command that the text before begins: all
/// letters after an escape or roff command (`\n`, `\*(lq`, `\(aq`), or at most two letters after a format (`%s`,
/// `%-5.2f`, `%(name)s`).
fn command_len(before: &[u8], word: &[u8]) -> usize {
    let letters = word.iter().take_while(|byte| byte.is_ascii()).count();
    let flags = |byte: &u8| byte.is_ascii_digit() || b"+-#.*$".contains(byte);
    let format = &before[..before.iter().rposition(|byte| !flags(byte)).map_or(0, |last| last + 1)];
    let is_escape = [&b"\\"[..], b"\\(", b"\\*("].iter().any(|start| before.ends_with(start));
    let is_format = || letters <= 2 && [b"%", b")", b"}", b">"].iter().any(|start| format.ends_with(*start));
    if is_escape || is_format() { letters } else { 0 }
}

/// Calls `found` with the byte range of each word of two scripts that looks like a word of one script. Searches around
/// byte `at`, from the previous to the next ASCII character that is no letter.
fn find(text: &[u8], from: usize, at: usize, found: &mut dyn FnMut(Range<usize>)) -> usize {
    let is_outside = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphabetic();
    let start = text[from..at].iter().rposition(is_outside).map_or(from, |last| from + last + 1);
    let end = text[at..].iter().position(is_outside).map_or(text.len(), |len| at + len);
    let command = command_len(&text[..start], &text[start..end]);
    let start = start + command;
    // The text is the end of one range and the start of the next range, as in `[a-zа-я]`.
    let is_between_ranges =
        text[..start].ends_with(b"-") && text[end..].starts_with(b"-") && count_chars(&text[start..end]) == 2;
    if !is_between_ranges && text[start..end].iter().any(u8::is_ascii) {
        each_word(&text[start..end], &mut |word| found(start + word.start..start + word.end));
    }
    end
}

/// A letter of a word, with its script. Latin letters are included only if they are ASCII.
type Letter = (char, Script);

/// Calls `found` with the byte range of each word of two scripts that looks like a word of one script. The only ASCII
/// characters in `text` are letters.
fn each_word(text: &[u8], found: &mut dyn FnMut(Range<usize>)) {
    let text = str::from_utf8(text).unwrap_or_default();
    let mut start = 0;
    let ends = text.char_indices().filter(|(_, scalar)| !is_of_word(*scalar));
    for (end, next) in ends.map(|(end, scalar)| (end, end + scalar.len_utf8())).chain([(text.len(), 0)]) {
        if is_odd(&text[start..end]) {
            found(start..end);
        }
        start = next;
    }
}

fn is_odd(word: &str) -> bool {
    let letters: Vec<Letter> = word.chars().filter_map(letter).collect();
    odd(&letters).is_some()
}

/// True if `scalar`, an ASCII letter or a scalar value beyond ASCII, continues a word. U+200B separates words. Letters of
/// East Asia end a word, because their scripts have no spaces between words.
fn is_of_word(scalar: char) -> bool {
    let is_mark = matches!(scalar, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}');
    let is_hidden = scalar != '\u{200B}' && shows_nothing(scalar);
    is_mark || is_hidden || scalar.is_alphabetic() && !matches!(scalar.script(), EAST_ASIA!())
}

/// Returns a letter of a word with its script; `None` for marks, Latin letters that are not ASCII, letters of East
/// Asia, and characters that are no letters.
fn letter(scalar: char) -> Option<Letter> {
    if scalar.is_ascii() {
        return Some((scalar, Script::Latin));
    }
    match scalar.script() {
        _ if !scalar.is_alphabetic() => None,
        Script::Latin | Script::Common | Script::Inherited | Script::Unknown | EAST_ASIA!() => None,
        script => Some((scalar, script)),
    }
}

/// A letter of a word, and the letter of another script that it looks like and that was probably meant.
struct Odd {
    letter: char,
    like: char,
}

/// Returns the first non-Latin letter of a word, if all letters of its script look like ASCII letters. Otherwise
/// returns the first ASCII letter, if the ASCII letters are fewer than those of another script and all look like
/// letters of that script.
fn odd(letters: &[Letter]) -> Option<Odd> {
    let (latin, others): (Vec<&Letter>, Vec<&Letter>) =
        letters.iter().partition(|(_, script)| *script == Script::Latin);
    if latin.is_empty() || others.is_empty() || is_abbreviation(letters) {
        return None;
    }
    let mut scripts = Vec::new();
    for (_, script) in &others {
        if !scripts.contains(script) {
            scripts.push(*script);
        }
    }
    scripts.into_iter().find_map(|script| {
        let others: Vec<&Letter> = others.iter().filter(|(_, of)| *of == script).copied().collect();
        // The palochka of Chechen and neighboring languages is typed as a Latin letter.
        let is_palochka = latin.iter().all(|(letter, _)| matches!(letter, 'I' | 'l'));
        if script == Script::Cyrillic && is_palochka || is_symbol(letters, &others) {
            return None;
        }
        let is_typo = || latin.len() < others.len() && others.len() >= LEAST_OF_TYPO && !is_name(letters);
        all_alike(&others, Script::Latin).or_else(|| all_alike(&latin, script).filter(|_| is_typo()))
    })
}

/// Minimum number of letters of another script in a word whose ASCII letters count as typing errors. In a word with
/// fewer letters, the ASCII letters may be symbols, as in formulas.
const LEAST_OF_TYPO: usize = 3;

/// Returns the first of `letters`, if all of them look like letters of `script`.
fn all_alike(letters: &[&Letter], script: Script) -> Option<Odd> {
    let mut odd =
        letters.iter().map(|(letter, _)| Some(Odd { letter: *letter, like: look_alike(*letter, script)? }));
    let first = odd.next()??;
    odd.all(|odd| odd.is_some()).then_some(first)
}

/// True if the ASCII letters in a word seem to be a name: two or more adjacent capitals, as in `HTTPСоединение`, or a
/// capital after a lowercase letter, as in `ДанныеX`.
fn is_name(letters: &[Letter]) -> bool {
    let is_capital = |(letter, _): &Letter| letter.is_ascii_uppercase();
    letters.windows(2).any(|pair| is_capital(&pair[1]) && (is_capital(&pair[0]) || pair[0].0.is_lowercase()))
}

/// True if a word is two or more capitals of one script with an ending in lowercase letters of another script, such as
/// a Russian case ending.
fn is_abbreviation(letters: &[Letter]) -> bool {
    let script = letters[0].1;
    let capitals = letters.iter().take_while(|(letter, of)| *of == script && letter.is_uppercase()).count();
    let ending = &letters[capitals..];
    capitals > 1 && ending.iter().all(|(letter, of)| *of != script && letter.is_lowercase())
}

/// True if the Greek letters in a word are symbols, as in formulas: a single lowercase letter at either end of the
/// word, or only lowercase letters in a word of at most four letters. Omicron is no symbol.
fn is_symbol(letters: &[Letter], others: &[&Letter]) -> bool {
    let is_small =
        |(letter, script): &Letter| *script == Script::Greek && letter.is_lowercase() && *letter != '\u{3BF}';
    let ends = [letters.first(), letters.last()];
    let is_at_end = others.len() == 1 && ends.into_iter().flatten().any(is_small);
    is_at_end || letters.len() <= LONGEST_FORMULA && others.iter().all(|letter| is_small(letter))
}

/// Maximum number of letters in a formula without operators, such as `Gαs` and `σxσy`.
const LONGEST_FORMULA: usize = 4;

/// Returns the letter of `script` that looks like `letter`. Either `letter` or the result is ASCII.
fn look_alike(letter: char, script: Script) -> Option<char> {
    let mut rows = LOOK_ALIKES.iter();
    if script == Script::Latin {
        return rows.find(|(_, others)| others.contains(letter)).map(|(ascii, _)| *ascii);
    }
    let (_, others) = rows.find(|(ascii, _)| *ascii == letter)?;
    others.chars().find(|other| other.script() == script)
}

/// Explains a word by its odd letter.
fn why(word: &[u8]) -> Why {
    let word = String::from_utf8_lossy(word);
    let letters: Vec<Letter> = word.chars().filter_map(letter).collect();
    let named = |letter: char| format!("{} {}", letter.script().full_name(), character(letter));
    let text = match odd(&letters) {
        Some(Odd { letter, like }) => format!("{} looks like {}", named(letter), named(like)),
        None => "it looks like a word of one script".to_string(),
    };
    Why { title: Some(format!("mixed scripts in \"{}\"", one_line(&shortened(&word)))), text, hint: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::rules::Rule;
    use crate::commands::check::scan::tests::scan;
    use unicode_security::confusable_detection::skeleton;

    /// Returns the words of a text that the rule finds.
    fn found(text: &str) -> Vec<&str> {
        let word = |start: u64, len: u64| &text[start as usize..(start + len) as usize];
        let found = scan(Rule::MixedScripts.id(), &[Some(text)]);
        found.iter().map(|finding| word(finding.position.offset(), finding.len)).collect()
    }

    /// Compares `LOOK_ALIKES` with the crate unicode_security, whose table of all confusables would add 350 KB to the
    /// program.
    #[test]
    fn look_alikes_are_those_of_uts_39() {
        let skeleton_of = |letter: char| skeleton(letter.encode_utf8(&mut [0; 4])).collect::<String>();
        // Letters written from right to left are left out, because they are displayed at another place in a word.
        let is_left_to_right = |scalar: &char| {
            let is_presentation_form = matches!(scalar, '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}');
            let is_right_to_left = matches!(scalar, '\u{590}'..='\u{8FF}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}');
            !is_presentation_form && !is_right_to_left
        };
        let is_other = |scalar: &char| {
            !scalar.is_ascii() && letter(*scalar).is_some() && is_of_word(*scalar) && is_left_to_right(scalar)
        };
        let mut rows: Vec<(char, String)> =
            ('A'..='z').filter(char::is_ascii_alphabetic).map(|ascii| (ascii, String::new())).collect();
        for scalar in ('\0'..=char::MAX).filter(is_other) {
            let skeleton = skeleton_of(scalar);
            let same = |(ascii, _): &&mut (char, String)| skeleton_of(*ascii) == skeleton;
            let mut rows: Vec<_> = rows.iter_mut().filter(same).collect();
            // Capital I and small l have the same skeleton, so the case decides.
            let of_case = rows.iter().position(|(ascii, _)| ascii.is_uppercase() == scalar.is_uppercase());
            if !rows.is_empty() {
                rows[of_case.unwrap_or(0)].1.push(scalar);
            }
        }
        rows.retain(|(_, others)| !others.is_empty());
        let table: Vec<(char, String)> =
            LOOK_ALIKES.iter().map(|(ascii, others)| (*ascii, others.to_string())).collect();
        let printed: Vec<_> = rows
            .iter()
            .map(|(ascii, others)| {
                format!(
                    "    ('{ascii}', \"{}\"),",
                    others.escape_unicode().to_string().to_uppercase().replace("\\U", "\\u")
                )
            })
            .collect();
        assert_eq!(rows, table, "the rows are:\n{}", printed.join("\n"));
    }

    #[test]
    fn words_that_look_like_one_script_are_found() {
        for text in [
            "p\u{430}yload",
            "\u{441}\u{43E}de",
            "g\u{43E}\u{43E}gle",
            "\u{3BF}pen",
            "\u{421}TRL",
            "a\u{578}d",
            "c\u{442}\u{440}\u{43E}\u{43A}\u{430}",
            "P\u{456}\u{432}\u{43D}\u{435}",
            "\u{391}dmin",
            "T\u{3CD}\u{3C0}\u{3BF}\u{3C2}",
            "pay\u{E9}\u{43E}",
            "\u{430}\u{E9}bcd",
            "caf\u{E9}\u{430}",
            "p\u{301}\u{430}\u{301}yload",
            "p\u{FE0F}\u{430}\u{FE0F}yload",
            "p\u{200E}\u{430}\u{200E}yload",
        ] {
            assert_eq!(found(text), [text], "{text}");
            assert_eq!(found(&format!("a {text}_1 b")), [text], "{text}");
        }
        assert_eq!(found("x \\n\u{430}\u{445} p\u{430}y"), ["p\u{430}y"]);
        for text in [
            "\\n\u{422}\u{430}",
            "%s\u{441}\u{430}",
            "%(n)d\u{441}\u{430}",
            "\\*(lq\u{441}\u{430}",
            "\u{394}H",
            "\\fI\u{41A}\u{41E}\u{420}",
            "URL\u{43E}\u{432}",
            "\u{3B1}x",
            "x\u{3B1}",
            "\u{3BC}m",
            "\u{3A9}2",
            "\u{394}x",
            "\u{3B2}-carotene",
            "\u{445}I\u{430}\u{43C}\u{430}",
            "\u{434}\u{430}\u{43D}\u{43D}\u{44B}\u{435}X",
            "\u{442}\u{E6}\u{440}\u{445}\u{43E}\u{43D}",
            "\u{441}\u{E8}",
            "\u{4F7F}\u{7528}Python\u{30C6}\u{30B9}\u{30C8}",
            "user_\u{438}\u{43C}\u{44F}",
            "na\u{EF}ve",
            "\u{AC00}A",
            "Wi\u{2011}Fi",
            "Python\u{200B}\u{441}",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}
