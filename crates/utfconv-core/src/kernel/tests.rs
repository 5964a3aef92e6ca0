//! Compares every kernel of every set that this CPU can run, and the AVX-512 kernels on emulated instructions, with the
//! portable kernels.
//!
//! The texts are random runs of sequences of one length, well-formed or not, at every offset from a block's edge, and
//! with room that ends anywhere. The tests compare the number of bytes read, the number of bytes written and the
//! output, and check that nothing is written after the room.

#[cfg(unix)]
mod fenced;

use super::Set;
use crate::decode::Next;
use crate::encode::Plain;
use crate::encoding::Encoding;
use crate::form::Form;
use crate::newline::EbcdicNewline;
use crate::testkit::Random;

/// Forms that vector kernels convert to each other, in any pair.
const FORMS: [Form; 7] =
    [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Latin1, Form::Ascii];

/// Returns text of about `len` characters, in runs of characters of the same kind.
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

/// Encodes `text` in an encoding form, without the characters that the form cannot encode.
fn encoded(text: &str, form: Form) -> Vec<u8> {
    let mut encoder = form.encoder(EbcdicNewline::default());
    let mut bytes = Vec::new();
    for scalar in text.chars() {
        encoder.encode(scalar.into(), &mut bytes);
    }
    bytes
}

/// Changes, inserts, removes or cuts off bytes at up to three places.
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

/// Asserts that the kernels of a set give the same results as the portable kernels.
#[track_caller]
fn compare(set: Set, from: Form, to: Form, src: &[u8], room: usize) {
    const CANARY: u8 = 0xA5;
    let newline = EbcdicNewline::default();
    let mut expected = vec![0; room];
    let counts = Set::PORTABLE.kernel(from, to, newline).expect("a kernel")(src, &mut expected);
    let mut found = vec![CANARY; room + 256];
    let kernel = set.kernel(from, to, newline).expect("a kernel");
    assert_eq!(kernel(src, &mut found[..room]), counts, "{set:?} {from:?} {to:?} {room} {src:02X?}");
    assert_eq!(found[..counts.1], expected[..counts.1], "{set:?} {from:?} {to:?} {room} {src:02X?}");
    assert!(found[room..].iter().all(|byte| *byte == CANARY), "{set:?} {from:?} {to:?}: wrote past the end");
}

/// Asserts that the validator of a set gives the same result as the portable validator.
#[track_caller]
fn compare_validators(set: Set, form: Form, src: &[u8]) {
    let newline = EbcdicNewline::default();
    let expected = Set::PORTABLE.validator(form, newline).expect("a validator")(src);
    let found = set.validator(form, newline).expect("a validator")(src);
    assert_eq!(found, expected, "{set:?} {form:?} {src:02X?}");
}

/// `Set::all`, `best_name` and `with_set!` list the same sets in the same order.
#[test]
fn the_lists_of_sets_agree() {
    assert_eq!(Set::all()[0].name, super::best_name());
    use super::generic::VectorSet;
    for set in Set::all() {
        let validator = super::with_set!(set.name, vector => vector.validator(Form::Utf8));
        assert_eq!(validator.is_some(), set.vector.is_some(), "{}", set.name);
    }
}

/// A rest that is shorter than a block is padded and converted by the vector kernel, not by the portable kernel.
#[test]
fn vector_kernels_convert_padded_rests() {
    let forms = [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Latin1];
    for set in vector_sets() {
        for (from, to) in forms.into_iter().flat_map(|from| forms.map(|to| (from, to))) {
            let Some(kernel) = set.vector.and_then(|set| set.kernel(from, to, EbcdicNewline::default()))
            else {
                continue;
            };
            let mut rest = Vec::new();
            let mut encoder = from.encoder(EbcdicNewline::default());
            while rest.len() < 60 {
                assert!(encoder.encode('a'.into(), &mut rest));
            }
            let mut filled = [0; 128];
            filled[..rest.len()].copy_from_slice(&rest);
            // From UTF-32 to ISO-8859-1, a block has 256 bytes, so padding is not worthwhile.
            let is_large = matches!((from, to), (Form::Utf32Le | Form::Utf32Be, Form::Latin1));
            let is_converted = kernel(&filled, &mut [0; 320]).0 >= rest.len();
            assert!(is_converted || is_large, "{set:?} {from:?} {to:?}");
        }
    }
}

