//! Compares all code pages and encoding names with glibc's iconv, ICU's uconv and Python.
//!
//! `differences-pages.md` lists bytes that are decoded differently. A character that is encoded differently only for
//! this reason is not listed again; other differences in encoding are in `differences-pages-written.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use tempfile::TempDir;
use utfconv_core::{
    EbcdicNewline, Encoding, FaultKind, IllFormed, OnIllFormed, OnUnmappable, Options, Policy, UTF_8,
    UTF_16LE, convert, convert_reporting,
};

use crate::harness::{dir_with, glibc, has, missing_in, rows, run, sh};

/// Folds a name for comparison: removes separators and converts to lowercase.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !"-_.: ".contains(*c)).collect::<String>().to_lowercase()
}

/// Returns options that omit undefined bytes and unmappable characters, as the peers are called.
fn omitting() -> Options {
    let policy =
        Policy::default().ill_formed(OnIllFormed::Omit).unmappable(OnUnmappable::Omit).per_byte(false);
    Options::default().policy(policy)
}

/// Whether an encoding is a single-byte code page: no byte alone is an incomplete character.
fn is_page(encoding: &'static Encoding) -> bool {
    let is_whole = |byte: u8| match convert(&[byte], encoding, &UTF_8, &Options::default()) {
        Ok(_) => true,
        Err(stopped) => !matches!(
            stopped.fault.kind,
            FaultKind::IllFormed {
                kind: IllFormed::Truncated | IllFormed::OddLength | IllFormed::PartialUnit,
                ..
            }
        ),
    };
    !is_unicode(encoding) && !encoding.is_stateful() && (0..=255).all(is_whole)
}

/// Whether an encoding is an encoding form of Unicode or a variant of an encoding form.
fn is_unicode(encoding: &Encoding) -> bool {
    ["UTF", "UCS", "WTF", "MUTF", "CESU", "UNICODE"].iter().any(|start| encoding.name().starts_with(start))
}

/// Returns all characters of the Basic Multilingual Plane except U+0000.
fn bmp() -> impl Iterator<Item = char> + Clone {
    '\u{1}'..='\u{FFFF}'
}

/// The table of a code page. All bytes or characters are converted in one call, with U+0000 as the separator, because
/// every page has it as 00. Braille is an exception: its 00 is U+2800.
#[derive(Clone, PartialEq, Eq)]
struct Table {
    /// Text of each byte from 01 to FF; empty if undefined.
    read: Vec<String>,
    /// The encoded bytes of each character.
    written: Written,
}

/// Bytes of each character of [`bmp`] that the page has. The map has no other characters, because tests start processes
/// and large memory makes a fork slow.
type Written = BTreeMap<char, Vec<u8>>;

/// Returns all bytes except 00, each followed by 00 01 20 30 00 as a separator. The separator has five bytes because
/// one page decodes 80 as U+0000, and some pages lack one of the bytes.
fn all_bytes() -> Vec<u8> {
    (1..=255).flat_map(|byte| [byte, 0, 1, 0x20, 0x30, 0]).collect()
}

/// Returns all characters in UTF-16LE, with U+0000 after each: unmappable characters leave nothing between separators,
/// and no characters are composed.
fn all_characters() -> Vec<u8> {
    bmp().flat_map(|character| [u32::from(character) as u16, 0]).flat_map(u16::to_le_bytes).collect()
}

/// Splits the converted [`all_bytes`] into the text of each byte; `None` if the parts cannot be separated.
fn texts(utf16: &[u8], separator: &str) -> Option<Vec<String>> {
    let units: Vec<u16> = utf16.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    let text = String::from_utf16_lossy(&units);
    let texts: Vec<_> = text.split_terminator(separator).map(String::from).collect();
    (texts.len() == 255).then_some(texts)
}

/// Splits the converted [`all_characters`] into the bytes of each character; `None` if the parts cannot be separated.
fn spellings(bytes: &[u8]) -> Option<Written> {
    let spellings = bytes.strip_suffix(&[0])?.split(|byte| *byte == 0);
    let has_all = spellings.clone().count() == bmp().count();
    let has_bytes = |(_, bytes): &(char, &[u8])| !bytes.is_empty();
    has_all.then(|| bmp().zip(spellings).filter(has_bytes).map(|(c, bytes)| (c, bytes.to_vec())).collect())
}

fn separator(page: &'static Encoding) -> String {
    let bytes = convert(b"\0\x01\x20\x30\0", page, &UTF_8, &omitting()).expect("omits").output;
    String::from_utf8(bytes).expect("UTF-8")
}

fn ours(page: &'static Encoding, options: &Options) -> Table {
    let output = |source: &[u8], from, to| convert(source, from, to, options).expect("omits").output;
    let read = texts(&output(&all_bytes(), page, &UTF_16LE), &separator(page)).expect("all bytes");
    let written =
        if output(b"\0", &UTF_8, page) == [0] { ours_written(page, options) } else { Written::new() };
    Table { read, written }
}

