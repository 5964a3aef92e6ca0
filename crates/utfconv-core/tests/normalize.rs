//! Tests normalization in conversions against Unicode's test file and another normalizer, with chunks cut anywhere.

use unicode_normalization::UnicodeNormalization;
use utfconv_core::Segments;
use utfconv_core::{
    Carrier, Encoding, FaultKind, ISO_8859_1, NormalizationForm, OnIllFormed, OnUnmappable, Options, Policy,
    Stop, Transcoder, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, UTF_32LE, convert,
};

use crate::chunks::{chunked, whole};
use crate::random::generator;

/// Returns `text` in a form, normalized by the crate unicode-normalization.
fn other(form: NormalizationForm, text: &str) -> String {
    match form {
        NormalizationForm::Nfc => text.nfc().collect(),
        NormalizationForm::Nfd => text.nfd().collect(),
        NormalizationForm::Nfkc => text.nfkc().collect(),
        NormalizationForm::Nfkd => text.nfkd().collect(),
    }
}

fn to(form: NormalizationForm) -> Options {
    Options::default().normalization(form)
}

/// Returns `text` in a form, normalized by a conversion of utfconv-core.
#[track_caller]
fn ours(form: NormalizationForm, text: &str) -> String {
    let converted = convert(text.as_bytes(), &UTF_8, &UTF_8, &to(form)).expect("is well-formed");
    String::from_utf8(converted.output).expect("is UTF-8")
}

fn named(name: &str) -> &'static Encoding {
    Encoding::for_name(name).expect("a name")
}

/// Returns rows of a text and its NFC, NFD, NFKC and NFKD. The rows are those of Unicode's test file, and rows of
/// Hangul syllables that are computed by arithmetic.
fn lines() -> impl Iterator<Item = [String; 5]> {
    let text = |column: &str| -> String {
        let code_points = column.split(' ').map(|digits| u32::from_str_radix(digits, 16).expect("digits"));
        code_points.map(|code_point| char::from_u32(code_point).expect("a scalar value")).collect()
    };
    let lines = include_str!("data/normalization.txt").lines().map(move |line| {
        let columns: Vec<&str> = line.split(';').collect();
        let or =
            |at: usize, default: &'static str| if columns[at].is_empty() { default } else { columns[at] };
        let [source, nfc] = [columns[0], or(1, columns[0])];
        let [nfd, nfkc] = [or(2, nfc), or(3, nfc)];
        [source, nfc, nfd, nfkc, or(4, nfd)].map(text)
    });
    let syllables = (0..11172u32).map(|index| {
        let jamo = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28];
        let scalar = |code_point| char::from_u32(code_point).expect("a scalar value");
        let jamo: String =
            jamo[..if index % 28 == 0 { 2 } else { 3 }].iter().map(|one| scalar(*one)).collect();
        let syllable = scalar(0xAC00 + index).to_string();
        [syllable.clone(), syllable.clone(), jamo.clone(), syllable, jamo]
    });
    lines.chain(syllables)
}

/// For each form, the column that each of the columns normalizes to, as Unicode's test file specifies.
const CONFORMANCE: [(NormalizationForm, [usize; 5]); 4] = [
    (NormalizationForm::Nfc, [1, 1, 1, 3, 3]),
    (NormalizationForm::Nfd, [2, 2, 2, 4, 4]),
    (NormalizationForm::Nfkc, [3, 3, 3, 3, 3]),
    (NormalizationForm::Nfkd, [4, 4, 4, 4, 4]),
];

#[test]
fn the_lines_of_unicode() {
    assert!(unicode_normalization::UNICODE_VERSION == (18, 0, 0), "the other normalizer has other tables");
    let mut count = 0;
    for columns in lines() {
        count += 1;
        for (form, expected) in CONFORMANCE {
            for (text, expected) in columns.iter().zip(expected) {
                assert_eq!(ours(form, text), columns[expected], "{form:?} {text:?}");
            }
        }
    }
    assert_eq!(count, 20171);
}

