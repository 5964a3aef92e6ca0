//! Conversion of text with many characters that the target cannot encode. The substitute of each character is
//! remembered, so that a run continues across such characters.

use crate::decode::{WINDOW, WellFormed};
use crate::encode::{Put, WIDEST};
use crate::kernel::generic::Kernel;

/// A [`Kernel`](super::Kernel) that also writes the remembered substitutes of unmappable scalar values.
pub(crate) type SubstitutingKernel =
    Box<dyn FnMut(&[u8], &mut [u8], &mut Substitutes) -> (usize, usize) + Send>;

/// The remembered substitutes of scalar values.
#[derive(Default)]
pub(crate) struct Substitutes {
    /// A page for each 256 scalar values; empty until a substitute is remembered.
    pages: Vec<Option<Box<[Substitute; 0x100]>>>,
    /// Counts of the substitutes written since the last [`Substitutes::take_counts`].
    counts: Substituted,
}

/// Counts of the substitutes that were written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Substituted {
    pub all: u64,
    /// The number of substitutes that are approximations.
    pub approximated: u64,
}

/// The bytes that are written for an unmappable character.
#[derive(Clone, Copy)]
struct Substitute {
    /// The length in bytes, with the flag [`APPROXIMATES`] if the substitute is an approximation.
    len: u8,
    bytes: [u8; LONGEST],
}

/// Flag that marks an approximation; no length has this bit.
const APPROXIMATES: u8 = LONGEST as u8 + 1;

/// Maximum length in bytes of a substitute that is remembered, so that an entry takes 16 bytes.
const LONGEST: usize = 15;

impl Substitute {
    const UNKNOWN: Substitute = Substitute { len: u8::MAX, bytes: [0; LONGEST] };
}

impl Substitutes {
    /// Remembers the substitute of `scalar`, unless it is longer than [`LONGEST`] bytes. `approximates` marks an
    /// approximation.
    pub fn remember(&mut self, scalar: char, text: &[u8], approximates: bool) {
        if text.len() > LONGEST {
            return;
        }
        let (page, at) = Substitutes::position(scalar);
        self.pages.resize_with(0x1100, || None);
        let entry = &mut self.pages[page].get_or_insert_with(|| Box::new([Substitute::UNKNOWN; 0x100]))[at];
        entry.len = text.len() as u8 | if approximates { APPROXIMATES } else { 0 };
        entry.bytes[..text.len()].copy_from_slice(text);
    }

    /// Writes and counts the substitute of `scalar`. Returns its length in bytes, or `None` if no substitute is
    /// remembered.
    #[inline(always)]
    fn put(&mut self, scalar: char, room: &mut [u8; LONGEST]) -> Option<usize> {
        let (page, at) = Substitutes::position(scalar);
        let entry = &self.pages.get(page)?.as_ref()?[at];
        *room = entry.bytes;
        let is_known = entry.len != u8::MAX;
        self.counts.all += u64::from(is_known);
        self.counts.approximated += u64::from(is_known && entry.len & APPROXIMATES != 0);
        is_known.then_some(usize::from(entry.len & !APPROXIMATES))
    }

    /// Returns the counts of the substitutes written since the last call.
    pub fn take_counts(&mut self) -> Substituted {
        std::mem::take(&mut self.counts)
    }

    /// Returns the page of a scalar value, and the index in that page.
    fn position(scalar: char) -> (usize, usize) {
        (scalar as usize >> 8, scalar as usize & 0xFF)
    }
}