/// Returns the sets to compare with the portable set.
fn vector_sets() -> impl Iterator<Item = Set> {
    let emulated: [Option<Set>; cfg!(target_arch = "x86_64") as usize] = [
        #[cfg(target_arch = "x86_64")]
        Set::row("emulated512", Some(super::x86::Emulated512)),
    ];
    Set::all().iter().copied().filter(|set| set.vector.is_some()).chain(emulated.into_iter().flatten())
}

/// Compares random texts between the forms of `pairs`.
fn compare_random(pairs: &[(Form, Form)], rounds: usize) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for set in vector_sets() {
        for &(from, to) in pairs {
            for _ in 0..rounds {
                let len = random.one(&[3, 20, 70, 150, 700]);
                let mut bytes = encoded(&text(&mut random, len), from);
                damage(&mut random, &mut bytes);
                // Start up to 63 bytes after the start of the allocation, so that sources have every alignment.
                let start = random.below(64).min(bytes.len());
                let src = &bytes[start..];
                let room = match random.below(3) {
                    0 => random.below(4 * src.len() + 1),
                    // The room has the exact size, or is a byte too large or too small.
                    1 => (encoded_len(src, from, to) + 1).saturating_sub(random.below(3)),
                    _ => 4 * src.len() + 64,
                };
                compare(set, from, to, src, room);
                compare_validators(set, from, src);
            }
        }
    }
}

/// Compares short windows of random texts, with a few changed bytes, at any offset and with any room. Each comparison
/// is cheap enough for millions of rounds in an emulator.
#[test]
fn windows_of_texts_between_the_common_forms() {
    const LONGEST: usize = 256;
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let newline = EbcdicNewline::default();
    let (mut src, mut count) = ([0; LONGEST + 64], 0_u64);
    let [mut found, mut expected] = [[0; 4 * LONGEST + 64]; 2];
    for set in vector_sets() {
        for (from, to) in FORMS.iter().flat_map(|from| FORMS.map(|to| (*from, to))) {
            // A kernel from UTF-8 to UTF-8 may end inside a sequence, so the results of two such kernels need not be
            // equal.
            if (from, to) == (Form::Utf8, Form::Utf8) {
                continue;
            }
            let ours = set.kernel(from, to, newline).expect("a kernel");
            let portable = Set::PORTABLE.kernel(from, to, newline).expect("a kernel");
            let mut texts = Vec::new();
            for round in 0..rounds(100) {
                if round % 5000 == 0 {
                    texts = encoded(&text(&mut random, 4000), from);
                    texts.resize(texts.len().max(2 * LONGEST), 0);
                }
                let (len, offset) = (random.below(LONGEST + 1), random.below(64));
                let start = random.below(texts.len() - len) & !3;
                let src = &mut src[offset..offset + len];
                src.copy_from_slice(&texts[start..start + len]);
                for _ in 0..random.below(3) * usize::from(len > 0) {
                    src[random.below(len)] = random.below(256) as u8;
                }
                let room = if round % 2 == 0 { found.len() } else { random.below(2 * len + 1) };
                let counts = ours(src, &mut found[..room]);
                assert_eq!(
                    counts,
                    portable(src, &mut expected[..room]),
                    "{set:?} {from:?} {to:?} {room} {src:02X?}"
                );
                assert!(
                    found[..counts.1] == expected[..counts.1],
                    "{set:?} {from:?} {to:?} {room} {src:02X?}"
                );
                count += 1;
            }
        }
    }
    println!("{count} comparisons");
}

