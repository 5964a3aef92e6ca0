//! Tests of the command `repair`: its repairs, reports, outputs and undo.

use std::fs;

use crate::check::assert_ran;
use crate::harness::{contents, dir_with, has, run, sh, temporary_name};
#[cfg(target_os = "linux")]
use crate::harness::{is_root, skip, unmount};

/// UTF-8 that was read as windows-1252, among other text.
const DOUBLE: &str = "Un cafÃ© et un thÃ©.\nâ€œOuiâ€\u{9D}, dit-elle\n";
/// [`DOUBLE`] after the repair.
const SINGLE: &str = "Un café et un thé.\n“Oui”, dit-elle\n";

/// UTF-8 with two lines in windows-1252.
const MIXED: &[u8] = b"Gr\xC3\xBC\xC3\x9Fe\nGr\xFC\xDFe aus M\xFCnchen\nna\xC3\xAFf\nFr\xFCher gab es sch\xF6nere Stra\xDFen.\n";
/// [`MIXED`] after the repair.
const DECODED: &str = "Grüße\nGrüße aus München\nnaïf\nFrüher gab es schönere Straßen.\n";

#[test]
fn a_report_names_every_change_and_writes_nothing() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes()), ("b", b"plain\n"), ("c", SINGLE.as_bytes())]);
    let lines = "\
a:1:7: repair: UTF-8 read as windows-1252 at byte 6: \"Ã©\" is \"é\"
a:1:18: repair: UTF-8 read as windows-1252 at byte 19: \"Ã©\" is \"é\"
a:2:1: repair: UTF-8 read as windows-1252 at byte 25: \"â€œ\" is \"“\"
a:2:7: repair: UTF-8 read as windows-1252 at byte 35: \"â€\\u{9d}\" is \"”\"
a: 4 changes to make with -i
";
    assert_ran(&sh(dir.path(), "$U repair a b c"), 1, lines, "");
    assert_ran(&sh(dir.path(), "$U repair ."), 1, lines, "");
    assert_ran(
        &sh(dir.path(), "$U repair -j1 --max-errors=1 a"),
        1,
        &[
            lines.lines().next().expect("one"),
            "\na: 4 changes to make with -i, 3 lines not listed; use --max-errors=0 to list all\n",
        ]
        .concat(),
        "",
    );
    assert_ran(&sh(dir.path(), "$U repair b c"), 0, "", "");
    assert_eq!(contents(dir.path(), "a"), DOUBLE.as_bytes());
}

/// The words are German if read as macintosh, but the quotation marks around placeholders make no words.
#[test]
fn pages_that_explain_most_words_are_no_worse_than_others() {
    let confused = "NachrichtenlŠnge\nungŸltiger È%sÇ fŸr È%sÇ\nunterstŸtzte\nausfŸhren\n\
        fŸr WagenrŸcklauf WagenrŸcklauf ParitŠtsfehler\nAnfŸhrungszeichen fŸr È%sÇ)\nwŠhlen\nzufŠlliges\n<ungŸltiger\n";
    let ran = run(&["repair"], confused);
    assert!(ran.status == 1 && ran.stdout == confused.as_bytes(), "{ran:?}");
    assert!(ran.stderr.starts_with("-:1:1: not repaired: ") && !ran.stderr.contains(": repair: "), "{ran:?}");
}

#[test]
fn confused_code_pages_are_undone_where_that_is_proven() {
    let confused = "тЮИК МЕ МЮИДЕМ: ОПНБЕПЭРЕ ХЛЪ, ГЮДЮММНЕ ОПЮБХКЭМН\n";
    let text = "Файл не найден: проверьте имя, заданное правильно\n";
    let line = "-:1:1: repair: windows-1251 read as KOI8-R at byte 0: ";
    let ran = run(&["repair"], confused);
    assert_eq!((ran.status, String::from_utf8_lossy(&ran.stdout).as_ref()), (0, text), "{}", ran.stderr);
    assert!(ran.stderr.starts_with(line), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("-: 1 change made\n"), "{}", ran.stderr);
    // A few words are not enough proof.
    let few = "ŽlŽve ˆ l'Žcole\n";
    let line = "-:1:1: not repaired: macintosh read as windows-1252 at byte 0: \"ŽlŽve ˆ l'Žcole\": it is not proven to be \"éléve à l'école\"\n-: 1 not repaired\n";
    assert_ran(&run(&["repair"], few), 1, few, line);
    // A document with a single long word has no proof, because the word may be an alphabet in the order of a keyboard.
    let alphabet = "set langmap=ФИСВУАПРШОЛДЬТЩЗЙКЫЕГМЦЧНЯ;ABCDEFGHIJKLMNOPQRSTUVWXYZ\n";
    let ran = run(&["repair"], alphabet);
    ran.expect_part(1, alphabet, "not repaired: IBM866 read as windows-1251 at byte 4");
    // Correct text is no error for `repair`. `check` has no rule for confused code pages.
    assert_ran(&run(&["repair"], text), 0, text, "");
    assert_ran(&run(&["check", "--rule=double-encoded", "-"], confused), 0, "", "");
}

/// If a character has lost a byte, the original is not proven, so the user has to name the damage.
#[test]
fn characters_that_lost_bytes_are_restored_if_the_damage_is_named() {
    let lost = "â€œSerÃ¡ atÃ© Ã s 19hâ€, disse; Ã\u{FFFD}frica, Ã perturber\n";
    let ran = run(&["repair", "--damage=lost-bytes"], lost);
    let restored = "“Será até às 19h”, disse; \u{FFFD}frica, à perturber\n";
    assert_eq!((ran.status, String::from_utf8_lossy(&ran.stdout).as_ref()), (0, restored), "{}", ran.stderr);
    let ran = run(&["repair"], lost);
    assert!(ran.status == 1 && ran.stderr.contains(" some of its bytes are lost\n"), "{}", ran.stderr);
    // The remains are those of one mistake; they are no evidence that all other characters are of macintosh.
    let ran = run(&["repair", "--damage=lost-bytes"], "lâ€™Ã©tÃ© Ã  Paris, prÃ¨s du cafÃ©\n");
    assert_eq!((ran.status, ran.stdout), (0, "l’été à Paris, près du café\n".into()), "{}", ran.stderr);
    run(&["repair", "--damage=all"], "").expect_part(2, "", "invalid value 'all' for '--damage <KIND>'");
    sh(dir_with(&[("a", b"a\n"), ("b", b"b\n")]).path(), "$U repair --damage=lost-bytes --from=a b")
        .expect_part(2, "", "cannot be used with");
}

