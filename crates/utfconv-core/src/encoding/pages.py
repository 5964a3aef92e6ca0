#!/usr/bin/env python3
"""Makes pages.rs and ebcdic.rs, which have the tables and names of the single-byte pages, from public sources.

    python3 pages.py --iana character-sets-1.csv --libiconv libiconv/ --ucm ucm/
    python3 pages.py ... --differences >../../tests/differences-pages.md
    python3 pages.py ... --others       prints names of the encodings that have codecs of their own
    python3 pages.py ... --rest         prints names that a source knows and that are not in these files
    python3 pages.py --check [FILE]     fails if a folded name is twice in them and FILE (`CANONICAL: alias ...`)

The sources in order; the first source that has a page or a name decides, but for tables CPython and ICU come before
libiconv:
1. IANA's registry of character sets (names only), https://www.iana.org/assignments/character-sets/character-sets-1.csv
2. glibc: what its iconv decodes, its charmaps (/usr/share/i18n/charmaps, Debian package locales) if iconv lacks the
   page or composes its characters, and the aliases in its gconv-modules
3. libiconv: the names in lib/encodings*.def, the tables in tests/*.TXT
4. CPython: its codecs (made from https://www.unicode.org/Public/MAPPINGS/), encodings.aliases
5. ICU: libicuuc
6. Mappings that ICU publishes but does not build in: charset/data/ucm of https://github.com/unicode-org/icu-data
"""

import argparse
import codecs
import csv
import ctypes
import ctypes.util
import encodings.aliases
import glob
import gzip
import os
import re
import sys
import textwrap
import unicodedata

# The generated files, and whether each has the pages of EBCDIC.
FILES = {"pages.rs": False, "ebcdic.rs": True}

# A row is the canonical name, and other names that lead to the same encoding in sources that lack the canonical name.
PAGES = """
ISO-8859-2; ISO-8859-3; ISO-8859-4; ISO-8859-5; ISO-8859-6 ISO-8859-6-E ISO-8859-6-I; ISO-8859-7;
ISO-8859-8 ISO-8859-8-E ISO-8859-8-I; ISO-8859-9; ISO-8859-9E; ISO-8859-10; ISO-8859-11; ISO-8859-13; ISO-8859-14;
ISO-8859-15; ISO-8859-16;

windows-874 IBM874; windows-1250; windows-1251; windows-1252; windows-1253; windows-1254; windows-1255; windows-1256;
windows-1257; windows-1258;

KOI8-R; KOI8-U CP21866; KOI8-RU; KOI8-T; KOI-8;

macintosh MacRoman; MAC-CENTRALEUROPE MacCentralEurope mac_latin2; MAC-IS; MacIceland mac_iceland; MAC-UK MacUkraine x-MacUkraine;
CP10007 windows-10007; MAC-SAMI; MacArabic mac_arabic; MacCroatian mac_croatian; MacFarsi mac_farsi;
MacGreek mac_greek x-mac-greek; MacHebrew; MacRomania mac_romanian; MacThai; MacTurkish mac_turkish x-mac-turkish;

Adobe-Standard-Encoding; ARMSCII-8; ATARIST; BRF; CP770; CP771; CP772; CP773; CP774; CSN_369103; CWI; DEC-MCS;
ECMA-cyrillic; GEORGIAN-ACADEMY; GEORGIAN-PS; GOST_19768-74; HP-GREEK8; hp-roman8; HP-ROMAN9; HP-THAI8; HP-TURKISH8;
IEC_P27-1; ISIRI-3342; ISO-IR-197; ISO-IR-209; ISO_10367-box; ISO-11548-1 ISO_11548-1; JIS_X0201; KZ-1048 RK1048; MIK;
MULELAO-1; NEXTSTEP; palmos; PTCP154 PT154; RISCOS-LATIN1; TCVN5712-1; TDS565; TIS-620; VISCII; WIN-SAMI-2 SAMI-WS2;

ASMO_449; BS_4730; CSA_Z243.4-1985-1; CSA_Z243.4-1985-2; DIN_66003; DS_2089; ES; ES2; GB_1988-80; greek-ccitt; greek7;
greek7-old; INIS; INIS-8; INIS-cyrillic; INVARIANT; ISO_2033-1983 ISO_2033; ISO_5427; ISO_5427:1981 ISO_5427-EXT;
ISO_5428:1980 ISO_5428; ISO_646.basic:1983 ISO_646.BASIC; ISO_646.irv:1983 ISO_646.IRV; IT; JIS_C6220-1969-ro;
JIS_C6229-1984-b; JUS_I.B1.002; KSC5636; latin-greek; Latin-greek-1; MSZ_7795.3; NATS-DANO; NATS-SEFI;
NC_NC00-10:81 NC_NC00-10; NF_Z_62-010; NF_Z_62-010_(1973); NS_4551-1; NS_4551-2; PT; PT2; SEN_850200_B; SEN_850200_C;

IBM437; IBM720 CP720; IBM737 CP737; IBM775; IBM850; IBM851; IBM852; IBM853 CP853; IBM855; IBM856; IBM857;
IBM00858 IBM858; IBM860; IBM861; IBM862; IBM863; IBM864; IBM865; IBM866; IBM866NAV; IBM867; IBM868; IBM869; IBM891;
IBM901; IBM902; IBM903; IBM904; IBM921 921 x-IBM921; IBM922; IBM1004; IBM1006 cp1006; IBM1008; IBM1046; IBM1098;
IBM1124; IBM1125 CP1125; IBM1129; IBM1131 CP1131; IBM1133; IBM1161; IBM1162; IBM1163; IBM1167; IBM4909; IBM5347;
IBM9066 x-IBM874; IBM9448;

IBM037; IBM038; IBM256; IBM273; IBM274; IBM275; IBM277; IBM278; IBM280; IBM281; IBM282; IBM284; IBM285; IBM290;
IBM297; IBM420; IBM423; IBM424; IBM425; IBM500; IBM803; IBM-Thai IBM838; IBM870; IBM871; IBM875; IBM880; IBM905;
IBM918; IBM00924 IBM924; IBM1025; IBM1026; IBM1047; IBM1097; IBM1112; IBM1122; IBM1123; IBM1130; IBM1132; IBM1137;
IBM01140 IBM1140; IBM01141 IBM1141; IBM01142 IBM1142; IBM01143 IBM1143; IBM01144 IBM1144; IBM01145 IBM1145;
IBM01146 IBM1146; IBM01147 IBM1147; IBM01148 IBM1148; IBM01149 IBM1149; IBM1153; IBM1154; IBM1155; IBM1156; IBM1157;
IBM1158; IBM1160; IBM1164; IBM1165; IBM1166; IBM4517; IBM4899; IBM4971; IBM5123; IBM8482; IBM9030; IBM9067; IBM12712;
IBM16804; EBCDIC-AT-DE; EBCDIC-AT-DE-A; EBCDIC-CA-FR; EBCDIC-DK-NO; EBCDIC-DK-NO-A; EBCDIC-ES; EBCDIC-ES-A;
EBCDIC-ES-S; EBCDIC-FI-SE; EBCDIC-FI-SE-A; EBCDIC-FR; EBCDIC-IS-FRISS; EBCDIC-IT; EBCDIC-PT; EBCDIC-UK; EBCDIC-US;

Amiga-1251; BS_viewdata; CSA_Z243.4-1985-gr; ISO_6937-2-25; ISO_6937-2-add; ISO_8859-supp; JIS_C6220-1969-jp;
JIS_C6229-1984-a; JIS_C6229-1984-b-add; JIS_C6229-1984-hand; JIS_C6229-1984-hand-add; JIS_C6229-1984-kana;
JUS_I.B1.003-mac; JUS_I.B1.003-serb; latin-lap SAMI; NATS-DANO-ADD; NATS-SEFI-ADD; T.101-G2; T.61-7bit; videotex-suppl;
OSD_EBCDIC_DF03_IRV osd-EBCDIC-DF03-IRV; OSD_EBCDIC_DF04_1 osd-EBCDIC-DF04-1; OSD_EBCDIC_DF04_15 osd-EBCDIC-DF04-15;

ibm-1255; ibm-1256; ibm-1257; ibm-813_P100-1995; ibm-916_P100-1995; ibm-1250_P100-1995;
ibm-1251_P100-1995; ibm-1252_P100-2000; ibm-1253_P100-1995; ibm-1254_P100-1995; ibm-1258_P100-1997; ibm-5351_P100-1998;
ibm-5352_P100-1998; ibm-5353_P100-1998; ibm-37-s390; ibm-1047-s390 IBM1047_LF; ibm-1140-s390;
ibm-1141-s390 IBM1141_LF; ibm-1142-s390; ibm-1143-s390; ibm-1144-s390; ibm-1145-s390; ibm-1146-s390; ibm-1147-s390;
ibm-1148-s390; ibm-1149-s390; ibm-1153-s390; ibm-12712-s390; ibm-16804-s390;
"""

