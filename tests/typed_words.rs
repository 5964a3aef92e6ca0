//! Tests of words that utfconv does not accept, but that users may type: options and commands of iconv, recode,
//! dos2unix, uconv, enca, file and Python, and plausible guesses. The message must name the equivalent option or
//! command, and nothing is written.

use std::fs;

use crate::harness::{dir_with, sh};

/// Typed words, and the end of the last line of the message. The file `f` exists.
const TYPED: &[(&str, &str)] = &[
    // These options are those of iconv and similar programs.
    ("--from-encoding=latin1 f", "unexpected argument '--from-encoding'; use '-f'"),
    ("--input-encoding latin1 f", "unexpected argument '--input-encoding'; use '-f'"),
    ("--output-encoding latin1 f", "unexpected argument '--output-encoding'; use '-t'"),
    ("--target latin1 f", "unexpected argument '--target'; use '-t'"),
    ("--charset latin1 f", "unexpected argument '--charset'; use '-f'"),
    ("--output-file out f", "unexpected argument '--output-file'; use '-o'"),
    ("--list-encodings", "use 'utfconv list'"),
    ("--translit -t ascii f", "use '--unmappable=translit'"),
    ("--ascii f", "use '-t ASCII//TRANSLIT'"),
    ("--ignore f", "unexpected argument '--ignore'; use '-c'"),
    ("'iconv' -f latin1 f", "omit \"iconv\": utfconv -f latin1 f"),
    ("convert f", "omit \"convert\": utfconv -f ENC f"),
    // These words come from recode.
    ("latin1..utf8 f", "use 'utfconv -f latin1 -t utf8 f'"),
    ("recode latin1..utf8 f", "use 'utfconv -f latin1 -t utf8 f'"),
    ("transcode f", "omit \"transcode\": utfconv -f ENC f"),
    ("--touch -i f", "unexpected argument '--touch'; use '--preserve-time'"),
    // These words come from dos2unix.
    ("dos2unix f", "use 'utfconv -i --newline=lf f'"),
    ("unix2dos f", "use 'utfconv -i --newline=crlf f'"),
    ("--unix f", "unexpected argument '--unix'; use '--newline=lf'"),
    ("--dos f", "unexpected argument '--dos'; use '--newline=crlf'"),
    ("--lf f", "unexpected argument '--lf'; use '--newline=lf'"),
    ("--newline=windows f", "use '--newline=crlf'"),
    ("--newline=unix f", "use '--newline=lf'"),
    ("--eol lf f", "unexpected argument '--eol'; use '--newline'"),
    ("--keepdate -i f", "use '--preserve-time'"),
    ("-k -i f", "unexpected argument '-k'; use '--preserve-time'"),
    ("-m f", "unexpected argument '-m'; use '--output-bom=always'"),
    ("--remove-bom f", "unexpected argument '--remove-bom'; use '--output-bom=never'"),
    ("--keep-bom f", "unexpected argument '--keep-bom'; use '--input-bom=keep'"),
    ("--to-stdout f", "the text goes to standard output without an option"),
    ("--info f", "use 'utfconv detect f'"),
    // These words come from uconv.
    ("--add-signature f", "use '--output-bom=always'"),
    ("--remove-signature f", "use '--output-bom=never'"),
    ("--from-callback skip f", "use '--ill-formed'"),
    ("--to-callback escape-xml f", "use '--unmappable'"),
    ("--list-code", "use 'utfconv list'"),
    // These words come from enca, file and chardet.
    ("--guess f", "use 'utfconv detect f'"),
    ("-L ru f", "unexpected argument '-L'; use '--language'"),
    ("--mime-encoding f", "use 'utfconv detect f'"),
    ("detect -b f", "unexpected argument '-b'; use '--brief'"),
    ("detect -i f", "unexpected argument '-i'; use '--brief'"),
    ("detect -r .", "unexpected argument '-r'; directories are searched without it"),
    ("guess f", "use 'utfconv detect f'"),
    ("info f", "use 'utfconv detect f'"),
    ("chardetect f", "use 'utfconv detect f'"),
    // These words come from Python.
    (
        "--errors=strict f",
        "invalid value 'strict' for '--errors <MODE>': did you mean stop? the modes for both are stop, replace[=TEXT], omit, escape[=percent], surrogateescape, pua and c8",
    ),
    (
        "--errors=ignore f",
        "did you mean omit? the modes for both are stop, replace[=TEXT], omit, escape[=percent], surrogateescape, pua and c8",
    ),
    (
        "--unmappable=entities f",
        "did you mean escape=html? the modes are stop, replace[=TEXT], omit, escape[=STYLE], translit, surrogateescape, pua and c8",
    ),
    ("--errors=xmlcharrefreplace f", "use --unmappable=escape=html"),
    (
        "--ill-formed=drop f",
        "did you mean omit? the modes are stop, replace[=TEXT], omit, escape[=STYLE], fallback=ENC, surrogateescape, pua, c8 and raw",
    ),
    (
        "--ill-formed=latin1 f",
        "did you mean fallback=latin1? the modes are stop, replace[=TEXT], omit, escape[=STYLE], fallback=ENC, surrogateescape, pua, c8 and raw",
    ),
    ("--encoding latin1 f", "unexpected argument '--encoding'; use '-f'"),
    ("--json f", "unexpected argument '--json'; use '--format=json'"),
    ("--normalize=c f", "use '--normalize=nfc'"),
    // These words are plausible guesses.
    ("--replace f", "use '--errors=replace' for what cannot be converted, or '-i' to write to the file"),
    ("--overwrite f", "unexpected argument '--overwrite'; use '-i'"),
    ("-w f", "unexpected argument '-w'; use '-i'"),
    ("-n f", "unexpected argument '-n'; use '--dry-run'"),
    ("--preview -i f", "unexpected argument '--preview'; use '--dry-run'"),
    ("-R -i .", "unexpected argument '-R'; use '-r'"),
    ("-u f", "text is written as soon as it is read, without an option"),
    ("--backup -i f", "unexpected argument '--backup'; use '-i=.orig'"),
    ("--fail-fast -i f", "unexpected argument '--fail-fast'; use '--stop-on-error'"),
    ("--strict f", "a conversion stops at the first error without an option"),
    ("--strip-bom f", "unexpected argument '--strip-bom'; use '--output-bom=never'"),
    ("--bom=remove f", "unexpected argument '--bom'; use '--output-bom=never'"),
    ("--output-bom=no f", "use '--output-bom=never'"),
    ("--input-bom=remove f", "use '--input-bom=strip'"),
    ("--lossy f", "unexpected argument '--lossy'; use '--errors=replace'"),
    ("--auto f", "unexpected argument '--auto'; use '-f auto'"),
    ("--check f", "use 'utfconv check f'"),
    ("--input f", "write the name of an input without an option"),
    ("--jobs 2 f", "unexpected argument '--jobs'; use '-j'"),
    ("fix f", "use 'utfconv repair f'"),
    ("validate f", "use 'utfconv check f'"),
    ("diff f", "use 'utfconv -f auto --diff f'"),
    ("undo f", "use 'utfconv --undo=f'"),
    ("encodings", "use 'utfconv list'"),
    ("version", "use 'utfconv --version'"),
    ("hexdump f", "use 'utfconv inspect f'"),
    ("help fix", "use 'utfconv help repair'"),
    // These words follow other commands of utfconv.
    ("check -t latin1 f", "unexpected argument '-t'; use '--target'"),
    ("check --no-bom f", "use '--rule=bom=forbid'"),
    ("check --eol=crlf f", "use '--rule=mixed-newlines=crlf'"),
    ("check --mojibake f", "use '--rule=double-encoded'"),
    ("check --rule trojan-source f", "use '--rule=security'"),
    ("check --homoglyphs f", "use '--rule=mixed-scripts'"),
    ("check --rule glassworm f", "use '--rule=hidden-text'"),
    ("check -i f", "unexpected argument '-i'; use '--fix'"),
    ("check --cached", "unexpected argument '--cached'; use '--staged'"),
    ("check --ignore bidi f", "unexpected argument '--ignore'; use '--allow'"),
    ("check -R .", "directories are searched without it"),
    ("check --fail-fast f", "use '--max-total=1'"),
    ("check --exit-code f", "the status is 1 if there are errors, without an option"),
    ("check --list-rules", "use '--explain=all'"),
    ("inspect --offset 3 f", "unexpected argument '--offset'; use '--around'"),
    ("inspect f f", "inspect takes one file"),
    ("list --aliases", "use '--format=json'"),
    ("repair -o out f", "use 'utfconv repair < f > out'"),
    ("repair --write f", "unexpected argument '--write'; use '-i'"),
    ("repair --encoding latin1 f", "use '--candidates'"),
    ("names -n .", "without -i, names only shows what it would do"),
    ("names --notest .", "unexpected argument '--notest'; use '-i'"),
    ("names --encoding cp437 .", "unexpected argument '--encoding'; use '-f'"),
    ("git-filter --install", "use 'utfconv git-filter -h'"),
    ("textconv -t utf8 f", "textconv always writes UTF-8, to standard output"),
];