/// Returns the number of rounds to run: `KERNEL_ROUNDS` in the environment if set, otherwise `default`.
fn rounds(default: usize) -> usize {
    std::env::var("KERNEL_ROUNDS").map_or(default, |rounds| rounds.parse().expect("a number"))
}

/// Returns the number of bytes that the well-formed prefix of `src` is converted to.
fn encoded_len(src: &[u8], from: Form, to: Form) -> usize {
    let mut dst = vec![0; 4 * src.len() + 64];
    let kernel = Set::PORTABLE.kernel(from, to, EbcdicNewline::default()).expect("a kernel");
    kernel(src, &mut dst).1
}

#[test]
fn random_texts_between_the_common_forms() {
    let pairs: Vec<_> = FORMS.iter().flat_map(|from| FORMS.map(|to| (*from, to))).collect();
    // A kernel from UTF-8 to UTF-8 fills its room to the last byte and may end inside a sequence, so the results of two
    // such kernels need not be equal.
    let pairs: Vec<_> = pairs.into_iter().filter(|(from, to)| from != to || *from != Form::Utf8).collect();
    compare_random(&pairs, rounds(300));
}

#[test]
fn random_texts_between_relatives() {
    use Form::{Cesu8, Mutf8, Ucs2Be, Ucs2Le, Ucs4Be, Ucs4Le, Utf8Of2279, Wtf8};
    let relatives = [Cesu8, Mutf8, Wtf8, Utf8Of2279, Ucs2Le, Ucs2Be, Ucs4Le, Ucs4Be];
    let pairs: Vec<_> = relatives
        .iter()
        .flat_map(|form| [(*form, Form::Utf8), (Form::Utf8, *form), (*form, Cesu8)])
        .collect();
    compare_random(&pairs, rounds(300));
}

/// Compares each kind of sequence, well-formed or not, at every position in the blocks.
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

/// A validator may first read a long source up to an aligned address.
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

/// Compares all combinations of three bytes that matter in UTF-8, around the edges of blocks.
#[test]
fn three_bytes_at_the_edge_of_a_block() {
    let bytes =
        b"\0\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xC3\xC4\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF";
    for set in vector_sets() {
        for around in ["a", "é", "日", "😀"] {
            let mut at = 0;
            for first in bytes {
                for second in bytes {
                    for third in bytes {
                        at = (at + 1) % 11;
                        let mut src = "a".repeat(at % around.len() + 2).into_bytes();
                        while src.len() < 57 + at {
                            src.extend_from_slice(around.as_bytes());
                        }
                        src.extend_from_slice(&[*first, *second, *third]);
                        src.extend_from_slice(around.repeat(70 / around.len()).as_bytes());
                        for to in [Form::Utf16Le, Form::Utf32Le, Form::Latin1] {
                            compare(set, Form::Utf8, to, &src, 4 * src.len() + 64);
                        }
                        compare_validators(set, Form::Utf8, &src);
                    }
                }
            }
        }
    }
}

/// Kernels touch no byte outside of the source and of the room.
#[cfg(unix)]
#[test]
fn fenced_sources_and_rooms() {
    use fenced::Fenced;

    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let newline = EbcdicNewline::default();
    let (mut source, mut room) = (Fenced::new(1 << 16), Fenced::new(1 << 18));
    for set in vector_sets() {
        for from in FORMS {
            let validator = set.validator(from, newline).expect("a validator");
            for to in FORMS {
                let kernel = set.kernel(from, to, newline).expect("a kernel");
                for _ in 0..200 {
                    let len = random.one(&[3, 20, 70, 150, 700]);
                    let mut bytes = encoded(&text(&mut random, len), from);
                    damage(&mut random, &mut bytes);
                    let at_end = random.below(4) > 0;
                    let src = source.slice(bytes.len(), at_end);
                    src.copy_from_slice(&bytes);
                    let whole = 4 * src.len() + 1;
                    let any = random.below(whole);
                    let len = random.one(&[encoded_len(src, from, to), any, whole]);
                    let (read, written) = kernel(src, room.slice(len, at_end));
                    assert!(read <= src.len() && written <= len);
                    assert!(validator(src) >= read);
                }
            }
        }
    }
}

