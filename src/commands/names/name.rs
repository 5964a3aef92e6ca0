//! Computes the new bytes of one name, or the reason why it cannot be converted.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};

use utfconv_core::{Encoding, InputBom, NormalizationForm, Options, OutputBom, UTF_8, convert};
use utfconv_detect::{Certainty, Detector, Hints, has_evident_utf8};
use utfconv_repair::{Repairer, Suspect};

use crate::files::system;
use crate::ui::names::either;
use crate::ui::quote::{fault, one_line};

/// Settings for the conversion of names.
#[derive(Clone, Debug)]
pub struct Rules {
    pub from: NameSource,
    pub to: &'static Encoding,
    pub form: Option<NameForm>,
    pub double_encoding: DoubleEncoding,
    /// Whether names that are well-formed UTF-8 are converted from the named encoding, too.
    pub again: bool,
    /// Minimum confidence of a detected encoding.
    pub least_certainty: Certainty,
}

/// How the encoding of the old names is known.
#[derive(Clone, Debug)]
pub enum NameSource {
    Named(&'static Encoding),
    /// The encoding is detected, for all names of a directory together.
    Detected(Hints),
}

/// How double-encoded names are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubleEncoding {
    /// Names are not searched for double encoding.
    Ignored,
    Reported,
    Undone,
}

/// The normalization form of new names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameForm {
    Unicode(NormalizationForm),
    /// The form of names on HFS+ of macOS: NFD, but symbols and compatibility characters are not decomposed.
    Mac,
}

impl NameForm {
    fn normalize(self, text: &str) -> Cow<'_, str> {
        match self {
            NameForm::Unicode(form) => form.normalize(text),
            NameForm::Mac => Cow::Owned(as_mac(text)),
        }
    }
}

/// Decomposes the characters that HFS+ decomposes.
fn as_mac(text: &str) -> String {
    let stays = |scalar: char| matches!(scalar, '\u{2000}'..='\u{2FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FAFF}');
    let mut mac = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|scalar| stays(scalar) != stays(first)).unwrap_or(rest.len());
        if stays(first) {
            mac.push_str(&rest[..end])
        } else {
            mac.push_str(&NormalizationForm::Nfd.normalize(&rest[..end]))
        }
        rest = &rest[end..];
    }
    mac
}

/// A new name for a file.
#[derive(Debug, PartialEq, Eq)]
pub struct NewName {
    pub name: OsString,
    /// The encoding of the old name.
    pub from: &'static Encoding,
}

/// The encoding of the non-UTF-8 names in one directory, or why that encoding is unknown.
pub type Legacy = Result<&'static Encoding, String>;

/// Evidence from the names of one directory.
pub struct Context {
    pub legacy: Legacy,
    /// Names that are proven to be double-encoded, with the original names.
    repaired: HashMap<String, String>,
    /// Names that may be double-encoded, with the probable original; `None` if bytes of the original are lost.
    doubtful: HashMap<String, Option<String>>,
    /// The encoding of names that a program for zip archives has read as IBM437.
    unpacked: Option<&'static Encoding>,
}

impl Context {
    /// Returns the encoding of a name that a program has read as IBM437.
    pub fn unpacked(&self, name: &OsStr) -> Option<&'static Encoding> {
        self.unpacked.filter(|_| as_ibm437(name.as_encoded_bytes()).is_some())
    }

    /// Whether a name, which is UTF-8, seems to be double-encoded and stays as it is.
    pub fn is_double_encoded(&self, name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| self.repaired.contains_key(name) || self.doubtful.contains_key(name))
    }

    /// Returns the probable original of a name that seems to be double-encoded; `None` for any other name, or if the
    /// original is lost.
    pub fn original(&self, name: &OsStr) -> Option<&str> {
        let name = name.to_str()?;
        self.repaired.get(name).or_else(|| self.doubtful.get(name)?.as_ref()).map(String::as_str)
    }
}

impl From<Legacy> for Context {
    fn from(legacy: Legacy) -> Context {
        Context { legacy, repaired: HashMap::new(), doubtful: HashMap::new(), unpacked: None }
    }
}

/// Number of bytes of text that are searched for double encoding at a time.
const WINDOW: usize = 1 << 20;

/// Whether file names can be in `encoding`: it must be stateless, byte-based, and not EBCDIC.
pub fn is_for_names(encoding: &Encoding) -> bool {
    encoding.is_of_bytes() && !encoding.is_ebcdic()
}

