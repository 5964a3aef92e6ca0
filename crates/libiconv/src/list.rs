//! The names of all encodings, as C strings.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::OnceLock;

use utfconv_core::Encoding;

use crate::descriptor::encoding;

/// Returns the names of each encoding, with the canonical name first.
pub fn names() -> impl Iterator<Item = Vec<CString>> {
    Encoding::all().map(|encoding| {
        let names = std::iter::once(encoding.name()).chain(encoding.aliases());
        names.filter_map(|name| CString::new(name).ok()).collect()
    })
}

/// Returns the canonical name of the encoding that `name` names.
pub fn canonical(name: &str) -> Option<&'static CStr> {
    static CANONICAL: OnceLock<HashMap<&str, CString>> = OnceLock::new();
    let known = CANONICAL.get_or_init(|| {
        Encoding::all()
            .filter_map(|encoding| Some((encoding.name(), CString::new(encoding.name()).ok()?)))
            .collect()
    });
    known.get(encoding(name)?.name()).map(CString::as_c_str)
}
