//! Tests of complete mirrors of trees, and of numbered backups.
#![cfg(target_os = "linux")]

use std::fs;

use crate::harness::{dir_with, sh};

/// A web site with images, links and legacy pages: the mirror differs only in converted text.
#[test]
fn a_mirror_of_a_web_site() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "mkdir -p site/img site/de/alt site/js
        printf '<p>caf\\xe9</p>\\n' > site/index.html; printf 'Gr\\xfc\\xdfe\\n' > site/de/a.html
        printf '<p>schon UTF-8: Grüße</p>\\n' > site/de/neu.html; printf 'body {}\\n' > site/plain.css
        printf '\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0' > site/img/logo.png; printf 'GIF89a\\1\\0\\1\\0' > site/img/dot.gif
        head -c 300000 /dev/zero > site/img/raw; : > site/empty; : > site/js/a.js; : > site/de/alt/a.css
        ln -s ../img/logo.png site/de/logo.png; ln -s de site/german; ln -s /nowhere site/broken; ln -s index.html site/home.html
        chmod 640 site/img/logo.png; chmod 755 site/de/a.html";
    sh(at, make).expect(0, "", "");
    let mirror = "$U -r -f windows-1252 --output-dir=out --binary=copy --links=copy";
    let dry = sh(at, &format!("{mirror} --dry-run site; ls -d out 2> /dev/null"));
    dry.expect(
        2,
        &dry.stdout,
        "6 would be converted, 0 unchanged, 0 failed, 1 copied (already UTF-8), 7 copied; 26 bytes to 29",
    );
    assert!(String::from_utf8_lossy(&dry.stdout).contains("site/de/logo.png: would be copied\n"));
    sh(at, &format!("{mirror} site")).expect(
        0,
        "",
        "utfconv: 6 converted, 0 unchanged, 0 failed, 1 copied (already UTF-8), 7 copied; 26 bytes to 29\n",
    );
    let differs = "Files site/de/a.html and out/site/de/a.html differ\nFiles site/index.html and out/site/index.html differ\n";
    sh(at, "diff -rq --no-dereference site out/site").expect(1, differs, "");
    sh(at, "cat out/site/index.html out/site/german/a.html; stat -c %a out/site/img/logo.png out/site/de/a.html; readlink out/site/*; true")
        .expect(0, "<p>café</p>\nGrüße\n640\n755\n/nowhere\nde\nindex.html\n", "");
    // A second run gives the same mirror, also after a link has changed. JSON reports each file.
    let ran =
        sh(at, &format!("ln -sfn img site/german; {mirror} --format=json site; readlink out/site/german"));
    let lines = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(ran.status == 0 && lines.ends_with("\"status\":0}\nimg\n"), "{lines}");
    assert!(
        lines.contains("{\"type\":\"file\",\"path\":{\"text\":\"site/german\"},\"outcome\":\"copied\"}\n"),
        "{lines}"
    );
    assert!(lines.contains("\"copied\":7,"), "{lines}");
    // A link never replaces a file.
    let ran = sh(
        at,
        &format!(
            "rm out/site/broken; echo mine > out/site/broken; {mirror} site; s=$?; cat out/site/broken; exit $s"
        ),
    );
    ran.expect(
        2,
        "mine\n",
        "utfconv: site/broken: out/site/broken: File exists\n\
        utfconv: 6 converted, 0 unchanged, 1 failed and not written to out, 1 copied (already UTF-8), 6 copied; 26 bytes to 29\n",
    );
    // Without the options, binary files and links are not copied, and the summary says so.
    sh(at, "$U -r -f windows-1252 --output-dir=plain site; find plain -type l -o -name '*.png'").expect(
        0,
        "",
        "6 converted, 0 unchanged, 0 failed, 1 copied (already UTF-8), 3 not copied as binary (--binary=copy copies such files), \
         4 symbolic links not copied (--links=copy copies links); 26 bytes to 29",
    );
    sh(at, "mkfifo site/js/pipe; $U -s -r -f latin1 --output-dir=silent site").expect(0, "", "");
    // The summary says what was not copied even for a few files, and also for a single file.
    sh(at, "$U -r -f latin1 --output-dir=js --include='*.js' site; $U -r --output-dir=one site/js; $U -i -r site/js; find one js").expect(
        0,
        "one\none/site\none/site/js\none/site/js/a.js\njs\njs/site\njs/site/js\njs/site/js/a.js\n",
        "utfconv: 1 converted, 0 unchanged, 0 failed, 1 special file not copied; 0 bytes to 0\nutfconv: site/js/a.js: unchanged\n",
    );
    for (options, text) in [
        (
            "-i --binary=copy",
            "--binary=copy requires --output-dir; with --in-place, binary files stay as they are",
        ),
        ("-i --links=copy", "--links=copy requires --output-dir; with --in-place, links stay as they are"),
        ("--links=copy", "--links=copy requires --in-place or --output-dir"),
        ("--binary=copy", "--binary requires --in-place or --output-dir"),
    ] {
        sh(at, &format!("$U {options} -f latin1 site/index.html")).expect(2, "", text);
    }
}

/// An existing backup is never overwritten.
#[test]
fn backups_are_numbered() {
    let dir = dir_with(&[("a", b"\xE1\n"), ("a.orig", b"mine\n")]);
    let at = dir.path();
    sh(at, "$U -i=.orig -f latin1 a").expect(
        2,
        "",
        "utfconv: a: cannot back up to a.orig: it exists already; remove it, or use --backup=numbered",
    );
    let convert = "$U -i=.orig --backup=numbered --reconvert -f latin1";
    sh(at, &format!("{convert} a")).expect(0, "", "");
    sh(at, &format!("{convert} a")).expect(0, "", "");
    let contents =
        ["a", "a.orig", "a.orig.1", "a.orig.2"].map(|name| fs::read(at.join(name)).expect("reads"));
    assert_eq!(contents, ["Ã¡\n".as_bytes(), b"mine\n", b"\xE1\n", "á\n".as_bytes()].map(<[u8]>::to_vec));
    // A file whose content equals an existing backup gets no new backup, and backups of earlier runs are not inputs.
    sh(at, &format!("cp a.orig.1 a; {convert} a; ls")).expect(0, "a\na.orig\na.orig.1\na.orig.2\n", "");
    sh(at, &format!("printf '\\xe2\\n' > a; {convert} -r .; ls; cat a.orig.1 | wc -c")).expect(
        0,
        "a\na.orig\na.orig.1\na.orig.2\na.orig.3\n2\n",
        "",
    );
    sh(at, "printf '\\xe3\\n' > b; echo mine > b.bak; $U repair -i=.bak --backup=numbered b >/dev/null 2>&1; cat b.bak; ls b*")
        .expect(0, "mine\nb\nb.bak\n", "");
    for options in ["-i --backup=numbered", "--backup=numbered"] {
        sh(at, &format!("$U {options} -f latin1 a")).expect_part(2, "", "--backup requires");
    }
}