# The encodings that have codecs of their own, in the form of PAGES.
OTHERS = """
UTF-8; UTF-16; UTF-16LE cp1200; UTF-16BE cp1201; UTF-32; UTF-32LE cp12000; UTF-32BE cp12001; UCS-2 ISO-10646-UCS-2;
UCS-2LE; UCS-2BE UNICODE-1-1; UCS-2-INTERNAL; UCS-2-SWAPPED; UNICODE; UCS-4 ISO-10646-UCS-4; UCS-4LE; UCS-4BE;
UCS-4-INTERNAL WCHAR_T; UCS-4-SWAPPED; CESU-8; ISO-8859-1; US-ASCII; UTF-7 UNICODE-1-1-UTF-7;
UTF-7-IMAP IMAP-mailbox-name; GB18030; GBK; CP936 MS936 windows-936 936; GB2312 EUC-CN GB_2312-80; Big5; Big5-HKSCS;
CP950 950 ms950 windows-950 x-windows-950; Shift_JIS; windows-31j CP932 x-ms-cp932 932 ms932 windows-932; EUC-JP;
EUC-JP-MS; CP51932; ISO-2022-JP; EUC-KR; CP949 UHC windows-949 KS_C_5601-1987;
"""

# Names that no source has, or that a source has for another encoding: Windows numbers, labels of browsers that mean no
# other page, spellings of users, glibc's built-in aliases.
EXTRA = """
ISO-8859-2 28592; ISO-8859-3 28593; ISO-8859-4 28594; ISO-8859-5 28595; ISO-8859-6 28596 708 csiso88596e csiso88596i;
ISO-8859-7 28597 sun_eu_greek; ISO-8859-8 28598 38598 logical visual; ISO-8859-9 28599; ISO-8859-10 28600;
ISO-8859-13 28603; ISO-8859-14 28604; ISO-8859-15 28605 l9; ISO-8859-16 28606; windows-874 dos-874;
windows-1250 x-cp1250; windows-1251 x-cp1251 win1251; windows-1252 x-cp1252; windows-1253 x-cp1253;
windows-1254 x-cp1254; windows-1255 x-cp1255; windows-1256 x-cp1256; windows-1257 x-cp1257;
windows-1258 x-cp1258 ms-viet; KOI8-R 20866 koi koi8_r; KOI8-U 21866; macintosh 10000 x-mac-roman; MacArabic 10004;
MacHebrew 10005; MacGreek 10006; CP10007 10007; MacRomania 10010; MAC-UK 10017 x-mac-ukrainian; MacThai 10021;
MAC-CENTRALEUROPE 10029 x-mac-ce; MacIceland 10079; MacTurkish 10081; MacCroatian 10082; ISO_646.irv:1983 20105;
DIN_66003 20106; SEN_850200_B 20107; NS_4551-1 20108; IBM273 20273; IBM277 20277; IBM278 20278; IBM280 20280;
IBM284 20284; IBM285 20285; IBM290 20290; IBM297 20297; IBM420 20420; IBM423 20423; IBM424 20424; IBM-Thai 20838;
ISO-11548-1 ISO/TR_11548-1;
IBM871 20871; IBM880 20880; IBM905 20905; IBM00924 20924; IBM1025 21025; ASMO_449 709;
UTF-8 UTF8 65001 utf8mb4 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 ISO-IR-193 OSF05010001;
UTF-7 65000; UTF-16LE 1200; UTF-16BE 1201 unicodefffe; UTF-32LE 12000; UTF-32BE 12001;
UCS-2 UCS2 OSF00010100 OSF00010101 OSF00010102; UCS-2LE UNICODELITTLE; UCS-2BE UNICODEBIG;
UCS-4 UCS4 10646-1:1993 CSUCS4 OSF00010104 OSF00010105 OSF00010106; ISO-8859-1 28591;
US-ASCII 646 20127 ANSI_X3.4 OSF00010020; GB18030 54936; CP936 x-cp936; GBK x-gbk;
GB2312 20936 51936 x-euc-cn gb_2312; Big5 cn-big5 x-x-big5 big5-eten; Shift_JIS x-sjis; windows-31j sjis-ms sjis-win;
EUC-JP 20932 x-euc-jp; EUC-JP-MS euc-jpms; CP51932 51932 windows-51932; EUC-KR 51949 x-euc-kr; CP949 949 ms949;
"""

