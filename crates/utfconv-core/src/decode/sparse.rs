//! Tables by code point for encodings that need few rows.

/// Values by index, most of them the default: `ROW` of them in a row, in up to `ROWS` rows.
pub(crate) struct Sparse<T, const ROWS: usize, const ROW: usize> {
    /// Which of `rows`; the first of them is empty.
    index: [u16; ROWS],
    rows: Vec<[T; ROW]>,
}

impl<T: Copy + Default + PartialEq, const ROWS: usize, const ROW: usize> Sparse<T, ROWS, ROW> {
    pub fn new() -> Self {
        Sparse { index: [0; ROWS], rows: vec![[T::default(); ROW]] }
    }

    /// Returns the values from `ROW * at` on.
    #[inline(always)]
    pub fn row(&self, at: usize) -> &[T; ROW] {
        &self.rows[usize::from(self.index[at])]
    }

    /// Returns the value at an index, which may be beyond the table.
    #[inline(always)]
    pub fn get(&self, at: usize) -> T {
        if at < ROWS * ROW { self.row(at / ROW)[at % ROW] } else { T::default() }
    }

    /// Returns where the value at an index goes.
    pub fn slot(&mut self, at: usize) -> &mut T {
        let row = &mut self.index[at / ROW];
        if *row == 0 {
            *row = self.rows.len() as u16;
            self.rows.push([T::default(); ROW]);
        }
        &mut self.rows[usize::from(*row)][at % ROW]
    }

    /// Enters a value, unless there is one.
    pub fn enter(&mut self, at: usize, value: T) {
        let slot = self.slot(at);
        if *slot == T::default() {
            *slot = value;
        }
    }
}
