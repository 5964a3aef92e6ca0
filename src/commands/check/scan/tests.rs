use super::*;
use crate::commands::check::report::Finding;
use crate::commands::check::rules::{Selected, Selection};
use crate::config::Requirements;
use std::collections::BTreeMap;

fn rules(asked: &str) -> Rules {
    let selected = asked.split(',').map(|item| Selected::parse(item).unwrap());
    Selection::new(selected, []).rules(&Requirements::default(), true)
}

/// Returns the findings of the rules `asked` in UTF-8 text, in the order of the file. `None` in `runs` is a gap of
/// one byte.
pub fn scan(asked: &str, runs: &[Option<&str>]) -> Vec<Finding> {
    let mut scan = Scan::new(rules(asked));
    let mut found = Findings::with_room(u64::MAX);
    let mut position = Position::default();
    for run in runs {
        match run {
            Some(text) => {
                scan.run(&mut TextRun::utf8(text.as_bytes(), position), &mut found);
                position = position.past(text.as_bytes(), text.len() as u64);
            }
            None => {
                scan.gap(b"\xFF", &mut found);
                position = position.past(b"?", 1);
            }
        }
    }
    scan.end(position, &mut found);
    assert_eq!(found.counts.values().sum::<u64>(), found.listed.len() as u64);
    found.listed.sort_by_key(|finding| (finding.position.offset(), finding.rule));
    found.listed
}

/// Returns the messages of the findings, with hints in brackets.
fn sentences(asked: &str, runs: &[Option<&str>]) -> Vec<String> {
    let sentence = |finding: Finding| match finding.hint {
        Some(hint) => format!("{} [{hint}]", finding.message),
        None => finding.message,
    };
    scan(asked, runs).into_iter().map(sentence).collect()
}

fn in_text(asked: &str, text: &str) -> Vec<String> {
    sentences(asked, &[Some(text)])
}

/// Tests the first and last characters that a rule forbids, and their neighbors.
#[test]
fn characters_at_the_edges() {
    let cases: [(&str, &[u32], &[u32]); 6] = [
        ("nul", &[0], &[1, 0x30, 0x80]),
        (
            "control",
            &[1, 8, 0xB, 0xC, 0xE, 0x1F, 0x7F, 0x80, 0x85, 0x9F],
            &[0, 9, 0xA, 0xD, 0x20, 0x7E, 0xA0, 0xAD, 0x200E, 0x2028],
        ),
        (
            "bidi",
            &[0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069],
            &[0x61C, 0x200E, 0x200F, 0x2029, 0x202F, 0x2065, 0x206A],
        ),
        ("inner-bom", &[0xFEFF], &[0xFEFE, 0xFF00, 0xFFFE, 0x2060]),
        ("replacement-character", &[0xFFFD], &[0xFFFC, 0xFFFE, 0x1FFFD]),
        (
            "noncharacter",
            &[0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF, 0x8FFFF, 0xFFFFE, 0x10FFFE, 0x10FFFF],
            &[0xFDCF, 0xFDF0, 0xFFFD, 0xFEFF, 0x10000, 0x1FFFD, 0x20000, 0x10FFFD],
        ),
    ];
    for (rule, forbidden, others) in cases {
        let text = |scalar: &u32| char::from_u32(*scalar).unwrap().to_string();
        for scalar in forbidden {
            for (before, after) in [("", ""), ("a", "b"), ("é", "é"), ("\n0123456789abcdefghi", "\n")] {
                let found = scan(rule, &[Some(&format!("{before}{}{after}", text(scalar)))]);
                if rule == "inner-bom" && before.is_empty() {
                    assert_eq!(found, [], "the start is not inside");
                    continue;
                }
                let [finding] = &found[..] else { panic!("{rule} U+{scalar:04X}: {found:?}") };
                assert_eq!(finding.position.offset(), before.len() as u64);
                assert_eq!(finding.bytes[..], *text(scalar).as_bytes());
                assert_eq!(finding.len, finding.bytes.len() as u64);
                assert_eq!(finding.rule.id(), rule);
            }
        }
        let others: Vec<_> = others.iter().map(text).collect();
        for other in ["", "a", "é", "\t\r\n", "😀", &others.concat()] {
            assert_eq!(in_text(rule, other), [""; 0], "{rule} {other:?}");
        }
    }
}