#[test]
fn the_lines_of_unicode_cut_anywhere() {
    for columns in lines().step_by(3) {
        let source = columns[0].as_bytes();
        for (form, expected) in CONFORMANCE {
            for cut in 0..=source.len() {
                let chunks = [&source[..cut], &source[cut..]];
                let outcome = chunked(&chunks, 3, false, &UTF_8, &UTF_8, &to(form));
                assert_eq!(
                    outcome.output,
                    columns[expected[0]].as_bytes(),
                    "{form:?} {source:02X?} cut at {cut}"
                );
            }
        }
    }
}

#[test]
fn all_scalar_values_with_something_around_them() {
    for form in NormalizationForm::ALL {
        for (before, behind) in
            [("", "\n"), ("e", "\u{323}\n"), ("\u{1100}\u{1161}", "\u{1161}\u{300}\u{31B}")]
        {
            // No characters are assigned after these ranges.
            let text: String = ('\0'..='\u{323AF}')
                .chain('\u{E0000}'..='\u{E0FFF}')
                .flat_map(|scalar| before.chars().chain([scalar]).chain(behind.chars()))
                .collect();
            let (ours, other) = (ours(form, &text), other(form, &text));
            let differs = ours.chars().zip(other.chars()).position(|(one, other)| one != other);
            assert!(ours == other, "{form:?} {before:?} {behind:?}: character {differs:?}");
        }
    }
}

/// Characters that compose, move, decompose, or are stable.
const ALPHABET: &str = "aeqAé<= \nậơ\u{301}\u{327}\u{323}\u{302}\u{338}\u{308}\u{345}\u{340}\u{344}\u{31B}\u{1100}\u{1161}\u{11A7}\u{11A8}가각\
    \u{9C7}\u{9BE}\u{9D7}\u{BC6}\u{BBE}\u{DD9}\u{DCA}\u{DCF}\u{F71}\u{F72}\u{F73}\u{F74}\u{F42}\u{FB7}\u{F43}\u{958}\u{915}\u{93C}\u{94D}\
    \u{2126}\u{212B}\u{FB1D}\u{2ADC}\u{1D15E}\u{11131}\u{11127}\u{1112E}\u{16121}\u{1611E}\u{1611F}\u{16D63}\u{16D67}\u{16D68}\
    \u{304B}\u{3099}かが日本\u{F900}\u{FFFD}ﬁ²½Ａｶﾞ\u{FDFA}\u{FEFF}\u{1F600}";

fn random_text(random: &mut impl FnMut(u64) -> u64) -> String {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    // Some texts are long enough for the kernels.
    let len = if random(8) == 0 { 200 } else { 12 };
    // Few different characters combine in more ways.
    let few: Vec<char> =
        (0..1 + random(12)).map(|_| alphabet[random(alphabet.len() as u64) as usize]).collect();
    (0..random(len)).map(|_| few[random(few.len() as u64) as usize]).collect()
}

/// Cuts `source` into a few chunks at random.
fn cut<'a>(source: &'a [u8], random: &mut impl FnMut(u64) -> u64) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = (0..random(6)).map(|_| random(source.len() as u64 + 1) as usize).collect();
    cuts.extend([0, source.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|cut| &source[cut[0]..cut[1]]).collect()
}

/// Returns the number of rounds, which is 3,000,000 instead of 30,000 if `UTFCONV_EXHAUSTIVE` is set.
fn rounds() -> usize {
    if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { 3_000_000 } else { 30_000 }
}

