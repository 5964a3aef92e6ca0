//! Parses the values of options: names of encodings, and modes with their styles and texts. In messages, errors come
//! after the name of the option.

use super::names::{Name, Unknown, is_path, shortened};
use utfconv_core::EbcdicNewline;
use utfconv_core::Encoding;
use utfconv_core::NormalizationForm;
use utfconv_core::{ByteEscape, Carrier, OnIllFormed, OnUnmappable, ScalarEscape};
use utfconv_core::{InputBom, OutputBom};
use utfconv_scan::newlines::NewlineStyle;

/// Parses a list of encodings, separated by commas.
pub fn candidates(list: &str) -> Result<Vec<&'static Encoding>, String> {
    const MISSING: &str = "a name is missing; name encodings separated by commas, such as windows-1252,UTF-8";
    if list.split(',').any(|name| name.trim().is_empty()) {
        return Err(MISSING.to_string());
    }
    list.split(',')
        .map(|name| candidate(name).map_err(|error| format!("'{}': {error}", shortened(name))))
        .collect()
}

/// Parses the name of an encoding that detection may find.
fn candidate(name: &str) -> Result<&'static Encoding, String> {
    if is_path(name) && Encoding::for_name(name).is_none() {
        return Err("encodings of mapping files are not detected; name it alone after -f".to_string());
    }
    let encoding = encoding(name)?;
    let is_web = Encoding::web().any(|web| web == encoding);
    if !is_web {
        return Ok(encoding);
    }
    let other = Encoding::for_name(encoding.name().trim_start_matches("whatwg:"));
    let advice = other.map_or(String::new(), |other| format!("; use {}", other.name()));
    Err(format!("encodings of the Encoding Standard are not detected{advice}"))
}

/// Parses a list of languages, given as BCP 47 tags or English names, separated by commas.
pub fn languages(list: &str) -> Result<Vec<&'static str>, String> {
    let mut codes = Vec::new();
    for wanted in list.split(',').map(str::trim) {
        let meant = utfconv_detect::languages_of(wanted);
        if meant.is_empty() {
            let wanted = shortened(wanted);
            let known = utfconv_detect::languages().map(|(code, _)| code).collect::<Vec<_>>().join(", ");
            return Err(format!("'{wanted}': not a known language; known are {known}"));
        }
        codes.extend(meant);
    }
    Ok(codes)
}

/// Reads a name, or the mapping file that a path names.
pub type Read = fn(&str) -> Result<Name, Unknown>;

/// Returns the encoding that a name means, or that a mapping file defines.
fn encoding_or_mapping(text: &str, read: Read) -> Result<&'static Encoding, String> {
    match Encoding::for_name(text) {
        Some(encoding) => Ok(encoding),
        None if is_path(text) => read(text).map(|name| name.encoding).map_err(no_such),
        None => encoding(text),
    }
}

/// Returns the encoding that a name means.
fn encoding(name: &str) -> Result<&'static Encoding, String> {
    Encoding::for_name(name).ok_or_else(|| no_such(Unknown::new(name)))
}

/// Returns the message about an unknown name.
pub fn no_such(unknown: Unknown) -> String {
    match &unknown {
        Unknown::OutOfScope(known) => format!("{known} is not supported; use 'utfconv list' to see what is"),
        Unknown::Similar(_) => {
            format!("no such encoding{}", unknown.suggestion().unwrap_or_default())
        }
        Unknown::NoEncoding(meaning) => format!("{meaning}; name the encoding"),
        Unknown::Replacement(other) => {
            let fix = other.map_or("name the encoding".to_string(), |name| format!("use {name}"));
            format!("\"replacement\" in the Encoding Standard, which reads all text as one error; {fix}")
        }
        Unknown::Mapping(problem) => problem.clone(),
        Unknown::File(..) => "mapping files work only for options, such as -f and -t".to_string(),
        Unknown::Name => "no such encoding; use 'utfconv list' to see all".to_string(),
    }
}

/// The values of `--ebcdic-newline`.
pub const EBCDIC_NEWLINE: &[(&str, &str, EbcdicNewline)] = &[
    ("nel", "0x15 is NEL (U+0085), and 0x25 is LF", EbcdicNewline::Nel),
    ("lf", "0x15 is LF, and 0x25 is NEL (U+0085)", EbcdicNewline::Lf),
];

