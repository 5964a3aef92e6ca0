//! Converts random bytes in any byte encoding through a carrier to UTF-16 or UTF-32 and back, in chunks, and checks
//! that the same bytes come back.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::{
    Carrier, Encoding, OnIllFormed, OnUnmappable, Options, Policy, Stop, Transcoder, UTF_8, UTF_16, UTF_16BE,
    UTF_16LE, UTF_32, UTF_32BE, UTF_32LE,
};
use utfconv_fuzz::{damaged, one_of, source};

static WIDE: [&Encoding; 6] = [&UTF_16, &UTF_16LE, &UTF_16BE, &UTF_32, &UTF_32LE, &UTF_32BE];

#[derive(Debug)]
struct Case {
    carrier: Carrier,
    here: &'static Encoding,
    there: &'static Encoding,
    /// Lengths of the chunks in bytes, used in turn.
    cuts: [u8; 4],
    bytes: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let of_bytes: Vec<_> = Encoding::all().filter(|encoding| encoding.is_of_bytes()).collect();
        let here = one_of(u, &of_bytes)?;
        Ok(Case {
            carrier: one_of(u, &[Carrier::SurrogateEscape, Carrier::Pua, Carrier::C8])?,
            here,
            there: one_of(u, &WIDE)?,
            cuts: u.arbitrary()?,
            bytes: match u.int_in_range(0..=2)? {
                0 => source(u, &UTF_8)?,
                1 => damaged(u, here)?,
                _ => {
                    let len = u.len();
                    u.bytes(len)?.to_vec()
                }
            },
        })
    }
}

/// Returns the output for `source`, converted in chunks with the lengths of `cuts`, used in turn.
fn converted(source: &[u8], from: &'static Encoding, to: &'static Encoding, case: &Case) -> Vec<u8> {
    let policy = Policy::default()
        .ill_formed(OnIllFormed::Carry(case.carrier))
        .unmappable(OnUnmappable::Carry(case.carrier))
        .per_byte(false);
    let mut transcoder = Transcoder::new(from, to, Options::default().policy(policy));
    let (mut out, mut room) = (Vec::new(), [0; 256]);
    let (mut at, mut end, mut cuts) = (0, 0, case.cuts.iter().cycle());
    loop {
        let is_last = end == source.len();
        let step = transcoder.step(&source[at..end], &mut room, is_last);
        out.extend_from_slice(&room[..step.written]);
        at += step.read;
        match step.stop {
            Stop::SourceEmpty if is_last => return out,
            Stop::SourceEmpty => {
                let len = cuts.next().map_or(1, |cut| 1 + usize::from(*cut));
                end = source.len().min(end + len);
            }
            Stop::Stopped(fault) => panic!("{from:?} to {to:?}: {fault}"),
            _ => {}
        }
    }
}

fuzz_target!(|case: Case| {
    let there = converted(&case.bytes, case.here, case.there, &case);
    let back = converted(&there, case.there, case.here, &case);
    assert_eq!(back, case.bytes, "{:?} through {:?}", case.here, case.there);
});
