//! Memory that faults on an access outside of a slice.

#![allow(unsafe_code)]

use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// Length of a fence in bytes, which is a multiple of the page size of any system.
const FENCE: usize = 1 << 16;

/// Memory between two fences, which can be neither read nor written.
pub(super) struct Fenced {
    map: NonNull<c_void>,
    len: usize,
}

impl Fenced {
    /// Maps memory for at least `len` bytes.
    pub fn new(len: usize) -> Fenced {
        let len = len.next_multiple_of(FENCE);
        let all = NonZeroUsize::new(FENCE + len + FENCE).expect("more than none");
        // SAFETY: the map is new, and the changed range is inside it.
        unsafe {
            let map = mmap_anonymous(None, all, ProtFlags::PROT_NONE, MapFlags::MAP_PRIVATE).expect("a map");
            let middle = map.byte_add(FENCE);
            mprotect(middle, len, ProtFlags::PROT_READ | ProtFlags::PROT_WRITE).expect("its middle");
            Fenced { map, len }
        }
    }

    /// Returns the `len` bytes after the first fence or, if `at_end`, before the second fence.
    pub fn slice(&mut self, len: usize, at_end: bool) -> &mut [u8] {
        assert!(len <= self.len);
        let skip = if at_end { self.len - len } else { 0 };
        // SAFETY: the range is inside the map, was zeroed by the system, and is borrowed and alive as long as `self`.
        unsafe {
            let start = self.map.byte_add(FENCE + skip);
            std::slice::from_raw_parts_mut(start.as_ptr().cast(), len)
        }
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: the range is the whole map, which nothing borrows any more.
        unsafe { munmap(self.map, FENCE + self.len + FENCE) }.expect("the map");
    }
}
