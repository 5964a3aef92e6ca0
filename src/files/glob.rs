//! Patterns of file names: `*`, `?`, `**`, classes in brackets and, where they are wanted, alternatives in braces.
//!
//! A pattern becomes a small program of states, and all states that a name can reach are followed at once: the time is
//! at most that of the pattern by that of the name, whatever the pattern is. As in git, characters are bytes, and only
//! `**` matches a slash.

use std::mem;

/// What a pattern may contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax {
    /// Braces list alternatives, as in `*.{htm,html}`. In git, they mean nothing.
    pub has_braces: bool,
    /// ASCII letters match in both cases.
    pub ignores_case: bool,
}

/// A pattern for the whole of a name, or of a path whose parts are separated by slashes.
#[derive(Clone, Debug)]
pub enum Glob {
    /// This name or path and no other.
    Literal(Vec<u8>),
    /// Names that end with this: no slash is before it.
    Ending(Vec<u8>),
    Program(Program),
}

#[derive(Clone, Debug)]
pub struct Program {
    ops: Vec<Op>,
    ignores_case: bool,
    /// The byte that all matches end with, if there is one.
    last: Option<u8>,
}

/// A step of a program: to take a byte and go to the next step, or to go elsewhere without one.
#[derive(Clone, Debug)]
enum Op {
    Byte(u8),
    Class(Box<[bool; 256]>),
    /// Any byte except a slash.
    NotSlash,
    Any,
    /// The next step, and another one.
    Either(usize),
    Jump(usize),
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Byte(u8),
    Class(Box<[bool; 256]>),
    Question,
    Star,
    /// `**/` at the start.
    AnyDirectories,
    /// `/**/`.
    BetweenDirectories,
    /// `/**` at the end.
    AllBelow,
    Alternatives(Vec<Vec<Token>>),
}

impl Glob {
    /// Reads a pattern; fails for one that can match nothing because of its form.
    pub fn new(pattern: &[u8], syntax: Syntax) -> Result<Glob, String> {
        let mut parser = Parser { rest: pattern, before: None, syntax };
        let mut tokens = parser.sequence(0)?;
        if syntax.ignores_case {
            tokens.iter_mut().for_each(fold);
        }
        Ok(Glob::of(&tokens, syntax))
    }

    fn of(tokens: &[Token], syntax: Syntax) -> Glob {
        let literal = |tokens: &[Token]| {
            let byte = |token: &Token| if let Token::Byte(byte) = token { Some(*byte) } else { None };
            tokens.iter().map(byte).collect::<Option<Vec<u8>>>()
        };
        let compiled = || {
            let mut ops = Vec::new();
            match tokens {
                [Token::AnyDirectories] => repeat(Op::Any, &mut ops),
                _ => compile(tokens, &mut ops),
            }
            let last = match tokens.last() {
                Some(Token::Byte(byte)) => Some(*byte),
                _ => None,
            };
            Glob::Program(Program { ops, ignores_case: syntax.ignores_case, last })
        };
        if syntax.ignores_case {
            return compiled();
        }
        match tokens {
            [Token::Star, end @ ..] if !end.contains(&Token::Byte(b'/')) => {
                literal(end).map_or_else(compiled, Glob::Ending)
            }
            _ => literal(tokens).map_or_else(compiled, Glob::Literal),
        }
    }

    /// Whether it matches all of `name`.
    pub fn matches(&self, name: &[u8]) -> bool {
        match self {
            Glob::Literal(literal) => name == literal,
            Glob::Ending(end) => {
                name.strip_suffix(&end[..]).is_some_and(|start| memchr::memchr(b'/', start).is_none())
            }
            Glob::Program(program) => program.matches(name),
        }
    }
}

impl Program {
    fn matches(&self, name: &[u8]) -> bool {
        let case = |byte: u8| if self.ignores_case { byte.to_ascii_lowercase() } else { byte };
        if self.last.is_some_and(|last| name.last().is_none_or(|byte| case(*byte) != last)) {
            return false;
        }
        let (mut now, mut next) = (Vec::new(), Vec::new());
        // The step at which each state was last reached.
        let mut reached = vec![0; self.ops.len() + 1];
        self.enter(0, 1, &mut reached, &mut now);
        for (step, byte) in (2..).zip(name) {
            for state in now.drain(..) {
                if self.ops.get(state).is_some_and(|op| op.takes(case(*byte))) {
                    self.enter(state + 1, step, &mut reached, &mut next);
                }
            }
            mem::swap(&mut now, &mut next);
            if now.is_empty() {
                return false;
            }
        }
        now.contains(&self.ops.len())
    }

    /// Adds a state, or those that it leads to, unless they were reached in this step.
    fn enter(&self, state: usize, step: usize, reached: &mut [usize], states: &mut Vec<usize>) {
        let mut todo = vec![];
        let mut next = Some(state);
        while let Some(state) = next {
            if mem::replace(&mut reached[state], step) != step {
                match self.ops.get(state) {
                    Some(Op::Jump(to)) => todo.push(*to),
                    Some(Op::Either(other)) => todo.extend([state + 1, *other]),
                    _ => states.push(state),
                }
            }
            next = todo.pop();
        }
    }
}

