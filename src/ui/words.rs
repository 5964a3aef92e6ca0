//! Words that people type because other programs have them (iconv, recode, dos2unix, uconv, enca, file, Python), and
//! what people mean by them. Only errors consult these tables, so a word in the tables is answered with advice and
//! never accepted.

use std::ffi::OsString;
use std::path::Path;

use clap::Command as Clap;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use utfconv_core::Encoding;

use crate::ui::quote::{as_argument, as_word};

/// Options that utfconv does not have, and the advice on them.
struct Unknown {
    /// The commands that the row is for, separated by spaces. An empty string stands for every command, `utfconv` for a
    /// conversion.
    commands: &'static str,
    /// The options, separated by spaces. An option may have a value, as in `--bom=remove`.
    typed: &'static str,
    /// The advice: an option of the command (`-f`, `--newline=lf`), a command line (`utfconv check FILE`), or a
    /// sentence. If the command does not have the option, the row is skipped.
    advice: &'static str,
}

const fn any(typed: &'static str, advice: &'static str) -> Unknown {
    of("", typed, advice)
}

const fn of(commands: &'static str, typed: &'static str, advice: &'static str) -> Unknown {
    Unknown { commands, typed, advice }
}

/// The first row that fits is used, so the rows of a single command come before those of every command.
const UNKNOWN: &[Unknown] = &[
    of("check", "-i --in-place --inplace --write -w --replace --repair --autofix --fix-it", "--fix"),
    of("check", "-t --to --to-code --to-encoding --output-encoding --fits", "--target"),
    of("check", "--lf --unix --eol=lf --newline=lf", "--rule=mixed-newlines=lf"),
    of("check", "--crlf --dos --windows --eol=crlf --newline=crlf", "--rule=mixed-newlines=crlf"),
    of("check", "--eol --newline --newlines --line-ending --line-endings", "--rule=mixed-newlines"),
    of(
        "check",
        "--require-bom --bom=require --bom=yes --bom=always --with-bom --add-bom",
        "--rule=bom=require",
    ),
    of("check", "--bom --no-bom --strip-bom --remove-bom --forbid-bom --find-bom", "--rule=bom=forbid"),
    of("check", "--nfc --normalize --normalized --normalization", "--rule=not-nfc"),
    of("check", "--mojibake --double-encoding --double", "--rule=double-encoded"),
    of(
        "check",
        "--bidi --trojan-source --trojan --invisible --hidden-characters --security",
        "--rule=security",
    ),
    of("check", "--homoglyph --homoglyphs --homograph --confusables --mixed-script", "--rule=mixed-scripts"),
    of(
        "check",
        "--glassworm --smuggling --steganography --variation-selectors --hidden",
        "--rule=hidden-text",
    ),
    of("check", "--select --enable --rules --extend-select --checks", "--rule"),
    of("check", "--list-rules --show-rules --explain-all", "--explain=all"),
    of("check", "--all", "--rule=all"),
    of("check", "--ignore --disable --ignore-rule --skip-rule", "--allow"),
    of("check", "--cached --index", "--staged"),
    of("check", "--changed --modified --diff-base --base --against", "--since=HEAD"),
    of("check", "--git --all-files --git-files", "--tracked"),
    of("check", "--list --list-files --list-different --files-with-matches --name-only --names-only", "-l"),
    of("check", "--fail-fast --stop-on-error --exitfirst -x", "--max-total=1"),
    of("check", "--warn --warn-only --no-fail --no-error", "--exit-zero"),
    of(
        "check",
        "--exit-code --error-exitcode --strict",
        "the status is 1 if there are errors, without an option",
    ),
    of(
        "check",
        "--position --positions --offset --offsets --line-number --byte-offset",
        "each error has its line, column and byte, without an option",
    ),
    of("check", "--utf8 --utf-8 --is-utf8", "check expects UTF-8 without an option"),
    of("detect", "-i -b --mime --mime-encoding --mime-type", "--brief"),
    of("detect", "-f --from-code --encoding --charset --encodings", "--candidates"),
    of("detect", "--confidence --certainty --probability --scores --all", "--verbose"),
    of("inspect", "--line --at --offset --position --byte --seek --skip -s", "--around"),
    of("inspect", "-n --lines --length", "--range"),
    of("list", "-v --verbose --aliases --alias --all --names", "--format=json"),
    of("list", "-l --list", "list prints all names without an option"),
    of("repair", "-o --output --output-file --outfile -O", "utfconv repair < FILE > OUTPUT"),
    of("repair", "--stdout --to-stdout", "utfconv repair < FILE"),
    of(
        "repair",
        "-t --to --to-code --to-encoding",
        "text stays UTF-8; to convert it, use 'utfconv -t ENC FILE'",
    ),
    of("repair", "--encoding --charset --from-encoding --encodings", "--candidates"),
    of("names", "-r -R --recursive --recurse", "names always enters directories"),
    of("names", "-n --dry-run --test --simulate --preview", "without -i, names only shows what it would do"),
    of("names", "--rename --notest --apply --exec --fix --replace --write -w", "-i"),
    of("names", "-j --threads -o --output --output-dir", "names are changed where the files are, with -i"),
    of("edit", "--write -w --overwrite --replace", "edit always writes to the files"),
    of("git-filter", "--install --setup --init --clean --smudge clean smudge", "utfconv git-filter -h"),
    of("textconv", "-t --to --to-code --output", "textconv always writes UTF-8, to standard output"),
    of(
        "utfconv",
        "--replace",
        "use '--errors=replace' for what cannot be converted, or '-i' to write to the file",
    ),
    of("utfconv", "--bom=keep --keep-bom --preserve-bom", "--input-bom=keep"),
    of("utfconv", "--check --validate --valid --test --is-utf8 --lint", "utfconv check FILE"),
    of(
        "utfconv",
        "--detect --guess --detect-encoding --guess-encoding --mime --mime-encoding --mime-type --identify --info",
        "utfconv detect FILE",
    ),
    of("utfconv", "--brief", "utfconv detect --brief FILE"),
    of(
        "utfconv",
        "--repair --fix --mojibake --fix-mojibake --unmojibake --double-encoded",
        "utfconv repair FILE",
    ),
    of("utfconv", "--inspect --hex --dump --show-bytes", "utfconv inspect FILE"),
    of(
        "utfconv",
        "--list-encodings --encodings --list-code --list-codes --list-charsets --charsets --list-aliases",
        "utfconv list",
    ),
    of(
        "utfconv",
        "--input --in --file --infile --input-file",
        "write the name of an input without an option",
    ),
    of("utfconv", "--to-stdout --stdout -O", "the text goes to standard output without an option"),
    of("utfconv", "--strict", "a conversion stops at the first error without an option"),
    of(
        "utfconv",
        "-u --unbuffered --line-buffered --stream",
        "text is written as soon as it is read, without an option",
    ),
    of("utfconv", "--utf8 --utf-8 --to-utf8 --to-utf-8", "the output is UTF-8 without an option"),
    of("check detect repair", "-r -R --recursive --recurse", "directories are searched without it"),
    any("--overwrite --inplace --write --rewrite --save --edit --apply --modify -w --replace --fix", "-i"),
    any("-R --recurse --recursively", "-r"),
    any("-L", "--language"),
    any("--lf --unix --to-unix --dos2unix", "--newline=lf"),
    any("--crlf --dos --windows --to-dos --unix2dos", "--newline=crlf"),
    any("--cr --mac", "--newline=cr"),
    any("--eol --newlines --line-ending --line-endings --convmode", "--newline"),
    any("--auto --autodetect --auto-detect", "-f auto"),
    any("--latin1", "-f latin1"),
    any(
        "-E --encoding --enc --charset --codec --source --src --source-encoding --input-encoding --input-charset --from-encoding --from-charset --fromcode --decode",
        "-f",
    ),
    any(
        "--output-encoding --output-charset --to-encoding --to-charset --target --target-encoding --tocode --dest --encode",
        "-t",
    ),
    any("--output-file --outfile --newfile", "-o"),
    any(
        "--ignore --ignore-errors --ignore-invalid --skip --skip-invalid --skip-errors --drop --discard --strip --delete --clean --remove-invalid",
        "-c",
    ),
    any("--lossy --sanitize --substitute --replace-invalid", "--errors=replace"),
    any("--on-error --error-handler --callback", "--errors"),
    any("--from-callback --invalid --on-invalid", "--ill-formed"),
    any("--to-callback --on-unmappable --unencodable", "--unmappable"),
    any("--omit", "--ill-formed=omit"),
    any("--fallback", "--ill-formed=fallback=ENC"),
    any("--translit --transliterate --approximate --unaccent --remove-accents", "--unmappable=translit"),
    any("--ascii", "-t ASCII//TRANSLIT"),
    any("--entities --html --html-entities --xmlcharrefreplace", "--unmappable=escape=html"),
    any("--xml", "--unmappable=escape=xml"),
    any("--escape --backslashreplace", "--unmappable=escape"),
    any(
        "--strip-bom --remove-bom --no-bom --without-bom --delete-bom --drop-bom --skip-bom --remove-signature --bom=remove --bom=strip --bom=no --bom=never --bom=none --bom=false --bom=off --bom=delete --bom=drop",
        "--output-bom=never",
    ),
    any("--add-bom --with-bom --write-bom --bom --add-signature -m", "--output-bom=always"),
    any("--nfc --compose", "--normalize=nfc"),
    any("--nfd --decompose", "--normalize=nfd"),
    any("--nfkc", "--normalize=nfkc"),
    any("--nfkd", "--normalize=nfkd"),
    any("--normalise --normalization --normalisation", "--normalize"),
    any(
        "-n --dryrun --simulate --preview --no-act --just-print --pretend --noop --no-write --what-if --whatif",
        "--dry-run",
    ),
    any("--fail-fast --exitfirst --abort-on-error", "--stop-on-error"),
    any("--backup --bak --keep-backup --backup-suffix --suffix --keep-original", "-i=.orig"),
    any("--keepdate --keep-date --touch -k -p", "--preserve-time"),
    any("--jobs --parallel --workers", "-j"),
    any("--json", "--format=json"),
    any("--output-format --report --reporter", "--format"),
    any("--summary --statistics", "--stats"),
    any("--no-color --no-colour --nocolor", "--color=never"),
    any("--colour", "--color"),
    any("--exclude-dir --ignore-path --ignore-dir --skip-dir --skip-files", "--exclude"),
    any("--glob --files --filter --name --ext --extension --only", "--include"),
    any("--quiet -q", "--silent"),
    any("--silent -s", "--quiet"),
    any("--usage --help-all", "--help"),
    // Names of options before the first release.
    any("--accept-guess", "--min-certainty=guess"),
    any("--accept-likely", "--min-certainty=likely"),
    any("--again", "--reconvert"),
    any("--first-line", "--range-first-line"),
    any("--no-guess", "--force"),
];

