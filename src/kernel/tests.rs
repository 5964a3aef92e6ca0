//! Every kernel of every set that this CPU has, and those of AVX-512 by emulated instructions, against the portable one.
//!
//! The texts are random runs of each length of sequence, mended or damaged, at every offset from a block's edge, and
//! with room that ends anywhere. What is compared is all: bytes read, bytes written, output, and that nothing is written
//! behind the room.

use super::Set;
use crate::encoding::{EbcdicNewline, Encoding, Form};

/// Forms that have vector kernels to and from each other.
const FORMS: [Form; 6] =
    [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Latin1];

/// A xorshift generator (Marsaglia 2003): the same texts in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Text of about `len` characters, in runs of a kind.
fn text(random: &mut Random, len: usize) -> String {
    let mut text = String::new();
    let mut count = 0;
    while count < len {
        let kind = random.below(7);
        let run = 1 + random.one(&[0, 1, 2, 7, 15, 31, 40, 70, 200]);
        for _ in 0..run {
            let (low, high) = match kind {
                0 | 1 => (0, 0x7F),
                2 => (0x80, 0xFF),
                3 => (0x80, 0x7FF),
                4 => (0x800, 0xFFFF),
                5 => (0x10000, 0x10FFFF),
                _ => random.one(&[
                    (0, 0x7F),
                    (0x7F, 0x80),
                    (0x7FF, 0x800),
                    (0xFFFE, 0x10001),
                    (0xD7FF, 0xE000),
                ]),
            };
            text.extend(char::from_u32((low + random.below(high - low + 1)) as u32));
        }
        count += run;
    }
    text
}

/// `text` in an encoding form; what the form lacks is left out.
fn encoded(text: &str, form: Form) -> Vec<u8> {
    let mut encoder = form.encoder(EbcdicNewline::default());
    let mut room = [0; crate::encode::WIDEST];
    let mut bytes = Vec::new();
    for scalar in text.chars() {
        bytes.extend_from_slice(encoder.encode(scalar.into(), &mut room).unwrap_or_default());
    }
    bytes
}

/// Damages up to three places of `bytes`, or none.
fn damage(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 => _ = bytes.remove(at),
            _ => bytes
                .insert(at, random.one(b"\x80\xBF\xC0\xC1\xC2\xDF\xE0\xED\xEF\xF0\xF4\xF5\xFF\xD8\xDC\0")),
        }
    }
}

/// Runs the kernels of a set and of the portable set, and compares.
#[track_caller]
fn compare(set: Set, from: Form, to: Form, src: &[u8], room: usize) {
    const CANARY: u8 = 0xA5;
    let newline = EbcdicNewline::default();
    let mut expected = vec![0; room];
    let counts = Set::Portable.kernel(from, to, newline).expect("a kernel")(src, &mut expected);
    let mut found = vec![CANARY; room + 256];
    let mut kernel = set.kernel(from, to, newline).expect("a kernel");
    assert_eq!(kernel(src, &mut found[..room]), counts, "{set:?} {from:?} {to:?} {room} {src:02X?}");
    assert_eq!(found[..counts.1], expected[..counts.1], "{set:?} {from:?} {to:?} {room} {src:02X?}");
    assert!(found[room..].iter().all(|byte| *byte == CANARY), "{set:?} {from:?} {to:?}: wrote past the end");
}

/// As `compare`, for validators.
#[track_caller]
fn compare_validators(set: Set, form: Form, src: &[u8]) {
    let newline = EbcdicNewline::default();
    let expected = Set::Portable.validator(form, newline).expect("a validator")(src);
    let found = set.validator(form, newline).expect("a validator")(src);
    assert_eq!(found, expected, "{set:?} {form:?} {src:02X?}");
}

/// The sets to compare with the portable one.
fn vector_sets() -> impl Iterator<Item = Set> {
    let emulated = [
        #[cfg(target_arch = "x86_64")]
        Set::Emulated512,
    ];
    Set::all().iter().copied().filter(|set| *set != Set::Portable).chain(emulated)
}

/// Random texts between the forms of `pairs`.
fn compare_random(pairs: &[(Form, Form)], rounds: usize) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for set in vector_sets() {
        for &(from, to) in pairs {
            for _ in 0..rounds {
                let len = random.one(&[3, 20, 70, 150, 700]);
                let mut bytes = encoded(&text(&mut random, len), from);
                damage(&mut random, &mut bytes);
                // At every offset from the alignment of the allocation.
                let start = random.below(64).min(bytes.len());
                let src = &bytes[start..];
                let room = match random.below(3) {
                    0 => random.below(4 * src.len() + 1),
                    // Just enough, or not quite.
                    1 => (encoded_len(src, from, to) + 1).saturating_sub(random.below(3)),
                    _ => 4 * src.len() + 64,
                };
                compare(set, from, to, src, room);
                compare_validators(set, from, src);
            }
        }
    }
}

/// How many bytes the well-formed prefix of `src` becomes.
fn encoded_len(src: &[u8], from: Form, to: Form) -> usize {
    let mut dst = vec![0; 4 * src.len() + 64];
    let mut kernel = Set::Portable.kernel(from, to, EbcdicNewline::default()).expect("a kernel");
    kernel(src, &mut dst).1
}

#[test]
fn random_texts_between_the_common_forms() {
    let pairs: Vec<_> = FORMS.iter().flat_map(|from| FORMS.map(|to| (*from, to))).collect();
    // UTF-8 to itself fills its room to the byte, and may end it within a sequence's first bytes.
    let pairs: Vec<_> = pairs.into_iter().filter(|(from, to)| from != to || *from != Form::Utf8).collect();
    compare_random(&pairs, 300);
}

/// Each kind of sequence, sound or damaged, at every place of the blocks.
#[test]
fn one_sequence_at_every_place() {
    let sequences: [&[u8]; 14] = [
        b"a",
        b"\xC3\xA9",
        b"\xE6\x97\xA5",
        b"\xF0\x9F\x98\x80",
        b"\x80",
        b"\xC0\xAF",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF0\x80\x80\x80",
        b"\xF4\x90\x80\x80",
        b"\xE6\x97",
        b"\xF0\x9F\x98",
        b"\xFF",
        b"\xC3",
    ];
    for set in vector_sets() {
        for around in ["a", "é", "日", "😀"] {
            for sequence in sequences {
                for before in 0..140 / around.len() {
                    for shift in 0..around.len() {
                        let src = [
                            "b".repeat(shift).as_bytes(),
                            around.repeat(before).as_bytes(),
                            sequence,
                            around.repeat(40).as_bytes(),
                        ]
                        .concat();
                        for to in [Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Latin1] {
                            compare(set, Form::Utf8, to, &src, 4 * src.len() + 64);
                        }
                        compare_validators(set, Form::Utf8, &src);
                    }
                }
            }
        }
    }
}

/// A validator may bring a long source into alignment first.
#[test]
fn long_texts_at_every_alignment() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for set in vector_sets() {
        for start in 0..128 {
            let mut bytes = text(&mut random, 4000).into_bytes();
            damage(&mut random, &mut bytes);
            compare_validators(set, Form::Utf8, &bytes[start.min(bytes.len())..]);
        }
    }
}

#[test]
fn a_set_is_forced_by_its_name() {
    for name in super::available() {
        super::force(name).expect("it is available");
        assert_eq!(super::active(), name);
    }
    assert_eq!(super::force("no such"), Err(super::NotAvailable));
    super::force(super::available().next().expect("there is one")).expect("it is available");
    assert!(super::between(&crate::UTF_8, Encoding::named("UTF-7").expect("a name")).is_none());
}
