//! Writes encodings as mapping files, for other programs and for this library.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::decode::{Decode, Next};
use crate::encode::Encode;
use crate::encoding::Encoding;
use crate::form::Form;
use crate::legacy::Code;
use crate::newline::EbcdicNewline;

/// The form of a mapping file. See [`Encoding::to_mapping`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MappingFormat {
    /// A charmap of POSIX, as glibc uses. Codes for two characters, and characters that are written as the code of
    /// another character, become comments, because charmaps cannot express them.
    Charmap,
    /// A .ucm file of ICU.
    Ucm,
}

/// Why an encoding cannot be written as a mapping file. See [`Encoding::to_mapping`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// The encoding is a form of Unicode, which has rules instead of a table.
    Unicode,
    /// The encoding has shift states that the format cannot describe.
    Stateful,
    /// The encoding has shifts, which only .ucm files can describe.
    Shifts,
    /// The encoding combines codes that are characters by themselves.
    Composing,
    /// The text would be longer than 16 MiB.
    TooLong,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ExportError::Unicode => "it has rules, and no table",
            ExportError::Stateful => "it has states that this format cannot describe",
            ExportError::Shifts => "it has shifts, which charmaps cannot describe; use the format ucm",
            ExportError::Composing => "it combines codes that are characters by themselves",
            ExportError::TooLong => "the text would have more than 16 MiB; use the format charmap",
        })
    }
}

impl std::error::Error for ExportError {}

/// The entries of a mapping file.
struct Table {
    /// Codes in ascending order, with the characters that each code is read as, and whether these characters are
    /// written as the code.
    codes: Vec<(Code, Vec<u32>, bool)>,
    /// Code points that are written as a code, but not read from it.
    written: Vec<(Code, u32)>,
}

impl Encoding {
    /// Writes the encoding as a mapping file that [`Encoding::from_mapping`] can read.
    ///
    /// # Errors
    /// If the encoding has no table, or a table that the format cannot describe.
    ///
    /// ```
    /// use utfconv_core::{Encoding, MappingFormat, UTF_8, encodings::KOI8_R};
    ///
    /// let text = KOI8_R.to_mapping(MappingFormat::Charmap)?;
    /// assert!(text.contains("<U042F>     /xf1\n"));
    /// let again = Encoding::from_mapping("mine", text.as_bytes())?;
    /// assert_eq!(again.to_mapping(MappingFormat::Charmap)?.replace("mine", "KOI8-R"), text);
    /// assert!(UTF_8.to_mapping(MappingFormat::Charmap).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_mapping(&self, format: MappingFormat) -> Result<String, ExportError> {
        let has_shifts = match self.form() {
            Form::Page(page) if page.has_composites() => return Err(ExportError::Composing),
            Form::Page(_) | Form::Latin1 | Form::Ascii | Form::MultiByte(_) => false,
            Form::Web(_) if !self.is_stateful() => false,
            Form::Host(_) if format == MappingFormat::Ucm => true,
            Form::Host(_) => return Err(ExportError::Shifts),
            _ if self.is_stateful() => return Err(ExportError::Stateful),
            _ => return Err(ExportError::Unicode),
        };
        let table = Table::of(self.form(), has_shifts);
        let mut text = String::new();
        match format {
            MappingFormat::Charmap => table.charmap(self.name(), &mut text),
            MappingFormat::Ucm => table.ucm(self.name(), has_shifts, &mut text),
        }
        .expect("a string has room");
        if text.len() > Encoding::LONGEST_MAPPING { Err(ExportError::TooLong) } else { Ok(text) }
    }
}

impl Table {
    /// Returns all entries of a form.
    fn of(form: Form, has_shifts: bool) -> Table {
        let mut table = Table { codes: Vec::new(), written: Vec::new() };
        let newline = EbcdicNewline::Nel;
        let mut decoder = form.decoder(newline);
        let mut encoder = form.encoder(newline);
        if has_shifts {
            table.read(&mut *decoder, &mut *encoder, &mut Vec::new(), 1);
            let shift = decoder.next(&[SHIFT_OUT], false);
            debug_assert_eq!(shift, Next::Shift { len: 1 });
            decoder.commit();
        }
        table.read(&mut *decoder, &mut *encoder, &mut Vec::new(), 4);
        table.codes.sort_unstable();
        table.codes.dedup_by_key(|(code, ..)| *code);
        let last = if matches!(form, Form::Page(_)) { '\u{FFFF}' } else { char::MAX };
        for character in '\0'..=last {
            let scalar = u32::from(character);
            let Some(code) = written(&mut *encoder, &[scalar]) else { continue };
            let read = table.codes.binary_search_by_key(&code, |(code, ..)| *code);
            if read.is_ok_and(|at| table.codes[at].1 != [scalar]) {
                table.written.push((code, scalar));
            }
        }
        table
    }

