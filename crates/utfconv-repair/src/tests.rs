//! Tests of repairs. `benches/repair.py` has texts of other repair programs and of many languages.

use super::mistakes::Mistake;
use super::{Found, Repairer};
use utfconv_core::Encoding;

/// Returns a text damaged by a mistake; `None` if a byte has no character.
fn broken(text: &str, name: &str) -> Option<String> {
    let mistake = Mistake::all().find(|mistake| mistake.name() == name).expect("a mistake");
    let char = |byte: u8| {
        (0x80..=u16::MAX).filter_map(|unit| char::from_u32(unit.into())).find(|char| {
            mistake.bytes(*char).is_some_and(|bytes| bytes.first == byte && bytes.second.is_none())
                && !('\u{80}'..='\u{9F}').contains(char)
        })
    };
    let char = |byte: u8| char(byte).or((0x80..0xA0).contains(&byte).then_some(char::from(byte)));
    text.bytes().map(|byte| if byte.is_ascii() { Some(char::from(byte)) } else { char(byte) }).collect()
}

fn found(text: &str) -> Found {
    Repairer::new().next(text)
}

#[track_caller]
fn assert_repaired(text: &str, expected: &str) {
    let found = found(text);
    assert_eq!(found.applied(text), expected, "{found:?}");
}

#[track_caller]
fn assert_kept(text: &str) {
    let found = found(text);
    assert!(found.changes.is_empty(), "{text}: {found:?}");
}

const PAGES: [&str; 9] = [
    "windows-1252",
    "windows-1250",
    "windows-1251",
    "windows-1254",
    "windows-1257",
    "ISO-8859-2",
    "macintosh",
    "IBM437",
    "IBM850",
];

/// Length in bytes of a text with more distinct words than are measured for all mistakes.
const LONG: usize = 32 << 10;

const SENTENCES: [&str; 8] = [
    "Die größte Änderung für Benutzer: „Öffnen“ schließt jetzt auch übrige Fenster.",
    "L’élève a déjà reçu une réponse à sa question sur l’œuvre de Molière…",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Зависимости не удовлетворены, установка прервана.",
    "Η διαμόρφωση αποθηκεύτηκε με επιτυχία.",
    "Không thể mở tập tin để ghi dữ liệu.",
    "ファイルを開くことができませんでした。",
    "无法打开文件，请检查权限。",
];

#[test]
fn every_mistake_is_undone_once_and_repeatedly() {
    for name in PAGES {
        for sentence in SENTENCES {
            let Some(once) = broken(sentence, name) else { continue };
            assert_repaired(&once, sentence);
            let Some(twice) = broken(&once, name) else { continue };
            assert_repaired(&twice, sentence);
            let levels = found(&twice).changes.iter().map(|change| change.mistakes.len()).max();
            assert_eq!(levels, Some(2), "{name}: {sentence}");
        }
    }
}

/// In windows-1250 and windows-1252, the bytes of some of these texts are the bytes of other symbols and letters.
#[test]
fn the_same_mistake_is_undone_at_all_levels() {
    for name in ["ISO-8859-2", "ISO-8859-15"] {
        for text in ["«%s»", "« x »", "„%s“: ±%d", "«é»…", "x: «%s» – нет файла", "¡Hola! ¿«%s»?"]
        {
            let twice = broken(&broken(text, name).expect("is defined"), name).expect("is defined");
            assert_repaired(&twice, text);
        }
    }
}

#[test]
fn gbk_is_undone() {
    assert_repaired("鏃犳硶鎵撳紑鏂囦欢", "无法打开文件");
    assert_repaired("it鈥檚 a caf茅, isn鈥檛 it", "it’s a café, isn’t it");
}

#[test]
fn mixtures_of_windows_1252_and_c1_controls_are_undone() {
    assert_repaired(
        "He said \u{e2}\u{20ac}\u{153}yes\u{e2}\u{20ac}\u{9d} and left",
        "He said “yes” and left",
    );
    // The text has surrogate pairs, as in CESU-8.
    assert_repaired("Hi guys \u{ed}\u{a0}\u{bd}\u{ed}\u{b8}\u{8d}", "Hi guys 😍");
}

#[test]
fn a_single_word_is_enough_without_other_characters() {
    for (broken, text) in [
        ("NicolÃ¡s", "Nicolás"),
        ("RÄ«ga", "Rīga"),
        ("HÃ”TEL", "HÔTEL"),
        ("ZURÃœCK", "ZURÜCK"),
        ("20Â°C", "20°C"),
    ] {
        assert_repaired(broken, text);
    }
}

#[test]
fn pages_of_iso_8859_are_undone() {
    assert_repaired("ÃŒle jÃ€rgi", "üle järgi");
    assert_repaired("Ãœle jÃ¤rgi", "Üle järgi");
}

