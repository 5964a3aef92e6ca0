//! Tests of the prescan of HTML ("prescan a byte stream to determine its encoding" in the HTML Standard).
//!
//! With UTFCONV_PRESCAN_CASES=DIR, also tests all files NAME.dat in DIR, which have cases in the format of
//! html5lib-tests and web-platform-tests. If a case expects windows-1252, the prescan has to find nothing or
//! windows-1252. A BOM takes precedence over both.

#[path = "../../utfconv-core/tests/a_chosen_set.rs"]
mod a_chosen_set;

use std::fs;
use std::path::{Path, PathBuf};

use utfconv_core::UTF_8;
use utfconv_declare::{HeadAndTail, Kind, find};

/// Returns the first label that is found in a file of HTML.
fn label(text: &[u8]) -> Option<String> {
    let found = find(&HeadAndTail::of(text), &UTF_8, Some("a.html"));
    found.iter().find(|one| one.kind() == Kind::Html).map(|one| one.label().to_string())
}

#[test]
fn each_step_of_the_algorithm() {
    for (text, expected) in [
        // Declarations in comments are ignored.
        ("<!-- <meta charset=l1> --><meta charset=l2>", Some("l2")),
        ("<!--><meta charset=l1>-->", Some("l1")),
        ("<!---><meta charset=l1>", Some("l1")),
        ("<!- <meta charset=l1><meta charset=l2>", Some("l2")),
        ("<!-- <meta charset=l1> <meta charset=l2>", None),
        // The name of the element is found in any case and before any separator.
        ("<meta\u{0C}charset=l1>", Some("l1")),
        ("<meta/charset=l1>", Some("l1")),
        ("<METACHARSET=l1>", None),
        ("<META CHARSET=L1>", Some("L1")),
        ("<metal charset=l1>", None),
        ("</meta charset=l1>", None),
        // Attributes of other elements are ignored.
        ("<a b='<meta charset=l1>'><meta charset=l2>", Some("l2")),
        ("</a b='<meta charset=l1>'><meta charset=l2>", Some("l2")),
        ("<a/ <meta charset=l1><meta charset=l2>", Some("l2")),
        ("<1 <meta charset=l1>", Some("l1")),
        ("<!x <meta charset=l1><meta charset=l2>", Some("l2")),
        ("<?x <meta charset=l1><meta charset=l2>", Some("l2")),
        ("</ <meta charset=l1><meta charset=l2>", Some("l2")),
        // The prescan does not know other elements.
        ("<script><meta charset=l1></script>", Some("l1")),
        ("<title><meta charset=l1></title>", Some("l1")),
        // Attributes may have spaces, quotation marks or slashes.
        ("<meta charset = 'l1'>", Some("l1")),
        ("<meta charset=\" l1\n\">", Some("l1")),
        ("<meta charset='l1 l2'>", None),
        ("<meta charset=l1/>", None),
        ("<meta charset=l1 / >", Some("l1")),
        ("<meta charset='l1'/>", Some("l1")),
        ("<meta a charset=l1>", Some("l1")),
        ("<meta a/charset=l1>", Some("l1")),
        ("<meta a=b/charset=l1>", None),
        ("<meta =charset=l1>", None),
        ("<meta charset=><meta charset=l1>", Some("l1")),
        ("<meta charset><meta charset=l1>", Some("l1")),
        ("<meta charset=l1 charset=l2>", Some("l1")),
        ("<meta charset=nonsense charset=l2><meta charset=l3>", Some("l3")),
        ("<meta charset='l1>", None),
        ("<meta charset=l1", None),
        // The pragma `http-equiv` needs the value content-type.
        ("<meta http-equiv=content-type content='text/html; charset=l1'>", Some("l1")),
        ("<meta content='text/html; charset=l1' http-equiv=CONTENT-TYPE>", Some("l1")),
        ("<meta content='text/html; charset=l1'>", None),
        ("<meta http-equiv=refresh content='text/html; charset=l1'>", None),
        ("<meta http-equiv=content-type content='charset charset=l1'>", Some("l1")),
        ("<meta http-equiv=content-type content='charsetcharset = l1;x'>", Some("l1")),
        ("<meta http-equiv=content-type content='x charset=\"l1\"'>", Some("l1")),
        ("<meta http-equiv=content-type content='x charset=\"l1'>", None),
        ("<meta http-equiv=content-type content='x charset=\"\"'>", None),
        ("<meta http-equiv=content-type content='charset='>", None),
        // Attributes `charset` and `content` in one element.
        ("<meta charset=l1 content='charset=l2'>", Some("l1")),
        ("<meta http-equiv=content-type content='charset=l2' charset=l1>", Some("l1")),
        ("<meta charset=nonsense http-equiv=content-type content='charset=l2'>", None),
        ("<meta http-equiv=content-type content='charset=nonsense' charset=l1>", Some("l1")),
        // The XML declaration counts only if there is no `<meta>`.
        ("<?xml version='1.0' encoding='l1'?>", Some("l1")),
        ("<?xml version='1.0' encoding='l1'?><meta charset=l2>", Some("l2")),
        ("<?xmlencoding = \"l1\">", Some("l1")),
        ("<?xml encoding='l1 '?>", None),
        ("<?xml encoding=l1?>", None),
        ("<?xml ?> encoding='l1'", None),
        (" <?xml encoding='l1'?>", None),
    ] {
        assert_eq!(label(text.as_bytes()).as_deref(), expected, "{text}");
    }
}