#[test]
fn files_are_repaired_in_place_with_a_backup() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes()), ("b", SINGLE.as_bytes()), ("m", MIXED)]);
    let ran = sh(
        dir.path(),
        "touch -d 2001-01-01 a b m; chmod 640 a; $U repair --in-place=.old --preserve-time a b m; echo $?; stat -c '%n %a %Y' a",
    );
    let stdout = String::from_utf8_lossy(&ran.stdout);
    assert!(stdout.contains("a: 4 changes made\n") && stdout.contains("m: 2 changes made\n0\n"), "{stdout}");
    assert!(stdout.contains("a 640 9"), "{stdout}");
    assert_eq!(contents(dir.path(), "a"), SINGLE.as_bytes());
    assert_eq!(contents(dir.path(), "a.old"), DOUBLE.as_bytes());
    assert_eq!(contents(dir.path(), "m"), DECODED.as_bytes());
    let ran = sh(dir.path(), "mkdir c.old; cp a.old c; $U repair -i=.old c | tail -1; exit ${PIPESTATUS[0]}");
    ran.expect(
        2,
        "c: 4 changes not made\n",
        "c: cannot back up to c.old: it exists already; remove it, or use --backup=numbered",
    );
    assert_eq!(contents(dir.path(), "c"), DOUBLE.as_bytes());
    // An unchanged file is not written.
    assert!(!dir.path().join("b.old").exists());
    assert_ran(&sh(dir.path(), "$U repair -i a b m"), 0, "", "");
}

#[test]
fn a_filter_writes_the_text_and_reports_aside() {
    let ran = run(&["repair"], DOUBLE);
    assert_eq!((ran.status, ran.stdout.as_slice()), (0, SINGLE.as_bytes()));
    assert!(ran.stderr.ends_with("-: 4 changes made\n"), "{}", ran.stderr);
    assert_ran(&run(&["repair", "-"], SINGLE), 0, SINGLE, "");
    // Text that is not proven to be double-encoded stays, and the exit status is 1.
    let ran = run(&["repair"], "Bremer/Mccoy – DrÃ¥ber\n");
    let line = "-:1:18: not repaired: UTF-8 read as windows-1252 at byte 19: \"Ã¥\": it is not proven to be \"å\"\n-: 1 not repaired\n";
    assert_ran(&ran, 1, "Bremer/Mccoy – DrÃ¥ber\n", line);
}

#[test]
fn a_manifest_undoes_everything_or_nothing() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes()), ("m", MIXED), ("b", b"plain\n")]);
    let at = dir.path();
    sh(at, "$U repair -i --manifest=M a m b > log").expect(0, "", "");
    assert_eq!(contents(at, "a"), SINGLE.as_bytes());
    assert_eq!(contents(at, "M").iter().filter(|byte| **byte == b'\n').count(), 1 + 4 + 2 + 2 * 2);
    // A later run appends to a manifest, and refuses a file that is no manifest.
    sh(at, "cp M N; $U repair -i --manifest=M b && cmp M N && rm N").expect(0, "", "");
    sh(at, "$U repair -i --manifest=b a").expect(
        2,
        "",
        "b: not a manifest of utfconv, or changed since; nothing is changed; use another name for --manifest",
    );
    assert_eq!(contents(at, "b"), b"plain\n");
    // A file that was changed since the run is refused, and other files are restored.
    sh(at, "cp a a.new; echo more >> a; $U repair --undo M").expect(
        2,
        "",
        "utfconv: a: not undone: it was changed since the run that is to be undone\n\
        utfconv: M: 1 file restored, 1 not restored\n",
    );
    assert_eq!(contents(at, "m"), MIXED);
    assert!(contents(at, "a").ends_with(b"more\n"));
    // The file is found again after a rename. A second undo changes nothing.
    sh(at, "mv a.new a; $U repair --undo M a; $U repair --undo M").expect(
        0,
        "",
        "utfconv: M: 1 file restored\nutfconv: M: no file restored, 2 restored already\n",
    );
    assert_eq!(contents(at, "a"), DOUBLE.as_bytes());
    sh(at, "$U repair --undo M b").expect(2, "", "M: it has no changes of that file");
    sh(at, "$U repair --undo b").expect(
        2,
        "",
        "b: not a manifest of utfconv, or changed since; nothing is undone",
    );
    sh(at, "$U repair --undo /dev/null").expect(2, "", "/dev/null: refused: it is not a regular file");
    // The manifest of a run without changes has nothing to undo.
    sh(at, "$U repair -i --manifest=N b && $U repair --undo N").expect(
        0,
        "",
        "utfconv: N: it records nothing: no file was changed, so nothing is undone\n",
    );
}

#[cfg(unix)]
#[test]
fn what_was_forced_is_undone_by_force() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    sh(at, "ln a b; $U repair -i --force --manifest=M a > log").expect(0, "", "");
    sh(at, "$U repair --undo M").expect(
        2,
        "",
        "utfconv: a: has another hard link; use --force to change all hard links\n\
        utfconv: M: no file restored, 1 not restored\n",
    );
    sh(at, "$U repair --undo M --force").expect(0, "", "utfconv: M: 1 file restored\n");
    assert_eq!(contents(at, "b"), DOUBLE.as_bytes());
    sh(at, "$U repair --undo M --preserve-time").expect(2, "", "--preserve-time requires --in-place");
}

/// A run that is killed, or whose disk is full, may leave a partial line for a file that was not replaced.
#[test]
fn a_manifest_of_an_interrupted_run_restores_the_files_before() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes()), ("b", DOUBLE.as_bytes())]);
    let at = dir.path();
    sh(at, "$U repair -j1 -i --manifest=M a b > log").expect(0, "", "");
    let manifest = contents(at, "M");
    let second = manifest.windows(5).rposition(|text| text == b"\"file").expect("is there");
    for end in [second, second + 40, manifest.len() - 2] {
        fs::write(at.join("a"), SINGLE).expect("writes");
        fs::write(at.join("N"), &manifest[..end]).expect("writes");
        let ran = sh(at, "$U repair --undo N");
        ran.expect(2, "", "utfconv: N: 1 file restored\n\
            utfconv: N: it ends in the middle of a line, as after an interrupted run; files recorded before that are undone\n");
        assert_eq!([contents(at, "a"), contents(at, "b")], [DOUBLE.as_bytes(), SINGLE.as_bytes()], "{end}");
    }
    // A run that was killed while it wrote the first line has changed nothing.
    sh(at, "head -c 20 M > N; $U repair --undo N").expect(
        0,
        "",
        "N: it records nothing: no file was changed, so nothing is undone",
    );
}

#[test]
fn a_damaged_manifest_changes_nothing() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    sh(at, "$U repair -i --manifest=M a > log").expect(0, "", "");
    for damage in [
        "s/\"old\":\"w4PCqQ==\"/\"old\":\"w4PCqA==\"/",
        "s/\"output\":17/\"output\":16/",
        "s/\"length\":2,/\"length\":9999,/",
    ] {
        sh(at, &format!("sed '{damage}' M > N; $U repair --undo N")).expect_part(2, "", "not undone: ");
        assert_eq!(contents(at, "a"), SINGLE.as_bytes(), "{damage}");
    }
    sh(at, "sed 4s/.$// M > N; $U repair --undo N").expect(
        2,
        "",
        "N: not a manifest of utfconv, or changed since; nothing is undone",
    );
    sh(at, "$U repair --undo M").expect(0, "", "utfconv: M: 1 file restored\n");
    assert_eq!(contents(at, "a"), DOUBLE.as_bytes());
}