/// Encodes code units in a form of 16 or 32 bits.
fn units(form: Form, units: &[u32]) -> Vec<u8> {
    let bytes = |unit: &u32| match form {
        Form::Utf16Le => (*unit as u16).to_le_bytes().to_vec(),
        Form::Utf16Be => (*unit as u16).to_be_bytes().to_vec(),
        Form::Utf32Le | Form::Ucs4Le => unit.to_le_bytes().to_vec(),
        Form::Utf32Be => unit.to_be_bytes().to_vec(),
        _ => unreachable!("{form:?} has no such units"),
    };
    units.iter().flat_map(bytes).collect()
}

/// Compares two code units, among them every bound and lone surrogates of each kind, at the edges of blocks. Code units
/// of each kind surround them, with surrogate pairs across every edge.
#[test]
fn two_units_at_every_edge() {
    const OF_16: &[u32] =
        &[0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
    const OF_32: &[u32] = &[
        0x7F,
        0x80,
        0xFF,
        0x100,
        0x7FF,
        0x800,
        0xD800,
        0xDFFF,
        0xFFFF,
        0x10000,
        0x10FFFF,
        0x110000,
        0x8000_0041,
    ];
    /// A form, code units to place, and the code units around them.
    type Case = (Form, &'static [u32], [&'static [u32]; 3]);
    const CASES: [Case; 5] = [
        (Form::Utf16Le, OF_16, [&[0x61], &[0x65E5], &[0xD83D, 0xDE00]]),
        (Form::Utf16Be, OF_16, [&[0x61], &[0x65E5], &[0xD83D, 0xDE00]]),
        (Form::Utf32Le, OF_32, [&[0x61], &[0x65E5], &[0x1F600]]),
        (Form::Utf32Be, OF_32, [&[0x61], &[0x65E5], &[0x1F600]]),
        (Form::Ucs4Le, OF_32, [&[0x61], &[0x65E5], &[0x1F600]]),
    ];
    let places: Vec<usize> =
        [0, 8, 16, 32, 64].iter().flat_map(|at: &usize| at.saturating_sub(2)..at + 2).collect();
    for set in vector_sets() {
        for (form, interesting, surroundings) in CASES {
            let pairs =
                interesting.iter().flat_map(|first| interesting.iter().map(|second| [*first, *second]));
            for pair in pairs {
                for (around, place) in
                    surroundings.iter().flat_map(|around| places.iter().map(move |place| (around, *place)))
                {
                    let before = around.iter().copied().cycle().skip(place % around.len()).take(place);
                    let after = around.iter().copied().cycle().take(72);
                    let mut src = units(form, &before.chain(pair).chain(after).collect::<Vec<_>>());
                    // The end may be inside a code unit.
                    src.truncate(src.len() - place % 5);
                    for to in [Form::Utf8, Form::Utf16Be, Form::Utf32Le, Form::Latin1] {
                        compare(set, form, to, &src, 4 * src.len() + 64);
                    }
                    compare_validators(set, form, &src);
                }
            }
        }
    }
}

