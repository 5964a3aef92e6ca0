//! Tests of `--diff`: nothing is written, the exit status is 1 if something would change, and `git apply` with the
//! patch gives the same files as the command itself.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::harness::{dir_with, has, sh};
use crate::random::generator;

/// Applies the patch of a command to one copy of the directory `t`, and runs the command on another copy. Asserts that
/// both copies have the same content and modes, and that the patch can be reversed.
#[track_caller]
fn assert_applied(at: &Path, command: &str) {
    let script = format!(
        "set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
        rm -rf u v; cp -a t u; cp -a t v
        (cd t; $U {command} --diff . > ../patch 2>../messages) || [ $? = 1 ]
        diff -r t v
        (cd u; $U {command} . 2> /dev/null) || [ $? = 1 ]
        (cd v; git apply --whitespace=nowarn ../patch); diff -r u v
        modes() {{ (cd $1; find . -type f -printf '%m %p\\n' | sort); }}
        [ \"$(modes u)\" = \"$(modes v)\" ]
        (cd v; git apply -R --whitespace=nowarn ../patch); diff -r t v
        grep -c '^diff --git' patch || true"
    );
    let ran = sh(at, &script);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{command}");
    assert_ne!(ran.stdout, b"0\n", "{command}: nothing changes");
}

/// File names that need quoting in a patch, or that look like other parts of a patch.
const NAMES: [&[u8]; 14] = [
    b"plain.txt",
    b"a b",
    b"ends ",
    b" begins",
    b"tab\there",
    b"line\nfeed",
    b"\"quoted\"",
    b"back\\slash",
    b"it's",
    "gr\u{f6}\u{df}e".as_bytes(),
    b"latin-1 \xE9\xFF",
    b"\x1b[31mred\x07\x7f",
    b"-i",
    b"c d b/a b",
];

#[test]
fn git_apply_takes_every_name() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[]);
    let tree = dir.path().join("t");
    for (number, name) in NAMES.iter().enumerate() {
        for (directory, content) in [("text", &b"caf\xC3\xA9\r\nend"[..]), ("bytes", b"caf\xE9\r\nend\r\n")] {
            let path = tree.join(directory).join(OsStr::from_bytes(name));
            fs::create_dir_all(path.parent().expect("a directory")).expect("is made");
            fs::write(&path, content).expect("writes");
            let mode = [0o644, 0o755, 0o600][number % 3];
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("sets the mode");
        }
    }
    // git writes files with mode 644 or 755, whatever their mode was.
    sh(dir.path(), "find t -type f -perm 600 -exec chmod 644 {} +").expect(0, "", "");
    assert_applied(dir.path(), "-s -i -r -f windows-1252 --newline=lf --reconvert");
    assert_applied(dir.path(), "-s -i -r --newline=lf");
}

/// `git apply` accepts patches of random texts and bytes, in which few or all lines change.
#[test]
fn git_apply_takes_random_contents() {
    if !has("git") {
        return;
    }
    let mut random = generator();
    let dir = dir_with(&[]);
    let tree = dir.path().join("t");
    fs::create_dir(&tree).expect("is made");
    let words: [&[u8]; 12] = [
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"same\n",
        b"other text",
        "e\u{301}".as_bytes(),
        "\u{e9}".as_bytes(),
        b"\xEF\xBB\xBF",
        b"\\ No newline at end of file",
        b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n",
    ];
    for number in 0..150 {
        let mut content = Vec::new();
        for _ in 0..random([2, 9, 90, 900][number % 4]) {
            content.extend_from_slice(words[random(12) as usize]);
        }
        // Of five files, one file is not UTF-8 and one file has a NUL.
        match number % 5 {
            0 => content.push(0xFF),
            1 => content.push(0),
            _ => {}
        }
        fs::write(tree.join(format!("f{number}")), content).expect("writes");
    }
    assert_applied(dir.path(), "-s -i -r --newline=lf --binary=convert");
    assert_applied(dir.path(), "-s -i -r --newline=crlf --normalize=nfc --input-bom=strip --binary=convert");
    assert_applied(dir.path(), "-s -i -r -t utf-16 --ill-formed=raw --binary=convert --ill-formed=replace");
}