#[test]
fn the_first_kibibyte_is_looked_at() {
    let page = |len: usize| format!("{}<meta charset=l1>", " ".repeat(len - "<meta charset=l1>".len()));
    assert_eq!(label(page(1024).as_bytes()).as_deref(), Some("l1"));
    assert_eq!(label(page(1025).as_bytes()), None);
}

/// Returns the cases of a file in the format of html5lib-tests: each text, and the encoding that a browser uses.
fn cases(file: &Path) -> Vec<(Vec<u8>, String)> {
    let bytes = fs::read(file).expect("a file with cases");
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let case = |case: &str| {
        let (data, rest) = case.split_once("\n#encoding\n").expect("the encoding of a case");
        let encoding = rest.lines().next().unwrap_or_default().to_string();
        (data.chars().map(|byte| byte as u8).collect(), encoding)
    };
    text.split("#data\n").skip(1).map(case).collect()
}

#[test]
fn cases_from_outside() {
    let Some(directory) = std::env::var_os("UTFCONV_PRESCAN_CASES") else { return };
    let files = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|one| one == "dat")).collect();
    assert!(!files.is_empty(), "no file NAME.dat");
    let web = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
    let (mut held, mut later, mut wrong) = (0, 0, Vec::new());
    for (text, expected) in files.iter().flat_map(|file| cases(file)) {
        let found = label(&text).map(|label| match web(&label) {
            one if one == encoding_rs::UTF_16LE || one == encoding_rs::UTF_16BE => encoding_rs::UTF_8,
            one => one,
        });
        let by_bom = text.starts_with(b"\xEF\xBB\xBF").then_some(encoding_rs::UTF_8);
        let head = &text[..text.len().min(1024)];
        match by_bom.or(found).unwrap_or(encoding_rs::WINDOWS_1252) == web(&expected) {
            true => held += 1,
            // Declarations after the first 1,024 bytes are found only by the parser of a browser.
            false
                if found.is_none()
                    && text.len() > 1024
                    && !head.windows(7).any(|part| part == b"charset") =>
            {
                later += 1;
            }
            false => {
                wrong.push(format!(
                    "{found:?}, not {expected}: {}",
                    String::from_utf8_lossy(&head[..head.len().min(99)])
                ));
            }
        }
    }
    println!("{held} cases held, {later} are declared after the first 1,024 bytes");
    assert!(wrong.is_empty(), "{} cases are wrong: {wrong:#?}", wrong.len());
}