#[test]
fn a_patch_makes_the_same_files() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", DOUBLE.as_bytes()), ("m", MIXED)]);
    let script = "$U repair --diff a m > patch; echo $?; cp -r . ../$$; cd ../$$; git apply patch; cat a m; cd -; rm -r ../$$; cat a m";
    let ran = sh(dir.path(), script);
    let stdout = String::from_utf8_lossy(&ran.stdout);
    assert!(stdout.starts_with(&format!("1\n{SINGLE}{DECODED}")), "{stdout} {}", ran.stderr);
    assert!(ran.stdout.ends_with(&[DOUBLE.as_bytes(), MIXED].concat()));
}

#[test]
fn units_are_lines_fields_or_runs_in_named_candidates() {
    // The UTF-8 text has fields in windows-1252 and IBM850.
    let fields = b"caf\xC3\xA9,cr\xE8me br\xFBl\xE9e,tr\x8As pr\x82f\x82r\x82\n";
    let args = ["repair", "--unit=field:,", "--candidates=UTF-8,windows-1252,IBM850"];
    let ran = run(&args, fields);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "café,crème brûlée,très préféré\n", "{}", ran.stderr);
    // The line is UTF-8 with stray windows-1252 bytes. The strays are decoded, and the UTF-8 sequences stay.
    let strays = b"na\xC3\xAFf, d\xE9j\xE0 vu, \xC3\xA9t\xC3\xA9\n";
    for unit in ["--unit=run", "--unit=line"] {
        let ran = run(&["repair", unit, "--candidates=windows-1252"], strays);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "naïf, déjà vu, été\n", "{}", ran.stderr);
    }
    run(&["repair", "--unit=word"], "").expect(2, "", "invalid value 'word' for '--unit <UNIT>': expected line, run or field: and an ASCII character, such as field:, or field:\\t");
}

#[test]
fn a_file_in_another_encoding_as_a_whole_is_left() {
    let dir = dir_with(&[("l", b"caf\xE9\n"), ("u", b"\xFF\xFEh\0i\0"), ("x", b"\x7FELF\x02\x01\x01\0\0")]);
    let line = "l: not repaired: not UTF-8, and not mixed; its encoding may be windows-1252: 'utfconv detect l' shows why\nl: 1 not repaired\n";
    assert_ran(&sh(dir.path(), "$U repair ."), 1, line, "");
    // For standard input, the advice suggests a conversion to standard output.
    let text = "D\u{e9}j\u{e0} vu, na\u{ef}ve. Je suis all\u{e9} \u{e0} la for\u{ea}t, c\u{2019}est \u{e9}trange et tr\u{e8}s \u{201c}joli\u{201d}.\n";
    std::fs::write(dir.path().join("text"), text).expect("writes");
    for (call, advice) in [
        ("w", "utfconv -i -f windows-1252 w"),
        ("< w", "utfconv -f windows-1252"),
        ("- < w", "utfconv -f windows-1252"),
    ] {
        let call = format!("$U -t windows-1252 text > w; $U repair {call} 2>&1 | grep -ao 'use .*'");
        sh(dir.path(), &call).expect(0, format!("use '{advice}'\n"), "");
    }
    assert_ran(
        &sh(dir.path(), "$U repair -i u"),
        2,
        "",
        "utfconv: u: it is UTF-16LE; convert it to UTF-8 first\n",
    );
    assert_ran(&sh(dir.path(), "$U repair x"), 2, "", "utfconv: x: it is binary\n");
    assert_eq!(contents(dir.path(), "l"), b"caf\xE9\n");
}

/// A file that begins with the BOM of UTF-8 is mixed, even if nothing else in it is UTF-8.
#[test]
fn lines_after_a_bom_are_decoded() {
    let lines = b"Une bien belle journ\xE9e, tr\xE8s jolie\nla for\xEAt et le ch\xE2teau, na\xEFve\n";
    let bom = "\u{FEFF}".as_bytes();
    for ascii in [&b""[..], &b"ASCII\n".repeat(50_000)] {
        let ran = run(&["repair"], [bom, ascii, lines].concat());
        let (_, rest) = ran.stdout.split_at(bom.len() + ascii.len());
        let text = "Une bien belle journée, très jolie\nla forêt et le château, naïve\n";
        assert_eq!((ran.status, String::from_utf8_lossy(rest).as_ref()), (0, text), "{}", ran.stderr);
        assert!(ran.stdout.starts_with(bom), "{}", ran.stderr);
    }
}

/// A file in one legacy encoding can contain UTF-8 by chance, and is still not mixed.
#[test]
fn a_file_in_one_legacy_encoding_is_never_mixed() {
    let czech = b"P\xF8\xEDli\xB9 \xBElu\xBB\xFDou\xE8k\xFD k\xF9\xF2 \xFAp\xECl \xEF\xE1belsk\xE9 \xF3dy.\n\
        Byl pozdn\xED ve\xE8er, prvn\xED m\xE1j, ve\xE8ern\xED m\xE1j byl l\xE1sky \xE8as.\n\
        Hrdli\xE8\xE8in zval ku l\xE1sce hlas, kde borov\xFD zav\xE1n\xEDl h\xE1j.\n\
        O l\xE1sce \xB9eptal tich\xFD mech; kv\xEDtoun\xED strom lhal l\xE1sky \xBEel.\n\
        Svou l\xE1sku slav\xEDk r\xF9\xBEi p\xECl, r\xF9\xBEinu jevil vonn\xFD vzdech.\n\
        Jezero hladk\xE9 v k\xF8ov\xEDch stinn\xFDch zv\xFA\xE8elo temn\xEC tajn\xFD bol.\n";
    let korean = b"\xB3\xAA\xB4\xC2 \xC7\xD0\xB1\xB3\xBF\xA1 \xB0\xA3\xB4\xD9.\n\xBF\xC0\xB4\xC3\xC0\xBA \xB3\xAF\xBE\xBE\xB0\xA1 \xC1\xC1\xB4\xD9.\n\
        \xC4\xA3\xB1\xB8\xBF\xCD \xB9\xE4\xC0\xBB \xB8\xD4\xBE\xFA\xB4\xD9.\n";
    // In EUC-KR, the one-character words 큰, 책 and 채 are well-formed UTF-8.
    let words = [&korean[..], b"\xC5\xAB \xC3\xA5.... \xC3\xA4 1\xC3\xB5\n"].concat();
    for text in [&czech[..], &korean[..], &words] {
        let ran = run(&["repair"], text);
        assert!(ran.stdout == text, "{}", ran.stderr);
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("not repaired: not UTF-8, and not mixed"), "{}", ran.stderr);
    }
}

/// Text whose letters happen to form UTF-8 bytes in some encoding is no proof of double encoding.
#[test]
fn correct_text_by_chance_in_bytes_is_untouched() {
    for text in ["牛牛牛", "mijë ¤", "ężą", "Тип дії", "Ті"] {
        run(&["repair"], format!("{text}\n").as_bytes()).expect(0, format!("{text}\n"), "");
    }
}

/// The same two letters in several words are no more proof than in one word.
#[test]
fn a_pair_that_a_correct_text_repeats_is_untouched() {
    let text = "Након распада БРЈ настала је СЦГ. Влада БРЈ и Скупштина БРЈ.\nСавезна Република Југославија (СРЈ) и БРЈ\n";
    let ran = run(&["repair"], text.as_bytes());
    assert_eq!(ran.stdout, text.as_bytes(), "{}", ran.stderr);
}

