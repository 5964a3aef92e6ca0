//! The result of a detection.

use utfconv_core::{Encoding, US_ASCII};

/// How certain a [`Detection`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// No encoding fits.
    Unknown,
    /// Other encodings are about as likely, so check the text by eye.
    Guess,
    /// All evidence supports the answer, statistics included. About one likely answer in 1,000 is wrong.
    Likely,
    /// The answer is proved by a BOM or by bytes that text in other encodings does not have, or statistics confirm a
    /// declaration.
    Certain,
}

impl Certainty {
    /// Returns the certainty as a word: `certain`, `likely`, `guess` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Certainty::Unknown => "unknown",
            Certainty::Guess => "guess",
            Certainty::Likely => "likely",
            Certainty::Certain => "certain",
        }
    }
}

/// An encoding that a text may be in, and its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hypothesis {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// The likeliest language of the text in this encoding, in English.
    pub language: &'static str,
    /// The probability of the text, summed over all encodings that give the same text. The probabilities add up to less
    /// than 1; the rest is the probability of text in no known language.
    pub probability: f64,
}

/// The result of a [`Detector`](super::Detector).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detection {
    /// The encoding. `None` if the file is binary, if no encoding fits, or if this library does not have the encoding.
    /// With a BOM, this is the encoding scheme that removes it, UTF-16 or UTF-32.
    pub encoding: Option<&'static Encoding>,
    /// The name of the encoding, which is set even if this library does not have the encoding.
    pub name: Option<&'static str>,
    /// How certain the answer is.
    pub certainty: Certainty,
    /// The evidence, as an English phrase.
    pub reason: String,
    /// The language of the text in English, if statistics decided.
    pub language: Option<&'static str>,
    /// Names of other encodings that decode the bytes to another text, the likeliest first.
    pub alternatives: Vec<&'static str>,
    /// The length of the BOM in bytes.
    pub bom: usize,
    /// Whether some of the text is UTF-8, but not all, so that no single encoding converts it correctly.
    pub is_partly_utf8: bool,
    /// The likeliest encodings by statistics, each with a different text; empty if there is proof.
    pub hypotheses: Vec<Hypothesis>,
    /// Whether the answer is likely only because the file declares it.
    pub(super) needs_declaration: bool,
}

impl Detection {
    pub(super) fn new(
        encoding: &'static Encoding,
        certainty: Certainty,
        reason: impl Into<String>,
    ) -> Detection {
        Detection {
            encoding: Some(encoding),
            name: Some(encoding.name()),
            certainty,
            reason: reason.into(),
            language: None,
            alternatives: Vec::new(),
            bom: 0,
            is_partly_utf8: false,
            hypotheses: Vec::new(),
            needs_declaration: false,
        }
    }

    /// Creates a result for an encoding that this library may not have.
    pub(super) fn named(name: &'static str, certainty: Certainty, reason: impl Into<String>) -> Detection {
        let encoding = Encoding::for_name(name);
        let name = encoding.map_or(name, Encoding::name);
        Detection { encoding, name: Some(name), ..Detection::new(&US_ASCII, certainty, reason) }
    }

    pub(super) fn binary(reason: impl Into<String>) -> Detection {
        Detection { encoding: None, name: None, ..Detection::new(&US_ASCII, Certainty::Certain, reason) }
    }

    pub(super) fn unknown(reason: impl Into<String>) -> Detection {
        Detection { certainty: Certainty::Unknown, ..Detection::binary(reason) }
    }

    pub(super) fn with_bom(self, bom: usize) -> Detection {
        Detection { bom, ..self }
    }

    /// Whether the file is binary.
    pub fn is_binary(&self) -> bool {
        self.name.is_none() && self.certainty == Certainty::Certain
    }
}

/// Returns a count with its noun, such as `1 error` or `2 errors`.
pub(super) fn many(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
