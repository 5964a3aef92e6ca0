//! Codes of more than two bytes, with an adapter for each of their forms.

use super::listed::Listed;
use super::mapping::{ByteSet, Code};
use crate::decode::{Next, WINDOW};
use crate::fault::IllFormed;

/// The codes of an encoding that have more than two bytes.
#[derive(Default)]
pub(super) enum Longer {
    #[default]
    None,
    /// Codes after a single shift, as in EUC-JP and EUC-TW.
    Planes(Planes),
    /// The four-byte codes of GB18030.
    Quads(Quads),
    /// A list of codes of any form, also of two bytes.
    Listed(Listed),
}

impl Longer {
    /// Returns the scalar value of the code that `window` begins with, and the length of the code in bytes; `None` if
    /// no longer code is there.
    #[inline(always)]
    pub fn scalar(&self, window: &[u8; WINDOW]) -> Option<(u32, usize)> {
        match self {
            Longer::None => None,
            Longer::Planes(planes) => planes.scalar(window),
            Longer::Quads(quads) => Some((quads.scalar(*window.first_chunk()?)?, 4)),
            Longer::Listed(listed) => listed.scalar(window),
        }
    }

    /// Decodes `src`, which begins with a lead byte and another byte that do not form a two-byte code. Returns `None`
    /// if no longer code can begin there.
    pub fn next(&self, trails: ByteSet, src: &[u8], last: bool) -> Option<Next> {
        match self {
            Longer::None => None,
            Longer::Planes(planes) => planes.next(trails, src, last),
            Longer::Quads(quads) => quads.next(src, last),
            Longer::Listed(listed) => listed.next(src, last),
        }
    }

    /// Returns the length in bytes of the well-formed code that `src` begins with, or `None` if the code has two bytes.
    #[inline(always)]
    pub fn len(&self, src: &[u8]) -> Option<usize> {
        match self {
            Longer::None => None,
            Longer::Planes(planes) => (src[0] == planes.shift
                && src.get(1).is_some_and(|byte| *byte >= 0xA1))
            .then_some(planes.len()),
            Longer::Quads(_) => src.get(1).is_some_and(u8::is_ascii_digit).then_some(4),
            Longer::Listed(listed) => listed.scalar(src).map(|(_, len)| len),
        }
    }

    /// Returns the number of bytes of a code that begins with `lead`, or `None` if the lead byte alone does not decide.
    pub fn announced(&self, lead: u8) -> Option<usize> {
        match self {
            Longer::Planes(planes) if planes.shift == lead => Some(planes.len()),
            Longer::Quads(_) => None,
            Longer::Listed(listed) if listed.has_lead(lead) => None,
            _ => Some(2),
        }
    }

    /// Returns the entry of a code's scalar value in the planes, or `None` if the code is in no plane.
    pub fn in_planes(&mut self, code: Code) -> Option<&mut u32> {
        let Longer::Planes(planes) = self else { return None };
        planes.at(code).map(|at| &mut planes.scalars[at])
    }
}

/// Codes of two bytes after a single shift, or after a single shift and the number of a plane.
pub(super) struct Planes {
    pub shift: u8,
    pub is_numbered: bool,
    /// The scalar value of each code, indexed by [`plane_at`]; 0 for unassigned codes.
    pub scalars: Box<[u32]>,
}

/// Returns the index of a code in the planes. The number of a plane is the low four bits of the plane's byte, so plane
/// 16 of CNS 11643, which is empty, has number 0.
#[inline(always)]
pub(super) fn plane_at(plane: u8, row: u8, column: u8) -> usize {
    usize::from(plane & 0x0F) << 14 | usize::from(row & 0x7F) << 7 | usize::from(column & 0x7F)
}

impl Planes {
    pub fn new(shift: u8, is_numbered: bool) -> Planes {
        let planes = if is_numbered { 16 } else { 1 };
        Planes { shift, is_numbered, scalars: vec![0; planes << 14].into() }
    }

    /// Returns the index of a code in [`Planes::scalars`], or `None` if the code is not after the single shift.
    pub fn at(&self, code: Code) -> Option<usize> {
        let (plane, row, column) = match *code.bytes() {
            [_, row, column] if !self.is_numbered => (0, row, column),
            [_, plane, row, column] if self.is_numbered => (plane, row, column),
            _ => return None,
        };
        (code.lead() == self.shift).then(|| plane_at(plane, row, column))
    }

    /// Returns the scalar value of the code whose bytes after the single shift are given; 0 if the code is unassigned.
    #[inline(always)]
    fn get(&self, [first, second, third]: [u8; 3]) -> u32 {
        let at = if self.is_numbered { plane_at(first, second, third) } else { plane_at(0, first, second) };
        self.scalars.get(at).copied().unwrap_or(0)
    }

    /// Whether a code may have this byte directly after the single shift.
    #[inline(always)]
    fn may_begin(&self, byte: u8) -> bool {
        (0xA1..=if self.is_numbered { 0xB0 } else { 0xFE }).contains(&byte)
    }