/// The values of the option for BOMs of inputs.
pub const INPUT_BOM: &[(&str, &str, InputBom)] = &[
    ("auto", "Use, keep or drop the BOM as the encodings require", InputBom::Auto),
    ("keep", "Keep the BOM as U+FEFF in the output", InputBom::Keep),
    ("strip", "Remove the BOM", InputBom::Strip),
    ("text", "Treat the BOM as text, for protocols that forbid BOMs", InputBom::Text),
    ("forbid", "Treat a BOM as an error", InputBom::Forbid),
    ("require", "Treat a missing BOM as an error", InputBom::Require),
    ("sniff", "Take the encoding from the BOM if there is one, else from -f", InputBom::Sniff),
];

/// The values of the option for BOMs of outputs.
pub const OUTPUT_BOM: &[(&str, &str, OutputBom)] = &[
    ("auto", "Write a BOM if the encoding requires one, or if the input's BOM was kept", OutputBom::Auto),
    ("always", "Write a BOM unless the output is empty", OutputBom::Always),
    ("never", "Write no BOM; it is an error if the text itself begins with U+FEFF", OutputBom::Never),
];

/// The values of the option for normalization.
pub const NORMALIZATION: &[(&str, &str, NormalizationForm)] = &[
    ("nfc", "Compose, as in most texts", NormalizationForm::Nfc),
    ("nfd", "Decompose into letters and combining marks", NormalizationForm::Nfd),
    ("nfkc", "Compose, with compatibility mappings (lossy)", NormalizationForm::Nfkc),
    ("nfkd", "Decompose, with compatibility mappings (lossy)", NormalizationForm::Nfkd),
];

/// The values of the option for newlines.
pub const NEWLINE: &[(&str, &str, NewlineStyle)] = &[
    ("keep", "Leave newlines unchanged", NewlineStyle::Keep),
    ("lf", "Write LF, as on Unix", NewlineStyle::Lf),
    ("crlf", "Write CR LF, as on Windows", NewlineStyle::Crlf),
    ("cr", "Write CR, as on classic Mac OS", NewlineStyle::Cr),
];

/// Returns the words in a table of values.
pub fn words<T>(table: &'static [(&'static str, &'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|(word, ..)| *word).collect()
}

/// A mode, as it is shown in help, messages and completions.
pub struct Mode {
    name: &'static str,
    /// The form of the value after the name, such as `[=TEXT]`.
    value: &'static str,
    help: &'static str,
}

impl Mode {
    /// Returns a description of the mode in a single line.
    pub fn summary(&self) -> String {
        self.help.replace('\n', " ")
    }

    /// Returns the words to offer on a command line.
    pub fn word(&self) -> String {
        self.name.to_string() + if self.value.starts_with('=') { "=" } else { "" }
    }
}

const fn mode(name: &'static str, value: &'static str, help: &'static str) -> Mode {
    Mode { name, value, help }
}

/// The modes for ill-formed bytes.
pub const ILL_FORMED: &[Mode] = &[
    mode("stop", "", "stop there, after writing all text before (default)"),
    mode("replace", "[=TEXT]", "write U+FFFD, or TEXT, for each maximal subpart"),
    mode("omit", "", "write nothing"),
    mode(
        "escape",
        "[=STYLE]",
        "write each byte in ASCII: hex (\\xHH), percent (%HH),\nangle (<HH>), octal (\\ooo)",
    ),
    mode("fallback", "=ENC", "decode one character as ENC, and continue after it"),
    mode("surrogateescape", "", "carry each byte as U+DC80..U+DCFF, and restore them"),
    mode("pua", "", "carry each byte as U+EF80..U+EFFF, and restore them"),
    mode("c8", "", "carry each byte as U+10FFFD x HH, and restore them"),
    mode("raw", "", "copy the bytes as they are (to UTF-8 or single-byte\nencodings that contain ASCII)"),
];

