//! A guess at a legacy encoding, by the statistics of languages.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use utfconv::Encoding;

use super::detector::{Certainty, Detected};
use super::sample::Sample;

/// The encoding that makes the most likely text of `sample`.
pub fn guess(sample: &Sample) -> Detected {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample.text(), true);
    let name = detector.guess(None, Utf8Detection::Deny).name();
    let encoding = match name {
        "Shift_JIS" => Encoding::named("windows-31j"),
        "gbk" | "GBK" => Encoding::named("GB18030"),
        _ => Encoding::named(name),
    };
    match encoding {
        Some(encoding) => Detected {
            encoding: Some(encoding),
            ..Detected::nothing(Certainty::Guess, "it makes the likeliest text")
        },
        None => Detected::nothing(Certainty::Guess, "it is no text that is known"),
    }
}
