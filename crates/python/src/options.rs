//! Parses options from keyword arguments, whose values are those of the program's options.

use std::collections::HashMap;
use std::sync::Mutex;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use utfconv_core::{Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom};
use utfconv_scan::newlines::NewlineStyle;

use crate::errors;
use utfconv_options::modes;
use utfconv_options::names::Name;

/// Maximum number of names that are remembered.
const REMEMBERED: usize = 256;

/// Returns the encoding of a name, and the requests that the name includes. Remembers names, because looking up a new
/// name searches a list of all names.
pub fn named(py: Python<'_>, text: &str) -> PyResult<Name> {
    static KNOWN: Mutex<Option<HashMap<String, Name>>> = Mutex::new(None);
    let lock = || KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(name) = lock().get_or_insert_default().get(text) {
        return Ok(name.clone());
    }
    let name = Name::parse(text, |_| None).map_err(|unknown| errors::unknown(py, text, unknown))?;
    let mut known = lock();
    let known = known.get_or_insert_default();
    if known.len() < REMEMBERED {
        known.insert(text.to_string(), name.clone());
    }
    Ok(name)
}

/// Whether a name means only an encoding, without further requests.
pub fn is_bare(name: &Name) -> bool {
    name.signed.is_none() && name.suffixes == Default::default()
}

/// Returns the encodings of a list of names.
pub fn all_named(py: Python<'_>, names: &[String]) -> PyResult<Vec<&'static Encoding>> {
    names.iter().map(|name| Ok(named(py, name)?.encoding)).collect()
}

/// Parses an argument that is a list of names; None means an empty list.
pub fn names_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_none() {
        return Ok(Vec::new());
    }
    value.extract().map_err(|error| match value.cast::<PyList>() {
        // The error is about an item of the list.
        Ok(_) => error,
        Err(_) => errors::wrong_type("a list of str", value, ""),
    })
}

/// Parses an argument that must be a str.
pub fn str_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    Ok(value.cast::<PyString>().map_err(|_| errors::wrong_type("str", value, ""))?.clone())
}

/// The keyword arguments of a conversion.
#[derive(Clone, Default)]
pub struct Settings {
    pub options: Options,
    pub newline: Option<NewlineStyle>,
    input_bom: Option<InputBom>,
    output_bom: Option<OutputBom>,
    /// Whether no argument was given.
    is_plain: bool,
}

impl Settings {
    /// Parses the keyword arguments.
    pub fn read(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
        let mut settings = Settings { is_plain: true, ..Settings::default() };
        let Some(arguments) = arguments else { return Ok(settings) };
        for (key, value) in arguments {
            if !value.is_none() {
                let key: String = key.extract()?;
                settings.set(&key, &value)?;
            }
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let policy = &mut self.options.policy;
        match key {
            "ill_formed" => {
                policy.ill_formed =
                    parsed(key, value, |mode| modes::ill_formed(mode, |name| Name::parse(name, |_| None)))?
            }
            "unmappable" => policy.unmappable = parsed(key, value, modes::unmappable)?,
            "per_byte" => {
                policy.per_byte = value.extract().map_err(|_| errors::wrong_type("bool", value, key))?
            }
            "input_bom" => self.input_bom = Some(one_of(key, value, modes::INPUT_BOM)?),
            "output_bom" => self.output_bom = Some(one_of(key, value, modes::OUTPUT_BOM)?),
            "normalize" => self.options.normalization = Some(one_of(key, value, modes::NORMALIZATION)?),
            "newline" => self.newline = Some(one_of(key, value, &modes::NEWLINE[1..])?),
            "ebcdic_newline" => self.options.ebcdic_newline = one_of(key, value, modes::EBCDIC_NEWLINE)?,
            _ => return Err(PyTypeError::new_err(format!("unexpected keyword argument '{key}'"))),
        }
        self.is_plain = false;
        Ok(())
    }

    /// Whether no argument was given, so that the result depends only on the encodings.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Returns the options for a source and a target with the given names. `None` is a Python str, which has no BOM.
    pub fn between(&self, from: Option<&Name>, to: Option<&Name>) -> PyResult<Options> {
        let mut options = self.options.clone();
        let implied = match from.and_then(|name| name.signed) {
            Some(true) => InputBom::Strip,
            _ => InputBom::Auto,
        };
        options.input_bom = self.input_bom.unwrap_or(implied);
        let implied = match to.map(|name| name.signed) {
            // A str has a BOM only if one is requested.
            None if options.input_bom == InputBom::Keep => OutputBom::Auto,
            None | Some(Some(false)) => OutputBom::Never,
            Some(Some(true)) => OutputBom::Always,
            Some(None) => OutputBom::Auto,
        };
        options.output_bom = self.output_bom.unwrap_or(implied);
        if let Some(name) = to {
            refuse(name)?;
            with_suffixes(&mut options, name);
        }
        Ok(options)
    }
}

/// Rejects a target encoding that has no encoder.
fn refuse(name: &Name) -> PyResult<()> {
    if name.encoding.is_decode_only() {
        Err(PyValueError::new_err(format!("{} is an encoding to decode from only", name.encoding)))
    } else {
        Ok(())
    }
}

/// Applies the suffixes of a name to the options.
fn with_suffixes(options: &mut Options, name: &Name) {
    let policy = &mut options.policy;
    if name.suffixes.ignore && matches!(policy.ill_formed, OnIllFormed::Stop) {
        policy.ill_formed = OnIllFormed::Omit;
    }
    let otherwise = match std::mem::take(&mut policy.unmappable) {
        OnUnmappable::Stop if name.suffixes.ignore || name.suffixes.discard => OnUnmappable::Omit,
        OnUnmappable::Stop if name.suffixes.translit => OnUnmappable::Replace(None),
        other => other,
    };
    policy.unmappable =
        if name.suffixes.translit { OnUnmappable::Translit(Box::new(otherwise)) } else { otherwise };
}

/// Parses a value; an error message includes the name of the argument.
fn parsed<T>(key: &str, value: &Bound<'_, PyAny>, parse: impl Fn(&str) -> Result<T, String>) -> PyResult<T> {
    let text: String = value.extract().map_err(|_| errors::wrong_type("str", value, key))?;
    parse(&text).map_err(|problem| PyValueError::new_err(format!("{key}={text:?}: {problem}")))
}

/// Returns the value with the given name in a list of values.
fn one_of<T: Copy>(key: &str, value: &Bound<'_, PyAny>, values: &[(&str, &str, T)]) -> PyResult<T> {
    parsed(key, value, |text| {
        let found = values.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text));
        let names = || values.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
        found.map(|(.., value)| *value).ok_or_else(|| format!("expected one of {}", names()))
    })
}