    /// Returns the length of a code in bytes, including the single shift.
    #[inline(always)]
    fn len(&self) -> usize {
        3 + usize::from(self.is_numbered)
    }

    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(u32, usize)> {
        let [shift, first, second, third, ..] = *window;
        let len = self.len();
        let is_whole = window[2..len].iter().all(|byte| *byte >= 0xA1) && self.may_begin(first);
        match self.get([first, second, third]) {
            scalar @ 1.. if is_whole && shift == self.shift => Some((scalar, len)),
            _ => None,
        }
    }

    fn next(&self, trails: ByteSet, src: &[u8], last: bool) -> Option<Next> {
        let (_, code) = src.split_first().filter(|(lead, _)| **lead == self.shift)?;
        let is_in_form =
            |(at, byte): (usize, &u8)| if at == 0 { self.may_begin(*byte) } else { trails.has(*byte) };
        let len = self.len();
        let whole = 1 + code.iter().take(len - 1).enumerate().take_while(|byte| is_in_form(*byte)).count();
        Some(if whole < len {
            let is_cut = whole == src.len() && !last;
            if is_cut { Next::Incomplete } else { Next::ill_formed(IllFormed::Truncated, whole) }
        } else {
            let scalar = self.get([src[1], src[2], src.get(3).copied().unwrap_or(0)]);
            Next::assigned(Some(scalar).filter(|scalar| *scalar != 0), len)
        })
    }
}

/// The four-byte codes of GB18030, whose second and fourth bytes are digits. The codes are computed. Characters of the
/// Basic Multilingual Plane have four-byte codes only if they have no shorter code.
pub(super) struct Quads {
    /// The scalar values of the Basic Multilingual Plane, in the order of their codes.
    pub basic: Box<[u32]>,
}

/// Index of the first code of the supplementary planes, 90 30 81 30.
const SUPPLEMENTARY: u32 = 189_000;

impl Quads {
    /// Creates the codes of the scalar values that are not in `shorter`. Each pair in `exchanged` has exchanged codes:
    /// the first scalar value has the shorter code of the second, and the second has the four-byte code that the first
    /// would have.
    pub fn new(shorter: impl Iterator<Item = u32>, exchanged: &[(u32, u32)]) -> Quads {
        let mut basic: Vec<u32> = (0..0x1_0000).collect();
        basic[..0x80].fill(0);
        basic[0xD800..0xE000].fill(0);
        for scalar in shorter {
            basic[scalar as usize] = 0;
        }
        for (old, new) in exchanged {
            basic[*old as usize] = *new;
            basic[*new as usize] = 0;
        }
        basic.retain(|scalar| *scalar != 0);
        Quads { basic: basic.into() }
    }

    #[inline(always)]
    fn scalar(&self, bytes: [u8; 4]) -> Option<u32> {
        let [0x81..=0xFE, 0x30..=0x39, 0x81..=0xFE, 0x30..=0x39] = bytes else { return None };
        let at = quad_at(bytes);
        match self.basic.get(at as usize) {
            Some(scalar) => Some(*scalar),
            None => at
                .checked_sub(SUPPLEMENTARY)
                .map(|above| above + 0x1_0000)
                .filter(|scalar| *scalar < 0x11_0000),
        }
    }

    fn next(&self, src: &[u8], last: bool) -> Option<Next> {
        Some(match *src {
            [a, b @ 0x30..=0x39, c @ 0x81..=0xFE, d @ 0x30..=0x39, ..] => match self.scalar([a, b, c, d]) {
                Some(code_point) => Next::Scalar { code_point, len: 4 },
                None => Next::ill_formed(IllFormed::Unassigned, 1),
            },
            [_, 0x30..=0x39] | [_, 0x30..=0x39, 0x81..=0xFE] if !last => Next::Incomplete,
            [_, 0x30..=0x39, ..] => Next::ill_formed(IllFormed::Truncated, 1),
            _ => return None,
        })
    }

    /// Returns the code of a scalar value above the Basic Multilingual Plane.
    pub fn supplementary(scalar: u32) -> [u8; 4] {
        quad_bytes(scalar - 0x1_0000 + SUPPLEMENTARY)
    }
}

/// Returns the index of a four-byte code among all possible four-byte codes of GB18030.
pub(super) fn quad_at([a, b, c, d]: [u8; 4]) -> u32 {
    let digit = |byte: u8| u32::from(byte - 0x30);
    let lead = |byte: u8| u32::from(byte - 0x81);
    ((lead(a) * 10 + digit(b)) * 126 + lead(c)) * 10 + digit(d)
}

pub(super) fn quad_bytes(at: u32) -> [u8; 4] {
    let digit = |value: u32| 0x30 + (value % 10) as u8;
    let lead = |value: u32| 0x81 + (value % 126) as u8;
    [lead(at / 12600), digit(at / 1260), lead(at / 10), digit(at)]
}