#[test]
fn random_text_in_and_out_of_many_encodings() {
    let mut random = generator();
    let [euc_jp, windows_1258, utf_7, gb18030] = ["EUC-JP", "windows-1258", "UTF-7", "GB18030"].map(named);
    let sources =
        [&UTF_8, &UTF_8, &UTF_16LE, &UTF_16BE, &UTF_32LE, &ISO_8859_1, euc_jp, windows_1258, utf_7, gb18030];
    let targets = [&UTF_8, &UTF_16LE, &UTF_32LE, utf_7, gb18030];
    for _ in 0..rounds() {
        let from = sources[random(sources.len() as u64) as usize];
        let to_encoding = targets[random(targets.len() as u64) as usize];
        let form = NormalizationForm::ALL[random(4) as usize];
        // Encode a random text without the characters that the encoding lacks, and decode the bytes for the expected
        // text.
        let omit = Policy::default().unmappable(OnUnmappable::Omit);
        let plain = Options::default().policy(omit);
        let source = whole(random_text(&mut random).as_bytes(), &UTF_8, from, &plain).output;
        let text = String::from_utf8(whole(&source, from, &UTF_8, &plain).output).expect("is UTF-8");
        let bom = if text.starts_with('\u{FEFF}') { "\u{FEFF}" } else { "" };
        let normal = bom.to_string() + &other(form, &text[bom.len()..]);
        let expected = whole(normal.as_bytes(), &UTF_8, to_encoding, &plain).output;

        let room = 1 + random(40) as usize;
        let found = chunked(&cut(&source, &mut random), room, random(2) == 0, from, to_encoding, &to(form));
        assert_eq!(found.output, expected, "{form:?} {from:?} {to_encoding:?} {text:?}");
        assert!(found.faults.is_empty() && found.stopped.is_none(), "{found:?}");
    }
}

/// The faults, their order and the output do not depend on the cuts.
#[test]
fn damaged_text_cut_anywhere() {
    let mut random = generator();
    let surrogates =
        (OnIllFormed::Carry(Carrier::SurrogateEscape), OnUnmappable::Carry(Carrier::SurrogateEscape));
    let policies = [
        (OnIllFormed::Stop, OnUnmappable::Stop),
        (OnIllFormed::Omit, OnUnmappable::Stop),
        (OnIllFormed::Omit, OnUnmappable::Replace(None)),
        (OnIllFormed::Replace(None), OnUnmappable::Omit),
        (OnIllFormed::Replace(Some("\u{301}e".into())), OnUnmappable::Replace(Some("e".into()))),
        (
            OnIllFormed::Escape(utfconv_core::ByteEscape::Hex),
            OnUnmappable::Escape(utfconv_core::ScalarEscape::UPlus),
        ),
        (OnIllFormed::Fallback(&ISO_8859_1), OnUnmappable::Stop),
        (OnIllFormed::Raw, OnUnmappable::Omit),
        surrogates,
        (OnIllFormed::Carry(Carrier::Pua), OnUnmappable::Carry(Carrier::Pua)),
    ];
    let [wtf_8, hkscs] = ["WTF-8", "BIG5-HKSCS"].map(named);
    let sources = [&UTF_8, &UTF_8, &UTF_16LE, wtf_8, hkscs];
    let targets = [&UTF_8, &UTF_16LE, &ISO_8859_1, &US_ASCII, wtf_8];
    let omit = Options::default().policy(Policy::default().unmappable(OnUnmappable::Omit));
    for _ in 0..rounds() {
        let from = sources[random(sources.len() as u64) as usize];
        let target = targets[random(targets.len() as u64) as usize];
        let (ill_formed, unmappable) = policies[random(policies.len() as u64) as usize].clone();
        let policy = Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(false);
        let form = NormalizationForm::ALL[random(4) as usize];
        let options = to(form).policy(policy);
        let mut source = whole(random_text(&mut random).as_bytes(), &UTF_8, from, &omit).output;
        for _ in 0..random(4) {
            let at = random(source.len() as u64 + 1) as usize;
            source.insert(at, [0xFF, 0x80, 0xED, 0xDC, 0x88, 0xC3][random(6) as usize]);
        }
        let expected = whole(&source, from, target, &options);
        let room = 1 + random(40) as usize;
        let found = chunked(&cut(&source, &mut random), room, random(2) == 0, from, target, &options);
        assert_eq!(found, expected, "{options:?} {from:?} {target:?} {source:02X?}");
    }
}

