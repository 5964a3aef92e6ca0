//! The encodings of East Asia, except EBCDIC.

use super::{BomMeaning, Encoding, Form, Utf8Kernels};
use crate::codec::Codec;
use crate::legacy::{self, Iso2022, Tables, ToIso2022, iso_2022};
use crate::stateful;

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
}
