//! `repair --from` and `--from-rev`: puts the bytes of an old version back into files that a program damaged.

use std::fmt::Write as _;
use std::io::Write as _;

use utfconv_core::StreamError;
use utfconv_core::restore::{NotRestored, Restored, restore};

use super::report::FileOutcome;
use crate::edits::{Edit, Job, NotEdited, OpenJob, Product, SkipKind};
use crate::restore::{OldVersions, damage, problems, read_whole};
use crate::ui::quote::counted;

/// Restores files.
pub struct Restorer {
    pub old: OldVersions,
    /// The most lines of the report for a file; 0 is no limit.
    pub max_lines: u64,
}

impl Edit for Restorer {
    type Worker = ();
    type Outcome = FileOutcome;

    fn worker(&self) {}

    fn begin(&self, _: &Job) -> FileOutcome {
        FileOutcome::default()
    }

    fn edit(
        &self,
        (): &mut (),
        OpenJob { job, opened, output, .. }: OpenJob,
        outcome: &mut FileOutcome,
    ) -> Result<Option<Product>, NotEdited> {
        let name = job.shown();
        let edited = read_whole(opened.file()).map_err(StreamError::Read)?;
        let old = self.old.of(job.path()).map_err(StreamError::Read)?;
        let Some(old) = old else {
            return Err(NotEdited::skipped(SkipKind::Encoding, "it has no old version"));
        };
        if old.content == edited || old.content.is_ascii() {
            return Ok(None);
        }
        let limit =
            |count: usize| if self.max_lines == 0 { count } else { count.min(self.max_lines as usize) };
        let report = &mut outcome.report;
        match restore(&old.content, old.encoding, &edited) {
            // It has the bytes of its encoding still.
            Err(NotRestored::NotUtf8) => Ok(None),
            Err(why) => {
                let lines = problems(&name, &old, &why);
                report.left += lines.len() as u64;
                lines[..limit(lines.len())].iter().for_each(|line| report.lines += &format!("{line}\n"));
                Ok(None)
            }
            Ok(Restored { output: content, .. }) if content == edited => Ok(None),
            Ok(Restored { output: content, view, pieces, lines, .. }) => {
                let what = counted(pieces, "lost character");
                let _ = writeln!(report.lines, "{name}: repair: {what} from {}: {}", old.name, damage(view));
                for line in &lines[..limit(lines.len())] {
                    let _ = writeln!(report.lines, "{name}:{line}: repair: lost characters");
                }
                report.changes += pieces.max(1);
                let mut product = output.begin().map_err(StreamError::Write)?;
                product.write_all(&content).map_err(StreamError::Write)?;
                Ok(Some(product))
            }
        }
    }

    fn has_failed(&self, outcome: &FileOutcome) -> bool {
        outcome.has_failed()
    }

    fn fail(&self, job: &Job, outcome: &mut FileOutcome, why: NotEdited) {
        outcome.fail(job, why);
    }
}
