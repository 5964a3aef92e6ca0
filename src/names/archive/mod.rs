//! Lists the names in archives, decoded, from their headers alone. Nothing is unpacked.

mod raw_name;
mod tar;
mod zip;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};

use serde::Serialize;
use utfconv_core::{Encoding, UTF_8};

use self::raw_name::{Broken, Each, Origin, RawName};
use super::name::{Context, Detection, Rules, to_name};
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::refuse_directory;
use crate::ui::exit::Exit;
use crate::ui::json::{Path, to_json};
use crate::ui::options::ReportFormat;
use crate::ui::personality::Personality;
use crate::ui::quote::{counted, quoted, reason};

/// Whether this is a file whose names can be listed.
pub fn is_archive(path: &OsStr) -> bool {
    // A FIFO would wait to be opened.
    let open = || {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((File::open(path).ok()?, metadata.len()))
    };
    open().is_some_and(|(mut file, len)| Kind::of(&mut file, len).is_ok())
}

/// Lists the names in `paths`; prints them and all messages.
pub fn list(paths: &[OsString], rules: &Rules, format: ReportFormat) -> Exit {
    let who = Personality::Utfconv;
    let fail = |error: &io::Error| Exit::report_failure(who, &who.write_error(STDOUT_NAME, error));
    let mut out = match Sink::stdout() {
        Ok(out) => out,
        Err(error) => return fail(&error),
    };
    let mut exit = Exit::Success;
    for path in paths {
        let mut listing = Listing { path, rules, format, out: &mut out, undecodable: 0 };
        let name = quoted(path);
        let (text, end) = match listing.list() {
            Ok(()) if listing.undecodable == 0 => continue,
            Ok(()) => {
                let names = counted(listing.undecodable, "name");
                (format!("{name}: {names} cannot be decoded"), Exit::Fault)
            }
            Err(Broken::Headers(at, why)) => {
                (format!("{name}: invalid archive at byte {at}: {why}"), Exit::Fault)
            }
            Err(Broken::Read(error)) => (format!("{name}: {}", reason(&error)), Exit::Failure),
            Err(Broken::Write(error)) => return fail(&error),
        };
        who.report(&text);
        exit = exit.max(end);
    }
    out.commit().map_or_else(|error| fail(&error), |()| exit)
}

/// The line of a name in JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename = "entry")]
struct Entry<'a> {
    archive: Path<'a>,
    /// Null if it cannot be decoded.
    name: Option<&'a str>,
    bytes: Path<'a>,
    encoding: Option<&'a str>,
    source: Origin,
}

/// The listing of one archive.
struct Listing<'a> {
    path: &'a OsStr,
    rules: &'a Rules,
    format: ReportFormat,
    out: &'a mut Sink,
    undecodable: u64,
}

impl Listing<'_> {
    fn list(&mut self) -> Result<(), Broken> {
        let mut file = File::open(self.path)?;
        let metadata = file.metadata()?;
        refuse_directory(&metadata)?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file; archives are read in any order").into());
        }
        let kind = Kind::of(&mut file, metadata.len())?;
        let mut detection = Detection::new(self.rules, "archive");
        if detection.is_needed() {
            // Errors in the headers are reported by the second reading, which ends at the same byte.
            let detected = kind.visit(&mut file, &mut |name| {
                if name.origin == Origin::Header {
                    detection.feed(&name.bytes);
                }
                Ok(())
            });
            match detected {
                Ok(()) | Err(Broken::Headers(..)) => {}
                Err(other) => return Err(other),
            }
        }
        let context = Context::from(detection.finish());
        if let Err(reason) = &context.legacy {
            Personality::Utfconv.report(&format!("{}: {reason}", quoted(self.path)));
        }
        kind.visit(&mut file, &mut |name| self.show(name, &context))
    }

    fn show(&mut self, name: RawName, context: &Context) -> Result<(), Broken> {
        let (decoded, encoding) = self.decoded(&name, context);
        let line = match self.format {
            ReportFormat::Json => {
                let bytes = to_name(name.bytes).unwrap_or_default();
                to_json(&Entry {
                    archive: Path(self.path),
                    name: decoded.as_deref(),
                    bytes: Path(&bytes),
                    encoding: encoding.map(Encoding::name),
                    source: name.origin,
                }) + "\n"
            }
            ReportFormat::Text => {
                let shown = decoded.map_or_else(|| to_name(name.bytes).unwrap_or_default(), OsString::from);
                quoted(&shown) + "\n"
            }
        };
        self.out.write_all(line.as_bytes()).map_err(Broken::Write)
    }

    /// Returns the decoded name and its encoding; neither if it cannot be decoded, which is counted and reported.
    fn decoded(&mut self, name: &RawName, context: &Context) -> (Option<String>, Option<&'static Encoding>) {
        let encoding = match (name.origin, &context.legacy) {
            (Origin::Header, _) if self.rules.is_detected() && std::str::from_utf8(&name.bytes).is_ok() => {
                &UTF_8
            }
            (Origin::Header, Ok(encoding)) => encoding,
            (Origin::Header, Err(_)) => {
                self.undecodable += 1;
                return (None, None);
            }
            _ => &UTF_8,
        };
        match self.rules.converted(&name.bytes, encoding, context) {
            Ok(text) => (Some(String::from_utf8_lossy(&text).into_owned()), Some(encoding)),
            Err(why) => {
                let shown = quoted(&to_name(name.bytes.clone()).unwrap_or_default());
                Personality::Utfconv.report(&format!("{}: {shown}: {why}", quoted(self.path)));
                self.undecodable += 1;
                (None, None)
            }
        }
    }
}

/// Why a zip archive without a central directory cannot be read.
const CUT_OFF: &str = "the central directory is not there; the file is cut off or damaged";

/// The kinds of archives.
enum Kind {
    Zip(zip::Directory),
    Tar,
}

impl Kind {
    fn of(file: &mut File, len: u64) -> Result<Kind, Broken> {
        let mut head = Vec::new();
        file.take(tar::BLOCK as u64).read_to_end(&mut head)?;
        const COMPRESSED: [&[u8]; 5] = [b"\x1F\x8B", b"BZh", b"\xFD7zXZ\0", b"\x28\xB5\x2F\xFD", b"\x1F\x9D"];
        if COMPRESSED.iter().any(|magic| head.starts_with(magic)) {
            return Err(io::Error::other("compressed; decompress it first").into());
        }
        if tar::is_header(&head) {
            return Ok(Kind::Tar);
        }
        match zip::Directory::find(file, len)? {
            Some(directory) => Ok(Kind::Zip(directory)),
            None if head.len() == tar::BLOCK && head.iter().all(|byte| *byte == 0) => Ok(Kind::Tar),
            None if head.starts_with(zip::FILE) => Err(Broken::Headers(len, CUT_OFF)),
            None => Err(io::Error::other("not a zip or tar archive").into()),
        }
    }

    /// Calls `each` for each name, in the order of the headers.
    fn visit(&self, file: &mut File, each: &mut Each) -> Result<(), Broken> {
        match self {
            Kind::Zip(directory) => directory.visit(file, each),
            Kind::Tar => {
                file.seek(SeekFrom::Start(0))?;
                tar::visit(file, each)
            }
        }
    }
}
