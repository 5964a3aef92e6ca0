//! Tables that are made on first use, and tables that exist already.

use std::ops::Deref;
use std::sync::OnceLock;

use super::mapping::ByteSet;
use super::multi_byte::MultiByte;

/// Tables, made when they are first used.
pub(crate) struct Lazy<T> {
    made: OnceLock<T>,
    make: fn() -> T,
    /// The bytes below 80 with which not every code ends that has them.
    inner: ByteSet,
}

impl<T> Lazy<T> {
    /// Tables that `make` makes. A byte below 80 is a character or the last byte of one.
    pub const fn new(make: fn() -> T) -> Lazy<T> {
        Lazy { made: OnceLock::new(), make, inner: ByteSet::EMPTY }
    }

    /// Tables that `make` makes, of codes that may continue after these bytes.
    pub const fn with_inner(make: fn() -> T, inner: ByteSet) -> Lazy<T> {
        Lazy { made: OnceLock::new(), make, inner }
    }
}

impl<T> Lazy<T> {
    /// Tables that are made already. A byte below 80 is a character or the last byte of one.
    pub fn ready(made: T) -> Lazy<T> {
        Lazy { made: OnceLock::from(made), make: || unreachable!("it is made"), inner: ByteSet::EMPTY }
    }
}

impl Lazy<MultiByte> {
    /// Returns the tables of an encoding that is known only at run time.
    pub fn of(table: MultiByte) -> Lazy<MultiByte> {
        let inner = table.inner();
        Lazy { inner, ..Lazy::ready(table) }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.made.get_or_init(self.make)
    }
}

/// An encoding's tables. They are compared by address.
pub(crate) struct Tables<T: 'static = MultiByte>(pub &'static Lazy<T>);

impl<T> Tables<T> {
    /// Returns the tables.
    pub fn get(self) -> &'static T {
        self.0
    }
}

impl Tables {
    /// Whether a character or a fault always ends with this byte, whatever is before it. That holds for bytes below 80,
    /// except for some, such as the digits of GB18030, which are also second bytes of four. It is stored here, so that
    /// the tables need not be made.
    pub fn always_ends_with(self, byte: u8) -> bool {
        byte < 0x80 && !self.0.inner.has(byte)
    }
}

impl<T> Clone for Tables<T> {
    fn clone(&self) -> Tables<T> {
        *self
    }
}

impl<T> Copy for Tables<T> {}

impl<T> PartialEq for Tables<T> {
    fn eq(&self, other: &Tables<T>) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl<T> Eq for Tables<T> {}

impl<T> std::fmt::Debug for Tables<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_tuple("Tables").finish_non_exhaustive()
    }
}
