//! `iconv(3)` for C programs: the functions of POSIX and of GNU libiconv, each under its POSIX name and its libiconv
//! name.
//!
//! The functions are documented in `include/iconv.h`. This file translates pointers and `errno`; the conversion is in
//! [`descriptor`].

mod descriptor;
mod list;

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::slice;
use std::sync::OnceLock;

use descriptor::{Converted, Descriptor, Side};
use errno::{Errno, set_errno};

/// The version of libiconv whose interface this library has, 1.18.
#[cfg_attr(not(test), unsafe(no_mangle))]
#[allow(non_upper_case_globals)] // libiconv's name for the variable
pub static _libiconv_version: c_int = 0x0112;

/// The requests of `iconvctl()`.
mod request {
    use std::ffi::c_int;

    pub const IS_TRIVIAL: c_int = 0;
    pub const GET_TRANSLITERATE: c_int = 1;
    pub const SET_TRANSLITERATE: c_int = 2;
    pub const GET_DISCARD_ILSEQ: c_int = 3;
    pub const SET_DISCARD_ILSEQ: c_int = 4;
    pub const GET_FROM_SURFACE: c_int = 7;
    pub const SET_FROM_SURFACE: c_int = 8;
    pub const GET_TO_SURFACE: c_int = 9;
    pub const SET_TO_SURFACE: c_int = 10;
    pub const GET_DISCARD_INVALID: c_int = 11;
    pub const SET_DISCARD_INVALID: c_int = 12;
    pub const GET_DISCARD_NON_IDENTICAL: c_int = 13;
    pub const SET_DISCARD_NON_IDENTICAL: c_int = 14;
}

/// The callback of `iconvlist()`, which gets the names of an encoding; a result other than 0 ends the list.
type DoOne = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;

