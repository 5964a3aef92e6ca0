//! Tables that are made on first use, or that exist already.

use std::ops::Deref;
use std::sync::OnceLock;

use super::mapping::ByteSet;
use super::multi_byte::MultiByte;

/// Tables that are made when they are first used.
pub(crate) struct Lazy<T> {
    made: OnceLock<T>,
    make: fn() -> T,
    /// The bytes below 80 that occur in codes before the last byte.
    inner: ByteSet,
}

impl<T> Lazy<T> {
    /// Creates tables that `make` makes. A byte below 80 always is a character or the last byte of one.
    pub const fn new(make: fn() -> T) -> Lazy<T> {
        Lazy { made: OnceLock::new(), make, inner: ByteSet::EMPTY }
    }

    /// Creates tables that `make` makes. `inner` are the bytes below 80 that occur in codes before the last byte.
    pub const fn with_inner(make: fn() -> T, inner: ByteSet) -> Lazy<T> {
        Lazy { made: OnceLock::new(), make, inner }
    }
}

impl<T> Lazy<T> {
    /// Wraps tables that are made already. A byte below 80 always is a character or the last byte of one.
    pub fn ready(made: T) -> Lazy<T> {
        Lazy { made: OnceLock::from(made), make: || unreachable!("it is made"), inner: ByteSet::EMPTY }
    }
}

impl Lazy<MultiByte> {
    /// Wraps the tables of an encoding that is known only at run time.
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

/// A reference to the tables of an encoding. References are equal only if they have the same address.
pub(crate) struct Tables<T: 'static = MultiByte>(pub &'static Lazy<T>);

impl<T> Tables<T> {
    pub fn get(self) -> &'static T {
        self.0
    }
}

impl Tables {
    /// Whether `byte` always ends a character or a fault, whatever comes before. True for bytes below 80, with
    /// exceptions such as the digits in GB18030, which are also second bytes of four-byte codes. The exceptions are
    /// stored outside the tables, so that the tables need not be made.
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
