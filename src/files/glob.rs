//! Patterns of file names: `*`, `?`, `**`, classes in brackets and, if enabled, alternatives in braces.
//!
//! A pattern becomes a list of nodes. All positions in a name that the nodes can reach are followed at once, so the
//! time is at most proportional to the length of the pattern times the length of the name. Two dialects use the nodes:
//! the patterns of git, whose characters are bytes, are parsed here, and those of `.editorconfig` by the reader of that
//! file.

/// The features that a pattern may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax {
    /// Whether braces list alternatives, as in `*.{htm,html}`. In git, braces are ordinary characters.
    pub has_braces: bool,
    /// Whether ASCII letters match in both cases.
    pub ignores_case: bool,
}

/// A pattern for a whole name, or for a path with slashes.
#[derive(Clone, Debug)]
pub enum Glob {
    /// Matches only this name or path.
    Literal(Vec<u8>),
    /// Matches names without a slash that end with these bytes.
    Ending(Vec<u8>),
    Nodes {
        nodes: Vec<Node>,
        ignores_case: bool,
    },
}

/// An element of a pattern. In patterns of git, a `char` stands for the byte with its number.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Literal(char),
    /// Matches any character except a slash.
    One,
    /// Matches any number of characters except slashes.
    Run,
    /// Matches any number of characters.
    Deep,
    /// Matches nothing, or anything that ends with a slash.
    Directories,
    /// Matches a character in the ranges or, if `is_negated`, a character outside the ranges. Never matches a slash.
    Class {
        ranges: Vec<(char, char)>,
        is_negated: bool,
    },
    /// Matches a decimal number between these bounds, inclusive.
    Number(i64, i64),
    /// Matches any of these alternatives.
    Any(Vec<Vec<Node>>),
}

/// Whether nodes match all of `name`.
pub fn matches<T: Copy + Into<char>>(nodes: &[Node], name: &[T]) -> bool {
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    follow(nodes, name, &mut reached);
    reached[name.len()]
}

/// Replaces the reachable positions in `name` by the positions that can be reached after `nodes`.
fn follow<T: Copy + Into<char>>(nodes: &[Node], name: &[T], reached: &mut Vec<bool>) {
    for node in nodes {
        match node {
            Node::Literal(scalar) => step(name, reached, |next| next == *scalar),
            Node::One => step(name, reached, |next| next != '/'),
            Node::Class { ranges, is_negated } => step(name, reached, |next| {
                let is_member = ranges.iter().any(|(low, high)| (*low..=*high).contains(&next));
                next != '/' && is_member != *is_negated
            }),
            Node::Run => spread(name, reached, |next| next != '/'),
            Node::Deep => spread(name, reached, |_| true),
            Node::Directories => {
                let mut below = reached.clone();
                spread(name, &mut below, |_| true);
                step(name, &mut below, |next| next == '/');
                join(reached, &below);
            }
            Node::Number(low, high) => {
                let mut after = vec![false; reached.len()];
                for (at, _) in reached.iter().enumerate().filter(|(_, is_reached)| **is_reached) {
                    number_lens(&name[at..], *low, *high).for_each(|len| after[at + len] = true);
                }
                *reached = after;
            }
            Node::Any(alternatives) => {
                let before = std::mem::replace(reached, vec![false; name.len() + 1]);
                for nodes in alternatives {
                    let mut ends = before.clone();
                    follow(nodes, name, &mut ends);
                    join(reached, &ends);
                }
            }
        }
        if !reached.contains(&true) {
            return;
        }
    }
}

/// Replaces each reachable position by the next position, if `is_passed` is true for the character in between. All
/// other positions become unreachable.
fn step<T: Copy + Into<char>>(name: &[T], reached: &mut [bool], is_passed: impl Fn(char) -> bool) {
    for at in (0..name.len()).rev() {
        reached[at + 1] = reached[at] && is_passed(name[at].into());
    }
    reached[0] = false;
}

/// Adds to each reachable position the positions after it, as long as `is_passed` is true for the characters in
/// between.
fn spread<T: Copy + Into<char>>(name: &[T], reached: &mut [bool], is_passed: impl Fn(char) -> bool) {
    for at in 0..name.len() {
        reached[at + 1] |= reached[at] && is_passed(name[at].into());
    }
}