/// Values that an option does not take, and the value that people mean by them. Values of modes for errors are in
/// [`utfconv_options::modes`].
const VALUES: &[(&str, &str, &str)] = &[
    ("--newline", "unix linux posix \\n", "lf"),
    ("--newline", "dos windows win win32 \\r\\n", "crlf"),
    ("--newline", "mac classic \\r", "cr"),
    ("--newline", "auto none preserve as-is", "keep"),
    ("--output-bom", "yes y true on add 1 with write", "always"),
    ("--output-bom", "no n false off 0 none strip remove drop delete omit without", "never"),
    ("--input-bom", "remove drop delete omit skip ignore no never", "strip"),
    ("--input-bom", "preserve yes", "keep"),
    ("--input-bom", "detect", "sniff"),
    ("--normalize", "c compose composed", "nfc"),
    ("--normalize", "d decompose decomposed", "nfd"),
    ("--normalize", "kc", "nfkc"),
    ("--normalize", "kd", "nfkd"),
    ("--declaration", "fix rewrite replace yes", "update"),
    ("--declaration", "no ignore none", "keep"),
    ("--color", "yes on true", "always"),
    ("--color", "no off false none", "never"),
    ("--format", "jsonl ndjson", "json"),
    ("--format", "codeclimate codequality code-quality", "gitlab"),
    ("--format", "gcc human plain", "text"),
    ("--rule", "mojibake double-encoding double", "double-encoded"),
    ("--rule", "trojan-source trojan unicode-security", "security"),
    ("--rule", "homoglyph homoglyphs homograph confusables mixed-script look-alikes", "mixed-scripts"),
    ("--rule", "glassworm smuggling steganography variation-selectors tags hidden", "hidden-text"),
    ("--rule", "rfc9839 rfc-9839", "assignables"),
    ("--rule", "zero-width zwsp", "invisible"),
    ("--rule", "signature no-bom", "bom=forbid"),
    ("--rule", "eol=lf newline=lf lf unix", "mixed-newlines=lf"),
    ("--rule", "eol=crlf newline=crlf crlf dos windows", "mixed-newlines=crlf"),
    ("--rule", "eol line-endings line-ending", "mixed-newlines"),
    ("--rule", "eof end-of-file", "final-newline"),
    ("--rule", "null", "nul"),
    ("--rule", "utf8 utf-8 valid", "ill-formed"),
    ("--rule", "u+fffd fffd lossy", "replacement-character"),
];