/// The modes for unmappable characters.
pub const UNMAPPABLE: &[Mode] = &[
    mode("stop", "", "stop there, after writing all text before (default)"),
    mode("replace", "[=TEXT]", "write U+FFFD, or TEXT; '?' where that cannot be encoded"),
    mode("omit", "", "write nothing"),
    mode(
        "escape",
        "[=STYLE]",
        "write it in ASCII: rust (\\u{H}), json (\\uXXXX),\nc (\\uXXXX, \\UXXXXXXXX), xml (&#xH;), html (&#D;),\nuplus (U+XXXX), percent (%HH of its UTF-8)",
    ),
    mode("translit", "", "write an approximation, else as replace"),
    mode("surrogateescape", "", "as for ill-formed bytes; stop at other characters"),
    mode("pua", "", "as for ill-formed bytes; stop at other characters"),
    mode("c8", "", "as for ill-formed bytes; stop at other characters"),
];

/// Returns the modes that exist for both ill-formed bytes and unmappable characters. Of the styles of `escape`, only
/// `percent` exists for both.
pub fn common() -> impl Iterator<Item = &'static Mode> {
    UNMAPPABLE.iter().filter(|mode| ILL_FORMED.iter().any(|other| other.name == mode.name))
}

/// Returns the help for an option whose values are `modes`.
pub fn help(first: &str, modes: &[Mode]) -> String {
    modes.iter().fold(first.to_string(), |text, Mode { name, value, help }| {
        let help = help.replace('\n', &format!("\n{:20}", ""));
        text + &format!("\n  {:18}{help}", format!("{name}{value}"))
    })
}

/// Returns the modes as a phrase, such as `stop, replace[=TEXT] and omit`.
pub fn sentence<'a>(modes: impl Iterator<Item = &'a Mode>) -> String {
    let words: Vec<_> = modes.map(|mode| format!("{}{}", mode.name, mode.value)).collect();
    words.split_last().map_or(String::new(), |(last, rest)| format!("{} and {last}", rest.join(", ")))
}

/// A mode for both ill-formed bytes and unmappable characters.
#[derive(Clone)]
pub struct Both(pub OnIllFormed, pub OnUnmappable);

/// Parses a mode for both ill-formed bytes and unmappable characters.
pub fn both(mode: &str, read: Read) -> Result<Both, String> {
    match (ill_formed(mode, read), unmappable(mode)) {
        (Ok(ill_formed), Ok(unmappable)) => Ok(Both(ill_formed, unmappable)),
        (Ok(_), Err(_)) => Err(format!("this mode works for ill-formed bytes only; use --ill-formed={mode}")),
        (Err(_), Ok(_)) => {
            Err(format!("this mode works for unmappable characters only; use --unmappable={mode}"))
        }
        (Err(_), Err(_)) => {
            let known = foreign(mode, |known| ill_formed(known, read).is_ok() || unmappable(known).is_ok());
            if let Some(Err(only)) = known.map(|known| both(&known, read)) {
                return Err(only);
            }
            let modes = sentence(common()).replace("[=STYLE]", "[=percent]");
            let suggestion = suggestion(mode, common(), |known| both(known, read).is_ok());
            Err(format!("{suggestion}the modes for both are {modes}"))
        }
    }
}

/// Parses a mode for ill-formed bytes.
pub fn ill_formed(mode: &str, read: Read) -> Result<OnIllFormed, String> {
    Ok(match split(mode) {
        ("stop", None) => OnIllFormed::Stop,
        ("replace", text) => OnIllFormed::Replace(text.map(str::to_string)),
        ("omit", None) => OnIllFormed::Omit,
        ("escape", style) => OnIllFormed::Escape(match style {
            None | Some("hex") => ByteEscape::Hex,
            Some("percent") => ByteEscape::Percent,
            Some("angle") => ByteEscape::Angle,
            Some("octal") => ByteEscape::Octal,
            _ => return Err("expected hex, percent, angle or octal".to_string()),
        }),
        ("fallback", Some(name)) if !name.is_empty() => {
            OnIllFormed::Fallback(encoding_or_mapping(name, read)?)
        }
        ("fallback", _) => return Err("name the encoding to fall back to: fallback=ENC".to_string()),
        ("raw", None) => OnIllFormed::Raw,
        _ => OnIllFormed::Carry(carrier(mode, ILL_FORMED.iter(), |known| ill_formed(known, read).is_ok())?),
    })
}

/// Parses a mode for unmappable characters.
pub fn unmappable(mode: &str) -> Result<OnUnmappable, String> {
    unmappable_among(mode, UNMAPPABLE.iter())
}

