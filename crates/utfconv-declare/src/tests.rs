//! Tests of all kinds of declarations together.

use super::*;
use utfconv_core::encodings::{IBM037, IBM1047, ISO_8859_15, WINDOWS_1252};
use utfconv_core::{
    ISO_8859_1, UTF_8, UTF_16, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE,
    encodings::{IBM930, IBM1388, UTF_7},
};

/// A text of each kind, with the name of its file and the label in it.
const TEXTS: &[(Kind, &str, &str, &str)] = &[
    (Kind::Xml, "a.xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<a>x</a>\n", "ISO-8859-1"),
    (Kind::Html, "a.html", "<!DOCTYPE html>\n<title>x</title><meta charset=latin1><p>x\n", "latin1"),
    (Kind::Css, "a.css", "@charset \"iso-8859-1\";\np { color: red }\n", "iso-8859-1"),
    (Kind::Python, "a.py", "#!/usr/bin/python\n# coding: latin-1\nx = 1\n", "latin-1"),
    (Kind::Ruby, "a.rb", "#!/usr/bin/ruby\n# encoding: iso-8859-1\nx = 1\n", "iso-8859-1"),
    (Kind::Emacs, "a.txt", "-*- mode: text; coding: latin-1-dos; -*-\nx\n", "latin-1"),
    (
        Kind::Emacs,
        "b.txt",
        "x\n\x0C\n% Local Variables: %\n% mode: x %\n% coding: latin-1 %\n% End: %\n",
        "latin-1",
    ),
    (Kind::Vim, "a.c", "x\n/* vim: set ts=8 fenc=latin1 et: */\n", "latin1"),
    (
        Kind::Po,
        "a.po",
        "# x\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n",
        "ISO-8859-1",
    ),
    (Kind::Latex, "a.tex", "\\documentclass{article}\n\\usepackage[latin1]{inputenc}\n", "latin1"),
];

fn spelled(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let units = Sample::new(&HeadAndTail::head(b""), encoding, None).units;
    units.spell(text).expect("ASCII")
}

#[test]
fn every_kind_is_found() {
    let mut kinds: Vec<_> = TEXTS.iter().map(|(kind, ..)| *kind).collect();
    kinds.dedup();
    kinds.sort();
    assert_eq!(kinds, Kind::ALL);
    for (kind, name, text, label) in TEXTS {
        let found = find(&HeadAndTail::of(text.as_bytes()), &ISO_8859_1, Some(name));
        let found: Vec<_> = found.iter().map(|one| (one.kind(), one.label())).collect();
        assert_eq!(found, [(*kind, *label)], "{name}");
    }
}

#[test]
fn declarations_are_found_in_every_form_of_units() {
    for encoding in [&UTF_16LE, &UTF_16BE, &UTF_32LE, &UTF_32BE, &IBM037, &IBM1047, &IBM1388] {
        for (kind, name, text, label) in TEXTS {
            // All encodings of this list have the symbols of the texts.
            let Some(bytes) = Sample::new(&HeadAndTail::head(b""), encoding, None).units.spell(text) else {
                panic!("{text:?} in {}", encoding.name())
            };
            let found = find(&HeadAndTail::of(&bytes), encoding, Some(name));
            assert_eq!(found.len(), 1, "{name} in {}", encoding.name());
            assert_eq!((found[0].kind(), found[0].label()), (*kind, *label));
            let range = found[0].range();
            assert_eq!(bytes[range.start as usize..range.end as usize], spelled(label, encoding));
            if *kind == Kind::Xml {
                assert_eq!(sniff(&HeadAndTail::of(&bytes), Some(name)), found, "{}", encoding.name());
            }
        }
    }
}

