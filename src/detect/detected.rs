//! The result of a detection.

use utfconv_core::{Encoding, US_ASCII};

/// How certain a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Other encodings are about as likely: check it by eye.
    Guess,
    /// All evidence supports it, statistics included.
    Likely,
    /// No file is like this by chance.
    Certain,
}

impl Certainty {
    pub fn word(self) -> &'static str {
        match self {
            Certainty::Guess => "guess",
            Certainty::Likely => "likely",
            Certainty::Certain => "certain",
        }
    }
}

/// The likely encoding of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// None if the file is binary, or if nothing fits. With a BOM, this is the encoding scheme that removes it, UTF-16 or
    /// UTF-32.
    pub encoding: Option<&'static Encoding>,
    pub certainty: Certainty,
    /// The evidence.
    pub reason: String,
    /// Other encodings that give another text; the likeliest first.
    pub alternatives: Vec<&'static Encoding>,
    /// The length of its BOM in bytes.
    pub bom: usize,
}

impl Detected {
    pub fn new(encoding: &'static Encoding, certainty: Certainty, reason: impl Into<String>) -> Detected {
        let reason = reason.into();
        Detected { encoding: Some(encoding), certainty, reason, alternatives: Vec::new(), bom: 0 }
    }

    /// Whether the file is binary.
    pub fn is_binary(&self) -> bool {
        self.encoding.is_none() && self.certainty == Certainty::Certain
    }

    pub fn nothing(certainty: Certainty, reason: impl Into<String>) -> Detected {
        Detected { encoding: None, ..Detected::new(&US_ASCII, certainty, reason) }
    }

    pub fn with_bom(self, bom: usize) -> Detected {
        Detected { bom, ..self }
    }
}

/// Counts things in words: `1 error`, `2 errors`.
pub fn many(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