/// Compares every code point, including surrogates and values above U+10FFFF, both among its neighbors and among
/// characters of other lengths.
#[test]
fn every_code_point_of_utf_32() {
    for set in vector_sets() {
        for (form, to) in [
            (Form::Utf32Le, Form::Utf8),
            (Form::Utf32Be, Form::Utf8),
            (Form::Utf32Le, Form::Utf16Le),
            (Form::Utf32Be, Form::Utf16Be),
            (Form::Utf32Le, Form::Utf32Be),
        ] {
            for start in (0..0x11_0400_u32).step_by(64) {
                let src = units(form, &(start..start + 64).collect::<Vec<_>>());
                compare(set, form, to, &src, 4 * src.len());
                compare_validators(set, form, &src);
            }
            for start in (0..0x11_0400_u32).step_by(16) {
                let mixed = (0..64).map(|at| if at % 4 == 1 { start + at / 4 } else { 0x61 << (at % 3 * 5) });
                compare(set, form, to, &units(form, &mixed.collect::<Vec<_>>()), 512);
            }
        }
    }
}

/// Returns the encodings whose kernels use tables.
fn with_tables() -> impl Iterator<Item = &'static Encoding> {
    Encoding::all().filter(|encoding| matches!(encoding.form(), Form::Page(_) | Form::MultiByte(_)))
}

/// Asserts that the kernel of each set converts `src` to `characters`, as many as fit in `room` bytes. Each character
/// is the number of bytes to read, and the output.
#[track_caller]
fn compare_with_characters(from: Form, to: Form, src: &[u8], room: usize, characters: &[(usize, Vec<u8>)]) {
    let (mut read, mut expected) = (0, Vec::new());
    for (len, bytes) in characters {
        if expected.len() + bytes.len() > room {
            break;
        }
        read += len;
        expected.extend_from_slice(bytes);
    }
    for set in vector_sets().chain([Set::PORTABLE]) {
        let mut found = vec![0; room];
        let counts = set.kernel(from, to, EbcdicNewline::default()).expect("a kernel")(src, &mut found);
        assert_eq!(counts, (read, expected.len()), "{set:?} {from:?} {to:?} {room} {src:02X?}");
        assert_eq!(found[..counts.1], expected, "{set:?} {from:?} {to:?} {room} {src:02X?}");
    }
}

/// Returns the characters that the exact decoder finds in `src` before the first fault, each as its length and its
/// UTF-8.
fn characters_of(form: Form, src: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut decoder = form.decoder(EbcdicNewline::default());
    let (mut characters, mut rest) = (Vec::new(), src);
    while let Next::Scalar { code_point, len } = decoder.next(rest, false)
        && let Some(scalar) = char::from_u32(code_point)
    {
        characters.push((len, scalar.to_string().into_bytes()));
        rest = &rest[len..];
    }
    characters
}

/// Encodes `text` up to the first character that cannot be encoded. Returns the length in UTF-8 and the code of each
/// character.
fn written(form: Form, text: &str) -> Vec<(usize, Vec<u8>)> {
    let mut encoder = match form {
        // The encoder of Big5-HKSCS holds some letters back, but a kernel stops before them, so use the plain encoder.
        Form::MultiByte(tables) => Box::new(Plain(tables.get())),
        _ => form.encoder(EbcdicNewline::default()),
    };
    let encode = |scalar: char| {
        let mut bytes = Vec::new();
        encoder.encode(scalar.into(), &mut bytes).then_some((scalar.len_utf8(), bytes))
    };
    text.chars().map_while(encode).collect()
}

#[test]
fn tables_read_as_the_decoder_does() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for encoding in with_tables() {
        let form = encoding.form();
        let text: String = written_characters(form).into_iter().collect();
        let all = encoded(&text, form);
        compare_with_characters(form, Form::Utf8, &all, 4 * all.len(), &characters_of(form, &all));
        for _ in 0..60 {
            let len = random.below(120);
            let start = random.below(all.len());
            let mut src: Vec<u8> = all.iter().cycle().skip(start).take(len).copied().collect();
            match random.below(3) {
                0 => src.iter_mut().for_each(|byte| *byte = random.below(256) as u8),
                1 => damage(&mut random, &mut src),
                // Put ASCII before the text, so that the end of a block is anywhere.
                _ => src.splice(0..0, vec![b'a'; random.below(40)]).for_each(drop),
            }
            let characters = characters_of(form, &src);
            let needed: usize = characters.iter().map(|(_, bytes)| bytes.len()).sum();
            for room in [needed + random.below(200), random.below(needed + 1)] {
                compare_with_characters(form, Form::Utf8, &src, room, &characters);
            }
        }
    }
}