impl Rules {
    /// Collects evidence from all names of a directory.
    pub fn context<'a>(&self, names: impl Iterator<Item = &'a [u8]> + Clone) -> Context {
        let mut context = Context::from(self.detect(names.clone()));
        if self.double_encoding != DoubleEncoding::Ignored {
            self.find_double_encoded(names.clone(), &mut context);
            context.unpacked = unpacked(names);
        }
        context
    }

    /// Detects the encoding of the names that are not UTF-8, from all names of a directory together.
    fn detect<'a>(&self, names: impl Iterator<Item = &'a [u8]>) -> Legacy {
        let hints = match &self.from {
            NameSource::Named(encoding) => return Ok(encoding),
            NameSource::Detected(hints) => hints,
        };
        let (mut detector, mut has_legacy) = (Detector::new(hints.clone()), false);
        for name in names {
            let is_legacy = !is_utf8(name);
            // UTF-8 names are no evidence for the encoding of the other names. ASCII names may show the language.
            if is_legacy || name.is_ascii() {
                has_legacy |= is_legacy;
                detector.feed(name);
                // Separate names with spaces, because newlines would be evidence of an operating system.
                detector.feed(b" ");
            }
        }
        if !has_legacy {
            return Ok(&UTF_8);
        }
        let found = detector.finish();
        let is_possible = |encoding: &&Encoding| encoding.code_unit_len() == 1 && **encoding != UTF_8;
        let Some(encoding) = found.encoding.filter(is_possible) else {
            return Err(
                "the encoding of the names in this directory cannot be detected; name it with -f".into()
            );
        };
        if found.certainty < self.least_certainty {
            let alternatives = found.alternatives.iter().copied().take(2);
            let names: Vec<_> = std::iter::once(encoding.name()).chain(alternatives).collect();
            let (text, certainty) = (either(&names), found.certainty.word());
            return Err(format!(
                "the names in this directory may be in {text}; name the encoding with -f, or use --min-certainty={certainty}"
            ));
        }
        Ok(encoding)
    }

    /// Finds double-encoded names. All names are searched together, because names are evidence for each other.
    fn find_double_encoded<'a>(&self, names: impl Iterator<Item = &'a [u8]>, context: &mut Context) {
        let Context { legacy, repaired, doubtful, .. } = context;
        let texts = names.filter_map(|name| decoded(name, self.source(name, legacy).ok()?).ok());
        let mut texts = texts.filter(|text| !text.is_ascii() && !text.contains('\n')).peekable();
        let mut repairer = Repairer::new();
        while texts.peek().is_some() {
            let mut window = String::new();
            while window.len() < WINDOW
                && let Some(text) = texts.next()
            {
                window.extend([text.as_str(), "\n"]);
            }
            let found = repairer.next(&window);
            if self.double_encoding == DoubleEncoding::Undone {
                doubtful.extend(doubtful_lines(&window, &found.suspects));
            }
            let now = found.applied(&window);
            if window.lines().count() == now.lines().count() {
                let changed = window.lines().zip(now.lines()).filter(|(old, new)| old != new);
                repaired.extend(changed.map(|(old, new)| (old.to_string(), new.to_string())));
            }
        }
    }

    /// Returns the new name; `None` if the name stays. Fails with the reason if the name cannot be converted.
    pub fn change(&self, name: &[u8], context: &Context) -> Result<Option<NewName>, String> {
        let source = self.source(name, &context.legacy)?;
        if !self.again && has_evident_utf8(name, source) {
            let what = if is_utf8(name) { "UTF-8, not" } else { "partly UTF-8, not only" };
            return Err(format!("name: it is {what} {}; use mv to rename it", source.name()));
        }
        let new = self.converted(name, source, context)?;
        if new == name {
            return Ok(None);
        }
        refuse_impossible(&new)?;
        Ok(Some(NewName { name: to_name(new)?, from: source }))
    }

    /// Returns the encoding of `name`, or why that encoding is unknown.
    fn source(&self, name: &[u8], legacy: &Legacy) -> Legacy {
        match &self.from {
            NameSource::Detected(_) if is_utf8(name) => Ok(&UTF_8),
            NameSource::Named(_) if self.is_done(name) => Ok(&UTF_8),
            _ => legacy.clone(),
        }
    }

    /// True if a name is in the output encoding already, because the output is UTF-8, and the name is non-ASCII UTF-8,
    /// which is improbable in the named encoding.
    fn is_done(&self, name: &[u8]) -> bool {
        let NameSource::Named(from) = self.from else { return false };
        !self.again && self.to == &UTF_8 && !is_of_utf8(from) && !name.is_ascii() && is_utf8(name)
    }

    /// Converts a name from the encoding `from`, whether or not the name changes.
    fn converted(&self, name: &[u8], from: &'static Encoding, context: &Context) -> Result<Vec<u8>, String> {
        let repairs = self.double_encoding == DoubleEncoding::Undone;
        if self.form.is_none() && !repairs {
            return transcoded(name, from, self.to);
        }
        let text = decoded(name, from)?;
        let repaired = context.repaired.get(&text).filter(|_| repairs);
        let text = repaired.unwrap_or(&text);
        let text = self.form.map_or(Cow::Borrowed(text.as_str()), |form| form.normalize(text));
        transcoded(text.as_bytes(), &UTF_8, self.to)
    }
}