/// The longest sequence is normalized, and a sequence that is a byte longer is a fault.
#[test]
fn sequences_have_a_limit() {
    let mark = "\u{301}";
    let marks = mark.repeat((NormalizationForm::LONGEST_SEQUENCE - 2) / mark.len());
    let longest = format!("é{marks}");
    assert_eq!(longest.len(), NormalizationForm::LONGEST_SEQUENCE);
    for form in NormalizationForm::ALL {
        // The mark that has to move before all others comes last.
        let moved = format!("x{}\u{31B}\u{323}y", &marks[6..]);
        assert_eq!(ours(form, &moved), other(form, &moved));
    }
    for (before, behind) in [("", ""), ("a", "b"), ("日", "\n")] {
        let text = format!("{before}{longest}{behind}");
        assert_eq!(ours(NormalizationForm::Nfc, &text), other(NormalizationForm::Nfc, &text));
        let text = format!("{before}\n{longest}{mark}{behind}");
        for chunk in [1 << 20, 4099, 64 << 10] {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(chunk).collect();
            let found = chunked(&chunks, 4096, false, &UTF_8, &UTF_16BE, &to(NormalizationForm::Nfc));
            let fault = found.stopped.expect("it is too long");
            assert_eq!((fault.offset, fault.line, fault.column), (before.len() as u64 + 1, 2, 1));
            assert_eq!((&fault.bytes[..], found.faults.len()), ("é".as_bytes(), 0));
            assert!(matches!(fault.kind, FaultKind::LongSequence { form: "NFC", .. }));
            let written =
                whole(format!("{before}\n").as_bytes(), &UTF_8, &UTF_16BE, &Options::default()).output;
            assert_eq!(found.output, written);
        }
    }
    // Vowels without a leading consonant are sequences by themselves.
    for text in [
        "\u{1161}".repeat(NormalizationForm::LONGEST_SEQUENCE),
        "\u{1100}\u{1161}\u{11A8}".repeat(NormalizationForm::LONGEST_SEQUENCE / 4),
    ] {
        assert!(ours(NormalizationForm::Nfc, &text) == other(NormalizationForm::Nfc, &text));
    }
}

/// Text is written as soon as no later text can change it.
#[test]
fn output_comes_as_soon_as_it_is_known() {
    for (form, chunks) in [
        (
            NormalizationForm::Nfc,
            &[("a", ""), ("\n", "a\n"), ("密", "密"), ("e", ""), ("\u{301}", ""), ("\u{323}a", "ẹ\u{301}")][..],
        ),
        (
            NormalizationForm::Nfc,
            &[("ab\n\u{301}", "ab\n"), ("か", "\u{301}"), ("ん", "かん"), ("가", ""), ("\u{11A8}", "각")],
        ),
        (NormalizationForm::Nfd, &[("a", "a"), ("é", ""), ("\u{323}", ""), ("b", "e\u{323}\u{301}b")]),
    ] {
        let mut transcoder = Transcoder::new(&UTF_8, &UTF_8, to(form));
        for (chunk, expected) in chunks {
            let mut room = [0; 64];
            let step = transcoder.step(chunk.as_bytes(), &mut room, false);
            assert_eq!(step.stop, Stop::SourceEmpty);
            let written = str::from_utf8(&room[..step.written]).expect("is UTF-8");
            assert_eq!(written, *expected, "{form:?} {chunk:?}");
        }
    }
}

/// Normalized text has no positions between segments.
#[test]
fn normalized_text_is_never_between_segments() {
    let mut transcoder = Transcoder::new(&UTF_8, &UTF_8, to(NormalizationForm::Nfc));
    let mut room = [0; 64];
    assert_eq!(transcoder.step(b"a\n", &mut room, false).written, 2);
    assert!(!transcoder.is_between_segments());
    assert_eq!(transcoder.run(b"a\n", &mut room), (0, 0));
}

