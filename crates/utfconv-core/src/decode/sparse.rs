//! Tables indexed by code point, for encodings that use few rows.

/// Values by index, most of them the default. Rows of `ROW` values that are all defaults share one row.
pub(crate) struct Sparse<T, const ROWS: usize, const ROW: usize> {
    /// Index in `rows` of each row; 0 is the row of defaults.
    index: [u16; ROWS],
    rows: Vec<[T; ROW]>,
}

impl<T: Copy + Default + PartialEq, const ROWS: usize, const ROW: usize> Sparse<T, ROWS, ROW> {
    pub fn new() -> Self {
        Sparse { index: [0; ROWS], rows: vec![[T::default(); ROW]] }
    }

    /// Returns row `at`, which has the values from index `ROW * at` on.
    #[inline(always)]
    pub fn row(&self, at: usize) -> &[T; ROW] {
        &self.rows[usize::from(self.index[at])]
    }

    /// Returns the value at index `at`, or the default beyond the table.
    #[inline(always)]
    pub fn get(&self, at: usize) -> T {
        if at < ROWS * ROW { self.row(at / ROW)[at % ROW] } else { T::default() }
    }

    /// Returns a mutable reference to the value at index `at`. Creates the row of the value if the row is missing.
    pub fn slot(&mut self, at: usize) -> &mut T {
        let row = &mut self.index[at / ROW];
        if *row == 0 {
            *row = self.rows.len() as u16;
            self.rows.push([T::default(); ROW]);
        }
        &mut self.rows[usize::from(*row)][at % ROW]
    }

    /// Stores a value at index `at`, unless the index has a value already.
    pub fn enter(&mut self, at: usize, value: T) {
        let slot = self.slot(at);
        if *slot == T::default() {
            *slot = value;
        }
    }
}