/// Two-byte codes are no declaration, even if their bytes spell one.
#[test]
fn declarations_are_found_between_codes_of_two_bytes() {
    let line = |text: &str| spelled(text, &IBM930);
    let (coding, newline) = (line("# coding: LATIN1 "), line("\n"));
    let shifted = |bytes: &[u8]| [b"\x0E", bytes, b"\x0F"].concat();
    for (text, expected) in [
        ([&coding[..], &newline].concat(), vec![10]),
        ([&line("# "), &shifted(b"\x48\x67")[..], &coding[2..], &newline].concat(), vec![14]),
        ([&shifted(&coding), &newline[..]].concat(), vec![]),
    ] {
        let found = find(&HeadAndTail::of(&text), &IBM930, Some("a.py"));
        assert_eq!(found.iter().map(|one| one.range().start).collect::<Vec<_>>(), expected);
    }
    // The tail begins between SO and SI.
    let variables = line("\n# Local Variables:\n# coding: LATIN1\n# End:\n");
    let tail = [b"\x48\x67\x0F", &variables[..]].concat();
    assert_eq!(find(&HeadAndTail::new(b"", &tail, 9000), &IBM930, None).len(), 1);
    let tail = [&variables[..], b"\x0F"].concat();
    assert_eq!(find(&HeadAndTail::new(b"", &tail, 9000), &IBM930, None).len(), 0);
}

/// In UTF-7, each kind of declaration is found at both ends of a text, but not changed.
#[test]
fn declarations_are_found_in_utf_7() {
    let encode = |text: &str| UTF_7.encode(text).expect("it has all");
    for (kind, name, text, label) in TEXTS {
        for text in [encode(text), encode(&format!("\u{FEFF}{text}"))] {
            let found = find(&HeadAndTail::of(&text), &UTF_7, Some(name));
            let kinds: Vec<_> = found.iter().map(|one| (one.kind(), one.label())).collect();
            assert_eq!(kinds, [(*kind, *label)], "{name}");
            let range = found[0].range();
            assert_eq!(text[range.start as usize..range.end as usize], *label.as_bytes(), "{name}");
            let update = update(&HeadAndTail::of(&text), &UTF_7, Some(name));
            assert_eq!((update.edits, update.kept), (vec![], found));
        }
    }
    let long = format!("{}\n/* é vim: set fenc=latin1: */\n", "é\n".repeat(HEAD));
    let long = encode(&long);
    let found = find(&HeadAndTail::of(&long), &UTF_7, Some("a.c"));
    assert_eq!(found.len(), 1);
    let range = found[0].range();
    assert_eq!(long[range.start as usize..range.end as usize], *b"latin1");
}

#[test]
fn a_bom_is_not_part_of_the_text() {
    for (kind, name, text, label) in TEXTS {
        let bytes = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
        let found = find(&HeadAndTail::of(&bytes), &UTF_8, Some(name));
        if *kind != Kind::Python && *kind != Kind::Ruby {
            assert_eq!(found[0].range().start, 3 + text.find(label).expect("the label") as u64, "{name}");
        }
        let bytes = [b"\xFF\xFE".to_vec(), spelled(text, &UTF_16LE)].concat();
        for encoding in [&UTF_16, &UTF_16LE] {
            let found = find(&HeadAndTail::of(&bytes), encoding, Some(name));
            assert_eq!(found.len(), 1, "{name}");
            assert_eq!(sniff(&HeadAndTail::of(&bytes), Some(name)), found, "{name}");
        }
    }
}

/// Returns a text with edits applied.
fn edited(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let (mut result, mut at) = (Vec::new(), 0);
    for edit in edits {
        result.extend_from_slice(&text[at..edit.range.start as usize]);
        result.extend_from_slice(&edit.bytes);
        at = edit.range.end as usize;
    }
    result.extend_from_slice(&text[at..]);
    result
}