/// Encodes all characters, at once if each has a single byte, otherwise with separators.
fn ours_written(page: &'static Encoding, options: &Options) -> Written {
    static TEXT: LazyLock<String> = LazyLock::new(|| bmp().collect());
    let mut faults = Vec::new();
    let row = convert_reporting(TEXT.as_bytes(), &UTF_8, page, options, |fault| faults.push(fault));
    let (row, mut missing) = (row.expect("omits"), missing_in(&faults).peekable());
    let has: Vec<char> = bmp().filter(|character| missing.next_if_eq(character).is_none()).collect();
    assert_eq!(missing.next(), None, "faults have the order of the text");
    if has.len() == row.output.len() {
        return has.into_iter().zip(row.output.iter().map(|byte| vec![*byte])).collect();
    }
    let apart: String = bmp().flat_map(|character| [character, '\0']).collect();
    let apart = convert(apart.as_bytes(), &UTF_8, page, options).expect("omits").output;
    spellings(&apart).expect("U+0000 is 00")
}

/// All code pages of utfconv, with their tables.
static OURS: LazyLock<Vec<(&Encoding, Table)>> = LazyLock::new(|| {
    let pages: Vec<_> = Encoding::all().filter(|encoding| is_page(encoding)).collect();
    assert!(pages.len() > 200, "the pages are told from the others");
    let (first, second) = pages.split_at(pages.len() / 2);
    let made = |pages: &[&'static Encoding]| -> Vec<_> {
        pages.iter().map(|page| (*page, ours(page, &omitting()))).collect()
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| made(first));
        let second = made(second);
        let mut all = first.join().expect("no panic");
        all.extend(second);
        all
    })
});

fn our(page: &Encoding) -> &'static Table {
    &OURS.iter().find(|(known, _)| *known == page).expect("a page").1
}

struct Peer {
    name: &'static str,
    program: &'static str,
    /// A part of the output of `--version` in the version that the lists are for.
    version: &'static str,
    /// Script that prints all encoding names.
    names: &'static str,
    /// Script that decodes the file `bytes` from the encoding `$name` and prints UTF-16LE. A script without `$name`
    /// instead writes the result for the n-th line of the file `names`, counted from 0, to the file n.
    read: &'static str,
    /// Script that encodes the file `characters`, in UTF-16LE, to the encoding `$name`, or to all encodings like
    /// `read`.
    write: &'static str,
}

const PYTHON_NAMES: &str = r#"
import encodings, encodings.aliases, glob, os
for name in glob.glob(os.path.dirname(encodings.__file__) + "/[!_]*.py"):
    print(os.path.basename(name)[:-3])
for name in encodings.aliases.aliases:
    print(name)
"#;

const PYTHON_CONVERT: &str = r#"
import codecs, sys
data = open(sys.argv[1], "rb").read()
for n, name in enumerate(open("names")):
    try:
        codec = codecs.lookup(name.strip())
    except LookupError:  # some aliases are out of reach
        continue
    if sys.argv[1] == "bytes":
        # Tables of CPython have U+FFFE where there is nothing.
        made = codec.decode(data, "ignore")[0].replace("\uFFFE", "").encode("utf-16-le")
    else:
        made = codec.encode(data.decode("utf-16-le"), "ignore")[0]
    open(str(n), "wb").write(made)
"#;

const PEERS: [Peer; 3] = [
    Peer {
        name: "glibc",
        program: "iconv",
        version: "LIBC 2.36",
        names: "iconv -l | sed 's:/*$::'",
        read: "iconv -c -f \"$name\" -t UTF-16LE bytes",
        write: "iconv -c -f UTF-16LE -t \"$name\" characters",
    },
    Peer {
        name: "ICU",
        program: "uconv",
        version: "ICU 72.1",
        names: "uconv -l",
        read: "uconv --from-callback skip -f \"$name\" -t UTF-16LE bytes",
        write: "uconv --to-callback skip -f UTF-16LE -t \"$name\" characters",
    },
    Peer {
        name: "CPython",
        program: "python3",
        version: "Python 3.11",
        names: "python3 names.py",
        read: "python3 convert.py bytes",
        write: "python3 convert.py characters",
    },
];

impl Peer {
    /// Returns the output of `--version`; `None` if the program is missing or another program has its name.
    fn version(&self) -> Option<String> {
        if !has(self.program) {
            return None;
        }
        let said = sh(&std::env::temp_dir(), &format!("{} --version", self.program)).stdout;
        let said = String::from_utf8_lossy(&said).into_owned();
        (self.name != "glibc" || glibc().is_some()).then_some(said)
    }

