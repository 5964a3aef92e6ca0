//! Where in a source the conversion stands: byte offset, line and column.

use crate::decode::Extent;

/// A place in a source, between two characters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// Bytes before it.
    pub offset: u64,
    /// All of the text before it: its lines, and what stands behind the last.
    extent: Extent,
}

impl Place {
    /// The line, counted from 1.
    pub fn line(&self) -> u64 {
        self.extent.lines + 1
    }

    /// The column, counted from 1.
    pub fn column(&self) -> u64 {
        self.extent.column + 1
    }

    /// Moves past `len` bytes that span `extent`.
    pub fn advance(&mut self, len: usize, extent: Extent) {
        self.offset += len as u64;
        self.extent = self.extent.then(extent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{EbcdicNewline, Encoding};

    /// Every encoding measures a run as a walk over its scalar values does.
    #[test]
    fn runs_measure_as_their_scalars() {
        for encoding in Encoding::all().filter(|encoding| !encoding.is_stateful()) {
            let texts = [
                "",
                "a",
                "\n",
                "a\nbc\n\nd",
                "no line feed, 40 characters and then some",
                "é\u{A}\u{10FFFF}",
            ];
            for text in texts {
                let mut encoder = encoding.form().encoder(EbcdicNewline::Nel);
                let mut room = [0; crate::encode::WIDEST];
                let mut run = Vec::new();
                let mut expected = Place::default();
                for scalar in text.chars() {
                    let Some(bytes) = encoder.encode(scalar.into(), &mut room) else { continue };
                    run.extend_from_slice(bytes);
                    expected.advance(bytes.len(), Extent::of(scalar.into()));
                }
                let mut place = Place::default();
                place.advance(run.len(), encoding.form().decoder(EbcdicNewline::Nel).measure(&run));
                assert_eq!(format!("{place:?}"), format!("{expected:?}"), "{encoding:?} {text:?}");
            }
        }
    }
}