#[test]
fn lines_above_a_window_are_left_and_others_are_repaired() {
    let long = "x".repeat(1 << 20);
    let text = [DOUBLE.as_bytes(), long.as_bytes(), b"\xE9\n", MIXED].concat();
    let ran = run(&["repair"], &text);
    assert_eq!(ran.status, 1);
    let expected = [SINGLE.as_bytes(), long.as_bytes(), b"\xE9\n", DECODED.as_bytes()].concat();
    assert!(ran.stdout == expected, "{}", ran.stderr);
    assert!(
        ran.stderr.contains(": not repaired: not UTF-8 at byte 1048629: E9: its encoding is not proven"),
        "{}",
        ran.stderr
    );
}

/// Binary data is not decoded as text. Database dumps have binary data beside double-encoded text.
#[test]
fn binary_data_is_not_decoded() {
    let mut random = 1u32;
    let mut dump = Vec::new();
    for number in 0..60 {
        let name = if number % 3 == 0 { "JÃ¶rg MÃ¼ller" } else { "Jörg Müller" };
        dump.extend_from_slice(format!("INSERT INTO t VALUES ({number},'{name}','").as_bytes());
        for _ in 0..16 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            dump.push(match (random >> 24) as u8 {
                b'\n' | 0 => b'x',
                byte => byte,
            });
        }
        dump.extend_from_slice(b"');\n");
    }
    let ran = run(&["repair"], &dump);
    let double = |text: &[u8]| memchr::memmem::find_iter(text, "Ã".as_bytes()).count();
    let lines = |text: &[u8]| text.split(|byte| *byte == b'\n').map(|line| line.len()).collect::<Vec<_>>();
    assert!(double(&dump) > 0 && double(&ran.stdout) == 0, "{}", ran.stderr);
    let shorter = lines(&dump).into_iter().zip(lines(&ran.stdout)).map(|(old, new)| old - new);
    assert!(shorter.enumerate().all(|(number, by)| by == if number % 3 == 0 && number < 60 { 4 } else { 0 }));
    assert!(!ran.stderr.contains("instead of UTF-8"), "{}", ran.stderr);
}

/// Short runs of binary data are recognized together, because each of them may be a few letters.
#[test]
fn short_binary_data_is_not_decoded() {
    let mut random = 1u32;
    let mut table = Vec::new();
    for _ in 0..40 {
        table.extend_from_slice("Jörg Müller\n".as_bytes());
        for _ in 0..6 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            table.push((random >> 24) as u8 | 0x80);
        }
        table.push(b'\n');
    }
    let ran = run(&["repair"], &table);
    assert!(ran.status == 1 && ran.stdout == table, "{}", ran.stderr);
}

/// A few symbols of windows-1252 occur in texts of any language, and no other encoding is more probable.
#[test]
fn a_few_signs_are_those_of_windows_1252() {
    let text = "The crème brûlée is fine.\nGröße und Übermut.\nEl niño está aquí.\n".as_bytes();
    let signs = b"it\x92s caf\xC3\xA9\n5 \x80\n\x95 item\n20 \xB0C\n\x93quoted\x94\n";
    let ran = run(&["repair"], [text, signs].concat());
    let expected = [text, "it’s café\n5 €\n• item\n20 °C\n“quoted”\n".as_bytes()].concat();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&expected), "{}", ran.stderr);
}

#[test]
fn backups_overwrite_no_input_and_are_not_repaired() {
    let double = DOUBLE.as_bytes();
    let dir = dir_with(&[("a", double), ("a.bak", double)]);
    let at = dir.path();
    let ran = sh(at, "$U repair -i=.bak a a.bak");
    assert!(ran.status == 2 && ran.stderr.contains("utfconv: a: its backup would overwrite"), "{ran:?}");
    let all = ["a", "a.bak", "a.bak.bak"].map(|name| contents(at, name));
    assert_eq!(all, [double, SINGLE.as_bytes(), double]);
    // In a directory, temporary files that an earlier run has left are no input.
    assert_eq!(sh(at, "rm a.bak; cp a .a.0123456789abcdef.utfconv-tmp; $U repair -i=.bak .").status, 0);
    let ran = sh(at, "$U repair -i=.bak --hidden .; ls -A");
    assert_ran(&ran, 0, ".a.0123456789abcdef.utfconv-tmp\na\na.bak\na.bak.bak\n", "");
}

#[test]
fn each_file_is_repaired_once() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    let twice = "utfconv: l: is the same file as a; each file is repaired once\n";
    let ran = sh(at, "ln -s a l; $U repair --diff a l ./a > p");
    assert_ran(&ran, 2, "", twice);
    let ran = sh(at, "$U repair -i a l ./a > /dev/null; readlink l");
    assert_ran(&ran, 0, "a\n", twice);
    assert_eq!(contents(at, "a"), SINGLE.as_bytes());
    assert_eq!(contents(at, "p").windows(4).filter(|four| four == b"diff").count(), 1);
}

/// A user's file stays even if it has the name and the content of a temporary file.
#[test]
fn files_of_the_user_are_not_removed() {
    let temporary = temporary_name("a");
    let dir = dir_with(&[("a", DOUBLE.as_bytes()), (&temporary, SINGLE.as_bytes())]);
    let at = dir.path();
    assert_eq!(sh(at, &format!("$U repair -j1 -i {temporary} a")).status, 0);
    assert_eq!([contents(at, "a"), contents(at, &temporary)], [SINGLE.as_bytes(), SINGLE.as_bytes()]);
}

/// Manifests of earlier runs, including those of `names`, are recognized by their first line.
#[test]
fn records_of_earlier_runs_are_skipped() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    sh(at, "$U repair -i --manifest=M a > log && cp M N && printf '{\"type\":\"manifest\",\"of\":\"utfconv names\",\"version\":1}\\n# caf\\xc3\\x83\\xc2\\xa9\\n' > J")
        .expect(0, "", "");
    sh(at, "{ cat M; printf 'caf\\xc3\\x83\\xc2\\xa9\\n'; } > O; rm log; cp O P; $U repair -i .; cmp O P")
        .expect(0, "", "");
    sh(at, "$U repair M J").expect(
        2,
        "",
        "utfconv: M: it is a manifest of utfconv\n\
        utfconv: J: it is a manifest of utfconv\n",
    );
    sh(at, "$U repair J").expect(2, "", "J: it is a manifest of utfconv");
    // Other commands that change files refuse manifests, too.
    sh(at, "printf '{\"type\":\"manifest\",\"of\":\"utfconv names\",\"version\":1}\\nx' > J; cp J K; $U check -q --fix --rule final-newline .; cmp J K")
        .expect(0, "", "");
    sh(at, "$U check -q --fix --rule final-newline J").expect(
        2,
        "",
        "J: not fixed: it is a manifest of utfconv",
    );
    sh(at, "$U -i -t utf-16 M").expect(2, "", "M: not converted: it is a manifest of utfconv");
    let ran = sh(
        at,
        "$U -r -i -t utf-16 . && cmp O P && cmp J K && $U -f utf-16 -t utf-8 -i a && $U repair --undo M",
    );
    assert!(ran.status == 0 && ran.stderr.contains("J: skipped: it is a manifest of utfconv"), "{ran:?}");
}

