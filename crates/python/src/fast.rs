//! Converts whole well-formed texts by a kernel that a thread keeps for later texts. For short texts, making a kernel
//! takes longer than using it.

use std::cell::RefCell;

use pyo3::prelude::*;
use pyo3::types::PyString;
use utfconv_core::kernels::{Kernel, KernelSet};
use utfconv_core::{Encoding, ISO_8859_1, Options};

use crate::convert::{Conversion, SHORT};
use crate::fork::detached;
use crate::output::Output;
use crate::text::{self, HOST};

/// The most kernels that a thread keeps.
const KEPT: usize = 16;

/// A pair of encodings, and its kernel, if there is one.
type Kept = (&'static Encoding, &'static Encoding, Option<Kernel>);

thread_local! {
    static KERNELS: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// Returns the kernel that converts text without errors and BOM as a conversion with these options does; `None` if
/// there is none.
pub fn kernel(from: &'static Encoding, to: &'static Encoding, options: Options) -> Option<Kernel> {
    let mut kernel = KernelSet::active().between(from, to)?;
    // A kernel writes no BOM, so it is only for targets that have none.
    let (mut whole, mut run) = (Output::new(), [0; 64]);
    let sample: &[u8] = if from.code_unit_len() == 1 { b"0123" } else { &[0; 8] };
    let stop = Conversion::new(from, to, options).counting_faults().advance(sample, true, &mut whole).1;
    let (read, written) = kernel(sample, &mut run);
    (stop.is_none() && read == sample.len() && whole.bytes() == &run[..written]).then_some(kernel)
}

/// Converts a text of bytes without a BOM, or to bytes. Returns `None` if the text has errors, or if only a whole
/// conversion knows what to write.
pub fn converted(
    py: Python<'_>,
    src: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
    options: impl FnOnce() -> Options,
) -> Option<Output> {
    let is_same = |(one, other, _): &Kept| std::ptr::eq(*one, from) && std::ptr::eq(*other, to);
    // No other code of this thread runs while the kernel is taken out.
    let kept = KERNELS.with_borrow_mut(|kernels| {
        let at = kernels.iter().position(is_same)?;
        Some(kernels.remove(at))
    });
    let mut kept = kept.unwrap_or_else(|| (from, to, kernel(from, to, options())));
    let mut out = Output::new();
    let is_whole = kept.2.as_mut().is_some_and(|kernel| {
        let room = out.room(2 * src.len() + 512);
        let (read, written) = match src.len() {
            ..SHORT => kernel(src, room),
            _ => detached(py, || kernel(src, room)),
        };
        out.wrote(written);
        read == src.len()
    });
    KERNELS.with_borrow_mut(|kernels| {
        if kernels.len() == KEPT {
            // This is the kernel that was used least recently.
            kernels.remove(0);
        }
        kernels.push(kept);
    });
    is_whole.then_some(out)
}

/// Decodes a text whose code units are single bytes, without a BOM; returns `None` as [`converted`] does.
pub fn decoded<'py>(
    py: Python<'py>,
    bytes: &[u8],
    from: &'static Encoding,
    options: impl Fn() -> Options,
) -> Option<PyResult<Bound<'py, PyString>>> {
    // CPython stores text with characters only up to U+00FF as Latin-1 does. Kernels to Latin-1 are direct from UTF-8
    // and code pages; they soon stop at other characters.
    let is_direct = from.takes_raw_bytes() || from.is_ebcdic();
    if is_direct && let Some(narrow) = converted(py, bytes, from, &ISO_8859_1, &options) {
        return Some(text::from_latin1(py, narrow.bytes()));
    }
    let units = converted(py, bytes, from, HOST, options)?;
    Some(text::from_utf16(py, units.bytes()))
}