# Names that Java, .NET, the code pages of Windows, PostgreSQL, MySQL, Oracle, Perl, Ruby and Emacs use.
EXTRA += """
UTF-8 utf utf8_ucs2 utf8_ucs4 utf8mb3 utf-8-strict AL32UTF8 mule-utf-8; ISO-8859-1 latin 8859 iso8859 iso-latin-1
WE8ISO8859P1; US-ASCII US7ASCII; UTF-16BE AL16UTF16; UTF-16LE AL16UTF16LE; UCS-4 ISO-10646; GB2312 x-cp20936
windows-20936 chinese-iso-8bit ZHS16CGB231280; EUC-JP 20932 cp20932 windows-20932 japanese-iso-8bit JA16EUC; Shift_JIS
japanese-shift-jis JA16SJIS x-PCK; windows-31j WIN932 JA16SJISTILDE japanese-cp932; CP936 WIN936 x-mswin-936;
GBK ZHS16GBK chinese-gbk; GB18030 ZHS32GB18030 chinese-gb18030; CP949 WIN949 x-windows-949 KO16MSWIN949 korean-cp949;
EUC-KR x-cp20949 20949 cp20949 KO16KSC5601 korean-iso-8bit; CP950 WIN950 ZHT16MSWIN950; Big5 ZHT16BIG5 chinese-big5;
Big5-HKSCS ZHT16HKSCS; EUC-JP-MS x-eucJP-Open; ISO-8859-2 iso-latin-2 EE8ISO8859P2; ISO-8859-3 iso-latin-3
SE8ISO8859P3; ISO-8859-4 iso-latin-4 NEE8ISO8859P4; ISO-8859-5 cyrillic-iso-8bit CL8ISO8859P5; ISO-8859-6
arabic-iso-8bit AR8ISO8859P6; ISO-8859-7 greek-iso-8bit EL8ISO8859P7; ISO-8859-8 hebrew-iso-8bit IW8ISO8859P8;
ISO-8859-9 iso-latin-5 turkish-iso-8bit WE8ISO8859P9; ISO-8859-9E AZ8ISO8859P9E; ISO-8859-10 iso-latin-6
NE8ISO8859P10; ISO-8859-13 iso-latin-7 BLT8ISO8859P13; ISO-8859-14 iso-latin-8 CEL8ISO8859P14; ISO-8859-15 iso-latin-9
WE8ISO8859P15; ISO-8859-16 iso-latin-10; windows-874 WIN874; windows-1250 WIN1250 EE8MSWIN1250; windows-1251
CL8MSWIN1251; windows-1252 WIN1252 WE8MSWIN1252; windows-1253 WIN1253 EL8MSWIN1253; windows-1254 WIN1254 TR8MSWIN1254;
windows-1255 WIN1255 IW8MSWIN1255; windows-1256 WIN1256 AR8MSWIN1256; windows-1257 WIN1257 BLT8MSWIN1257; windows-1258
WIN1258 VN8MSWIN1258; IBM866 WIN866 RU8PC866; TIS-620 thai-tis620 TH8TISASCII; VISCII vietnamese-viscii; KOI8-R
cyrillic-koi8 CL8KOI8R; KOI8-U CL8KOI8U; DEC-MCS dec8 WE8DEC; hp-roman8 hp8 WE8ROMAN8; NEXTSTEP WE8NEXTSTEP;
SEN_850200_C swe7; macintosh WE8MACROMAN8; MAC-CENTRALEUROPE MacCentralEurRoman EE8MACCE; MacCroatian x-MacCroatian
EE8MACCROATIAN; MacGreek EL8MACGREEK; MacIceland x-MacIceland x-mac-icelandic IS8MACICELANDIC; MacRomania
x-MacRomania x-mac-romanian MacRumanian; MacThai x-MacThai TH8MACTHAI; MacTurkish TR8MACTURKISH; MacArabic
x-MacArabic AR8ARABICMAC; MacHebrew x-MacHebrew IW8MACHEBREW; CP10007 CL8MACCYRILLIC; ISO_646.irv:1983 x-IA5;
DIN_66003 x-IA5-German; SEN_850200_B x-IA5-Swedish; NS_4551-1 x-IA5-Norwegian; IBM437 US8PC437; IBM737 EL8PC737;
IBM775 BLT8PC775; IBM850 WE8PC850; IBM851 EL8PC851; IBM852 EE8PC852; IBM855 RU8PC855; IBM857 TR8PC857; IBM00858
WE8PC858; IBM860 WE8PC860; IBM861 IS8PC861; IBM863 CDN8PC863; IBM865 N8PC865; IBM869 EL8PC869; IBM875
x-ebcdic-greekmodern EL8EBCDIC875; IBM1025 x-ebcdic-cyrillicserbianbulgarian CL8EBCDIC1025; IBM1046 x-IBM1046; IBM1112
BLT8EBCDIC1112; IBM1129 x-IBM1129; IBM1166 x-IBM1166; IBM037 WE8EBCDIC37; IBM273 x-ebcdic-germany D8EBCDIC273; IBM277
x-ebcdic-denmarknorway DK8EBCDIC277; IBM278 x-ebcdic-finlandsweden S8EBCDIC278; IBM280 x-ebcdic-italy I8EBCDIC280;
IBM284 x-ebcdic-spain WE8EBCDIC284; IBM285 x-ebcdic-uk WE8EBCDIC285; IBM290 x-ebcdic-japanesekatakana; IBM297
x-ebcdic-france F8EBCDIC297; IBM420 x-ebcdic-arabic; IBM423 x-ebcdic-greek; IBM424 x-ebcdic-hebrew IW8EBCDIC424;
IBM500 WE8EBCDIC500; IBM-Thai x-ebcdic-thai; IBM870 EE8EBCDIC870; IBM871 x-ebcdic-icelandic WE8EBCDIC871; IBM880
x-ebcdic-cyrillicrussian; IBM905 x-ebcdic-turkish; IBM1026 TR8EBCDIC1026; IBM1047 WE8EBCDIC1047; IBM01140
x-ebcdic-cp-us-euro WE8EBCDIC1140; IBM01141 x-ebcdic-germany-euro D8EBCDIC1141; IBM01142 x-ebcdic-denmarknorway-euro
DK8EBCDIC1142; IBM01143 x-ebcdic-finlandsweden-euro S8EBCDIC1143; IBM01144 x-ebcdic-italy-euro I8EBCDIC1144; IBM01145
x-ebcdic-spain-euro WE8EBCDIC1145; IBM01146 x-ebcdic-uk-euro WE8EBCDIC1146; IBM01147 x-ebcdic-france-euro
F8EBCDIC1147; IBM01148 x-ebcdic-international-euro WE8EBCDIC1148; IBM01149 x-ebcdic-icelandic-euro;
"""

