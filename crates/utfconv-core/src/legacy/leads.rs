//! Finds where codes of one and of two bytes begin in 64 bytes, for all bytes at once.

use super::assigned::{Assigned, LEAD, NO_SINGLE};

/// Two ranges of bytes, which may be equal. A range is its first byte and its length in bytes. The ranges contain all
/// lead bytes above 80, and no byte that is a character by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leads(pub [(u8, u8); 2]);

impl Leads {
    /// Returns the ranges of an encoding, or `None` if its lead bytes form no range or more than two, or if 80 is a
    /// lead byte.
    pub fn of(table: &Assigned) -> Option<Leads> {
        let mut ranges: Vec<(u8, u8)> = Vec::new();
        let mut is_open = false;
        for byte in 0x80..=0xFF_u8 {
            match table.singles[usize::from(byte)] {
                LEAD if byte == 0x80 => return None,
                LEAD if is_open => {
                    let (first, len) = ranges.last_mut()?;
                    *len = byte - *first + 1;
                }
                LEAD => {
                    ranges.push((byte, 1));
                    is_open = true;
                }
                ..NO_SINGLE => is_open = false,
                // A range may include bytes that the table does not use.
                _ => {}
            }
        }
        match *ranges {
            [one] => Some(Leads([one, one])),
            [one, other] => Some(Leads([one, other])),
            _ => None,
        }
    }
}

/// Decides which possible lead bytes are lead bytes, and which are trail bytes. In a row of possible lead bytes, every
/// second one is a trail byte, and so is the byte after a row of odd length. `carry` is 1 if the first byte is a trail
/// byte, and is set to the same for the byte after the 64 bytes.
#[inline(always)]
pub(crate) fn pair_leads(may_lead: u64, carry: &mut u64) -> (u64, u64) {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let first = may_lead & !*carry;
    // The subtraction carries through each row and stops at its end. For a row that begins at an odd position, the bits
    // are inverted.
    let ends = (first << 1 | ODD).wrapping_sub(first) ^ ODD;
    let trail = ends ^ (may_lead | *carry);
    let lead = ends & may_lead;
    *carry = lead >> 63;
    (lead, trail)
}

#[cfg(test)]
mod tests {
    use super::super::{BIG5, CP932, EUC_JP, GBK, JOHAB, T_61};
    use super::*;
    use crate::testkit::Random;

    #[test]
    fn ranges_of_leads() {
        for (table, ranges) in [
            (&CP932, Some([(0x81, 0x1F), (0xE0, 0x1D)])),
            (&EUC_JP, Some([(0x8E, 0x71), (0x8E, 0x71)])),
            (&GBK, Some([(0x81, 0x7E), (0x81, 0x7E)])),
            (&JOHAB, Some([(0x84, 0x76), (0x84, 0x76)])),
            (&BIG5, Some([(0xA1, 0x59), (0xA1, 0x59)])),
            (&T_61, Some([(0xC1, 0x0F), (0xC1, 0x0F)])),
        ] {
            assert_eq!(Leads::of(table), ranges.map(Leads));
        }
    }

    #[test]
    fn leads_and_trails_alternate() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (mut carry, mut is_trail) = (0, false);
        for round in 0..20_000 {
            let mut bits =
                || (0..64).fold(0_u64, |bits, _| bits << 1 | u64::from(random.below(8) < round % 9));
            let may_lead = bits();
            let (mut leads, mut trails) = (0, 0);
            for at in 0..64 {
                if is_trail {
                    trails |= 1 << at;
                    is_trail = false;
                } else if may_lead >> at & 1 == 1 {
                    leads |= 1 << at;
                    is_trail = true;
                }
            }
            assert_eq!(pair_leads(may_lead, &mut carry), (leads, trails), "{may_lead:064b}");
            assert_eq!(carry, u64::from(is_trail));
        }
    }
}
