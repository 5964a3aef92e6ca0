//! Reads which file of a crate imports which, and holds the imports to a list of rooms from top to bottom.
//!
//! Skips comments, and what follows `#[cfg(test)]`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Asserts that every file below `src` is in one room, and that no file imports one of a room above its own. A room is a
/// list of files (`check.rs`) and of directories (`decode/`); where several fit a file, the longest does.
///
/// # Panics
/// If an import points up, a file is in no room, or a room names nothing.
pub fn assert_downward(src: &Path, rooms: &[&[&str]]) {
    let files = Sources::read(src);
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    let mut room_of = BTreeMap::new();
    for file in files.texts.keys() {
        let fits = |name: &&str| *name == file || name.ends_with('/') && file.starts_with(name);
        let names = rooms.iter().enumerate().flat_map(|(at, room)| room.iter().map(move |name| (at, *name)));
        match names.filter(|(_, name)| fits(name)).max_by_key(|(_, name)| name.len()) {
            Some((at, name)) => {
                used.insert(name);
                room_of.insert(file.as_str(), at);
            }
            None => wrong.push(format!("{file} is in no room")),
        }
    }
    let unused = rooms.iter().copied().flatten().filter(|name| !used.contains(*name));
    wrong.extend(unused.map(|name| format!("room {name}: no such file")));
    for Import { from, line, to } in files.imports() {
        if room_of.get(to.as_str()) < room_of.get(from.as_str()) {
            wrong.push(format!("{from}:{line} imports {to}, which is above it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Asserts that no file below `src` needs itself through others. An import of a re-exported name counts as one of the
/// file that defines the name. A re-export itself is no import.
///
/// # Panics
/// If files need each other in a circle; the message has the imports between them.
pub fn assert_no_circles(src: &Path) {
    let circles = Sources::read(src).circles();
    let lines = circles.iter().map(|Import { from, line, to }| format!("{from}:{line} imports {to}"));
    assert!(circles.is_empty(), "files that import each other:\n{}", lines.collect::<Vec<_>>().join("\n"));
}

/// A path in one file that leads into another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: String,
    /// Counted from 1.
    pub line: usize,
    pub to: String,
}

/// The sources of a crate, by file below `src`, without comments, literals and tests.
pub struct Sources {
    pub texts: BTreeMap<String, String>,
    /// By module path, such as `kernel::x86`.
    modules: BTreeMap<Vec<String>, String>,
}

impl Sources {
    /// Reads all files below `src`, except those that are modules of tests only.
    pub fn read(src: &Path) -> Sources {
        let mut all = BTreeMap::new();
        read_directory(src, "", &mut all);
        Sources::of(&all)
    }

    /// Takes texts by file.
    pub fn of(all: &BTreeMap<String, String>) -> Sources {
        let mut tests_only = BTreeSet::new();
        let mut texts = BTreeMap::new();
        for (file, text) in all {
            let mut plain = without_comments(text);
            for test in test_items(&plain) {
                if let Some(name) = plain[test.clone()].trim_end().strip_suffix(';').and_then(module_name) {
                    let mut module = module_path(file);
                    module.push(name.to_string());
                    tests_only.insert(module);
                }
                let blank: String =
                    plain[test.clone()].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
                plain.replace_range(test, &blank);
            }
            texts.insert(file.clone(), plain);
        }
        texts.retain(|file, _| {
            let module = module_path(file);
            !(1..=module.len()).any(|len| tests_only.contains(&module[..len]))
        });
        let modules = texts.keys().map(|file| (module_path(file), file.clone())).collect();
        Sources { texts, modules }
    }

    /// All imports, in the order of the files.
    pub fn imports(&self) -> Vec<Import> {
        self.imports_to(|from, path, _| self.target(from, path).map(|(to, _)| to))
    }

    /// Returns the imports of definitions from which a way leads back to the file, in the order of the files.
    pub fn circles(&self) -> Vec<Import> {
        let uses = self.texts.iter().map(|(file, text)| (file, uses(text))).collect();
        let mut circles = self.imports_to(|from, path, is_exported| {
            let is_named = path.last().is_some_and(|name| name != "*");
            if is_exported && is_named { None } else { self.definition(from, path, &uses) }
        });
        let mut below = BTreeMap::<_, BTreeSet<_>>::new();
        for Import { from, to, .. } in &circles {
            below.entry(from.clone()).or_default().insert(to.clone());
        }
        circles.retain(|Import { from, to, .. }| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![to]);
            while let Some(file) = open.pop() {
                if seen.insert(file) {
                    open.extend(below.get(file).into_iter().flatten());
                }
            }
            seen.contains(from)
        });
        circles
    }

    /// Returns the results of `target` for the paths of each file; it also gets whether they are re-exported.
    fn imports_to<'a>(&self, target: impl Fn(&str, &[String], bool) -> Option<&'a String>) -> Vec<Import> {
        let mut imports = BTreeSet::new();
        for (from, text) in &self.texts {
            for (at, path) in paths(text) {
                let is_exported = use_before(&text[..at]).is_some_and(|before| before.ends_with(['b', ')']));
                if let Some(to) = target(from, &path, is_exported).filter(|to| *to != from) {
                    let line = 1 + text[..at].matches('\n').count();
                    imports.insert(Import { from: from.clone(), line, to: to.clone() });
                }
            }
        }
        imports.into_iter().collect()
    }

    /// Returns the file that defines what a path in `file` leads to: of a name that a module has by a `use`, another.
    fn definition(&self, file: &str, path: &[String], uses: &BTreeMap<&String, Uses>) -> Option<&String> {
        let (mut to, mut name) = self.target(file, path)?;
        let mut seen = BTreeSet::new();
        while let Some(path) = name.as_ref().and_then(|name| uses[to].get(name))
            && seen.insert((to, name.take()))
            && let Some(next) = self.target(to, path)
        {
            (to, name) = next;
        }
        Some(to)
    }

    /// Returns the file that a path in `file` leads into, if it is one of this crate, and the first name in there.
    fn target(&self, file: &str, path: &[String]) -> Option<(&String, Option<String>)> {
        let mut full = module_path(file);
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => full.clear(),
            "self" => {}
            "super" => _ = full.pop(),
            // A child of this module.
            child => {
                full.push(child.to_string());
                self.modules.get(&full)?;
                full.pop();
                rest = &[];
                full.extend(path.iter().cloned());
            }
        }
        for name in rest.get(1..).unwrap_or_default() {
            match name.as_str() {
                "super" => _ = full.pop(),
                name => full.push(name.to_string()),
            }
        }
        let mut name = None;
        loop {
            if let Some(file) = self.modules.get(&full) {
                return Some((file, name));
            }
            name = Some(full.pop()?);
        }
    }
}