# Names of Oracle, as its OCINlsNameMap maps them to those of IANA, and of OpenJDK (make/data/charsetmapping/charsets).
EXTRA += """
IBM01140 ebcdic-us-037+euro; IBM01147 ebcdic-fr-277+euro; IBM01149 ebcdic-s-871+euro; IBM037 cs-ebcdic-cp-us
cs-ebcdic-cp-ca cs-ebcdic-cp-wt cs-ebcdic-cp-nl; IBM500 ebcdic-cp-bh; IBM862 csIBM862 IW8PC1507; DIN_66003 D7DEC;
NF_Z_62-010_(1973) F7DEC; ES E7DEC; IT I7DEC; SEN_850200_B SF7ASCII; SEN_850200_C S7SIEMENS9780X; NS_4551-1
N7SIEMENS9780X; JUS_I.B1.002 YUG7ASCII; IBM00924 WE8EBCDIC924; IBM420 AR8EBCDIC420S; IBM423 EL8EBCDIC423R; UTF-32LE
X-UTF-32LE; UTF-32BE X-UTF-32BE; EUC-JP-MS EUC_JP_Solaris;
"""

# Names that are left out. iso-ir-9-1 and iso-ir-9-2 (NATS-DANO, NATS-DANO-ADD) fold to the names iso-ir-91 and
# iso-ir-92 (JIS_C6229-1984-a and -b). The other names are too vague, or name a guess between encodings or another
# table.
UNWANTED = """
isoir91 isoir92 ksc xjisautodetect xms9320213 cp943c ibm943c
""".split()

# Pages whose table comes from the named source, although an earlier source has the page.
TABLE_FROM = {"IBM1131": "libiconv", "JIS_X0201": "libiconv"}

# glibc decodes the kip sign to a small k (and cannot encode it), so the table is corrected.
CORRECTED = {("IBM1132", 0x70): "\u20AD", ("IBM1133", 0xDF): "\u20AD"}

# Pages whose combining marks compose with the letters before them.
COMPOSING = ["TCVN5712-1", "windows-1255", "windows-1258"]

# A page that differs from an earlier page in at most this many bytes is written as that page and the changes.
MOST_CHANGES = 16

# Codecs of CPython that are not encodings of text in files.
NO_ENCODING = "aliases charmap idna mbcs oem punycode raw_unicode_escape undefined unicode_escape utf_8_sig".split()


def fold(name):
    """Folds a name as names.rs does."""
    return re.sub("[-_.: ]", "", name).lower()


def rows(text):
    return [row.split() for row in text.split(";") if row.strip()]


