//! `iconv(3)` for C programs: the functions of POSIX and of GNU libiconv, each by both of its names.
//!
//! `include/iconv.h` is the documentation of the functions. This file translates pointers and `errno`; the conversion
//! is in [`descriptor`].

mod descriptor;
mod list;

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::slice;
use std::sync::OnceLock;

use descriptor::{Converted, Descriptor, Side};
use errno::{Errno, set_errno};

/// The version of libiconv whose interface this is: 1.18.
#[cfg_attr(not(test), unsafe(no_mangle))]
#[allow(non_upper_case_globals)] // the name in libiconv
pub static _libiconv_version: c_int = 0x0112;

/// Requests of `iconvctl()`.
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

/// Called by `iconvlist()` with the names of an encoding; a result other than 0 ends the list.
type DoOne = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;

/// Defines each function by its name in POSIX and by its name in libiconv.
///
/// Both call a private function, and so does the library itself. A call by an exported name may lead to the C library,
/// if that comes first in the process.
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
                // SAFETY: the same contract.
                unsafe { private::$name($($arg),*) }
            }

            $(#[$doc])*
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $alias($($arg: $type),*) $(-> $result)? {
                // SAFETY: the same contract.
                unsafe { private::$name($($arg),*) }
            }
        )+
    };
}

