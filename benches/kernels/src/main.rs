//! Measures kernels in process: gigabytes of input per second of utfconv, simdutf, encoding_rs and std on real text.
//!
//! `cargo run --release --manifest-path benches/kernels/Cargo.toml -- --help` prints the usage. The contestants of a row
//! take turns many times, in one process and on one thread; the best run of each counts. Before the timing, the output of
//! each contestant is compared with the text as std encodes it.
//!
//! Every cell has two figures. "hot" converts 64 KiB of input repeatedly, which fit in the L2 cache together with the
//! output. "streamed" converts an input once that is larger than the caches.
//!
//! Exit status: 0 utfconv is as fast as [`GEOMETRIC_MEAN`] and [`LOWEST_CELL`] require, compared with simdutf; 1 it is
//! slower; 2 something failed.

mod buffer;
mod conversions;
mod options;
mod report;

use std::fs;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use buffer::Buffer;
use conversions::{CONVERSIONS, Contestant, Conversion, Run, encode};
use options::Options;
use report::{Cell, Report};
use utfconv_core::kernels::KernelSet;

/// Minimum geometric mean, over all cells, of utfconv's speed divided by simdutf's speed.
const GEOMETRIC_MEAN: f64 = 1.0;
/// Minimum of utfconv's speed divided by simdutf's speed in every cell.
const LOWEST_CELL: f64 = 0.8;

const TEXTS: [&str; 5] = ["en", "latin", "ru", "zh", "emoji"];
/// Names of the texts that ISO-8859-1 can encode.
const LATIN1_TEXTS: [&str; 2] = ["en", "latin"];

const HOT: usize = 64 << 10;
/// Bytes of space after the output, so that no kernel has to stop early for lack of space. encoding_rs needs more: space for
/// the longest possible output, which is twice the input.
const SLACK: usize = 256;

fn main() -> ExitCode {
    let done = Options::parse(std::env::args().skip(1))
        .and_then(|options| options.map_or(Ok(true), |o| measure(&o)));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("utfconv-kernels: {message}");
            ExitCode::from(2)
        }
    }
}

/// Measures all rows and prints them; returns whether utfconv is fast enough.
fn measure(options: &Options) -> Result<bool, String> {
    if let Some(name) = &options.kernel {
        KernelSet::for_name(name).map_err(|error| format!("--kernel {name}: {error}"))?.choose();
    }
    if let Some((who, times)) = &options.run {
        return run_alone(who, *times, options);
    }
    let mut report = Report::new(options.markdown);
    report.head(&[
        ("CPU", cpu()),
        ("utfconv", format!("{} (there are: {})", KernelSet::active().name(), all_kernels())),
        ("simdutf", simdutf_path()),
        ("hot", format!("{} KiB of input", HOT >> 10)),
        ("streamed", format!("{} MiB of input", options.streamed >> 20)),
    ]);
    for conversion in &CONVERSIONS {
        let texts = texts_of(conversion);
        let mut row = Vec::new();
        for &name in texts {
            if options.selects(conversion, name) {
                row.push((name, cells(conversion, name, options)?));
            }
        }
        if !row.is_empty() {
            report.row(conversion.name, &TEXTS, &row);
        }
    }
    report.sum_up(GEOMETRIC_MEAN, LOWEST_CELL).ok_or_else(|| "no row matches --rows".into())
}

/// Returns the names of the texts that both encodings of a conversion can encode.
fn texts_of(conversion: &Conversion) -> &'static [&'static str] {
    if conversion.is_of_latin1() { &LATIN1_TEXTS } else { &TEXTS }
}

/// Lets one contestant convert the hot input of each row `times` times, after checking its output. The difference between
/// two runs shows the number of instructions per conversion.
fn run_alone(who: &str, times: u32, options: &Options) -> Result<bool, String> {
    for conversion in &CONVERSIONS {
        for &name in texts_of(conversion).iter().filter(|name| options.selects(conversion, name)) {
            let text = text(name, options)?;
            let (source, expected) = input(conversion, &text, HOT)?;
            let mut sink = Buffer::zeroed(expected.len().max(2 * source.len()) + SLACK);
            let contestants = conversion.contestants()?;
            let Some(mut contestant) = contestants.into_iter().find(|contestant| contestant.name == who)
            else {
                return Err(format!("{}: {who} does not take part", conversion.name));
            };
            check(conversion, &mut contestant.run, &source, &mut sink, &expected)
                .map_err(|error| format!("{} {name}: {error}", conversion.name))?;
            for _ in 0..times {
                black_box((contestant.run)(black_box(source.bytes()), black_box(sink.bytes_mut())));
            }
            println!("{} {name} {}", conversion.name, source.len());
        }
    }
    Ok(true)
}

/// Reads a text by its name.
fn text(name: &str, options: &Options) -> Result<String, String> {
    let path = options.texts.join(format!("{name}.txt"));
    fs::read_to_string(&path).map_err(|error| {
        format!(
            "{}: {error}; `python3 benches/corpora.py {}` makes it",
            path.display(),
            options.texts.display()
        )
    })
}

