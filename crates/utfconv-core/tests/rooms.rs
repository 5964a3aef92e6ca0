//! The order of the library's files: imports point down.

#[path = "support/imports.rs"]
mod imports;

use std::path::Path;

/// From top to bottom. A file may import those of its own room and of the rooms below.
const ROOMS: &[&[&str]] = &[
    // What a user of the library meets.
    &["lib.rs"],
    &["internals.rs"],
    // Double encoding, and mixed encodings.
    &["repair/mod.rs", "repair/document.rs"],
    &["repair/levels.rs", "repair/measure.rs", "repair/mixture.rs"],
    &["repair/whole.rs", "repair/words.rs"],
    &["repair/alphabet.rs", "repair/evidence.rs", "repair/lost.rs"],
    &["repair/groups.rs"],
    &["repair/survey.rs"],
    &["repair/changes.rs", "repair/runs.rs"],
    &["repair/starts.rs"],
    &["repair/mistakes.rs"],
    // Detection.
    &["detect/mod.rs", "detect/detector.rs", "detect/guess.rs", "detect/sniff.rs", "detect/wide.rs"],
    &["detect/plausibility.rs"],
    &["detect/prior.rs", "detect/score.rs"],
    &["detect/escapes.rs", "detect/formats.rs", "detect/multi_byte.rs", "detect/pages.rs"],
    &["detect/hints.rs", "detect/languages.rs", "detect/models.rs", "detect/sample.rs"],
    &["detect/bytes.rs", "detect/result.rs"],
    &["restore/mod.rs"],
    &["restore/writer.rs"],
    &["restore/hunk.rs", "restore/known.rs", "restore/result.rs"],
    &["restore/lines.rs", "restore/view.rs"],
    &["offset_map.rs", "read.rs"],
    &["stream.rs"],
    &["transcode/"],
    &["check.rs"],
    &["transcode/input.rs"],
    &["repertoire.rs"],
    // Text that names its own encoding: the list of kinds, then each of them.
    &["declaration/"],
    // Speed.
    &["kernel/mod.rs"],
    &["kernel/x86/mod.rs"],
    &["kernel/x86/avx512/"],
    &["kernel/x86/avx2/"],
    &["kernel/neon/"],
    &["kernel/generic/"],
    // What is decided about a text, and where it can be cut.
    &["boundary.rs"],
    &["bom.rs"],
    &["policy.rs"],
    // Encodings of mapping files.
    &["mapping/mod.rs"],
    &["mapping/charmap.rs", "mapping/export.rs", "mapping/listing.rs"],
    &["mapping/entries.rs"],
    &["mapping/text.rs"],
    // The registry of encodings, and what is behind each.
    &["encoding/"],
    &["form.rs"],
    &["stateful/"],
    &["legacy/"],
    &["encode/"],
    &["decode/"],
    // Leaves.
    &["normalize/"],
    &["fault.rs"],
    &["position.rs"],
    &["newline.rs", "template.rs", "translit.rs", "translit/", "utf8.rs"],
];

#[test]
fn imports_point_down() {
    imports::assert_downward(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), ROOMS);
}

#[test]
fn upward_imports_and_forgotten_files_are_found() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let found: Vec<_> = imports::Sources::read(&src).imports();
    let has = |from: &str, to: &str| found.iter().any(|import| import.from == from && import.to == to);
    // A use, a group, a macro's path, a child module, super, and a test, which does not count.
    assert!(has("stream.rs", "fault.rs"));
    assert!(has("bom.rs", "encoding/mod.rs"));
    assert!(has("kernel/mod.rs", "decode/mod.rs"));
    assert!(has("kernel/mod.rs", "kernel/generic/portable.rs"));
    assert!(has("kernel/x86/avx2/page.rs", "kernel/x86/avx2/vector.rs"));
    assert!(!has("repertoire.rs", "lib.rs"));
    let reversed: Vec<_> = ROOMS.iter().rev().copied().collect();
    assert!(std::panic::catch_unwind(|| imports::assert_downward(&src, &reversed)).is_err());
    assert!(std::panic::catch_unwind(|| imports::assert_downward(&src, &ROOMS[1..])).is_err());
}
