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

impl Rule {
    pub const ALL: [Rule; 13] = [
        Rule::IllFormed,
        Rule::WrongEncoding,
        Rule::Bom,
        Rule::Nul,
        Rule::ReplacementCharacter,
        Rule::Noncharacter,
        Rule::Control,
        Rule::Bidi,
        Rule::InnerBom,
        Rule::MixedNewlines,
        Rule::FinalNewline,
        Rule::NotNfc,
        Rule::DoubleEncoded,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Rule::IllFormed => "ill-formed",
            Rule::WrongEncoding => "wrong-encoding",
            Rule::Bom => "bom",
            Rule::Nul => "nul",
            Rule::ReplacementCharacter => "replacement-character",
            Rule::Noncharacter => "noncharacter",
            Rule::Control => "control",
            Rule::Bidi => "bidi",
            Rule::InnerBom => "inner-bom",
            Rule::MixedNewlines => "mixed-newlines",
            Rule::FinalNewline => "final-newline",
            Rule::NotNfc => "not-nfc",
            Rule::DoubleEncoded => "double-encoded",
        }
    }

    pub fn title(self) -> &'static str {
        self.id()
    }
}
