//! Patterns of file names: `*`, `?`, `**`, classes in brackets and, where they are wanted, alternatives in braces.
//!
//! A pattern becomes a list of nodes. All positions in a name that they can reach are followed at once. The time is at
//! most proportional to the length of the pattern times that of the name. Two dialects are read: that of git here,
//! whose characters are bytes, and that of `.editorconfig` by the reader of that file.

/// What a pattern may contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax {
    /// Braces list alternatives, as in `*.{htm,html}`. In git, they mean nothing.
    pub has_braces: bool,
    /// ASCII letters match in both cases.
    pub ignores_case: bool,
}

/// A pattern for a whole name, or for a path with slashes.
#[derive(Clone, Debug)]
pub enum Glob {
    /// This name or path and no other.
    Literal(Vec<u8>),
    /// Names that end with this: no slash is before it.
    Ending(Vec<u8>),
    Nodes {
        nodes: Vec<Node>,
        ignores_case: bool,
    },
}

/// An element of a pattern. A byte is the character of the same number.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Literal(char),
    /// Any character except a slash.
    One,
    /// Any number of characters except slashes.
    Run,
    /// Any number of characters.
    Deep,
    /// Nothing, or anything up to a slash.
    Directories,
    /// One of these characters, or of all others. A slash never is.
    Class {
        ranges: Vec<(char, char)>,
        is_negated: bool,
    },
    /// A number within these bounds.
    Number(i64, i64),
    /// One of these.
    Any(Vec<Vec<Node>>),
}

/// Whether nodes match all of `name`.
pub fn matches<T: Copy + Into<char>>(nodes: &[Node], name: &[T]) -> bool {
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    follow(nodes, name, &mut reached);
    reached[name.len()]
}

/// Advances all positions in `name` that can be reached to those after `nodes`.
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

/// Advances over one character.
fn step<T: Copy + Into<char>>(name: &[T], reached: &mut [bool], is_passed: impl Fn(char) -> bool) {
    for at in (0..name.len()).rev() {
        reached[at + 1] = reached[at] && is_passed(name[at].into());
    }
    reached[0] = false;
}

/// Advances over any number of characters.
fn spread<T: Copy + Into<char>>(name: &[T], reached: &mut [bool], is_passed: impl Fn(char) -> bool) {
    for at in 0..name.len() {
        reached[at + 1] |= reached[at] && is_passed(name[at].into());
    }
}

fn join(reached: &mut [bool], more: &[bool]) {
    reached.iter_mut().zip(more).for_each(|(one, other)| *one |= other);
}

/// Returns the lengths of the numbers within the bounds that `name` begins with. They have no leading zeros.
fn number_lens<T: Copy + Into<char>>(name: &[T], low: i64, high: i64) -> impl Iterator<Item = usize> {
    let at = |at: usize| name.get(at).map(|scalar| (*scalar).into());
    let sign = usize::from(matches!(at(0), Some('-' | '+')));
    let digits =
        (sign..).take_while(|place| at(*place).is_some_and(|scalar| scalar.is_ascii_digit())).count();
    // More digits than i64 has.
    let most = if at(sign) == Some('0') { digits.min(1) } else { digits.min(19) };
    (1..=most).map(move |digits| sign + digits).filter(move |len| {
        let text: String = name[..*len].iter().map(|scalar| (*scalar).into()).collect();
        text.parse().is_ok_and(|number| (low..=high).contains(&number))
    })
}

impl Glob {
    /// Reads a pattern of git; fails for one that can match nothing because of its form.
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

    /// Whether it matches all of `name`.
    pub fn matches(&self, name: &[u8]) -> bool {
        match self {
            Glob::Literal(literal) => name == literal,
            Glob::Ending(end) => {
                name.strip_suffix(&end[..]).is_some_and(|start| memchr::memchr(b'/', start).is_none())
            }
            Glob::Nodes { nodes, ignores_case: true } => matches(nodes, &name.to_ascii_lowercase()),
            // Most names differ at their ends.
            Glob::Nodes { nodes, .. } => match nodes.last() {
                Some(Node::Literal(last)) if name.last().is_none_or(|byte| char::from(*byte) != *last) => {
                    false
                }
                _ => matches(nodes, name),
            },
        }
    }
}

/// Reads a pattern.
struct Parser<'a> {
    rest: &'a [u8],
    /// The last byte that was read.
    before: Option<u8>,
    syntax: Syntax,
}

/// Braces inside braces.
const DEEPEST: usize = 100;

impl Parser<'_> {
    fn take(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.before = Some(*first);
        Some(*first)
    }

    /// Reads to the end, or to the comma or brace that ends an alternative.
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

    /// Reads what follows `**`, which is special only between slashes, or at the start or the end.
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

    /// Reads alternatives after their opening brace. Empty ones do not count.
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
                // An empty alternative counts only if it is the only one.
                return Ok(Node::Any(if all.is_empty() { vec![Vec::new()] } else { all }));
            }
        }
    }

    /// Reads a class after its opening bracket. None matches a slash.
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

/// Splits what follows `[` in a class after the name of a class, `:alpha:]`.
fn named_class(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = rest.strip_prefix(b":")?;
    let (name, rest) = rest.split_at(memchr::memchr(b']', rest)?);
    Some((name.strip_suffix(b":")?, &rest[1..]))
}

/// Returns what is in a class of POSIX; as in git, in ASCII alone.
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

/// Puts letters in lower case, as names are.
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
