//! The languages that have statistics, and their names.

/// Returns the codes of the languages that `name` means. A name is a BCP 47 tag or an English name. Returns an empty
/// list if the library has no statistics of the language.
///
/// Only the language of a tag counts, and for Chinese and Serbian the script and the region. Case does not matter, and
/// `_` is read as `-`.
///
/// ```
/// use utfconv_detect::languages_of;
///
/// assert_eq!(languages_of("pt-BR"), ["pt"]);
/// assert_eq!(languages_of("zh-Hant"), ["zh-TW"]);
/// assert_eq!(languages_of("no"), ["nb", "nn"]);
/// assert_eq!(languages_of("German"), ["de"]);
/// assert!(languages_of("tlh").is_empty());
/// ```
pub fn languages_of(name: &str) -> Vec<&'static str> {
    let with = |is: &dyn Fn(&str, &str) -> bool| -> Vec<&'static str> {
        LANGUAGES.iter().filter(|(code, name)| is(code, name)).map(|(code, _)| *code).collect()
    };
    let named = with(&|_, known| known.eq_ignore_ascii_case(name));
    if !named.is_empty() {
        return named;
    }
    let tag = name.to_ascii_lowercase().replace('_', "-");
    let is_subtag = |subtag: &str| {
        matches!(subtag.len(), 1..=8) && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let (language, others) = tag.split_once('-').unwrap_or((&tag, ""));
    if !others.is_empty() && !others.split('-').all(is_subtag) || tag.ends_with('-') {
        return Vec::new();
    }
    let has = |subtags: &[&str]| others.split('-').any(|subtag| subtags.contains(&subtag));
    match language {
        "no" => vec!["nb", "nn"],
        "zh" | "cmn" if has(&["hant"]) => vec!["zh-TW"],
        "zh" | "cmn" if has(&["hans", "cn", "sg"]) => vec!["zh-CN"],
        "zh" | "cmn" if has(&["tw", "hk", "mo"]) => vec!["zh-TW"],
        "zh" | "cmn" => vec!["zh-CN", "zh-TW"],
        // The statistics of Serbian are of text in Cyrillic letters.
        "sr" if has(&["latn"]) => Vec::new(),
        // `iw` is the former code of Hebrew.
        "iw" => vec!["he"],
        language => with(&|code, _| code == language),
    }
}

/// Returns the English name of the language with the given code.
pub(super) fn language(code: &'static str) -> &'static str {
    LANGUAGES.iter().find(|(known, _)| *known == code).map_or(code, |(_, name)| name)
}

/// The codes and English names of the languages that have statistics.
#[rustfmt::skip]
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("af", "Afrikaans"), ("ar", "Arabic"), ("be", "Belarusian"), ("bg", "Bulgarian"), ("br", "Breton"),
    ("ca", "Catalan"), ("cs", "Czech"), ("cy", "Welsh"), ("da", "Danish"), ("de", "German"), ("el", "Greek"),
    ("en", "English"), ("eo", "Esperanto"), ("es", "Spanish"), ("et", "Estonian"), ("eu", "Basque"),
    ("fa", "Persian"), ("fi", "Finnish"), ("fo", "Faroese"), ("fr", "French"), ("ga", "Irish"), ("gl", "Galician"),
    ("he", "Hebrew"), ("hr", "Croatian"), ("hu", "Hungarian"), ("is", "Icelandic"), ("it", "Italian"),
    ("ja", "Japanese"), ("kk", "Kazakh"), ("ko", "Korean"), ("lb", "Luxembourgish"), ("lt", "Lithuanian"),
    ("lv", "Latvian"), ("mk", "Macedonian"), ("mt", "Maltese"), ("nb", "Norwegian"), ("nl", "Dutch"),
    ("nn", "Norwegian Nynorsk"), ("pl", "Polish"), ("pt", "Portuguese"), ("ro", "Romanian"), ("ru", "Russian"),
    ("sk", "Slovak"), ("sl", "Slovenian"), ("sq", "Albanian"), ("sr", "Serbian"), ("sv", "Swedish"), ("tg", "Tajik"),
    ("th", "Thai"), ("tr", "Turkish"), ("uk", "Ukrainian"), ("vi", "Vietnamese"), ("zh-CN", "Chinese"),
    ("zh-TW", "Chinese (traditional)"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_mean_languages() {
        for (tag, codes) in [
            ("de", &["de"][..]),
            ("DE-at-1996", &["de"]),
            ("pt_BR", &["pt"]),
            ("zh", &["zh-CN", "zh-TW"]),
            ("zh-CN", &["zh-CN"]),
            ("ZH-tw", &["zh-TW"]),
            ("zh-Hans-HK", &["zh-CN"]),
            ("zh-Hant-CN", &["zh-TW"]),
            ("nb-NO", &["nb"]),
            ("sr-Cyrl", &["sr"]),
            ("sr-Latn", &[]),
            ("norwegian nynorsk", &["nn"]),
            ("", &[]),
            ("de-", &[]),
            ("de--AT", &[]),
            ("d", &[]),
        ] {
            assert_eq!(languages_of(tag), codes, "{tag}");
        }
    }
}