#[test]
fn messages_explain_the_finding() {
    for (rule, text, sentence) in [
        ("nul", "a\0", "NUL at byte 1: 00: U+0000 is not allowed"),
        (
            "replacement-character",
            "\u{FFFD}",
            "replacement character at byte 0: EF BF BD: U+FFFD replaces text that was lost",
        ),
        ("noncharacter", "\u{FFFE}", "noncharacter at byte 0: EF BF BE: U+FFFE is never a character"),
        ("control", "\u{1B}[2J", "control character at byte 0: 1B: U+001B is ESC"),
        ("control", "\u{81}", "control character at byte 0: C2 81: U+0081 is a C1 control"),
        (
            "control",
            "\u{93}",
            "control character at byte 0: C2 93: U+0093 is a C1 control [windows-1252 has U+201C \"“\" for the byte 93]",
        ),
        ("bidi", "\u{202E}", "bidirectional control at byte 0: E2 80 AE: U+202E is RIGHT-TO-LEFT OVERRIDE"),
        (
            "inner-bom",
            " \u{FEFF}",
            "byte order mark inside the text at byte 1: EF BB BF: U+FEFF is a BOM only at the start of a file",
        ),
        ("not-nfc", "cafe\u{301}", "not in NFC at byte 3: 65 CC 81: U+0065 U+0301 in NFC is U+00E9 \"é\""),
        (
            "double-encoded",
            "cafÃ©",
            "double-encoded at byte 3: C3 83 C2 A9: UTF-8 that was read as windows-1252 [it was \"é\"]",
        ),
        (
            "double-encoded",
            "itâ\u{80}\u{99}s",
            "double-encoded at byte 2: C3 A2 C2 80 C2 99: UTF-8 that was read as windows-1252 [it was \"’\"]",
        ),
        ("trailing-whitespace", "a \t\r\n", "trailing whitespace at byte 1: 20 09: the line ends with it"),
        (
            "blank-lines-at-end",
            "a\r\n\n \t",
            "blank lines at the end at byte 3: 0A 20 09: the file ends with 2 blank lines",
        ),
        ("final-newline", "a", "no final newline at byte 1: the last line must end with a newline"),
        (
            "final-newline=forbid",
            "a\r\n",
            "final newline at byte 1: 0D 0A: the last line must not end with a newline",
        ),
    ] {
        assert_eq!(in_text(rule, text), [sentence]);
    }
}

#[test]
fn mixed_newlines() {
    let none: [&str; 0] = [];
    for (rule, text, expected) in [
        ("mixed-newlines", "", &none[..]),
        ("mixed-newlines", "a", &none),
        ("mixed-newlines", "a\nb\n", &none),
        ("mixed-newlines", "a\r\nb\r\n", &none),
        ("mixed-newlines", "a\rb\r", &none),
        (
            "mixed-newlines",
            "a\nb\r\nc\n",
            &["mixed newlines at byte 3: 0D 0A: CRLF ends 1 line, LF ends 2 lines"],
        ),
        // Of two kinds that are equally frequent, the first prevails.
        ("mixed-newlines", "\r\n\n", &["mixed newlines at byte 2: 0A: LF ends 1 line, CRLF ends 1 line"]),
        ("mixed-newlines", "\n\r", &["mixed newlines at byte 1: 0D: CR ends 1 line, LF ends 1 line"]),
        ("mixed-newlines", "\r\r\n", &["mixed newlines at byte 1: 0D 0A: CRLF ends 1 line, CR ends 1 line"]),
        (
            "mixed-newlines",
            "\r-\n-\n-\r\n",
            &[
                "mixed newlines at byte 0: 0D: CR ends 1 line, LF ends 2 lines",
                "mixed newlines at byte 6: 0D 0A: CRLF ends 1 line, LF ends 2 lines",
            ],
        ),
        ("mixed-newlines=lf", "a\nb\n", &none),
        (
            "mixed-newlines=lf",
            "\r\n\r\n\n\r",
            &[
                "newlines at byte 0: 0D 0A: CRLF ends 2 lines, but all must end with LF",
                "newlines at byte 5: 0D: CR ends 1 line, but all must end with LF",
            ],
        ),
        (
            "mixed-newlines=crlf",
            "é\n",
            &["newlines at byte 2: 0A: LF ends 1 line, but all must end with CRLF"],
        ),
        ("mixed-newlines=cr", "a\rb\r", &none),
    ] {
        assert_eq!(in_text(rule, text), expected, "{rule} {text:?}");
    }
}

