//! Naive decoders, written from the standards, against which the library is tested. The naive decoders share no code
//! with the library, and aim only at being obviously right.

/// A sequence at a position of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A scalar value, and the number of bytes that it takes.
    Scalar(u32, usize),
    /// An ill-formed maximal subpart of this many bytes.
    Bad(usize),
}

/// The productions of UTF8-char in RFC 3629 section 4, as ranges of octets.
const UTF8_CHAR: [&[(u8, u8)]; 9] = [
    &[(0x00, 0x7F)],
    &[(0xC2, 0xDF), (0x80, 0xBF)],
    &[(0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)],
    &[(0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)],
    &[(0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)],
];

/// Returns the sequence of UTF-8 at the front of `src`, which is not empty.
pub fn utf8_piece(src: &[u8]) -> Piece {
    let mut longest = 1;
    for production in UTF8_CHAR {
        let matched =
            production.iter().zip(src).take_while(|((low, high), byte)| (low..=high).contains(byte)).count();
        if matched == production.len() {
            let value = match src[..matched] {
                [a] => u32::from(a),
                [a, b] => (u32::from(a) - 0xC0) * 0x40 + (u32::from(b) - 0x80),
                [a, b, c] => {
                    (u32::from(a) - 0xE0) * 0x1000 + (u32::from(b) - 0x80) * 0x40 + (u32::from(c) - 0x80)
                }
                [a, b, c, d] => {
                    (u32::from(a) - 0xF0) * 0x40000
                        + (u32::from(b) - 0x80) * 0x1000
                        + (u32::from(c) - 0x80) * 0x40
                        + (u32::from(d) - 0x80)
                }
                _ => unreachable!("no production is longer"),
            };
            return Piece::Scalar(value, matched);
        }
        longest = longest.max(matched);
    }
    Piece::Bad(longest)
}

/// Returns the number of bytes that belong to the fault at the front of `src`: the lead byte and the continuation bytes
/// after it, at most as many as it announces by RFC 2279.
pub fn utf8_fault_len(src: &[u8]) -> usize {
    let follow = match src[0] {
        0xC0..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
        0xF8..=0xFB => 4,
        0xFC..=0xFD => 5,
        _ => 0,
    };
    let mut len = 1;
    while len <= follow && len < src.len() && src[len] & 0xC0 == 0x80 {
        len += 1;
    }
    len
}

/// Decodes CESU-8 (UTR #26): code units of UTF-16 in one to three bytes, and joined pairs. A lone surrogate is one
/// maximal subpart, as in UTF-16.
pub fn cesu8_piece(src: &[u8]) -> Piece {
    /// Decodes a code unit of one to three bytes. The error is the length of a subpart in bytes.
    fn unit(src: &[u8]) -> Result<(u32, usize), usize> {
        match *src {
            [a @ 0x00..=0x7F, ..] => Ok((a.into(), 1)),
            [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, ..] => {
                Ok(((u32::from(a) - 0xC0) * 64 + u32::from(b) - 0x80, 2))
            }
            [a @ 0xE0..=0xEF, b @ 0x80..=0xBF, c @ 0x80..=0xBF, ..] if a > 0xE0 || b >= 0xA0 => {
                Ok(((u32::from(a) - 0xE0) * 4096 + (u32::from(b) - 0x80) * 64 + u32::from(c) - 0x80, 3))
            }
            [a @ 0xE0..=0xEF, b @ 0x80..=0xBF, ..] if a > 0xE0 || b >= 0xA0 => Err(2),
            _ => Err(1),
        }
    }
    match unit(src) {
        Err(len) => Piece::Bad(len),
        Ok((high @ 0xD800..=0xDBFF, 3)) => match unit(&src[3..]) {
            Ok((low @ 0xDC00..=0xDFFF, 3)) => {
                Piece::Scalar((high - 0xD800) * 1024 + (low - 0xDC00) + 0x10000, 6)
            }
            _ => Piece::Bad(3),
        },
        Ok((0xDC00..=0xDFFF, 3)) => Piece::Bad(3),
        Ok((value, len)) => Piece::Scalar(value, len),
    }
}

/// Decodes UTF-16 in either byte order. A single byte at the end belongs to a high surrogate before it.
pub fn utf16_piece(src: &[u8], big_endian: bool) -> Piece {
    let unit = |at: usize| {
        let pair = [*src.get(at)?, *src.get(at + 1)?];
        Some(u32::from(if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }))
    };
    match (unit(0), unit(2)) {
        (None, _) => Piece::Bad(1),
        (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
            Piece::Scalar((high - 0xD800) * 1024 + (low - 0xDC00) + 0x10000, 4)
        }
        (Some(0xD800..=0xDBFF), None) if src.len() == 3 => Piece::Bad(3),
        (Some(0xD800..=0xDFFF), _) => Piece::Bad(2),
        (Some(value), _) => Piece::Scalar(value, 2),
    }
}

