//! The Python module `utfconv._utfconv`, a thin layer over the library. `utfconv/` has the parts that need Python code,
//! such as exception classes and files.

mod arrow;
mod buffer;
mod codec;
mod convert;
mod errors;
mod fast;
mod find;
mod fork;
mod options;
mod output;
mod text;

use pyo3::prelude::*;

#[pymodule]
mod _utfconv {
    use super::*;

    #[pymodule_export]
    use super::arrow::convert_values;
    #[pymodule_export]
    use super::codec::{Codec, Decoder, Encoder};
    #[pymodule_export]
    use super::convert::{Converter, convert, decode, encode};
    #[pymodule_export]
    use super::find::{
        Check, Detection, Fault, boundary, canonical, check, detect, encodings, read_as, repair, split_lines,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        fork::register(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