#[test]
fn final_newlines() {
    for (text, has_one) in [
        ("a\n", true),
        ("a\r\n", true),
        ("\n", true),
        ("a\rb\r", true),
        ("\r", true),
        ("a", false),
        ("a\nb", false),
        // CR is no newline in a file with other newlines.
        ("a\nb\nc\r", false),
        ("a\n\r", false),
        ("a\u{85}", false),
    ] {
        let text = &[Some(text)][..];
        assert_eq!(scan("final-newline", text).is_empty(), has_one, "{text:?}");
        assert_eq!(scan("final-newline=forbid", text).is_empty(), !has_one, "{text:?}");
    }
    for rule in ["final-newline", "final-newline=forbid"] {
        assert_eq!(sentences(rule, &[]), [""; 0]);
        assert_eq!(sentences(rule, &[Some("")]), [""; 0]);
    }
    let position = scan("final-newline", &[Some("a\nbc")])[0].position;
    assert_eq!((position.offset(), position.line(), position.column()), (4, 2, 3));
}

#[test]
fn runs_and_gaps() {
    let none: [&str; 0] = [];
    let crlf = &[Some("a\r"), Some("\nb\r\n")];
    assert_eq!(sentences("mixed-newlines,final-newline", crlf), none);
    assert_eq!(
        sentences("mixed-newlines=lf", crlf),
        ["newlines at byte 1: 0D 0A: CRLF ends 2 lines, but all must end with LF"]
    );
    assert_eq!(
        sentences("final-newline=forbid", &[Some("a\r"), Some("\n")]),
        ["final newline at byte 1: 0D 0A: the last line must not end with a newline"]
    );
    assert_eq!(
        sentences("mixed-newlines", &[Some("a\r"), None, Some("\nb\n")]),
        ["mixed newlines at byte 1: 0D: CR ends 1 line, LF ends 2 lines"]
    );
    assert_eq!(sentences("final-newline", &[Some("a\n"), None]).len(), 1);
    assert_eq!(sentences("final-newline", &[None]).len(), 1);
    assert_eq!(sentences("final-newline", &[None, Some("\n")]), none);
    assert_eq!(sentences("final-newline", &[Some("a\n"), Some("")]), none);
    assert_eq!(sentences("not-nfc", &[Some("e"), None, Some("\u{301}")]), none);
    // Text on both sides of a gap is evidence for the document, but no finding crosses the gap.
    assert_eq!(sentences("double-encoded", &[Some("cafÃ"), Some("© frÃ¨re")]).len(), 2);
    assert_eq!(sentences("double-encoded", &[Some("cafÃ"), None, Some("© frÃ¨re sÃ©vÃ¨re")]).len(), 3);
}

#[test]
fn double_encoded() {
    for (text, was) in [
        ("Ã©tÃ©", "é"),
        ("franÃ§ais", "ç"),
        ("StraÃŸe", "ß"),
        ("Ã–sterreich", "Ö"),
        ("itâ€™s", "’"),
        ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"),
        ("ðŸ˜€", "😀"),
        ("РїСЂРёРІРµС‚", "привет"),
        (&"Ð¿Ñ€".repeat(30), "прпрпрпрпрпрпрпрпрпр..."),
    ] {
        let found = scan("double-encoded", &[Some(text)]);
        assert!(!found.is_empty(), "{text}");
        assert_eq!(found[0].hint, Some(format!("it was \"{was}\"")), "{text}");
    }
    let twice = in_text("double-encoded", "La cafÃƒÂ©tÃƒÂ©ria");
    assert!(
        twice[0].contains("UTF-8 that was read as windows-1252, then as windows-1252 [it was"),
        "{twice:?}"
    );
}

