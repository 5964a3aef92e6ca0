//! `git-filter`: serves one run of git, and reports the files that it does not convert.

use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::sync::Arc;

use utfconv_core::FaultKind;

use super::conversion::{Conversion, Done, Refused};
use super::plan::{FilterPlan, Side};
use super::protocol::{Direction, ProtocolError, Request, Response, read_request, shake_hands};
use crate::files::repository::{Listing, Repositories, Wanted};
use crate::files::sink::STDOUT_NAME;
use crate::files::{paths, stdio};
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::quote::{as_argument, quoted, reason};

const WHO: Dialect = Dialect::Utfconv;

/// Number of bytes read and written at a time.
const BUFFER: usize = 128 << 10;

/// Maximum number of warnings that are printed one by one.
const MOST_WARNINGS: u64 = 100;

/// Carries out `plan`: converts the files that git sends, until git ends.
pub fn run(plan: &FilterPlan) -> Exit {
    let (input, output) = match (stdio::stdin(), stdio::stdout()) {
        (Ok(input), Ok(output)) => (input, output),
        (Err(error), _) => return fail(&ProtocolError::Read(error)),
        (_, Err(error)) => return fail(&ProtocolError::Write(error)),
    };
    let mut source = BufReader::with_capacity(BUFFER, input);
    let mut sink = BufWriter::with_capacity(BUFFER, output);
    let conversion = Conversion::new(plan);
    let mut index = Index::default();
    let mut reports = Reports { name: plan.name(), side: plan.side, refused: 0, warnings: 0 };
    let mut serve = || -> Result<(), ProtocolError> {
        shake_hands(&mut source, &mut sink)?;
        while let Some(request) = read_request(&mut source)? {
            let mut response = Response::new(&mut sink);
            let result = convert(&conversion, &request, &mut index, &mut response);
            let is_done = result.is_ok();
            reports.take(&request, result)?;
            response.end(is_done).map_err(ProtocolError::Write)?;
        }
        Ok(())
    };
    let served = serve();
    reports.end();
    match served {
        Ok(()) if reports.refused > 0 => Exit::Fault,
        Ok(()) => Exit::Success,
        Err(error) => fail(&error),
    }
}

fn convert(
    conversion: &Conversion,
    request: &Request,
    index: &mut Index,
    response: &mut Response<impl std::io::Write>,
) -> Result<Done, Refused> {
    let content = request.content.as_deref().ok_or(Refused::TooLarge)?;
    match request.direction {
        Direction::Clean => conversion.clean(content, &mut || index.read(&request.path), response),
        Direction::Smudge => conversion.smudge(content, response),
    }
}

/// The versions of files in the index, which do not change while git waits for the filter. git runs the filter in the
/// top directory of the work tree.
#[derive(Default)]
struct Index(Option<Arc<Listing>>);

impl Index {
    /// Returns the version of a file in the index; `None` if there is none. `path` is the path that git sent.
    fn read(&mut self, path: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let listing = match self.0.take() {
            Some(listing) => listing,
            None => {
                let top = Path::new(".").canonicalize().map_err(|error| reason(&error))?;
                Repositories::default().listing(&top, &Wanted { tracked: true, ..Wanted::default() })?
            }
        };
        let listing = self.0.insert(listing);
        let Some(object) = listing.object(Path::new(&paths::name_of(path))) else { return Ok(None) };
        let mut content = Vec::new();
        listing.copy(object, &mut content).map_err(|error| reason(&error))?;
        Ok(Some(content))
    }
}

fn fail(error: &ProtocolError) -> Exit {
    let text = match error {
        ProtocolError::Read(error) => WHO.read_error("standard input", error),
        ProtocolError::Write(error) => WHO.write_error(STDOUT_NAME, error),
        ProtocolError::Malformed(text) => format!(
            "git-filter: standard input is not git's filter protocol: {text}; git runs this command by filter.NAME.process, not by .clean and .smudge"
        ),
    };
    Exit::report_failure(WHO, &text)
}

/// Reports the files that were refused or not converted.
struct Reports {
    /// The name of the encoding that is not UTF-8.
    name: String,
    side: Side,
    refused: u64,
    warnings: u64,
}

impl Reports {
    fn take(&mut self, request: &Request, result: Result<Done, Refused>) -> Result<(), ProtocolError> {
        let name = &self.name;
        let path = paths::name_of(&request.path);
        let refused = match result {
            Ok(Done::Converted) => return Ok(()),
            Ok(Done::Unchanged) => {
                self.warnings += 1;
                if self.warnings <= MOST_WARNINGS {
                    let (is, wanted) = match self.side {
                        Side::WorkTree => (&**name, "UTF-8"),
                        Side::Repository => ("UTF-8", &**name),
                    };
                    WHO.report(&format!(
                        "{}: warning: in {is} in the repository, too: not converted; use git add --renormalize {} to store {wanted}",
                        quoted(&path),
                        as_argument(&path)
                    ));
                }
                return Ok(());
            }
            Err(Refused::Write(error)) => return Err(ProtocolError::Write(error)),
            Err(refused) => refused,
        };
        self.refused += 1;
        let is_decoded = (request.direction == Direction::Clean) == (self.side == Side::WorkTree);
        let to = if is_decoded { "UTF-8" } else { name.as_str() };
        let advice = advice(self.side, request.direction, &refused, name, &as_argument(&path));
        WHO.report(&format!("{}: not converted to {to}: {refused}{advice}", quoted(&path)));
        Ok(())
    }

    fn end(&self) {
        if self.warnings > MOST_WARNINGS {
            let more = self.warnings - MOST_WARNINGS;
            WHO.report(&format!("warning: {more} more files in the repository were not converted"));
        }
    }
}

/// Returns the advice for a refused file.
fn advice(side: Side, direction: Direction, refused: &Refused, name: &str, argument: &str) -> String {
    match (direction, refused) {
        (Direction::Clean, Refused::LooksUtf8) => {
            format!("; use 'utfconv -t {name} -i {argument}' to convert it, or --force")
        }
        (Direction::Clean, Refused::Fault(fault))
            if side == Side::Repository && matches!(fault.kind, FaultKind::IllFormed { .. }) =>
        {
            format!("; if it is {name}, use 'utfconv -f {name} -i {argument}' to convert it")
        }
        // The text was encoded twice.
        (Direction::Clean, Refused::WouldLookUtf8) if side == Side::Repository => format!(
            "; use 'utfconv repair --from-rev {argument}' to see whether a program damaged it, or --force to store it"
        ),
        (_, Refused::WouldLookUtf8) => "; use --force to convert it".to_string(),
        (_, Refused::Nul) => "; give it the attribute -filter, or use --force".to_string(),
        (Direction::Clean, Refused::Inexact { offset: 0 })
            if name.starts_with("UTF-16") || name.starts_with("UTF-32") =>
        {
            "; its BOM does not match the encoding of the filter".to_string()
        }
        _ => String::new(),
    }
}