#[test]
fn update_changes_only_the_name_and_makes_it_true() {
    let mut count = 0;
    for encoding in Encoding::all() {
        for (kind, name, text, label) in TEXTS {
            let units = Sample::new(&HeadAndTail::head(b""), encoding, None).units;
            let Some(bytes) = units.spell(text) else { continue };
            let update = update(&HeadAndTail::of(&bytes), encoding, Some(name));
            let Some(new) = kind.label(encoding) else {
                assert!(update.edits.is_empty());
                continue;
            };
            assert!(update.missing.is_none());
            // BS_viewdata has no underscore, which its own name needs.
            let can_be_spelled = units.spell(new).is_some();
            assert_eq!(update.kept.is_empty(), can_be_spelled, "{name} in {}: {update:?}", encoding.name());
            let result = edited(&bytes, &update.edits);
            if update.edits.is_empty() {
                continue;
            }
            assert_eq!(result, spelled(&text.replace(label, new), encoding), "{name} in {}", encoding.name());
            let found = find(&HeadAndTail::of(&result), encoding, Some(name));
            assert_eq!(found.len(), 1);
            assert!(found[0].agrees_with(encoding, false), "{name} in {}: {new}", encoding.name());
            count += 1;
        }
    }
    assert!(count > 700, "{count}");
}