fn decoded(name: &[u8], from: &'static Encoding) -> Result<String, String> {
    transcoded(name, from, &UTF_8).map(|text| String::from_utf8_lossy(&text).into_owned())
}

fn transcoded(bytes: &[u8], from: &'static Encoding, to: &'static Encoding) -> Result<Vec<u8>, String> {
    let options = Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never);
    match convert(bytes, from, to, &options) {
        Ok(converted) => Ok(converted.output),
        Err(stopped) => Err(format!("name: {}", one_line(&fault(&stopped.fault)))),
    }
}

/// Returns the lines that have suspicious text, each with its probable original; `None` if bytes of the original are
/// lost.
fn doubtful_lines(window: &str, suspects: &[Suspect]) -> HashMap<String, Option<String>> {
    let start_of_line =
        |suspect: &Suspect| window[..suspect.range.start].rfind('\n').map_or(0, |end| end + 1);
    let lines = suspects.chunk_by(|one, other| start_of_line(one) == start_of_line(other));
    let was = |start: usize, line: &str, suspects: &[Suspect]| {
        let (mut was, mut at) = (String::new(), start);
        for Suspect { range, was: text, .. } in suspects {
            was += window.get(at..range.start)?;
            was += text.as_ref()?;
            at = range.end;
        }
        Some(was + window.get(at..start + line.len())?)
    };
    let line = |suspects: &[Suspect]| {
        let start = start_of_line(suspects.first()?);
        let line = window[start..].lines().next()?;
        Some((line.to_string(), was(start, line, suspects)))
    };
    lines.filter_map(line).collect()
}

/// Returns the encoding in which the names probably were before a program for zip archives read them as IBM437. Returns
/// `None` if the encoding is uncertain, or if the names look right, because names in a language of IBM437 have few
/// signs and box-drawing characters.
fn unpacked<'a>(names: impl Iterator<Item = &'a [u8]>) -> Option<&'static Encoding> {
    let (mut detector, mut count, mut odd) = (Detector::new(Hints::default()), 0, 0);
    for name in names {
        let Some(bytes) = as_ibm437(name) else { continue };
        count += 1;
        odd += usize::from(String::from_utf8_lossy(name).contains(is_sign_of_ibm437));
        detector.feed(&bytes);
        detector.feed(b" ");
    }
    let found = (3 * odd >= count && odd > 0).then(|| detector.finish())?;
    let is_far = |encoding: &&Encoding| ZIP.contains(&encoding.name());
    found.encoding.filter(is_far).filter(|_| found.certainty >= Certainty::Likely)
}

/// Encodings in which names look plainly wrong if a program for zip archives reads them as IBM437.
const ZIP: [&str; 6] = ["windows-31j", "GB18030", "Big5", "CP949", "EUC-KR", "IBM866"];

/// Returns the bytes of a name in IBM437; `None` if the name is ASCII or not UTF-8, or if IBM437 lacks a character of
/// the name.
fn as_ibm437(name: &[u8]) -> Option<Vec<u8>> {
    if name.is_ascii() || !is_utf8(name) {
        return None;
    }
    transcoded(name, &UTF_8, Encoding::for_name("IBM437")?).ok()
}