/// Replacements of ill-formed bytes are normalized with the text around them, but raw and carried bytes are not. All
/// output is in the order of the source.
#[test]
fn replacements_are_normalized_with_the_text_around_them() {
    let options = |ill_formed| to(NormalizationForm::Nfc).policy(Policy::default().ill_formed(ill_formed));
    let acute = OnIllFormed::Replace(Some("\u{301}".into()));
    let carry = OnIllFormed::Carry;
    for (source, from, target, ill_formed, expected) in [
        (&b"e\xFFx"[..], "UTF-8", "UTF-8", acute, "éx".as_bytes()),
        (b"e\xFFx", "UTF-8", "UTF-8", OnIllFormed::Replace(None), "e\u{FFFD}x".as_bytes()),
        (b"e\xFFx", "UTF-8", "UTF-8", OnIllFormed::Raw, b"e\xFFx"),
        (b"e\xFFx", "UTF-8", "UTF-8", OnIllFormed::Escape(utfconv_core::ByteEscape::Hex), b"e\\xFFx"),
        (b"e\xFF\xCC\x81x", "UTF-8", "UTF-8", OnIllFormed::Omit, "éx".as_bytes()),
        (b"e\xFFx", "UTF-8", "UTF-16LE", carry(Carrier::Pua), b"e\0\xFF\xEFx\0"),
        (b"e\0\x80\xEFx\0", "UTF-16LE", "UTF-8", carry(Carrier::Pua), b"e\x80x"),
        (b"e\0\x80\xDCx\0", "UTF-16LE", "UTF-8", carry(Carrier::SurrogateEscape), b"e\x80x"),
        (b"e\0\0\xD8x\0", "UTF-16LE", "WTF-8", OnIllFormed::Stop, b"e\xED\xA0\x80x"),
        (b"e\xED\xA0\x80x", "WTF-8", "WTF-8", OnIllFormed::Stop, b"e\xED\xA0\x80x"),
    ] {
        let shown = format!("{source:02X?} {target} {ill_formed:?}");
        let converted = convert(source, named(from), named(target), &options(ill_formed)).expect("goes on");
        assert_eq!(converted.output, expected, "{shown}");
    }
}

/// Text that is normalized together is written completely or not at all.
#[test]
fn a_sequence_is_written_as_a_whole() {
    let policy = Policy::default().unmappable(OnUnmappable::Translit(OnUnmappable::Stop.into()));
    let options = to(NormalizationForm::Nfkd).policy(policy);
    // The character decomposes to a parenthesis, a consonant without an ASCII approximation, and a parenthesis.
    let stopped = convert("a㈀".as_bytes(), &UTF_8, &US_ASCII, &options).expect_err("stops");
    assert_eq!(stopped.before.output, b"a");
    let FaultKind::Unmappable { code_point, .. } = stopped.fault.kind else { panic!("{stopped:?}") };
    assert_eq!((code_point, stopped.fault.offset), (0x1100, 1));
    let converted = convert("a㎏".as_bytes(), &UTF_8, &US_ASCII, &options).expect("goes on");
    assert_eq!(converted.output, b"akg");
}

/// The position is before the text that waits for normalization.
#[test]
fn the_position_is_before_waiting_text() {
    let mut transcoder = Transcoder::new(&UTF_8, &UTF_8, to(NormalizationForm::Nfc));
    let step = transcoder.step("ab\ncde".as_bytes(), &mut [0; 20], false);
    assert_eq!((step.read, step.written), (6, 5));
    assert_eq!(transcoder.position(), utfconv_core::Position::new(5, 2, 3));
    assert_eq!(transcoder.step(&[], &mut [0; 20], true).written, 1);
    assert_eq!(transcoder.position(), utfconv_core::Position::new(6, 2, 4));
}

/// A fault in text that was normalized from both a replacement and the source has the position of the source's text.
#[test]
fn a_mixed_sequence_is_reported_where_the_source_has_it() {
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(Some("e".into())));
    let options = to(NormalizationForm::Nfc).policy(policy);
    let stopped = convert(b"a\xFF\xCC\x81", &UTF_8, &US_ASCII, &options).expect_err("stops");
    assert_eq!((stopped.fault.offset, &*stopped.fault.bytes), (2, &b"\xCC\x81"[..]));
    assert_eq!(stopped.before.output, b"a");
}