    fn dir(&self) -> TempDir {
        dir_with(&[
            ("bytes", &all_bytes()),
            ("characters", &all_characters()),
            ("names.py", PYTHON_NAMES.as_bytes()),
            ("convert.py", PYTHON_CONVERT.as_bytes()),
        ])
    }

    fn names(&self) -> BTreeSet<String> {
        let said = sh(self.dir().path(), self.names).stdout;
        String::from_utf8_lossy(&said).split_whitespace().map(String::from).collect()
    }

    /// Returns the output of `script` for each of `names`; empty if the peer does not know the name.
    fn convert(&self, script: &str, names: &[&str]) -> Vec<Vec<u8>> {
        let dir = self.dir();
        std::fs::write(dir.path().join("names"), names.join("\n")).expect("writes");
        let each = format!(
            "n=0; while IFS= read -r name || [ \"$name\" ]; do {script} >$n; n=$((n + 1)); done <names"
        );
        sh(dir.path(), if script.contains("$name") { &each } else { script });
        (0..names.len()).map(|n| std::fs::read(dir.path().join(n.to_string())).unwrap_or_default()).collect()
    }
}

/// Parses ranges of hexadecimal numbers, such as `80-9F FF`.
fn ranges(cell: &str) -> impl Iterator<Item = u16> {
    let number =
        |text: &str| u16::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is hexadecimal"));
    cell.split_whitespace().flat_map(move |range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        number(first)..=number(last)
    })
}

fn as_ranges(numbers: impl IntoIterator<Item = u16>) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let runs: Vec<_> = runs
        .into_iter()
        .map(
            |(first, last)| {
                if first == last { format!("{first:04X}") } else { format!("{first:04X}-{last:04X}") }
            },
        )
        .collect();
    runs.join(" ")
}

fn is_private_use(text: &str) -> bool {
    text.contains(|c| ('\u{E000}'..='\u{F8FF}').contains(&c))
}

/// Returns the kind of a decoding difference, as in `pages.py`.
fn kind_read(byte: u8, ours: &str, theirs: &str) -> &'static str {
    let is_rotated = |text: &str| ["\x1A", "\x1C", "\x7F"].contains(&text);
    if ours.is_empty() && (0x80..0xA0).contains(&byte) && theirs == char::from(byte).to_string() {
        "undefined here, a C1 control there"
    } else if [0x1A, 0x1C, 0x7F].contains(&byte) && is_rotated(ours) && is_rotated(theirs) {
        "IBM's rotation of 1A, 1C and 7F"
    } else if ours.is_empty() {
        "undefined here"
    } else if theirs.is_empty() {
        "undefined there"
    } else if is_private_use(ours) || is_private_use(theirs) {
        "private use"
    } else {
        "another character"
    }
}

/// For each byte, the kind of the difference and `ours/theirs`, which is empty if the list has no values.
type Read = BTreeMap<u8, (&'static str, String)>;

fn differences_read(ours: &[String], theirs: &[String]) -> Read {
    let spell = |text: &str| {
        let numbers: Vec<_> = text.chars().map(|c| format!("{:04X}", u32::from(c))).collect();
        if numbers.is_empty() { "-".to_string() } else { numbers.join("+") }
    };
    (1..=u8::MAX)
        .zip(ours.iter().zip(theirs))
        .filter(|(_, (ours, theirs))| ours != theirs)
        .map(|(byte, (ours, theirs))| {
            (byte, (kind_read(byte, ours, theirs), format!("{}/{}", spell(ours), spell(theirs))))
        })
        .collect()
}

const LISTED: &str = include_str!("differences-pages.md");

/// Returns the listed decoding differences, by page and peer.
fn listed_read() -> BTreeMap<(&'static str, &'static str), Read> {
    let mut listed: BTreeMap<_, Read> = BTreeMap::new();
    for [page, _, peer, kind, bytes] in rows(LISTED) {
        let read = listed.entry((page, peer)).or_default();
        if bytes.contains('/') {
            for one in bytes.split(", ") {
                let (byte, change) = one.split_once(' ').expect("a byte and what it is");
                read.insert(ranges(byte).next().expect("a byte") as u8, (kind, change.into()));
            }
        } else {
            read.extend(ranges(bytes).map(|byte| (byte as u8, (kind, String::new()))));
        }
    }
    assert!(listed.len() > 50, "the table is read");
    listed
}

/// Whether all differences are listed. A listed difference without values matches any values.
fn is_as_listed(found: &Read, listed: &Read, is_listed_version: bool) -> bool {
    let is_one = |(byte, (kind, change)): (&u8, &(&str, String))| {
        listed.get(byte).is_some_and(|(k, c)| k == kind && (c.is_empty() || c == change))
    };
    found.iter().all(is_one) && (found.len() == listed.len() || !is_listed_version)
}

/// Folded names that mean an older edition of a code page in ICU, but its current edition in all other peers.
const EDITIONS: [(&[&str], &str); 4] = [
    (&["813", "cp813", "ibm813"], "ISO-8859-7 of 1987, without the euro"),
    (&["916", "cp916", "ibm916"], "ISO-8859-8 of 1988, without the directional marks"),
    (&["ibm1250", "ibm1251", "ibm1252", "ibm1253", "ibm1254", "ibm1258"], "the page without the euro"),
    (&["ibm5351", "ibm5352", "ibm5353"], "the page with fewer letters or signs"),
];

/// Returns the kind of an encoding difference that no decoding difference explains; `None` if one explains it.
fn kind_written(character: char, ours: &Table, theirs: &Table, written: [&[u8]; 2]) -> Option<&'static str> {
    let text = character.to_string();
    let bytes_of = |read: &[String]| -> Vec<u8> {
        (1..=u8::MAX).zip(read).filter(|(_, read)| **read == text).map(|(byte, _)| byte).collect()
    };
    let (here, there) = (bytes_of(&ours.read), bytes_of(&theirs.read));
    match written[1] {
        [] if written[0].len() > 1 => Some("several bytes here"),
        [] if there.is_empty() => None,
        [byte] if there.contains(byte) && here != there => None,
        [byte] if there.contains(byte) => Some("another of its bytes"),
        [] => Some("not written there"),
        [_] if written[0].is_empty() => Some("approximated there"),
        [_] => Some("approximated there, though it is there"),
        _ if written[0].len() > 1 => Some("other bytes there"),
        _ => Some("several bytes there"),
    }
}

