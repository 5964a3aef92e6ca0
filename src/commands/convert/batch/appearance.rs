//! Decides what a file seems to be, by comparing its content with the encoding that is given for it.

use std::fs::File;
use std::io;

use utfconv_core::{Encoding, OnIllFormed, UTF_8, utf8_well_formed_up_to};
use utfconv_detect::{differs_from_utf8, is_mostly_utf8, may_be_wide, scheme};

use crate::batch::Job;
use crate::commands::convert::options::{BinaryFiles, Scope};
use crate::commands::convert::plan::ConvertPlan;
use crate::files::binary::{self, Seen};
use crate::files::source::Opened;
use crate::files::stdio::each_chunk;
use crate::text::detected::detect_in;
use crate::text::misfit::{Misfit, Named, Reach};
use crate::ui::quote::as_argument;

/// What a file seems to be.
pub enum Appearance {
    AsNamed,
    /// The file is in the output encoding already; read in this encoding, it keeps its text.
    Already(&'static Encoding),
    /// The file is binary, for this reason.
    Binary(String),
    /// Only a part of the file is UTF-8; the string describes the part.
    Partly(String),
    /// The file is in another encoding, or perhaps in the output encoding; the string says which.
    Other(String),
}

/// An open file, which is compared with the encoding that is given.
pub struct OpenFile<'a> {
    pub plan: &'a ConvertPlan,
    pub job: &'a Job,
    pub opened: Opened,
    /// First bytes of the file, as many as detection sniffs, or all.
    pub head: Vec<u8>,
    pub is_in_place: bool,
}