/// The rule finds what the command `repair` changes, with the evidence of the whole file, and in windows.
#[test]
fn double_encoded_is_what_repair_undoes() {
    use utfconv_repair::{Document, Unit, WINDOW, window_len};
    let line = "ASCII only, and some more of it\n".repeat(1000);
    let long = format!("{}cafÃ© «É» voilÃ\u{A0}\n{line}", line.repeat(WINDOW / line.len()));
    let mut total = 0;
    for text in [
        "cafÃ© Ä– «É» frÃ¨re\nÂ« oui Â» 5Â°\n".as_bytes(),
        "\u{FEFF}Â©\nÃ¼ber\n".as_bytes(),
        "ÐŸÑ€Ð¸Ð²ÐµÑ‚ мир".as_bytes(),
        long.repeat(2).as_bytes(),
        "é".repeat(WINDOW).as_bytes(),
        format!("{}Ã©tÃ©", "x".repeat(2 * WINDOW - 3)).as_bytes(),
        "\u{FEFF}cafÃ© \u{FFFD}\nsÃ©rie\n".as_bytes(),
        b"caf\xE9\nc\xC3\x83\xC2\xA9l\xC3\x83\xC2\xA8bre \xE9t\xE9\n\xC3\x83\xC2\xA9t\xC3\x83\xC2\xA9\n",
    ] {
        let mut document = Document::new(Unit::Line, &[]);
        let (mut at, mut expected) = (0, Vec::new());
        while at < text.len() {
            let (len, is_cut) = window_len(&text[at..], true);
            let found = document.next(&text[at..at + len], is_cut);
            let of_text = |change: &&utfconv_repair::Change| change.encoding.is_none();
            let range = |range: &std::ops::Range<usize>| (at + range.start) as u64..(at + range.end) as u64;
            expected.extend(found.changes.iter().filter(of_text).map(|change| range(&change.range)));
            at += len;
        }
        let found = found_in_file(text);
        let got: Vec<_> =
            found.iter().map(|one| one.position.offset()..one.position.offset() + one.len).collect();
        assert_eq!(got, expected, "{:.40}", String::from_utf8_lossy(text));
        total += got.len();
        for finding in found.iter().filter(|_| str::from_utf8(text).is_ok()) {
            let before = &text[..finding.position.offset() as usize];
            let before = before.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(before);
            let position = Position::default().past(before, finding.position.offset());
            assert_eq!(
                (finding.position.line(), finding.position.column()),
                (position.line(), position.column())
            );
        }
    }
    assert!(total > 10, "{total}");
}

/// Returns the double encoding in a UTF-8 file, whose text comes in many runs.
fn found_in_file(bytes: &[u8]) -> Vec<Finding> {
    let mut scan = Scan::new(rules("double-encoded"));
    let mut found = Findings::with_room(u64::MAX);
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut position = Position::new((bytes.len() - text.len()) as u64, 1, 1);
    for chunk in text.utf8_chunks() {
        for run in chunk.valid().split_inclusive([' ', '\n']) {
            scan.run(&mut TextRun::utf8(run.as_bytes(), position), &mut found);
            position = position.past(run.as_bytes(), run.len() as u64);
        }
        if !chunk.invalid().is_empty() {
            scan.gap(chunk.invalid(), &mut found);
            position = position.past(b"?", chunk.invalid().len() as u64);
        }
    }
    scan.end(position, &mut found);
    found.listed
}

/// Ordinary text has letters that double encoding makes of UTF-8 lead bytes, such as Ã, before signs that it makes of
/// continuation bytes.
#[test]
fn ordinary_text_is_not_double_encoded() {
    for text in [
        "« MAÇÃ», «MAÇÃ», “IRMÃ\u{201D}, “AMANHÃ\u{201D}…, MAÇÃ…, MANHÃ–NOITE, JOÃO, SÃO, não, maçã",
        "«\u{A0}voilà\u{A0}», l’été\u{A0}», «É», “É\u{201D}, É…, CAFÉ™, NESCAFÉ®, café’”, déjà”—, Société\u{A0}©",
        "À\u{A0}la, Ê\u{A0}!, «\u{A0}Â\u{A0}», «Â», ÉLÉ\u{AD}GANT, n°, N°\u{A0}5, 2ème, École, Œuvre, É\u{B2}",
        "Spaß«, »Spaß«, „Spaß“, Spaß…, Ä–Ö–Ü, Ä, Ö, Ü, „Ü“, ÜÖÄ, Öl–Preis, GRÖẞE, 5\u{A0}×\u{A0}3, 1920×1080",
        "¡OL\u{C9}\u{A1}, ¿QU\u{C9}\u{BF}, «ESPAÑ», Ñ.º, Mª, Ñ\u{AA}, habló…», «él», PEÑÍSCOLA, ¿Ñ?, “SÍ\u{201D}, SÓLO…",
        "SNÍŽÍŠ, BLÍŽŠÍ, Úžasný, ÚŽASNÝ, Úšklebek, Íšan, kříž”, KŘÍŽ, příž…, ZKRÍŽÍŠ…, ČÍŽ",
        "1,54 Å, 3 Å\u{B2}, 12.5 Å\u{B3}, 120 mÅ–130 mÅ, 5 kcal/molÅ\u{B2}, 1.2Å\u{B1}0.1, 0.1 Å·s, Ø\u{A0}20\u{A0}mm, Ø\u{BD}",
        "Tiếng Việt, Ước, Ðức, HÂLÂ…, HÂLÂ\u{201D}, Â’r, það”, „ÞAÐ\u{201C}, ÞAÐ…, ÅÄÖ, åäö, Øl–bar, œuvre, Ÿ",
        "Ελλάδα, «Ελλάδα», Привет, «МИР», 中文、日本語「テキスト」, 한국어, שלום, مرحبا, ไทย, हिन्दी, 😀",
        "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
        "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿",
        "É",
        "Ã",
        "â",
        "â€",
        "ð",
        "ðŸ",
        "Ð",
    ] {
        assert_eq!(in_text("double-encoded", text), [""; 0], "{text}");
    }
}