/// Returns the substituting kernel for a pair of encoding forms that both contain ASCII as single bytes.
pub(crate) fn substituting(
    source: impl WellFormed + Send + 'static,
    target: impl Put + Send + 'static,
) -> SubstitutingKernel {
    Box::new(move |src, dst, substitutes| {
        let (mut read, mut written) = (0, 0);
        while let (Some(block), Some(room)) = (
            src[read..].first_chunk::<{ 2 * WINDOW + 1 }>(),
            dst[written..].first_chunk_mut::<{ WINDOW + LONGEST }>(),
        ) {
            // Copy a whole window and count its leading ASCII, so that no branch depends on the count.
            let ascii = u64::from_le_bytes(*block.first_chunk().expect("two windows"));
            let count = (ascii & 0x8080_8080_8080_8080).trailing_zeros() as usize / 8;
            room[..WINDOW].copy_from_slice(&block[..WINDOW]);
            if count == WINDOW {
                (read, written) = (read + WINDOW, written + WINDOW);
                continue;
            }
            let (Some(window), Some(front)) = (block[count..].first_chunk(), room[count..].first_chunk_mut())
            else {
                return (read, written);
            };
            let Some((len, size)) = one_character(&source, &target, substitutes, window, front) else {
                return (read + count, written + count);
            };
            (read, written) = (read + count + len, written + count + size);
            if !block[count + len].is_ascii() {
                let (r, w) = word(&source, &target, &src[read..], &mut dst[written..], substitutes);
                (read, written) = (read + r, written + w);
                if r == 0 {
                    break;
                }
            }
        }
        // Convert the rest, in which either buffer may end.
        while let (Some((scalar, len)), Some(room)) =
            (source.first(&src[read..]), dst[written..].first_chunk_mut())
            && let Some(size) = put(scalar, &target, substitutes, room)
        {
            (read, written) = (read + len, written + size);
        }
        (read, written)
    })
}

/// Returns the substituting kernel that converts with `first` to UTF-8, and from there with `second`.
pub(crate) fn through_utf8(first: Kernel, mut second: SubstitutingKernel) -> SubstitutingKernel {
    /// Maximum number of intermediate bytes, which fit in the first-level cache.
    const BETWEEN: usize = 4 << 10;
    let mut between = vec![0; BETWEEN];
    Box::new(move |src, dst, substitutes| {
        let (mut read, mut written) = (0, 0);
        loop {
            let (mut r, mut held) = first(&src[read..], &mut between);
            let counts = substitutes.counts;
            // If the second kernel stops early, run the first kernel again for only as much as the second kernel took.
            let w = loop {
                substitutes.counts = counts;
                let (taken, w) = second(&between[..held], &mut dst[written..], substitutes);
                if taken == held {
                    break w;
                }
                (r, held) = first(&src[read..], &mut between[..taken]);
            };
            if r == 0 {
                return (read, written);
            }
            (read, written) = (read + r, written + w);
        }
    })
}

/// Converts the non-ASCII characters at the front of `src`. The loop of the caller is faster if it does not contain
/// this code.
#[inline(never)]
fn word(
    source: &impl WellFormed,
    target: &impl Put,
    src: &[u8],
    dst: &mut [u8],
    substitutes: &mut Substitutes,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(window), Some(room)) = (src[read..].first_chunk(), dst[written..].first_chunk_mut())
        && !window[0].is_ascii()
        && let Some((len, size)) = one_character(source, target, substitutes, window, room)
    {
        (read, written) = (read + len, written + size);
    }
    (read, written)
}

/// Converts the character at the front of `window`, or writes its substitute. Returns the numbers of bytes read and
/// written.
#[inline(always)]
fn one_character(
    source: &impl WellFormed,
    target: &impl Put,
    substitutes: &mut Substitutes,
    window: &[u8; WINDOW],
    room: &mut [u8; LONGEST],
) -> Option<(usize, usize)> {
    let (scalar, len) = source.scalar(window)?;
    Some((len, put(scalar, target, substitutes, room)?))
}

/// Writes a character or its substitute. Returns the number of bytes written.
#[inline(always)]
fn put(
    scalar: char,
    target: &impl Put,
    substitutes: &mut Substitutes,
    room: &mut [u8; LONGEST],
) -> Option<usize> {
    match target.put(scalar, room.first_chunk_mut::<WIDEST>()?) {
        Some(size) => Some(size),
        None => substitutes.put(scalar, room),
    }
}