fn read_directory(directory: &Path, prefix: &str, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_str().expect("a name in UTF-8"));
        if entry.file_type().expect("a type").is_dir() {
            read_directory(&entry.path(), &format!("{name}/"), all);
        } else if name.ends_with(".rs") {
            all.insert(name, fs::read_to_string(entry.path()).expect("a source"));
        }
    }
}

/// `kernel/x86/mod.rs` is the module `kernel::x86`; `lib.rs` and `main.rs` are the root.
fn module_path(file: &str) -> Vec<String> {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => Vec::new(),
        path => path.split('/').map(str::to_string).collect(),
    }
}

/// Returns the name of the module that an item declares.
fn module_name(item: &str) -> Option<&str> {
    let words: Vec<_> = item.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "mod")?;
    words.get(at + 1).copied()
}

/// `text` with blanks for comments and literals.
fn without_comments(text: &str) -> String {
    let mut plain = text.as_bytes().to_vec();
    let mut at = 0;
    while at < plain.len() {
        let end = at + literal_len(&text.as_bytes()[at..]);
        if end == at {
            at += 1;
            continue;
        }
        plain[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8(plain).expect("whole characters are blanked")
}

/// Returns the length of the comment or literal that `text` begins with; 0 if there is none.
fn literal_len(text: &[u8]) -> usize {
    let to = |needle: &[u8], from: usize| {
        let found = text[from..].windows(needle.len()).position(|window| window == needle);
        found.map_or(text.len(), |at| from + at + needle.len())
    };
    match text {
        [b'/', b'/', ..] => to(b"\n", 2) - 1,
        [b'/', b'*', ..] => to(b"*/", 2),
        [b'r', b'"', ..] => to(b"\"", 2),
        [b'r', b'#', b'"', ..] => to(b"\"#", 3),
        [b'\'', b'\\', ..] => to(b"'", 3),
        // No lifetime: those have no quotation mark after a single character.
        [b'\'', rest @ ..] => {
            let len = std::str::from_utf8(&rest[..rest.len().min(8)])
                .map_or_else(|error| error.valid_up_to(), str::len);
            let first = std::str::from_utf8(&rest[..len]).ok().and_then(|rest| rest.chars().next());
            let len = first.map_or(0, char::len_utf8);
            if rest.get(len) == Some(&b'\'') { len + 2 } else { 0 }
        }
        [b'"', ..] => {
            let mut at = 1;
            while at < text.len() && text[at] != b'"' {
                at += if text[at] == b'\\' { 2 } else { 1 };
            }
            (at + 1).min(text.len())
        }
        _ => 0,
    }
}

/// Returns where the items are that only tests have.
fn test_items(text: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    for attribute in ["#[cfg(test)]", "#[cfg(all(test,"] {
        for (start, _) in text.match_indices(attribute) {
            let end = start + item_len(&text[start..]);
            if items.iter().all(|item| !item.contains(&start)) {
                items.push(start..end);
            }
        }
    }
    items
}

/// Returns the length of an item, from its first attribute to its `;`, `,` or block.
fn item_len(text: &str) -> usize {
    let mut depth = 0;
    let mut in_attribute = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'#' if depth == 0 => in_attribute = true,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                let is_use = || text[at + 1..].trim_start().starts_with([';', ',']);
                match (depth, byte) {
                    (0, b']') if in_attribute => in_attribute = false,
                    (0, b'}') if !is_use() => return at + 1,
                    _ => {}
                }
            }
            b';' | b',' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Paths by the name under which a file uses their targets.
type Uses = BTreeMap<String, Vec<String>>;

fn uses(text: &str) -> Uses {
    let used = paths(text).into_iter().filter(|(at, _)| use_before(&text[..*at]).is_some());
    used.filter_map(|(_, path)| Some((path.last()?.clone(), path))).collect()
}

/// Returns the text before the `use` that `text` ends with.
fn use_before(text: &str) -> Option<&str> {
    Some(text.trim_end().strip_suffix("use")?.trim_end())
}

/// Returns the paths of two and more names in a source, and where they begin; a group in braces is one path for each
/// member.
fn paths(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut paths = Vec::new();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_name(bytes[at]) {
            at += 1;
            continue;
        }
        let len = bytes[at..].iter().take_while(|byte| is_name(**byte)).count();
        let follows = text[..at].ends_with("::");
        if text[at + len..].starts_with("::") && !follows {
            collect(&text[at..], &[], at, &mut paths);
        }
        at += len;
    }
    paths
}

/// Reads a path at the front of `text`, with what comes before it in a group; returns its length.
fn collect(text: &str, before: &[String], start: usize, paths: &mut Vec<(usize, Vec<String>)>) -> usize {
    let mut path = before.to_vec();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let len = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        if len > 0 {
            path.push(rest[..len].to_string());
            at += len;
            if text[at..].starts_with("::") {
                at += 2;
                continue;
            }
        } else if rest.starts_with('{') {
            at += 1;
            while let Some(byte) = text.as_bytes().get(at).filter(|byte| **byte != b'}') {
                let is_name = byte.is_ascii_alphanumeric() || *byte == b'_';
                at += if is_name { collect(&text[at..], &path, start, paths) } else { 1 };
            }
            return at + 1;
        } else if rest.starts_with('*') {
            path.push("*".to_string());
        }
        paths.push((start, path));
        return at.max(1);
    }
}
