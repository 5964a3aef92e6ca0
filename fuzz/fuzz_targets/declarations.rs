//! Checks [`utfconv_declare`] for consistency: found declarations are in the text, updates change nothing outside of
//! declarations, and after the updates every declaration is true.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::{Encoding, OnUnmappable, Options, Policy, UTF_8, convert};
use utfconv_declare::{Declaration, HeadAndTail, find, sniff, update};

/// Pieces from which texts with declarations are made.
const WORDS: &[&str] = &[
    "<?xml ",
    "version='1.0' ",
    "encoding=\"",
    "?>",
    "<!doctype html>",
    "<meta ",
    "charset=",
    "http-equiv=content-type ",
    "content='text/html; ",
    "@charset \"",
    "\";",
    "#!/usr/bin/python\n",
    "# ",
    "coding: ",
    "-*-",
    "-unix",
    "-mac",
    "; ",
    "\n",
    "\r\n",
    "vim:",
    "set ",
    "fenc=",
    "Local Variables:",
    "End:",
    "\x0C",
    "msgid \"\"\n",
    "msgstr \"",
    "\\usepackage[",
    "]",
    "{inputenc}",
    "\\inputencoding{",
    "}",
    "%",
    "'",
    "\"",
    ">",
    ":",
    "latin1",
    "utf-8",
    "koi8-r",
    "cp1252",
    "undecided",
    "é",
];

const NAMES: [&str; 9] = ["a", "a.html", "a.py", "a.rb", "a.svg", "a.tex", "a.po", "a.css", "a/b.txt"];

#[derive(Debug)]
struct Case {
    encoding: &'static Encoding,
    name: &'static str,
    text: Vec<u8>,
    /// Ends of the head and starts of the tail, in bytes of the text.
    cuts: [usize; 2],
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let encoding = match u.ratio(1, 2)? {
            true => &UTF_8,
            false => u.choose_iter(Encoding::all().collect::<Vec<_>>())?,
        };
        let words: String =
            (0..u.int_in_range(1..=24)?).map(|_| u.choose(WORDS).copied()).collect::<Result<_, _>>()?;
        let policy = Policy::default().unmappable(OnUnmappable::Replace(None));
        let converted = convert(words.as_bytes(), &UTF_8, encoding, &Options::default().policy(policy));
        let mut text = converted.map_or_else(|_| words.into_bytes(), |converted| converted.output);
        if u.ratio(1, 8)? {
            text.truncate(u.choose_index(text.len() + 1)?);
        }
        let cuts = [u.choose_index(text.len() + 1)?, u.choose_index(text.len() + 1)?];
        Ok(Case { encoding, name: u.choose(&NAMES)?, text, cuts })
    }
}

/// Makes the declarations of a text true. Returns whether the text changed, and the declarations that cannot be
/// changed.
fn updated(text: &mut Vec<u8>, encoding: &'static Encoding, name: Option<&str>) -> (bool, Vec<Declaration>) {
    let found = find(&HeadAndTail::of(text), encoding, name);
    let mut end = 0;
    for one in &found {
        let range = one.range();
        assert!(end <= range.start && range.end <= text.len() as u64);
        // The length in bytes is unknown in UTF-7, because any character can be written in Base64.
        assert!(
            encoding.is_stateful()
                || (range.end - range.start) as usize == one.label().len() * encoding.code_unit_len()
        );
        end = range.end;
    }
    let updated = update(&HeadAndTail::of(text), encoding, name);
    let (mut new, mut at) = (Vec::new(), 0);
    for edit in &updated.edits {
        assert!(edit.range.is_empty() || found.iter().any(|one| one.range() == edit.range));
        new.extend_from_slice(&text[at..edit.range.start as usize]);
        new.extend_from_slice(&edit.bytes);
        at = edit.range.end as usize;
    }
    new.extend_from_slice(&text[at..]);
    *text = new;
    (!updated.edits.is_empty(), updated.kept)
}

fuzz_target!(|case: Case| {
    let Case { encoding, name, text, cuts: [head, tail] } = case;
    let name = Some(name);
    let mut now = text.clone();
    // A label may be the name of an option in another kind of declaration, so an update can remove an option and reveal
    // a further declaration. The second update finds the further declaration.
    let mut rounds = 0;
    let kept = loop {
        let (is_changed, kept) = updated(&mut now, encoding, name);
        if !is_changed {
            break kept;
        }
        rounds += 1;
        assert!(rounds < 4);
    };
    for one in find(&HeadAndTail::of(&now), encoding, name) {
        assert!(
            one.agrees_with(encoding, false) || kept.iter().any(|kept| kept.label() == one.label()),
            "{one:?}"
        );
    }
    // A head and a tail that do not fit together must not make the functions panic.
    let ends = HeadAndTail::new(&text[..head], &text[tail..], tail as u64);
    let _ = (update(&ends, encoding, name), sniff(&ends, name));
});