impl OpenFile<'_> {
    /// Compares what the file seems to be with the given encoding.
    pub fn appearance(&self) -> io::Result<Appearance> {
        let OpenFile { plan, ref opened, ref head, .. } = *self;
        // A file with records has binary data, the lengths of the records, so only a file of lines is looked for.
        if plan.text.records.is_some() {
            return self.without_records();
        }
        let may_be_binary = plan.files.binary != BinaryFiles::Convert;
        let seen = binary::seen(opened.file(), head, plan.from, may_be_binary)?;
        if let Seen::Format(why) = seen {
            return Ok(Appearance::Binary(why));
        }
        // A detected encoding needs no comparison.
        let Some(from) = plan.from else { return Ok(Appearance::AsNamed) };
        let (to, may_be_done, is_found) = (plan.to, !plan.files.reconvert, self.job.is_found());
        let other = |like, bom| Appearance::Other(self.looks_like(like, bom, from));
        Ok(match seen {
            // A file with a BOM is read as the BOM requires.
            Seen::Looks { like, bom } if may_be_done && to.includes_scheme(like) => {
                Appearance::Already(if bom > 0 { to } else { like })
            }
            // Read as named, a file in UTF-16LE would keep the BOM as text.
            Seen::Looks { like, bom } if is_found => other(like, bom),
            Seen::Odd(why) if is_found => Appearance::Binary(why),
            _ if may_be_done && from.code_unit_len() == 1 && may_be_wide(head, to) => {
                Appearance::Other(format!(
                    "may be {} already (it contains control characters that text does not have); use --reconvert to convert it \
                 from {}",
                    to.name(),
                    from.name()
                ))
            }
            Seen::Odd(why) => Appearance::Binary(why),
            Seen::Looks { like, bom } if !plan.files.force && binary::oddity(head, from).is_some() => {
                other(like, bom)
            }
            _ if (to == &UTF_8 || is_found) && self.is_utf8_already(from)? => {
                if to == &UTF_8 {
                    Appearance::Already(&UTF_8)
                } else {
                    other(&UTF_8, 0)
                }
            }
            _ if plan.files.force => Appearance::AsNamed,
            _ => self.misfit(from)?,
        })
    }

    /// Checks whether a file that should have records has lines of UTF-8.
    fn without_records(&self) -> io::Result<Appearance> {
        let is_utf8 = match self.plan.from {
            Some(from) if self.plan.to == &UTF_8 => self.is_utf8_already(from)?,
            _ => false,
        };
        let text = "seems to be UTF-8 already, without records; use --reconvert to convert it";
        Ok(if is_utf8 { Appearance::Other(text.to_string()) } else { Appearance::AsNamed })
    }

    /// True if the file is UTF-8, although it should be in another encoding, and is not to be converted again.
    fn is_utf8_already(&self, from: &Encoding) -> io::Result<bool> {
        Ok(!self.plan.files.reconvert
            && differs_from_utf8(from)
            && is_utf8(self.opened.file(), &self.head, from)?)
    }

    /// Checks whether and how a file contradicts the given encoding.
    fn misfit(&self, from: &'static Encoding) -> io::Result<Appearance> {
        let OpenFile { plan, job, ref opened, ref head, .. } = *self;
        let (policy, len) = (&plan.options.policy.ill_formed, opened.range().map_or(0, |range| range.end));
        let may_be_done = !plan.files.reconvert && differs_from_utf8(from);
        let reach = if may_be_done { Reach::Whole } else { Reach::WholeExceptUtf8 };
        let misfit = Named { file: opened.file(), len, head, from }.misfit(policy, reach)?;
        let loses = matches!(policy, OnIllFormed::Replace(_) | OnIllFormed::Omit);
        let (name, file) = (from.name(), as_argument(job.path()));
        let partly = |how_much: &str| {
            Appearance::Partly(format!(
                "it is {how_much}; see 'utfconv repair {file}', or use --force to convert all of it from {name}"
            ))
        };
        Ok(match misfit {
            Some(Misfit::NoText) => Appearance::Other(format!(
                "does not look like {name}; see 'utfconv detect {file}', or use --force to convert it"
            )),
            Some(Misfit::Ascii(part)) => Appearance::Partly(format!(
                "{part}, not {name}; use --range to convert each part, or --force to convert all of it"
            )),
            Some(Misfit::Misread(misread)) => {
                let repair = misread.repair(job.path().as_os_str());
                Appearance::Partly(format!("{misread}; use {repair}; --force converts it as it is"))
            }
            Some(Misfit::Utf8(mixed)) if may_be_done => match self.detected_other()? {
                // A file that is detected as another encoding has the bytes of UTF-8 by chance.
                Some(like) if like != from => Appearance::Other(self.looks_like(like, 0, from)),
                _ => partly(&format!("UTF-8 in {mixed}")),
            },
            None if may_be_done && plan.to == &UTF_8 && is_mostly_utf8(head) => partly("UTF-8 with errors"),
            // The policy omits or replaces ill-formed bytes, so much of a file in another encoding would be lost.
            None if from == &UTF_8 && loses => match self.detected_other()? {
                Some(like) => {
                    let looks = self.looks_like(like, 0, from);
                    Appearance::Other(format!("{looks}, or --force to lose what is not UTF-8"))
                }
                None => Appearance::AsNamed,
            },
            _ => Appearance::AsNamed,
        })
    }

    /// Returns the message that a file, which may begin with a BOM, is in another encoding than the named encoding.
    fn looks_like(&self, like: &'static Encoding, bom: usize, from: &Encoding) -> String {
        let (options, from) = (self.plan.reading(like, bom > 0), from.name());
        let auto = if self.plan.scope == Scope::Encoding { " or -f auto" } else { "" };
        format!("looks like {}, not {from}; use {options}{auto}", scheme(like, bom).name())
    }

    /// Returns the encoding other than UTF-8 in which the file is, if detection is sure enough to act on.
    fn detected_other(&self) -> io::Result<Option<&'static Encoding>> {
        let range = self.opened.range().unwrap_or(0..0);
        let hints = &self.plan.encodings.hints;
        let detected = detect_in(self.opened.file(), range, &self.job.key.name, hints)?;
        Ok(detected.other_than_utf8())
    }
}

/// True if `file`, which begins with `head` and should be in `from`, is UTF-8. Text in other encodings is well-formed
/// UTF-8 only by rare chance, or if it is all ASCII.
fn is_utf8(file: &File, head: &[u8], from: &Encoding) -> io::Result<bool> {
    // In EBCDIC, the bytes of lowercase ASCII letters are punctuation.
    let small = head.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let may_be_ascii = !from.is_ascii_compatible() && 4 * small >= head.len().max(1);
    let (mut cut, mut is_ascii, mut is_utf8) = (Vec::new(), true, true);
    each_chunk(file, 0..u64::MAX, |chunk, is_last| {
        is_ascii &= chunk.is_ascii();
        let bytes = [&cut, chunk].concat();
        // The end of a chunk may cut a sequence.
        cut = bytes[utf8_well_formed_up_to(&bytes)..].to_vec();
        is_utf8 = cut.is_empty() || cut.len() <= 3 && !is_last;
        Ok(is_utf8)
    })?;
    Ok(is_utf8 && (!is_ascii || may_be_ascii))
}
