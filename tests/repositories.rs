//! Tests of `--tracked`, `--staged` and `--since`: the files of a git repository that they select, in the working tree
//! and in the index, and that a hostile repository runs no command.

use std::path::Path;

use crate::harness::{dir_with, git_sh, has};

#[track_caller]
fn names(at: &Path, script: &str) -> String {
    let ran = git_sh(at, script);
    assert!(ran.status < 2 && ran.stderr.is_empty(), "{script}: {ran:?}");
    String::from_utf8(ran.stdout).expect("text").trim().replace('\n', " ")
}

/// Creates a repository whose files all have errors, beside a directory outside any repository.
fn repository() -> Option<tempfile::TempDir> {
    if !has("git") {
        return None;
    }
    let dir = dir_with(&[]);
    let script = r#"
        mkdir repo outside; printf 'x\xff\n' > outside/x; cd repo; git init -q -b main .
        mkdir -p src/deep ignored '.hidden'
        for name in a.txt src/b.txt src/deep/c.txt .hidden/d.txt ignored/forced.txt untracked.txt $'new\nline.txt'; do
            printf 'x\xff\n' > "$name"
        done
        echo ignored/ > .gitignore; printf 'x\xff\n' > ignored/e.txt
        ln -s ../outside/x link; ln -s ../outside linked
        git add -f a.txt src .hidden ignored/forced.txt .gitignore link linked $'new\nline.txt'; git commit -qm one"#;
    git_sh(dir.path(), script).expect(0, "", "");
    Some(dir)
}

#[test]
fn tracked_files_alone() {
    let Some(dir) = repository() else { return };
    let at = &dir.path().join("repo");
    let all = ".hidden/d.txt a.txt ignored/forced.txt $'new\\nline.txt' src/b.txt src/deep/c.txt";
    assert_eq!(names(at, "$U check -l --tracked"), all);
    assert_eq!(names(at, "$U check -l --tracked -j1 ."), all);
    assert_eq!(names(at, "$U check -l --tracked src a.txt untracked.txt"), "src/b.txt src/deep/c.txt a.txt");
    assert_eq!(names(at, "cd src; $U check -l --tracked"), "b.txt deep/c.txt");
    assert_eq!(names(at, "cd src; $U check -l --tracked ../a.txt"), "../a.txt");
    assert_eq!(names(at, "$U check -l --tracked --exclude deep --include '*.txt' src"), "src/b.txt");
    // Files that were deleted, replaced by a link, or are below a directory that is now a link count as missing.
    let script = "rm a.txt src/b.txt; ln -s ../outside/x a.txt; mv src/deep deep; ln -s ../deep src/deep; $U check -l --tracked";
    assert_eq!(names(at, script), ".hidden/d.txt ignored/forced.txt $'new\\nline.txt'");
    // A nested repository has its own tracked files.
    git_sh(at, "git checkout -q . 2>/dev/null; git -C . init -q sub; cp untracked.txt sub/s.txt; git -C sub add s.txt; git -C sub commit -qm one; git add sub 2>/dev/null").expect(0, "", "");
    assert!(!names(at, "$U check -l --tracked").contains("sub"));
    assert_eq!(names(at, "$U check -l --tracked sub"), "sub/s.txt");
    assert_eq!(names(at, "$U check -l --tracked src/b.txt sub"), "src/b.txt sub/s.txt");
    // Conversions in place also select only tracked files.
    let script = "$U -i -r -f latin1 --tracked src untracked.txt; grep -rl 'ÿ' . --exclude-dir=.git | sort";
    assert_eq!(names(at, &format!("git checkout -q .; {script}")), "./src/b.txt ./src/deep/c.txt");
    git_sh(at, "$U --tracked a.txt").expect(2, "", "--tracked requires --in-place or --output-dir");
}

