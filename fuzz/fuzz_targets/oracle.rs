//! Compares [`utfconv_core::convert`] with the naive decoders of the tests. For every pair of encodings with a fixed
//! byte order, the output and the position, length and kind of each fault must be equal, under policies that replace or
//! stop at faults.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::{Encoding, Fault, FaultKind, OnIllFormed, OnUnmappable, Policy, convert_reporting};
use utfconv_fuzz::oracle::{self, Piece};
use utfconv_fuzz::{FIXED, one_of, source, text_only};

#[derive(Debug)]
struct Case {
    from: &'static Encoding,
    to: &'static Encoding,
    source: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let from = one_of(u, &FIXED)?;
        Ok(Case { from, to: one_of(u, &FIXED)?, source: source(u, from)? })
    }
}

/// A fault as the oracle reports it.
#[derive(Debug, PartialEq)]
struct Expected {
    at: usize,
    bytes: Vec<u8>,
    line: u64,
    column: u64,
    /// Scalar value that the target encoding lacks; `None` for ill-formed bytes.
    unmappable: Option<u32>,
}

impl Expected {
    /// Describes `fault` in the terms of the oracle.
    fn of(fault: &Fault, case: &Case) -> Expected {
        let unmappable = match fault.kind {
            FaultKind::IllFormed { encoding, .. } => {
                assert_eq!(encoding, case.from);
                None
            }
            FaultKind::Unmappable { encoding, code_point, .. } => {
                assert_eq!(encoding, case.to);
                Some(code_point)
            }
            _ => panic!("nothing else is at fault here: {fault:?}"),
        };
        let Fault { offset: at, line, column, bytes, .. } = fault;
        Expected { at: *at as usize, bytes: bytes.to_vec(), line: *line, column: *column, unmappable }
    }
}

/// Returns all faults of the source, and for each fault the number of output bytes before it if faults are replaced.
fn faults(case: &Case) -> (Vec<Expected>, Vec<usize>) {
    let Case { from, to, source } = case;
    let replacement = oracle::encode(to.name(), 0xFFFD).unwrap_or(b"?".to_vec());
    let (mut faults, mut written_before) = (Vec::new(), Vec::new());
    let (mut at, mut written, mut line, mut column) = (0, 0, 1, 1);
    // The oracle returns each subpart of a fault as a separate piece; this is the byte at which the whole fault ends.
    let mut fault_end = 0;
    for piece in oracle::pieces(from.name(), source) {
        let (len, unmappable) = match piece {
            Piece::Scalar(scalar, len) => {
                assert!(fault_end <= at, "a fault at {at} spans a scalar value");
                match oracle::encode(to.name(), scalar) {
                    Some(bytes) => {
                        at += len;
                        written += bytes.len();
                        (line, column) = if scalar == 0x0A { (line + 1, 1) } else { (line, column + 1) };
                        continue;
                    }
                    None => (len, Some(scalar)),
                }
            }
            Piece::Bad(len) => (len, None),
        };
        if fault_end <= at {
            let fault_len = match (unmappable, from.name()) {
                (None, "UTF-8" | "CESU-8") => oracle::utf8_fault_len(&source[at..]),
                _ => len,
            };
            fault_end = at + fault_len;
            let bytes = source[at..fault_end].to_vec();
            faults.push(Expected { at, bytes, line, column, unmappable });
            written_before.push(written);
        }
        at += len;
        written += replacement.len();
        column += 1;
    }
    (faults, written_before)
}

fn check(case: &Case) {
    let Case { from, to, source } = case;
    let replaced = oracle::convert_replacing(from.name(), to.name(), source);
    let (faults, written) = faults(case);
    for (stop_ill_formed, stop_unmappable) in [(false, false), (false, true), (true, false), (true, true)] {
        let ill_formed = if stop_ill_formed { OnIllFormed::Stop } else { OnIllFormed::Replace(None) };
        let unmappable = if stop_unmappable { OnUnmappable::Stop } else { OnUnmappable::Replace(None) };
        let options =
            text_only(Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(false));

        let stops =
            |fault: &Expected| if fault.unmappable.is_some() { stop_unmappable } else { stop_ill_formed };
        let (output, dealt_with, stopped) = match faults.iter().position(stops) {
            Some(first) => (&replaced[..written[first]], &faults[..first], Some(&faults[first])),
            None => (&replaced[..], &faults[..], None),
        };
        let mut got_faults = Vec::new();
        let report = |fault| got_faults.push(Expected::of(&fault, case));
        let (got, got_stopped) = match convert_reporting(source, from, to, &options, report) {
            Ok(converted) => (converted, None),
            Err(stopped) => (stopped.before, Some(Expected::of(&stopped.fault, case))),
        };
        assert_eq!(got_stopped.as_ref(), stopped, "{options:?}");
        assert_eq!(got_faults, dealt_with, "{options:?}");
        assert_eq!(got.output, output, "{options:?}");
    }
}

fuzz_target!(|case: Case| check(&case));