/// Undone as windows-1250, some of these words are more common words.
#[test]
fn a_document_is_read_by_one_mistake() {
    for (damaged, rest) in [
        ("Разметка текста для отображения", "Не удалось открыть файл\nОшибка чтения"),
        (
            "Nutzung des öffentlichen Schlüssels:\nEs gibt keine Garantie, daß dieser Schlüssel wirklich dem Besitzer gehört.",
            "Sie könnten stattdessen das benutzen.",
        ),
    ] {
        let text = [&broken(damaged, "ISO-8859-2").expect("it has characters"), "\n", rest].concat();
        assert_repaired(&text, &[damaged, "\n", rest].concat());
    }
}

#[test]
fn a_ligature_is_no_foreign_letter() {
    assert_repaired("The ï¬‚oor of the oï¬ƒce\n", "The ﬂoor of the oﬃce\n");
    assert_repaired("speciï¬\u{81}c\n", "speciﬁc\n");
}

#[test]
fn ordinary_text_is_kept() {
    for text in [
        "PARCE QUE SUR LEURS PLAQUES IL Y MARQUÉ…",
        "voilà\u{a0}»",
        "NESTLÉ® 5×£35 HUHLL Õ… É’s Ã’s",
        "AHÅ™, the new sofa",
        "TRANSFORMATORIŲ™",
        "ВІКІ, Італії, лінії",
        "(-1/2)! = √π",
        "∆°",
        "`¬´",
        "├─┤├┐ ┌┘",
        "SELKÄ\u{a0}EDELLÄ\u{a0}MAAHAN",
        "Charlotte Brontë…”",
        "C O N C L U S Ã O",
        "丨 丿 爪 丕 ⼃",
        "中文和英文 mixed 的文字。",
    ] {
        assert_kept(text);
    }
}

#[test]
fn other_characters_speak_against_a_single_pair() {
    assert_kept("Bremer/Mccoy – DrÃ¥ber");
    assert_eq!(found("Bremer/Mccoy – DrÃ¥ber").suspects.len(), 1);
    // Several pairs are enough to prove the mistake.
    assert_repaired("– DrÃ¥ber, mÃ¥ske smÃ¸r", "– Dråber, måske smør");
}

#[test]
fn ordinary_characters_next_to_a_run_stay() {
    assert_repaired("l’Ã©galitÃ©, la libertÃ© et l’Ã©tÃ©", "l’égalité, la liberté et l’été");
}

/// Systems without Unicode damage whole texts, so a few damaged words prove nothing.
#[test]
fn a_few_words_of_a_damaged_text_are_reported() {
    for name in ["macintosh", "IBM437", "IBM850"] {
        for (sentence, word) in SENTENCES.into_iter().zip(["Größe", "l’élève", "kůň", "Ошибка", "αρχείο"])
        {
            let damaged = broken(word, name).expect("is defined");
            for lines in [3, 2 * LONG / sentence.len()] {
                let good = format!("{sentence}\n").repeat(lines);
                let text = format!("{good}{damaged}\n{good}");
                let found = found(&text);
                assert!(found.changes.is_empty(), "{name}: {found:?}");
                let reported = found.suspects.iter().filter_map(|suspect| suspect.was.as_deref());
                let others: String = word.chars().filter(|char| !char.is_ascii()).collect();
                assert_eq!(reported.collect::<String>(), others, "{name}: {found:?}");
            }
        }
    }
}

/// IBM437 and IBM850 have many characters of other pages of DOS at the same bytes. Undoing only these would leave a text
/// that no mistake explains.
#[test]
fn text_of_other_pages_of_dos_is_kept() {
    for (text, name) in [
        ("Größe der Übertragung geprüft, schöne Grüße und Öl", "IBM852"),
        ("Şifreyi değiştirmek için tıklayın, güvenli çıkış", "IBM857"),
        ("Файл не найден: проверьте путь и имя файла", "IBM866"),
    ] {
        let page = Encoding::for_name(name).expect("is supported");
        let damaged = utfconv_core::decode(text.as_bytes(), page).expect("defines all bytes");
        assert_kept(&damaged);
    }
}

#[test]
fn line_drawing_is_not_reported() {
    let table = "┌────┬──────┐\n│ né │ été  │\n├────┼──────┤\n│é│Größe│\n╞═══╪═══╡\n└────┴──────┘\n\
        ├── café\n│   └── élève\n";
    for sentence in SENTENCES {
        let found = found(&format!("{table}{sentence}\n√2 ≈ 1,41; ∑±∞, √π\n"));
        assert!(found.changes.is_empty() && found.suspects.is_empty(), "{found:?}");
    }
}

#[test]
fn what_lost_bytes_is_reported_and_kept() {
    let text = "SerÃ¡ atÃ© Ã s 19h, â€œdescriÃ§Ã£oâ€\u{FFFD}, nÃ£o";
    let found = found(text);
    assert_eq!(found.applied(text), "Será até Ã s 19h, “descriçãoâ€\u{FFFD}, não");
    let lost: Vec<&str> =
        found.suspects.iter().filter(|one| one.was.is_none()).map(|one| &text[one.range.clone()]).collect();
    assert_eq!(lost, ["Ã", "â€\u{FFFD}"]);
}