    /// Collects the codes that begin with `bytes` and have up to `most` more bytes.
    fn read(&mut self, decoder: &mut dyn Decode, encoder: &mut dyn Encode, bytes: &mut Vec<u8>, most: usize) {
        for byte in 0..=0xFF {
            bytes.push(byte);
            let scalars = match decoder.next(bytes, false) {
                Next::Scalar { code_point, len } if len == bytes.len() => vec![code_point],
                Next::Several { code_points, len } if len == bytes.len() => code_points.to_vec(),
                Next::Incomplete if most > 1 => {
                    self.read(decoder, encoder, bytes, most - 1);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            if let Some(code) = Code::new(bytes).filter(|_| !scalars.is_empty()) {
                let is_written = written(encoder, &scalars) == Some(code);
                self.codes.push((code, scalars, is_written));
            }
            bytes.pop();
        }
    }

    fn lengths(&self) -> (usize, usize) {
        let lengths = || self.codes.iter().map(|(code, ..)| code.len());
        (lengths().min().unwrap_or(1), lengths().max().unwrap_or(1))
    }

    fn charmap(&self, name: &str, out: &mut String) -> fmt::Result {
        let (min, max) = self.lengths();
        writeln!(out, "<code_set_name> {name}\n<comment_char> %\n<escape_char> /")?;
        writeln!(out, "<mb_cur_min> {min}\n<mb_cur_max> {max}\n\nCHARMAP")?;
        let mut rest = self.codes.as_slice();
        while let [(code, scalars, is_written), ..] = rest {
            let run = run_len(rest);
            let names: String = scalars.iter().map(|scalar| uxxxx(*scalar)).collect();
            let comment = match (scalars.len(), is_written) {
                (2.., _) => "%",
                (_, false) => "%IRREVERSIBLE%",
                _ => "",
            };
            let range =
                if run > 1 { format!("..{}", uxxxx(scalars[0] + run as u32 - 1)) } else { String::new() };
            writeln!(out, "{comment}{names}{range}     {}", escaped(code, '/'))?;
            rest = &rest[run..];
        }
        for (code, scalar) in &self.written {
            writeln!(out, "% written only: {}     {}", uxxxx(*scalar), escaped(code, '/'))?;
        }
        writeln!(out, "END CHARMAP")
    }

    fn ucm(&self, name: &str, has_shifts: bool, out: &mut String) -> fmt::Result {
        let (min, max) = self.lengths();
        let class = match max {
            _ if has_shifts => "EBCDIC_STATEFUL",
            1 => "SBCS",
            _ => "MBCS",
        };
        writeln!(out, "<code_set_name> \"{name}\"\n<mb_cur_max> {max}\n<mb_cur_min> {min}")?;
        let substitute = escaped(&self.substitute(has_shifts), '\\');
        writeln!(out, "<uconv_class> \"{class}\"\n<subchar> {substitute}")?;
        match class {
            "SBCS" => {}
            "MBCS" => self.states(out)?,
            _ => out.push_str(SHIFT_STATES),
        }
        writeln!(out, "\nCHARMAP")?;
        for (code, scalars, is_written) in &self.codes {
            let names: String = scalars.iter().map(|scalar| uxxxx(*scalar)).collect();
            let precision = if *is_written { 0 } else { 3 };
            writeln!(out, "{names} {} |{precision}", escaped(code, '\\'))?;
        }
        for (code, scalar) in &self.written {
            writeln!(out, "{} {} |1", uxxxx(*scalar), escaped(code, '\\'))?;
        }
        writeln!(out, "END CHARMAP")
    }

    /// Returns the code that other converters write for unmappable characters: the code of SUBSTITUTE, or of a question
    /// mark.
    fn substitute(&self, has_shifts: bool) -> Code {
        let singles = self.codes.iter().filter(|(code, ..)| code.len() == 1);
        let of = |scalar: u32| {
            singles.clone().find(|(_, scalars, _)| *scalars == [scalar]).map(|(code, ..)| *code)
        };
        let any = if has_shifts { Code::single(0x6F) } else { Code::single(0x3F) };
        of(0x1A).or_else(|| of(0x3F)).unwrap_or(any)
    }

    /// Writes the table of states that ICU needs for codes of several bytes.
    fn states(&self, out: &mut String) -> fmt::Result {
        let mut states: Vec<String> = vec![String::new()];
        let rests = self.codes.iter().map(|(code, scalars, _)| (code.bytes(), scalars[0] > 0xFFFF));
        states[0] = state(rests, &mut states);
        for state in states {
            writeln!(out, "<icu:state> {state}")?;
        }
        Ok(())
    }
}

/// The rest of a code, and whether its character needs a surrogate pair.
type Rest<'a> = (&'a [u8], bool);

/// Returns the state in which the rests of codes are read, as a line. Adds the states of their later bytes to `states`.
fn state<'a>(rests: impl Iterator<Item = Rest<'a>>, states: &mut Vec<String>) -> String {
    let mut by_byte: BTreeMap<u8, Vec<Rest>> = BTreeMap::new();
    for (rest, is_pair) in rests {
        by_byte.entry(rest[0]).or_default().push((&rest[1..], is_pair));
    }
    // A byte that may end a code with a surrogate pair is marked in a state that has such codes.
    let has_pairs = by_byte.values().flatten().any(|(rest, is_pair)| rest.is_empty() && *is_pair);
    let mut ranges: Vec<(u8, u8, String)> = Vec::new();
    for (byte, rests) in by_byte {
        let target = match rests.first() {
            Some(([], _)) | None => if has_pairs { ".p" } else { "" }.to_string(),
            Some(_) => {
                let line = state(rests.into_iter(), states);
                let known = states.iter().skip(1).position(|state| *state == line).map(|at| at + 1);
                let at = known.unwrap_or_else(|| {
                    states.push(line);
                    states.len() - 1
                });
                format!(":{at:x}")
            }
        };
        match ranges.last_mut() {
            Some((_, last, known)) if *last + 1 == byte && *known == target => *last = byte,
            _ => ranges.push((byte, byte, target)),
        }
    }
    let ranges = ranges.into_iter().map(|(first, last, target)| {
        if first == last { format!("{first:x}{target}") } else { format!("{first:x}-{last:x}{target}") }
    });
    ranges.collect::<Vec<_>>().join(", ")
}