#[test]
fn staged_contents_and_changes() {
    let Some(dir) = repository() else { return };
    let at = &dir.path().join("repo");
    git_sh(at, "$U check --staged; $U check --since HEAD").expect(0, "", "");
    // The staged content is checked, not that in the working tree.
    let script = r"printf 'good\n' > a.txt; git add a.txt; printf 'bad \xfe\n' > a.txt
        printf 'new \xfe\n' > src/new.txt; git add src/new.txt; echo good > src/new.txt; git rm -q src/b.txt
        printf 'mod\xfe\n' > src/deep/c.txt";
    git_sh(at, script).expect(0, "", "");
    assert_eq!(names(at, "$U check -l --staged"), "src/new.txt");
    assert_eq!(names(at, "$U check -l --staged src/new.txt a.txt"), "src/new.txt");
    assert_eq!(names(at, "cd src/deep; $U check -l --staged"), "");
    assert_eq!(names(at, "$U check -l --staged --tracked src"), "src/deep/c.txt src/new.txt");
    git_sh(at, "$U check --staged src").expect(
        1,
        "src/new.txt:1:5: error: invalid UTF-8 (never-used byte) at byte 4: FE never appears in UTF-8\n",
        "utfconv: 1 error in 1 of 1 file\n\
         utfconv: src/new.txt: what is staged has errors, and the file is different; use 'git add src/new.txt' to stage it\n",
    );
    // `--since` checks the working tree.
    assert_eq!(names(at, "$U check -l --since HEAD"), "a.txt src/deep/c.txt");
    assert_eq!(names(at, "$U check -l --since HEAD src"), "src/deep/c.txt");
    assert_eq!(names(at, "git commit -qm two; $U check -l --since HEAD~1 --staged"), "src/new.txt");
    assert_eq!(names(at, "$U check -l --since HEAD~1"), "a.txt src/deep/c.txt");
    // `GIT_INDEX_FILE` names another index, as for a hook. Paths are relative to the root of the repository.
    assert_eq!(
        names(at, "cp .git/index other; GIT_INDEX_FILE=other $U check -l --staged --tracked src"),
        "src/deep/c.txt src/new.txt"
    );
    assert_eq!(names(at, "GIT_DIR=.git $U check -l --staged --tracked src"), "src/deep/c.txt src/new.txt");
    // In a new repository, all staged files are checked.
    let script = "git init -q ../fresh; cd ../fresh; cp ../outside/x .; git add x; rm x; $U check -l --staged; $U check -l --staged x";
    assert_eq!(names(at, script), "x x");
    // If git converts a file, its content in the index is UTF-8.
    let script = r"cd ../fresh; printf '*.rc working-tree-encoding=UTF-16LE\n' > .gitattributes
        printf 'h\0i\0\r\0\n\0' > w.rc; git add .gitattributes w.rc; git rm -q --cached x; $U check -l --staged --rule final-newline; $U check -l w.rc";
    assert_eq!(names(at, script), "");
    // The configuration applies by file names.
    let script = r#"cd ../fresh; printf '[check]\nexclude = ["vendor/"]\n' > utfconv.toml; mkdir -p vendor/v; cp ../outside/x vendor/v; cp ../outside/x .; git add vendor x
        $U check -l --staged; $U check -l --staged vendor/v/x"#;
    assert_eq!(names(at, script), "x vendor/v/x");
}

#[test]
fn conflicts_and_sparse_checkouts() {
    let Some(dir) = repository() else { return };
    let at = &dir.path().join("repo");
    let script = r"git branch other; printf 'ours \xff\n' > a.txt; git commit -qam ours; git checkout -q other
        printf 'theirs \xff\n' > a.txt; git commit -qam theirs; git merge -q main >/dev/null 2>&1; $U check -l --tracked a.txt";
    assert_eq!(names(at, script), "a.txt");
    git_sh(at, "$U check --staged").expect(
        2,
        "",
        "utfconv: a.txt: has conflicts; resolve them before it can be checked",
    );
    let script = "git merge --abort; git sparse-checkout set src 2>/dev/null; ls; $U check -l --tracked; $U check -l --staged --tracked";
    let shown = names(at, script);
    assert!(
        shown.contains("src/b.txt")
            && shown.ends_with(
                ".hidden/d.txt a.txt ignored/forced.txt $'new\\nline.txt' src/b.txt src/deep/c.txt"
            ),
        "{shown}"
    );
}

