//! Where a source is cut into chunks so that checkpoints are found at a spacing: after line feeds, characters or bytes.
//!
//! The text is not decoded for this: bytes that may encode a line feed are found in the source, and the position of the
//! transcoder decides.

use std::collections::VecDeque;

use super::checkpoint::Checkpoint;
use super::state::Transcoder;
use crate::encoding::{Encoding, UTF_8};
use crate::newline::EbcdicNewline;
use crate::position::Position;

/// Where checkpoints are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spacing {
    /// At the start of each line.
    #[default]
    Lines,
    /// After so many characters since the last one.
    Characters(u64),
    /// After so many bytes of the source since the last one; inside a long shift state, there is none.
    Bytes(u64),
}

/// The first bytes of a source are fed one by one: they decide the encoding.
const OPENING: u64 = 8;

/// Bytes after which a checkpoint is no longer looked for at a spacing of bytes: it is inside a shift state.
const LONGEST_SEARCH: u64 = 16;

/// Finds the checkpoints of one source.
pub(crate) struct Cuts {
    spacing: Spacing,
    line_feeds: LineFeeds,
    /// The last known position of the conversion.
    seen: Position,
    /// Characters since the last checkpoint.
    characters: u64,
    /// Where the last checkpoint was, or was given up.
    last: u64,
}

impl Cuts {
    pub fn new(spacing: Spacing) -> Cuts {
        let line_feeds = LineFeeds::of(&UTF_8, EbcdicNewline::Nel);
        Cuts { spacing, line_feeds, seen: Position::default(), characters: 0, last: 0 }
    }

    /// Returns where the next cut is, after `from`, in the `chunk` of the source that begins at `start`.
    pub fn next(&mut self, chunk: &[u8], start: u64, from: u64, transcoder: &Transcoder) -> u64 {
        let (encoding, end) = (transcoder.encoding(), start + chunk.len() as u64);
        if let Spacing::Bytes(every) = self.spacing {
            return (self.last + every).max(from + 1).min(end);
        }
        if from < OPENING {
            return (from + 1).min(end);
        }
        if self.line_feeds.encoding != encoding {
            self.line_feeds = LineFeeds::of(encoding, transcoder.options.ebcdic_newline);
        }
        let next = self.line_feeds.next(chunk, start, from).unwrap_or(end);
        let Spacing::Characters(every) = self.spacing else { return next };
        // No character is shorter than a code unit.
        let wanted = every.saturating_sub(self.characters).max(1);
        next.min(from.saturating_add(wanted.saturating_mul(encoding.unit() as u64)))
    }

    /// Examines a cut, after `fed` bytes of the source; `accepts` decides about a checkpoint that is wanted there.
    pub fn look(&mut self, transcoder: &Transcoder, fed: u64, accepts: impl FnOnce(Checkpoint) -> bool) {
        let position = transcoder.position();
        let lines = position.line() - self.seen.line();
        self.characters += match lines {
            0 => position.column() - self.seen.column(),
            _ => lines + position.column() - 1,
        };
        self.seen = position;
        let is_wanted = match self.spacing {
            Spacing::Lines => position.column() == 1 && lines > 0,
            Spacing::Characters(every) => self.characters >= every,
            Spacing::Bytes(every) => fed >= self.last + every,
        };
        if !is_wanted {
            return;
        }
        if transcoder.checkpoint().is_some_and(accepts) {
            (self.characters, self.last) = (0, fed);
        } else if let Spacing::Bytes(every) = self.spacing
            && fed >= self.last + every + LONGEST_SEARCH
        {
            self.last = fed;
        }
    }
}

/// The candidates for line feeds in a source.
struct LineFeeds {
    encoding: &'static Encoding,
    /// One byte of a line feed that is not 0, and its place in the code; none if a line feed has no code.
    key: Option<(u8, usize)>,
    /// Bytes in the code.
    len: usize,
    /// How far the source was searched.
    searched: u64,
    /// Offsets in the source at which candidates begin or end, after the searched bytes.
    cuts: VecDeque<u64>,
}

impl LineFeeds {
    fn of(encoding: &'static Encoding, newline: EbcdicNewline) -> LineFeeds {
        let (mut encoder, mut code) = (encoding.form().encoder(newline), Vec::new());
        // Two, as a header may be before the first.
        encoder.encode('\n'.into(), &mut code);
        let first = code.len();
        encoder.encode('\n'.into(), &mut code);
        let code = &code[first..];
        let key = code.iter().position(|byte| *byte != 0).map(|at| (code[at], at));
        LineFeeds { encoding, key, len: code.len(), searched: 0, cuts: VecDeque::new() }
    }

    /// Returns the next offset after `from` at which a candidate in `chunk`, which begins at `start`, begins or
    /// ends; none if there is none in the chunk.
    fn next(&mut self, chunk: &[u8], start: u64, from: u64) -> Option<u64> {
        loop {
            while let Some(cut) = self.cuts.front().copied() {
                if cut > from {
                    return Some(cut).filter(|cut| *cut <= start + chunk.len() as u64);
                }
                self.cuts.pop_front();
            }
            let (key, at) = self.key?;
            self.searched = self.searched.max(from);
            let found =
                self.searched + memchr::memchr(key, &chunk[(self.searched - start) as usize..])? as u64;
            self.searched = found + 1;
            let begin = found.saturating_sub(at as u64);
            self.cuts.extend([begin, begin + self.len as u64]);
        }
    }
}