#[test]
fn tables_write_as_the_encoder_does() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for encoding in with_tables() {
        let form = encoding.form();
        let has = written_characters(form);
        for round in 0..120 {
            let mut text = String::new();
            for _ in 0..random.below(80) {
                text.push(match (round % 4, random.below(8)) {
                    (0, 0..6) | (1, 0..2) => char::from(random.below(128) as u8),
                    _ => random.one(&has),
                });
            }
            if round % 2 == 0 {
                let at = text.floor_char_boundary(random.below(text.len() + 1));
                text.insert(at, char::from_u32(random.below(0x1_1000) as u32).unwrap_or('\u{FFFD}'));
            }
            let mut src = text.clone().into_bytes();
            let characters = if round % 3 == 0 {
                damage(&mut random, &mut src);
                let sound = str::from_utf8(&src).unwrap_or_else(|error| {
                    str::from_utf8(&src[..error.valid_up_to()]).expect("it is valid up to there")
                });
                written(form, sound)
            } else {
                written(form, &text)
            };
            let needed: usize = characters.iter().map(|(_, bytes)| bytes.len()).sum();
            for room in [needed + random.below(200), random.below(needed + 1)] {
                compare_with_characters(Form::Utf8, form, &src, room, &characters);
            }
        }
        // Put each character at every offset from the edge of a block.
        for shift in 0..16 {
            let text: String = std::iter::repeat_n('a', shift).chain(has.iter().copied()).collect();
            let characters = written(form, &text);
            compare_with_characters(Form::Utf8, form, text.as_bytes(), 4 * text.len(), &characters);
        }
    }
}

/// Compares conversions from a code page to another single-byte form or to a form of Unicode, and back, all by tables.
#[test]
fn code_pages_to_each_other() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let all = Encoding::all().map(Encoding::form);
    let pages: Vec<_> =
        all.filter(|form| matches!(form, Form::Page(page) if !page.has_composites())).collect();
    let others = [Form::Ucs2Le, Form::Ucs2Be, Form::Ucs4Le, Form::Ucs4Be];
    let others = [&FORMS[..], &others].concat();
    for round in 0..rounds(400) {
        let (one, other) = (random.one(&pages), random.one(if round % 2 == 0 { &pages } else { &others }));
        let (from, to) = if random.below(2) == 0 { (one, other) } else { (other, one) };
        let text: String = written_characters(to).into_iter().collect();
        let all = encoded(&text, from);
        for _ in 0..20 {
            let len = random.below(4 * 150);
            // At a multiple of four bytes, a whole character of any form begins.
            let start = random.below(all.len() + 1) / 4 * 4;
            let mut src: Vec<u8> = all[start..].iter().chain(&all).take(len).copied().collect();
            match random.below(4) {
                0 => src.iter_mut().for_each(|byte| *byte = random.below(256) as u8),
                1 => damage(&mut random, &mut src),
                _ => {}
            }
            let characters = converted(from, to, &src);
            let needed: usize = characters.iter().map(|(_, bytes)| bytes.len()).sum();
            for room in [needed + random.below(200), random.below(needed + 1)] {
                compare_with_characters(from, to, &src, room, &characters);
            }
        }
    }
}

/// Compares runs of one byte to and from a code page without ASCII, in which most bytes have no counterpart.
#[test]
fn code_pages_to_each_other_with_little_in_common() {
    let braille = Encoding::for_name("ISO-11548-1").expect("a code page").form();
    for form in
        Encoding::all().map(Encoding::form).filter(|form| matches!(form, Form::Page(_) | Form::Latin1))
    {
        for (from, to) in [(form, braille), (braille, form)] {
            for byte in [0x00, 0x28, 0xFF] {
                let src = [byte; 150];
                compare_with_characters(from, to, &src, 4 * src.len(), &converted(from, to, &src));
            }
        }
    }
}

