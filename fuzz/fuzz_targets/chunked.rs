//! Compares [`utfconv_core::Transcoder`], which gets a source in chunks and writes to small buffers, with
//! [`utfconv_core::convert`] of the whole source. Under any options the bytes and the reports must be equal, and the
//! number of calls must be bounded.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::{
    ByteEscape, Carrier, Converted, EbcdicNewline, Encoding, InputBom, NormalizationForm, OnIllFormed,
    OnUnmappable, Options, OutputBom, Policy, ScalarEscape, Step, Stop, Transcoder, convert_reporting,
};
use utfconv_fuzz::{FIXED, damaged, one_of, oracle, source};

#[derive(Debug)]
struct Case {
    from: &'static Encoding,
    to: &'static Encoding,
    options: Options,
    /// Lengths of the chunks in bytes, used in turn.
    chunks: Vec<usize>,
    /// Whether the end of the source is signaled in a call without bytes.
    end_apart: bool,
    /// Lengths of the destination in bytes, used in turn.
    rooms: Vec<usize>,
    source: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let from = encoding(u)?;
        let to = encoding(u)?;
        let options = options(u)?;
        let chunks = sizes(u, 0)?;
        let end_apart = u.arbitrary()?;
        let rooms = sizes(u, 1)?;

        // The source is mostly in the encoding `from`; sometimes in another encoding.
        let mut bytes = Vec::new();
        if FIXED.contains(&from) || from.code_unit_len() > 1 || u.ratio(1, 8)? {
            let same_unit = |known: &&'static Encoding| known.code_unit_len() == from.code_unit_len();
            let spelled = match FIXED.iter().find(|known| **known == from) {
                _ if u.ratio(1, 8)? => one_of(u, &FIXED)?,
                Some(fixed) => fixed,
                None => one_of(u, &FIXED.into_iter().filter(same_unit).collect::<Vec<_>>())?,
            };
            if u.ratio(1, 4)? {
                let signed = if u.ratio(1, 4)? { one_of(u, &FIXED)? } else { spelled };
                bytes = oracle::encode(signed.name(), 0xFEFF).unwrap_or_default();
            }
            bytes.extend(source(u, spelled)?);
        } else {
            bytes.extend(damaged(u, from)?);
        }
        Ok(Case { from, to, options, chunks, end_apart, rooms, source: bytes })
    }
}

fn encoding(u: &mut Unstructured) -> arbitrary::Result<&'static Encoding> {
    u.choose_iter(Encoding::all().collect::<Vec<_>>())
}

/// Returns one to four lengths of at least `least`. Short lengths are more frequent than long ones.
fn sizes(u: &mut Unstructured, least: usize) -> arbitrary::Result<Vec<usize>> {
    let count = u.int_in_range(1..=4)?;
    (0..count)
        .map(|_| {
            let most = one_of(u, &[1, 3, 9, 64, 1024])?;
            u.int_in_range(least..=most)
        })
        .collect()
}

fn options(u: &mut Unstructured) -> arbitrary::Result<Options> {
    use InputBom::{Forbid, Keep, Require, Sniff, Strip, Text};
    let ill_formed = match u.int_in_range(0..=6)? {
        0 => OnIllFormed::Stop,
        1 => OnIllFormed::Replace(replacement(u)?),
        2 => OnIllFormed::Omit,
        3 => OnIllFormed::Escape(
            u.choose(&[ByteEscape::Hex, ByteEscape::Percent, ByteEscape::Angle, ByteEscape::Octal])?.clone(),
        ),
        4 => OnIllFormed::Fallback(encoding(u)?),
        5 => OnIllFormed::Carry(carrier(u)?),
        _ => OnIllFormed::Raw,
    };
    let unmappable = match u.int_in_range(0..=5)? {
        0 => OnUnmappable::Stop,
        1 => OnUnmappable::Replace(replacement(u)?),
        2 => OnUnmappable::Omit,
        3 => OnUnmappable::Escape(
            u.choose(&[
                ScalarEscape::Rust,
                ScalarEscape::Json,
                ScalarEscape::C,
                ScalarEscape::Xml,
                ScalarEscape::Html,
                ScalarEscape::UPlus,
                ScalarEscape::Percent,
            ])?
            .clone(),
        ),
        4 => OnUnmappable::Translit(Box::new(OnUnmappable::Omit)),
        _ => OnUnmappable::Carry(carrier(u)?),
    };
    let normalization = match u.ratio(1, 4)? {
        true => Some(one_of(u, &NormalizationForm::ALL)?),
        false => None,
    };
    Ok(Options::default()
        .input_bom(one_of(u, &[InputBom::Auto, Keep, Strip, Text, Forbid, Require, Sniff])?)
        .output_bom(one_of(u, &[OutputBom::Auto, OutputBom::Always, OutputBom::Never, OutputBom::Forbid])?)
        .policy(Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(u.arbitrary()?))
        .ebcdic_newline(one_of(u, &[EbcdicNewline::Nel, EbcdicNewline::Lf])?)
        .normalization(normalization)
        .continues(u.arbitrary()?))
}

