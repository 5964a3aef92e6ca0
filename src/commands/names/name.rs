//! One name: its new bytes, or why it has none.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};

use utfconv_core::{Encoding, InputBom, NormalizationForm, Options, OutputBom, UTF_8, convert};
use utfconv_detect::has_evident_utf8;
use utfconv_detect::{Certainty, Detector, Hints};
use utfconv_repair::{Repairer, Suspect};

use crate::files::system;
use crate::ui::names::either;
use crate::ui::quote::{fault, one_line};

/// How names are converted.
#[derive(Clone, Debug)]
pub struct Rules {
    pub from: NameSource,
    pub to: &'static Encoding,
    pub form: Option<NameForm>,
    pub double_encoding: DoubleEncoding,
    /// Names that are well-formed UTF-8 are converted from the named encoding too.
    pub again: bool,
    /// Guesses of the detector count.
    pub least_certainty: Certainty,
}

/// The encoding that names are in.
#[derive(Clone, Debug)]
pub enum NameSource {
    Named(&'static Encoding),
    /// It is detected, for all names of a directory together.
    Detected(Hints),
}

/// What is done about names that are double-encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubleEncoding {
    /// They are not looked for.
    Ignored,
    Reported,
    Undone,
}

/// The normalization form of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameForm {
    Unicode(NormalizationForm),
    /// The form that HFS+ of macOS gives names: NFD, except for symbols and compatibility characters.
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

/// Decomposes what HFS+ decomposes.
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

/// The encoding of the names of one directory that are not UTF-8; or why it is not known.
pub type Legacy = Result<&'static Encoding, String>;

/// Evidence from the names of one directory.
pub struct Context {
    pub legacy: Legacy,
    /// Names that are double-encoded, and the original names.
    repaired: HashMap<String, String>,
    /// Names that seem to be double-encoded, without proof, and what they may have been; None if bytes of that are lost.
    doubtful: HashMap<String, Option<String>>,
}

impl Context {
    /// Whether a name, which is UTF-8, seems to be double-encoded and stays as it is.
    pub fn is_double_encoded(&self, name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| self.repaired.contains_key(name) || self.doubtful.contains_key(name))
    }

    /// What a name that seems to be double-encoded probably was.
    pub fn original(&self, name: &OsStr) -> Option<&str> {
        let name = name.to_str()?;
        self.repaired.get(name).or_else(|| self.doubtful.get(name)?.as_ref()).map(String::as_str)
    }
}

impl From<Legacy> for Context {
    fn from(legacy: Legacy) -> Context {
        Context { legacy, repaired: HashMap::new(), doubtful: HashMap::new() }
    }
}

/// How much text is examined for double encoding at a time.
const WINDOW: usize = 1 << 20;

/// Whether names in an encoding may be on a disk: bytes without shift states.
pub fn is_for_names(encoding: &Encoding) -> bool {
    encoding.is_of_bytes() && !encoding.is_ebcdic()
}

impl Rules {
    /// Examines all names of a directory together.
    pub fn context<'a>(&self, names: impl Iterator<Item = &'a [u8]> + Clone) -> Context {
        let mut context = Context::from(self.detect(names.clone()));
        if self.double_encoding != DoubleEncoding::Ignored {
            self.find_double_encoded(names, &mut context);
        }
        context
    }

    /// Detects the encoding of the names of a directory that are not UTF-8, from all of them together.
    fn detect<'a>(&self, names: impl Iterator<Item = &'a [u8]>) -> Legacy {
        let hints = match &self.from {
            NameSource::Named(encoding) => return Ok(encoding),
            NameSource::Detected(hints) => hints,
        };
        let (mut detector, mut has_legacy) = (Detector::new(hints.clone()), false);
        for name in names {
            let is_legacy = !is_utf8(name);
            // Names in UTF-8 are no evidence for the encoding of the others. ASCII names may show the language.
            if is_legacy || name.is_ascii() {
                has_legacy |= is_legacy;
                detector.feed(name);
                // Newlines would be evidence of a system.
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

    /// Finds names that are double-encoded. They are evidence for each other.
    fn find_double_encoded<'a>(&self, names: impl Iterator<Item = &'a [u8]>, context: &mut Context) {
        let Context { legacy, repaired, doubtful } = context;
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

    /// Returns the new name, if it changes, and the encoding of the old one; or why there is none.
    pub fn change(
        &self,
        name: &[u8],
        context: &Context,
    ) -> Result<Option<(OsString, &'static Encoding)>, String> {
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
        Ok(Some((to_name(new)?, source)))
    }

    /// Returns the encoding of a name, or why it is not known.
    fn source(&self, name: &[u8], legacy: &Legacy) -> Legacy {
        match &self.from {
            NameSource::Detected(_) if is_utf8(name) => Ok(&UTF_8),
            NameSource::Named(_) if self.is_done(name) => Ok(&UTF_8),
            _ => legacy.clone(),
        }
    }

    /// Whether a name is in the output encoding already: it is UTF-8, with characters that the other encoding hardly has.
    fn is_done(&self, name: &[u8]) -> bool {
        let NameSource::Named(from) = self.from else { return false };
        !self.again && self.to == &UTF_8 && !is_of_utf8(from) && !name.is_ascii() && is_utf8(name)
    }

    /// Returns the name in the output encoding, whatever it is.
    pub fn converted(
        &self,
        name: &[u8],
        from: &'static Encoding,
        context: &Context,
    ) -> Result<Vec<u8>, String> {
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

/// Returns the lines that have suspicious text, and what they may have been; None if bytes of that are lost.
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

fn is_utf8(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok()
}

/// Whether an encoding is UTF-8 or one of its relatives.
fn is_of_utf8(encoding: &Encoding) -> bool {
    encoding.name().starts_with("UTF-8")
}

/// Fails if no file can have that name on any system.
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

/// The name of a manifest that no user named.
pub const MANIFEST_NAME: &str = ".utfconv-names-manifest";

/// The temporary name of a link that takes the place of another.
pub const TEMPORARY_LINK: &str = ".utfconv-names-link";

/// Makes a name of bytes, where the system can have it.
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
    fn changed(rules: &Rules, name: &[u8]) -> Result<Option<(OsString, &'static Encoding)>, String> {
        rules.change(name, &rules.context([name].into_iter()))
    }

    #[test]
    fn a_name_becomes_another() {
        let latin1 = rules("latin1", "UTF-8");
        assert_eq!(
            changed(&latin1, b"caf\xE9"),
            Ok(Some(("café".into(), Encoding::for_name("latin1").expect("one"))))
        );
        assert_eq!(changed(&latin1, b"cafe"), Ok(None));
        assert_eq!(changed(&latin1, "café".as_bytes()), Ok(None));
        let again = Rules { again: true, ..latin1 };
        assert!(matches!(changed(&again, "é".as_bytes()), Ok(Some((new, _))) if new == "Ã©"));
        let utf8 = rules("UTF-8", "UTF-8");
        assert!(
            matches!(changed(&utf8, b"a\xFF"), Err(why) if why.starts_with("name: invalid UTF-8 (never-used byte) at byte 1"))
        );
        let ascii = rules("UTF-8", "US-ASCII");
        assert!(matches!(changed(&ascii, "a€".as_bytes()), Err(why) if why.contains("cannot be encoded")));
    }

    #[test]
    fn impossible_names_are_refused() {
        // 61 is a slash there, 4B a dot.
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
