//! Rewrites the newlines of encoded text.

/// The style in which newlines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NewlineStyle {
    #[default]
    /// Newlines stay unchanged.
    Keep,
    /// Newlines are written as LF.
    Lf,
    /// Newlines are written as CR LF.
    Crlf,
    /// Newlines are written as CR.
    Cr,
}

/// The newlines of an encoding, in its code units.
#[derive(Clone, Default)]
pub struct Units {
    /// Number of bytes in a code unit.
    pub len: usize,
    /// The bytes of CR and LF.
    pub crlf: Vec<u8>,
    /// The bytes of the BOM, or none.
    pub bom: Vec<u8>,
}

impl Units {
    /// Returns the code units of a newline.
    pub fn spell(&self, style: NewlineStyle) -> &[u8] {
        match style {
            NewlineStyle::Keep => &[],
            NewlineStyle::Lf => &self.crlf[self.len..],
            NewlineStyle::Crlf => &self.crlf,
            NewlineStyle::Cr => &self.crlf[..self.len],
        }
    }
}

/// The state after the text so far.
#[derive(Clone, Copy, Default)]
pub struct State {
    /// The first bytes of a code unit that is incomplete.
    cut: [u8; WIDEST],
    cut_len: usize,
    /// The newline that the text so far ends with, if it ends with one.
    pub ending: Option<NewlineStyle>,
    /// The last newline in the text so far, if there is one.
    pub last: Option<NewlineStyle>,
    /// Number of bytes of a BOM that the text begins with.
    bom_len: usize,
    /// Whether there is text after the BOM.
    pub has_text: bool,
}

/// Number of bytes in the widest code unit.
const WIDEST: usize = 4;

/// Rewrites the newlines of text in an encoding in one style.
#[derive(Default)]
pub struct Rewriter {
    /// The style in which newlines are written.
    pub style: NewlineStyle,
    /// The newlines of the encoding.
    pub units: Units,
    /// The state after the text so far.
    pub state: State,
    /// The output.
    pub out: Vec<u8>,
}

impl Rewriter {
    /// Adds the next bytes of the text to the output, except a code unit that is incomplete.
    pub fn take(&mut self, chunk: &[u8]) {
        self.look_for_text(chunk);
        match self.units.len {
            1 => self.take_units::<1>(chunk),
            2 => self.take_units::<2>(chunk),
            _ => self.take_units::<WIDEST>(chunk),
        }
    }

    /// Adds the incomplete code unit, because the text ends. Returns whether there is one.
    pub fn take_cut(&mut self) -> bool {
        let cut_len = std::mem::take(&mut self.state.cut_len);
        self.out.extend_from_slice(&self.state.cut[..cut_len]);
        cut_len > 0
    }

    /// Adds a newline.
    pub fn put(&mut self, style: NewlineStyle) {
        self.out.extend_from_slice(self.units.spell(style));
    }

    fn take_units<const UNIT: usize>(&mut self, mut chunk: &[u8]) {
        let State { cut_len, .. } = self.state;
        if cut_len > 0 {
            let (end, rest) = chunk.split_at(chunk.len().min(UNIT - cut_len));
            self.keep_cut(end);
            let Some(unit) = self.state.cut[..self.state.cut_len].first_chunk::<UNIT>() else { return };
            self.state.cut_len = 0;
            self.convert(&[*unit]);
            chunk = rest;
        }
        let (units, cut) = chunk.as_chunks::<UNIT>();
        self.convert(units);
        self.keep_cut(cut);
    }

    fn keep_cut(&mut self, bytes: &[u8]) {
        let State { cut, cut_len, .. } = &mut self.state;
        cut[*cut_len..*cut_len + bytes.len()].copy_from_slice(bytes);
        *cut_len += bytes.len();
    }

    fn convert<const UNIT: usize>(&mut self, mut units: &[[u8; UNIT]]) {
        let Some(&[cr, lf]) = self.units.crlf.as_chunks().0.first_chunk() else { return };
        while let Some(at) = find_either(units.as_flattened(), &cr, &lf) {
            let (text, rest) = units.split_at(at);
            self.pass(text);
            self.newline(rest[0] == cr);
            units = &rest[1..];
        }
        self.pass(units);
    }

    /// Adds text that has no newlines.
    fn pass<const UNIT: usize>(&mut self, text: &[[u8; UNIT]]) {
        if !text.is_empty() {
            self.out.extend_from_slice(text.as_flattened());
            self.state.ending = None;
        }
    }

    /// Adds a newline. A CR is written in the requested style at once, and an LF after it is dropped, so that a reader
    /// at the other end of a pipe does not wait for the rest of a newline.
    fn newline(&mut self, is_cr: bool) {
        let completes = !is_cr && self.state.ending == Some(NewlineStyle::Cr);
        let found = match (is_cr, completes) {
            (true, _) => NewlineStyle::Cr,
            (false, true) => NewlineStyle::Crlf,
            (false, false) => NewlineStyle::Lf,
        };
        match (self.style, completes) {
            (NewlineStyle::Keep, true) => self.put(NewlineStyle::Lf),
            (NewlineStyle::Keep, false) => self.put(found),
            (_, true) => {}
            (wanted, false) => self.put(wanted),
        }
        self.state.ending = Some(found);
        self.state.last = Some(found);
    }

    /// Records whether there is more text than a BOM.
    fn look_for_text(&mut self, chunk: &[u8]) {
        let bom = &self.units.bom[self.state.bom_len..];
        let len = chunk.len().min(bom.len());
        if !self.state.has_text && chunk[..len] == bom[..len] {
            self.state.bom_len += len;
            self.state.has_text = len < chunk.len();
        } else {
            self.state.has_text = true;
        }
    }
}

/// Number of code units that are searched at a time.
const BLOCK: usize = 32;

/// Returns the index of the first code unit that is one of two. The code units have the length of `one`, which is 1, 2
/// or 4 bytes.
fn find_either(text: &[u8], one: &[u8], other: &[u8]) -> Option<usize> {
    match (one, other) {
        ([one], [other]) => memchr::memchr2(*one, *other, text),
        ([_, _], [_, _]) => find::<2>(text, one, other),
        _ => find::<4>(text, one, other),
    }
}

/// Finds whole code units, because single bytes of wide code units too often belong to other characters.
fn find<const UNIT: usize>(text: &[u8], one: &[u8], other: &[u8]) -> Option<usize> {
    let (one, other) = (one.first_chunk::<UNIT>()?, other.first_chunk::<UNIT>()?);
    let (units, _) = text.as_chunks::<UNIT>();
    let is_either = |unit: &[u8; UNIT]| (unit == one) | (unit == other);
    let (blocks, _) = units.as_chunks::<BLOCK>();
    let has_none =
        |block: &&[[u8; UNIT]; BLOCK]| !block.iter().fold(false, |found, unit| found | is_either(unit));
    let skipped = BLOCK * blocks.iter().take_while(has_none).count();
    units[skipped..].iter().position(is_either).map(|at| skipped + at)
}
