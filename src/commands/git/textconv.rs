//! `textconv`: prints a file as UTF-8, so that people can compare versions. Never fails because of the content of the
//! file.

use std::io::{self, Read};

use utfconv_core::{
    Encoding, InputBom, More, OnIllFormed, Options, OutputBom, Policy, StreamError, Transcoder, UTF_8,
    convert_stream,
};
use utfconv_detect::{Certainty, Hints, is_mostly_utf8};

use super::likeness::{Likeness, Mistakable};
use super::plan::TextconvPlan;
use crate::files::checksum::checksum;
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::{Input, Mapping};
use crate::text::auto::{self, NotFound, Unknown};
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::modes::Source;

const WHO: Dialect = Dialect::Utfconv;

/// Number of bytes read and written at a time.
const BUFFER: usize = 64 << 10;

/// Carries out `plan`.
pub fn run(plan: &TextconvPlan) -> Exit {
    let input = Input::new(plan.file.clone());
    match print(plan, &input) {
        Ok(()) => Exit::Success,
        Err(StreamError::Read(error)) => Exit::report_failure(WHO, &WHO.no_input(&input.shown(), &error)),
        Err(StreamError::Write(error)) => Exit::report_failure(WHO, &WHO.write_error(STDOUT_NAME, &error)),
    }
}

fn print(plan: &TextconvPlan, input: &Input) -> Result<(), StreamError> {
    let mut opened = input.open().map_err(StreamError::Read)?;
    let is_detected = matches!(plan.from, Source::Detected(_));
    let detected = match &plan.from {
        Source::Named(name) => Ok(name.encoding),
        Source::Detected(candidates) => {
            let hints = Hints::default().candidates(candidates.clone());
            auto::find(&mut opened, input.name(), &hints, None, Certainty::Guess)
                .map_err(StreamError::Read)?
        }
    };
    // The whole file is read, because detection depends on its end too.
    let mut content = Vec::new();
    let mut reader = opened.reader(Mapping::Never, BUFFER, &input.shown());
    reader.read_to_end(&mut content).map_err(StreamError::Read)?;
    let mut sink = Sink::stdout().map_err(StreamError::Write)?;
    let shown = match detected {
        Ok(_) if is_detected && is_mostly_utf8(&content) => show(&content, &UTF_8, plan, &mut sink),
        Ok(encoding) => show(&content, encoding, plan, &mut sink),
        Err(NotFound { cause: Unknown::Binary, .. }) => {
            let text = format!("binary, {} bytes, checksum {:016x}\n", content.len(), checksum(&content));
            io::Write::write_all(&mut sink, text.as_bytes()).map_err(StreamError::Write)
        }
        Err(_) => show(&content, &UTF_8, plan, &mut sink),
    };
    shown.and_then(|()| sink.commit().map_err(StreamError::Write))
}

/// Writes a text as UTF-8, with U+FFFD for ill-formed sequences.
fn show(
    content: &[u8],
    encoding: &'static Encoding,
    plan: &TextconvPlan,
    sink: &mut Sink,
) -> Result<(), StreamError> {
    let mistakable = Mistakable::in_text_of(encoding, plan.ebcdic_newline);
    // Some versions of the file may be converted to UTF-8 already.
    let encoding = if Likeness::of(content).is_rather_utf8(mistakable) { &UTF_8 } else { encoding };
    let read_as = InputBom::Sniff.read_as(encoding, &content[..content.len().min(4)]);
    let options = Options::default()
        .input_bom(InputBom::Strip)
        .output_bom(OutputBom::Never)
        .ebcdic_newline(plan.ebcdic_newline)
        .policy(Policy::default().ill_formed(OnIllFormed::Replace(None)));
    let mut transcoder = Transcoder::new(read_as, &UTF_8, options);
    convert_stream(&mut { content }, sink, &mut transcoder, &mut [0; BUFFER], |_| More::Count)
}
