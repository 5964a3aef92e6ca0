//! Measures the time of one call for texts of 20 B, 200 B, 4 KB and 1 MB, in utfconv, encoding_rs, simdutf and std, in one
//! process.
//!
//! Each cell is utfconv's time divided by the time of the fastest rival for the same text and result. `--rows TEXT` selects
//! the rows with TEXT in their names. Exits with 1 if a limit is exceeded.

mod rows;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Lengths of the sources in bytes.
const SIZES: [usize; 4] = [20, 200, 4 << 10, 1 << 20];

/// Maximum ratio of one cell, by length of the source. A cell whose rival takes less than [`TINY`] may take [`MORE`] longer.
const CELL: [f64; 4] = [1.5, 1.3, 1.1, 1.1];
const MEAN: [f64; 4] = [f64::INFINITY, 1.0, 0.8, 0.8];

/// If the rival takes less than this many nanoseconds, utfconv may take [`MORE`] nanoseconds longer.
const TINY: f64 = 20.0;
const MORE: f64 = 15.0;

/// A conversion by one library. Returns the length of the output, so that the compiler does not remove the conversion.
type Call<'a> = Box<dyn FnMut() -> usize + 'a>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let wanted =
        arguments.iter().position(|argument| argument == "--rows").and_then(|at| arguments.get(at + 1));
    println!("| | {} |", SIZES.map(size_name).join(" | "));
    println!("|---|{}", "--:|".repeat(SIZES.len()));
    let mut ratios: [Vec<f64>; 4] = Default::default();
    let mut failures = Vec::new();
    for row in rows::all().iter().filter(|row| wanted.is_none_or(|wanted| row.name.contains(wanted.as_str())))
    {
        let mut cells = Vec::new();
        for (column, size) in SIZES.into_iter().enumerate() {
            let text = row.text(size);
            let [ours, theirs] = measure((row.ours)(&text), (row.theirs)(&text));
            let ratio = ours / theirs;
            ratios[column].push(ratio);
            if ratio > CELL[column] && !(theirs < TINY && ours < theirs + MORE) {
                failures.push(format!(
                    "{}, {}: {ratio:.2} ({ours:.0} ns, {theirs:.0} ns)",
                    row.name,
                    size_name(size)
                ));
            }
            cells.push(if size <= 200 { format!("{ratio:.2} ({ours:.0})") } else { format!("{ratio:.2}") });
        }
        println!("| {} | {} |", row.name, cells.join(" | "));
    }
    let means = ratios
        .each_ref()
        .map(|ratios| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp());
    println!("| geometric mean | {} |", means.map(|mean| format!("{mean:.2}")).join(" | "));
    for (mean, (limit, size)) in means.into_iter().zip(MEAN.into_iter().zip(SIZES)) {
        if mean > limit {
            failures.push(format!("mean of {}: {mean:.2}", size_name(size)));
        }
    }
    failures.iter().for_each(|failure| println!("above the limit: {failure}"));
    ExitCode::from(u8::from(!failures.is_empty()))
}

fn size_name(size: usize) -> String {
    match size {
        0..1024 => format!("{size} B"),
        1024..0x10_0000 => format!("{} KB", size >> 10),
        _ => format!("{} MB", size >> 20),
    }
}

/// Returns the nanoseconds of one call of each library: the minimum of several rounds, in which the libraries take turns.
fn measure<'a>(mut ours: Call<'a>, mut theirs: Call<'a>) -> [f64; 2] {
    assert_eq!(ours(), theirs(), "both convert to the same length");
    let mut calls = 1_u32;
    while time(&mut ours, calls) < Duration::from_micros(300) {
        calls *= 2;
    }
    let mut least = [f64::INFINITY; 2];
    for _ in 0..15 {
        for (least, call) in least.iter_mut().zip([&mut ours, &mut theirs]) {
            *least = least.min(time(call, calls).as_nanos() as f64 / f64::from(calls));
        }
    }
    least
}

fn time(call: &mut Call<'_>, calls: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call());
    }
    start.elapsed()
}
