//! Updates declarations in a text, or warns about them, as a plan requests.

use std::ffi::OsStr;
use std::io::{self, Write};

use utfconv_core::Encoding;

use crate::commands::convert::options::Product;
use crate::commands::convert::plan::ConvertPlan;
use crate::files::source::Opened;
use crate::files::stdio::has_regular_output;
use crate::text::declared::{DeclarationReport, DeclarationSink, in_file};
use crate::ui::modes::Declarations;

impl ConvertPlan {
    /// Begins a text, which comes from the input named `input`.
    pub fn begin_declarations<W: Write>(&self, sink: &mut DeclarationSink<W>, input: &OsStr) {
        let mode = self.encodings.declarations;
        if !self.dialect.is_iconv()
            && self.ranges.is_whole()
            && (mode == Declarations::Update || self.warns())
        {
            let name = if input == "-" { self.io.output.as_deref() } else { Some(input) };
            sink.begin(self.to, name, mode);
        }
    }

    /// Returns the errors in the declarations of a file in `encoding` that needs no conversion, if the plan is to warn
    /// about them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn false_declarations(
        &self,
        opened: &Opened,
        encoding: &'static Encoding,
        name: &OsStr,
    ) -> io::Result<DeclarationReport> {
        if self.encodings.declarations != Declarations::Keep || !self.warns() {
            return Ok(DeclarationReport::default());
        }
        in_file(opened, encoding, name)
    }

    /// True if the plan warns about false declarations. Only the declarations of files are warned about, because a
    /// program may adapt those of a stream.
    fn warns(&self) -> bool {
        let has_file = self.io.output.is_some() || self.batch.is_some() || has_regular_output();
        has_file && self.ranges.product == Product::Text && !self.errors.silent
    }
}