/// Defines each function under its name in POSIX and under its name in libiconv.
///
/// Both names call a private function, and so does the library itself, because a call by an exported name would reach
/// the C library if the C library comes first in the search order.
macro_rules! export {
    ($($(#[$doc:meta])* fn $name:ident $alias:ident ($($arg:ident: $type:ty),*) $(-> $result:ty)? $body:block)+) => {
        mod private {
            use super::*;
            $($(#[$doc])* pub unsafe fn $name($($arg: $type),*) $(-> $result)? $body)+
        }
        $(
            $(#[$doc])*
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $result)? {
                // SAFETY: the private function has the same contract.
                unsafe { private::$name($($arg),*) }
            }

            $(#[$doc])*
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $alias($($arg: $type),*) $(-> $result)? {
                // SAFETY: the private function has the same contract.
                unsafe { private::$name($($arg),*) }
            }
        )+
    };
}

export! {
    /// # Safety
    /// Both names must be strings that end with NUL.
    fn iconv_open libiconv_open(to: *const c_char, from: *const c_char) -> *mut c_void {
        if to.is_null() || from.is_null() {
            set_errno(Errno(libc::EINVAL));
            return INVALID;
        }
        // SAFETY: the caller promises strings that end with NUL.
        let (to, from) = unsafe { (CStr::from_ptr(to), CStr::from_ptr(from)) };
        match Descriptor::open(to.to_bytes(), from.to_bytes()) {
            Some(descriptor) => mark(descriptor),
            None => {
                set_errno(Errno(libc::EINVAL));
                INVALID
            }
        }
    }

    /// # Safety
    /// `cd` must come from [`iconv_open`], must not be closed, and must not be in use by another thread. The pointers
    /// must be NULL, or point to buffers that hold as many bytes as the sizes say.
    fn iconv libiconv(
        cd: *mut c_void,
        source: *mut *mut c_char,
        source_left: *mut usize,
        sink: *mut *mut c_char,
        sink_left: *mut usize
    ) -> usize {
        if is_foreign(cd) {
            // SAFETY: the caller promises what the function that owns the descriptor requires.
            return next().map_or_else(|| answer(Err(libc::EBADF)), |next| unsafe {
                (next.iconv)(cd, source, source_left, sink, sink_left)
            });
        }
        // SAFETY: the caller promises a descriptor that is open and not in use.
        let Some(descriptor) = (unsafe { descriptor(cd) }) else { return usize::MAX };
        // SAFETY: the caller promises pointers that are NULL or can be read.
        let (src, dst) = unsafe { (Buffer::of(source, source_left), Buffer::of(sink, sink_left)) };
        let converted = match (src, dst) {
            (None, None) => {
                descriptor.reset();
                Converted { read: 0, written: 0, result: Ok(0) }
            }
            // SAFETY: the caller promises that each buffer is as large as its size, and used only by this call.
            (None, Some(dst)) => descriptor.finish(unsafe { dst.bytes_mut() }),
            // SAFETY: the caller promises buffers that are used only by this call, and that the output fits.
            (Some(src), Some(dst)) if dst.is_unlimited => unsafe {
                convert_unlimited(descriptor, src.bytes(), dst.start)
            },
            // SAFETY: the caller promises that each buffer is as large as its size, and used only by this call.
            (Some(src), Some(dst)) => descriptor.convert(unsafe { src.bytes() }, unsafe { dst.bytes_mut() }),
            // SAFETY: the caller promises that each buffer is as large as its size, and used only by this call.
            (Some(src), None) => descriptor.convert(unsafe { src.bytes() }, &mut []),
        };
        // SAFETY: a buffer exists only if its pointer and size are not NULL, and the counts are at most the sizes.
        unsafe {
            advance(source, source_left, converted.read);
            advance(sink, sink_left, converted.written);
        }
        answer(converted.result)
    }

    /// # Safety
    /// `cd` must come from [`iconv_open`], and must not be used any more.
    fn iconv_close libiconv_close(cd: *mut c_void) -> c_int {
        if is_foreign(cd) {
            // SAFETY: the caller promises what the function that owns the descriptor requires.
            return next().map_or_else(|| failed(libc::EBADF), |next| unsafe { (next.close)(cd) });
        }
        // SAFETY: the caller promises a descriptor that is open and not in use.
        if unsafe { descriptor(cd) }.is_none() {
            return -1;
        }
        // SAFETY: the pointer comes from Box::into_raw, and is not used after this call.
        drop(unsafe { Box::from_raw(unmarked(cd)) });
        0
    }

    /// # Safety
    /// `cd` must be as for [`iconv`]; `argument` must point to a value of the type that the request takes.
    fn iconvctl libiconvctl(cd: *mut c_void, request: c_int, argument: *mut c_void) -> c_int {
        if is_foreign(cd) {
            return failed(libc::EBADF);
        }
        // SAFETY: the caller promises a descriptor that is open and not in use.
        let Some(descriptor) = (unsafe { descriptor(cd) }) else { return -1 };
        // SAFETY: the caller promises that the argument points to the value that the request takes, which is a c_int,
        // or a c_uint that can be read as a c_int.
        let Some(number) = (unsafe { argument.cast::<c_int>().as_mut() }) else { return invalid() };
        match request {
            request::IS_TRIVIAL => *number = descriptor.is_trivial().into(),
            request::GET_TRANSLITERATE => *number = descriptor.transliterates.into(),
            request::SET_TRANSLITERATE => descriptor.transliterates = *number != 0,
            request::GET_DISCARD_ILSEQ => {
                *number = (descriptor.omits_ill_formed && descriptor.omits_unmappable).into();
            }
            request::SET_DISCARD_ILSEQ => {
                descriptor.omits_ill_formed = *number != 0;
                descriptor.omits_unmappable = *number != 0;
            }
            request::GET_FROM_SURFACE => *number = descriptor.surface(Side::From) as c_int,
            request::SET_FROM_SURFACE if descriptor.set_surface(Side::From, *number as c_uint) => {}
            request::GET_TO_SURFACE => *number = descriptor.surface(Side::To) as c_int,
            request::SET_TO_SURFACE if descriptor.set_surface(Side::To, *number as c_uint) => {}
            request::GET_DISCARD_INVALID => *number = descriptor.omits_ill_formed.into(),
            request::SET_DISCARD_INVALID => descriptor.omits_ill_formed = *number != 0,
            request::GET_DISCARD_NON_IDENTICAL => *number = descriptor.omits_unmappable.into(),
            request::SET_DISCARD_NON_IDENTICAL => descriptor.omits_unmappable = *number != 0,
            _ => return invalid(),
        }
        descriptor.apply();
        0
    }

    /// # Safety
    /// `do_one` must be callable with `data`.
    fn iconvlist libiconvlist(do_one: DoOne, data: *mut c_void) {
        for names in list::names() {
            let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
            // SAFETY: the caller promises that the function can be called; the strings live until it returns.
            if unsafe { do_one(pointers.len() as c_uint, pointers.as_ptr(), data) } != 0 {
                break;
            }
        }
    }

    /// # Safety
    /// `name` must be a string that ends with NUL.
    fn iconv_canonicalize libiconv_canonicalize(name: *const c_char) -> *const c_char {
        // SAFETY: the caller promises a string that ends with NUL.
        let text = unsafe { CStr::from_ptr(name) };
        text.to_str().ok().and_then(list::canonical).map_or(name, CStr::as_ptr)
    }
}

/// The result of [`iconv_open`] if it fails, `(iconv_t)-1`.
const INVALID: *mut c_void = usize::MAX as *mut c_void;

/// Returns the descriptor behind a pointer, or sets errno if the pointer is NULL or -1.
///
/// # Safety
/// A pointer other than NULL and -1 must come from [`iconv_open`], be open, and not be in use.
unsafe fn descriptor<'a>(cd: *mut c_void) -> Option<&'a mut Descriptor> {
    if cd.is_null() || cd == INVALID {
        set_errno(Errno(libc::EBADF));
        return None;
    }
    // SAFETY: the caller promises a descriptor that is open and not in use.
    Some(unsafe { &mut *unmarked(cd) })
}

/// Offset that is added to the address of a descriptor, to distinguish it from descriptors of other libraries.
/// Allocated memory begins at multiples of 8, and musl's descriptors are odd numbers.
const MARK: usize = 2;

/// Moves a descriptor to the heap. Returns the marked pointer for the caller.
fn mark(descriptor: Descriptor) -> *mut c_void {
    const { assert!(align_of::<Descriptor>() >= 8) };
    Box::into_raw(Box::new(descriptor)).cast::<c_void>().wrapping_byte_add(MARK)
}

/// Returns the address of the descriptor behind a marked pointer.
fn unmarked(cd: *mut c_void) -> *mut Descriptor {
    cd.wrapping_byte_sub(MARK).cast()
}

/// The functions of iconv in the next library of the search order.
#[derive(Clone, Copy)]
struct Next {
    iconv: Iconv,
    close: Close,
}

type Iconv =
    unsafe extern "C" fn(*mut c_void, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(*mut c_void) -> c_int;

/// Whether another library opened a descriptor. glibc's program opens descriptors with a private function, and uses
/// them with public functions, which are ours if this library is preloaded.
fn is_foreign(cd: *mut c_void) -> bool {
    !cd.is_null() && cd != INVALID && cd.addr() % 8 != MARK
}

/// Returns the functions of the next library in the search order, if there are any. The lookup is done once.
fn next() -> Option<Next> {
    static NEXT: OnceLock<Option<Next>> = OnceLock::new();
    *NEXT.get_or_init(|| {
        // SAFETY: both strings end with NUL.
        let [iconv, close] =
            [c"iconv", c"iconv_close"].map(|name| unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) });
        if iconv.is_null() || close.is_null() {
            return None;
        }
        // SAFETY: POSIX defines these types for functions of these names in every library.
        Some(unsafe {
            Next {
                iconv: std::mem::transmute::<*mut c_void, Iconv>(iconv),
                close: std::mem::transmute::<*mut c_void, Close>(close),
            }
        })
    })
}

/// A buffer of the caller, which must not overlap other buffers.
struct Buffer {
    start: *mut u8,
    len: usize,
    /// Whether the size that the caller gave is larger than any buffer, because the caller knows that the output fits.
    is_unlimited: bool,
}

impl Buffer {
    /// Returns the buffer that two pointers describe, or `None` if a pointer is NULL.
    ///
    /// # Safety
    /// The pointers must be NULL or readable.
    unsafe fn of(start: *mut *mut c_char, left: *mut usize) -> Option<Buffer> {
        if start.is_null() || left.is_null() {
            return None;
        }
        // SAFETY: the caller promises that the pointers can be read, and they are not NULL.
        let (start, left) = unsafe { ((*start).cast::<u8>(), *left) };
        let most = (isize::MAX as usize).min(usize::MAX - start as usize);
        (!start.is_null()).then_some(Buffer { start, len: left.min(most), is_unlimited: left > most })
    }

    /// # Safety
    /// The buffer must be readable, and nothing may write to it meanwhile.
    unsafe fn bytes<'a>(&self) -> &'a [u8] {
        // SAFETY: the caller promises a readable buffer; its length is at most that of a slice.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// # Safety
    /// The buffer must be writable, and nothing else may use it meanwhile.
    unsafe fn bytes_mut<'a>(&self) -> &'a mut [u8] {
        // SAFETY: the caller promises a writable buffer; its length is at most that of a slice.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }
}

/// Converts `src` to a buffer of unknown size, in which the output fits. Conversions may write to all of a buffer, so they
/// get another buffer.
///
/// # Safety
/// The output must fit into the buffer at `dst`, which must be used only by this call.
unsafe fn convert_unlimited(descriptor: &mut Descriptor, src: &[u8], dst: *mut u8) -> Converted {
    let mut buffer = vec![0; 4 * src.len() + 64];
    let (mut read, mut written) = (0, 0);
    loop {
        let step = descriptor.convert(&src[read..], &mut buffer);
        // SAFETY: the caller promises that the output fits, and `buffer` has the bytes that were written.
        unsafe { dst.add(written).copy_from_nonoverlapping(buffer.as_ptr(), step.written) };
        read += step.read;
        written += step.written;
        if step.result != Err(libc::E2BIG) {
            return Converted { read, written, result: step.result };
        }
    }
}

/// Advances a pointer of the caller by `count` bytes, and reduces its size.
///
/// # Safety
/// If `count` is not 0, both pointers must be writable, and the buffer must have `count` bytes.
unsafe fn advance(start: *mut *mut c_char, left: *mut usize, count: usize) {
    if count > 0 {
        // SAFETY: the caller promises writable pointers, and a buffer of at least `count` bytes.
        unsafe {
            *start = (*start).add(count);
            *left -= count;
        }
    }
}

/// Converts a result to the return value of `iconv()`, and sets errno if it is an error.
fn answer(result: Result<usize, c_int>) -> usize {
    result.unwrap_or_else(|error| {
        set_errno(Errno(error));
        usize::MAX
    })
}

fn invalid() -> c_int {
    failed(libc::EINVAL)
}

/// Sets errno. Returns -1, the result of a function that fails.
fn failed(error: c_int) -> c_int {
    set_errno(Errno(error));
    -1
}
