//! The globs of .editorconfig.
//!
//! The crate `ec4rs` is not used, because it treats `[!a]` as `a` and forgets the other alternatives at a `*`:
//! `{Makefile*,README*}` does not match README.md, and `{src/*.c,lib/*.c}` matches nothing in lib.
//!
//! Specified at spec.editorconfig.org, "Glob Expressions", and by its C core where the text is silent. Unlike in the C
//! core, wildcards and classes match characters instead of bytes, no class matches the slash, and 0 is a number.

use std::collections::{BTreeSet, HashMap};

use crate::files::glob::{Node, matches};

/// A glob for names relative to the directory of the `.editorconfig` file.
#[derive(Debug, Default)]
pub struct Glob {
    /// Literal characters at the start of the glob.
    start: Vec<char>,
    rest: Vec<Node>,
    /// Whether the glob is compared only with the last component of a name.
    is_of_component: bool,
}

impl Glob {
    pub fn new(text: &str) -> Glob {
        let mut chars: Vec<char> = text.chars().collect();
        let has_separator = has_separator(&chars);
        if !has_separator {
            let nodes = parse(&chars, 0);
            if !crosses_slashes(&nodes) {
                return Glob::of_nodes(nodes, true);
            }
        }
        // Names and globs begin with a slash internally, so that `**/a` is no special case.
        let start = match (chars.first(), has_separator) {
            (Some('/'), _) => "",
            (_, true) => "/",
            (_, false) => "/**/",
        };
        chars.splice(..0, start.chars());
        Glob::of_nodes(parse(&chars, 0), false)
    }

    fn of_nodes(mut nodes: Vec<Node>, is_of_component: bool) -> Glob {
        let is_literal = |node: &&Node| matches!(node, Node::Literal(_));
        let rest = nodes.split_off(nodes.iter().take_while(is_literal).count());
        let literal = |node| if let Node::Literal(scalar) = node { Some(scalar) } else { None };
        Glob { start: nodes.into_iter().filter_map(literal).collect(), rest, is_of_component }
    }

    /// Whether the glob matches this name.
    pub fn has(&self, name: &Name) -> bool {
        let name = if self.is_of_component { &name.all[name.component..] } else { &name.all[..] };
        name.strip_prefix(&self.start[..]).is_some_and(|name| matches(&self.rest, name))
    }

    /// Returns strings such that each name that the glob matches ends with one of them; `None` if the glob may match
    /// other names.
    fn endings(&self) -> Option<Vec<Vec<char>>> {
        let all = if self.rest.is_empty() { Some(vec![self.start.clone()]) } else { endings(&self.rest) };
        all.filter(|endings| endings.iter().all(|ending| !ending.is_empty()))
    }
}

/// Whether a glob may match slashes.
fn crosses_slashes(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Deep | Node::Directories | Node::Literal('/') => true,
        Node::Any(all) => all.iter().any(|nodes| crosses_slashes(nodes)),
        _ => false,
    })
}

/// Returns strings such that each name that the nodes match ends with one of them. A string may be empty.
fn endings(nodes: &[Node]) -> Option<Vec<Vec<char>>> {
    let literal = |node: &Node| if let Node::Literal(scalar) = node { Some(*scalar) } else { None };
    let mut ending: Vec<char> = nodes.iter().rev().map_while(literal).collect();
    ending.reverse();
    let Some(Node::Any(all)) = nodes.last() else { return Some(vec![ending]) };
    let all: Option<Vec<_>> = all.iter().map(|nodes| endings(nodes)).collect();
    all.map(|all| all.concat())
}

/// Globs, indexed by the literal characters at their ends, so that a name is compared with few globs.
#[derive(Debug, Default)]
pub struct Globs {
    all: Vec<Glob>,
    by_ending: HashMap<Vec<char>, Vec<usize>>,
    /// The lengths of the endings, in characters.
    lens: BTreeSet<usize>,
    /// Indices of the globs that do not end with literal characters.
    others: Vec<usize>,
}

impl Globs {
    pub fn new(all: Vec<Glob>) -> Globs {
        let (mut by_ending, mut lens, mut others) = (HashMap::new(), BTreeSet::new(), Vec::new());
        for (number, glob) in all.iter().enumerate() {
            let Some(endings) = glob.endings() else {
                others.push(number);
                continue;
            };
            for ending in endings {
                lens.insert(ending.len());
                by_ending.entry(ending).or_insert_with(Vec::new).push(number);
            }
        }
        Globs { all, by_ending, lens, others }
    }

    /// Returns the indices of the globs that match a name, in ascending order.
    pub fn matching(&self, name: &Name) -> Vec<usize> {
        let ends = self.lens.iter().map_while(|len| name.all.get(name.all.len().checked_sub(*len)?..));
        let found = ends.filter_map(|end| self.by_ending.get(end)).flatten().chain(&self.others);
        let mut found: Vec<_> = found.copied().filter(|number| self.all[*number].has(name)).collect();
        found.sort_unstable();
        // A glob with alternatives is found once for each ending that fits.
        found.dedup();
        found
    }
}

/// A name to be matched.
pub struct Name {
    all: Vec<char>,
    /// The index in `all` of the first character of the last component.
    component: usize,
}

impl Name {
    /// Creates a name from a relative path such as `src/main.rs`, with slashes on every system.
    pub fn new(text: &str) -> Name {
        let all: Vec<_> = std::iter::once('/').chain(text.chars()).collect();
        let component = all.iter().rposition(|scalar| *scalar == '/').map_or(0, |slash| slash + 1);
        Name { all, component }
    }
}

/// Whether a glob has a slash outside brackets.
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

/// Maximum nesting depth of braces; deeper braces are ordinary characters.
const DEEPEST: usize = 16;

fn parse(glob: &[char], depth: usize) -> Vec<Node> {
    let mut nodes = vec![];
    let mut at = 0;
    let mut classes = Classes::default();
    while let Some(&scalar) = glob.get(at) {
        let rest = &glob[at..];
        let (node, len) = match scalar {
            '\\' => rest.get(1).map_or((Node::Literal('\\'), 1), |&escaped| (Node::Literal(escaped), 2)),
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
            // Alternatives are parsed only if a closing brace follows, so that no glob takes long.
            '{' if depth < DEEPEST && rest.contains(&'}') => match alternatives(rest) {
                Some((inner, len)) => match (number(&rest[1..len - 1]), &inner[..]) {
                    (Some(number), _) => (number, len),
                    // Braces around a single alternative are ordinary characters.
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

/// Parses the classes of a glob.
#[derive(Default)]
struct Classes {
    /// No class begins before this index. If a class has no end, neither has any later class up to the next slash.
    /// Without this limit, a glob of many `[` would take quadratic time.
    none_before: usize,
}

impl Classes {
    /// Parses the class that begins at index `at`, and returns the class with its length in characters; `None` if the
    /// class has no end.
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

/// Parses the class at the start of `glob`, and returns the class with its length in characters.
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

/// Splits the braces at the start of `glob` at their commas. Returns the alternatives, and the length in characters,
/// including the braces.
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