/// A manifest contains old names and contents, which may be double-encoded.
#[test]
fn a_manifest_is_neither_repaired_nor_overwritten() {
    let dir = dir_with(&[("cafÃ©", DOUBLE.as_bytes()), ("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    assert_eq!(sh(at, "$U repair -i --manifest=./M . && $U repair --undo M").status, 0);
    assert_eq!([contents(at, "a"), contents(at, "cafÃ©")], [DOUBLE.as_bytes(), DOUBLE.as_bytes()]);
    let ran = sh(at, "$U repair -i=.json --manifest=a.json a");
    assert!(ran.status == 2 && ran.stderr.contains("a: its backup would overwrite"), "{ran:?}");
    assert_eq!(contents(at, "a"), DOUBLE.as_bytes());
}

#[test]
fn directories_are_not_kept_open() {
    let dir = dir_with(&[]);
    let script = format!(
        "for i in {{1..70}}; do mkdir $i; echo '{}' > $i/f; done; ulimit -n 64; $U repair -i . | grep -c 'made$'",
        DOUBLE.lines().next().expect("one")
    );
    assert_ran(&sh(dir.path(), &script), 0, "70\n", "");
}

#[test]
fn impossible_command_lines_are_refused() {
    for (args, text) in [
        (&["repair", "-i"][..], "--in-place requires at least one PATH"),
        (&["repair", "--diff"], "--diff requires at least one PATH"),
        (&["repair", "-i", "-"], "standard input is repaired alone"),
        (&["repair", "--manifest=M", "a"], "--manifest requires --in-place"),
        (&["repair", "--undo=M", "a", "b"], "--undo takes one PATH at most"),
        (&["repair", "--in-place=", "a"], "--in-place= requires a suffix"),
        (&["repair", "-i=x/y", "a"], "--in-place=x/y: a suffix cannot contain '/'"),
        (&["repair", "-i=.utfconv-tmp", "a"], "utfconv uses this suffix for temporary files"),
        (&["repair", "--preserve-time", "a"], "--preserve-time requires --in-place"),
    ] {
        run(args, "").expect_part(2, "", text);
    }
}

#[cfg(unix)]
#[test]
fn a_manifest_that_cannot_be_written_is_named() {
    let dir = dir_with(&[("a", "cafÃ©\n".repeat(50).as_bytes())]);
    let ran = sh(dir.path(), "ulimit -f 4; $U repair -i --manifest=M a > log");
    ran.expect(2, "", "utfconv: a: not recorded in the manifest: File too large");
    // The failed record leaves nothing in the manifest, and no file was changed.
    assert_eq!(
        contents(dir.path(), "M"),
        b"{\"type\":\"manifest\",\"of\":\"utfconv repair\",\"version\":1}\n"
    );
    sh(dir.path(), "$U repair --undo M").expect(
        0,
        "",
        "utfconv: M: it records nothing: no file was changed, so nothing is undone\n",
    );
    assert_eq!(contents(dir.path(), "a"), "cafÃ©\n".repeat(50).as_bytes());
}

/// A record that does not fit leaves no fragment, so that files before and after it can be restored.
#[cfg(unix)]
#[test]
fn a_manifest_without_room_for_a_record_keeps_the_others() {
    let long = [MIXED, b"Gr\xFC\xDFe ".repeat(1500).as_slice(), b"\n"].concat();
    let dir = dir_with(&[("a", DOUBLE.as_bytes()), ("b", &long), ("c", DOUBLE.as_bytes())]);
    let at = dir.path();
    let ran = sh(at, "ulimit -f 12; $U repair -i --manifest=M a b c > log");
    ran.expect(2, "", "utfconv: b: not recorded in the manifest: File too large");
    assert_eq!([contents(at, "a"), contents(at, "c")], [SINGLE.as_bytes(), SINGLE.as_bytes()]);
    assert_eq!(contents(at, "b"), long);
    sh(at, "$U repair --undo M").expect(0, "", "utfconv: M: 2 files restored\n");
    assert_eq!([contents(at, "a"), contents(at, "c")], [DOUBLE.as_bytes(), DOUBLE.as_bytes()]);
    // If even the first line does not fit, no manifest is left.
    sh(at, "ulimit -f 0; $U repair -i --manifest=N a").expect(2, "", "utfconv: N: File too large");
    assert!(!at.join("N").exists() && contents(at, "a") == DOUBLE.as_bytes());
}

/// The manifest of a run that was killed before it wrote the first line is empty.
#[test]
fn an_empty_manifest_has_nothing_to_undo() {
    let dir = dir_with(&[("a", SINGLE.as_bytes()), ("M", b"")]);
    for script in ["$U repair --undo M", "$U repair --undo M a"] {
        let text = "M: it records nothing: no file was changed, so nothing is undone";
        sh(dir.path(), script).expect(0, "", text);
    }
    let json = "{\"type\":\"summary\",\"dry_run\":false,\"restored\":0,\"already\":0,\"skipped\":{},\"failed\":{},\"input\":0,\"output\":0,\"status\":0}\n";
    sh(dir.path(), "$U repair --undo M --format=json 2> /dev/null").expect(0, json, "");
    assert_eq!(contents(dir.path(), "a"), SINGLE.as_bytes());
    // An undo reports a manifest that ends within its first record.
    fs::write(dir.path().join("d"), DOUBLE).expect("a file");
    sh(dir.path(), "rm M; $U repair -i --manifest=M d > log; head -n 1 M > N; printf '{' >> N; cat N > M")
        .expect(0, "", "");
    let text = "utfconv: M: no file restored\nutfconv: M: it ends in the middle of a line";
    sh(dir.path(), "$U repair --undo M d").expect_part(2, "", text);
}

/// A user who can write a manifest could write any content to the files of the user who undoes with it.
#[cfg(unix)]
#[test]
fn a_manifest_of_others_is_not_trusted() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    sh(at, "umask 0; $U repair -i --manifest=M a > log; stat -c %a M").expect(0, "600\n", "");
    let writable = "others can write to it; run chmod go-w M";
    for (make, why) in [
        ("chmod 620 M", writable),
        ("chmod 602 M", writable),
        ("ln M N", "it has another hard link"),
        ("mkfifo -m 600 P; mv P M", "it is not a regular file"),
    ] {
        sh(at, &format!("cp -p M K; {make}; $U repair --undo M; s=$?; rm -f M N; mv K M; exit $s")).expect(
            2,
            "",
            &format!("utfconv: M: refused: {why}\n"),
        );
        assert_eq!(contents(at, "a"), SINGLE.as_bytes(), "{make}");
    }
    if sh(at, "cp -p M K; chown 12345 M").status == 0 {
        sh(at, "$U repair --undo M").expect(2, "", "utfconv: M: refused: it belongs to another user\n");
        assert_eq!(contents(at, "a"), SINGLE.as_bytes());
        sh(at, "mv -f K M").expect(0, "", "");
    }
    sh(at, "ln -s M L; $U repair --undo L").expect(0, "", "utfconv: L: 1 file restored\n");
    assert_eq!(contents(at, "a"), DOUBLE.as_bytes());
}

/// A manifest alone leads only to files below the current directory.
#[cfg(unix)]
#[test]
fn a_manifest_leads_to_no_other_directory() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    let outside = "not undone: it is not below the current directory";
    for (path, why) in [
        ("$PWD/../out/a", outside),
        ("../out/a", outside),
        ("x/../../out/a", outside),
        ("link/a", "is a symbolic link or a file, not a directory"),
        ("file", "file was replaced"),
    ] {
        let made = format!(
            "rm -rf out in; mkdir -p out in/x; cp a out; cd in; ln -s ../out link; ln -s ../out/a file
            $U repair -i --manifest=M {path} > log"
        );
        sh(at, &made).expect(0, "", "");
        assert_eq!(contents(at, "out/a"), SINGLE.as_bytes(), "{path}");
        sh(at, "cd in; $U repair --undo M").expect_part(2, "", why);
        assert_eq!(contents(at, "out/a"), SINGLE.as_bytes(), "{path}");
        sh(at, &format!("cd in; $U repair --undo M {path}")).expect(0, "", "utfconv: M: 1 file restored\n");
        assert_eq!(contents(at, "out/a"), DOUBLE.as_bytes(), "{path}");
    }
    // An absolute path in a manifest is accepted if it is below the current directory.
    let absolute = "cd in; rm -f M; cp ../a a; $U repair -i --manifest=M \"$(pwd -P)/a\" > log; $U repair --undo M; cmp ../a a";
    sh(at, absolute).expect(0, "", "utfconv: M: 1 file restored\n");
    // A directory as an argument restores all files below it.
    let script = "rm -rf out in; mkdir -p out/b in; cp a out; cp a out/b; cp a in; cd in
        $U repair -i --manifest=M a ../out > log; $U repair --undo M ../out; cmp ../a ../out/a && cmp ../a ../out/b/a && cmp -s ../a a";
    sh(at, script).expect(1, "", "utfconv: M: 2 files restored\n");
    sh(at, "cd in; $U repair --undo M .; cmp ../a a").expect(0, "", "utfconv: M: 1 file restored\n");
}

/// Offsets that decrease would copy a file many times.
#[test]
fn a_manifest_with_offsets_that_go_back_is_refused() {
    let dir = dir_with(&[("a", DOUBLE.as_bytes())]);
    let at = dir.path();
    sh(at, "$U repair -i --manifest=M a > log").expect(0, "", "");
    for damage in
        ["4s/\"output\":[0-9]*/\"output\":0/", "3s/\"length\":[0-9]*/\"length\":18446744073709551615/"]
    {
        sh(at, &format!("umask 077; sed '{damage}' M > N; $U repair --undo N")).expect(
            2,
            "",
            "utfconv: a: not undone: the manifest does not match this file\n\
            utfconv: N: no file restored, 1 not restored\n",
        );
        assert_eq!(contents(at, "a"), SINGLE.as_bytes(), "{damage}");
    }
}

/// On a full disk, nothing changes, and no change is reported as made.
#[cfg(target_os = "linux")]
#[test]
fn changes_that_cannot_be_written_are_not_reported_as_made() {
    if !is_root() || !has("mount") {
        return skip("the right to mount");
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    if sh(at, "mkdir m && mount -t tmpfs -o size=64k tmpfs m").status != 0 {
        return skip("the right to mount");
    }
    let ran = sh(
        at,
        "yes $'caf\\xc3\\x83\\xc2\\xa9' | head -c 45000 > m/a; cp m/a b; $U repair -i --max-errors=1 m/a; s=$?; cmp m/a b; exit $s",
    );
    unmount(at, "m");
    assert!(
        ran.status == 2 && String::from_utf8_lossy(&ran.stdout).contains(" changes not made, "),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("m/a: No space left on device"), "{ran:?}");
}

/// One weak unit is not enough evidence for an encoding that no other unit has.
#[test]
fn an_encoding_of_one_weak_unit_is_not_tried() {
    let log = b"10:01 utilisateur Fran\xC3\xA7ois d\xC3\xA9connect\xC3\xA9\n10:02 Ren\xE9 a \xE9t\xE9 ajout\xE9\n10:06 bad \x81\x8D byte\n";
    let dir = dir_with(&[("log", log)]);
    let at = dir.path();
    assert_eq!(sh(at, "$U repair -i log").status, 1);
    let fixed = "10:01 utilisateur François déconnecté\n10:02 René a été ajouté\n10:06 bad ";
    assert_eq!(
        std::fs::read(at.join("log")).expect("reads"),
        [fixed.as_bytes(), b"\x81\x8D byte\n"].concat()
    );
}

/// Lost characters can only be restored from an old version, so they are counted.
#[test]
fn lost_characters_are_counted() {
    let gaps = "\u{FFFD}un \u{FFFD}t\u{FFFD}\n";
    let dir = dir_with(&[("a b", gaps.as_bytes()), ("c", "ok \u{FFFD}\n".as_bytes()), ("d", b"d\n")]);
    let at = dir.path();
    let advice = |path: &str| {
        format!(
            "'utfconv repair --history {path}' looks for an old version in git, \
             and 'utfconv repair --from=OLD {path}' uses a copy"
        )
    };
    sh(at, "$U repair 'a b' d").expect(
        0,
        "",
        &format!(
            "utfconv: a b:1:1: warning: U+FFFD at byte 0: 3 characters of this file are lost; \
             {}\n",
            advice("\"a b\"")
        ),
    );
    sh(at, "$U repair -i --no-ignore c 'a b'").expect(
        0,
        "",
        &format!(
            "utfconv: c:1:4: warning: U+FFFD at byte 3: a character is lost; \
             {}; U+FFFD is in 1 other file too\n",
            advice("c")
        ),
    );
    sh(at, "$U repair < c").expect(0, "ok \u{FFFD}\n", "");
}

#[test]
fn the_damage_in_a_line_is_shown() {
    let line = b"\xC3\xA9t\xC3\xA9, \xC3\xA0 la mer, et encore \xC3\xA9t\xC3\xA9\na long line before its caf\xE9 d\xE9j\xE0 vu, and more of it\n";
    let dir = dir_with(&[("a", line)]);
    let report = "a:2:27: repair: windows-1252 instead of UTF-8 at byte 60: \
                  63 61 66 E9 20 64 E9 6A E0 is \"caf\u{e9} d\u{e9}j\u{e0}\"\n\
                  a: 1 change to make with -i\n";
    sh(dir.path(), "$U repair a").expect(1, report, "");
}

/// Asserts that `repair` leaves a text unchanged and prints `lines`.
#[track_caller]
fn assert_left(text: &[u8], lines: &str) {
    run(&["repair"], text).expect(1, text, lines);
}

/// UTF-8 that a program cut within a character is not decoded as another encoding.
#[test]
fn utf8_that_the_start_or_end_of_a_file_cuts_is_left() {
    let lost = "some of its bytes are lost\n-: 1 not repaired\n";
    for (text, place) in [
        (
            &b"\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82\n\xD1\x81\xD1\x82\xD1\x80\xD0"[..],
            "2:4: not repaired: truncated UTF-8 at byte 19: D0",
        ),
        // No other line has non-ASCII characters.
        (b"caf\xC3\xA9 d\xC3\xA9j\xC3", "1:9: not repaired: truncated UTF-8 at byte 10: C3"),
        (
            b"d\xC3\xA9j\xC3\xA0\nsmile \xF0\x9F\x98",
            "2:7: not repaired: truncated UTF-8 at byte 13: F0 9F 98",
        ),
        (
            b"\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82\n\xD1\x81\n",
            "1:1: not repaired: truncated UTF-8 at byte 0: 9F",
        ),
        (b"\xA9t\xC3\xA9\nd\xC3\xA9j\xC3\xA0\n", "1:1: not repaired: truncated UTF-8 at byte 0: A9"),
    ] {
        assert_left(text, &format!("-:{place}: {lost}"));
        // The result is the same with named candidates and smaller units.
        for option in ["--candidates=windows-1252,windows-1251,KOI8-R", "--unit=run", "--unit=field:,"] {
            run(&["repair", option], text).expect(1, text, &format!("-:{place}: {lost}"));
        }
    }
}

/// A unit in another encoding may begin or end with bytes that look like truncated UTF-8.
#[test]
fn the_border_of_a_file_is_decoded_with_its_line() {
    let text = b"Gr\xC3\xBC\xC3\x9Fe\nd\xE9j\xE0 vu, voil\xE0";
    let line = "-:2:2: repair: windows-1252 instead of UTF-8 at byte 9: 64 E9 6A E0 20 76 75 2C 20 ... is \"d\u{e9}j\u{e0} vu, voil\u{e0}\"\n-: 1 change made\n";
    run(&["repair"], text).expect(0, "Gr\u{fc}\u{df}e\nd\u{e9}j\u{e0} vu, voil\u{e0}", line);
}

/// A letter that lost its last byte is not decoded as another encoding, at any position.
#[test]
fn letters_without_their_last_byte_are_left() {
    for text in [
        "Съешь ещё этих мягких французских булок, да выпей чаю",
        "Жебракують філософи при ґанку церкви в Гадячі",
        "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت",
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
        "דג סקרן שט בים מאוכזב ולפתע מצא חברה",
    ] {
        for (at, letter) in text.char_indices().filter(|(_, letter)| letter.is_alphabetic()) {
            let end = at + letter.len_utf8();
            let damaged = [&text.as_bytes()[..end - 1], &text.as_bytes()[end..], b"\nplain text\n"].concat();
            let column = text[..at].chars().count() + 1;
            let byte = text.as_bytes()[at];
            let line = format!(
                "-:1:{column}: not repaired: truncated UTF-8 at byte {at}: {byte:02X}: some of its bytes are lost\n\
                 -: 1 not repaired\n"
            );
            assert_left(&damaged, &line);
        }
    }
}

/// Emacs writes characters above U+10FFFF, for bytes and for characters that Unicode lacks, as RFC 2279 does.
#[test]
fn characters_of_rfc_2279_are_left() {
    let text = b"\xE0\xA4\x95\xE0\xA4\x96 (\xF6\x80\x81\x96 . \xF4\x94\x81\xA3)\n\xE0\xA4\x97 \xF8\x88\x80\x80\x80\n";
    let ran = run(&["repair"], text);
    assert!(ran.status == 1 && ran.stdout == text, "{}", ran.stderr);
}

/// A Latin letter is no evidence of UTF-8, because other encodings have Latin letters, too.
#[test]
fn letters_of_another_encoding_in_a_line_of_utf8_are_decoded() {
    let log = b"10:01 f\xC3\xBCr J\xC3\xBCrgen: \xC4nderung, f\xC3\xBCr K\xC3\xB6ln\n10:02 \xC4nderungen f\xFCr M\xFCller\n";
    let ran = run(&["repair"], log);
    let text = "10:01 für Jürgen: Änderung, für Köln\n10:02 Änderungen für Müller\n";
    assert_eq!((ran.status, String::from_utf8_lossy(&ran.stdout).as_ref()), (0, text), "{}", ran.stderr);
}

/// Characters above U+FFFF in CESU-8 are left, and the message names CESU-8.
#[test]
fn cesu_8_is_left_and_named() {
    let cesu = b"\xC3\xA9 smile \xED\xA0\xBD\xED\xB8\x80 end\n\xE6\x97\xA5\xE6\x9C\xAC\n";
    let text = "é smile 😀 end\n日本\n";
    let dir = dir_with(&[("a b", cesu), ("c", cesu)]);
    let at = dir.path();
    let why = "not repaired: not UTF-8, and not mixed; it is CESU-8; use";
    assert_left(cesu, &format!("-: {why} 'utfconv -f CESU-8'\n-: 1 not repaired\n"));
    let report = format!("c: {why} 'utfconv -i -f CESU-8 c'\nc: 1 not repaired\n");
    sh(at, "$U repair c").expect(1, &report, "");
    let report = format!("a b: {why} 'utfconv -i -f CESU-8 \"a b\"'\na b: 1 not repaired\n");
    sh(at, "$U repair -i 'a b'").expect(1, report, "");
    assert_eq!(contents(at, "a b"), cesu);
    // The suggested command converts the file, and so does `repair` if CESU-8 is a candidate.
    sh(at, "utfconv() { $U \"$@\"; }; utfconv -i -f CESU-8 \"a b\" && cat 'a b'").expect(0, text, "");
    let line =
        "-:1:9: repair: CESU-8 instead of UTF-8 at byte 9: ED A0 BD ED B8 80 is \"😀\"\n-: 1 change made\n";
    run(&["repair", "--candidates=CESU-8"], cesu).expect(0, text, line);
}

#[test]
fn cesu_8_in_a_mixed_file_is_left() {
    let mixed = b"d\xC3\xA9j\xC3\xA0 \xED\xA0\xBD\xED\xB8\x80 end\nsmile \xF0\x9F\x98\x80\nlatin caf\xE9 and cr\xE8me\n";
    let repaired = b"d\xC3\xA9j\xC3\xA0 \xED\xA0\xBD\xED\xB8\x80 end\nsmile \xF0\x9F\x98\x80\nlatin caf\xC3\xA9 and cr\xC3\xA8me\n";
    let lines = "-:1:6: not repaired: CESU-8 at byte 7: ED A0 BD ED B8 80: use --candidates=CESU-8 to decode it\n\
        -:3:10: repair: windows-1252 instead of UTF-8 at byte 38: 63 61 66 E9 20 61 6E 64 20 ... is \"caf\u{e9} and cr\u{e8}me\"\n\
        -: 1 change made, 1 not repaired\n";
    run(&["repair"], mixed).expect(1, repaired, lines);
    // A line with a surrogate pair and other errors stays, too.
    let line = b"d\xC3\xA9j\xC3\xA0 vu\n\xED\xA0\xBD\xED\xB8\x80 caf\xE9\n";
    let ran = run(&["repair"], line);
    assert!(ran.status == 1 && ran.stdout == line, "{ran:?}");
}

/// Texts that `repair` still changes wrongly, with the correct results. `cargo test --test suite known -- --ignored`
/// runs the ignored tests.
mod known_failures {
    use std::fs;

    use crate::harness::{dir_with, run, sh};

    /// Returns the texts that `repair` changes, with the results.
    fn changed(texts: impl IntoIterator<Item = Vec<u8>>) -> Vec<String> {
        let change = |text: Vec<u8>| {
            let ran = run(&["repair"], &text);
            let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (ran.stdout != text).then(|| format!("{} -> {}", shown(&text), shown(&ran.stdout)))
        };
        texts.into_iter().filter_map(change).collect()
    }

    /// Encodes a text in `encoding` and decodes it as `wrong`.
    fn confused(text: &str, encoding: &str, wrong: &str) -> Vec<u8> {
        let bytes = run(&["-t", encoding], format!("{text}\n")).stdout;
        run(&["-f", wrong], bytes).stdout
    }

    #[test]
    fn a_dash_before_a_letter_stays() {
        assert_eq!(changed(["<h2>—á</h2>\n".into()]), [""; 0]);
    }

    /// Most non-ASCII runs in the texts are not UTF-8, so the other runs are UTF-8 by chance.
    #[test]
    #[ignore = "single places are changed, such as \"⮫쪮\" for \"â®«ìª®\""]
    fn other_encodings_read_as_windows_1252_stay() {
        let texts = [
            ("IBM866", "разрешены только одиночные блочные типы"),
            ("EUC-KR", "Esc 키와 Caps Lock 키 뒤바꾸기"),
            ("Shift_JIS", "個の適用不能ファイル名 (%lu 個のディレクトリ内)."),
            ("EUC-JP", "ハンガリー語 (101/qwertz/dot/デッドキー無し)"),
            ("Big5", "移除 使用者 從 <群組> 移除 <使用者>"),
        ];
        // Texts are decoded as in browsers, with C1 controls for undefined bytes.
        let confused = texts.map(|(encoding, text)| confused(text, encoding, "whatwg:windows-1252"));
        assert_eq!(changed(confused), [""; 0]);
    }

    #[test]
    #[ignore = "\"Æº\" becomes \"ƺ\", and \"Ï£\" a control character of Arabic"]
    fn ibm852_read_as_ibm850_stays() {
        let texts = ["rcmd: Nelze alokovat paměť", "dĺžka verzie %d nie je zhodná s dĺžkou zdroja %lu"];
        assert_eq!(changed(texts.map(|text| confused(text, "IBM852", "IBM850"))), [""; 0]);
    }

    /// The first run repairs the second line, and leaves the third.
    #[test]
    fn a_second_run_changes_no_line_that_the_first_one_left() {
        let legacy = b"Za\xBF\xF3\xB3\xE6 g\xEA\x9Cl\xB9 ja\x9F\xF1\nDzi\xEAkuj\xEA\xC0ba\xC6d\xB9o\n";
        let first = run(&["repair"], ["Zażółć gęślą jaźń\n".as_bytes(), legacy].concat());
        assert_eq!(changed([first.stdout]), [""; 0]);
    }

    /// Two lines in each language, and encodings for the second line.
    const LANGUAGES: [(&str, &str, &[&str]); 10] = [
        (
            "Un café et un thé, déjà servis à l’élève",
            "La forêt était très éloignée de là",
            &["windows-1252", "IBM850"],
        ),
        (
            "Schöne Grüße aus München für Jürgen",
            "Früher gab es schönere Straßen in Köln",
            &["windows-1252", "IBM850"],
        ),
        (
            "Zażółć gęślą jaźń",
            "Dziękuję bardzo, proszę wejść później",
            &["windows-1250", "ISO-8859-2", "IBM852"],
        ),
        (
            "Příliš žluťoučký kůň úpěl ďábelské ódy",
            "Soubor nelze otevřít, zkontrolujte oprávnění",
            &["windows-1250", "IBM852"],
        ),
        (
            "Съешь ещё этих мягких французских булок",
            "Файл не найден: проверьте имя",
            &["windows-1251", "KOI8-R", "IBM866"],
        ),
        ("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία", "Η διαμόρφωση αποθηκεύτηκε με επιτυχία", &["windows-1253"]),
        (
            "Pijamalı hasta yağız şoföre çabucak güvendi",
            "Dosya açılamadı, izinleri kontrol edin",
            &["windows-1254"],
        ),
        ("いろはにほへと ちりぬるを", "ファイルを開くことができませんでした", &["Shift_JIS", "EUC-JP"]),
        ("다람쥐 헌 쳇바퀴에 타고파", "파일을 열 수 없습니다", &["EUC-KR"]),
        ("统一码联盟是一个非营利机构", "无法打开文件，请检查权限", &["GBK"]),
    ];

    /// Returns files of three lines: UTF-8, another encoding, and a third encoding or a line that lost a byte.
    fn mixed_files() -> Vec<Vec<u8>> {
        let encoded = LANGUAGES.iter().flat_map(|(well, text, encodings)| {
            let line = move |encoding: &&str| run(&["-t", encoding], format!("{text}\n")).stdout;
            encodings.iter().map(line).map(move |line| (*well, line))
        });
        let encoded: Vec<(&str, Vec<u8>)> = encoded.collect();
        let mut files = Vec::new();
        for (well, line) in &encoded {
            let first = [well.as_bytes(), b"\n", line].concat();
            files.extend(encoded.iter().map(|(_, other)| [&first[..], other].concat()));
            let others = (0..line.len()).filter(|at| !line[*at].is_ascii());
            files.extend(others.map(|at| [&first[..], &line[..at], &line[at + 1..]].concat()));
        }
        files
    }

    #[test]
    #[ignore = "1 of 593 changes again: Korean in EUC-KR, with a line that lost its 15th byte"]
    fn a_second_run_changes_nothing() {
        let files = mixed_files();
        let dir = dir_with(&[]);
        let path = |number: usize| dir.path().join(format!("{number:04}"));
        let read =
            || (0..files.len()).map(|number| fs::read(path(number)).expect("reads")).collect::<Vec<_>>();
        for (number, file) in files.iter().enumerate() {
            fs::write(path(number), file).expect("writes");
        }
        assert_eq!(sh(dir.path(), "$U repair -i .").status, 1);
        let first = read();
        assert!(sh(dir.path(), "$U repair -i .").status < 2);
        let again = first.iter().zip(read()).filter(|(first, second)| *first != second);
        let again: Vec<_> = again.map(|(first, _)| String::from_utf8_lossy(first)).collect();
        assert!(again.is_empty(), "{} of {}: {again:#?}", again.len(), files.len());
    }
}

/// The output of `repair FILE` is a report, not the repaired text. If the report goes to a file, a message names the
/// command that writes the text.
#[test]
fn a_report_in_a_file_is_not_the_text() {
    let dir = dir_with(&[("a b", DOUBLE.as_bytes())]);
    let at = dir.path();
    let why = "this is the report; for the text, use 'utfconv repair < \"a b\" > OUTPUT'";
    sh(at, "$U repair 'a b' > out").expect(1, "", why);
    sh(at, "$U repair missing > out").expect(2, "", "utfconv: missing: No such file or directory\n");
    sh(at, "$U repair < 'a b' > out 2> log; $U check --rule double-encoded out").expect(0, "", "");
    // Without -i, a repair is a dry run.
    let shown = sh(at, "$U repair 'a b'");
    assert!(shown.status == 1 && shown.stderr.is_empty(), "{shown:?}");
    assert_eq!(sh(at, "$U repair --dry-run 'a b'"), shown);
}
