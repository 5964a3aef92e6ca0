//! The library for JavaScript: a caller fills fields byte by byte, converts, and reads fields byte by byte. This
//! interface is slow but passes no pointers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use utfconv_core::{Encoding, Fault, OnIllFormed, OnUnmappable, Options, Policy, convert};

/// Input encoding, output encoding, text, output, and the message about the error that stopped the conversion.
static FIELDS: Mutex<[Vec<u8>; 5]> = Mutex::new([const { Vec::new() }; 5]);

fn fields() -> MutexGuard<'static, [Vec<u8>; 5]> {
    FIELDS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[unsafe(no_mangle)]
pub extern "C" fn clear() {
    *fields() = Default::default();
}

#[unsafe(no_mangle)]
pub extern "C" fn put(field: usize, byte: u8) {
    fields()[field].push(byte);
}

#[unsafe(no_mangle)]
pub extern "C" fn len(field: usize) -> usize {
    fields()[field].len()
}

#[unsafe(no_mangle)]
pub extern "C" fn get(field: usize, at: usize) -> u8 {
    fields()[field][at]
}

/// Converts the text. Returns 0, or 1 if an error stopped the conversion, or 2 if an encoding name is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn run(replaces: bool) -> i32 {
    let [from, to, source, output, message] = &mut *fields();
    let (Some(from), Some(to)) = (named(from), named(to)) else { return 2 };
    let mut policy = Policy::default();
    if replaces {
        policy.ill_formed = OnIllFormed::Replace(None);
        policy.unmappable = OnUnmappable::Replace(None);
    }
    match convert(source, from, to, &Options::default().policy(policy)) {
        Ok(converted) => {
            *output = converted.output;
            0
        }
        Err(stopped) => {
            let fault @ Fault { line, column, .. } = &stopped.fault;
            *message = format!("{line}:{column}: error: {fault}").into();
            *output = stopped.before.output;
            1
        }
    }
}

fn named(name: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_name(str::from_utf8(name).ok()?)
}
