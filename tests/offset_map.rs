//! Offset maps: `--offset-map` and `--offset-map-every`.

use crate::harness::{dir_with, sh};

#[test]
fn pairs_are_those_of_line_starts() {
    let dir = dir_with(&[("x", "\u{FEFF}né\r\nb\n\n日本".as_bytes())]);
    for (words, map) in [
        ("", "0\t0\n8\t8\n10\t10\n11\t11\n17\t17\n"),
        ("-t UTF-16", "0\t0\n8\t10\n10\t14\n11\t16\n17\t20\n"),
        ("--input-bom=strip --newline=lf --final-newline", "0\t0\n8\t4\n10\t6\n11\t7\n17\t14\n"),
        ("-c -t latin1 --newline=crlf", "0\t0\n8\t4\n10\t7\n11\t9\n17\t9\n"),
        ("--normalize=nfd", "0\t0\n8\t9\n10\t11\n11\t12\n17\t18\n"),
        ("-t ISO-2022-JP --unmappable=omit", "0\t0\n8\t3\n10\t5\n11\t6\n17\t16\n"),
        ("--offset-map-every=3", "0\t0\n7\t7\n10\t10\n17\t17\n"),
        ("--range 8:11", "8\t0\n10\t2\n11\t3\n"),
        ("--range 8:9 -t UTF-16", "8\t0\n9\t2\n"),
        ("--range 9:9", ""),
        ("--range 0:7 --newline=lf", "0\t0\n"),
    ] {
        let ran = sh(dir.path(), &format!("$U -s {words} --offset-map map x > out"));
        assert!(ran.status < 2 && ran.stderr.is_empty(), "{words}: {ran:?}");
        let found = std::fs::read_to_string(dir.path().join("map")).expect("a map");
        assert_eq!(found, map, "{words}");
    }
    sh(dir.path(), "$U --offset-map map < /dev/null && cat map").expect(0, "0\t0\n", "");
}

/// Both halves at a pair convert to each other, by the options that the manual names.
#[test]
fn input_and_output_can_be_cut_at_a_pair() {
    let text: Vec<u8> =
        "\u{FEFF}日本 né\n".encode_utf16().cycle().take(7 * 1000).flat_map(u16::to_le_bytes).collect();
    let dir = dir_with(&[("x", &text)]);
    sh(dir.path(), "$U -f UTF-16 -t UTF-7 --offset-map map -o out x").expect(0, "", "");
    let script = "set -- $(sed -n 500p map); head -c $1 x > x1; tail -c +$(($1 + 1)) x > x2
        $U -f UTF-16 -t UTF-7 x1 > out1; $U -f UTF-16LE -t UTF-7 --input-bom=text --output-bom=never x2 > out2
        head -c $2 out | cmp - out1; cat out1 out2 | cmp - out; wc -l < map";
    sh(dir.path(), script).expect(0, "1001\n", "");
}

#[test]
fn maps_are_replaced_only_on_success() {
    let dir = dir_with(&[("x", b"a\nb\xFF\n"), ("map", b"old")]);
    sh(dir.path(), "$U --offset-map map x").expect(1, "a\nb", "x:2:2: error: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding (see 'utfconv detect x')\n\
        utfconv: map: not written\n");
    sh(dir.path(), "cat map").expect(0, "old", "");
    sh(dir.path(), "$U --offset-map map missing").expect_part(2, "", "map: not written");
    sh(dir.path(), "cat map; $U -c -s --offset-map map x; cat map").expect(
        0,
        "olda\nb\n0\t0\n2\t2\n5\t4\n",
        "",
    );
}

#[test]
fn contradictions_are_refused() {
    let dir = dir_with(&[("x", b"abc\n"), ("y", b"abc\n")]);
    for (words, why) in [
        ("--offset-map x x", "x: input file is offset map"),
        ("--offset-map ./x x", "input file is offset map"),
        ("--offset-map z -o z x", "z: output file is offset map"),
        ("--offset-map ./z -o z x", "./z: output file is offset map"),
        ("--offset-map z x y", "--offset-map works on one FILE only"),
        ("--offset-map z -i x", "--in-place cannot be used with --offset-map"),
        ("--offset-map z --output-dir d x", "--output-dir cannot be used with --offset-map"),
        ("--offset-map z --declaration=update x", "cannot be used with --declaration=update"),
        ("--offset-map z --list-ranges 2 x", "cannot be used with"),
        ("--offset-map-every 5 x", "--offset-map-every requires --offset-map"),
        ("--offset-map z --offset-map-every 0 x", "0"),
        ("--offset-map no/z x", "no/z"),
        ("--offset-map - x", "--offset-map=- requires -o FILE"),
        ("--offset-map - -o - x", "--offset-map=- requires -o FILE"),
        ("--offset-map - --count-output x", "--offset-map=- requires -o FILE"),
    ] {
        sh(dir.path(), &format!("$U {words}")).expect_part(2, "", why);
        assert!(!dir.path().join("z").exists(), "{words}");
    }
}

#[test]
fn a_hyphen_is_standard_output() {
    let dir = dir_with(&[("x", "a\nbé\n".as_bytes())]);
    sh(dir.path(), "$U -t UTF-16LE --offset-map - -o y x; $U -f UTF-16LE y; ls").expect(
        0,
        "0\t0\n2\t4\n6\t10\na\nbé\nx\ny\n",
        "",
    );
    sh(dir.path(), "$U --offset-map - -o y x >> x").expect(
        2,
        "",
        "standard output: an input is also the offset map",
    );
    sh(dir.path(), "$U --offset-map ./- x; cat ./-").expect(0, "a\nbé\n0\t0\n2\t2\n6\t6\n", "");
}