/// Returns the hot and streamed speeds of all contestants on a text.
fn cells(
    conversion: &Conversion,
    name: &str,
    options: &Options,
) -> Result<Vec<(&'static str, Cell)>, String> {
    let text = text(name, options)?;
    let complaint = |error| format!("{} {name}: {error}", conversion.name);
    let hot = speeds(conversion, &text, HOT, options.hot_rounds, options.hot_trial).map_err(complaint)?;
    let streamed = speeds(conversion, &text, options.streamed, options.streamed_rounds, Duration::ZERO)
        .map_err(complaint)?;
    Ok(hot
        .into_iter()
        .zip(streamed)
        .map(|((who, hot), (_, streamed))| (who, Cell { hot, streamed }))
        .collect())
}

/// Returns the speeds of all contestants in gigabytes per second, on a text repeated to `size` bytes of input. Each
/// contestant runs `rounds` times, each time for at least `trial` and at least once.
fn speeds(
    conversion: &Conversion,
    text: &str,
    size: usize,
    rounds: usize,
    trial: Duration,
) -> Result<Vec<(&'static str, f64)>, String> {
    let (source, expected) = input(conversion, text, size)?;
    let mut sink = Buffer::zeroed(expected.len().max(2 * source.len()) + SLACK);
    let mut contestants = conversion.contestants()?;
    for Contestant { name, run } in &mut contestants {
        check(conversion, run, &source, &mut sink, &expected).map_err(|error| format!("{name}: {error}"))?;
    }
    drop(expected);

    let repeats: Vec<u32> = contestants
        .iter_mut()
        .map(|contestant| {
            let once = time(&mut contestant.run, &source, &mut sink, 1).max(Duration::from_nanos(1));
            trial.as_nanos().div_ceil(once.as_nanos()).clamp(1, 1_000_000) as u32
        })
        .collect();
    let mut best = vec![Duration::MAX; contestants.len()];
    for _ in 0..rounds {
        for (index, contestant) in contestants.iter_mut().enumerate() {
            let taken = time(&mut contestant.run, &source, &mut sink, repeats[index]);
            best[index] = best[index].min(taken);
        }
    }
    let rate = |taken: &Duration| source.len() as f64 / taken.as_secs_f64() / 1e9;
    Ok(contestants.iter().zip(&best).map(|(contestant, taken)| (contestant.name, rate(taken))).collect())
}

/// Returns the repeated text in the source encoding, and in the target encoding as the expected output.
fn input(conversion: &Conversion, text: &str, size: usize) -> Result<(Buffer, Vec<u8>), String> {
    let lacking = |encoding| move || format!("{encoding} lacks a character of the text");
    let whole = encode(text, conversion.from).ok_or_else(lacking(conversion.from))?;
    let target = encode(text, conversion.to).ok_or_else(lacking(conversion.to))?;
    // The end of the last, partial repetition is searched in the text and not in the bytes, so that both encodings end at
    // the same character.
    let (times, rest) = (size / whole.len(), size % whole.len());
    let mut end = text.len() * rest / whole.len();
    let tail = loop {
        end = text.floor_char_boundary(end);
        match encode(&text[..end], conversion.from) {
            Some(tail) if tail.len() <= rest => break tail,
            _ => end -= 1,
        }
    };
    let mut source = whole.repeat(times);
    source.extend(tail);
    let mut expected = target.repeat(times);
    expected.extend(encode(&text[..end], conversion.to).ok_or_else(lacking(conversion.to))?);
    Ok((Buffer::from(&source[..]), expected))
}

/// Checks that a contestant writes the expected output.
fn check(
    conversion: &Conversion,
    run: &mut Run,
    source: &Buffer,
    sink: &mut Buffer,
    expected: &[u8],
) -> Result<(), String> {
    sink.bytes_mut().fill(0xA5);
    let written = run(source.bytes(), sink.bytes_mut());
    if written != expected.len() {
        return Err(format!("{written} bytes, and not {}", expected.len()));
    }
    if conversion.is_validation() {
        return Ok(());
    }
    // `==` is fast, and its few instructions do not distort an instruction count.
    if sink.bytes()[..written] == *expected {
        return Ok(());
    }
    match sink.bytes().iter().zip(expected).position(|(is, should)| is != should) {
        Some(at) => Err(format!("another byte at {at}")),
        None => Ok(()),
    }
}

/// Returns the time of one run, as the mean of `repeats` runs in a row.
fn time(run: &mut Run, source: &Buffer, sink: &mut Buffer, repeats: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(run(black_box(source.bytes()), black_box(sink.bytes_mut())));
    }
    start.elapsed() / repeats
}

fn all_kernels() -> String {
    KernelSet::all().iter().map(|set| set.name()).collect::<Vec<_>>().join(", ")
}

fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or(std::env::consts::ARCH, |(_, name)| name).to_owned()
}

/// Returns the name of the implementation that simdutf selects. simdutf's C interface does not tell the name, so this
/// function repeats the selection. An implementation that is forced but unavailable converts nothing, and fails the
/// comparison of the output.
fn simdutf_path() -> String {
    if let Ok(forced) = std::env::var("SIMDUTF_FORCE_IMPLEMENTATION") {
        return format!("{forced}, forced");
    }
    #[cfg(target_arch = "x86_64")]
    let best = if is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
    {
        "icelake"
    } else if is_x86_feature_detected!("avx2") {
        "haswell"
    } else {
        "westmere or fallback"
    };
    #[cfg(not(target_arch = "x86_64"))]
    let best = "the one for this machine";
    best.to_owned()
}