export! {
    /// # Safety
    /// Both names are strings that end with NUL.
    fn iconv_open libiconv_open(to: *const c_char, from: *const c_char) -> *mut c_void {
        if to.is_null() || from.is_null() {
            set_errno(Errno(libc::EINVAL));
            return INVALID;
        }
        // SAFETY: as the caller promises.
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
    /// `cd` is of [`iconv_open`] and not closed; no other thread uses it. The pointers are NULL, or lead to buffers
    /// that hold as many bytes as the sizes say.
    fn iconv libiconv(
        cd: *mut c_void,
        source: *mut *mut c_char,
        source_left: *mut usize,
        sink: *mut *mut c_char,
        sink_left: *mut usize
    ) -> usize {
        if is_foreign(cd) {
            // SAFETY: as the caller promises, for the function that the descriptor belongs to.
            return next().map_or_else(|| answer(Err(libc::EBADF)), |next| unsafe {
                (next.iconv)(cd, source, source_left, sink, sink_left)
            });
        }
        // SAFETY: as the caller promises.
        let Some(descriptor) = (unsafe { descriptor(cd) }) else { return usize::MAX };
        // SAFETY: as the caller promises, for each of the two buffers.
        let (src, dst) = unsafe { (Buffer::of(source, source_left), Buffer::of(sink, sink_left)) };
        let converted = match (src, dst) {
            (None, None) => {
                descriptor.reset();
                Converted { read: 0, written: 0, result: Ok(0) }
            }
            // SAFETY: both buffers are as large as they say, and only this call uses them.
            (None, Some(dst)) => descriptor.finish(unsafe { dst.bytes_mut() }),
            // SAFETY: the same.
            (Some(src), Some(dst)) => descriptor.convert(unsafe { src.bytes() }, unsafe { dst.bytes_mut() }),
            // SAFETY: the same.
            (Some(src), None) => descriptor.convert(unsafe { src.bytes() }, &mut []),
        };
        // SAFETY: the pointers and sizes are there if the buffers are, and the counts are no larger than the sizes.
        unsafe {
            advance(source, source_left, converted.read);
            advance(sink, sink_left, converted.written);
        }
        answer(converted.result)
    }

    /// # Safety
    /// `cd` is of [`iconv_open`], and not used any more.
    fn iconv_close libiconv_close(cd: *mut c_void) -> c_int {
        if is_foreign(cd) {
            // SAFETY: as the caller promises, for the function that the descriptor belongs to.
            return next().map_or_else(|| failed(libc::EBADF), |next| unsafe { (next.close)(cd) });
        }
        // SAFETY: as the caller promises.
        if unsafe { descriptor(cd) }.is_none() {
            return -1;
        }
        // SAFETY: it comes from Box::into_raw, and is given up here.
        drop(unsafe { Box::from_raw(unmarked(cd)) });
        0
    }

    /// # Safety
    /// `cd` is as for [`iconv`]; `argument` leads to what the request takes.
    fn iconvctl libiconvctl(cd: *mut c_void, request: c_int, argument: *mut c_void) -> c_int {
        if is_foreign(cd) {
            return failed(libc::EBADF);
        }
        // SAFETY: as the caller promises.
        let Some(descriptor) = (unsafe { descriptor(cd) }) else { return -1 };
        // SAFETY: as the caller promises: the arguments of all requests known here are of that type, or unsigned, which may
        // be read as signed.
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
    /// `do_one` can be called with `data`.
    fn iconvlist libiconvlist(do_one: DoOne, data: *mut c_void) {
        for names in list::names() {
            let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
            // SAFETY: as the caller promises; the strings live until it returns.
            if unsafe { do_one(pointers.len() as c_uint, pointers.as_ptr(), data) } != 0 {
                break;
            }
        }
    }

    /// # Safety
    /// `name` is a string that ends with NUL.
    fn iconv_canonicalize libiconv_canonicalize(name: *const c_char) -> *const c_char {
        // SAFETY: as the caller promises.
        let text = unsafe { CStr::from_ptr(name) };
        text.to_str().ok().and_then(list::canonical).map_or(name, CStr::as_ptr)
    }
}

/// The result of an [`iconv_open`] that fails: `(iconv_t)-1`.
const INVALID: *mut c_void = usize::MAX as *mut c_void;

/// Returns the descriptor that a pointer is; sets errno for any other pointer.
///
/// # Safety
/// A pointer that is not NULL or -1 is of [`iconv_open`], not closed, and not in use.
unsafe fn descriptor<'a>(cd: *mut c_void) -> Option<&'a mut Descriptor> {
    if cd.is_null() || cd == INVALID {
        set_errno(Errno(libc::EBADF));
        return None;
    }
    // SAFETY: as the caller promises.
    Some(unsafe { &mut *unmarked(cd) })
}

/// Added to the address of a descriptor, to distinguish it from others: memory begins at multiples of 8, and the
/// descriptors of musl are odd.
const MARK: usize = 2;

/// A descriptor as its pointer goes to the caller.
fn mark(descriptor: Descriptor) -> *mut c_void {
    const { assert!(align_of::<Descriptor>() >= 8) };
    Box::into_raw(Box::new(descriptor)).cast::<c_void>().wrapping_byte_add(MARK)
}

/// Returns the address of a descriptor.
fn unmarked(cd: *mut c_void) -> *mut Descriptor {
    cd.wrapping_byte_sub(MARK).cast()
}

/// The functions of another library.
#[derive(Clone, Copy)]
struct Next {
    iconv: Iconv,
    close: Close,
}

type Iconv =
    unsafe extern "C" fn(*mut c_void, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(*mut c_void) -> c_int;

/// Whether another library has opened a descriptor. glibc's program opens descriptors by a private function, and uses
/// them by public ones. Those are ours if this library is preloaded.
fn is_foreign(cd: *mut c_void) -> bool {
    !cd.is_null() && cd != INVALID && cd.addr() % 8 != MARK
}

/// Returns the functions of the next library, if there are any, which are looked up once.
fn next() -> Option<Next> {
    static NEXT: OnceLock<Option<Next>> = OnceLock::new();
    *NEXT.get_or_init(|| {
        // SAFETY: both strings end with NUL.
        let [iconv, close] =
            [c"iconv", c"iconv_close"].map(|name| unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) });
        if iconv.is_null() || close.is_null() {
            return None;
        }
        // SAFETY: functions of those names have these types, by POSIX, in each library.
        Some(unsafe {
            Next {
                iconv: std::mem::transmute::<*mut c_void, Iconv>(iconv),
                close: std::mem::transmute::<*mut c_void, Close>(close),
            }
        })
    })
}

/// A buffer of the caller, which may overlap nothing else.
struct Buffer {
    start: *mut u8,
    len: usize,
}

impl Buffer {
    /// Returns the buffer that two pointers describe; None if there is none.
    ///
    /// # Safety
    /// The pointers are NULL or can be read.
    unsafe fn of(start: *mut *mut c_char, left: *mut usize) -> Option<Buffer> {
        if start.is_null() || left.is_null() {
            return None;
        }
        // SAFETY: as the caller promises.
        let (start, left) = unsafe { ((*start).cast::<u8>(), *left) };
        // Callers that know that the output fits say that there is room for everything.
        let most = (isize::MAX as usize).min(usize::MAX - start as usize);
        (!start.is_null()).then_some(Buffer { start, len: left.min(most) })
    }

    /// # Safety
    /// The buffer can be read, and nothing writes to it meanwhile.
    unsafe fn bytes<'a>(&self) -> &'a [u8] {
        // SAFETY: as the caller promises; the length is no larger than a slice's.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// # Safety
    /// The buffer can be written, and nothing else uses it meanwhile.
    unsafe fn bytes_mut<'a>(&self) -> &'a mut [u8] {
        // SAFETY: as the caller promises; the length is no larger than a slice's.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }
}

/// Moves a pointer of the caller `count` bytes on.
///
/// # Safety
/// If `count` is not 0, both pointers can be written, and the buffer has so many bytes.
unsafe fn advance(start: *mut *mut c_char, left: *mut usize, count: usize) {
    if count > 0 {
        // SAFETY: as the caller promises.
        unsafe {
            *start = (*start).add(count);
            *left -= count;
        }
    }
}

/// Returns the result of `iconv()`, with errno.
fn answer(result: Result<usize, c_int>) -> usize {
    result.unwrap_or_else(|error| {
        set_errno(Errno(error));
        usize::MAX
    })
}

fn invalid() -> c_int {
    failed(libc::EINVAL)
}

/// Sets errno; returns the result of a function that fails.
fn failed(error: c_int) -> c_int {
    set_errno(Errno(error));
    -1
}