/// In a patch of a long binary file, most of the content is copied from the old file.
#[test]
fn patches_of_long_binary_files_are_short() {
    if !has("git") {
        return;
    }
    let line = |n: usize| format!("line {n}\n").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let text: Vec<u8> = (0..200_000).flat_map(line).collect();
    let dir = dir_with(&[]);
    fs::create_dir(dir.path().join("t")).expect("is made");
    let content = [&b"\xFF\xFE"[..], &text, b"e\x00\x01\x03", &text].concat();
    fs::write(dir.path().join("t/f"), content).expect("writes");
    assert_applied(dir.path(), "-i -r -f utf-16 -t utf-16le --output-bom=always --normalize=nfc");
    let len = fs::metadata(dir.path().join("patch")).expect("is there").len();
    assert!(len < 4000, "{len}");
}

/// Unmoved lines are compared in place, because searching for each line among equal lines would take minutes.
#[test]
fn git_apply_takes_patches_of_repeated_lines() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[]);
    fs::create_dir(dir.path().join("t")).expect("is made");
    for (name, lines) in [("x", &b"x\r\nx\n"[..]), ("blank", b"\r\n\r\n\n"), ("cr", b"x\rx\n")] {
        fs::write(dir.path().join("t").join(name), lines.repeat(1 << 17)).expect("writes");
    }
    assert_applied(dir.path(), "-s -i -r --newline=crlf");
}

#[test]
fn a_patch_is_what_git_prints() {
    if !has("git") {
        return;
    }
    let lines = |start: usize| (start..start + 20).map(|n| format!("{n}\n")).collect::<String>();
    let old = lines(1) + "cafe\u{301}\n" + &lines(100) + "e\u{301}\n" + &lines(200) + "e\u{301}";
    let dir = dir_with(&[("a", old.as_bytes()), ("o\u{308} x", "e\u{301}\n".as_bytes())]);
    let at = dir.path();
    sh(at, "chmod +x a; git init -q . && git add .").expect(0, "", "");
    sh(at, "$U -i -r --normalize=nfc --diff . > patch 2>/dev/null; $U -is --normalize=nfc a o*; git diff --full-index | sed 's/^\\(@@.*@@\\).*/\\1/' | cmp - patch")
        .expect(0, "", "");
    // Names in the patch are relative to the root of the repository.
    sh(
        at,
        "git checkout -q . && mkdir d && cd d && $U -is --normalize=nfc --diff ../a ../o* | cmp - ../patch",
    )
    .expect(0, "", "");
}

#[test]
fn nothing_is_written() {
    let dir = dir_with(&[("bad", b"a\xFFb"), ("latin", b"caf\xE9\n"), ("same", b"ascii\n")]);
    let at = dir.path();
    sh(at, "stat -c '%n %i %y' * > before; chmod a-w .; $U -i --diff -f latin1 same; echo $?; stat -c '%n %i %y' [!b]* bad | sort > /dev/null")
        .expect(0, "0\n", "same: unchanged");
    sh(at, "$U -i --diff -f latin1 latin | tail -4; exit ${PIPESTATUS[0]}").expect(
        1,
        "\nliteral 5\nMc$`a4Onb=%00xEv9smFU\n\n",
        "",
    );
    sh(at, "$U -i --diff bad").expect(
        1,
        "",
        "bad:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: bad: not converted; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check bad' for all errors, 'utfconv inspect --errors-only bad' for the bytes, \
        'utfconv detect bad' for the encoding\n",
    );
    sh(at, "$U -i --diff nothing latin -f latin1 > /dev/null").expect(
        2,
        "",
        "utfconv: nothing: No such file or directory\n\
        utfconv: 1 would be converted, 0 unchanged, 1 failed; 5 bytes to 6\n",
    );
    sh(at, "stat -c '%n %i %y' bad latin same | diff - <(grep -v before before)").expect(0, "", "");
    for (options, why) in [
        ("--diff", "--diff requires at least one FILE"),
        ("--diff --output-dir d same", "cannot be used with"),
        ("--diff -o new same", "--diff cannot be used with -o"),
        ("-i --color=always same", "--color requires --diff"),
        ("-i --diff --verify same", "cannot be used with"),
    ] {
        sh(at, &format!("$U {options}")).expect_part(2, "", why);
    }
}

