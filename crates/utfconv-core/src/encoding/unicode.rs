//! The encodings of Unicode, ISO-8859-1 and US-ASCII.

use super::{BomMeaning, Encoding, Form, Utf8Kernels};
use crate::form::host;
use crate::stateful;

encodings! {
    /// UTF-8 (RFC 3629).
    UTF_8 = "UTF-8", Form::Utf8, BomMeaning::Bom,
        "csUTF8 CP65001 u8 ibm-1208 ibm-1209 ibm-5304 ibm-5305 ibm-13496 ibm-13497 ibm-17592 ibm-17593 windows-65001 \
        cp1208 x-UTF_8J unicode-1-1-utf-8 unicode-2-0-utf-8 65001 utf8mb4 x-unicode20utf8 ISO-IR-193 OSF05010001 \
        1208 ISO-10646/UTF8 ISO-10646/UTF-8 utf utf8_ucs2 utf8_ucs4 utf8mb3 utf-8-strict AL32UTF8 mule-utf-8";
    /// UTF-16 with a byte order mark; text without a mark is read in the byte order of the host, as in glibc.
    /// RFC 2781 recommends big-endian.
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
    /// UTF-32 with a byte order mark; text without a mark is read in the byte order of the host, as in glibc.
    /// Unicode 3.10, D101, has big-endian.
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
    /// ISO-8859-1 as IANA defines it, with exactly the bytes 00..FF for U+0000..U+00FF; windows-1252 differs.
    ISO_8859_1 = "ISO-8859-1", Form::Latin1, BomMeaning::None,
        "ISO_8859-1:1987 iso-ir-100 latin1 l1 IBM819 CP819 csISOLatin1 8859_1 OSF00010001 CP28591 819 28591 latin \
        8859 iso8859 iso-latin-1 WE8ISO8859P1";
    /// US-ASCII (RFC 20).
    US_ASCII = "US-ASCII", Form::Ascii, BomMeaning::None,
        "iso-ir-6 ANSI_X3.4-1968 ANSI_X3.4-1986 ISO_646.irv:1991 ISO646-US us IBM367 cp367 csASCII ASCII 646 \
        windows-20127 ascii7 20127 ANSI_X3.4 OSF00010020 367 cp20127 US7ASCII";
}