#[test]
fn errors_name_their_cause() {
    let Some(dir) = repository() else { return };
    let at = dir.path();
    for (script, why) in [
        ("cd outside; $U check --tracked", "utfconv: .: not in a git repository"),
        ("cd outside; $U check --staged x", "utfconv: x: not in a git repository"),
        (
            "git init -q --bare bare; cd bare; $U check --tracked",
            "utfconv: .: a bare repository has no files; name a work tree",
        ),
        (
            "cd repo/.git; $U check --tracked .",
            "utfconv: .: a bare repository has no files; name a work tree",
        ),
        ("cd repo; $U check --since nope", "utfconv: .: no such revision: nope"),
        ("cd repo; $U check --since=--output=pwned", "utfconv: .: no such revision: --output=pwned"),
        ("cd repo; $U check --since=-h; ls", "no such revision: -h"),
        ("cd repo; $U check --since=", "no such revision: ''"),
        ("cd repo; $U check --tracked nope", "nope: No such file or directory"),
        ("cd repo; $U check --tracked - < a.txt", "utfconv: -: standard input is not in a repository"),
        (
            "cd repo; mkdir empty; PATH=$PWD/empty $U check --tracked",
            "utfconv: .: git is needed for this, and is not on the PATH",
        ),
        ("cd repo; $U check --staged --range 0:1 a.txt", "cannot be used with"),
        ("cd repo; $U check --staged --fix a.txt", "cannot be used with"),
        // The object of a file is missing from the repository.
        (
            "cd repo; rm .git/objects/$(git rev-parse HEAD:a.txt | sed 's,..,&/,'); $U check --staged --tracked a.txt",
            "utfconv: a.txt: its content is not in the repository (a partial clone?), and nothing is fetched\n",
        ),
        ("cd repo; echo broken > .git/index; $U check --tracked", "utfconv: .: git: "),
    ] {
        let ran = git_sh(at, script);
        assert!(ran.stderr.contains(why), "{script}: {}", ran.stderr);
        assert!(!at.join("repo/pwned").exists());
    }
}

