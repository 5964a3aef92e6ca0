//! The order of the program's files: imports point down.

#[path = "../crates/utfconv-core/tests/support/imports.rs"]
#[allow(dead_code)] // each test program uses its part
mod imports;

use std::path::Path;

/// From top to bottom. A file may import those of its own room and of the rooms below.
const ROOMS: &[&[&str]] = &[
    &["main.rs", "command.rs"],
    &["generate/"],
    &["list.rs"],
    // Commands: args and run above the plan that connects them.
    &["iconv/"],
    &["check/mod.rs"],
    &["check/args.rs", "check/run.rs"],
    &["check/show.rs", "check/fix/"],
    &["check/examine.rs"],
    &["check/changed.rs", "check/declared.rs", "check/lost.rs"],
    &["check/plan.rs"],
    &["check/formats/"],
    &["check/fast.rs", "check/pending.rs", "check/verdict.rs"],
    &["check/scan/"],
    &["check/baseline/"],
    &["check/report.rs", "check/subject.rs"],
    &["check/finding.rs"],
    &["check/excerpt.rs", "check/rules/", "check/hash.rs"],
    &["inspect/mod.rs"],
    &["inspect/args.rs", "inspect/run.rs"],
    &["inspect/screen.rs"],
    &["inspect/plan.rs", "inspect/json.rs", "inspect/text.rs"],
    &["inspect/entrance.rs", "inspect/view.rs"],
    &["inspect/sequences.rs"],
    &["names/mod.rs"],
    &["names/args.rs", "names/run.rs"],
    &["names/patch.rs", "names/report.rs"],
    &["names/survey.rs"],
    &["names/collide.rs", "names/journal.rs", "names/rename.rs"],
    &["names/descent.rs", "names/job.rs", "names/plan.rs"],
    &["names/name.rs"],
    &["repair/mod.rs"],
    &["repair/args.rs"],
    &["repair/restore.rs", "repair/run.rs"],
    &["repair/one.rs"],
    &["repair/plan.rs", "repair/report.rs"],
    &["edit/mod.rs"],
    &["edit/args.rs", "edit/run.rs"],
    &["edit/copies.rs", "edit/plan.rs"],
    &["restore/"],
    &["git/mod.rs"],
    &["git/driver.rs", "git/filter.rs", "git/textconv.rs"],
    &["git/args.rs"],
    &["git/conversion.rs", "git/protocol.rs"],
    &["git/likeness.rs", "git/packets.rs", "git/plan.rs"],
    &["convert/mod.rs"],
    &["convert/run.rs"],
    &["convert/batch/mod.rs"],
    &["convert/batch/one.rs", "convert/batch/report.rs"],
    &["convert/batch/appearance.rs"],
    &["convert/input.rs"],
    &["convert/auto.rs"],
    &["convert/configured.rs", "convert/declared.rs", "convert/range_context.rs"],
    &["convert/lost_newlines.rs", "convert/report.rs", "convert/segments.rs"],
    &["convert/args.rs", "convert/plan.rs"],
    &["convert/request.rs", "convert/verify.rs"],
    &["convert/records.rs"],
    &["convert/newlines.rs", "convert/ranges.rs", "convert/restored.rs"],
    &["convert/misfit.rs", "convert/round_trip.rs"],
    &["detect/mod.rs"],
    &["detect/args.rs", "detect/run.rs"],
    &["detect/detected.rs", "detect/plan.rs"],
    // What commands share.
    &["stats/"],
    &["edits/"],
    &["diff/"],
    &["config/"],
    &["files/"],
    &["ui/"],
];

fn sources() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn imports_point_down() {
    imports::assert_downward(&sources(), ROOMS);
}

/// Files that import each other, perhaps by way of others, can only be understood together.
#[test]
fn no_file_imports_itself_by_way_of_others() {
    imports::assert_no_circles(&sources());
}

/// The order is the only one: with two neighbors swapped that import each other, the test fails.
#[test]
fn upward_imports_and_forgotten_files_are_found() {
    let fails =
        |rooms: &[&[&str]]| std::panic::catch_unwind(|| imports::assert_downward(&sources(), rooms)).is_err();
    let at = |name: &str| ROOMS.iter().position(|room| room.contains(&name)).expect("a room");
    for (above, below) in
        [("stats/", "ui/"), ("check/scan/", "check/report.rs"), ("convert/run.rs", "convert/plan.rs")]
    {
        let mut swapped = ROOMS.to_vec();
        swapped.swap(at(above), at(below));
        assert!(fails(&swapped), "{above} {below}");
    }
    assert!(fails(&ROOMS[1..]));
    let more = [ROOMS, &[&["mail/"]]].concat();
    assert!(fails(&more));
}