#[test]
fn evidence_of_earlier_windows_counts() {
    let mut repairer = Repairer::new();
    assert_eq!(repairer.next("– sÃ¦rlig mÃ¥de, fÃ¸rste\n").changes.len(), 3);
    assert_eq!(repairer.next("– DrÃ¥ber\n").changes.len(), 1);
    assert!(Repairer::new().next("– DrÃ¥ber\n").changes.is_empty());
}

#[test]
fn changes_of_several_levels_are_ranges_of_the_text() {
    let text = "a – b: NÃƒÂ© et nÃ© Ã©tÃ© â€“ ÃƒÂ©tÃƒÂ©.";
    let found = found(text);
    let mut last = 0;
    for change in &found.changes {
        assert!(change.range.start >= last && text.get(change.range.clone()).is_some(), "{change:?}");
        last = change.range.end;
    }
    assert_eq!(found.applied(text), "a – b: Né et né été – été.");
}

/// In a long document, a sample decides about the lines that a single mistake explains entirely.
#[test]
fn long_documents_are_repaired_with_a_few_other_lines() {
    for sentence in &SENTENCES[..4] {
        let once = broken(sentence, "windows-1252").expect("it can be broken");
        let lines = 2 * LONG / once.len();
        let whole = |line: &str, odd: &str| {
            format!("{}{odd}\n{}", format!("{line}\n").repeat(lines), format!("{line}\n").repeat(lines))
        };
        for odd in ["", "\u{C3}\u{FFFD}", "\u{D0}", "ASCII"] {
            assert_repaired(&whole(&once, odd), &whole(sentence, odd));
        }
        let found = found(&whole(&once, "\u{C3}\u{FFFD}"));
        assert!(found.suspects.iter().any(|suspect| suspect.was.is_none()), "{:?}", found.suspects);
        let twice = broken(&once, "windows-1252").expect("it can be broken");
        assert_repaired(&whole(&twice, "?"), &whole(sentence, "?"));
        assert_repaired(&whole(sentence, &once), &whole(sentence, sentence));
    }
}

/// If half of the lines are damaged, a sample of the lines decides about long documents too.
#[test]
fn long_half_broken_documents_are_repaired() {
    for sentence in &SENTENCES[3..] {
        let once = broken(sentence, "windows-1252").expect("it can be broken");
        let numbered = |lines: [&str; 2]| -> String {
            let count = 3 * LONG / once.len();
            (0..count).map(|number| format!("{number} {}\n", lines[number % 2])).collect()
        };
        assert_repaired(&numbered([sentence, &once]), &numbered([sentence, sentence]));
    }
}

#[test]
fn texts_without_ascii_are_repaired_by_a_sample() {
    let sentence: String = SENTENCES[7].chars().filter(|char| !char.is_ascii()).collect();
    let text = sentence.repeat(2 * LONG / sentence.len());
    let once = broken(&text, "windows-1252").expect("it can be broken");
    assert_repaired(&once, &text);
}

#[test]
fn quotation_marks_after_capitals_are_kept() {
    assert_kept("“IRMÃ”, “AMANHÃ” e “MAÇÃ” são palavras; «MAÇÃ» também.");
}

#[test]
fn units_are_kept() {
    assert_kept(
        "1,54 Å, 3 Å², 12.5 Å³, 120 mÅ–130 mÅ, 1.2Å±0.1, 0.1 Å·s, Ø\u{A0}20\u{A0}mm, Ø½, 3\u{A0}×\u{A0}5",
    );
    assert_kept("The areas are 53 Å² and 61 Å², the volumes 812.4(3) Å³ and 799 Å³ (Ø½).");
}

/// The bytes are not UTF-8, though some adjacent bytes look like a character.
#[test]
fn japanese_that_was_read_as_windows_1252_is_kept() {
    let text = "<title>木登りの体験</title>\n<b>「木登りの体験」プログラム</b><br />石狩町の木で始まる、森の\
        木には花が咲く。一般の立候補者は、議会の解散を読んだ。複数のみかんが立って残っている。\n";
    for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP] {
        let bytes = encoding.encode(text).0;
        let repeated = bytes.repeat(20);
        let (read, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&repeated);
        assert_kept(&read);
    }
}

/// Another mistake explains all of the text, but badly, because it gives accents without letters.
#[test]
fn a_mistake_that_explains_everything_badly_is_not_made() {
    assert_repaired("Ã©.txt\nCafÃ©.txt\nÃß\n", "é.txt\nCafé.txt\nÃß\n");
    for text in ["CafÃ©.txt\nÃß\n", "Ã©.txt\nÃß\n", "Ã¨.txt\nMÃ¨re\nÃß\nÃÆ\n", "Ãß\nÃÆ\nÃÆs\n"]
    {
        let found = found(text);
        let is_bad = |text: &str| text.contains(|char| ('\u{300}'..='\u{36F}').contains(&char));
        assert!(!is_bad(&found.applied(text)), "{found:?}");
    }
    // The text has combining accents after the letters.
    assert_repaired("CafeÃÅ, reÃÅsumeÃÅ, aÃÄ", "Cafe\u{301}, re\u{301}sume\u{301}, a\u{300}");
}
