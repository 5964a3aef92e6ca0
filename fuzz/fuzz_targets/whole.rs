//! Compares the conversion of whole texts without a transcoder with [`convert`](utfconv_core::convert) in every
//! encoding: text, faults and their positions, with destinations of any length.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::{Encoding, OnUnmappable, Policy, UTF_8, convert};
use utfconv_fuzz::agree::{assert_decodes, assert_encodes};
use utfconv_fuzz::{one_of, scalars, text_only};

#[derive(Debug)]
struct Case {
    encoding: &'static Encoding,
    text: String,
    source: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let all: Vec<_> = Encoding::all().collect();
        let encoding = one_of(u, &all)?;
        let noise = u.int_in_range(0..=8)?;
        let noise = u.bytes(noise)?.to_vec();
        let text: String = scalars(u)?.into_iter().collect();
        let policy = Policy::default().unmappable(OnUnmappable::Omit);
        let known =
            convert(text.as_bytes(), &UTF_8, encoding, &text_only(policy)).expect("it is sound").output;
        let cut = u.int_in_range(0..=known.len())?;
        let source = [&known[..cut], &noise, &known[cut..]].concat();
        Ok(Case { encoding, text, source })
    }
}

fuzz_target!(|case: Case| {
    assert_decodes(&case.source, case.encoding);
    assert_encodes(&case.text, case.encoding);
});
