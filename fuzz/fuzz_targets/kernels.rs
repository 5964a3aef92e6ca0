//! Compares every set of kernels that the CPU supports with the portable set: counts, output and validators. The
//! destination ends anywhere and is followed by a canary; sources span several blocks and begin at any address.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::kernels::KernelSet;
use utfconv_core::{Encoding, OnUnmappable, Policy, UTF_8, convert};
use utfconv_fuzz::{FIXED, one_of, scalars, source, text_only};

#[derive(Debug)]
struct Case {
    from: &'static Encoding,
    to: &'static Encoding,
    source: Vec<u8>,
    /// Number of bytes before the source in its allocation.
    offset: usize,
    room: usize,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let utfs = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1"];
        let utfs: Vec<_> = utfs.into_iter().filter_map(Encoding::for_name).collect();
        let all: Vec<_> = Encoding::all().filter(|encoding| !encoding.is_stateful()).collect();
        let any = |u: &mut Unstructured<'a>| match u.ratio(3, 4)? {
            true => one_of(u, &utfs),
            false => one_of(u, &all),
        };
        let (from, to) = (any(u)?, any(u)?);
        let as_from = |text: &str| {
            let policy = Policy::default().unmappable(OnUnmappable::Omit);
            convert(text.as_bytes(), &UTF_8, from, &text_only(policy)).expect("it is sound").output
        };
        // Pads the source with up to a few blocks of one character on either side, so that the bytes in the middle fall
        // on every position within a block.
        let mut run = || {
            let unit = as_from(one_of(u, &["a", "é", "я", "日", "😀", "aé", "日a", "x😀"])?);
            Ok(unit.repeat(u.int_in_range(0..=140)?))
        };
        let (before, behind) = (run()?, run()?);
        let offset = u.int_in_range(0..=64)?;
        let room = if u.ratio(1, 2)? { u32::MAX } else { u.int_in_range(0..=8000)? };
        let between = match FIXED.contains(&from) {
            true => source(u, from)?,
            false => as_from(&scalars(u)?.into_iter().collect::<String>()),
        };
        let source = [before, between, behind].concat();
        let room = (room as usize).min(4 * source.len() + 64);
        Ok(Case { from, to, source, offset, room })
    }
}

/// Returns the number of bytes read, the output, and the length of the well-formed prefix in bytes.
fn seen(case: &Case, set: KernelSet) -> (usize, Vec<u8>, usize) {
    const CANARY: u8 = 0xA5;
    let name = set.name();
    let allocation = [vec![0xFF; case.offset], case.source.clone()].concat();
    let src = &allocation[case.offset..];
    let mut dst = vec![CANARY; case.room + 128];
    let run = set.between(case.from, case.to).expect("neither has shift states");
    let (read, written) = run(src, &mut dst[..case.room]);
    assert!(dst[case.room..].iter().all(|byte| *byte == CANARY), "{name}: wrote behind the room");
    let validate = set.well_formed(case.from).expect("it has no shift states");
    dst.truncate(written);
    (read, dst, validate(src))
}

fuzz_target!(|case: Case| {
    let expected = seen(&case, KernelSet::for_name("portable").expect("it is always there"));
    // UTF-8 to UTF-8 is copied in pieces, so a copy may stop before the destination is full.
    let is_copy = (case.from, case.to) == (&UTF_8, &UTF_8) && case.room < case.source.len();
    for set in KernelSet::all().iter().filter(|set| set.name() != "portable" && !is_copy) {
        assert_eq!(seen(&case, *set), expected, "{}: {case:?}", set.name());
    }
});