/// Cuts at allowed positions do not change the findings.
#[test]
fn cuts_change_nothing() {
    let text = "10Â\u{A0}000 cafÃ© cafe\u{301} 1\u{301}\u{327}\r\n(\u{301}\u{327})\n \u{202E}1;\0\0\t\r\u{FEFF} \
                    «ÍŽÍŠ» â€™â€™ #\u{1112}\u{1161}\u{11AB}\r\r\n0Ã—0\u{7F}\u{85}. Â« \u{FFFD}\u{10FFFF}\n\n\u{958}!";
    let whole = scan("all", &[Some(text)]);
    assert!(whole.len() > 20, "{whole:#?}");
    let is_cut = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !matches!(c, '<' | '=' | '>');
    let pieces: Vec<_> = text.split_inclusive(is_cut).collect();
    let somes = |pieces: &[&'static str]| pieces.iter().map(|piece| Some(*piece)).collect::<Vec<_>>();
    assert_eq!(scan("all", &somes(&pieces)), whole);
    for i in 0..=pieces.len() {
        let (left, right) = text.split_at(pieces[..i].concat().len());
        assert_eq!(scan("all", &[Some(left), Some(right)]), whole, "{left:?} {right:?}");
    }
}

#[test]
fn places_of_another_encoding() {
    let text = "é\u{202E}\n😀\u{202E}\r\n";
    let source: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut offsets = vec![0];
    for scalar in text.chars() {
        offsets.push(offsets.last().unwrap() + 2 * scalar.len_utf16() as u32);
    }
    let start = Position::default().past(b"\n12", 6);
    let mut run = TextRun::decoded(text.as_bytes(), start, &source, &offsets);
    let mut scan = Scan::new(rules("bidi,mixed-newlines=lf"));
    let mut found = Findings::with_room(9);
    scan.run(&mut run, &mut found);
    scan.end(run.position(text.len()), &mut found);
    let seen: Vec<_> = found
        .listed
        .iter()
        .map(|finding| {
            let Finding { position, len, bytes, .. } = finding;
            (position.offset(), position.line(), position.column(), *len, bytes.to_string())
        })
        .collect();
    assert_eq!(
        seen,
        [
            (8, 2, 4, 2, "20 2E".to_string()),
            (16, 3, 2, 2, "20 2E".to_string()),
            (18, 3, 3, 4, "00 0D 00 0A".to_string()),
        ]
    );
}

#[test]
fn what_has_no_room_is_counted() {
    let mut scan = Scan::new(rules("nul,bidi,not-nfc"));
    let mut found = Findings::with_room(2);
    scan.run(&mut TextRun::utf8("e\u{301}\0\u{202E}\0".as_bytes(), Position::default()), &mut found);
    assert_eq!(
        found.listed.iter().map(|finding| finding.rule).collect::<Vec<_>>(),
        [Rule::NotNfc, Rule::Nul]
    );
    assert_eq!(found.counts, BTreeMap::from([(Rule::Nul, 2), (Rule::Bidi, 1), (Rule::NotNfc, 1)]));
    assert_eq!(found.room, 0);
}

/// A megabyte of the worst text is scanned quickly, because no text is searched again and again.
#[test]
fn hostile_texts_take_linear_time() {
    let began = std::time::Instant::now();
    for unit in [
        "\u{301}",
        "\u{301}\u{327}",
        "e\u{301}",
        "\u{1100}\u{1161}\u{11A8}",
        "\u{F73}",
        "\u{1112}",
        "\u{1161}",
        "Ã",
        "Ã–",
        "Ã©",
        "Ð¿",
        "É»",
        "â€™",
        "ð",
        "\r",
        "\r\n",
        "\n\r",
        "\0",
        "\u{202E}",
        "a\u{FFFF}",
        "\u{11131}\u{11127}",
    ] {
        let text = unit.repeat((1 << 18) / unit.len());
        for text in [format!("q{text}"), format!("é{text}\u{327}x"), text] {
            let mut scan = Scan::new(rules("all"));
            let mut found = Findings::with_room(100_000);
            scan.run(&mut TextRun::utf8(text.as_bytes(), Position::default()), &mut found);
            scan.end(Position::default(), &mut found);
        }
    }
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
