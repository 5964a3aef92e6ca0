//! The sequences in a source: characters, BOMs, shifts and errors.

use utfconv_core::{Encoding, Fault, FaultBytes, RunText};

use utfconv_core::utf8::is_continuation;

use crate::text::hidden;

/// Bytes of a source that have a meaning together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Offset of the first byte.
    pub offset: u64,
    /// The bytes, which are empty only for a missing BOM.
    pub bytes: FaultBytes,
    pub what: What,
}

/// The meaning of the bytes of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A scalar value, or two scalar values that share a code.
    Text(char, Option<char>),
    /// A code point that is not a scalar value, in an encoding that allows it.
    CodePoint(u32),
    /// Bytes that only change the meaning of the bytes after them.
    Shift,
    /// The BOM of this encoding.
    Bom(&'static Encoding),
    Fault(Fault),
}

impl Sequence {
    /// Returns the offset after the sequence.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    /// Returns the scalar value; `None` unless the sequence is exactly one scalar value.
    pub fn scalar(&self) -> Option<char> {
        match self.what {
            What::Text(scalar, None) => Some(scalar),
            _ => None,
        }
    }

    /// True if the sequence is a character that shows nothing.
    pub fn shows_nothing(&self) -> bool {
        self.scalar().is_some_and(hidden::shows_nothing)
    }
}

/// A well-formed run of a source.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Offset of the first byte.
    pub offset: u64,
    pub source: &'a [u8],
    /// The text of the run; `None` if the source is UTF-8.
    pub text: Option<&'a RunText>,
}

impl<'a> Run<'a> {
    /// Returns the sequences of the run. If `last` is given, the first sequences may be left out, but at least the last
    /// `last` are returned.
    pub fn sequences(self, last: Option<usize>) -> Box<dyn Iterator<Item = Sequence> + 'a> {
        match self.text {
            Some(text) if text.starts.is_empty() => {
                let what = text.code_point.map_or(What::Shift, What::CodePoint);
                let bytes = FaultBytes::new(self.source);
                Box::new(std::iter::once(Sequence { offset: self.offset, bytes, what }))
            }
            Some(text) => {
                // Two scalar values may form one sequence.
                let skipped = last.map_or(0, |last| text.starts.len().saturating_sub(2 * last));
                let skipped = (skipped..text.starts.len())
                    .find(|at| *at == 0 || text.starts[*at] != text.starts[at - 1])
                    .unwrap_or(text.starts.len());
                let scalars = text.utf8.chars().rev().take(text.starts.len() - skipped);
                let at = text.utf8.len() - scalars.map(char::len_utf8).sum::<usize>();
                let starts = text.starts[skipped..].iter().map(|start| *start as usize);
                Box::new(self.grouped(starts.zip(text.utf8[at..].chars())))
            }
            None => {
                let starts = (0..self.source.len()).rev().filter(|at| !is_continuation(self.source[*at]));
                let at = last.map_or(0, |last| starts.take(last).last().unwrap_or(self.source.len()));
                // The checker found the source well-formed, so decoding cannot fail.
                let text = std::str::from_utf8(&self.source[at..]).unwrap_or_default();
                Box::new(self.grouped(text.char_indices().map(move |(start, scalar)| (at + start, scalar))))
            }
        }
    }

    /// Groups scalar values into sequences by the offsets at which they begin.
    fn grouped(
        self,
        scalars: impl Iterator<Item = (usize, char)> + 'a,
    ) -> impl Iterator<Item = Sequence> + 'a {
        let mut scalars = scalars.peekable();
        std::iter::from_fn(move || {
            let (start, first) = scalars.next()?;
            let second = scalars.next_if(|(at, _)| *at == start).map(|(_, scalar)| scalar);
            let end = scalars.peek().map_or(self.source.len(), |(at, _)| *at);
            let bytes = FaultBytes::new(&self.source[start..end]);
            Some(Sequence { offset: self.offset + start as u64, bytes, what: What::Text(first, second) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(run: Run, last: Option<usize>) -> Vec<(u64, String, String)> {
        let one = |Sequence { offset, bytes, what }| (offset, bytes.to_string(), format!("{what:?}"));
        run.sequences(last).map(one).collect()
    }

    #[test]
    fn the_last_sequences_are_the_end_of_all() {
        let pairs = RunText {
            utf8: "aか\u{309A}bか\u{309A}".to_string(),
            starts: vec![0, 1, 1, 3, 4, 4],
            ..RunText::default()
        };
        for run in [
            Run { offset: 7, source: "aé日😀b".as_bytes(), text: None },
            Run { offset: 7, source: b"a\x82\xF5b\x82\xF5", text: Some(&pairs) },
        ] {
            let all = shown(run, None);
            for last in 0..8 {
                let some = shown(run, Some(last));
                assert!(some.len() >= last.min(all.len()) && all.ends_with(&some), "{last} {some:?}");
            }
            assert_eq!(all[0], (7, "61".to_string(), "Text('a', None)".to_string()));
        }
        let two = (8, "82 F5".to_string(), "Text('か', Some('\\u{309a}'))".to_string());
        assert_eq!(shown(Run { offset: 7, source: b"a\x82\xF5b\x82\xF5", text: Some(&pairs) }, None)[1], two);
    }
}