impl Op {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Op::Byte(own) => *own == byte,
            Op::Class(class) => class[usize::from(byte)],
            Op::NotSlash => byte != b'/',
            Op::Any => true,
            Op::Either(_) | Op::Jump(_) => false,
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
    fn sequence(&mut self, depth: usize) -> Result<Vec<Token>, String> {
        let mut tokens = Vec::new();
        while let Some(first) = self.rest.first() {
            let before = self.before;
            match first {
                b',' | b'}' if depth > 0 => break,
                b'}' if self.syntax.has_braces => {
                    return Err("'}' without '{'; write [}] for a brace".to_string());
                }
                _ => {}
            }
            let token = match self.take() {
                Some(b'?') => Token::Question,
                Some(b'*') if self.rest.first() == Some(&b'*') => {
                    self.take();
                    self.directories(before, depth > 0, &mut tokens)
                }
                Some(b'*') => Token::Star,
                Some(b'[') => self.class()?,
                Some(b'{') if self.syntax.has_braces => self.alternatives(depth + 1)?,
                Some(b'\\') => Token::Byte(self.take().ok_or("dangling '\\'")?),
                Some(byte) => Token::Byte(byte),
                None => break,
            };
            if token != Token::Star || tokens.last() != Some(&Token::Star) {
                tokens.push(token);
            }
        }
        Ok(tokens)
    }

    /// Reads what follows `**`, which is special only between slashes, or at the start or the end.
    fn directories(&mut self, before: Option<u8>, is_alternative: bool, tokens: &mut Vec<Token>) -> Token {
        let next = self.rest.first().copied();
        let ends = next.is_none() || is_alternative && matches!(next, Some(b',' | b'}'));
        if tokens.is_empty() {
            if next.is_some_and(|next| next != b'/') {
                return Token::Star;
            }
            self.take();
            return Token::AnyDirectories;
        }
        if before != Some(b'/') || !ends && next != Some(b'/') {
            return Token::Star;
        }
        if !ends {
            self.take();
        }
        match tokens.pop() {
            Some(kept @ (Token::AnyDirectories | Token::AllBelow)) => kept,
            _ if ends => Token::AllBelow,
            _ => Token::BetweenDirectories,
        }
    }

    /// Reads alternatives after their opening brace. Empty ones do not count.
    fn alternatives(&mut self, depth: usize) -> Result<Token, String> {
        const UNCLOSED: &str = "'{' without '}'; write [{] for a brace";
        if depth > DEEPEST {
            return Err("alternate groups are nested too deeply".to_string());
        }
        let mut all = Vec::new();
        loop {
            all.push(self.sequence(depth)?);
            if self.take().ok_or(UNCLOSED)? == b'}' {
                all.retain(|one| !one.is_empty());
                return Ok(Token::Alternatives(all));
            }
        }
    }

    /// Reads a class after its opening bracket. None matches a slash.
    fn class(&mut self) -> Result<Token, String> {
        const UNCLOSED: &str = "'[' without ']'; write [[] for a bracket";
        let is_negative = matches!(self.rest.first(), Some(b'!' | b'^'));
        if is_negative {
            self.take();
        }
        let mut class = Box::new([false; 256]);
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
                class.iter_mut().zip(0..=u8::MAX).for_each(|(own, byte)| *own |= is_in(&byte));
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
            class[usize::from(low)..=usize::from(high)].fill(true);
        }
        if self.syntax.ignores_case {
            // Names are compared in lower case.
            (b'A'..=b'Z').map(usize::from).for_each(|upper| class[upper | 0x20] |= class[upper]);
        }
        class.iter_mut().for_each(|is_in| *is_in ^= is_negative);
        class[usize::from(b'/')] = false;
        Ok(Token::Class(class))
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

/// Puts letters in lower case; those of classes are.
fn fold(token: &mut Token) {
    match token {
        Token::Byte(byte) => byte.make_ascii_lowercase(),
        Token::Alternatives(all) => all.iter_mut().flatten().for_each(fold),
        _ => {}
    }
}

/// Adds the program of some tokens.
fn compile(tokens: &[Token], ops: &mut Vec<Op>) {
    for token in tokens {
        match token {
            Token::Byte(byte) => ops.push(Op::Byte(*byte)),
            Token::Class(class) => ops.push(Op::Class(class.clone())),
            Token::Question => ops.push(Op::NotSlash),
            Token::Star => repeat(Op::NotSlash, ops),
            Token::AllBelow => {
                ops.push(Op::Byte(b'/'));
                repeat(Op::Any, ops);
            }
            Token::AnyDirectories => directories(ops),
            Token::BetweenDirectories => {
                ops.push(Op::Byte(b'/'));
                directories(ops);
            }
            Token::Alternatives(all) => alternatives(all, ops),
        }
    }
}

/// Adds any number of some bytes.
fn repeat(op: Op, ops: &mut Vec<Op>) {
    let start = ops.len();
    ops.extend([Op::Either(start + 3), op, Op::Jump(start)]);
}

/// Adds nothing, or anything up to a slash.
fn directories(ops: &mut Vec<Op>) {
    let start = ops.len();
    ops.push(Op::Either(start + 5));
    repeat(Op::Any, ops);
    ops.push(Op::Byte(b'/'));
}

fn alternatives(all: &[Vec<Token>], ops: &mut Vec<Op>) {
    let mut jumps = Vec::new();
    for (count, one) in all.iter().enumerate() {
        let start = ops.len();
        if count + 1 < all.len() {
            ops.push(Op::Jump(0));
            compile(one, ops);
            jumps.push(ops.len());
            ops.push(Op::Jump(0));
            ops[start] = Op::Either(ops.len());
        } else {
            compile(one, ops);
        }
    }
    for jump in jumps {
        ops[jump] = Op::Jump(ops.len());
    }
}