/// First words that are no command of utfconv, and the command line that people mean by them.
const COMMANDS: &[(&str, &str)] = &[
    ("fix mojibake unmojibake ftfy demojibake", "utfconv repair FILE"),
    ("validate valid verify lint isutf8 test scan find search grep", "utfconv check FILE"),
    (
        "guess chardet chardetect uchardet enca identify file info encoding charset which",
        "utfconv detect FILE",
    ),
    ("stats stat statistics count wc", "utfconv check --stats FILE"),
    ("show dump view hex hexdump xxd od", "utfconv inspect FILE"),
    ("diff compare preview", "utfconv -f auto --diff FILE"),
    ("undo revert rollback", "utfconv --undo=FILE"),
    ("restore recover", "utfconv repair --from-rev FILE"),
    ("rename convmv", "utfconv names FILE"),
    ("encodings charsets codecs aliases codepages", "utfconv list"),
    ("rules explain", "utfconv check --explain=all"),
    ("version", "utfconv --version"),
    ("usage", "utfconv --help"),
    ("dos2unix", "utfconv -i --newline=lf FILE"),
    ("unix2dos", "utfconv -i --newline=crlf FILE"),
    ("clean sanitize strip", "utfconv -c FILE"),
    ("bom debom strip-bom remove-bom", "utfconv --output-bom=never FILE"),
    ("normalize nfc", "utfconv --normalize=nfc FILE"),
    ("translit transliterate unidecode", "utfconv -t ASCII//TRANSLIT FILE"),
];

