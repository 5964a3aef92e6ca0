//! The encodings that have separate codecs, as one row each.

use super::row::{BomMeaning, Encoding};
use crate::form::{Form, host};
use crate::legacy::{self, Iso2022, Tables, ToIso2022, iso_2022};
use crate::stateful::{self, Codec};
use crate::utf8_codec::Utf8Kernels;

/// Defines encodings in rows of name, encoding form, meaning of U+FEFF, and other names if there are any.
macro_rules! encodings {
    ($($(#[$doc:meta])* $id:ident = $name:literal, $form:expr, $bom:expr $(, $aliases:literal)?;)+) => {
        $($(#[$doc])* pub static $id: Encoding =
            Encoding::new($name, concat!($($aliases)?), $form, $bom, {
                static KERNELS: Utf8Kernels = Utf8Kernels::new();
                &KERNELS
            });)+

        /// All encodings that this file lists, in its order.
        pub(super) static BY_CODE: &[&Encoding] = &[$(&$id),+];
    };
}

/// Returns the form of a variant of ISO/IEC 2022.
macro_rules! iso_2022 {
    ($variant:ident) => {{
        static CODEC: Codec = Codec {
            decoder: || Box::new(Iso2022::new(&iso_2022::$variant)),
            encoder: || Box::new(ToIso2022::new(&iso_2022::$variant)),
        };
        Form::Stateful(&CODEC)
    }};
}

encodings! {
    /// UTF-8 (RFC 3629).
    UTF_8 = "UTF-8", Form::Utf8, BomMeaning::Bom,
        "csUTF8 CP65001 u8 ibm-1208 ibm-1209 ibm-5304 ibm-5305 ibm-13496 ibm-13497 ibm-17592 ibm-17593 windows-65001 \
        cp1208 x-UTF_8J unicode-1-1-utf-8 unicode-2-0-utf-8 65001 utf8mb4 x-unicode20utf8 ISO-IR-193 OSF05010001 \
        1208 ISO-10646/UTF8 ISO-10646/UTF-8 utf utf8_ucs2 utf8_ucs4 utf8mb3 utf-8-strict AL32UTF8 mule-utf-8";
    /// UTF-16 with a byte order mark; text without a mark is read in the byte order of the host (RFC 2781).
    UTF_16 = "UTF-16", host(Form::Utf16Le, Form::Utf16Be), BomMeaning::ByteOrder { le: &UTF_16LE, be: &UTF_16BE },
        "csUTF16 u16 ibm-1204 ibm-1205";
    /// UTF-16, little-endian (RFC 2781).
    UTF_16LE = "UTF-16LE", Form::Utf16Le, BomMeaning::Text,
        "cp1200 csUTF16LE unicodelittleunmarked ibm-1202 ibm-1203 ibm-13490 ibm-13491 ibm-17586 ibm-17587 ibm-21682 \
        ibm-21683 ibm-25778 ibm-25779 ibm-29874 ibm-29875 windows-1200 x-utf-16le UTF16_LittleEndian 1200 \
        AL16UTF16LE";
    /// UTF-16, big-endian (RFC 2781).
    UTF_16BE = "UTF-16BE", Form::Utf16Be, BomMeaning::Text,
        "cp1201 csUTF16BE unicodebigunmarked ibm-1200 ibm-1201 ibm-13488 ibm-13489 ibm-17584 ibm-17585 ibm-21680 \
        ibm-21681 ibm-25776 ibm-25777 ibm-29872 ibm-29873 ibm-61955 ibm-61956 windows-1201 x-utf-16be \
        UTF16_BigEndian 1201 unicodefffe AL16UTF16";
    /// UTF-32 with a byte order mark; text without a mark is read in the byte order of the host (Unicode 3.10, D101).
    UTF_32 = "UTF-32", host(Form::Utf32Le, Form::Utf32Be), BomMeaning::ByteOrder { le: &UTF_32LE, be: &UTF_32BE },
        "csUTF32 u32 ibm-1236 ibm-1237";
    /// UTF-32, little-endian (Unicode 3.10, D100).
    UTF_32LE = "UTF-32LE", Form::Utf32Le, BomMeaning::Text,
        "cp12000 csUTF32LE ibm-1234 ibm-1235 UTF32_LittleEndian 12000 X-UTF-32LE";
    /// UTF-32, big-endian (Unicode 3.10, D99).
    UTF_32BE = "UTF-32BE", Form::Utf32Be, BomMeaning::Text,
        "cp12001 csUTF32BE ibm-1232 ibm-1233 ibm-9424 UTF32_BigEndian 12001 X-UTF-32BE";
    /// UTF-16 in the byte order of the host, without a BOM.
    UTF_16_PLATFORM = "UTF16_PlatformEndian", host(Form::Utf16Le, Form::Utf16Be), BomMeaning::Text;
    /// UTF-16 in the byte order that the host does not have, without a BOM.
    UTF_16_OPPOSITE = "UTF16_OppositeEndian", host(Form::Utf16Be, Form::Utf16Le), BomMeaning::Text;
    /// UTF-32 in the byte order of the host, without a BOM.
    UTF_32_PLATFORM = "UTF32_PlatformEndian", host(Form::Utf32Le, Form::Utf32Be), BomMeaning::Text;
    /// UTF-32 in the byte order that the host does not have, without a BOM.
    UTF_32_OPPOSITE = "UTF32_OppositeEndian", host(Form::Utf32Be, Form::Utf32Le), BomMeaning::Text;
    /// UCS-2 in the byte order of the host, without a BOM, as glibc defines it.
    UCS_2 = "UCS-2", host(Form::Ucs2Le, Form::Ucs2Be), BomMeaning::Text,
        "ISO-10646-UCS-2 csUnicode OSF00010100 OSF00010101 OSF00010102 UCS-2-INTERNAL ISO-10646/UCS2";
    /// UCS-2, little-endian.
    UCS_2LE = "UCS-2LE", Form::Ucs2Le, BomMeaning::Text, "UNICODELITTLE";
    /// UCS-2, big-endian.
    UCS_2BE = "UCS-2BE", Form::Ucs2Be, BomMeaning::Text, "UNICODE-1-1 csUnicode11 UNICODEBIG";
    /// UCS-2 in the byte order that the host does not have.
    UCS_2_SWAPPED = "UCS-2-SWAPPED", host(Form::Ucs2Be, Form::Ucs2Le), BomMeaning::Text;
    /// UCS-2 with a byte order mark, as glibc defines it.
    UNICODE = "UNICODE", host(Form::Ucs2Le, Form::Ucs2Be), BomMeaning::ByteOrder { le: &UCS_2LE, be: &UCS_2BE };
    /// UCS-4, big-endian.
    UCS_4 = "UCS-4", Form::Ucs4Be, BomMeaning::Text,
        "ISO-10646-UCS-4 csUCS4 10646-1:1993 OSF00010104 OSF00010105 OSF00010106 UCS-4BE ISO-10646/UCS4 \
        10646-1:1993/UCS4 ISO-10646";
    /// UCS-4, little-endian.
    UCS_4LE = "UCS-4LE", Form::Ucs4Le, BomMeaning::Text;
    /// UCS-4 in the byte order of the host, which `wchar_t` of C is on most Unixes.
    UCS_4_INTERNAL = "UCS-4-INTERNAL", host(Form::Ucs4Le, Form::Ucs4Be), BomMeaning::Text, "WCHAR_T INTERNAL";
    /// UCS-4 in the byte order that the host does not have.
    UCS_4_SWAPPED = "UCS-4-SWAPPED", host(Form::Ucs4Be, Form::Ucs4Le), BomMeaning::Text;
    /// CESU-8 (UTR #26), which encodes each surrogate of a UTF-16 pair in three bytes.
    CESU_8 = "CESU-8", Form::Cesu8, BomMeaning::Bom, "csCESU8 ibm-9400";
    /// Modified UTF-8 of Java (JVM specification 4.4.7), which is CESU-8 with U+0000 as C0 80.
    MUTF_8 = "MUTF-8", Form::Mutf8, BomMeaning::Bom, "Modified-UTF-8 java-utf8";
    /// WTF-8, which is UTF-8 that can also hold lone surrogates of UTF-16.
    WTF_8 = "WTF-8", Form::Wtf8, BomMeaning::Bom;
    /// UTF-8 as RFC 2279 first defined it, in up to six bytes, up to U+7FFFFFFF.
    UTF_8_2279 = "UTF-8-2279", Form::Utf8Of2279, BomMeaning::Bom;
    /// UTF-1 (ISO/IEC 10646-1:1993, annex G).
    UTF_1 = "UTF-1", Form::Utf1, BomMeaning::Bom, "ISO-10646-UTF-1 csISO10646UTF1";
    /// UTF-7 (RFC 2152).
    UTF_7 = "UTF-7", Form::Stateful(&stateful::UTF_7), BomMeaning::Text,
        "UNICODE-1-1-UTF-7 csUnicode11UTF7 csUTF7 CP65000 u7 windows-65000 unicode-2-0-utf-7 65000";
    /// The UTF-7 of mailbox names in IMAP (RFC 3501 section 5.1.3).
    UTF_7_IMAP = "UTF-7-IMAP", Form::Stateful(&stateful::UTF_7_IMAP), BomMeaning::Text,
        "IMAP-mailbox-name csUTF7IMAP IMAP-UTF-7";
    /// SCSU, the Standard Compression Scheme for Unicode (UTS #6).
    SCSU = "SCSU", Form::Stateful(&stateful::SCSU), BomMeaning::Text, "csSCSU ibm-1213 ibm-1212";
    /// BOCU-1, Binary Ordered Compression for Unicode (UTN #6).
    BOCU_1 = "BOCU-1", Form::Stateful(&stateful::BOCU_1), BomMeaning::Text, "csBOCU1 csBOCU-1 ibm-1215 ibm-1214";
    /// UTF-8 as file names of Apple's HFS Plus use it: decomposed when written, composed when read.
    UTF_8_MAC = "UTF-8-MAC", Form::Stateful(&stateful::UTF_8_MAC), BomMeaning::Text, "UTF-8-HFS";
    /// ISO-8859-1 as IANA defines it, with exactly the bytes 00..FF for U+0000..U+00FF; windows-1252 differs.
    ISO_8859_1 = "ISO-8859-1", Form::Latin1, BomMeaning::None,
        "ISO_8859-1:1987 iso-ir-100 latin1 l1 IBM819 CP819 csISOLatin1 8859_1 OSF00010001 CP28591 819 28591 latin \
        8859 iso8859 iso-latin-1 WE8ISO8859P1";
    /// US-ASCII (RFC 20).
    US_ASCII = "US-ASCII", Form::Ascii, BomMeaning::None,
        "iso-ir-6 ANSI_X3.4-1968 ANSI_X3.4-1986 ISO_646.irv:1991 ISO646-US us IBM367 cp367 csASCII ASCII 646 \
        windows-20127 ascii7 20127 ANSI_X3.4 OSF00010020 367 cp20127 US7ASCII";
    /// Shift_JIS as IANA and glibc define it: JIS X 0201 and JIS X 0208, in which 5C is the yen sign and 7E the
    /// overline. For files of Windows and source code, in which these bytes are `\\` and `~`, use [`WINDOWS_31J`],
    /// which Python calls `cp932`.
    ///
    /// ```
    /// use utfconv_core::{Options, SHIFT_JIS, decode_to_string, encodings::WINDOWS_31J};
    ///
    /// let read = |from| decode_to_string(b"C:\\~", from, &Options::default()).map_err(|stopped| stopped.fault);
    /// assert_eq!((read(&SHIFT_JIS)?, read(&WINDOWS_31J)?), ("C:¥‾".to_string(), "C:\\~".to_string()));
    /// # Ok::<(), utfconv_core::Fault>(())
    /// ```
    SHIFT_JIS = "Shift_JIS", Form::MultiByte(Tables(&legacy::SHIFT_JIS)), BomMeaning::None,
        "SJIS MS_Kanji csShiftJIS x-sjis PCK japanese-shift-jis JA16SJIS x-PCK";
    /// Windows code page 932, which is Shift_JIS with ASCII and the extensions of NEC and IBM.
    WINDOWS_31J = "windows-31j", Form::MultiByte(Tables(&legacy::CP932)), BomMeaning::None,
        "CP932 932 MS932 windows-932 csWindows31J SJIS-OPEN SJIS-WIN sjis-ms x-ms-cp932 WIN932 JA16SJISTILDE \
        japanese-cp932";
    /// EUC-JP, which encodes JIS X 0208, half-width katakana and JIS X 0212.
    EUC_JP = "EUC-JP", Form::MultiByte(Tables(&legacy::EUC_JP)), BomMeaning::None,
        "Extended_UNIX_Code_Packed_Format_for_Japanese csEUCPkdFmtJapanese UJIS x-euc-jp eucjis OSF00030010 \
        IBM-EUCJP SDECKANJI 20932 cp20932 windows-20932 japanese-iso-8bit JA16EUC";
    /// EUC-JP with the characters and the mappings of Windows, as glibc defines it.
    EUC_JP_MS = "EUC-JP-MS", Form::MultiByte(Tables(&legacy::EUC_JP_MS)), BomMeaning::None,
        "EUCJP-OPEN EUCJP-WIN x-eucJP-Open EUC_JP_Solaris";
    /// Windows code page 51932, which is EUC-JP with the characters of code page 932 and without JIS X 0212.
    CP51932 = "CP51932", Form::MultiByte(Tables(&legacy::CP51932)), BomMeaning::None,
        "csCP51932 51932 windows-51932";
    /// EUC-JIS-2004, which encodes JIS X 0213 in the form of EUC.
    EUC_JISX0213 = "EUC-JISX0213", Form::MultiByte(Tables(&legacy::EUC_JISX0213)), BomMeaning::None,
        "EUC-JIS-2004 jisx0213 eucjis2004";
    /// Shift_JIS-2004, which encodes JIS X 0213 in the form of Shift_JIS.
    SHIFT_JISX0213 = "Shift_JISX0213", Form::MultiByte(Tables(&legacy::SHIFT_JISX0213)), BomMeaning::None,
        "SHIFT_JIS-2004 s_jis_2004 s_jisx0213 sjisx0213 sjis_2004";
    /// IBM's code page 932, which is Shift_JIS with the character order of 1978.
    IBM932 = "IBM932", Form::MultiByte(Tables(&legacy::IBM932)), BomMeaning::None,
        "CSIBM932 ibm-942 x-IBM942 x-IBM942C shift_jis78 sjis78";
    /// IBM's code page 943, which is Shift_JIS with the extensions of NEC and IBM.
    IBM943 = "IBM943", Form::MultiByte(Tables(&legacy::IBM943)), BomMeaning::None,
        "CSIBM943 CP943 943 x-IBM943";
    /// IBM's EUC-JP, in which 5C is the yen sign and 7E the overline.
    IBM_33722 = "ibm-33722", Form::MultiByte(Tables(&legacy::IBM_33722)), BomMeaning::None,
        "cp33722 33722 x-IBM33722 x-IBM33722A x-IBM33722C ibm-5050";
    /// IBM's EUC-JP with ASCII and all of JIS X 0212.
    IBM_954 = "ibm-954", Form::MultiByte(Tables(&legacy::IBM_954)), BomMeaning::None,
        "x-IBM954 x-IBM954C";
    /// DEC's EUC, which encodes JIS X 0208 alone.
    DEC_KANJI = "DEC-KANJI", Form::MultiByte(Tables(&legacy::DEC_KANJI)), BomMeaning::None;
    /// ISO-2022-JP (RFC 1468).
    ISO_2022_JP = "ISO-2022-JP", iso_2022!(JP), BomMeaning::None, "csISO2022JP";
    /// ISO-2022-JP-1 (RFC 2237), which is ISO-2022-JP with JIS X 0212.
    ISO_2022_JP_1 = "ISO-2022-JP-1", iso_2022!(JP_1), BomMeaning::None, "ibm-5054";
    /// ISO-2022-JP-1 with half-width katakana, which has all sets of JIS before JIS X 0213.
    ISO_2022_JP_EXT = "ISO-2022-JP-EXT", iso_2022!(JP_EXT), BomMeaning::None,
        "iso2022_jp_ext JIS_Encoding csJISEncoding JIS";
    /// ISO-2022-JP-2 (RFC 1554), which adds the sets of Europe, China and Korea to ISO-2022-JP-1.
    ISO_2022_JP_2 = "ISO-2022-JP-2", iso_2022!(JP_2), BomMeaning::None, "csISO2022JP2 JIS7";
    /// ISO-2022-JP-2 with half-width katakana in eight bits.
    JIS8 = "JIS8", iso_2022!(JIS8), BomMeaning::None;
    /// ISO-2022-JP-3, which is ISO-2022-JP with JIS X 0213 of 2000.
    ISO_2022_JP_3 = "ISO-2022-JP-3", iso_2022!(JP_3), BomMeaning::None;
    /// ISO-2022-JP-2004, which is ISO-2022-JP with JIS X 0213 of 2004.
    ISO_2022_JP_2004 = "ISO-2022-JP-2004", iso_2022!(JP_2004), BomMeaning::None;
    /// Windows code page 50220, which is ISO-2022-JP with the characters of code page 932, and writes half-width
    /// katakana as full-width.
    CP50220 = "CP50220", iso_2022!(CP50220), BomMeaning::None,
        "csCP50220 50220 windows-50220 x-windows-50220 x-windows-iso2022jp";
    /// Windows code page 50221, which is code page 50220 with half-width katakana in a set of their own.
    CP50221 = "CP50221", iso_2022!(CP50221), BomMeaning::None,
        "ISO-2022-JP-ESC 50221 windows-50221 x-windows-50221";
    /// ISO-2022-JP-1 with the characters of NEC and IBM and user-defined characters, as libiconv defines it.
    ISO_2022_JP_MS = "ISO-2022-JP-MS", iso_2022!(JP_MS), BomMeaning::None;
    /// Windows code page 50222, which is code page 50220 with half-width katakana between SO and SI.
    CP50222 = "CP50222", iso_2022!(CP50222), BomMeaning::None, "50222 windows-50222";
    /// JIS X 0208 alone, in seven bits.
    JIS_X0208 = "JIS_X0208", Form::Stateful(&stateful::JIS_X0208), BomMeaning::None,
        "JIS_C6226-1983 iso-ir-87 x0208 JIS_X0208-1983 csISO87JISX0208 JIS_X0208-1990 JIS0208";
    /// JIS X 0212 alone, in seven bits.
    JIS_X0212 = "JIS_X0212-1990", Form::Stateful(&stateful::JIS_X0212), BomMeaning::None,
        "x0212 iso-ir-159 csISO159JISX02121990 JIS_X0212 JIS_X0212.1990-0 JIS0212";
    /// ISO-IR-165 alone, in seven bits.
    ISO_IR_165 = "ISO-IR-165", Form::Stateful(&stateful::ISO_IR_165), BomMeaning::None, "CN-GB-ISOIR165";
    /// ISO-2022-KR (RFC 1557).
    ISO_2022_KR = "ISO-2022-KR", iso_2022!(KR), BomMeaning::None, "csISO2022KR CP50225 50225";
    /// ISO-2022-KR without its header.
    IBM_25546 = "ibm-25546", iso_2022!(IBM_25546), BomMeaning::None;
    /// ISO-2022-CN (RFC 1922).
    ISO_2022_CN = "ISO-2022-CN", iso_2022!(CN), BomMeaning::None, "csISO2022CN x-ISO-2022-CN-GB";
    /// ISO-2022-CN whose encoder prefers the sets of Taiwan.
    ISO_2022_CN_CNS = "ISO-2022-CN-CNS", iso_2022!(CN_CNS), BomMeaning::None, "x-ISO-2022-CN-CNS";
    /// ISO-2022-CN-EXT (RFC 1922).
    ISO_2022_CN_EXT = "ISO-2022-CN-EXT", iso_2022!(CN_EXT), BomMeaning::None, "csISO2022CNEXT";
    /// HZ (RFC 1843), which encodes GB/T 2312 in seven bits.
    HZ_GB_2312 = "HZ-GB-2312", Form::Stateful(&legacy::HZ), BomMeaning::None, "HZ CP52936 hz_gb 52936 windows-52936";
    /// EUC-KR, which encodes KS X 1001.
    EUC_KR = "EUC-KR", Form::MultiByte(Tables(&legacy::EUC_KR)), BomMeaning::None,
        "csEUCKR CP51949 51949 windows-51949 ks_x_1001 x-euc-kr 5601 IBM-EUCKR DECKOREAN OSF0004000a x-cp20949 20949 \
        cp20949 KO16KSC5601 korean-iso-8bit";
    /// Windows code page 949, also called Unified Hangul Code (UHC).
    CP949 = "CP949", Form::MultiByte(Tables(&legacy::CP949)), BomMeaning::None,
        "UHC 949 MS949 windows-949 MSCP949 KS_C_5601-1987 KS_C_5601-1989 KSC_5601 csKSC56011987 iso-ir-149 korean \
        OSF100203B5 WIN949 x-windows-949 KO16MSWIN949 korean-cp949";
    /// IBM's code page 949, which is KS X 1001 with user-defined characters, and in which 5C is the won sign.
    IBM_949 = "ibm-949", Form::MultiByte(Tables(&legacy::IBM_949)), BomMeaning::None,
        "x-IBM949";
    /// IBM's code page 949 with ASCII.
    IBM_949C = "IBM-949C", Form::MultiByte(Tables(&legacy::IBM_949C)), BomMeaning::None,
        "cp949c x-IBM949C";
    /// IBM's EUC-KR with user-defined characters.
    IBM_970 = "ibm-970", Form::MultiByte(Tables(&legacy::IBM_970)), BomMeaning::None,
        "cp970 970 x-IBM970";
    /// The two-byte codes of IBM's EUC-KR alone.
    IBM_971 = "ibm-971", Form::MultiByte(Tables(&legacy::IBM_971)), BomMeaning::None,
        "x-IBM971 ibm-971_P100-1995";
    /// IBM's Unified Hangul Code, in which 5C is the won sign.
    IBM_1363 = "ibm-1363", Form::MultiByte(Tables(&legacy::IBM_1363)), BomMeaning::None,
        "x-IBM1363";
    /// IBM's Unified Hangul Code with ASCII.
    IBM_1363C = "IBM-1363C", Form::MultiByte(Tables(&legacy::IBM_1363C)), BomMeaning::None,
        "cp1363 x-IBM1363C";
    /// Johab (KS X 1001 annex 3), which encodes a Hangul syllable by its letters.
    JOHAB = "JOHAB", Form::MultiByte(Tables(&legacy::JOHAB)), BomMeaning::None,
        "MSCP1361 CP1361 KO_KR.JOHAP92 ms1361 1361 windows-1361 x-Johab ksc5601_1992";
    /// Big5 with the extensions of ETEN, as glibc defines it.
    BIG5 = "Big5", Form::MultiByte(Tables(&legacy::BIG5)), BomMeaning::None,
        "csBig5 BIG-5 BIG-FIVE CN-BIG5 big5-tw big5-eten x-big5 ZHT16BIG5 chinese-big5";
    /// Windows code page 950, which is Big5 with user-defined characters.
    CP950 = "CP950", Form::MultiByte(Tables(&legacy::CP950)), BomMeaning::None,
        "950 MS950 windows-950 x-windows-950 WIN950 ZHT16MSWIN950";
    /// Big5-HKSCS of 2008.
    BIG5_HKSCS = "Big5-HKSCS", Form::MultiByte(Tables(&legacy::BIG5_HKSCS)), BomMeaning::None,
        "csBig5HKSCS BIG5-HKSCS:2008 hkscs big5hk hkbig5 HKSCS-BIG5 MS950_HKSCS x-MS950-HKSCS ZHT16HKSCS";
    /// Big5-HKSCS of 2004.
    BIG5_HKSCS_2004 = "BIG5-HKSCS:2004", Form::MultiByte(Tables(&legacy::BIG5_HKSCS_2004)), BomMeaning::None;
    /// Big5-HKSCS of 2001.
    BIG5_HKSCS_2001 = "BIG5-HKSCS:2001", Form::MultiByte(Tables(&legacy::BIG5_HKSCS_2001)), BomMeaning::None;
    /// Big5-HKSCS of 1999.
    BIG5_HKSCS_1999 = "BIG5-HKSCS:1999", Form::MultiByte(Tables(&legacy::BIG5_HKSCS_1999)), BomMeaning::None;
    /// Big5-2003 of Taiwan.
    BIG5_2003 = "BIG5-2003", Form::MultiByte(Tables(&legacy::BIG5_2003)), BomMeaning::None;
    /// Big5 as IBM defines it.
    IBM_950 = "ibm-950", Form::MultiByte(Tables(&legacy::IBM_950)), BomMeaning::None,
        "x-IBM950";
    /// Code page 950 as IBM defines it.
    IBM_1373 = "ibm-1373", Form::MultiByte(Tables(&legacy::IBM_1373)), BomMeaning::None;
    /// IBM's Big5-HKSCS of 2008.
    IBM_1375 = "ibm-1375", Form::MultiByte(Tables(&legacy::IBM_1375)), BomMeaning::None;
    /// IBM's Big5-HKSCS of 2001, which maps some codes to the private use area.
    IBM_5471 = "ibm-5471", Form::MultiByte(Tables(&legacy::IBM_5471)), BomMeaning::None,
        "big5-hkscs:unicode3.0";
    /// EUC-TW, which encodes planes 1 to 7 and 15 of CNS 11643.
    EUC_TW = "EUC-TW", Form::MultiByte(Tables(&legacy::EUC_TW)), BomMeaning::None,
        "OSF0005000a csEUCTW CP51950 IBM-EUCTW CNS11643 ibm-964 cp964 964 x-IBM964 x-EUC-TW 51950 windows-51950";
    /// GB/T 2312 in the form of EUC-CN.
    GB2312 = "GB2312", Form::MultiByte(Tables(&legacy::GB2312)), BomMeaning::None,
        "EUC-CN GB_2312-80 csGB2312 csISO58GB231280 CN-GB iso-ir-58 chinese CP51936 51936 CP20936 20936 x-euc-cn \
        IBM-EUCCN HP15CN DECHANZI eucgb2312_cn gb2312_1980 x-cp20936 windows-20936 chinese-iso-8bit ZHS16CGB231280";
    /// IBM's GB2312 with user-defined characters.
    IBM_1383 = "ibm-1383", Form::MultiByte(Tables(&legacy::IBM_1383)), BomMeaning::None,
        "cp1383 1383";
    /// GB/T 2312 alone, in seven bits, as IBM defines it.
    IBM_5478 = "ibm-5478", Form::Stateful(&stateful::IBM_5478), BomMeaning::None;
    /// IBM's GBK with user-defined characters.
    IBM_1386 = "ibm-1386", Form::MultiByte(Tables(&legacy::IBM_1386)), BomMeaning::None,
        "cp1386";
    /// GBK with the euro sign as 80, as IANA and glibc define it.
    GBK = "GBK", Form::MultiByte(Tables(&legacy::GBK)), BomMeaning::None,
        "csGBK x-gbk GB13000 ZHS16GBK chinese-gbk";
    /// Windows code page 936, which is GBK with user-defined characters.
    CP936 = "CP936", Form::MultiByte(Tables(&legacy::CP936)), BomMeaning::None,
        "936 MS936 windows-936 x-cp936 WIN936 x-mswin-936";
    /// GB18030 in the edition of 2022.
    GB18030 = "GB18030", Form::MultiByte(Tables(&legacy::GB18030)), BomMeaning::Text,
        "csGB18030 CP54936 54936 windows-54936 gb18030_2000 GB18030:2022 ZHS32GB18030 chinese-gb18030";
    /// Japanese EBCDIC with katakana, which is IBM290 with two-byte codes.
    IBM930 = "IBM930", Form::Host(Tables(&legacy::IBM930)), BomMeaning::None, "CP930 CSIBM930 ibm-5026 930 x-IBM930 x-IBM930A";
    /// Korean EBCDIC with two-byte codes.
    IBM933 = "IBM933", Form::Host(Tables(&legacy::IBM933)), BomMeaning::None, "CP933 CSIBM933 933 x-IBM933";
    /// Simplified Chinese EBCDIC with two-byte codes.
    IBM935 = "IBM935", Form::Host(Tables(&legacy::IBM935)), BomMeaning::None, "CP935 CSIBM935 935 x-IBM935";
    /// Traditional Chinese EBCDIC with two-byte codes.
    IBM937 = "IBM937", Form::Host(Tables(&legacy::IBM937)), BomMeaning::None, "CP937 CSIBM937 937 x-IBM937";
    /// Japanese EBCDIC with Latin letters.
    IBM939 = "IBM939", Form::Host(Tables(&legacy::IBM939)), BomMeaning::None, "CP939 CSIBM939 ibm-931 ibm-5035 939 x-IBM939 x-IBM939A";
    /// Korean EBCDIC with all Hangul syllables of Unicode.
    IBM1364 = "IBM1364", Form::Host(Tables(&legacy::IBM1364)), BomMeaning::None, "CP1364 CSIBM1364 x-IBM1364";
    /// Traditional Chinese EBCDIC with the euro sign.
    IBM1371 = "IBM1371", Form::Host(Tables(&legacy::IBM1371)), BomMeaning::None, "CP1371 CSIBM1371 x-IBM1371";
    /// Simplified Chinese EBCDIC with the characters of GB 18030.
    IBM1388 = "IBM1388", Form::Host(Tables(&legacy::IBM1388)), BomMeaning::None, "CP1388 CSIBM1388 ibm-9580 x-IBM1388";
    /// Japanese EBCDIC with katakana, the euro sign and JIS X 0213.
    IBM1390 = "IBM1390", Form::Host(Tables(&legacy::IBM1390)), BomMeaning::None, "CP1390 CSIBM1390 x-IBM1390";
    /// The two-byte codes of Japanese EBCDIC alone.
    IBM_16684 = "ibm-16684", Form::Stateful(&stateful::IBM_16684), BomMeaning::None,
        "ibm-16684_P110-2003 ibm-20780";
    /// Japanese EBCDIC with Latin letters, the euro sign and JIS X 0213.
    IBM1399 = "IBM1399", Form::Host(Tables(&legacy::IBM1399)), BomMeaning::None, "CP1399 CSIBM1399 x-IBM1399";
    /// TSCII 1.7, which encodes Tamil in visual order.
    TSCII = "TSCII", Form::Stateful(&legacy::TSCII), BomMeaning::None, "csTSCII";
    /// ISCII (IS 13194:1991) that begins in Devanagari.
    ISCII_DEV = "ISCII-DEV", Form::Stateful(&stateful::ISCII_DEV), BomMeaning::None, "ISCII ISCII,version=0 x-ISCII91 x-iscii-de windows-57002 ibm-4902 57002";
    /// ISCII (IS 13194:1991) that begins in Bengali and Assamese.
    ISCII_BNG = "ISCII-BNG", Form::Stateful(&stateful::ISCII_BNG), BomMeaning::None, "ISCII,version=1 x-iscii-be windows-57003 windows-57006 x-iscii-as 57003 57006";
    /// ISCII (IS 13194:1991) that begins in Gurmukhi.
    ISCII_GUR = "ISCII-GUR", Form::Stateful(&stateful::ISCII_GUR), BomMeaning::None, "ISCII,version=2 x-iscii-pa windows-57011 57011";
    /// ISCII (IS 13194:1991) that begins in Gujarati.
    ISCII_GUJ = "ISCII-GUJ", Form::Stateful(&stateful::ISCII_GUJ), BomMeaning::None, "ISCII,version=3 x-iscii-gu windows-57010 57010";
    /// ISCII (IS 13194:1991) that begins in Oriya.
    ISCII_ORI = "ISCII-ORI", Form::Stateful(&stateful::ISCII_ORI), BomMeaning::None, "ISCII,version=4 x-iscii-or windows-57007 57007";
    /// ISCII (IS 13194:1991) that begins in Tamil.
    ISCII_TML = "ISCII-TML", Form::Stateful(&stateful::ISCII_TML), BomMeaning::None, "ISCII,version=5 x-iscii-ta windows-57004 57004";
    /// ISCII (IS 13194:1991) that begins in Telugu.
    ISCII_TLG = "ISCII-TLG", Form::Stateful(&stateful::ISCII_TLG), BomMeaning::None, "ISCII,version=6 x-iscii-te windows-57005 57005";
    /// ISCII (IS 13194:1991) that begins in Kannada.
    ISCII_KND = "ISCII-KND", Form::Stateful(&stateful::ISCII_KND), BomMeaning::None, "ISCII,version=7 x-iscii-ka windows-57008 57008";
    /// ISCII (IS 13194:1991) that begins in Malayalam.
    ISCII_MLM = "ISCII-MLM", Form::Stateful(&stateful::ISCII_MLM), BomMeaning::None, "ISCII,version=8 x-iscii-ma windows-57009 57009";
    /// GSM 03.38, the default alphabet of short messages (SMS), with one septet in each byte.
    GSM_03_38 = "GSM-03.38", Form::Stateful(&stateful::GSM_03_38), BomMeaning::None,
        "GSM0338 gsm-03.38-2009 GSM7 gsm-7bit";
    /// ITU-T T.61 (teletex), which writes the accent of a Latin letter as a byte before the letter.
    T_61 = "T.61-8bit", Form::MultiByte(Tables(&legacy::T_61)), BomMeaning::None, "T.61 iso-ir-103 csISO103T618bit";
    /// ISO 6937 of 1992, which writes the accent of a Latin letter as a byte before the letter.
    ISO_6937 = "ISO_6937", Form::MultiByte(Tables(&legacy::ISO_6937)), BomMeaning::None,
        "ISO-IR-156 ISO_6937:1992 ISO6937";
    /// ISO 6937-2 of 1983, which writes the accent of a Latin letter as a byte before the letter.
    ISO_6937_2 = "ISO_6937-2", Form::MultiByte(Tables(&legacy::ISO_6937_2)), BomMeaning::None,
        "iso-ir-90 csISO90 ISO_6937-2:1983";
    /// ANSI X3.110, the character set of videotex.
    ANSI_X3_110 = "ANSI_X3.110-1983", Form::MultiByte(Tables(&legacy::ANSI_X3_110)), BomMeaning::None,
        "iso-ir-99 CSA_T500-1983 NAPLPS csISO99NAPLPS ANSI_X3.110 CSA_T500";
}
