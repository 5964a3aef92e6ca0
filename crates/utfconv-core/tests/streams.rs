//! Tests readers and writers that give little, interrupt or fail. A static program does not obey LD_PRELOAD, so the
//! library's loop is tested here; `scenarios` tests the program with strace.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use utfconv_core::{Options, OutputBom, StreamError, Transcoder, UTF_8, UTF_16, convert_stream};

use crate::texts::udhr;

/// A reader that gives a source in chunks of changing size, with interruptions between the chunks, and an error at the
/// end if `fails`.
struct OddReader {
    rest: Vec<u8>,
    calls: usize,
    fails: bool,
}

impl Read for OddReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!("the loop reads by fill_buf")
    }
}

impl BufRead for OddReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(ErrorKind::Interrupted.into());
        }
        if self.rest.is_empty() && self.fails {
            return Err(io::Error::other("bad sector"));
        }
        let size = [1, 2, 3, 5, 100][self.calls % 5];
        Ok(&self.rest[..size.min(self.rest.len())])
    }

    fn consume(&mut self, count: usize) {
        self.rest.drain(..count);
    }
}

/// A writer that takes a few bytes at a time, with interruptions between the writes, up to a limit.
struct OddWriter {
    taken: Vec<u8>,
    calls: usize,
    limit: usize,
}

impl Write for OddWriter {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(2) {
            return Err(ErrorKind::Interrupted.into());
        }
        let count = from.len().min([1, 3, 7][self.calls % 3]).min(self.limit - self.taken.len());
        if count == 0 && !from.is_empty() {
            return Err(ErrorKind::StorageFull.into());
        }
        self.taken.extend_from_slice(&from[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn pump(source: &mut OddReader, sink: &mut OddWriter, room: usize) -> Result<(), StreamError> {
    let options = Options::default().output_bom(OutputBom::Auto);
    let mut transcoder = Transcoder::new(&UTF_8, &UTF_16, options);
    convert_stream(source, sink, &mut transcoder, &mut vec![0; room], |stop| panic!("{stop:?}"))
}

fn expected() -> Vec<u8> {
    std::iter::once(0xFEFF).chain(udhr().encode_utf16()).flat_map(u16::to_ne_bytes).collect()
}

#[test]
fn short_and_interrupted_calls_lose_nothing() {
    for room in [1, 2, 3, 10, 4096] {
        let mut source = OddReader { rest: udhr().into_bytes(), calls: 0, fails: false };
        let mut sink = OddWriter { taken: Vec::new(), calls: 0, limit: usize::MAX };
        pump(&mut source, &mut sink, room).expect("converts");
        assert_eq!(sink.taken, expected(), "{room}");
    }
}

#[test]
fn a_failing_reader_differs_from_a_failing_writer() {
    let mut source = OddReader { rest: udhr().into_bytes(), calls: 0, fails: true };
    let mut sink = OddWriter { taken: Vec::new(), calls: 0, limit: usize::MAX };
    assert!(matches!(pump(&mut source, &mut sink, 64), Err(StreamError::Read(_))));
    assert_eq!(sink.taken, expected(), "what was read is written");

    let mut source = OddReader { rest: udhr().into_bytes(), calls: 0, fails: false };
    let mut sink = OddWriter { taken: Vec::new(), calls: 0, limit: 1000 };
    assert!(matches!(pump(&mut source, &mut sink, 64), Err(StreamError::Write(_))));
    assert_eq!(sink.taken, expected()[..1000]);
}

/// A transcoder can be moved to another thread, and raw bytes never break wider code units.
#[test]
fn transcoders_are_send_and_raw_bytes_keep_code_units_whole() {
    fn is_send<T: Send>(_: &T) {}
    is_send(&Transcoder::new(&UTF_8, &UTF_16, Options::default()));
    let policy = utfconv_core::Policy::default().ill_formed(utfconv_core::OnIllFormed::Raw);
    let options = Options::default().policy(policy);
    let stopped =
        utfconv_core::convert(b"a\xFFb", &UTF_8, &utfconv_core::UTF_16BE, &options).expect_err("stops");
    assert_eq!((stopped.fault.offset, stopped.before.output.as_slice()), (1, &b"\0a"[..]));
}