/// Returns the bytes of a text outside some ranges.
fn without(text: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Vec<u8> {
    let (mut result, mut at) = (Vec::new(), 0);
    for range in ranges {
        result.extend_from_slice(&text[at..range.start]);
        at = range.end;
    }
    result.extend_from_slice(&text[at..]);
    result
}

/// Texts of each kind are cut anywhere and joined with other texts, under any file name. An update replaces only
/// labels, and a second update changes nothing.
#[test]
fn update_changes_no_other_byte() {
    let mut random = crate::testkit::Random(7);
    let (mut updates, mut insertions) = (0, 0);
    for (_, name, text, _) in TEXTS {
        for cut in 0..=text.len() {
            let (_, _, other, _) = TEXTS[random.below(TEXTS.len())];
            let (_, other_name, ..) = TEXTS[random.below(TEXTS.len())];
            let (start, end) = text.split_at(cut);
            for text in [end.to_string(), format!("{start}{other}"), format!("{start}{other}{end}")] {
                let names = [Some(*name), Some(other_name), None];
                for (encoding, name) in [&UTF_8, &ISO_8859_15, &UTF_16LE, &UTF_32BE, &IBM037]
                    .into_iter()
                    .zip(names.into_iter().cycle())
                {
                    let old = spelled(&text, encoding);
                    let found = find(&HeadAndTail::of(&old), encoding, name);
                    let edits = update(&HeadAndTail::of(&old), encoding, name).edits;
                    let new = edited(&old, &edits);
                    let bytes = |range: Range<u64>| range.start as usize..range.end as usize;
                    let mut growth = 0;
                    let written: Vec<_> = edits
                        .iter()
                        .map(|edit| {
                            let start = (edit.range.start as usize).strict_add_signed(growth);
                            growth += edit.bytes.len() as isize - bytes(edit.range.clone()).len() as isize;
                            start..start + edit.bytes.len()
                        })
                        .collect();
                    let kept = without(&old, edits.iter().map(|edit| bytes(edit.range.clone())));
                    assert_eq!(kept, without(&new, written.into_iter()));
                    for edit in &edits {
                        if edit.range.is_empty() {
                            insertions += 1
                        } else {
                            assert!(found.iter().any(|one| one.range() == edit.range), "{text:?}")
                        }
                        updates += 1;
                    }
                    let again = update(&HeadAndTail::of(&new), encoding, name).edits;
                    assert_eq!(again, [], "{text:?} in {}", encoding.name());
                }
            }
        }
    }
    assert!(updates > 2000 && insertions > 20, "{updates} {insertions}");
}

/// Each label that an update writes means the encoding of the text, or an encoding that decodes the text equally.
#[test]
fn preferred_names_mean_their_encodings() {
    for kind in Kind::ALL {
        for encoding in Encoding::all() {
            let Some(label) = kind.label(encoding) else { continue };
            let meaning = (kind.definition().meaning)(label);
            let declaration = Declaration { kind: *kind, label: label.to_string(), range: 0..0, meaning };
            assert!(
                declaration.agrees_with(encoding, false),
                "{kind}: {label} for {}: {meaning:?}",
                encoding.name()
            );
        }
    }
}

/// Texts are cut anywhere. All findings are labels within the text.
#[test]
fn no_cut_is_too_short() {
    for (_, name, text, _) in TEXTS {
        for end in 0..=text.len() {
            for start in 0..end {
                let cut = &text.as_bytes()[start..end];
                for one in find(&HeadAndTail::of(cut), &UTF_8, Some(name))
                    .iter()
                    .chain(&sniff(&HeadAndTail::of(cut), None))
                {
                    let range = one.range();
                    assert_eq!(&cut[range.start as usize..range.end as usize], one.label().as_bytes());
                }
                let _ = update(&HeadAndTail::of(cut), &WINDOWS_1252, Some(name));
                let tail = &cut[cut.len() / 2..];
                let _ = find(
                    &HeadAndTail::new(&cut[..cut.len() / 3], tail, (cut.len() / 2) as u64),
                    &UTF_16LE,
                    Some(name),
                );
            }
        }
    }
}

#[test]
fn several_declarations_are_all_updated() {
    let text = "#!/usr/bin/python -*- coding: latin-1 -*-\nx = 1\n# vim: fenc=latin1\n# Local Variables:\n# coding: latin-1-unix\n# End:\n";
    let update = update(&HeadAndTail::of(text.as_bytes()), &UTF_8, None);
    let new = edited(text.as_bytes(), &update.edits);
    assert_eq!(String::from_utf8(new).unwrap(), text.replace("latin-1", "utf-8").replace("latin1", "utf-8"));

    let page = "<?xml version='1.0' encoding='iso-8859-1'?>\n<!DOCTYPE html><head>\
        <meta http-equiv='Content-Type' content='text/html; charset=latin1'><meta charset=\"l1\"/>";
    let edits = super::update(&HeadAndTail::of(page.as_bytes()), &UTF_8, Some("a.xhtml")).edits;
    let new = edited(page.as_bytes(), &edits);
    let expected = "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE html><head>\
        <meta http-equiv='Content-Type' content='text/html; charset=utf-8'><meta charset=\"utf-8\"/>";
    assert_eq!(String::from_utf8(new).unwrap(), expected);
}

#[test]
fn xml_gets_a_declaration_where_it_needs_one() {
    let inserted = |text: &str, encoding, name| {
        let bytes = spelled(text, encoding);
        let update = update(&HeadAndTail::of(&bytes), encoding, Some(name));
        let result = edited(&bytes, &update.edits);
        (result != bytes).then_some(result)
    };
    let latin =
        |text: &str, name| inserted(text, &ISO_8859_1, name).map(|text| String::from_utf8(text).unwrap());
    let declared = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>";
    assert_eq!(latin("<a/>\n", "a.svg"), Some(format!("{declared}\n<a/>\n")));
    assert_eq!(latin("<a/>\r\n", "a.XML"), Some(format!("{declared}\r\n<a/>\r\n")));
    assert_eq!(latin("<?xml version=\"1.0\"?><a/>", "a"), Some(format!("{declared}<a/>")));
    let standalone = "<?xml version=\"1.0\" standalone='no'?>";
    assert_eq!(latin(standalone, "a"), Some(declared.replace("?>", " standalone='no'?>")));
    assert_eq!(latin("<a/>\n", "a.txt"), None);
    assert_eq!(latin("x", "a.xml"), None);
    assert_eq!(inserted("<a/>", &UTF_8, "a.xml"), None);
    let wide = inserted("<a/>", &UTF_16LE, "a.xml").expect("UTF-16 without a BOM needs one");
    assert_eq!(wide, spelled("<?xml version=\"1.0\" encoding=\"UTF-16LE\"?>\n<a/>", &UTF_16LE));
    let with_bom = [b"\xFE\xFF".to_vec(), spelled("<a/>", &UTF_16BE)].concat();
    assert_eq!(update(&HeadAndTail::of(&with_bom), &UTF_16, Some("a.xml")), Update::default());
}

#[test]
fn an_encoding_without_a_name_keeps_the_declaration() {
    let page = spelled("<!doctype html><meta charset=utf-8>", &UTF_16LE);
    let update = update(&HeadAndTail::of(&page), &UTF_16LE, None);
    assert_eq!((update.edits, update.kept.len()), (Vec::new(), 1));
    let update = super::update(&HeadAndTail::of(b"<a/>"), &utfconv_core::encodings::MUTF_8, Some("a.xml"));
    assert_eq!(update.missing, Some(Kind::Xml));
}

#[test]
fn what_is_read_the_same_is_no_contradiction() {
    let agrees = |text: &[u8], name, encoding, is_ascii| {
        let found = find(&HeadAndTail::of(text), encoding, Some(name));
        assert_eq!(found.len(), 1);
        found[0].agrees_with(encoding, is_ascii)
    };
    assert!(agrees(b"<meta charset=latin1>", "a.html", &ISO_8859_1, false));
    assert!(agrees(b"<meta charset=latin1>", "a.html", &WINDOWS_1252, false));
    assert!(!agrees(b"<meta charset=latin1>", "a.html", &ISO_8859_15, false));
    assert!(!agrees(b"# coding: latin-1", "a.py", &WINDOWS_1252, false));
    assert!(agrees(b"# coding: latin-1", "a.py", &UTF_8, true));
    assert!(agrees(b"-*- coding: undecided -*-", "a.txt", &UTF_8, false));
    assert!(!agrees(b"-*- coding: no-such-name -*-", "a.txt", &UTF_8, true));
    let xml = |label| spelled(&format!("<?xml version='1.0' encoding='{label}'?>"), &UTF_16LE);
    assert!(agrees(&xml("UTF-16"), "a", &UTF_16LE, false));
    assert!(agrees(&xml("UTF-16LE"), "a", &UTF_16LE, false));
    assert!(!agrees(&xml("UTF-16BE"), "a", &UTF_16LE, false));
    assert!(!agrees(&xml("UTF-8"), "a", &UTF_16LE, true));
}

#[test]
fn a_kind_is_looked_for_only_in_its_files() {
    for (text, name, expected) in [
        ("# coding: latin-1\n", "a.txt", None),
        ("# coding: latin-1\n", "a.py", Some(Kind::Python)),
        ("# coding: latin-1\n", "dir.rb/a.PY", Some(Kind::Python)),
        ("# coding: latin-1\n", "a.rb", Some(Kind::Ruby)),
        ("# coding: latin-1\n", "Rakefile", Some(Kind::Ruby)),
        ("#!/usr/bin/env python3\n# coding: latin-1\n", "tool", Some(Kind::Python)),
        ("x = 1\n# coding: latin-1\n", "a.py", None),
        ("\n# coding: latin-1\n", "a.py", Some(Kind::Python)),
        ("\n# coding: latin-1\n", "a.rb", None),
        ("\n\n# coding: latin-1\n", "a.py", None),
        ("x <meta charset=latin1>", "a.txt", None),
        ("x <meta charset=latin1>", "a.htm", Some(Kind::Html)),
        (" <!-- x --> <HTML><meta charset=latin1>", "a.txt", Some(Kind::Html)),
        ("x @charset \"latin1\";", "a.css", None),
        ("@charset \"latin1\";", "a", Some(Kind::Css)),
        ("@charset \"no such\";", "a.css", None),
        ("-*- coding: latin-1-mac -*-\n", "a.txt", Some(Kind::Emacs)),
        ("x\n-*- coding: latin-1 -*-\n", "a.txt", None),
        ("#!/bin/sh\n# -*- coding: latin-1 -*-\n", "a.txt", Some(Kind::Emacs)),
        ("1\n2\n3\n4\nvim:fenc=latin1\n6\n7\n8\n9\n10\n11\n", "a.txt", Some(Kind::Vim)),
        ("1\n2\n3\n4\n5\nvim:fenc=latin1\n7\n8\n9\n10\n11\n", "a.txt", None),
        ("1\n2\n3\n4\n5\nvim:fenc=latin1\n7\n8\n9\n10\n", "a.txt", Some(Kind::Vim)),
        ("x vim: tw=78 fileencoding=latin1\n", "a.txt", Some(Kind::Vim)),
        ("xvim: fenc=latin1\n", "a.txt", None),
        ("vim>702: fenc=latin1\n", "a.txt", Some(Kind::Vim)),
        ("ex: fenc=latin1\n", "a.txt", None),
        ("x ex: fenc=latin1\n", "a.txt", Some(Kind::Vim)),
        ("Vim: fenc=latin1\n", "a.txt", None),
        ("Vim:set fenc=latin1:\n", "a.txt", Some(Kind::Vim)),
        ("vim: setl fenc=latin1:\n", "a.txt", None),
        ("vim: set tw=78: fenc=latin1\n", "a.txt", None),
        ("msgid \"a\"\nmsgstr \"charset=latin1\"\n", "a.po", None),
        ("msgid \"\"\nmsgstr \"charset=CHARSET\"\n", "a.pot", None),
        ("msgid \"\"\n\"\"\nmsgstr \"charset=\"\n\"latin1\\n\"\n", "a.po", Some(Kind::Po)),
        ("msgid \"\"\nmsgstr \"charset=lat\"\n\"in1\\n\"\n", "a.po", None),
        ("%\\usepackage[latin1]{inputenc}", "a.tex", None),
        ("\\usepackage[\\latin1]{inputenc}", "a.tex", None),
        ("\\%\\usepackage[latin1]{inputenc}", "a.tex", Some(Kind::Latex)),
        ("\\usepackage[utf8, latin1 ] { inputenc }", "a.tex", Some(Kind::Latex)),
        ("\\usepackage[latin1]{fontenc}", "a.tex", None),
        ("\\inputencoding{latin1}", "a.tex", Some(Kind::Latex)),
        ("\\inputencoding{latin1}", "a.txt", None),
    ] {
        let found = find(&HeadAndTail::of(text.as_bytes()), &ISO_8859_1, Some(name));
        let found: Vec<_> = found.iter().map(|one| (one.kind(), one.label().replace('-', ""))).collect();
        let expected: Vec<_> = expected.into_iter().map(|kind| (kind, "latin1".to_string())).collect();
        assert_eq!(found, expected, "{name}: {text:?}");
    }
}

#[test]
fn the_end_of_a_long_text_is_looked_at_with_its_offset() {
    let mut text = vec![b'x'; 200_000];
    text.extend_from_slice(b"\n# Local Variables:\n# coding: latin-1\n# End:\n");
    let found = find(&HeadAndTail::of(&text), &UTF_8, None);
    let range = found[0].range();
    assert_eq!(text[range.start as usize..range.end as usize], *b"latin-1");
    // The tail of a text in UTF-16 may begin within a code unit.
    let wide = spelled(std::str::from_utf8(&text).unwrap(), &UTF_16BE);
    for len in [199, 200] {
        let tail = wide.len() - len;
        let found = find(&HeadAndTail::new(&wide[..HEAD], &wide[tail..], tail as u64), &UTF_16BE, None);
        let range = found[0].range();
        assert_eq!(wide[range.start as usize..range.end as usize], spelled("latin-1", &UTF_16BE));
    }
}