#[test]
fn tables_as_peers_have_them() {
    let listed = listed_read();
    let listed_written = include_str!("differences-pages-written.md");
    let claims = rows::<4>(LISTED);
    assert!(claims.len() > 50, "the names are read");
    let mut wrong = Vec::new();
    let pages = rows::<4>(listed_written).into_iter().map(|[page, ..]| page);
    for page in pages.chain(listed.keys().map(|(page, _)| *page)) {
        assert!(OURS.iter().any(|(known, _)| known.name() == page), "{page} is a page");
    }
    for peer in PEERS {
        let Some(version) = peer.version() else { continue };
        let is_listed_version = version.contains(peer.version);
        let names: Vec<(String, &Encoding)> = peer
            .names()
            .into_iter()
            .filter_map(|name| Some((name.clone(), Encoding::for_name(&name)?)))
            .filter(|(_, page)| OURS.iter().any(|(known, _)| known == page))
            .collect();
        assert!(names.len() > 200, "{} knows pages", peer.name);

        // Each name must select the same table as in utfconv, except for listed differences.
        let spelled: Vec<_> = names.iter().map(|(name, _)| name.as_str()).collect();
        let mut chosen: BTreeMap<&str, (&str, &Encoding, Vec<String>)> = BTreeMap::new();
        let (none, mut known) = (Read::new(), Vec::new());
        for ((name, page), made) in names.iter().zip(peer.convert(peer.read, &spelled)) {
            if made.is_empty() {
                continue;
            }
            known.push(page.name());
            let folded = fold(name);
            let Some(read) = texts(&made, &separator(page)) else {
                wrong.push(format!("{} {name}: 00 is not U+0000", peer.name));
                continue;
            };
            let found = differences_read(&our(page).read, &read);
            let row = listed.get(&(page.name(), peer.name)).unwrap_or(&none);
            let is_claimed = claims.iter().any(|[claimed, means, _, by]| {
                *claimed == folded
                    && *means == page.name()
                    && by.split(", ").any(|source| source == peer.name)
            });
            let is_edition =
                peer.name == "ICU" && EDITIONS.iter().any(|(names, _)| names.contains(&&*folded));
            if is_as_listed(&found, row, is_listed_version) {
                chosen.entry(page.name()).or_insert((name, page, read));
            } else if !is_claimed && !is_edition {
                wrong.push(format!(
                    "{} {name} ({}) reads {found:?}, listed is {row:?}",
                    peer.name,
                    page.name()
                ));
            }
        }

        let known: BTreeSet<_> = known.into_iter().collect();
        let stale = listed.keys().filter(|(page, by)| {
            is_listed_version && *by == peer.name && known.contains(page) && !chosen.contains_key(page)
        });
        wrong.extend(stale.map(|(page, by)| format!("{by} has no such {page} by any name")));

        // For one name of each page, all characters are encoded.
        let spelled: Vec<_> = chosen.values().map(|(name, ..)| *name).collect();
        for ((_, page, read), made) in chosen.into_values().zip(peer.convert(peer.write, &spelled)) {
            let ours = our(page);
            if ours.written.is_empty() {
                continue;
            }
            let Some(written) = spellings(&made) else {
                wrong.push(format!("{} {}: U+0000 is not 00", peer.name, page.name()));
                continue;
            };
            let theirs = Table { read, written };
            let mut kinds: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
            let characters: BTreeSet<char> =
                ours.written.keys().chain(theirs.written.keys()).copied().collect();
            for character in characters {
                let [here, there] = [ours, &theirs]
                    .map(|table| table.written.get(&character).map_or(&[][..], |bytes| bytes.as_slice()));
                if here != there
                    && let Some(kind) = kind_written(character, ours, &theirs, [here, there])
                {
                    kinds.entry(kind).or_default().push(u32::from(character) as u16);
                }
            }
            let rows: Vec<_> = kinds
                .into_iter()
                .map(|(kind, characters)| {
                    format!("| {} | {} | {kind} | {} |", page.name(), peer.name, as_ranges(characters))
                })
                .collect();
            wrong.extend(rows.iter().filter(|row| !listed_written.lines().any(|line| line == *row)).cloned());
            let prefix = format!("| {} | {} | ", page.name(), peer.name);
            let stale = listed_written.lines().filter(|line| {
                is_listed_version && line.starts_with(&prefix) && !rows.iter().any(|row| row == line)
            });
            wrong.extend(stale.map(|line| format!("out of date: {line}")));
        }
    }
    assert!(wrong.is_empty(), "not as listed:\n{}", wrong.join("\n"));
}

