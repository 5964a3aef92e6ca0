//! Helpers for tests of conversions.

use std::ffi::OsString;

use utfconv_core::{Encoding, OnUnmappable, Options, OutputBom, Policy};

use crate::commands::convert::options::{from_matches, with_hidden};
use crate::commands::convert::plan::ConvertPlan;
use crate::testkit::Random;
use crate::ui::dialect::Dialect;
use crate::ui::options::{Parsed, parse};
use crate::ui::table::Built;

/// Options for policies that continue after errors.
pub const POLICIES: &[&str] = &[
    "-c",
    "--errors=replace",
    "--errors=replace --per-byte",
    "--errors=escape=percent",
    "--ill-formed=replace=e --unmappable=translit",
    "--ill-formed=escape=hex --unmappable=escape=json",
    "--ill-formed=raw --unmappable=omit",
    "--ill-formed=fallback=windows-1252 --unmappable=replace",
    "--ill-formed=fallback=ISO-8859-1 --unmappable=omit",
    "--ill-formed=fallback=CESU-8 --unmappable=replace",
    "--ill-formed=fallback=UTF-8-2279 --unmappable=omit",
    "--errors=surrogateescape",
    "--errors=pua",
    "--errors=c8",
];

/// Values of `--input-bom` that stop no conversion.
pub const INPUT_BOMS: &[&str] = &["auto", "keep", "strip", "text", "sniff"];

/// Values of `--output-bom`.
pub const OUTPUT_BOMS: &[&str] = &["auto", "auto", "always", "never"];

/// Options that change newlines.
pub const NEWLINES: &[&str] = &[
    "",
    "",
    "--newline=lf",
    "--newline=crlf",
    "--newline=cr",
    "--final-newline",
    "--newline=crlf --final-newline",
];

/// Returns the plan for a command line.
pub fn plan(words: &str) -> anyhow::Result<ConvertPlan> {
    let words: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
    let table = with_hidden(Built::Typed(&words));
    match parse(table, || with_hidden(Built::All).clap(), &words, |_| None).map(|parsed| match parsed {
        Parsed::Matches(matches) => from_matches(matches),
        Parsed::Text(text) => panic!("{words:?} prints {text}"),
    }) {
        Ok(Ok(args)) => ConvertPlan::new(Dialect::Utfconv, args),
        Ok(Err(error)) => panic!("{words:?}: {error}"),
        Err(refusal) => panic!("{words:?}: {}", refusal.text),
    }
}

/// Asserts the two policies of a plan, and for which kinds of handled errors the exit status is 1. An expected policy
/// that ends with `(` is only the start of the policy.
#[track_caller]
pub fn assert_policy(plan: &ConvertPlan, expected: (&str, &str), lossy: [bool; 2], words: &str) {
    let policy = &plan.options.policy;
    let found = (format!("{:?}", policy.ill_formed), format!("{:?}", policy.unmappable));
    let is = |found: &str, expected: &str| {
        if expected.ends_with('(') { found.starts_with(expected) } else { found == expected }
    };
    assert!(is(&found.0, expected.0) && is(&found.1, expected.1), "{words}: {found:?}");
    assert_eq!([plan.is_error.ill_formed, plan.is_error.unmappable], lossy, "{words}");
}

/// Returns text in `encoding`, which may have ill-formed bytes and noise.
pub fn source(random: &mut Random, encoding: &'static Encoding) -> Vec<u8> {
    let text: String = (0..random.below(400))
        .map(|_| match random.below(8) {
            0 => '\n',
            1 => 'é',
            2 => 'я',
            3 => '日',
            4 => '😀',
            5 => char::from_u32(random.below(0x110000) as u32).unwrap_or('x'),
            _ => (b' ' + random.below(95) as u8).into(),
        })
        .collect();
    let policy = Policy::default().unmappable(OnUnmappable::Omit);
    let options = Options::default().policy(policy).output_bom(OutputBom::Never);
    let converted = utfconv_core::convert(text.as_bytes(), &utfconv_core::UTF_8, encoding, &options);
    let mut bytes = converted.expect("nothing stops it").output;
    let damages = [0, 0, 1, 5, 50][random.below(5)];
    for _ in 0..damages {
        let at = random.below(bytes.len() + 1);
        match random.below(3) {
            0 => bytes.insert(at, random.below(256) as u8),
            1 => bytes.truncate(at.max(bytes.len() / 2)),
            _ => bytes.splice(at..at, (0..9).map(|_| random.below(256) as u8)).for_each(drop),
        }
    }
    bytes
}

/// Returns a source to cut, sometimes with a BOM of `encoding` or of another encoding.
pub fn source_with_bom(random: &mut Random, encoding: &'static Encoding) -> Vec<u8> {
    const BOMS: [&[u8]; 8] =
        [b"", b"", b"", b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"];
    [random.one(&BOMS), &source(random, encoding)].concat()
}