/// Parses a mode for unmappable characters. A message about an unknown mode suggests modes of `modes`.
pub fn unmappable_among<'a>(
    mode: &str,
    modes: impl Iterator<Item = &'a Mode> + Clone,
) -> Result<OnUnmappable, String> {
    Ok(match split(mode) {
        ("stop", None) => OnUnmappable::Stop,
        ("replace", text) => OnUnmappable::Replace(text.map(str::to_string)),
        ("omit", None) => OnUnmappable::Omit,
        ("escape", style) => OnUnmappable::Escape(match style {
            None | Some("rust") => ScalarEscape::Rust,
            Some("json") => ScalarEscape::Json,
            Some("c") => ScalarEscape::C,
            Some("xml") => ScalarEscape::Xml,
            Some("html") => ScalarEscape::Html,
            Some("uplus") => ScalarEscape::UPlus,
            Some("percent") => ScalarEscape::Percent,
            _ => return Err("expected rust, json, c, xml, html, uplus or percent".to_string()),
        }),
        ("translit", None) => OnUnmappable::Translit(Box::new(OnUnmappable::Replace(None))),
        _ => OnUnmappable::Carry(carrier(mode, modes, |known| unmappable(known).is_ok())?),
    })
}

/// Parses the modes that carry bytes. Before another mode of `modes` is suggested, `is_valid` checks it.
fn carrier<'a>(
    mode: &str,
    modes: impl Iterator<Item = &'a Mode> + Clone,
    is_valid: impl Fn(&str) -> bool,
) -> Result<Carrier, String> {
    match mode {
        "surrogateescape" => Ok(Carrier::SurrogateEscape),
        "pua" => Ok(Carrier::Pua),
        "c8" => Ok(Carrier::C8),
        _ => {
            let suggestion = suggestion(mode, modes.clone(), is_valid);
            Err(format!("{suggestion}the modes are {}", sentence(modes)))
        }
    }
}

/// Words that other programs, such as Python, use for modes, and names of styles without their mode. Each row has such
/// words, and the equivalent modes of utfconv: the first that is valid for the kind of error is suggested.
const FOREIGN: &[(&str, &[&str])] = &[
    ("strict fail abort error halt none", &["stop"]),
    ("ignore discard skip drop remove delete strip suppress no", &["omit"]),
    ("substitute question question-mark ? subst", &["replace"]),
    ("translate transliterate approximate ascii unidecode", &["translit"]),
    ("backslashreplace backslash", &["escape"]),
    ("xmlcharrefreplace entities entity html", &["escape=html"]),
    ("namereplace uplus", &["escape=uplus"]),
    ("xml", &["escape=xml"]),
    ("json", &["escape=json"]),
    ("hex", &["escape=hex", "escape=xml"]),
    ("percent url urlencode", &["escape=percent"]),
    ("passthrough pass copy keep", &["raw"]),
];

/// Returns the valid mode that `mode` means in another program. The name of an encoding means a fallback to that
/// encoding.
fn foreign(mode: &str, is_valid: impl Fn(&str) -> bool) -> Option<String> {
    let word = mode.to_ascii_lowercase();
    let fallback = || Some(format!("fallback={mode}")).filter(|_| Encoding::for_name(mode).is_some());
    let rows = FOREIGN.iter().filter(|(words, _)| words.split(' ').any(|known| known == word));
    let mut known = rows.flat_map(|(_, known)| known.iter().map(ToString::to_string));
    known.find(|known| is_valid(known)).or_else(fallback).filter(|known| is_valid(known))
}

/// Returns a suggestion for an unknown mode, such as `did you mean pua? `, or an empty string if no valid mode is
/// similar.
fn suggestion<'a>(
    mode: &str,
    modes: impl Iterator<Item = &'a Mode>,
    is_valid: impl Fn(&str) -> bool,
) -> String {
    let typed = split(mode).0.to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(name, &typed);
    let near = modes.map(|mode| mode.name).filter(|name| *name != typed && likeness(name) > 0.8);
    let similar = near.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let similar = similar.filter(|known| is_valid(known)).map(ToString::to_string);
    let meant = foreign(mode, is_valid).or(similar);
    meant.map_or(String::new(), |known| format!("did you mean {known}? "))
}

/// Splits a mode such as `escape=hex` into its name and its value.
fn split(mode: &str) -> (&str, Option<&str>) {
    mode.split_once('=').map_or((mode, None), |(name, value)| (name, Some(value)))
}