/// Folded names of peers that utfconv must not know, and the reason.
const NOT_HERE: [(&str, &str); 7] = [
    (
        "aliases base64 base64codec bz2 bz2codec charmap hex hexcodec idna punycode quopri quopricodec \
            quotedprintable rawunicodeescape rot13 undefined unicodeescape uu uucodec zip zlib zlibcodec",
        "codecs of CPython between bytes or strings, and its modules",
    ),
    ("utf8sig xutf16lebom", "CPython's and ICU's for UTF with a BOM: an option here"),
    ("ansi dbcs mbcs oem", "the encoding that Windows is set to"),
    ("ksc xjisautodetect", "too vague, or a guess between encodings"),
    (
        "xmacjapanese xmackorean xmacsimpchinese xmactradchinese",
        "Apple's of several bytes, for which CPython has others",
    ),
    ("cp943c ibm943c xms9320213", "IBM943 and Shift_JIS with other single bytes, or with JIS X 0213"),
    ("ibm1392 xksc5601 gb231219800", "IBM's and Java's tables of several bytes, which are no others'"),
];

/// Whether utfconv knows a name, or refuses it as out of scope.
fn is_settled(name: &str) -> bool {
    Encoding::for_name(name).is_some() || Encoding::unsupported(name).is_some()
}

/// Whether a name is ICU's name of a table, such as `ibm-37_P100-1995` or `windows-936-2000`.
fn is_table(name: &str) -> bool {
    let end = name.rsplit(['-', '_']).next().unwrap_or_default();
    let is_year =
        end.len() == 4 && end.starts_with(['1', '2']) && end.bytes().all(|byte| byte.is_ascii_digit());
    is_year && !name.ends_with("-1987") && !name.ends_with("-1989") && !name.ends_with("-1980")
        || name.starts_with("macos-")
        || name.ends_with("_U2")
}

#[test]
fn names_of_peers() {
    let mut open = BTreeSet::new();
    for peer in PEERS {
        if peer.version().is_none() {
            continue;
        }
        for name in peer.names() {
            // ICU also has internal names of tables and table variants, which are not for users.
            let is_variant = name.contains([',', '=']) || name.contains("_V") || name.ends_with("-s390");
            if peer.name == "ICU" && (is_variant || is_table(&name)) {
                continue;
            }
            let folded = fold(&name);
            let is_listed =
                NOT_HERE.iter().any(|(names, _)| names.split_whitespace().any(|name| name == folded));
            let is_of_glibc = peer.name == "glibc" && Encoding::for_name(&name).is_none();
            if !is_settled(&name) && !is_listed || is_of_glibc {
                open.insert(format!("{} {name}", peer.name));
            }
        }
    }
    assert!(open.is_empty(), "neither known nor listed: {open:#?}");
}

#[test]
fn listed_names_are_not_known() {
    let listed = NOT_HERE.iter().flat_map(|(names, _)| names.split_whitespace());
    let known: Vec<_> = listed.filter(|name| is_settled(name)).collect();
    assert!(known.is_empty(), "strike these off: {known:?}");
}

