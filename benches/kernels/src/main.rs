//! Kernels in process: gigabytes of input per second of utfconv, simdutf, encoding_rs and std, on real text.
//!
//! `cargo run --release --manifest-path benches/kernels/Cargo.toml -- --help` says how to run it. All contestants of a
//! row take turns, many times, in one process and on one thread; what counts is the best run of each. What each of
//! them writes is compared with the text as std encodes it, once, before any of them is timed.
//!
//! Every cell has two figures: "hot" is 64 KiB of input over and over, which stay in the L2 cache together with their
//! output, and "streamed" reads an input once that is larger than the caches.
//!
//! Exit status: 0 utfconv keeps up with simdutf, as [`GEOMETRIC_MEAN`] and [`LOWEST_CELL`] have it; 1 it does not;
//! 2 something failed.

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

/// What the geometric mean over all cells of our speed by simdutf's has to be at least.
const GEOMETRIC_MEAN: f64 = 1.0;
/// What it has to be at least in every cell.
const LOWEST_CELL: f64 = 0.8;

const TEXTS: [&str; 5] = ["en", "latin", "ru", "zh", "emoji"];
/// The texts that ISO-8859-1 can hold.
const LATIN1_TEXTS: [&str; 2] = ["en", "latin"];

const HOT: usize = 64 << 10;
/// Room after the output, so that no kernel has to stop early for want of it. encoding_rs wants more, for the longest
/// output that there could be: twice the input.
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

/// Measures all rows and prints them; whether utfconv keeps up.
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

/// The texts that both encodings of a conversion have.
fn texts_of(conversion: &Conversion) -> &'static [&'static str] {
    if conversion.is_of_latin1() { &LATIN1_TEXTS } else { &TEXTS }
}

/// Has one contestant convert the hot input of each row so many times, once its output is as it should be. Whatever counts
/// instructions sees their number per conversion in the difference of two such runs.
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

/// A text by its name.
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

/// The speeds of all contestants on a text, hot and streamed.
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

/// The speeds of all contestants on as much of a text, over and over, as makes up to `size` bytes of input, in
/// gigabytes per second. Each runs `rounds` times for at least as long as `trial`, and at least once.
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

/// The text over and over, in the encoding it comes in and in the one it shall be in.
fn input(conversion: &Conversion, text: &str, size: usize) -> Result<(Buffer, Vec<u8>), String> {
    let lacking = |encoding| move || format!("{encoding} lacks a character of the text");
    let whole = encode(text, conversion.from).ok_or_else(lacking(conversion.from))?;
    let target = encode(text, conversion.to).ok_or_else(lacking(conversion.to))?;
    // The part of the text that is left for the last time is found in the scalar values, not in the bytes.
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

/// Whether a contestant writes what it should.
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
    // This comparison is short where instructions are counted.
    if sink.bytes()[..written] == *expected {
        return Ok(());
    }
    match sink.bytes().iter().zip(expected).position(|(is, should)| is != should) {
        Some(at) => Err(format!("another byte at {at}")),
        None => Ok(()),
    }
}

/// The time of one run, out of so many in a row.
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

/// The implementation that simdutf uses. It does not say so through its C interface: this repeats how it chooses. One
/// that was forced and that it does not have converts nothing, and fails the comparison of the output.
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