fn join(reached: &mut [bool], more: &[bool]) {
    reached.iter_mut().zip(more).for_each(|(one, other)| *one |= other);
}

/// Returns the lengths of the numbers within the bounds that `name` begins with. Numbers with leading zeros do not
/// count.
fn number_lens<T: Copy + Into<char>>(name: &[T], low: i64, high: i64) -> impl Iterator<Item = usize> {
    let at = |at: usize| name.get(at).map(|scalar| (*scalar).into());
    let sign = usize::from(matches!(at(0), Some('-' | '+')));
    let digits =
        (sign..).take_while(|place| at(*place).is_some_and(|scalar| scalar.is_ascii_digit())).count();
    // i64 has at most 19 digits.
    let most = if at(sign) == Some('0') { digits.min(1) } else { digits.min(19) };
    (1..=most).map(move |digits| sign + digits).filter(move |len| {
        let text: String = name[..*len].iter().map(|scalar| (*scalar).into()).collect();
        text.parse().is_ok_and(|number| (low..=high).contains(&number))
    })
}

impl Glob {
    /// Parses a pattern of git. Fails if the form of the pattern lets it match nothing.
    pub fn new(pattern: &[u8], syntax: Syntax) -> Result<Glob, String> {
        let mut nodes = Parser { rest: pattern, before: None, syntax }.sequence(0)?;
        let literal = |nodes: &[Node]| {
            let byte =
                |node: &Node| if let Node::Literal(byte) = node { u8::try_from(*byte).ok() } else { None };
            nodes.iter().map(byte).collect::<Option<Vec<u8>>>().filter(|_| !syntax.ignores_case)
        };
        if let Some(literal) = literal(&nodes) {
            return Ok(Glob::Literal(literal));
        }
        if let [Node::Run, end @ ..] = &nodes[..]
            && let Some(end) = literal(end).filter(|end| !end.contains(&b'/'))
        {
            return Ok(Glob::Ending(end));
        }
        if nodes == [Node::Directories] {
            nodes = vec![Node::Deep];
        }
        if syntax.ignores_case {
            nodes.iter_mut().for_each(fold);
        }
        Ok(Glob::Nodes { nodes, ignores_case: syntax.ignores_case })
    }

    /// Whether the pattern matches all of `name`.
    pub fn matches(&self, name: &[u8]) -> bool {
        match self {
            Glob::Literal(literal) => name == literal,
            Glob::Ending(end) => {
                name.strip_suffix(&end[..]).is_some_and(|start| memchr::memchr(b'/', start).is_none())
            }
            Glob::Nodes { nodes, ignores_case: true } => matches(nodes, &name.to_ascii_lowercase()),
            // Compare the last byte first, because most names differ at their ends.
            Glob::Nodes { nodes, .. } => {
                let is_other = |last: &char| name.last().is_none_or(|byte| char::from(*byte) != *last);
                match nodes.last() {
                    Some(Node::Literal(last)) if is_other(last) => false,
                    _ => matches(nodes, name),
                }
            }
        }
    }
}

/// Parser of a pattern of git.
struct Parser<'a> {
    rest: &'a [u8],
    /// The last byte that was read.
    before: Option<u8>,
    syntax: Syntax,
}

/// Maximum nesting depth of braces.
const DEEPEST: usize = 100;