/// Names that an iconv, uconv, recode or Python in current use accepts.
const ACCEPTED: &str = "\
    UTF-8 utf-8 UTF8 utf8 UTF_8 utf_8 Utf8 cp65001 unicode-1-1-utf-8 UTF-16 utf16 UTF16 utf_16 UTF-16LE UTF16LE \
    utf16-le UTF-16-LE utf_16_le utf-16be UCS-2 UCS2 ucs-2le UCS-2-INTERNAL UCS-2-SWAPPED UNICODE unicode \
    UNICODELITTLE UNICODEFFFE csUnicode ISO-10646-UCS-2 UCS-4 UCS-4-INTERNAL UTF-32 UTF32LE utf-32le CESU-8 CESU8 \
    latin1 LATIN1 Latin-1 latin_1 l1 ISO-8859-1 iso8859-1 ISO_8859-1 ISO88591 iso_8859_1 8859_1 8859-1 88591 IBM819 \
    CP819 ISO-IR-100 csISOLatin1 windows-1252 WINDOWS1252 cp1252 CP-1252 1252 ms-ansi ascii US-ASCII us \
    ANSI_X3.4-1968 646 latin9 latin-9 ISO-8859-15 shift_jis SHIFT-JIS sjis SJIS cp932 MS932 windows-31j euc-jp EUCJP \
    eucJP-win GBK GB2312 GB18030 CP936 big5 BIG5-HKSCS KOI8-R koi8r macintosh MACROMAN mac x-mac-roman IBM437 cp437 \
    437 utf-7 UTF-7-IMAP TIS-620 johab ISO-2022-JP wchar_t WCHAR_T x-user-defined";

/// Names that are no encodings: libiconv's name for the encoding of the locale, and Python's name for UTF-8 with a BOM.
const NO_ENCODINGS: [&str; 2] = ["char", "UTF-8-SIG"];

#[test]
fn accepted_names() {
    let open: Vec<_> = ACCEPTED.split_whitespace().filter(|name| !is_settled(name)).collect();
    assert!(open.is_empty(), "{open:?}");
    for name in NO_ENCODINGS {
        assert!(!is_settled(name), "{name}");
    }
}

#[test]
fn there_and_back() {
    for (encoding, Table { written, .. }) in OURS.iter() {
        let name = encoding.name();
        let to =
            |text: &str| convert(text.as_bytes(), &UTF_8, encoding, &Options::default()).expect(name).output;
        let coded: Vec<u8> = written.values().flatten().copied().collect();
        let back = convert(&coded, encoding, &UTF_8, &Options::default()).expect(name).output;
        let back = String::from_utf8(back).expect("UTF-8");
        assert!(to(&back) == coded, "{name}: other bytes");
        let apart = TAKEN_APART.iter().find(|(page, _)| *page == name).map_or("", |(_, apart)| apart);
        let has: String = written
            .iter()
            .map(|(c, bytes)| {
                let is_apart = bytes.len() > 1 && ranges(apart).any(|unit| u32::from(unit) == u32::from(*c));
                if is_apart { apart_as(encoding, bytes) } else { c.to_string() }
            })
            .collect();
        assert!(back == has, "{name}: other characters");
    }
}

/// Characters that are encoded as a letter and marks, and decoded as a letter and marks.
const TAKEN_APART: [(&str, &str); 2] = [
    ("windows-1255", "FB1D FB1F FB2A-FB36 FB38-FB3C FB3E FB40-FB41 FB43-FB44 FB46-FB4E"),
    ("windows-1258", "1E4C-1E4D 1E78-1E79"),
];

/// Returns the decoded letter and marks of a character that is encoded as several bytes.
fn apart_as(page: &'static Encoding, bytes: &[u8]) -> String {
    let text = String::from_utf8(convert(bytes, page, &UTF_8, &Options::default()).expect("read").output);
    let text = text.expect("UTF-8");
    assert!(text.chars().count() > 1, "{bytes:02X?} is read as one character");
    text
}

