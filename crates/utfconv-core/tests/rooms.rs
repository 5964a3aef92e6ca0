//! The order of the library's files: imports point down.

#[allow(dead_code)] // the test of the program has more uses
#[path = "support/imports.rs"]
mod imports;

use std::path::Path;

/// From top to bottom. A file may import those of its own room and of the rooms below.
const ROOMS: &[&[&str]] = &[
    // The public interface.
    &["lib.rs"],
    &["internals.rs"],
    // Values of options.
    &["values/mod.rs"],
    &["values/modes.rs"],
    &["values/names.rs"],
    // Double encoding, mixed encodings, and confused code pages.
    &["repair/mod.rs", "repair/document.rs"],
    &["repair/confusion.rs"],
    &["repair/levels.rs", "repair/mixture.rs"],
    &["repair/measure.rs"],
    &["repair/whole.rs", "repair/words.rs"],
    &["repair/alphabet.rs", "repair/evidence.rs", "repair/lost.rs", "repair/near_utf8.rs"],
    &["repair/groups.rs"],
    &["repair/survey.rs"],
    &["repair/changes.rs", "repair/runs.rs"],
    &["repair/starts.rs"],
    &["repair/mistakes.rs"],
    // Detection.
    &["detect/mod.rs", "detect/whole.rs"],
    &["detect/detector.rs", "detect/guess.rs", "detect/sniff.rs", "detect/wide.rs"],
    &["detect/mixed.rs", "detect/plausibility.rs"],
    &["detect/prior.rs", "detect/score.rs"],
    &["detect/escapes.rs", "detect/formats.rs", "detect/multi_byte.rs", "detect/pages.rs"],
    &["detect/hints.rs", "detect/languages.rs", "detect/models.rs", "detect/sample.rs"],
    &["detect/result.rs"],
    &["restore/mod.rs"],
    &["restore/writer.rs"],
    &["restore/rivals.rs"],
    &["restore/hunk.rs", "restore/known.rs", "restore/result.rs"],
    &["restore/align.rs", "restore/broken.rs", "restore/split.rs", "restore/words.rs"],
    &["restore/lines.rs", "restore/view.rs"],
    &["read.rs", "write.rs"],
    &["stream.rs"],
    &["transcode/exact.rs", "transcode/mod.rs", "transcode/segments.rs"],
    &["transcode/checkpoint.rs", "transcode/policy.rs"],
    &["transcode/carriers.rs"],
    &["transcode/write.rs"],
    &["transcode/state.rs"],
    &["transcode/engine.rs"],
    &["transcode/normalize.rs", "transcode/restore.rs", "transcode/rows.rs", "transcode/substituting.rs"],
    &["transcode/options.rs", "transcode/output.rs"],
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
    // Policies, and boundaries of a text.
    &["boundary.rs"],
    &["bom.rs"],
    &["policy.rs"],
    // Encodings of mapping files.
    &["mapping/mod.rs"],
    &["mapping/charmap.rs", "mapping/export.rs", "mapping/listing.rs"],
    &["mapping/entries.rs"],
    &["mapping/text.rs"],
    // The registry of encodings, and their codecs.
    &["encoding/"],
    &["form.rs"],
    &["stateful/"],
    &["legacy/mod.rs"],
    &["legacy/hz.rs", "legacy/tscii.rs", "legacy/web.rs"],
    &[
        "legacy/iso_2022.rs",
        "legacy/iso_2022/choices.rs",
        "legacy/iso_2022/decode.rs",
        "legacy/iso_2022/encode.rs",
        "legacy/iso_2022/raw.rs",
        "legacy/iso_2022/segments.rs",
    ],
    &["legacy/transitions.rs", "legacy/iso_2022/kana.rs", "legacy/iso_2022/sets.rs"],
    &["legacy/chinese.rs", "legacy/host.rs", "legacy/japanese.rs", "legacy/korean.rs", "legacy/latin.rs"],
    &["legacy/builder.rs"],
    &["legacy/packed.rs"],
    &["legacy/codec.rs", "legacy/lazy.rs", "legacy/pairing.rs"],
    &["legacy/multi_byte.rs"],
    &["legacy/leads.rs", "legacy/long_cells.rs", "legacy/written.rs"],
    &["legacy/assigned.rs"],
    &["legacy/longer.rs"],
    &["legacy/listed.rs"],
    &["legacy/mapping.rs"],
    &["encode/"],
    &["decode/"],
    // Leaves.
    &["scan/"],
    &["normalize/"],
    &["fault.rs"],
    &["position.rs"],
    &[
        "common.rs",
        "differences.rs",
        "edit.rs",
        "newline.rs",
        "template.rs",
        "translit.rs",
        "translit/",
        "utf8.rs",
    ],
];

#[test]
fn imports_point_down() {
    imports::assert_downward(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), ROOMS);
}

#[test]
fn no_files_import_each_other() {
    imports::assert_no_circles(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
}

/// A file that re-exports another's name needs it only if it uses it.
#[test]
fn circles_are_found() {
    let circles = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect();
        let found = imports::Sources::of(&files).circles();
        found.into_iter().map(|import| (import.from, import.line, import.to)).collect::<Vec<_>>()
    };
    let of = |from: &str, line, to: &str| (from.to_string(), line, to.to_string());
    let facade = ("a/mod.rs", "mod b;\nmod c;\npub(crate) use b::{B, D};\npub use c::C;\npub struct A;");
    let (leaf, user) = ("use super::A;\npub struct B;", "use super::{A, B};\nstruct C(B);");
    assert_eq!(circles(&[facade, ("a/b.rs", leaf), ("a/c.rs", user)]), []);
    let back = "use super::C;\npub struct B;";
    let found = [of("a/b.rs", 1, "a/c.rs"), of("a/c.rs", 1, "a/b.rs")];
    assert_eq!(circles(&[facade, ("a/b.rs", back), ("a/c.rs", user)]), found);
    // A glob may be of anything, and a test of nothing.
    let glob = ("a/mod.rs", "mod b;\npub use b::*;\npub struct A;");
    let found = [of("a/b.rs", 1, "a/mod.rs"), of("a/mod.rs", 2, "a/b.rs")];
    assert_eq!(circles(&[glob, ("a/b.rs", leaf)]), found);
    assert_eq!(circles(&[glob, ("a/b.rs", "#[cfg(test)]\nuse super::A;\npub struct B;")]), []);
    // Longer ways, by paths without `use`.
    let path = ("a.rs", "mod b;\nfn a() { crate::b::b() }");
    let found = [of("a.rs", 2, "b.rs"), of("b.rs", 1, "c.rs"), of("c.rs", 1, "a.rs")];
    let way = [path, ("b.rs", "pub fn b() { crate::c::c() }"), ("c.rs", "pub fn c() { crate::a::a() }")];
    assert_eq!(circles(&way), found);
    assert_eq!(circles(&way[..2]), []);
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