impl Parser<'_> {
    fn take(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.before = Some(*first);
        Some(*first)
    }

    /// Parses nodes to the end of the pattern, or to the comma or brace that ends an alternative.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        while let Some(first) = self.rest.first() {
            let before = self.before;
            match first {
                b',' | b'}' if depth > 0 => break,
                b'}' if self.syntax.has_braces => {
                    return Err("'}' without '{'; write [}] for a brace".to_string());
                }
                _ => {}
            }
            let node = match self.take() {
                Some(b'?') => Node::One,
                Some(b'*') if self.rest.first() == Some(&b'*') => {
                    self.take();
                    self.directories(before, depth > 0, &mut nodes)
                }
                Some(b'*') => Node::Run,
                Some(b'[') => self.class()?,
                Some(b'{') if self.syntax.has_braces => self.alternatives(depth + 1)?,
                Some(b'\\') => Node::Literal(self.take().ok_or("dangling '\\'")?.into()),
                Some(byte) => Node::Literal(byte.into()),
                None => break,
            };
            if node != Node::Run || nodes.last() != Some(&Node::Run) {
                nodes.push(node);
            }
        }
        Ok(nodes)
    }

    /// Parses the rest of `**`, which is special only between slashes, at the start, or at the end.
    fn directories(&mut self, before: Option<u8>, is_alternative: bool, nodes: &mut Vec<Node>) -> Node {
        let next = self.rest.first().copied();
        let ends = next.is_none() || is_alternative && matches!(next, Some(b',' | b'}'));
        if nodes.is_empty() {
            if next.is_some_and(|next| next != b'/') {
                return Node::Run;
            }
            self.take();
            return Node::Directories;
        }
        if before != Some(b'/') || !ends && next != Some(b'/') {
            return Node::Run;
        }
        if !ends {
            self.take();
        }
        // `**/**` means `**`.
        let is_again = nodes.last() == Some(&Node::Directories) && nodes.pop().is_some();
        if ends && !(is_again && nodes.is_empty()) { Node::Deep } else { Node::Directories }
    }

    /// Parses alternatives after their opening brace. Empty alternatives are dropped.
    fn alternatives(&mut self, depth: usize) -> Result<Node, String> {
        const UNCLOSED: &str = "'{' without '}'; write [{] for a brace";
        if depth > DEEPEST {
            return Err("alternate groups are nested too deeply".to_string());
        }
        let mut all = Vec::new();
        loop {
            all.push(self.sequence(depth)?);
            if self.take().ok_or(UNCLOSED)? == b'}' {
                all.retain(|one| !one.is_empty());
                // An empty alternative is kept only if it is the only alternative.
                return Ok(Node::Any(if all.is_empty() { vec![Vec::new()] } else { all }));
            }
        }
    }

    /// Parses a class after its opening bracket. A class never matches a slash.
    fn class(&mut self) -> Result<Node, String> {
        const UNCLOSED: &str = "'[' without ']'; write [[] for a bracket";
        let is_negated = matches!(self.rest.first(), Some(b'!' | b'^'));
        if is_negated {
            self.take();
        }
        let mut ranges = Vec::new();
        let mut is_first = true;
        loop {
            let mut low = self.take().ok_or(UNCLOSED)?;
            if low == b']' && !is_first {
                break;
            }
            is_first = false;
            if low == b'['
                && let Some((name, rest)) = named_class(self.rest)
            {
                let is_in = members(name).ok_or("unknown name of a character class")?;
                ranges.extend((0..=u8::MAX).filter(is_in).map(|byte| (char::from(byte), char::from(byte))));
                self.rest = rest;
                continue;
            }
            if low == b'\\' {
                low = self.take().ok_or(UNCLOSED)?;
            }
            let mut high = low;
            if let [b'-', end, ..] = self.rest
                && *end != b']'
            {
                self.take();
                high = self.take().ok_or(UNCLOSED)?;
                if high == b'\\' {
                    high = self.take().ok_or(UNCLOSED)?;
                }
            }
            if high < low {
                let [low, high] = [low, high].map(|byte| byte.escape_ascii());
                return Err(format!("invalid range; '{low}' > '{high}'"));
            }
            ranges.push((char::from(low), char::from(high)));
        }
        Ok(Node::Class { ranges, is_negated })
    }
}

/// Splits the text after `[` in a class, such as `:alpha:]`, into the name of a POSIX class and the rest.
fn named_class(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = rest.strip_prefix(b":")?;
    let (name, rest) = rest.split_at(memchr::memchr(b']', rest)?);
    Some((name.strip_suffix(b":")?, &rest[1..]))
}

/// Returns the members of a POSIX class, which are only ASCII characters, as in git.
fn members(name: &[u8]) -> Option<fn(&u8) -> bool> {
    Some(match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    })
}

/// Converts letters to lower case, as names are before they are compared.
fn fold(node: &mut Node) {
    match node {
        Node::Literal(scalar) => scalar.make_ascii_lowercase(),
        Node::Class { ranges, .. } => {
            let is_in = |scalar: &char| ranges.iter().any(|(low, high)| (*low..=*high).contains(scalar));
            let upper: Vec<_> = ('A'..='Z').filter(is_in).map(|scalar| scalar.to_ascii_lowercase()).collect();
            ranges.extend(upper.into_iter().map(|lower| (lower, lower)));
        }
        Node::Any(all) => all.iter_mut().flatten().for_each(fold),
        _ => {}
    }
}