fn carrier(u: &mut Unstructured) -> arbitrary::Result<Carrier> {
    one_of(u, &[Carrier::SurrogateEscape, Carrier::Pua, Carrier::C8])
}

fn replacement(u: &mut Unstructured) -> arbitrary::Result<Option<String>> {
    let text = one_of(u, &[None, Some(""), Some("?"), Some("\u{FEFF}"), Some("<\u{E9}\u{20AC}\u{1F600}>")])?;
    Ok(text.map(str::to_owned))
}

/// Returns the chunks of the source. The transcoder is told of the end with the last chunk.
fn cut(case: &Case) -> Vec<&[u8]> {
    let mut rest = &case.source[..];
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let size = case.chunks[chunks.len() % case.chunks.len()];
        // A chunk is empty only in the first round of the lengths; otherwise the loop would never end.
        let size = if chunks.len() < case.chunks.len() { size } else { size.max(1) };
        let (chunk, after) = rest.split_at(size.min(rest.len()));
        chunks.push(chunk);
        rest = after;
    }
    if case.end_apart || chunks.is_empty() {
        chunks.push(&[]);
    }
    chunks
}

/// Converts `chunks` call by call into buffers with the lengths `rooms`, and returns the output and all reports.
fn drive(case: &Case, chunks: &[&[u8]], rooms: &[usize], most_steps: usize) -> (Vec<u8>, Vec<Stop>) {
    let mut transcoder = Transcoder::new(case.from, case.to, case.options.clone());
    let mut buffer = vec![0; rooms.iter().copied().max().unwrap_or_default()];
    let mut rooms = rooms.iter().cycle();
    let (mut output, mut told) = (Vec::new(), Vec::new());
    let mut steps = 0;
    for (i, chunk) in chunks.iter().enumerate() {
        let last = i + 1 == chunks.len();
        let mut rest = *chunk;
        loop {
            steps += 1;
            assert!(steps <= most_steps, "more than {most_steps} steps");
            let room = *rooms.next().expect("there is a size");
            let Step { read, written, stop, .. } = transcoder.step(rest, &mut buffer[..room], last);
            output.extend_from_slice(&buffer[..written]);
            rest = &rest[read..];
            match stop {
                Stop::SourceEmpty => {
                    assert!(rest.is_empty(), "{} bytes not taken", rest.len());
                    break;
                }
                Stop::SinkFull => assert!(written > 0, "{room} bytes of room not used"),
                Stop::Fault(_) | Stop::Notice(_) => told.push(stop),
                Stop::Stopped(_) => {
                    let again = transcoder.step(rest, &mut buffer, last);
                    assert_eq!((again.read, again.written, &again.stop), (0, 0, &stop));
                    told.push(stop);
                    return (output, told);
                }
                other => panic!("an unknown stop: {other:?}"),
            }
        }
    }
    let again = transcoder.step(&[], &mut buffer, true);
    assert_eq!((again.read, again.written, again.stop), (0, 0, Stop::SourceEmpty));
    (output, told)
}

fn check(case: &Case) {
    let mut faults = Vec::new();
    let report = |fault| faults.push(fault);
    let (converted, stopped) =
        match convert_reporting(&case.source, case.from, case.to, &case.options, report) {
            Ok(converted) => (converted, None),
            Err(stopped) => (stopped.before, Some(stopped.fault)),
        };
    let Converted { output, notices, .. } = converted;
    let told = faults.len() + notices.len() + usize::from(stopped.is_some());

    // Each call ends at the end of a chunk, when the buffer is full, or with a report, so their sum bounds the number
    // of calls.
    let chunks = cut(case);
    let cut = drive(case, &chunks, &case.rooms, chunks.len() + output.len() + told);
    let whole = drive(case, &[&case.source], &[output.len().max(1)], 2 + told);
    assert_eq!(cut, whole);

    let (mut whole_faults, mut whole_notices, mut whole_stopped) = (Vec::new(), Vec::new(), None);
    for stop in whole.1 {
        match stop {
            Stop::Fault(fault) => whole_faults.push(fault),
            Stop::Notice(notice) => whole_notices.push(notice),
            Stop::Stopped(fault) => whole_stopped = Some(fault),
            _ => unreachable!("the others are not told"),
        }
    }
    assert_eq!((whole.0, whole_faults, whole_notices), (output, faults, notices));
    assert_eq!(whole_stopped, stopped);
}

fuzz_target!(|case: Case| check(&case));
