//! The globs of .editorconfig.
//!
//! The crate `ec4rs` treats `[!a]` as `a`, and forgets the other alternatives at a `*`: `{Makefile*,README*}` does not
//! match README.md, `{src/*.c,lib/*.c}` nothing in lib.
//!
//! Spec: spec.editorconfig.org, "Glob Expressions", and its C core where the text is silent. Unlike there, wildcards and
//! classes match characters, not bytes, no class matches the slash, and 0 is a number.

use crate::files::glob::{Node, matches};

/// A glob, for names relative to the directory of its file.
#[derive(Debug, Default)]
pub struct Glob(Vec<Node>);

impl Glob {
    pub fn new(text: &str) -> Glob {
        let mut chars: Vec<char> = text.chars().collect();
        // Names and globs both begin with a slash in here: then `**/a` is no special case.
        let start = match (chars.first(), has_separator(&chars)) {
            (Some('/'), _) => "",
            (_, true) => "/",
            (_, false) => "/**/",
        };
        chars.splice(..0, start.chars());
        Glob(parse(&chars, 0))
    }

    /// Whether the glob matches this name.
    pub fn has(&self, Name(name): &Name) -> bool {
        matches(&self.0, name)
    }
}

/// A name to be matched.
pub struct Name(Vec<char>);

impl Name {
    /// `text` is relative, `src/main.rs`, with slashes on every system.
    pub fn new(text: &str) -> Name {
        Name(std::iter::once('/').chain(text.chars()).collect())
    }
}

/// Whether there is a slash outside of brackets.
fn has_separator(glob: &[char]) -> bool {
    let mut at = 0;
    let mut classes = Classes::default();
    while let Some(scalar) = glob.get(at) {
        match scalar {
            '/' => return true,
            '\\' => at += 2,
            '[' => at += classes.class(glob, at).map_or(1, |(_, len)| len),
            _ => at += 1,
        }
    }
    false
}

/// Braces nested deeper than this are ordinary characters.
const DEEPEST: usize = 16;

fn parse(glob: &[char], depth: usize) -> Vec<Node> {
    let mut nodes = vec![];
    let mut at = 0;
    let mut classes = Classes::default();
    while let Some(&scalar) = glob.get(at) {
        let rest = &glob[at..];
        let (node, len) = match scalar {
            '\\' => match rest.get(1) {
                Some(&escaped) => (Node::Literal(escaped), 2),
                None => (Node::Literal('\\'), 1),
            },
            '?' => (Node::One, 1),
            '*' => match rest.iter().take_while(|scalar| **scalar == '*').count() {
                1 => (Node::Run, 1),
                len => (Node::Deep, len),
            },
            // `a/**/b` matches `a/b` too.
            '/' if rest.starts_with(&['/', '*', '*', '/']) => {
                nodes.push(Node::Literal('/'));
                (Node::Directories, 4)
            }
            '[' => classes.class(glob, at).unwrap_or((Node::Literal('['), 1)),
            // Looked for only if there may be an end of it, so that no glob takes long.
            '{' if depth < DEEPEST && rest.contains(&'}') => match alternatives(rest) {
                Some((inner, len)) => match (number(&rest[1..len - 1]), &inner[..]) {
                    (Some(number), _) => (number, len),
                    // Braces around one alternative are ordinary characters.
                    (None, [_]) => (Node::Literal('{'), 1),
                    (None, _) => {
                        (Node::Any(inner.into_iter().map(|glob| parse(glob, depth + 1)).collect()), len)
                    }
                },
                None => (Node::Literal('{'), 1),
            },
            _ => (Node::Literal(scalar), 1),
        };
        nodes.push(node);
        at += len;
    }
    nodes
}

/// Parses the classes of one glob.
#[derive(Default)]
struct Classes {
    /// No class begins before this position: one that began there had no end, so none after it has, up to the next slash.
    /// Without it, a glob of many `[` would be quadratic.
    none_before: usize,
}

impl Classes {
    /// Parses the class that begins at `at`, if it has an end; returns its length too.
    fn class(&mut self, glob: &[char], at: usize) -> Option<(Node, usize)> {
        if at < self.none_before {
            return None;
        }
        let rest = &glob[at..];
        let found = class(rest);
        if found.is_none() {
            self.none_before = at + rest.iter().position(|scalar| *scalar == '/').unwrap_or(rest.len());
        }
        found
    }
}

/// Parses the class that `glob` begins with; returns its length too.
fn class(glob: &[char]) -> Option<(Node, usize)> {
    let is_negated = glob.get(1) == Some(&'!');
    let mut at = if is_negated { 2 } else { 1 };
    let first = at;
    let mut ranges = vec![];
    let member = |at: &mut usize| {
        *at += usize::from(glob.get(*at) == Some(&'\\'));
        let member = glob.get(*at).copied().filter(|scalar| *scalar != '/');
        *at += 1;
        member
    };
    while at == first || glob.get(at)? != &']' {
        let low = member(&mut at)?;
        let is_range = glob.get(at) == Some(&'-') && glob.get(at + 1).is_some_and(|next| *next != ']');
        at += usize::from(is_range);
        ranges.push((low, if is_range { member(&mut at)? } else { low }));
    }
    Some((Node::Class { ranges, is_negated }, at + 1))
}

/// Splits the braces that `glob` begins with at their commas; returns the length with the braces too.
fn alternatives(glob: &[char]) -> Option<(Vec<&[char]>, usize)> {
    let mut found = vec![];
    let (mut at, mut start, mut depth) = (1, 1, 0);
    loop {
        match glob.get(at)? {
            '\\' => at += 1,
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                found.push(&glob[start..at]);
                start = at + 1;
            }
            '}' => {
                found.push(&glob[start..at]);
                return Some((found, at + 1));
            }
            _ => {}
        }
        at += 1;
    }
}

fn number(inner: &[char]) -> Option<Node> {
    let inner: String = inner.iter().collect();
    let (low, high) = inner.split_once("..")?;
    let (low, high) = (low.parse::<i64>().ok()?, high.parse::<i64>().ok()?);
    Some(Node::Number(low.min(high), low.max(high)))
}
