//! Compares [`utfconv_core::Checker`], which gets a source chunk by chunk, with [`utfconv_core::convert`] to UTF-8. The
//! faults, the notices and the text must be equal.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::{
    CheckItem, Checker, Encoding, FaultKind, InputBom, OnIllFormed, OnUnmappable, Options, Policy, UTF_8,
    convert_reporting,
};
use utfconv_fuzz::{FIXED, damaged, one_of, source};

#[derive(Debug)]
struct Case {
    encoding: &'static Encoding,
    /// Lengths of the chunks in bytes, used in turn.
    steps: Vec<usize>,
    keeps_text: bool,
    source: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let encoding = match u.ratio(1, 2)? {
            true => &UTF_8,
            false => u.choose_iter(Encoding::all().collect::<Vec<_>>())?,
        };
        let steps = (0..u.int_in_range(1..=4)?).map(|_| u.int_in_range(1..=40)).collect::<Result<_, _>>()?;
        let keeps_text = u.arbitrary()?;
        let source = match FIXED.iter().find(|known| **known == encoding) {
            _ if u.ratio(1, 8)? => {
                let other = one_of(u, &FIXED)?;
                source(u, other)?
            }
            Some(fixed) => source(u, fixed)?,
            None => damaged(u, encoding)?,
        };
        Ok(Case { encoding, steps, keeps_text, source })
    }
}

fuzz_target!(|case: Case| {
    let Case { encoding, steps, keeps_text, source } = case;
    let input_bom = if encoding.is_stateful() { InputBom::Text } else { InputBom::Strip };
    let policy = Policy::default().ill_formed(OnIllFormed::Omit).unmappable(OnUnmappable::Omit);
    let options = Options::default().policy(policy).input_bom(input_bom);
    let mut expected_faults = Vec::new();
    let report = |fault| expected_faults.push(fault);
    let expected = convert_reporting(&source, encoding, &UTF_8, &options, report).expect("nothing stops it");
    expected_faults.retain(|fault| !matches!(fault.kind, FaultKind::Unmappable { .. }));

    let mut checker = Checker::new(encoding).input_bom(input_bom);
    if keeps_text {
        checker = checker.keeping_text();
    }
    let (mut faults, mut notices, mut text) = (vec![], vec![], vec![]);
    let mut steps = steps.into_iter().cycle();
    let (mut at, mut seen) = (0, 0);
    loop {
        assert_eq!(checker.position().offset(), at as u64);
        match checker.next(&source[at..seen], seen == source.len()) {
            CheckItem::Bom(len) => at += len,
            CheckItem::Text(len) => {
                match checker.text() {
                    Some(kept) => text.extend_from_slice(kept.utf8.as_bytes()),
                    None => text.extend_from_slice(&source[at..at + len]),
                }
                at += len;
            }
            CheckItem::Fault(fault) => {
                at += fault.bytes.len();
                faults.push(fault);
            }
            CheckItem::Notice(notice) => notices.push(notice),
            CheckItem::Incomplete if seen == source.len() => break,
            CheckItem::Incomplete => seen = source.len().min(seen + steps.next().unwrap_or(1)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((at, faults, notices), (source.len(), expected_faults, expected.notices));
    if keeps_text {
        assert_eq!(text, expected.output);
    }
});