/// Decodes UTF-32 in either byte order.
pub fn utf32_piece(src: &[u8], big_endian: bool) -> Piece {
    let &[a, b, c, d, ..] = src else { return Piece::Bad(src.len()) };
    let value = if big_endian { u32::from_be_bytes([a, b, c, d]) } else { u32::from_le_bytes([a, b, c, d]) };
    match value {
        0xD800..=0xDFFF | 0x110000.. => Piece::Bad(4),
        _ => Piece::Scalar(value, 4),
    }
}

/// Returns the sequence at the front of `src` in the encoding with the given canonical name, whose byte order is fixed.
pub fn piece(encoding: &str, src: &[u8]) -> Piece {
    match encoding {
        "UTF-8" => utf8_piece(src),
        "CESU-8" => cesu8_piece(src),
        "UTF-16LE" => utf16_piece(src, false),
        "UTF-16BE" => utf16_piece(src, true),
        "UTF-32LE" => utf32_piece(src, false),
        "UTF-32BE" => utf32_piece(src, true),
        "ISO-8859-1" => Piece::Scalar(src[0].into(), 1),
        "US-ASCII" if src[0] < 0x80 => Piece::Scalar(src[0].into(), 1),
        "US-ASCII" => Piece::Bad(1),
        other => panic!("no oracle for {other}"),
    }
}

/// Returns all sequences of `src`.
pub fn pieces(encoding: &str, src: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < src.len() {
        let piece = piece(encoding, &src[at..]);
        at += match piece {
            Piece::Scalar(_, len) | Piece::Bad(len) => len,
        };
        pieces.push(piece);
    }
    pieces
}

/// Returns the bytes of a scalar value, or `None` if the encoding lacks it.
pub fn encode(encoding: &str, scalar: u32) -> Option<Vec<u8>> {
    let units = |scalar: u32| match scalar.checked_sub(0x10000) {
        None => vec![scalar],
        Some(above) => vec![0xD800 + above / 1024, 0xDC00 + above % 1024],
    };
    let utf8 = |value: u32| -> Vec<u8> {
        match value {
            0..=0x7F => vec![value as u8],
            0x80..=0x7FF => vec![(0xC0 + value / 64) as u8, (0x80 + value % 64) as u8],
            0x800..=0xFFFF => {
                vec![(0xE0 + value / 4096) as u8, (0x80 + value / 64 % 64) as u8, (0x80 + value % 64) as u8]
            }
            _ => vec![
                (0xF0 + value / 262144) as u8,
                (0x80 + value / 4096 % 64) as u8,
                (0x80 + value / 64 % 64) as u8,
                (0x80 + value % 64) as u8,
            ],
        }
    };
    Some(match encoding {
        "UTF-8" => utf8(scalar),
        "CESU-8" => units(scalar).into_iter().flat_map(utf8).collect(),
        "UTF-16LE" => units(scalar).into_iter().flat_map(|unit| (unit as u16).to_le_bytes()).collect(),
        "UTF-16BE" => units(scalar).into_iter().flat_map(|unit| (unit as u16).to_be_bytes()).collect(),
        "UTF-32LE" => scalar.to_le_bytes().to_vec(),
        "UTF-32BE" => scalar.to_be_bytes().to_vec(),
        "ISO-8859-1" => vec![u8::try_from(scalar).ok()?],
        "US-ASCII" if scalar < 0x80 => vec![scalar as u8],
        "US-ASCII" => return None,
        other => panic!("no oracle for {other}"),
    })
}

/// Converts all of `src`, with U+FFFD (or `?`) for each ill-formed maximal subpart and each unmappable scalar value.
pub fn convert_replacing(from: &str, to: &str, src: &[u8]) -> Vec<u8> {
    let replacement = encode(to, 0xFFFD).unwrap_or(b"?".to_vec());
    let mut out = Vec::new();
    for piece in pieces(from, src) {
        let bytes = match piece {
            Piece::Scalar(scalar, _) => encode(to, scalar),
            Piece::Bad(_) => None,
        };
        out.extend_from_slice(bytes.as_ref().unwrap_or(&replacement));
    }
    out
}