/// No command in the configuration, attributes or hooks of a repository is run.
#[test]
fn a_hostile_repository_runs_nothing() {
    let Some(dir) = repository() else { return };
    let at = &dir.path().join("repo");
    let script = r#"
        trap="$PWD/../trap"; printf '#!/bin/sh\necho "$0 $*" >> %s/../ran\ncat\n' "$PWD" > "$trap"; chmod +x "$trap"
        for key in core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.gitProxy diff.external pager.ls-files pager.diff-index \
            filter.evil.clean filter.evil.smudge filter.evil.process 'filter.a=b.clean' diff.evil.command diff.evil.textconv diff.evil.wordRegex \
            alias.ls-files alias.diff-index alias.diff-files alias.cat-file alias.rev-parse credential.helper \
            merge.evil.driver uploadpack.packObjectsHook gpg.program trace2.normalTarget; do git config "$key" "$trap"; done
        git config alias.rev-parse "!$trap"; git config filter.evil.required true; git config core.hooksPath "$PWD/../hooks"
        git config diff.ignoreSubmodules none; git config submodule.recurse true; git config core.untrackedCache true
        git config extensions.partialClone origin; git config remote.origin.url "ext::$trap"; git config remote.origin.promisor true; git config protocol.ext.allow always
        mkdir ../hooks; for hook in post-index-change post-checkout pre-commit fsmonitor-watchman reference-transaction; do cp "$trap" ../hooks/$hook; done
        cp ../hooks/* .git/hooks/
        printf '* filter=evil diff=evil merge=evil\n*.txt filter=a=b\n' > .gitattributes; cp .gitattributes .git/info/attributes
        rm -rf sub; mkdir sub; cp -r .git ../sub.git; mv ../sub.git sub/.git
        rm -f ../ran; touch a.txt src/b.txt; printf 'y\xff\n' >> src/deep/c.txt
        git update-index --refresh >/dev/null 2>&1; test -s ../ran && echo armed; rm -f ../ran
        touch -d '2020-01-01' .git/index; touch a.txt
        for options in --tracked --staged '--staged --tracked' '--since HEAD' '--since HEAD --staged' '--since HEAD~9'; do
            $U check -q $options; $U check -q $options src; done
        rm .git/objects/$(git rev-parse HEAD:a.txt | sed 's,..,&/,'); rm -f ../ran
        $U check -q --staged --tracked a.txt; $U check -q --since HEAD
        # Old versions of git do not know GIT_NO_LAZY_FETCH.
        mkdir ../bin; printf '#!/bin/sh\nunset GIT_NO_LAZY_FETCH; exec %s "$@"\n' "$(command -v git)" > ../bin/git; chmod +x ../bin/git
        PATH="$PWD/../bin:$PATH" $U check -q --staged --tracked a.txt
        test -e ../ran && cat ../ran; true"#;
    let ran = git_sh(at, script);
    assert_eq!((ran.status, String::from_utf8_lossy(&ran.stdout)), (0, "armed\n".into()), "{}", ran.stderr);
}

/// Settings in the environment, such as a trusted directory, apply also when filters are turned off, and no such
/// setting turns a filter on.
#[test]
fn settings_of_the_environment_are_kept() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a.txt", b"x\n"), (".gitattributes", b"*.txt filter=one\n")]);
    let at = dir.path();
    let script = r#"git init -q .; git add .; git commit -qm one; git config filter.one.clean 'touch ran; cat'
        git config filter.a=b.clean 'touch ran; cat'; printf 'x\xff\n' > a.txt
        mkdir bin; real=$(command -v git)
        printf '#!/bin/sh\necho "$(%s config --get-regexp "^u\." | tr "\\n" " ")" >> seen\nexec %s "$@"\n' "$real" "$real" > bin/git; chmod +x bin/git"#;
    git_sh(at, script).expect(0, "", "");
    let found = "a.txt\n";
    git_sh(at, "$U check -l --since HEAD").expect(1, found, "");
    let set = "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_COUNT=4 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' \
         GIT_CONFIG_KEY_1=u.one GIT_CONFIG_VALUE_1=1 GIT_CONFIG_KEY_2=filter.one.process GIT_CONFIG_VALUE_2='touch ran' \
         GIT_CONFIG_KEY_3=u.two GIT_CONFIG_VALUE_3=2; export PATH=\"$PWD/bin:$PATH\"";
    for options in ["--since HEAD", "--staged --since HEAD", "--staged --tracked"] {
        let status = i32::from(options == "--since HEAD");
        let ran = git_sh(
            at,
            &format!("{set}; $U check -l {options} a.txt; status=$?; sort -u seen; rm seen; exit $status"),
        );
        let seen = "u.one 1 u.two 2 \n";
        ran.expect(status, if status == 1 { [found, seen].concat() } else { seen.to_string() }, "");
    }
    // A hook inherits settings from `git -c`.
    let hook = "git -c filter.one.clean='touch ran; cat' -c alias.check=\"!$U check -l --since HEAD\" check";
    git_sh(at, hook).expect(1, found, "");
    // Without the trusted directory, or with settings that git cannot read, the check fails.
    git_sh(at, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1 $U check --staged").expect(
        2,
        "",
        &format!(
            "utfconv: .: git: detected dubious ownership in repository at '{0}'; use 'git config --global --add safe.directory {0}'\n",
            at.display()
        ),
    );
    git_sh(at, "GIT_CONFIG_COUNT=x $U check --staged").expect(
        2,
        "",
        "utfconv: .: git: bogus count in GIT_CONFIG_COUNT\n",
    );
    git_sh(at, "test ! -e ran").expect(0, "", "");
}

/// git may exit before or within an answer.
#[test]
fn a_git_that_ends_too_early_is_named() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a.txt", b"x\n"), ("b.txt", b"y\n")]);
    let at = dir.path();
    let script = r#"git init -q .; git add .; mkdir bin
        printf '#!/bin/sh\ncase "$*" in *cat-file*) eval "$CAT_FILE";; esac\nexec %s "$@"\n' "$(command -v git)" > bin/git; chmod +x bin/git"#;
    git_sh(at, script).expect(0, "", "");
    for (cat_file, how) in [
        ("exec <&-; sleep 0.2; exit 3", "exit status: 3"),
        ("echo fatal: out of memory >&2; exit 128", "exit status: 128): out of memory"),
        ("read id; echo $id blob 100; echo abc; kill -9 $$", "signal: 9 (SIGKILL)"),
        ("read id; echo $id blob 2; echo x; exec >&- <&-; exit 1", "exit status: 1"),
        // git closes its output and keeps running.
        ("exec >&-; cat >/dev/null; exit 5", "exit status: 5"),
    ] {
        let error = |name: &str| {
            let end = if how.contains("): ") { "" } else { ")" };
            format!("utfconv: {name}: git cat-file ended too early ({how}{end}\n")
        };
        let ran = git_sh(
            at,
            &format!("export PATH=\"$PWD/bin:$PATH\" CAT_FILE='{cat_file}'; $U check --staged --tracked -j1"),
        );
        ran.expect(2, "", &[error("a.txt"), error("b.txt")].concat());
    }
    git_sh(at, "$U check --staged --tracked").expect(0, "", "");
}

/// Only files below the given paths are read, wherever the repository's configuration places the working tree.
#[test]
fn only_below_the_paths_given() {
    let Some(dir) = repository() else { return };
    let at = &dir.path().join("repo");
    let script = r#"git config core.worktree "$PWD/.."; git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:a.txt),outside/x
        $U check -l --tracked; $U check -l --since HEAD; $U check -l --staged; $U -i -r -f latin1 --tracked . 2>/dev/null; od -c ../outside/x | head -1"#;
    let ran = git_sh(at, script);
    assert!(!String::from_utf8_lossy(&ran.stdout).contains("outside"), "{ran:?}");
    assert!(String::from_utf8_lossy(&ran.stdout).contains("0000000   x 377"), "{ran:?}");
}

/// In a subdirectory, `--tracked` selects only the files below it, as git does. If git tracks no files there, the
/// status is not 0.
#[test]
fn tracked_files_of_a_subdirectory() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("bad", b"\xFF\n")]);
    let at = dir.path();
    git_sh(at, "git init -q .; mkdir -p sub/deep none; printf 'ok\\n' > sub/deep/f; git add bad sub")
        .expect(0, "", "");
    git_sh(at, "cd sub; $U check --tracked").expect(0, "", "");
    let root = at.canonicalize().expect("is there");
    let nothing = format!(
        "no tracked files here: nothing to check; use 'utfconv check --tracked {}' for the whole repository",
        root.display()
    );
    git_sh(at, "cd none; $U check --tracked").expect(2, "", &nothing);
    git_sh(at, "cd none; $U check --tracked -l $PWD/..").expect(
        1,
        format!("{}/none/../bad\n", at.display()),
        "",
    );
    git_sh(at, "git rm -rq --cached .; $U check --tracked").expect(
        2,
        "",
        "no tracked files here: nothing to check",
    );
}

/// Staged content may have errors that are already fixed in the work tree.
#[test]
fn a_fix_that_is_not_staged() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", b"caf\xE9\n")]);
    let at = dir.path();
    let error =
        "a:1:4: error: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found\n";
    git_sh(at, "git init -q .; git add a; $U check --staged").expect(
        1,
        error,
        "utfconv: 1 error in 1 of 1 file\n",
    );
    git_sh(at, "printf 'caf\\303\\251\\n' > a; $U check --staged").expect(
        1,
        error,
        "utfconv: 1 error in 1 of 1 file\n\
         utfconv: a: what is staged has errors, and the file is different; use 'git add a' to stage it\n",
    );
    git_sh(at, "git add a; $U check --staged").expect(0, "", "");
}