class Glibc:
    """Reads glibc: its iconv through the C library, its charmaps, and its gconv-modules."""

    def __init__(self, charmaps="/usr/share/i18n/charmaps"):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.iconv_open.restype = ctypes.c_void_p
        self.libc.iconv.restype = ctypes.c_size_t
        self.libc.iconv.argtypes = [ctypes.c_void_p] * 5
        self.libc.iconv_close.argtypes = [ctypes.c_void_p]
        self.charmaps = {fold(os.path.basename(path)[:-3]): path for path in glob.glob(charmaps + "/*.gz")}

    def convert(self, source, target, data):
        """Returns the bytes that `data` is converted to, or None if iconv refuses them or holds some back."""
        descriptor = self.libc.iconv_open(target.encode(), source.encode())
        if descriptor in (None, 2**64 - 1):
            raise LookupError(source)
        start, into = ctypes.create_string_buffer(data), ctypes.create_string_buffer(64)
        src, dst = ctypes.c_void_p(ctypes.addressof(start)), ctypes.c_void_p(ctypes.addressof(into))
        left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(64)
        status = self.libc.iconv(descriptor, *map(ctypes.addressof, (src, left, dst, room)))
        self.libc.iconv_close(descriptor)
        return into.raw[: 64 - room.value] if status == 0 and room.value < 64 else None

    def table(self, name):
        def one(byte):
            out = self.convert(name, "UTF-32BE", bytes([byte]))
            return out and out.decode("utf-32-be")

        try:
            found = [one(byte) for byte in range(256)]
        except LookupError:
            return self.charmap(name)
        held = [self.convert(name, "UTF-8", bytes([byte, 0x3D])) is not None and not found[byte] for byte in range(256)]
        return self.charmap(name) if any(held) else found

    def charmap(self, name):
        path = self.charmaps.get(fold(name))
        if not path:
            return None
        found = [None] * 256
        line = re.compile(r"(?:%IRREVERSIBLE%)?<U([0-9A-F]+)>\s+/x([0-9a-f]{2})\s")
        text = gzip.open(path, "rt", errors="replace").read()
        # Some charmaps have the mnemonic of RFC 1345 first and the code point last; of two rows for a byte, use the
        # first.
        other = re.compile(r"^\S+\s+/x([0-9A-Fa-f]{2})\s+<U([0-9A-F]+)>", re.M)
        mnemonic = [row[::-1] for row in reversed(other.findall(text))]
        for scalar, byte in max(line.findall(text), mnemonic, key=len):
            found[int(byte, 16)] = chr(int(scalar, 16))
        return found

    def groups(self):
        directory = "/usr/lib/x86_64-linux-gnu/gconv/gconv-modules"
        found = {}
        for path in [directory, *sorted(glob.glob(directory + ".d/*.conf"))]:
            for line in open(path):
                words = [word.split("//")[0] for word in line.split("#")[0].split()]
                if words[:1] == ["module"] and words[1] != "INTERNAL":
                    found.setdefault(words[1], [])
                if words[:1] == ["alias"]:
                    found.setdefault(words[2], []).append(words[1])
        return [[name, *aliases] for name, aliases in found.items()]


class IcuData:
    """Reads mappings that ICU publishes but does not build in, and IANA's registration of Amiga-1251."""

    def __init__(self, ucm):
        self.ucm = ucm

    def table(self, name):
        if name == "Amiga-1251":
            # The bytes come from libcodesets (src/codesets_table.h of https://github.com/jens-maus/libcodesets).
            others = {0xA4: "\u20AC", 0xA8: "\u0401", 0xAA: "\u2116", 0xB8: "\u0451"}
            return [others.get(byte, chr(byte + (0x350 if byte >= 0xC0 else 0))) for byte in range(256)]
        path = os.path.join(self.ucm or "", name + ".ucm")
        if not os.path.exists(path):
            return None
        found = [None] * 256
        for scalar, byte in re.findall(r"^<U([0-9A-F]+)>\s+\\x([0-9A-F]{2})\s+\|0", open(path).read(), re.M):
            found[int(byte, 16)] = chr(int(scalar, 16))
        return found

    def groups(self):
        return []


class Libiconv:
    def __init__(self, source):
        self.source = source

    def table(self, name):
        for path in glob.glob(self.source + "/tests/*.TXT"):
            if fold(os.path.basename(path)[:-4]) == fold(name):
                found = [None] * 256
                for byte, scalar in re.findall(r"^0x(..)\t0x(\S+)", open(path).read(), re.M):
                    found[int(byte, 16)] = chr(int(scalar, 16))
                return found

    def groups(self):
        """Returns the aliases that hold on any system, and those that a comment assigns to Windows or the JDK."""
        found, names = {}, None
        for path in sorted(glob.glob(self.source + "/lib/encodings*.def")):
            for line in open(path):
                if re.match(r"DEF(ENCODING|ALIAS)\(", line):
                    names = []
                if names is None:
                    continue
                if named := re.match(r'(?:DEF\w+\(+|\s)\s*"(.*?)"|\s*/\*"(.*?)",?\s*(?:Windows|JDK)', line):
                    names.append(named[1] or named[2])
                elif ident := re.match(r"\s+(\w+)[,)]", line):
                    found.setdefault(ident[1], []).extend(names)
                    names = None
        return [group for group in found.values() if group]


class Python:
    def table(self, name):
        if not self.is_text(name):
            return None
        codec = codecs.lookup(name)

        def one(byte):
            try:
                out = codec.decode(bytes([byte]))[0]
            except UnicodeError:
                return None
            return None if out == "\uFFFE" else out

        return [one(byte) for byte in range(256)]

    def groups(self):
        found = {}
        for alias, module in sorted(encodings.aliases.aliases.items()):
            found.setdefault(module, [module]).append(alias)
        for path in glob.glob(os.path.dirname(encodings.__file__) + "/[!_]*.py"):
            module = os.path.basename(path)[:-3]
            found.setdefault(module, [module])
        texts = [module for module in found if module not in NO_ENCODING and self.is_text(module)]
        return [found[module] for module in texts]

    def is_text(self, name):
        try:
            return codecs.lookup(name)._is_text_encoding
        except LookupError:
            return False


class Icu:
    TAGS = [b"MIME", b"IANA", b"IBM", b"WINDOWS", b"JAVA"]

    def __init__(self):
        library = ctypes.util.find_library("icuuc")
        self.library, self.version = ctypes.CDLL(library), library.rsplit(".", 1)[1]

    def call(self, name, result, *arguments):
        function = getattr(self.library, f"{name}_{self.version}")
        function.restype = result
        return function(*arguments)

    def table(self, name):
        error = ctypes.c_int(0)
        converter = ctypes.c_void_p(self.call("ucnv_open", ctypes.c_void_p, name.encode(), ctypes.byref(error)))
        if error.value > 0:
            return None
        stop = getattr(self.library, f"UCNV_TO_U_CALLBACK_STOP_{self.version}")
        self.call("ucnv_setToUCallBack", None, converter, stop, None, None, None, ctypes.byref(error))

        def one(byte):
            error, into = ctypes.c_int(0), (ctypes.c_uint16 * 8)()
            size = self.call("ucnv_toUChars", ctypes.c_int32, converter, into, 8, bytes([byte]), 1, ctypes.byref(error))
            return None if error.value > 0 else bytes(into)[: 2 * size].decode("utf-16-le")

        found = [one(byte) for byte in range(256)]
        self.call("ucnv_close", None, converter)
        return found

    def groups(self):
        error = ctypes.c_int(0)
        found = []
        for at in range(self.call("ucnv_countAvailable", ctypes.c_int32)):
            name = self.call("ucnv_getAvailableName", ctypes.c_char_p, at)
            if b"," in name and not name.startswith(b"ISO_2022"):
                continue
            names = [alias for tag in self.TAGS for alias in self.standard_names(name, tag)]
            for index in range(self.call("ucnv_countAliases", ctypes.c_uint16, name, ctypes.byref(error))):
                names.append(self.call("ucnv_getAlias", ctypes.c_char_p, name, index, ctypes.byref(error)))
            tables = self.standard_names(name, b"UTR22")
            names = [alias.decode() for alias in names if alias not in tables and b"_V" not in alias]
            found.append([name.decode(), *names])
        return found

    def standard_names(self, name, tag):
        error = ctypes.c_int(0)
        tagged = self.call("ucnv_openStandardNames", ctypes.c_void_p, name, tag, ctypes.byref(error))
        found = []
        while error.value <= 0 and tagged:
            alias = self.call("uenum_next", ctypes.c_char_p, ctypes.c_void_p(tagged), None, ctypes.byref(error))
            if not alias:
                break
            found.append(alias)
        return found


