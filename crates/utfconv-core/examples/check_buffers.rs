//! Checks 10,000 buffers: `cargo run --example check_buffers`.

use utfconv_core::{CheckItem, Checker, Encoding, Fault, SHIFT_JIS};

/// Returns the number of each buffer with a fault, counted from 0, and its first fault.
pub fn faulty<'a>(
    buffers: impl IntoIterator<Item = &'a [u8]>,
    encoding: &'static Encoding,
) -> Vec<(usize, Fault)> {
    let first = |buffer: &[u8]| {
        let mut checker = Checker::new(encoding);
        loop {
            match checker.next(&buffer[checker.position().offset() as usize..], true) {
                CheckItem::Incomplete => return None,
                CheckItem::Fault(fault) => return Some(fault),
                _ => {}
            }
        }
    };
    let numbered = buffers.into_iter().enumerate();
    numbered.filter_map(|(number, buffer)| Some((number, first(buffer)?))).collect()
}

pub fn main() {
    let buffers =
        (0..10_000).map(|number| if number % 1000 == 7 { &b"\x93\xFA\x93"[..] } else { b"\x93\xFA\n" });
    faulty(buffers, &SHIFT_JIS).iter().for_each(|(number, fault)| println!("buffer {number}: {fault}"));
}
