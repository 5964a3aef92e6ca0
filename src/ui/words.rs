//! Words that people type because other programs have them (iconv, recode, dos2unix, uconv, enca, file, Python), and
//! what people mean by them. Only errors consult these tables, so a word in the tables is answered with advice and
//! never accepted.

use std::ffi::OsString;
use std::path::Path;

use clap::Command as Clap;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use utfconv_core::Encoding;

use crate::ui::quote::{as_argument, as_word};

/// Options that utfconv does not have: the commands that a row is for, the options, and the advice on them.
///
/// Commands and options are separated by spaces. An empty string stands for every command, `utfconv` for a conversion. An
/// option may have a value, as in `--bom=remove`. The advice is an option of the command (`-f`, `--newline=lf`), a command
/// line (`utfconv check FILE`), or a sentence. If the command does not have the option, the row is skipped. The first row
/// that fits is used, so the rows of a single command come before those of every command.
const UNKNOWN: &[(&str, &str, &str)] = &[
    ("check", "-i --in-place --inplace --write -w --replace --repair --autofix --fix-it", "--fix"),
    ("check", "-t --to --to-code --to-encoding --output-encoding --fits", "--target"),
    ("check", "--lf --unix --eol=lf --newline=lf", "--rule=mixed-newlines=lf"),
    ("check", "--crlf --dos --windows --eol=crlf --newline=crlf", "--rule=mixed-newlines=crlf"),
    ("check", "--eol --newline --newlines --line-ending --line-endings", "--rule=mixed-newlines"),
    ("check", "--require-bom --bom=require --bom=yes --bom=always --with-bom", "--rule=bom=require"),
    ("check", "--add-bom", "--rule=bom=require"),
    ("check", "--bom --no-bom --strip-bom --remove-bom --forbid-bom --find-bom", "--rule=bom=forbid"),
    ("check", "--nfc --normalize --normalized --normalization", "--rule=not-nfc"),
    ("check", "--mojibake --double-encoding --double", "--rule=double-encoded"),
    ("check", "--bidi --trojan-source --trojan --invisible --hidden-characters", "--rule=security"),
    ("check", "--security", "--rule=security"),
    ("check", "--homoglyph --homoglyphs --homograph --confusables --mixed-script", "--rule=mixed-scripts"),
    ("check", "--glassworm --smuggling --steganography --variation-selectors --hidden", "--rule=hidden-text"),
    ("check", "--select --enable --rules --extend-select --checks", "--rule"),
    ("check", "--list-rules --show-rules --explain-all", "--explain=all"),
    ("check", "--all", "--rule=all"),
    ("check", "--ignore --disable --ignore-rule --skip-rule", "--allow"),
    ("check", "--cached --index", "--staged"),
    ("check", "--changed --modified --diff-base --base --against", "--since=HEAD"),
    ("check", "--git --all-files --git-files", "--tracked"),
    ("check", "--list --list-files --list-different --files-with-matches --name-only --names-only", "-l"),
    ("check", "--fail-fast --stop-on-error --exitfirst -x", "--max-total=1"),
    ("check", "--warn --warn-only --no-fail --no-error", "--exit-zero"),
    (
        "check",
        "--exit-code --error-exitcode --strict",
        "the status is 1 if there are errors, without an option",
    ),
    (
        "check",
        "--position --positions --offset --offsets --line-number --byte-offset",
        "each error has its line, column and byte, without an option",
    ),
    ("check", "--utf8 --utf-8 --is-utf8", "check expects UTF-8 without an option"),
    ("detect", "-i -b --mime --mime-encoding --mime-type", "--brief"),
    ("detect", "-f --from-code --encoding --charset --encodings", "--candidates"),
    ("detect", "--confidence --certainty --probability --scores --all", "--verbose"),
    ("inspect", "--line --at --offset --position --byte --seek --skip -s", "--around"),
    ("inspect", "-n --lines --length", "--range"),
    ("list", "-v --verbose --aliases --alias --all --names", "--format=json"),
    ("list", "-l --list", "list prints all names without an option"),
    ("repair", "-o --output --output-file --outfile -O", "utfconv repair < FILE > OUTPUT"),
    ("repair", "--stdout --to-stdout", "utfconv repair < FILE"),
    (
        "repair",
        "-t --to --to-code --to-encoding",
        "text stays UTF-8; to convert it, use 'utfconv -t ENC FILE'",
    ),
    ("repair", "--encoding --charset --from-encoding --encodings", "--candidates"),
    ("names", "-r -R --recursive --recurse", "names always enters directories"),
    ("names", "-n --dry-run --test --simulate --preview", "without -i, names only shows what it would do"),
    ("names", "--rename --notest --apply --exec --fix --replace --write -w", "-i"),
    ("names", "-j --threads -o --output --output-dir", "names are changed where the files are, with -i"),
    ("edit", "--write -w --overwrite --replace", "edit always writes to the files"),
    ("git-filter", "--install --setup --init --clean --smudge clean smudge", "utfconv git-filter -h"),
    ("textconv", "-t --to --to-code --output", "textconv always writes UTF-8, to standard output"),
    (
        "utfconv",
        "--replace",
        "use '--errors=replace' for what cannot be converted, or '-i' to write to the file",
    ),
    ("utfconv", "--bom=keep --keep-bom --preserve-bom", "--input-bom=keep"),
    ("utfconv", "--check --validate --valid --test --is-utf8 --lint", "utfconv check FILE"),
    ("utfconv", "--detect --guess --detect-encoding --guess-encoding --mime", "utfconv detect FILE"),
    ("utfconv", "--mime-encoding --mime-type --identify --info", "utfconv detect FILE"),
    ("utfconv", "--brief", "utfconv detect --brief FILE"),
    ("utfconv", "--repair --fix --mojibake --fix-mojibake --unmojibake", "utfconv repair FILE"),
    ("utfconv", "--double-encoded", "utfconv repair FILE"),
    ("utfconv", "--inspect --hex --dump --show-bytes", "utfconv inspect FILE"),
    ("utfconv", "--list-encodings --encodings --list-code --list-codes --list-charsets", "utfconv list"),
    ("utfconv", "--charsets --list-aliases", "utfconv list"),
    ("utfconv", "--input --in --file --infile --input-file", "write the name of an input without an option"),
    ("utfconv", "--to-stdout --stdout -O", "the text goes to standard output without an option"),
    ("utfconv", "--strict", "a conversion stops at the first error without an option"),
    (
        "utfconv",
        "-u --unbuffered --line-buffered --stream",
        "text is written as soon as it is read, without an option",
    ),
    ("utfconv", "--utf8 --utf-8 --to-utf8 --to-utf-8", "the output is UTF-8 without an option"),
    ("check detect repair", "-r -R --recursive --recurse", "directories are searched without it"),
    ("", "--overwrite --inplace --write --rewrite --save --edit --apply --modify -w --replace --fix", "-i"),
    ("", "-R --recurse --recursively", "-r"),
    ("", "-L", "--language"),
    ("", "--lf --unix --to-unix --dos2unix", "--newline=lf"),
    ("", "--crlf --dos --windows --to-dos --unix2dos", "--newline=crlf"),
    ("", "--cr --mac", "--newline=cr"),
    ("", "--eol --newlines --line-ending --line-endings --convmode", "--newline"),
    ("", "--auto --autodetect --auto-detect", "-f auto"),
    ("", "--latin1", "-f latin1"),
    ("", "-E --encoding --enc --charset --codec --source --src --source-encoding --input-encoding", "-f"),
    ("", "--input-charset --from-encoding --from-charset --fromcode --decode", "-f"),
    ("", "--output-encoding --output-charset --to-encoding --to-charset --target --target-encoding", "-t"),
    ("", "--tocode --dest --encode", "-t"),
    ("", "--output-file --outfile --newfile", "-o"),
    ("", "--ignore --ignore-errors --ignore-invalid --skip --skip-invalid --skip-errors --drop", "-c"),
    ("", "--discard --strip --delete --clean --remove-invalid", "-c"),
    ("", "--lossy --sanitize --substitute --replace-invalid", "--errors=replace"),
    ("", "--on-error --error-handler --callback", "--errors"),
    ("", "--from-callback --invalid --on-invalid", "--ill-formed"),
    ("", "--to-callback --on-unmappable --unencodable", "--unmappable"),
    ("", "--omit", "--ill-formed=omit"),
    ("", "--fallback", "--ill-formed=fallback=ENC"),
    ("", "--translit --transliterate --approximate --unaccent --remove-accents", "--unmappable=translit"),
    ("", "--ascii", "-t ASCII//TRANSLIT"),
    ("", "--entities --html --html-entities --xmlcharrefreplace", "--unmappable=escape=html"),
    ("", "--xml", "--unmappable=escape=xml"),
    ("", "--escape --backslashreplace", "--unmappable=escape"),
    ("", "--strip-bom --remove-bom --no-bom --without-bom --delete-bom --drop-bom", "--output-bom=never"),
    ("", "--skip-bom --remove-signature --bom=remove --bom=strip --bom=no --bom=never", "--output-bom=never"),
    ("", "--bom=none --bom=false --bom=off --bom=delete --bom=drop", "--output-bom=never"),
    ("", "--add-bom --with-bom --write-bom --bom --add-signature -m", "--output-bom=always"),
    ("", "--nfc --compose", "--normalize=nfc"),
    ("", "--nfd --decompose", "--normalize=nfd"),
    ("", "--nfkc", "--normalize=nfkc"),
    ("", "--nfkd", "--normalize=nfkd"),
    ("", "--normalise --normalization --normalisation", "--normalize"),
    ("", "-n --dryrun --simulate --preview --no-act --just-print --pretend --noop --no-write", "--dry-run"),
    ("", "--what-if --whatif", "--dry-run"),
    ("", "--fail-fast --exitfirst --abort-on-error", "--stop-on-error"),
    ("", "--backup --bak --keep-backup --backup-suffix --suffix --keep-original", "-i=.orig"),
    ("", "--keepdate --keep-date --touch -k -p", "--preserve-time"),
    ("", "--jobs --parallel --workers", "-j"),
    ("", "--json", "--format=json"),
    ("", "--output-format --report --reporter", "--format"),
    ("", "--summary --statistics", "--stats"),
    ("", "--no-color --no-colour --nocolor", "--color=never"),
    ("", "--colour", "--color"),
    ("", "--exclude-dir --ignore-path --ignore-dir --skip-dir --skip-files", "--exclude"),
    ("", "--glob --files --filter --name --ext --extension --only", "--include"),
    ("", "--quiet -q", "--silent"),
    ("", "--silent -s", "--quiet"),
    ("", "--usage --help-all", "--help"),
    ("", "--accept-guess", "--min-certainty=guess"),
    ("", "--accept-likely", "--min-certainty=likely"),
    ("", "--again", "--reconvert"),
    ("", "--first-line", "--range-first-line"),
    ("", "--no-guess", "--force"),
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
    let fits = |(commands, options, advice): &&(&str, &str, &str)| {
        (commands.is_empty() || lists(commands, table.get_name()))
            && lists(options, typed)
            && (!advice.starts_with('-') || has(table, advice))
    };
    UNKNOWN.iter().find(fits).map(|(.., advice)| *advice)
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
    let line = output.map_or(line.into(), |output| line.replace("OUTPUT", &as_argument(output)));
    words.iter().find(is_file).map_or(line.clone(), |file| line.replace("FILE", &as_argument(file)))
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