def iana(path):
    found = []
    for row in csv.DictReader(open(path, encoding="utf-8", errors="replace")):
        aliases = [line.split()[0] for line in row["Aliases"].split("\n") if line.strip() and "(" not in line[:1]]
        found.append([row["Preferred MIME Name"] or row["Name"], row["Name"], *aliases])
    return found


class Names:
    """Assigns folded names to encodings. The first claim of a name holds."""

    def __init__(self):
        self.rows = rows(PAGES) + rows(OTHERS)
        self.spelled, self.decided, self.outside = {row[0]: [] for row in self.rows}, [], []
        self.known_as = {}
        self.owner = {fold(row[0]): row[0] for row in self.rows}
        for row in self.rows:
            self.claim(row[0], row[1:], "")

    def claim(self, canonical, names, source):
        for name in names:
            if fold(name) in UNWANTED:
                continue
            holder = self.owner.setdefault(fold(name), canonical)
            if holder != canonical:
                self.decided.append((name, holder, canonical, source))
            elif all(fold(known) != fold(name) for known in [canonical, *self.spelled[canonical]]):
                self.spelled[canonical].append(name)

    def harvest(self, source, groups):
        """Gives each group of synonyms to the encoding that its first known name leads to.

        A group of ICU starts with the name of a table, which is not the name of an encoding.
        """
        for group in groups:
            owners = [self.owner[fold(name)] for name in group[source == "ICU" :] if fold(name) in self.owner]
            names = [name for name in group[source == "ICU" :] if re.fullmatch(r"[\w.:+()-]+", name)]
            if not owners and names:
                owners = [names[0]]
                self.owner[fold(names[0])] = names[0]
                self.spelled[names[0]] = []
                self.outside.append(names[0])
            if owners:
                self.claim(owners[0], names, source)
                self.known_as.setdefault((source, owners[0]), []).append(group[0])

    def is_of(self, name, page, source):
        """Returns whether a name that a source knows leads to `page` in the source."""
        held = self.owner.get(fold(name), page) == page
        return held or name in self.known_as.get((source, page), [])

    def numbers(self):
        """Names a page that is called IBM<n> or cp<n> also <n>, with and without leading zeros."""
        pages = {row[0] for row in rows(PAGES)}
        for canonical in [row[0] for row in self.rows]:
            for name in [canonical, *self.spelled[canonical]]:
                found = re.fullmatch(r"(ibm|cp|windows)0*(\d{2,})|(?!8859)(\d{5})", fold(name))
                if not found or (found[1] == "ibm" and canonical not in pages):
                    continue
                number = found[2] or found[3]
                for each in [number, f"cp{number}", f"ibm{number}"][: 3 if found[1] == "ibm" else 2]:
                    if fold(each) not in self.owner:
                        self.claim(canonical, [each], "")


class Pages:
    """Collects the data of each source for each page; the table of the first source is written."""

    def __init__(self, names, sources):
        self.tables, self.one_way = {}, {}
        for row in rows(PAGES):
            page, found = row[0], {}
            for label, source in sources.items():
                known = [name for name in names.known_as.get((label, page), []) + row if names.is_of(name, page, label)]
                tables = filter(None, map(source.table, known))
                if table := next(tables, None):
                    found[label] = table
            if not found:
                sys.exit(f"no source has {page}")
            chosen = TABLE_FROM.get(page, next(iter(found)))
            ours = unrotated(found[chosen]) if chosen == "ICU" else list(found[chosen])
            for (name, byte), scalar in CORRECTED.items():
                if name == page:
                    ours[byte] = scalar
            self.tables[page] = ours, chosen, found
            self.one_way[page] = self.only_read(ours, names.known_as.get(("glibc", page), [page])[0], sources["glibc"])

    def only_read(self, ours, name, glibc):
        """Returns the bytes that iconv does not write, because a higher byte has the same character."""
        found = []
        for byte, scalar in enumerate(ours):
            higher = [other for other in range(byte + 1, 256) if ours[other] == scalar]
            if scalar and higher:
                try:
                    written = glibc.convert("UTF-8", name, scalar.encode())
                except LookupError:
                    # IBM-Thai encodes the Thai tone marks twice; write the higher byte, as glibc's pages with the same
                    # pairs do.
                    written = bytes(higher[:1]) if byte in (0x51, 0xCA, 0xE1) and name == "IBM-Thai" else None
                if written and written[0] in higher:
                    found.append(byte)
        return found


def unrotated(table):
    """Undoes IBM's rotation of the bytes 1A, 1C and 7F, which ICU has in DOS pages."""
    rotated = [table[byte] for byte in (0x1A, 0x1C, 0x7F)] == ["\x1C", "\x7F", "\x1A"]
    fixed = {0x1A: "\x1A", 0x1C: "\x1C", 0x7F: "\x7F"} if rotated else {}
    return [fixed.get(byte, scalar) for byte, scalar in enumerate(table)]