/// First words that ask for a conversion, which needs no command.
const CONVERSION: &str = "convert iconv transcode recode uconv nkf decode encode";

fn lists(list: &str, typed: &str) -> bool {
    // Options of one letter are compared with case, because two such options may differ only in case.
    let is_letter = typed.len() == 2 && typed.starts_with('-');
    let typed = if is_letter { typed.to_string() } else { typed.to_ascii_lowercase().replace('_', "-") };
    list.split(' ').any(|word| word == typed)
}

/// Returns the message for a typed option or value that other programs have. `words` is the command line.
pub fn advice(error: &clap::Error, table: &Clap, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(at)) = error.get(ContextKind::InvalidArg) else { return None };
    // clap shows `--newline <STYLE>`, even if the option was abbreviated.
    let option = at.split(' ').next()?;
    let typed = words.iter().skip(1).take_while(|word| *word != "--").filter_map(|word| word.to_str());
    let is_it = |word: &&str| {
        let name = word.split('=').next().unwrap_or_default();
        name == option || name.len() > 2 && name.starts_with("--") && option.starts_with(name)
    };
    let word = typed.clone().find(is_it).unwrap_or(option);
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    if is_unknown || name != option || name == "--backup" {
        let advice = [word, name].into_iter().find_map(|typed| unknown(typed, table))?;
        // The value may be the next word.
        let value = value.or_else(|| typed.skip_while(|typed| *typed != word).nth(1));
        let advice = match advice {
            option if option.starts_with('-') => format!("use '{option}'"),
            line if line.starts_with("utfconv ") => format!("use '{}'", completed(line, &words[1..], value)),
            sentence => sentence.to_string(),
        };
        return Some(format!("unexpected argument '{name}'; {advice}"));
    }
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return None };
    if option == "[COMMAND]" {
        let (_, line) = COMMANDS.iter().find(|(typed, _)| lists(typed, value))?;
        let command = line.split(' ').nth(1).filter(|word| !word.starts_with('-')).unwrap_or_default();
        let help = format!("utfconv help {command}");
        return Some(format!("there is no command '{value}'; use '{}'", help.trim_end()));
    }
    let (.., meant) = VALUES.iter().find(|(of, typed, _)| option == *of && lists(typed, value))?;
    Some(format!("invalid value '{value}' for '{at}'; use '{option}={meant}'"))
}

