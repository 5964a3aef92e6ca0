//! Converts there and back, and checks that the text is unchanged: text through any two encodings that can write it,
//! text through encodings whose byte order a BOM decides, and the characters of any encoding.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use utfconv_core::{
    Converted, Encoding, FaultCounts, InputBom, Options, OutputBom, Policy, UTF_8, UTF_16, UTF_16BE,
    UTF_16LE, UTF_32, UTF_32BE, UTF_32LE, convert,
};
use utfconv_fuzz::{FIXED, coded, one_of, oracle, scalars, spell, text_only};

/// Encodings whose byte order a BOM decides, each with a byte order.
static MARKED: [(&Encoding, &Encoding); 4] =
    [(&UTF_16, &UTF_16LE), (&UTF_16, &UTF_16BE), (&UTF_32, &UTF_32LE), (&UTF_32, &UTF_32BE)];

#[derive(Debug)]
enum Case {
    Text { here: &'static Encoding, there: &'static Encoding, text: Vec<char> },
    Marked { scheme: &'static Encoding, order: &'static Encoding, text: Vec<char> },
    Legacy { encoding: &'static Encoding, text: Vec<char> },
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        Ok(match u.int_in_range(0..=2)? {
            0 => Case::Text { here: one_of(u, &FIXED)?, there: one_of(u, &FIXED)?, text: scalars(u)? },
            1 => {
                let (scheme, order) = one_of(u, &MARKED)?;
                Case::Marked { scheme, order, text: scalars(u)? }
            }
            _ => Case::Legacy {
                encoding: u.choose_iter(Encoding::all().collect::<Vec<_>>())?,
                text: scalars(u)?,
            },
        })
    }
}

/// Converts the whole of `source`; panics if there is a fault.
fn all(source: &[u8], from: &'static Encoding, to: &'static Encoding, options: &Options) -> Vec<u8> {
    let Converted { output, faults, .. } =
        convert(source, from, to, options).unwrap_or_else(|stopped| panic!("{from:?} to {to:?}: {stopped}"));
    assert_eq!(faults, FaultCounts::default(), "{from:?} to {to:?}");
    output
}

fn text_survives(here: &'static Encoding, there: &'static Encoding, text: &[char]) {
    let both_hold = |scalar: &char| {
        [here, there].iter().all(|encoding| oracle::encode(encoding.name(), (*scalar).into()).is_some())
    };
    let text: Vec<char> = text.iter().copied().filter(both_hold).collect();
    let source = spell(here, &text);
    let options = text_only(Policy::default());
    let gone = all(&source, here, there, &options);
    assert_eq!(gone, spell(there, &text), "{here:?} to {there:?}");
    assert_eq!(all(&gone, there, here, &options), source, "{here:?} from {there:?}");
}

fn marks_decide(scheme: &'static Encoding, order: &'static Encoding, text: &[char]) {
    let source = spell(&UTF_8, text);
    let written = |output_bom| text_only(Policy::default()).output_bom(output_bom);
    let read = text_only(Policy::default()).input_bom(InputBom::Auto);

    let in_order = all(&source, &UTF_8, order, &written(OutputBom::Always));
    // The BOM is not text, whatever text follows it. Empty text gets no BOM.
    let mark: &[char] = if text.is_empty() { &[] } else { &['\u{FEFF}'] };
    assert_eq!(in_order, [spell(order, mark), spell(order, text)].concat(), "{order:?} with a mark");
    assert_eq!(all(&in_order, scheme, &UTF_8, &read), source, "{order:?} read as {scheme:?}");

    let in_scheme = all(&source, &UTF_8, scheme, &written(OutputBom::Auto));
    assert_eq!(all(&in_scheme, scheme, &UTF_8, &read), source, "{scheme:?}");
    // The BOM of UTF-8 is converted to a BOM of the target, and no second BOM is written.
    let signed = [spell(&UTF_8, mark), source].concat();
    assert_eq!(all(&signed, &UTF_8, scheme, &Options::default()), in_scheme, "{scheme:?} from UTF-8");
    // By default a BOM is read as a BOM, and written again.
    assert_eq!(all(&in_order, scheme, scheme, &Options::default()), in_scheme, "{scheme:?} from {order:?}");
}

fn legacy_survives(encoding: &'static Encoding, text: &[char]) {
    let options = text_only(Policy::default());
    let coded = coded(encoding, text);
    let text = all(&coded, encoding, &UTF_8, &options);
    let again = all(&text, &UTF_8, encoding, &options);
    if matches!(encoding.name(), "TCVN5712-1" | "windows-1258") {
        // These encodings have letters with diacritics and combining marks, so a letter and a combining mark are read
        // as one character and written as one byte.
        assert_eq!(all(&again, encoding, &UTF_8, &options), text);
    } else {
        assert_eq!(again, coded, "{encoding:?}");
    }
}

fuzz_target!(|case: Case| match case {
    Case::Text { here, there, text } => text_survives(here, there, &text),
    Case::Marked { scheme, order, text } => marks_decide(scheme, order, &text),
    Case::Legacy { encoding, text } => legacy_survives(encoding, &text),
});