def composites(table):
    """Returns the characters that letters and marks of a page compose to in NFC, and those that are only decomposed."""
    marks = [scalar for scalar in table if scalar and unicodedata.combining(scalar)]
    bases = [scalar for scalar in table if scalar and scalar not in marks]
    pairs = [(unicodedata.normalize("NFC", base + mark), base, mark) for base in bases for mark in marks]
    composed = sorted(row for row in pairs if len(row[0]) == 1)
    taken_apart, known = [], {*bases, *(row[0] for row in composed)}
    while found := [
        (scalar, *parts)
        for scalar in map(chr, range(0x80, 0x10000))
        if scalar not in known
        and len(parts := [chr(int(part, 16)) for part in canonical(scalar)]) == 2
        and parts[0] in known
        and parts[1] in marks
    ]:
        taken_apart += found
        known.update(row[0] for row in found)
    return {"composed": composed, "taken_apart": taken_apart}


def canonical(scalar):
    parts = unicodedata.decomposition(scalar).split()
    return [] if parts[:1] and parts[0].startswith("<") else parts


def constant(name):
    return re.sub("[^A-Z0-9]+", "_", name.upper()).strip("_")


def numbers(values, width):
    return ", ".join(f"0x{value:0{width}X}" for value in values)


def nearest(table, bases):
    """Returns the earlier page that has the most bytes in common, and the bytes that differ."""
    differing = lambda base: [byte for byte in range(256) if table[byte] != bases[base][byte]]
    base = min(bases, key=lambda base: len(differing(base)))
    return base, differing(base)


def literal(scalar):
    """Returns a character as Rust source, escaped if a tool might change it, if it combines or is right-to-left."""
    is_stable = unicodedata.normalize("NFC", scalar) == scalar and unicodedata.category(scalar)[0] in "LNPS"
    if scalar in "'\"\\":
        return "\\" + scalar
    is_safe = scalar == " " or is_stable and unicodedata.bidirectional(scalar) not in ("R", "AL", "AN")
    return scalar if is_safe else f"\\u{{{ord(scalar):X}}}"


def characters(table):
    """Returns a Rust string of the characters, with 32 on a line if they fit."""
    lines = []
    for at in range(0, len(table), 32):
        both = ["".join(map(literal, table[half : half + 16])).replace("\\'", "'") for half in (at, at + 16)]
        lines += ["".join(both)] if len("".join(both)) <= 104 else both
    # A backslash at the end of a line swallows leading blanks of the next line, so escape a blank.
    return "\\\n".join(" " * 8 + re.sub("^ ", r"\\x20", line) for line in lines)


def listed(items, count):
    """Returns the items on lines of `count` each."""
    return ["        " + ", ".join(items[at : at + count]) + "," for at in range(0, len(items), count)]


