//! Writing Big5-HKSCS, where a letter and the combining mark after it may share a code.

use super::BIG5_HKSCS;

/// A writer that holds back a letter until it is known what follows.
#[derive(Default)]
pub(crate) struct Writer {
    held: Option<char>,
}

impl Writer {
    pub(super) fn put<'a>(&mut self, scalar: char, room: &'a mut [u8; 8]) -> Option<&'a [u8]> {
        if let Some(letter) = self.held {
            let both = [letter.into(), scalar.into()];
            if let Some((code, _)) = BIG5_HKSCS.pairs.iter().find(|(_, scalars)| *scalars == both) {
                self.held = None;
                room[..2].copy_from_slice(&code.to_be_bytes());
                return Some(&room[..2]);
            }
        }
        let mut written = [0; 8];
        let len = BIG5_HKSCS.put(scalar, &mut written)?;
        let before = self.end(room).len();
        if BIG5_HKSCS.begins_pair(scalar) {
            self.held = Some(scalar);
            return Some(&room[..before]);
        }
        room[before..before + len].copy_from_slice(&written[..len]);
        Some(&room[..before + len])
    }

    pub(super) fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Writes the letter that is held.
    pub(super) fn end<'a>(&mut self, room: &'a mut [u8; 8]) -> &'a [u8] {
        let len = self.held.take().and_then(|letter| BIG5_HKSCS.put(letter, room)).unwrap_or(0);
        &room[..len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &str) -> Vec<u8> {
        let (mut writer, mut room, mut out) = (Writer::default(), [0; 8], Vec::new());
        for scalar in text.chars() {
            match writer.put(scalar, &mut room) {
                Some(bytes) => out.extend_from_slice(bytes),
                None => out.push(b'?'),
            }
        }
        out.extend_from_slice(writer.end(&mut room));
        out
    }

    #[test]
    fn a_letter_and_its_mark_share_a_code() {
        for (text, bytes) in [
            ("Ê\u{304}ê\u{30C}", &b"\x88\x62\x88\xA5"[..]),
            ("Ê\u{30C}ê\u{304}", b"\x88\x64\x88\xA3"),
            ("Ê", b"\x88\x66"),
            ("ÊÊa", b"\x88\x66\x88\x66a"),
            ("Êê\u{304}", b"\x88\x66\x88\xA3"),
            ("a\u{304}", b"a?"),
            ("Ê\n\u{304}", b"\x88\x66\n?"),
        ] {
            assert_eq!(write(text), bytes, "{text}");
        }
    }
}