/// The states of single bytes, and of codes of two bytes between SO and SI, as ICU's own files define them.
const SHIFT_STATES: &str = "\
<icu:state> 0-ff, e:1.s, f:0.s
<icu:state> initial, 0-3f:4, e:1.s, f:0.s, 40:3, 41-fe:2, ff:4
<icu:state> 0-40:1.i, 41-fe:1., ff:1.i
<icu:state> 0-ff:1.i, 40:1.
<icu:state> 0-ff:1.i
";

const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// Returns the code that an encoder writes for `scalars` alone, without shifts, or `None` if the encoder lacks one of
/// them.
fn written(encoder: &mut dyn Encode, scalars: &[u32]) -> Option<Code> {
    let mut bytes = Vec::new();
    let has_all = scalars.iter().all(|scalar| encoder.encode(*scalar, &mut bytes));
    encoder.finish(&mut bytes);
    let code = match bytes.as_slice() {
        [SHIFT_OUT, code @ .., SHIFT_IN] if !code.is_empty() => code,
        code => code,
    };
    Code::new(code).filter(|_| has_all)
}

/// Returns how many of the first codes form a range of a charmap: one, or more than three.
fn run_len(codes: &[(Code, Vec<u32>, bool)]) -> usize {
    let (first, scalars, is_written) = &codes[0];
    let [scalar] = scalars[..] else { return 1 };
    let continues = |(more, (code, scalars, written)): (u8, &(Code, Vec<u32>, bool))| {
        first.plus(more) == Some(*code) && scalars[..] == [scalar + u32::from(more)] && written == is_written
    };
    let run = (0..=0xFF).zip(codes).take_while(|one| continues(*one)).count();
    if run > 3 && first.len() > 1 { run } else { 1 }
}

/// Returns the name of a character in charmaps.
fn uxxxx(scalar: u32) -> String {
    if scalar > 0xFFFF { format!("<U{scalar:08X}>") } else { format!("<U{scalar:04X}>") }
}

fn escaped(code: &Code, escape: char) -> String {
    code.bytes().iter().map(|byte| format!("{escape}x{byte:02x}")).collect()
}