def beside(file):
    """Returns the path of a file in the folder of this script."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), file)


def rust(names, pages, of_ebcdic):
    """Returns the source of ebcdic.rs if `of_ebcdic` is true, otherwise of pages.rs."""
    family = f"single-byte pages {'of' if of_ebcdic else 'except those of'} EBCDIC"
    lines = [
        f"//! Names and tables of the {family}. Generated by pages.py, which names the sources; do not edit.",
        "//!",
        "//! A table has the characters of the bytes `from` a number on; bytes below are as in ISO-8859-1. A table that is",
        "//! `like` another lists the bytes that differ. U+FFFD marks an undefined byte. If several bytes have the same",
        "//! character, the lowest that is not `one_way` is written. `composed` and `taken_apart` list characters, each with",
        "//! the base and the mark that the page has for it.",
        "",
        "use super::{BomMeaning, CodePage, Encoding, Form, PageTable, Utf8Kernels};",
        "",
        "single_byte! {",
        f"    is_ebcdic: {str(of_ebcdic).lower()};",
        "",
    ]
    latin1 = list(map(chr, range(0x100)))
    bases = {"US_ASCII": latin1[:0x80] + ["\uFFFD"] * 0x80, "ISO_8859_1": latin1}
    for page, (table, _, _) in pages.tables.items():
        table = [scalar or "\uFFFD" for scalar in table]
        is_ebcdic = table[0x40] == " " and table[0xF0:0xFA] == list("0123456789")
        if is_ebcdic != of_ebcdic:
            continue
        base, changes = nearest(table, bases)
        is_like = len(changes) <= MOST_CHANGES
        row = f'    {constant(page)} = "{page}", "{" ".join(names.spelled[page])}'
        lines += " \\\n".join(textwrap.wrap(row, 119, subsequent_indent=" " * 8, break_on_hyphens=False)).split("\n")
        if is_like:
            lines[-1] += f'", like {base} ['
            changed = ["(0x%02X, '%s')" % (byte, literal(table[byte]).replace('\\"', '"')) for byte in changes]
            lines += [*listed(changed, 8), "    ]"]
        else:
            first = next(byte for byte in range(0, 0x100, 0x20) if table[byte:][:0x20] != latin1[byte:][:0x20])
            lines[-1] += f'", from 0x{first:02X} "\\'
            lines += (characters(table[first:]) + '"').split("\n")
            bases[constant(page)] = table
        one_way = pages.one_way[page]
        if one_way:
            lines[-1] += f" one_way [{numbers(one_way, 2)}]"
        for kind, found in composites(table).items() if page in COMPOSING else ():
            each = [f"({numbers(map(ord, row), 4)})" for row in found]
            if each:
                lines[-1] += f" {kind} ["
                lines += listed(each, 5)
                lines.append("    ]")
        lines[-1] += ";"
    return "\n".join([*lines, "}"])


def ranges(values):
    """Formats byte values as ranges such as `80-9F FF`."""
    runs = []
    for value in values:
        if runs and runs[-1][1] == value - 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return " ".join(f"{first:02X}" if first == last else f"{first:02X}-{last:02X}" for first, last in runs)


def why(byte, ours, theirs):
    """Returns the reason of a difference between two tables."""
    if ours is None and theirs == chr(byte) and 0x80 <= byte < 0xA0:
        return "undefined here, a C1 control there"
    if byte in (0x1A, 0x1C, 0x7F) and ours and theirs and {ours, theirs} <= set("\x1A\x1C\x7F"):
        return "IBM's rotation of 1A, 1C and 7F"
    if ours is None:
        return "undefined here"
    if theirs is None:
        return "undefined there"
    if any("\uE000" <= c <= "\uF8FF" for c in (ours, theirs[0])):
        return "private use"
    return "another character"


def differences(names, pages):
    lines = [
        "# Single-byte pages: where the sources differ",
        "",
        "Generated by crates/utfconv-core/src/encoding/pages.py. A page means what IANA and iconv (glibc) mean by its name, never what",
        "browsers do: undefined bytes stay undefined, and where tables differ glibc's holds, then CPython's, ICU's and",
        "libiconv's. The exceptions:",
        "",
        "* IBM1131 is libiconv's, since ICU has IBM's rotation of 1A, 1C and 7F. Others from ICU are rotated back.",
        "* JIS_X0201 is libiconv's: its kana are halfwidth; glibc's charmap has others, iconv no such page.",
        "* IBM1132 70 and IBM1133 DF are U+20AD KIP SIGN, as in ICU and libiconv; glibc decodes them to a small k and",
        "  does not encode them.",
        "* IBM1046 83..86 are written for what they are read as; iconv writes D3..D6 for these.",
        "* windows-1258 composes a letter and the tone mark after it where NFC does, as iconv does and CPython and ICU",
        "  do not. D3 DE, D6 DE, DA DE and the small letters are two characters here: iconv has U+1E4C, U+1E4E and U+1E78",
        "  for them, which are no equivalents. The points of windows-1255 are read as they are, as in CPython, ICU and",
        "  NFC; iconv composes them.",
        "",
        "`byte ours/theirs` in hexadecimal, `-` for undefined; more than twelve are given as ranges of bytes.",
        "",
        "| page | ours from | differs | kind | bytes |",
        "|---|---|---|---|---|",
    ]
    spell = lambda scalar: "+".join(f"{ord(c):04X}" for c in scalar) if scalar else "-"
    for page, (ours, chosen, found) in pages.tables.items():
        kinds = {}
        for source, table in found.items():
            for byte in range(256):
                if table[byte] != ours[byte]:
                    kind = why(byte, ours[byte], table[byte])
                    kinds.setdefault((kind, source), []).append((byte, table[byte]))
        for (kind, source), all_ in kinds.items():
            few = len(all_) <= 12 and "C1" not in kind
            each = ", ".join(f"{byte:02X} {spell(ours[byte])}/{spell(theirs)}" for byte, theirs in all_)
            bytes_ = each if few else ranges(byte for byte, _ in all_)
            lines.append(f"| {page} | {chosen} | {source} | {kind} | {bytes_} |")
    lines += [
        "",
        "## Names claimed twice",
        "",
        "The first source that has a name decides: IANA, glibc, libiconv, CPython, ICU. Names are folded.",
        "`iso-ir-9-1` and `iso-ir-91` fold to one name, `iso-ir-9-2` and `iso-ir-92` too: all are left out.",
        "",
        "| name | means | does not mean | though so in |",
        "|---|---|---|---|",
    ]
    claims = {}
    for name, holder, other, source in names.decided:
        sources = claims.setdefault((fold(name), holder, other), [])
        if source and source not in sources:
            sources.append(source)
    lines += [f"| {n} | {holder} | {other} | {', '.join(s)} |" for (n, holder, other), s in claims.items() if s]
    return "\n".join(lines)


def listing(names, canonicals):
    return "\n".join(f"{canonical}: {' '.join(names.spelled[canonical])}".rstrip() for canonical in canonicals)


def check(extra):
    """Checks that each folded name of pages.rs and ebcdic.rs (and of the file `extra`) occurs only once."""
    text = "".join(open(beside(file), encoding="utf-8").read() for file in FILES)
    entries = re.findall(r' = "(.*?)", "(.*?)",\s+(?:from|like) ', text.replace("\\\n", ""), re.S)
    if extra:
        entries += [line.split(maxsplit=1) for line in open(extra)]
    seen, twice = {}, 0
    for canonical, *aliases in entries:
        canonical = canonical.removesuffix(":")
        for name in [canonical, *" ".join(aliases).split()]:
            if fold(name) in seen:
                print(f"{name}: in {seen[fold(name)]} and {canonical}")
                twice += 1
            seen[fold(name)] = canonical
    print(f"{len(entries)} encodings, {len(seen)} names, {twice} twice")
    return twice == 0 and len(entries) > 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--iana")
    parser.add_argument("--libiconv")
    parser.add_argument("--ucm")
    for kind in ["differences", "others", "rest"]:
        parser.add_argument("--" + kind, action="store_true")
    parser.add_argument("--check", nargs="?", const="", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.check is not None:
        sys.exit(not check(arguments.check))
    glibc, python, icu, libiconv = Glibc(), Python(), Icu(), Libiconv(arguments.libiconv)
    names = Names()
    names.harvest("IANA", iana(arguments.iana))
    for label, source in {"glibc": glibc, "libiconv": libiconv, "CPython": python, "ICU": icu}.items():
        names.harvest(label, source.groups())
    for row in rows(EXTRA):
        names.claim(row[0], row[1:], "EXTRA")
    names.numbers()
    if arguments.others:
        print(listing(names, [row[0] for row in rows(OTHERS)]))
    elif arguments.rest:
        print(listing(names, names.outside))
    else:
        sources = {"glibc": glibc, "CPython": python, "ICU": icu, "libiconv": libiconv, "ICU's data": IcuData(arguments.ucm)}
        pages = Pages(names, sources)
        if arguments.differences:
            print(differences(names, pages))
            return
        for file, of_ebcdic in FILES.items():
            with open(beside(file), "w", encoding="utf-8") as out:
                print(rust(names, pages, of_ebcdic), file=out)


if __name__ == "__main__":
    main()
