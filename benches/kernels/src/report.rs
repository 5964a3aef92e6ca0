//! Prints the table, with a line for each contestant and a column for each text.

/// Gigabytes of input per second.
#[derive(Clone, Copy)]
pub struct Cell {
    pub hot: f64,
    pub streamed: f64,
}

const OURS: &str = "utfconv";
const RIVAL: &str = "simdutf";

pub struct Report {
    markdown: bool,
    has_header: bool,
    /// For each cell, utfconv's speed divided by the rival's, and the cell's name.
    ratios: Vec<(f64, String)>,
}

impl Report {
    pub fn new(markdown: bool) -> Report {
        Report { markdown, has_header: false, ratios: Vec::new() }
    }

    pub fn head(&self, facts: &[(&str, String)]) {
        for (name, fact) in facts {
            println!("{}{name}: {fact}", if self.markdown { "- " } else { "" });
        }
        println!();
    }

    /// Prints the lines of a conversion. `row` has the measured texts, each with the same contestants in the same order.
    pub fn row(&mut self, conversion: &str, texts: &[&str], row: &[(&str, Vec<(&str, Cell)>)]) {
        if !self.has_header {
            self.line("GB/s, hot/streamed", "", texts.iter().map(|text| text.to_string()));
            if self.markdown {
                println!("|---|---|{}", "--:|".repeat(texts.len()));
            }
            self.has_header = true;
        }
        let cells_of = |text: &str| row.iter().find(|(name, _)| *name == text).map(|(_, cells)| cells);
        let mut first = conversion;
        for index in 0..row[0].1.len() {
            let speeds = texts.iter().map(|text| {
                cells_of(text).map_or(String::new(), |cells| {
                    let Cell { hot, streamed } = cells[index].1;
                    format!("{}/{}", short(hot), short(streamed))
                })
            });
            self.line(std::mem::take(&mut first), row[0].1[index].0, speeds);
        }
        let mut ratios = Vec::new();
        for text in texts {
            let find = |who| cells_of(text)?.iter().find(|(name, _)| *name == who).map(|(_, cell)| *cell);
            let (Some(ours), Some(rival)) = (find(OURS), find(RIVAL)) else {
                ratios.push(String::new());
                continue;
            };
            let (hot, streamed) = (ours.hot / rival.hot, ours.streamed / rival.streamed);
            ratios.push(format!("{hot:.2}/{streamed:.2}"));
            self.ratios.push((hot, format!("{conversion} {text}, hot")));
            self.ratios.push((streamed, format!("{conversion} {text}, streamed")));
        }
        if ratios.iter().any(|ratio| !ratio.is_empty()) {
            self.line("", &format!("{OURS}/{RIVAL}"), ratios.into_iter());
        }
    }

    fn line(&self, conversion: &str, contestant: &str, cells: impl Iterator<Item = String>) {
        let cells: Vec<String> = cells.map(|cell| format!("{cell:>13}")).collect();
        if self.markdown {
            println!("| {conversion:18} | {contestant:15} | {} |", cells.join(" | "));
        } else {
            println!("{conversion:18}  {contestant:15}  {}", cells.join("  "));
        }
    }

    /// Prints the geometric mean of all ratios, and the cells below their limits; returns whether all limits are kept.
    /// `None` if nothing was measured.
    pub fn sum_up(&self, mean: f64, lowest: f64) -> Option<bool> {
        if !self.has_header {
            return None;
        }
        let Some(low) = self.ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0)) else { return Some(true) };
        let logarithms: f64 = self.ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
        let measured = (logarithms / self.ratios.len() as f64).exp();
        println!(
            "\n{OURS}/{RIVAL}, geometric mean of {} cells: {measured:.2} (at least {mean})",
            self.ratios.len()
        );
        println!("{OURS}/{RIVAL}, lowest cell: {:.2}, {} (at least {lowest})", low.0, low.1);
        for (ratio, cell) in self.ratios.iter().filter(|(ratio, _)| *ratio < lowest) {
            println!("too low: {ratio:.2}, {cell}");
        }
        Some(measured >= mean && low.0 >= lowest)
    }
}

/// Formats a speed with two significant digits.
fn short(speed: f64) -> String {
    if speed < 10.0 { format!("{speed:.1}") } else { format!("{speed:.0}") }
}