/// True if the option that clap suggests is no likely misspelling of the typed option.
pub fn misleads(error: &clap::Error) -> bool {
    let [typed, suggested] = [ContextKind::InvalidArg, ContextKind::SuggestedArg].map(|kind| error.get(kind));
    let (Some(ContextValue::String(typed)), Some(ContextValue::String(suggested))) = (typed, suggested)
    else {
        return false;
    };
    !is_misspelling(typed.trim_start_matches('-'), suggested.trim_start_matches('-'))
}

/// True if `typed` may be a misspelling of `word`: one letter is wrong, missing, added or exchanged, or two letters if
/// `typed` is longer than five bytes.
pub fn is_misspelling(typed: &str, word: &str) -> bool {
    strsim::damerau_levenshtein(typed, word) <= if typed.len() > 5 { 2 } else { 1 }
}

/// Returns the first row for an option whose advice the command can follow.
fn unknown(typed: &str, table: &Clap) -> Option<&'static str> {
    let fits = |row: &&Unknown| {
        (row.commands.is_empty() || lists(row.commands, table.get_name()))
            && lists(row.typed, typed)
            && (!row.advice.starts_with('-') || has(table, row.advice))
    };
    UNKNOWN.iter().find(fits).map(|row| row.advice)
}

/// True if a command has the option, which may be written with a value.
fn has(table: &Clap, option: &str) -> bool {
    let name = option.split(['=', ' ']).next().unwrap_or_default();
    table.get_arguments().any(|arg| match name.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|letter| name[1..].starts_with(letter)),
    })
}

/// Returns a command line in which the first word that names an existing file replaces FILE, and `output` replaces
/// OUTPUT.
fn completed(line: &str, words: &[OsString], output: Option<&str>) -> String {
    let output = output.filter(|_| line.contains("OUTPUT"));
    let is_file = |word: &&OsString| {
        !word.as_encoded_bytes().starts_with(b"-") && word.to_str() != output && Path::new(word).exists()
    };
    let line = match output {
        Some(output) => line.replace("OUTPUT", &as_argument(output)),
        None => line.to_string(),
    };
    match words.iter().find(is_file) {
        Some(file) => line.replace("FILE", &as_argument(file)),
        None => line,
    }
}

/// Returns advice on the first word of a command line, which is neither a command nor a file, such as `use 'utfconv
/// repair f'`. `rest` are the words that follow.
pub fn meant(first: &str, rest: &[OsString]) -> Option<String> {
    if first == "recode"
        && let [pair, rest @ ..] = rest
        && let Some(line) = pair.to_str().and_then(|pair| recoded(pair, rest))
    {
        return Some(line);
    }
    let is_conversion = rest.iter().filter_map(|word| word.to_str()).any(converts);
    if lists(CONVERSION, first) {
        let line = if is_conversion {
            let words: Vec<_> = rest.iter().map(|word| as_word(word)).collect();
            format!("utfconv {}", words.join(" "))
        } else {
            completed("utfconv -f ENC FILE", rest, None)
        };
        return Some(format!("omit \"{first}\": {line}"));
    }
    if is_conversion {
        return None;
    }
    recoded(first, rest).or_else(|| {
        let (_, line) = COMMANDS.iter().find(|(typed, _)| lists(typed, first))?;
        Some(format!("use '{}'", completed(line, rest, None)))
    })
}

/// Returns the command line for recode's `latin1..utf8`; `None` unless both names are encodings.
fn recoded(pair: &str, files: &[OsString]) -> Option<String> {
    let (from, to) = pair.split_once("..")?;
    Encoding::for_name(from).and(Encoding::for_name(to))?;
    let encodings = format!("utfconv -f {} -t {}", as_argument(from), as_argument(to));
    Some(format!("use '{}'", completed(&(encodings + " FILE"), files, None)))
}

/// True if a word is an option of conversions, so that the first word of its command line is a missing file, not a
/// command.
fn converts(word: &str) -> bool {
    ["-f", "-t", "-i", "-o", "--from", "--to", "--in-place", "--output"].iter().any(|of| word.starts_with(of))
}