/// Returns the characters that the exact decoder finds in `src` before the first fault or unmappable character, each as
/// its length and its encoded bytes.
fn converted(from: Form, to: Form, src: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut encoder = to.encoder(EbcdicNewline::default());
    let encode = |(len, utf8): (usize, Vec<u8>)| {
        let scalar = str::from_utf8(&utf8).expect("UTF-8").chars().next().expect("a character");
        let mut bytes = Vec::new();
        encoder.encode(scalar.into(), &mut bytes).then_some((len, bytes))
    };
    characters_of(from, src).into_iter().map_while(encode).collect()
}

/// Compares long texts at every alignment, with every cut of a block, between fences, and with errors. Only long texts
/// are converted in segments, so they reach the stages that work on segments.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), unix))]
#[test]
fn long_double_byte_texts_equal_single_characters() {
    use fenced::Fenced;

    let mut random = Random(0x6C62_272E_07BB_0142);
    let (mut source, mut room) = (Fenced::new(1 << 16), Fenced::new(1 << 17));
    // Leave out IBM's encodings, because they have the lead bytes of encodings that are tested. Keep ibm-33722, because
    // its control characters are single bytes.
    let is_of_ibm = |name: &str| name.to_lowercase().starts_with("ibm-") && name != "ibm-33722";
    let multi_byte = with_tables().filter(|encoding| matches!(encoding.form(), Form::MultiByte(_)));
    for (at, encoding) in multi_byte.filter(|encoding| !is_of_ibm(encoding.name())).enumerate() {
        let form = encoding.form();
        let has = written_characters(form);
        let common: Vec<char> =
            has.iter().copied().filter(|char| encoded(&char.to_string(), form).len() == 2).collect();
        let mut text = String::new();
        while text.len() < 9 << 10 {
            let is_rare = random.below(if at % 2 == 0 { 40 } else { 4 }) == 0;
            let run = random.below(30);
            text.extend((0..run).map(|_| if is_rare { random.one(&has) } else { random.one(&common) }));
            let longest = if random.below(30) == 0 { 300 } else { 12 };
            let ascii = random.below(longest);
            text.extend((0..ascii).map(|_| char::from(random.below(0x60) as u8 + 0x20)));
        }
        let text: String = text.chars().filter(|char| written(form, &char.to_string()).len() == 1).collect();
        let codes = encoded(&text, form);
        assert!(codes.len() > 4000, "{encoding:?}");
        for round in 0..220 {
            let is_read = round % 2 == 0;
            let other = if (round / 2 + at) % 2 == 0 { Form::Utf8 } else { Form::Utf16Le };
            let (from, to) = if is_read { (form, other) } else { (other, form) };
            let ascii = encoded("a", from);
            let mut bytes = if is_read { codes.clone() } else { encoded(&text, other) };
            match round / 2 {
                // Vary the alignment with ASCII in front, then the cut, then damage the text.
                shift @ 0..40 => _ = bytes.splice(0..0, ascii.repeat(shift)),
                cut @ 40..90 => bytes.truncate(bytes.len() - (cut - 40)),
                _ => (0..random.below(6)).for_each(|_| damage(&mut random, &mut bytes)),
            }
            let utf16 = |utf8: &[u8]| encoded(std::str::from_utf8(utf8).expect("characters"), Form::Utf16Le);
            let characters: Vec<(usize, Vec<u8>)> = match (is_read, other) {
                (true, Form::Utf8) => characters_of(form, &bytes),
                (true, _) => {
                    characters_of(form, &bytes).into_iter().map(|(len, utf8)| (len, utf16(&utf8))).collect()
                }
                (false, Form::Utf8) => {
                    written(form, bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid()))
                }
                (false, _) => {
                    let units = bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit));
                    let valid: String = char::decode_utf16(units).map_while(Result::ok).collect();
                    let mut at = 0;
                    let wide = |(len, code): (usize, Vec<u8>)| {
                        at += len;
                        (utf16(&valid.as_bytes()[at - len..at]).len(), code)
                    };
                    written(form, &valid).into_iter().map(wide).collect()
                }
            };
            let needed: usize = characters.iter().map(|(_, bytes)| bytes.len()).sum();
            let space = if round % 5 == 0 { random.below(needed + 1) } else { needed };
            let fitting = characters.iter().scan(0, |used, (len, bytes)| {
                *used += bytes.len();
                (*used <= space).then_some((*len, bytes))
            });
            let (mut read, mut expected) = (0, Vec::new());
            for (len, bytes) in fitting {
                read += len;
                expected.extend_from_slice(bytes);
            }
            for (number, set) in vector_sets().enumerate() {
                // Emulation is slow, so run only a third of its rounds.
                if (round + at + number) % 3 != 0 && set.name.starts_with("emulated") {
                    continue;
                }
                let src = source.slice(bytes.len(), true);
                src.copy_from_slice(&bytes);
                let dst = room.slice(space, random.below(4) > 0);
                let counts = set.kernel(from, to, EbcdicNewline::default()).expect("a kernel")(src, dst);
                assert_eq!(counts, (read, expected.len()), "{set:?} {encoding:?} {round}");
                assert!(dst[..counts.1] == expected, "{set:?} {encoding:?} {round}");
            }
        }
    }
}