#[test]
fn words_of_other_programs_get_an_answer() {
    let text = "café\r\n";
    let mut wrong = Vec::new();
    for (typed, answer) in TYPED {
        let dir = dir_with(&[("f", text.as_bytes())]);
        let ran = sh(dir.path(), &format!("$U {typed}"));
        let files = fs::read_dir(dir.path()).expect("lists").count();
        let is_untouched =
            fs::read_to_string(dir.path().join("f")).is_ok_and(|now| now == text) && files == 1;
        let ends = ran.stderr.ends_with(&format!("{answer}\n")) && ran.stderr.lines().count() == 1;
        if !(ran.status == 2 && ran.stdout.is_empty() && ends && is_untouched) {
            wrong.push(format!("{typed}: {ran:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TYPED.len() > 80);
}

/// The first word counts as a possible command only if no option says that the command line is a conversion.
#[test]
fn missing_files_are_missing_files() {
    let dir = dir_with(&[("f", b"caf\xE9\n")]);
    for (typed, status, stdout, stderr) in [
        ("info -f latin1 f", 2, "café\n", "info: No such file or directory"),
        ("-f latin1 info f", 2, "café\n", "info: No such file or directory"),
        ("-f latin1 f info", 2, "café\n", "info: No such file or directory; to write to it, use -o info"),
        (
            "--iconv -f latin1 -t UTF-8 info f",
            1,
            "café\n",
            "iconv: cannot open input file `info': No such file or directory",
        ),
    ] {
        sh(dir.path(), &format!("$U {typed}")).expect(status, stdout, stderr);
    }
    // If a file has the name of a command, it is an input.
    sh(dir.path(), "mv f info; $U info --ill-formed=escape -s").expect(0, "caf\\xE9\n", "");
    // If the program is called as iconv, all words are inputs.
    sh(dir.path(), "ln -s $U iconv; ./iconv -t UTF-8 fix").expect_part(1, "", "cannot open input file `fix'");
}
