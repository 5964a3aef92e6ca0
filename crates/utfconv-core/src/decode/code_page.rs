//! A code page, which is a table and the codecs that are made of it on first use.

use std::ops::Deref;
use std::sync::OnceLock;

use super::page_table::PageTable;
use super::{Composing, Page};
use crate::newline::EbcdicNewline;

/// A code page of single bytes. Pages are equal only if they have the same address.
pub(crate) struct CodePage {
    table: PageTable,
    /// Codecs, indexed by [`EbcdicNewline`], each created on first use.
    pages: [OnceLock<Box<Page>>; 2],
    composing: OnceLock<Box<Composing>>,
}

impl CodePage {
    pub const fn new(table: PageTable) -> CodePage {
        CodePage { table, pages: [const { OnceLock::new() }; 2], composing: OnceLock::new() }
    }

    /// Returns the codec that reads each byte as a character.
    pub fn page(&self, newline: EbcdicNewline) -> &Page {
        self.pages[newline as usize].get_or_init(|| Page::new(&self.table, newline).into())
    }

    /// Returns the codec that reads a letter and a mark as one character if [`PageTable::composed`] has them.
    pub fn composing(&'static self) -> &'static Composing {
        // No EBCDIC page has composites, so the newline setting does not matter.
        let page = self.page(EbcdicNewline::Nel);
        self.composing.get_or_init(|| Composing::new(&self.table, page).into())
    }
}

impl Deref for CodePage {
    type Target = PageTable;
    fn deref(&self) -> &PageTable {
        &self.table
    }
}

impl PartialEq for CodePage {
    fn eq(&self, other: &CodePage) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for CodePage {}

impl std::fmt::Debug for CodePage {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("CodePage").finish_non_exhaustive()
    }
}