#[test]
fn people_see_what_does_not_show() {
    let text = b"\xEF\xBB\xBFa\r\ncaf\xC3\xA9 e\xCC\x81\x1B[0m\nsame\n\xE2\x80\x8B\xE2\x80\xAEend\x07\r";
    let dir = dir_with(&[("f", text), ("e\u{301}\x1B x", b"e\xCC\x81\n"), ("l1", b"caf\xE9\n")]);
    let at = dir.path();
    let plain = "\
--- a/f
+++ b/f
@@ -1,4 +1,4 @@
-<EF BB BF>a^M
+a
 caf\u{e9} e\u{301}^[[0m
 same
-<U+200B><U+202E>end^G^M
\\ No newline at end of file
+<U+200B><U+202E>end^G
";
    if !has("script") {
        return;
    }
    // TERM=dumb is a terminal without colors.
    let run =
        "script -qec \"TERM=dumb $U -i --diff --newline=lf --input-bom=strip f\" /dev/null | tr -d '\\r'";
    sh(at, run).expect(0, plain, "");
    let colored = "\
~[1m--- a/f~[0m
~[1m+++ b/f~[0m
~[36m@@ -1,4 +1,4 @@~[0m
~[31m-~[7m<EF BB BF>~[27ma~[7m^M~[27m~[0m
~[32m+a~[7m^M~[27m~[0m
 caf\u{e9} e\u{301}~[7m^[~[27m[0m
 same
 ~[7m<U+200B>~[27m~[7m<U+202E>~[27mend~[7m^G~[27m~[7m^M~[27m
\\ No newline at end of file
";
    let run = "$U -i --diff --color=always --input-bom=strip f | tr '\\033' '~'";
    sh(at, run).expect(0, colored, "");
    // A decomposed and a precomposed character look the same, so the combining mark is shown by its number.
    let marks = "\
--- \"a/e\\314\\201\\033 x\"
+++ \"b/e\\314\\201\\033 x\"
@@ -1 +1 @@
-e<U+0301>
+\u{e9}
";
    sh(at, "$U -i --diff --color=always --normalize=nfc e* | sed 's/\\x1b\\[[0-9]*m//g'")
        .expect(0, marks, "");
    let bytes = "-caf<E9>\n+caf\u{e9}\n";
    sh(at, "$U -i --diff --color=always -f latin1 l1 | sed 's/\\x1b\\[[0-9]*m//g' | tail -2")
        .expect(0, bytes, "");
    // Output to a pipe has no colors, even if the environment asks for them.
    sh(at, "CLICOLOR_FORCE=1 $U -i --diff -f latin1 l1 | head -1").expect(0, "diff --git a/l1 b/l1\n", "");
}

/// `--diff` refuses files larger than 128 MiB, because both contents are held in memory.
#[test]
fn huge_files_are_refused() {
    let dir = crate::harness::dir_in_memory();
    let at = dir.path();
    File::create(at.join("f")).and_then(|file| file.set_len(200 << 20)).expect("is made");
    sh(at, "printf '\\xEF\\xBB\\xBF' | dd of=f conv=notrunc status=none; $U -i --diff --binary=convert --input-bom=strip f")
        .expect(2, "", "f: larger than 128 MiB, the limit of --diff; use another tool to compare");
}

/// Applies the patch of `names` to one copy of the directory `t`, and renames in another copy. Asserts that both copies
/// have the same files, links and contents, and that the patch can be reversed. Entries that a patch cannot rename are
/// removed first.
#[track_caller]
fn assert_renamed(at: &Path, options: &str) {
    let script = format!(
        "set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
        rm -rf u v; cp -a t u; cp -a t v
        (cd t; $U names {options} --diff > ../patch) || [ $? = 1 ]
        all() {{ (cd $1; find . ! -type d -printf '%P %l %y%m\\n' | sort; find . ! -type l ! -type d -exec cat {{}} + | sort); }}
        cmp <(all t) <(all v)
        (cd u; $U names {options} -i 2> /dev/null)
        (cd v; git apply ../patch); cmp <(all u) <(all v)
        (cd v; git apply -R ../patch); cmp <(all t) <(all v)
        grep -c '^diff --git' patch || true"
    );
    let ran = sh(at, &script);
    // `names` reports links that would dangle after the renames.
    let links = "utfconv: 1 symbolic link points to a name that is converted; --links converts it, too\n";
    let messages = if options == "-f latin1" { links } else { "" };
    assert_eq!((ran.status, ran.stderr.as_str()), (0, messages), "{options}");
    assert_ne!(ran.stdout, b"0\n", "{options}: nothing changes");
}

#[test]
fn git_apply_renames_files_links_and_those_in_directories() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let tree = "mkdir t; cd t; mkdir -p $'d\\xe9/b c/\\xfc' $'d\\xe9/ascii' plain
        for f in $'d\\xe9/b c/\\xfc/\\xe4\\n' $'d\\xe9/b c/x' $'d\\xe9/ascii/\"\\t\\\\' $'plain/\\xf6 y' plain/z $'\\xdf'; do
            echo \"$f\" > \"$f\"; done
        printf '\\0\\xff' > $'plain/bytes \\xe9'; chmod +x $'plain/\\xf6 y'; : > $'plain/\\xe8'
        ln -s ../nowhere $'d\\xe9/l'; ln -s $'d\\xe9/b c' $'l\\xe8'; ln -s $'plain/\\xf6 y' plain/l; ln -s plain $'\\xeb x'";
    sh(at, tree).expect(0, "", "");
    assert_renamed(at, "-f latin1");
    assert_renamed(at, "-f latin1 --links");
    assert_renamed(at, "-f latin1 --links $'d\\xe9/b c' plain");
    // The patch also applies in a repository, and if it is made in a subdirectory of a repository.
    sh(at, "git init -q t; cd t/plain; $U names -f latin1 --diff > ../../patch; echo $?; cd ../..; rm -r v; cp -a t v")
        .expect(0, "1\n", "");
    sh(at, "cd t/plain; $U names -f latin1 -i; cd ../../v; git apply ../patch && diff -r --no-dereference ../t ../v")
        .expect(0, "", "3 names converted");
}

/// A file gets the name that another file gives up.
#[test]
fn git_apply_renames_in_a_chain() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "mkdir -p t/{$'\\xe9',é}; echo 1 > $'t/\\xe9/\\xe9'; echo 2 > t/é/é; echo 3 > $'t/é/\\xe9'")
        .expect(0, "", "");
    assert_renamed(at, "-f latin1 --reconvert");
}

#[test]
fn what_a_patch_cannot_rename_is_reported() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let tree = "mkdir -p $'\\xe9'/{empty/e,sub/.git}; touch $'\\xe9/f' $'\\xe9/sub/f'; mkfifo $'\\xe9/p'";
    sh(at, tree).expect(0, "", "");
    let ran = sh(at, "$U names -f latin1 --diff; find . | wc -l");
    let patch = "diff --git \"a/\\351/f\" \"b/\\303\\251/f\"
similarity index 100%
rename from \"\\351/f\"
rename to \"\\303\\251/f\"
9
";
    assert_eq!(String::from_utf8_lossy(&ran.stdout), patch);
    let warnings = "utfconv: warning: $'./\\xE9/empty/e': an empty directory, which a patch cannot rename
utfconv: warning: $'./\\xE9/p': a special file, which a patch cannot rename
utfconv: warning: $'./\\xE9/sub': a repository, which a patch cannot rename
";
    assert_eq!(ran.stderr, warnings);
    // If `-i` would rename nothing, the patch is empty.
    sh(at, "touch $'\\xe8' è; $U names -f latin1 --diff").expect(
        1,
        "",
        "utfconv: $'./\\xE8': there is a file named è already\n\
        utfconv: 1 name cannot be converted\n\
        utfconv: nothing would be renamed; --keep-going renames the others\n",
    );
    sh(at, "rm -r $'\\xe9'; $U names -f latin1 --diff --keep-going").expect(
        1,
        "",
        "utfconv: $'./\\xE8': there is a file named è already\n\
        utfconv: 1 name cannot be converted\n",
    );
    sh(at, "rm $'\\xe8'; $U names -f latin1 --diff").expect(0, "", "");
}

/// In all commands, `--diff` writes nothing, with or without the option that would write.
#[test]
fn diff_writes_nothing_in_any_command() {
    let dir = dir_with(&[("latin", &b"caf\xE9\n"[..]), ("double", "cafÃ©\n".as_bytes())]);
    let at = dir.path();
    sh(at, "mkdir -p all/d && mv latin double all && touch all/d/cafÃ©").expect(0, "", "");
    let state = "find all -printf '%p %s %i %T@\n' | sort; cat all/latin all/double";
    let before = sh(at, state);
    for (command, write, shown) in [
        ("-f latin1", "-i", "GIT binary patch"),
        ("check --rule double-encoded", "--fix", "+café"),
        ("repair", "-i", "+café"),
        ("names --repair", "-i", "rename to "),
    ] {
        let path = match command {
            "-f latin1" => "all/latin",
            "names --repair" => "all/d",
            _ => "all/double",
        };
        let [alone, with] = ["", write].map(|write| sh(at, &format!("$U {command} --diff {write} {path}")));
        assert_eq!(alone, with, "{command}");
        let patch = String::from_utf8_lossy(&alone.stdout);
        assert!(patch.starts_with("diff --git ") && patch.contains(shown), "{command}: {alone:?}");
        assert!(alone.status <= 1, "{command}: {alone:?}");
        assert_eq!(sh(at, state), before, "{command}");
    }
}
