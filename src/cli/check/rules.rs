//! The rules: what each is called, what it means, and which of them a file is held to.

/// A rule that a file can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Bytes that break the encoding. Always on.
    IllFormed,
    /// The file is plainly in another encoding than it is said to be in. Always on.
    WrongEncoding,
    Bom,
    Nul,
    ReplacementCharacter,
    Noncharacter,
    Control,
    Bidi,
    InnerBom,
    MixedNewlines,
    FinalNewline,
    NotNfc,
    DoubleEncoded,
}

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newline {
    Lf,
    Crlf,
    Cr,
}

/// Whether something has to be there or may not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    Require,
    Forbid,
}

/// What the newlines of a file have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newlines {
    /// All of one kind.
    Alike,
    /// All of this kind.
    All(Newline),
}

/// The rules that one file is held to, beside those that always hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub bom: Option<Demand>,
    pub nul: bool,
    pub replacement_character: bool,
    pub noncharacter: bool,
    pub control: bool,
    pub bidi: bool,
    pub inner_bom: bool,
    pub newlines: Option<Newlines>,
    pub final_newline: Option<Demand>,
    pub not_nfc: bool,
    pub double_encoded: bool,
}