/// True if a character of IBM437 is rare in file names: box-drawing characters, mathematical and other signs, and Greek
/// letters.
fn is_sign_of_ibm437(scalar: char) -> bool {
    matches!(scalar, '\u{370}'..='\u{3FF}' | '\u{2200}'..='\u{25FF}' | '«' | '»' | '¿' | '¡' | '¬' | '¼' | '½' | '¥' | '₧' | 'ƒ')
}

fn is_utf8(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok()
}

/// Whether an encoding is UTF-8 or a variant of UTF-8.
fn is_of_utf8(encoding: &Encoding) -> bool {
    encoding.name().starts_with("UTF-8")
}

/// Fails if no system allows the file name `name`.
fn refuse_impossible(name: &[u8]) -> Result<(), String> {
    Err(match name {
        b"" => "the new name would be empty",
        b"." | b".." => "the new name would be that of a directory link, . or ..",
        _ if name.contains(&b'/') => "the new name would contain a slash",
        _ if name.contains(&0) => "the new name would contain NUL",
        _ => return Ok(()),
    }
    .to_string())
}

/// File name of a manifest that no user named.
pub const MANIFEST_NAME: &str = ".utfconv-names-manifest";

/// Temporary name of a symbolic link that is about to replace another link.
pub const TEMPORARY_LINK: &str = ".utfconv-names-link";

/// Converts bytes to a name. Fails if the system requires Unicode and the bytes are not UTF-8.
pub fn to_name(bytes: Vec<u8>) -> Result<OsString, String> {
    system::name_of(bytes).ok_or_else(|| "names are Unicode here".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(from: &str, to: &str) -> Rules {
        let encoding = |name| Encoding::for_name(name).expect("an encoding");
        let from = match from {
            "auto" => NameSource::Detected(Hints::default()),
            name => NameSource::Named(encoding(name)),
        };
        Rules {
            from,
            to: encoding(to),
            form: None,
            double_encoding: DoubleEncoding::Ignored,
            again: false,
            least_certainty: Certainty::Likely,
        }
    }

    #[track_caller]
    fn changed(rules: &Rules, name: &[u8]) -> Result<Option<NewName>, String> {
        rules.change(name, &rules.context([name].into_iter()))
    }

    #[test]
    fn a_name_becomes_another() {
        let latin1 = rules("latin1", "UTF-8");
        assert_eq!(
            changed(&latin1, b"caf\xE9"),
            Ok(Some(NewName { name: "café".into(), from: Encoding::for_name("latin1").expect("one") }))
        );
        assert_eq!(changed(&latin1, b"cafe"), Ok(None));
        assert_eq!(changed(&latin1, "café".as_bytes()), Ok(None));
        let again = Rules { again: true, ..latin1 };
        assert!(matches!(changed(&again, "é".as_bytes()), Ok(Some(new)) if new.name == "Ã©"));
        let utf8 = rules("UTF-8", "UTF-8");
        assert!(
            matches!(changed(&utf8, b"a\xFF"), Err(why) if why.starts_with("name: invalid UTF-8 (never-used byte) at byte 1"))
        );
        let ascii = rules("UTF-8", "US-ASCII");
        assert!(matches!(changed(&ascii, "a€".as_bytes()), Err(why) if why.contains("cannot be encoded")));
    }

    #[test]
    fn impossible_names_are_refused() {
        // In IBM037, byte 61 is a slash and byte 4B a full stop.
        let ebcdic = rules("IBM037", "UTF-8");
        for (name, part) in [(&b"\x81\x61\x82"[..], "slash"), (b"\x4B", ". or .."), (b"\x4B\x4B", ". or ..")]
        {
            assert!(matches!(changed(&ebcdic, name), Err(why) if why.contains(part)), "{name:?}");
        }
    }

    #[test]
    fn forms_are_those_of_the_systems() {
        let form = |form| Rules { form: Some(form), ..rules("UTF-8", "UTF-8") };
        let nfd = form(NameForm::Unicode(NormalizationForm::Nfd));
        let mac = form(NameForm::Mac);
        let context = Context::from(Ok(&UTF_8));
        assert_eq!(
            nfd.converted("é\u{212B}豈".as_bytes(), &UTF_8, &context),
            Ok("e\u{301}A\u{30A}豈".into())
        );
        assert_eq!(
            mac.converted("é\u{212B}豈".as_bytes(), &UTF_8, &context),
            Ok("e\u{301}\u{212B}豈".into())
        );
    }
}