#[test]
fn letters_and_marks() {
    let vietnamese = Encoding::for_name("windows-1258").expect("known");
    let hebrew = Encoding::for_name("windows-1255").expect("known");
    let write = |text: &str, page| convert(text.as_bytes(), &UTF_8, page, &Options::default());
    let read = |bytes: &[u8], page| {
        let output = convert(bytes, page, &UTF_8, &Options::default()).expect("read").output;
        String::from_utf8(output).expect("UTF-8")
    };
    for (text, bytes) in [
        ("Tiếng Việt", &b"Ti\xEA\xECng Vi\xEA\xF2t"[..]),
        ("ỗẤợ", b"\xF4\xDE\xC2\xEC\xF5\xF2"),
        ("é", b"\xE9"),
        ("Á\u{323}", b"\xC1\xF2"),
        ("ẹ\u{301}", b"e\xF2\xEC"),
        ("\u{301}q\u{301}e", b"\xECq\xECe"),
        ("¨΅", b"\xA8\xA8\xEC"),
    ] {
        assert_eq!(write(text, vietnamese).expect("written").output, bytes, "{text}");
        assert_eq!(read(bytes, vietnamese), text);
    }
    // The decoded text is canonically equivalent, but not the same. The byte pair 65 EC is decoded as U+00E9.
    for (text, bytes, back) in
        [("e\u{301}", &b"e\xEC"[..], "é"), ("ê\u{301}", b"\xEA\xEC", "ế"), ("Ṍ", b"O\xDE\xEC", "Õ\u{301}")]
    {
        assert_eq!(write(text, vietnamese).expect("written").output, bytes, "{text}");
        assert_eq!(read(bytes, vietnamese), back);
    }
    // Ö with tilde cannot be encoded, nor can marks that the page lacks. Characters with a singleton decomposition are
    // not decomposed.
    for text in ["Ṏ", "e\u{302}", "\u{340}", "\u{212B}"] {
        assert!(write(text, vietnamese).is_err(), "{text}");
    }
    for (text, bytes, back) in [
        ("\u{FB2E}", &b"\xE0\xC7"[..], "\u{5D0}\u{5B7}"),
        ("\u{FB2C}", b"\xF9\xCC\xD1", "\u{5E9}\u{5BC}\u{5C1}"),
    ] {
        assert_eq!(write(text, hebrew).expect("written").output, bytes, "{text}");
        assert_eq!(read(bytes, hebrew), back);
    }
    // A composed pair takes one column.
    let ran = run(&["-f", "windows-1258", "-t", "UTF-8"], b"Vi\xEA\xF2t Nam\nTi\xEA\xECng \x81");
    assert!(ran.status == 1 && ran.stderr.contains("2:7:"), "{}", ran.stderr);
}

/// A page, its name in glibc, its marks, and the characters that only glibc composes: a letter with a tilde and an
/// acute or diaeresis, with the marks in the uncommon order.
const COMPOSED_ONLY_THERE: [(&str, &str, [u8; 5], &str); 2] = [
    ("windows-1258", "CP1258", [0xCC, 0xD2, 0xDE, 0xEC, 0xF2], "ṌṎṸṍṏṹ"),
    ("TCVN5712-1", "TCVN", [0xB0, 0xB1, 0xB2, 0xB3, 0xB4], "ṸṌṍṹ"),
];

#[test]
fn letters_and_marks_as_glibc_composes_them() {
    let glibc = &PEERS[0];
    if !glibc.version().is_some_and(|version| version.contains(glibc.version)) {
        return;
    }
    for (name, glibc_name, marks, otherwise) in COMPOSED_ONLY_THERE {
        let page = Encoding::for_name(name).expect("known");
        let letters = (1..=u8::MAX).zip(&our(page).read).filter(|(_, text)| !text.is_empty());
        let pairs: Vec<_> = letters.flat_map(|(letter, _)| marks.map(|mark| [letter, mark, 0])).collect();
        let source = pairs.concat();
        let dir = dir_with(&[("pairs", &source)]);
        let theirs = sh(dir.path(), &format!("iconv -f {glibc_name} -t UTF-8 pairs")).stdout;
        let theirs = String::from_utf8(theirs).expect("UTF-8");
        let ours = convert(&source, page, &UTF_8, &Options::default()).expect("read").output;
        let ours = String::from_utf8(ours).expect("UTF-8");
        let (ours, theirs): (Vec<_>, Vec<_>) = (ours.split('\0').collect(), theirs.split('\0').collect());
        assert_eq!((ours.len(), theirs.len()), (pairs.len() + 1, pairs.len() + 1));
        let different: String =
            ours.iter().zip(&theirs).filter(|(a, b)| a != b).map(|(_, there)| *there).collect();
        assert_eq!(different, otherwise, "{name}");
        assert!(ours.iter().filter(|text| text.chars().count() == 1).count() > 170, "{name}");
    }
}

/// Pages, and bytes that are decoded as the same character as another byte. Such bytes are never encoded.
const DUPLICATES: &str = "\
MacArabic: A0-A4 A6-AB AD-AF BA BC-BE DB-DF FB-FD
MacFarsi: A0-A4 A6-AB AD-AF BA BC-BE DB-DF FB-FD
ARMSCII-8: A4-A5 A9 AB-AC
ISIRI-3342: 80-A0 A3 A6 A8-A9 AB AD AF BA BC-BE E2-E5 E8 EA-EB FF
IBM1006: B2
IBM1046: A1-A3 A5
IBM1161: A0 DB-DD
IBM9066: A0 DB-DE
IBM-Thai: 51 CA E1 FD-FE
IBM1160: 51 CA E1 FD
IBM9030: 51 CA E1 FD-FE
";

#[test]
fn each_byte_back_to_itself() {
    let mut found = String::new();
    for (page, table) in OURS.iter() {
        let byte_of = |text: &str| {
            let coded = convert(text.as_bytes(), &UTF_8, page, &Options::default());
            coded.unwrap_or_else(|_| panic!("{page:?} writes what it reads, {text:?}")).output
        };
        let changed: Vec<u16> = (1..=u8::MAX)
            .zip(&table.read)
            .filter(|(byte, text)| !text.is_empty() && byte_of(text) != [*byte])
            .map(|(byte, _)| u16::from(byte))
            .collect();
        if !changed.is_empty() {
            found += &format!("{}: {}\n", page.name(), as_ranges(changed).replace("00", ""));
        }
    }
    assert_eq!(found, DUPLICATES);
}

