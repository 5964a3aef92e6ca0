//! The programs in `examples/`.

#[path = "../../utfconv-core/tests/a_chosen_set.rs"]
mod a_chosen_set;
#[allow(dead_code)] // main reads an argument
#[path = "../examples/decode_log.rs"]
mod decode_log;

use utfconv_core::UTF_8;

#[test]
fn a_log_of_unknown_encoding_is_decoded() {
    let russian = "Ошибка при чтении файла журнала\nСоединение закрыто\n";
    let koi8 = utfconv_core::Encoding::for_name("KOI8-R").expect("a name");
    let encoded = utfconv_core::convert(russian.as_bytes(), &UTF_8, koi8, &Default::default()).unwrap();
    for (log, expected) in [(encoded.output, "KOI8-R"), (russian.as_bytes().to_vec(), "UTF-8")] {
        let (encoding, lines) = decode_log::lines(log);
        let lines: Vec<_> = lines.map(|line| line.expect("memory")).collect();
        assert_eq!((encoding, lines), (expected, russian.lines().map(String::from).collect()));
    }
}