/// Returns every character of an encoding.
fn written_characters(form: Form) -> Vec<char> {
    let last = if let Form::MultiByte(_) = form { '\u{2FFFF}' } else { '\u{FFFF}' };
    let encoder = form.encoder(EbcdicNewline::default());
    ('\0'..=last).filter(|scalar| encoder.has((*scalar).into())).collect()
}

/// Asserts that all sets that the CPU's features promise are found, because a missing set would pass untested.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn every_set_that_the_cpu_can_run_is_tested() {
    let info = std::fs::read_to_string("/proc/cpuinfo").expect("Linux tells of its CPUs");
    let flags: Vec<_> =
        info.lines().find(|line| line.starts_with("flags")).expect("flags").split(' ').collect();
    let names: Vec<_> = Set::all().iter().map(|set| set.name()).collect();
    println!("tested: {names:?}");
    for (name, features) in [
        ("avx2", &["avx2", "bmi1", "bmi2", "popcnt"][..]),
        ("avx512bw", &["avx2", "avx512f", "avx512bw", "avx512vl"]),
        ("avx512", &["avx2", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vbmi2"]),
    ] {
        let has_all = features.iter().all(|feature| flags.contains(feature));
        assert_eq!(names.contains(&name), has_all, "{name}");
    }
}

/// NEON belongs to the base CPU of the target.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
#[test]
fn every_set_that_the_cpu_can_run_is_tested() {
    assert_eq!(Set::all().iter().map(|set| set.name()).collect::<Vec<_>>(), ["neon", "portable"]);
}

#[test]
fn sets_have_names() {
    for set in Set::all() {
        assert_eq!(Set::for_name(set.name()).map(Set::name), Ok(set.name()));
        assert!(set.between(&crate::UTF_8, Encoding::for_name("UTF-7").expect("a name")).is_none());
    }
    assert_eq!(Set::for_name("no such").err(), Some(super::NotAvailable));
}

/// A set has to be chosen before anything is converted, because the set in use stays.
#[test]
fn a_set_in_use_stays() {
    let active = Set::active().name();
    for set in Set::all() {
        let again = std::panic::AssertUnwindSafe(|| set.choose());
        assert!(std::panic::catch_unwind(again).is_err());
        assert_eq!(Set::active().name(), active);
    }
}