#[test]
fn braille_in_order() {
    let page = Encoding::for_name("ISO-11548-1").expect("known");
    let text: String = ('\u{2800}'..='\u{28FF}').collect();
    let bytes: Vec<u8> = (0..=255).collect();
    assert_eq!(convert(text.as_bytes(), &UTF_8, page, &Options::default()).expect("braille").output, bytes);
    assert_eq!(convert(&bytes, page, &UTF_8, &Options::default()).expect("braille").output, text.as_bytes());
    let without_nul: Vec<_> = OURS.iter().filter(|(_, table)| table.written.is_empty()).collect();
    assert!(without_nul.len() == 1 && without_nul[0].0 == page, "the others have U+0000 as 00");
}

#[test]
fn newlines_of_ebcdic() {
    let lf = omitting().ebcdic_newline(EbcdicNewline::Lf);
    for (page, nel) in OURS.iter() {
        let mut expected = nel.clone();
        if page.is_ebcdic() {
            expected.read.swap(0x15 - 1, 0x25 - 1);
            for byte in expected.written.values_mut().flatten() {
                *byte = match *byte {
                    0x15 => 0x25,
                    0x25 => 0x15,
                    other => other,
                };
            }
            assert!(ours(page, &lf) == expected, "{page:?}");
        } else {
            let text = nel.read.concat();
            let [same, bytes] = [&omitting(), &lf]
                .map(|options| convert(text.as_bytes(), &UTF_8, page, options).expect("omits").output);
            assert!(bytes == same, "{page:?}");
            let [same, back] = [&omitting(), &lf]
                .map(|options| convert(&bytes, page, &UTF_8, options).expect("omits").output);
            assert!(back == same, "{page:?}");
        }
    }
    let ibm1047 = &our(Encoding::for_name("IBM1047").expect("known")).read;
    assert_eq!([&ibm1047[0x15 - 1], &ibm1047[0x25 - 1]], ["\u{85}", "\n"]);
}

#[test]
fn newlines_of_ebcdic_as_icu_swaps_them() {
    let icu = &PEERS[1];
    if icu.version().is_none() {
        return;
    }
    let lf = omitting().ebcdic_newline(EbcdicNewline::Lf);
    let names: Vec<_> = icu.names().into_iter().filter(|name| name.ends_with(",swaplfnl")).collect();
    assert!(names.len() > 10);
    let spelled: Vec<_> = names.iter().map(String::as_str).collect();
    let read = icu.convert(icu.read, &spelled);
    let written = icu.convert(icu.write, &spelled);
    for ((name, read), written) in names.iter().zip(read).zip(written) {
        let number = name.split('_').next().expect("a name");
        let page = Encoding::for_name(number).unwrap_or_else(|| panic!("{number}"));
        let ours = ours(page, &lf);
        assert!(texts(&read, &separator(page)) == Some(ours.read), "{name} is read as {page:?}");
        let written = spellings(&written).expect("U+0000 is 00");
        for character in bmp() {
            let [theirs, ours] = [&written, &ours.written].map(|written| written.get(&character));
            assert!(theirs == ours, "{name}: {:04X} {theirs:02X?} {ours:02X?}", u32::from(character));
        }
    }
}

#[test]
fn lines_of_ebcdic() {
    // The source is IBM1047: A, newline byte 15, B, newline byte 25, and é, which ISO-8859-5 lacks.
    let source = [0xC1, 0x15, 0xC2, 0x25, 0x51];
    for (choice, text, place) in [("nel", "A\u{85}B\n", "2:1:"), ("lf", "A\nB\u{85}", "2:3:")] {
        let option = format!("--ebcdic-newline={choice}");
        let ran = run(&["-f", "IBM1047", "-t", "UTF-8", &option], source);
        ran.expect(0, format!("{text}é"), "");
        run(&["-f", "UTF-8", "-t", "IBM1047", &option], format!("{text}é")).expect(0, source, "");
        let ran = run(&["-f", "IBM1047", "-t", "ISO-8859-5", &option], source);
        assert!(ran.status == 1 && ran.stderr.contains(place), "{choice}: {}", ran.stderr);
        // If the source is not EBCDIC, lines end only at its line feeds.
        let ran = run(&["-f", "UTF-8", "-t", "IBM1047", &option], "A\u{85}B\n\u{3B1}");
        assert!(ran.status == 1 && ran.stderr.contains("2:1:"), "{choice}: {}", ran.stderr);
    }
}
