//! Command-line options of the benchmark.

use std::path::PathBuf;
use std::time::Duration;

use regex_lite::Regex;

use crate::conversions::Conversion;

const HELP: &str = "\
usage: utfconv-kernels [OPTIONS] [DIRECTORY]

Measures the kernels of utfconv on the texts in DIRECTORY [target/texts], which benches/corpora.py makes.

  --kernel NAME   force the kernels of utfconv with that name
  --rows REGEX    only the rows that match, such as 'utf8->utf16le (en|zh)'
  --quick         short: for a look, not for figures
  --markdown      print Markdown
  --run WHO=N     measure nothing: WHO (utfconv, simdutf ...) converts 64 KiB N times in each row, for instructions.py

The environment variable SIMDUTF_FORCE_IMPLEMENTATION (icelake, haswell, westmere, fallback) forces those of simdutf.";

pub struct Options {
    pub kernel: Option<String>,
    pub rows: Regex,
    pub markdown: bool,
    /// Contestant that runs without being measured, and the number of its runs.
    pub run: Option<(String, u32)>,
    pub texts: PathBuf,
    /// Bytes of input for the figure "streamed".
    pub streamed: usize,
    pub hot_rounds: usize,
    pub hot_trial: Duration,
    pub streamed_rounds: usize,
}

impl Options {
    /// Returns whether the row of a conversion is selected for a text.
    pub fn selects(&self, conversion: &Conversion, text: &str) -> bool {
        self.rows.is_match(&format!("{} {text}", conversion.name))
    }

    /// Parses the arguments; `None` if they asked for help, which is then printed.
    pub fn parse(args: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options = Options {
            kernel: None,
            rows: Regex::new("").expect("valid"),
            markdown: false,
            run: None,
            texts: "target/texts".into(),
            streamed: 64 << 20,
            hot_rounds: 25,
            hot_trial: Duration::from_micros(500),
            streamed_rounds: 7,
        };
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match &arg[..] {
                "--kernel" => options.kernel = Some(value()?),
                "--rows" => {
                    options.rows = Regex::new(&value()?).map_err(|error| format!("--rows: {error}"))?
                }
                "--markdown" => options.markdown = true,
                "--run" => {
                    let value = value()?;
                    let (who, times) = value.split_once('=').ok_or("--run needs WHO=N")?;
                    let times = times.parse().map_err(|error| format!("--run: {error}"))?;
                    options.run = Some((who.to_owned(), times));
                }
                "--quick" => {
                    options.streamed = 16 << 20;
                    options.hot_rounds = 5;
                    options.hot_trial = Duration::from_micros(100);
                    options.streamed_rounds = 2;
                }
                "-h" | "--help" => {
                    println!("{HELP}");
                    return Ok(None);
                }
                _ if arg.starts_with('-') => return Err(format!("there is no option {arg}")),
                _ => options.texts = arg.into(),
            }
        }
        Ok(Some(options))
    }
}
