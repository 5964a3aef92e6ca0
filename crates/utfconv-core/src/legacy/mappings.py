#!/usr/bin/env python3
"""Makes the mapping files of the multi-byte encodings (mappings/*.txt), and their packed forms (*.bin).

    python3 mappings.py --glibc [--ucm DIR] [--charmaps DIR] [NAME...]    writes mappings/NAME.txt
    python3 mappings.py --published --ucm DIR --libiconv DIR [NAME...]    writes mappings that glibc lacks
    python3 mappings.py --pack [NAME...]                                  writes mappings/NAME.bin from NAME.txt

A mapping file contains what glibc's iconv does with every code and every scalar value. It is compared with a published
mapping, and notes the differences: DIR of --ucm is charset/data/ucm of https://github.com/unicode-org/icu-data, DIR of
--charmaps is localedata/charmaps of glibc (by default /usr/share/i18n/charmaps). Mappings that glibc lacks are made of a
.ucm file of ICU, or of a list of GNU libiconv: DIR of --libiconv is tests of https://git.savannah.gnu.org/git/libiconv.git.

A line of a mapping file has a code, its scalar values, and the scalar values of the following codes, whose last bytes
are consecutive: `4E00..4E0F` are consecutive, `-` is unassigned, `30AB+309A` are two scalar values for one code, and a
scalar value before `>` is read and never written. A line that begins with `<` has a code and the scalar value that is
written, but not read. In a file that builds on another, `x` is unassigned, and `-` means the same as in the other file.

The packed form has two lists of codes with their scalar values, for one byte and for more; then the codes for two
scalar values, the codes that are only read, the codes that are only written, and the codes that `x` makes unassigned.
`packed.rs` reads it, and describes how a list is coded.
"""

import argparse
import ctypes
import glob
import gzip
import os
import re
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mappings")
EUC = [(0xA1, 0xFE)]
SJIS = [(0x40, 0x7E), (0x80, 0xFC)]
HOST = [(0x40, 0xFE)]
GBK = [(0x40, 0x7E), (0x80, 0xFE)]
BIG5 = [(0x40, 0x7E), (0xA1, 0xFE)]
UHC = [(0x41, 0x5A), (0x61, 0x7A), (0x81, 0xFE)]

# A row maps a name to glibc's name, the kind of codes, the trail bytes, the published mapping, and a title.
ENCODINGS = {
    "euc-tw": ("EUC-TW", "planes", EUC, "EUC-TW", "CNS 11643, planes 1 to 7 and 15: the number of a plane, and a code of EUC"),
    "johab": ("JOHAB", "stateless", [(0x31, 0x7E), (0x81, 0xFE)], "JOHAB", "Johab (KS X 1001 annex 3)"),
    "jisx0213": ("EUC-JISX0213", "shifted", EUC, "EUC-JISX0213", "JIS X 0213 in the form of EUC"),
    "euc-jp": ("EUC-JP", "shifted", EUC, None, "EUC-JP: JIS X 0208, half-width katakana and JIS X 0212"),
    "euc-jp-ms": ("EUC-JP-MS", "shifted", EUC, None, "EUC-JP-MS: EUC-JP with the characters of code page 932"),
    "cp51932": ("CP932", "stateless", EUC, None, "Code page 51932: EUC with the characters of code page 932"),
    "sjis": ("SJIS", "stateless", SJIS, None, "Shift_JIS: JIS X 0201 and JIS X 0208"),
    "cp932": ("CP932", "stateless", SJIS, None, "Code page 932, windows-31j"),
    "euc-kr": ("EUC-KR", "stateless", EUC, None, "EUC-KR: KS X 1001:2002"),
    "cp949": ("UHC", "stateless", UHC, None, "Code page 949, Unified Hangul Code"),
    "gb2312": ("EUC-CN", "stateless", EUC, None, "GB/T 2312-1980 in the form of EUC"),
    "gbk": ("GBK", "stateless", GBK, None, "GBK"),
    "cp936": ("GBK", "stateless", GBK, None, "Code page 936: GBK with user areas"),
    "gb18030": ("GB18030", "stateless", GBK, None, "GB18030 of 2022: its codes of two bytes"),
    "big5": ("BIG5", "stateless", BIG5, None, "Big5 with the extensions of ETEN"),
    "cp950": ("BIG5", "stateless", BIG5, None, "Code page 950: Big5 with user areas"),
    "big5-hkscs": ("BIG5-HKSCS", "stateless", BIG5, None, "Big5-HKSCS of 2008"),
    "ibm932": ("IBM932", "stateless", SJIS, "ibm-942_P12A-1999.ucm", "IBM932: Shift_JIS of IBM, 1978 order"),
    "ibm943": ("IBM943", "stateless", SJIS, "ibm-943_P14A-1999.ucm", "IBM943: Shift_JIS of IBM"),
    "ibm930": ("IBM930", "host", HOST, "ibm-930_P120-1999.ucm", "IBM930: Japanese with katakana, EBCDIC"),
    "ibm933": ("IBM933", "host", HOST, "ibm-933_P110-1999.ucm", "IBM933: Korean, EBCDIC"),
    "ibm935": ("IBM935", "host", HOST, "ibm-935_P110-1999.ucm", "IBM935: simplified Chinese, EBCDIC"),
    "ibm937": ("IBM937", "host", HOST, "ibm-937_P110-1999.ucm", "IBM937: traditional Chinese, EBCDIC"),
    "ibm939": ("IBM939", "host", HOST, "ibm-939_P120-1999.ucm", "IBM939: Japanese with Latin letters, EBCDIC"),
    "ibm1364": ("IBM1364", "host", HOST, "ibm-1364_P110-2007.ucm", "IBM1364: Korean, EBCDIC"),
    "ibm1371": ("IBM1371", "host", HOST, "ibm-1371_P100-1999.ucm", "IBM1371: traditional Chinese with the euro sign, EBCDIC"),
    "ibm1388": ("IBM1388", "host", HOST, "ibm-1388_P103-2001.ucm", "IBM1388: simplified Chinese, EBCDIC"),
    "ibm1390": ("IBM1390", "host", HOST, "ibm-1390_P110-2003.ucm", "IBM1390: Japanese with katakana and JIS X 0213, EBCDIC"),
    "ibm1399": ("IBM1399", "host", HOST, "ibm-1399_P110-2003.ucm", "IBM1399: Japanese with Latin letters and JIS X 0213, EBCDIC"),
    "t.61": ("T.61", "stateless", [(0x20, 0x7E)], "T.61-8BIT", "T.61-8bit"),
    "iso_6937": ("ISO_6937", "stateless", [(0x20, 0x7E)], "ISO_6937", "ISO 6937:1992"),
    "iso_6937-2": ("ISO_6937-2", "stateless", [(0x20, 0x7E)], "ISO-IR-90", "ISO 6937-2:1983"),
    "ansi_x3.110": ("ANSI_X3.110", "stateless", [(0x20, 0x7E)], "ANSI_X3.110-1983", "ANSI X3.110-1983"),
    "iso-ir-165": ("ISO-2022-CN-EXT", "iso-ir-165", EUC, None, "ISO-IR-165 in the form of EUC"),
}

# Mappings that glibc lacks. A row has the publisher, the publisher's name of the mapping, and the fields of ENCODINGS
# without glibc's name.
PUBLISHED = {
    "ibm-33722": ("ucm", "ibm-33722_P120-1999", "shifted", EUC, "ibm-33722: EUC-JP of IBM"),
    "ibm-954": ("ucm", "ibm-954_P101-2007", "shifted", EUC, "ibm-954: EUC-JP of IBM with all of JIS X 0212"),
    "ibm-949": ("ucm", "ibm-949_P110-1999", "stateless", EUC, "ibm-949: KS X 1001 with a user area, and the won sign as 5C"),
    "ibm-949c": ("ucm", "ibm-949_P11A-1999", "stateless", EUC, "ibm-949 with ASCII"),
    "ibm-970": ("ucm", "ibm-970_P110_P110-2006_U2", "stateless", EUC, "ibm-970: EUC-KR of IBM"),
    "ibm-971": ("ucm", "ibm-971_P100-1995", "stateless", EUC, "ibm-971: the codes of two bytes of EUC-KR, of IBM"),
    "ibm-1363": ("ucm", "ibm-1363_P110-1999", "stateless", UHC, "ibm-1363: Unified Hangul Code with the won sign as 5C"),
    "ibm-1363c": ("ucm", "ibm-1363_P11B-1999", "stateless", UHC, "ibm-1363 with ASCII"),
    "ibm-950": ("ucm", "ibm-950_P110-1999", "stateless", [(0x40, 0x7E), (0x81, 0xFE)], "ibm-950: Big5 of IBM"),
    "ibm-1373": ("ucm", "ibm-1373_P100-2002", "stateless", BIG5, "ibm-1373: code page 950, of IBM"),
    "ibm-1375": ("ucm", "ibm-1375_P100-2008", "stateless", BIG5, "ibm-1375: Big5-HKSCS of 2008, of IBM"),
    "ibm-5471": ("ucm", "ibm-5471_P100-2006", "stateless", BIG5, "ibm-5471: Big5-HKSCS of 2001, of IBM"),
    "ibm-1383": ("ucm", "ibm-1383_P110-1999", "stateless", EUC, "ibm-1383: GB/T 2312 in the form of EUC, of IBM"),
    "ibm-1386": ("ucm", "ibm-1386_P100-2001", "stateless", GBK, "ibm-1386: GBK of IBM"),
    "ibm-5478": ("ucm", "ibm-5478_P100-1995", "raw", EUC, "ibm-5478: GB/T 2312 in seven bits, here in the form of EUC"),
    "ibm-16684": ("ucm", "ibm-16684_P110-2003", "stateless", HOST, "ibm-16684: the codes of two bytes of IBM1390"),
    "big5-2003": ("libiconv", "BIG5-2003", "stateless", BIG5, "Big5-2003"),
    "big5-hkscs-1999": ("libiconv", "BIG5-HKSCS-1999", "stateless", BIG5, "Big5-HKSCS of 1999"),
    "big5-hkscs-2001": ("libiconv", "BIG5-HKSCS-2001", "stateless", BIG5, "Big5-HKSCS of 2001"),
    "big5-hkscs-2004": ("libiconv", "BIG5-HKSCS-2004", "stateless", BIG5, "Big5-HKSCS of 2004"),
}
PUBLISHERS = {"ucm": "ICU's mapping", "libiconv": "libiconv's list"}

# Encodings that share most multi-byte codes with another encoding. The file of such an encoding has only the multi-byte
# codes that differ, but all single bytes, and all scalar values that are only written.
BASE = {
    "euc-jp-ms": "euc-jp",
    "cp51932": "euc-jp",
    "sjis": "euc-jp",
    "cp932": "euc-jp",
    "cp949": "euc-kr",
    "gbk": "gb2312",
    "cp936": "gbk",
    "gb18030": "gbk",
    "cp950": "big5",
    "big5-hkscs": "big5",
    "ibm939": "ibm930",
    "ibm943": "ibm932",
    "ibm1364": "ibm933",
    "ibm1371": "ibm937",
    "ibm1388": "ibm935",
    "ibm1390": "ibm930",
    "ibm1399": "ibm1390",
    "ibm-33722": "euc-jp-ms",
    "ibm-954": "euc-jp-ms",
    "ibm-949": "euc-kr",
    "ibm-949c": "ibm-949",
    "ibm-970": "euc-kr",
    "ibm-971": "ibm-970",
    "ibm-1363": "cp949",
    "ibm-1363c": "ibm-1363",
    "ibm-950": "cp950",
    "ibm-1373": "cp950",
    "ibm-1375": "big5-hkscs",
    "ibm-5471": "big5-hkscs-2001",
    "ibm-1383": "gb2312",
    "ibm-1386": "cp936",
    "ibm-5478": "gb2312",
    "ibm-16684": "ibm1390",
    "big5-2003": "cp950",
    "big5-hkscs-1999": "big5-hkscs-2001",
    "big5-hkscs-2001": "big5-hkscs-2004",
    "big5-hkscs-2004": "big5-hkscs",
}

# Encodings whose codes are codes of EUC in the form of Shift_JIS.
SHIFTED = ("sjis", "cp932")


class Changes:
    """The differences of an encoding from glibc."""

    def __init__(self, codes={}, areas=(), also={}, prefers=()):
        # `areas` are user areas (leads, trails, first scalar value). `also` maps codes to characters that are written
        # as the code, but not read from it.
        self.codes, self.areas, self.also = codes, areas, also
        # Of several codes for a scalar value, the first in the ranges of `prefers` is written, or else the lowest.
        self.prefers = prefers


# Scalar values that Microsoft's encodings also write as these cells of JIS X 0208, although they read the cells as
# other characters; 2014 is the dash that most people type.
SYMBOLS = {0xA1C1: 0x301C, 0xA1C2: 0x2016, 0xA1DD: 0x2212, 0xA1F1: 0xA2, 0xA1F2: 0xA3, 0xA2CC: 0xAC, 0xA1BD: 0x2014}
SYMBOLS_SHIFTED = {
    0x8160: 0x301C, 0x8161: 0x2016, 0x817C: 0x2212, 0x8191: 0xA2, 0x8192: 0xA3, 0x81CA: 0xAC, 0x815C: 0x2014,
}
NUMERALS = [(0xA451, 0xA451), (0xA4CA, 0xA4CA)]

CHANGES = {
    "euc-jp": Changes(),
    "euc-jp-ms": Changes(also={**SYMBOLS, 0x8FA2C3: 0xA6}),
    "cp51932": Changes(also=SYMBOLS),
    "sjis": Changes(also={0x5C: 0x5C, 0x7E: 0x7E}),
    # As in Windows, never write a code of NEC's selection of IBM extensions, ED40..EEFC.
    "cp932": Changes(also=SYMBOLS_SHIFTED, prefers=[(0x8140, 0xECFC), (0xF040, 0xFCFC)]),
    "euc-kr": Changes(),
    "cp949": Changes(areas=[((0xC9, 0xC9), EUC, 0xE000), ((0xFE, 0xFE), EUC, 0xE05E)]),
    "gb2312": Changes(),
    "gbk": Changes(),
    "cp936": Changes(
        areas=[
            ((0xAA, 0xAF), EUC, 0xE000),
            ((0xF8, 0xFE), EUC, 0xE234),
            ((0xA1, 0xA7), [(0x40, 0x7E), (0x80, 0xA0)], 0xE4C6),
        ]
    ),
    # Codes that are mapped to private use characters, because the characters that they show have other codes.
    "gb18030": Changes(
        codes={0xFE51: 0xE816, 0xFE52: 0xE817, 0xFE53: 0xE818, 0xFE6C: 0xE831, 0xFE76: 0xE83B, 0xFE91: 0xE855}
    ),
    "big5": Changes(prefers=NUMERALS),
    # As Windows does, write these box drawings with ETEN's codes, and these numerals with the codes of the
    # ideographs.
    "cp950": Changes(
        areas=[((0x81, 0x8D), BIG5, 0xEEB8), ((0x8E, 0xA0), BIG5, 0xE311), ((0xFA, 0xFE), BIG5, 0xE000)],
        prefers=[*NUMERALS, (0xF9E9, 0xF9EB), (0xF9F9, 0xF9F9)],
    ),
    # Codes of Big5 whose characters HKSCS encodes a second time elsewhere.
    "big5-hkscs": Changes(
        codes={
            0xA15A: 0x2574, 0xA1C3: 0xFFE3, 0xA1C5: 0x2CD, 0xA1FE: 0xFF0F, 0xA240: 0xFF3C, 0xA2CC: 0x5341, 0xA2CE: 0x5345,
        },
        prefers=[(0xA241, 0xA242), *NUMERALS, (0xF9E9, 0xF9FE)],
    ),
}

SO, SI = b"\x0E", b"\x0F"


class Iconv:
    """Calls glibc's iconv function."""

    libc = ctypes.CDLL("libc.so.6", use_errno=True)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_ssize_t
    libc.iconv.argtypes = [ctypes.c_void_p] * 5

    def __init__(self, source, target):
        self.handle = self.libc.iconv_open(target.encode(), source.encode())
        if self.handle == 2**64 - 1:
            sys.exit(f"glibc has no {source} or {target}")
        self.source, self.room = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
        self.fields = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p(), ctypes.c_size_t()
        self.references = [ctypes.byref(field) for field in self.fields]

    def __call__(self, code):
        """Converts the code and returns to the initial state; returns None if iconv refuses the code."""
        at, left, to, free = self.fields
        self.source[: len(code)] = code
        at.value, left.value = ctypes.addressof(self.source), len(code)
        to.value, free.value = ctypes.addressof(self.room), 64
        self.libc.iconv(self.handle, None, None, None, None)
        for start in [self.references[:2], (None, None)]:
            if self.libc.iconv(self.handle, *start, *self.references[2:]) != 0:
                return None
        return self.room.raw[: 64 - free.value]


def scalars():
    """Yields all scalar values except tags, which iconv drops."""
    return (c for c in range(0x110000) if not 0xD800 <= c < 0xE000 and not 0xE0000 <= c < 0xE0080)


def forms(kind):
    """Returns each code of a kind as a key (the plane or 0, then one byte or two), and the bytes that iconv reads for
    it."""
    pairs = [(a, b) for a in range(256) for b in range(256)]
    if kind == "iso-ir-165":
        for a, b in pairs:
            if 0x21 <= a <= 0x7E and 0x21 <= b <= 0x7E:
                yield (0, a | 0x80, b | 0x80), b"\x1B$)E\x0E" + bytes([a, b]) + SI
        return
    for byte in range(256):
        yield (0, byte), bytes([byte])
    for a, b in pairs:
        if kind == "host":
            if a not in (0x0E, 0x0F):
                yield (0, a, b), SO + bytes([a, b]) + SI
        elif a >= 0x80 and kind != "planes":
            yield (0, a, b), bytes([a, b])
    if kind in ("planes", "shifted"):
        for plane in range(1, 17) if kind == "planes" else [1]:
            for a, b in pairs:
                if 0xA1 <= a <= 0xFE and 0xA1 <= b <= 0xFE:
                    lead = [0x8E, 0xA0 + plane] if kind == "planes" else [0x8F]
                    yield (plane, a, b), bytes([*lead, a, b])


class Mapping:
    def __init__(self):
        self.read, self.read_only, self.write_only, self.removed = {}, set(), [], set()

    @classmethod
    def of_iconv(cls, name, kind):
        made, codes = cls(), dict(forms(kind))
        reader, writer = Iconv(name, "UTF-32LE"), Iconv("UTF-32LE", name)
        for key, code in codes.items():
            if len(key) == 3 and kind in ("stateless", "shifted") and (0, key[1]) in made.read and key[0] == 0:
                continue
            out = reader(code)
            if out:
                made.read[key] = tuple(int.from_bytes(out[at : at + 4], "little") for at in range(0, len(out), 4))
        if kind == "iso-ir-165":
            # The written code depends on earlier sets, so assume that the lower of two codes is written.
            return made
        keys = {code: key for key, code in codes.items()}
        if kind == "planes":
            # Plane 1 is written without its number.
            keys.update((code[2:], key) for key, code in codes.items() if len(key) == 3 and key[0] == 1)
        written = {}
        for scalar in scalars():
            code = writer(scalar.to_bytes(4, "little"))
            if code:
                written[scalar] = code
        for key, found in made.read.items():
            if len(found) == 1 and keys.get(written.get(found[0])) != key:
                made.read_only.add(key)
        for scalar, code in written.items():
            key = keys.get(code)
            if made.read.get(key) != (scalar,):
                made.write_only.append((key, scalar, code))
        return made

    @classmethod
    def of_ucm(cls, path, kind):
        """Reads a .ucm file, except substitutes, which ICU writes only on request."""
        made = cls()
        for scalars, code, precision in UCM.findall(open(path).read()):
            key = published_key(bytes.fromhex(code.replace("\\x", "").replace("+", "")), kind)
            if precision in "03":
                made.read[key] = tuple(int(c, 16) for c in re.findall(r"<U([0-9A-F]+)>", scalars))
            if precision == "3":
                made.read_only.add(key)
        return made

    @classmethod
    def of_libiconv(cls, path, kind):
        """Reads a list of the mappings for decoding, and the list beside it of mappings that are only for decoding or
        only for encoding."""
        def lines(path):
            return [(bytes.fromhex(words[0][2:]), tuple(int(word, 16) for word in words[1:])) for words in map(str.split, open(path))]
        made = cls()
        for code, scalars in lines(path + ".TXT"):
            made.read[published_key(code, kind)] = scalars
        other = path + ".IRREVERSIBLE.TXT"
        for code, scalars in lines(other) if os.path.exists(other) else []:
            key = published_key(code, kind)
            if made.read.get(key) == scalars:
                made.read_only.add(key)
            else:
                made.write_only.append((key, *scalars, None))
        return made

    def changed(self, changes):
        """Applies changes, and removes C1 controls from the single bytes."""
        self.read = {key: found for key, found in self.read.items() if len(key) == 3 or found[0] not in range(0x80, 0xA0)}
        self.read.update({key_of(f"{code:04X}"): (scalar,) for code, scalar in changes.codes.items()})
        for leads, trails, scalar in changes.areas:
            for lead in range(leads[0], leads[1] + 1):
                for trail in (byte for low, high in trails for byte in range(low, high + 1)):
                    self.read[0, lead, trail] = (scalar,)
                    scalar += 1
        written = {scalar: None for scalar in changes.also.values()}
        rank = lambda key: next((at for at, (low, high) in enumerate(changes.prefers) if low <= number_of(key) <= high), 99)
        self.read_only = set()
        for key in sorted(self.read, key=lambda key: (len(key), key[0], rank(key) if len(key) == 3 and not key[0] else 0, key)):
            if len(self.read[key]) == 1:
                if self.read[key][0] in written:
                    self.read_only.add(key)
                written[self.read[key][0]] = key
        def key(code):
            size = max(1, (code.bit_length() + 7) // 8)
            code = code.to_bytes(size, "big")
            return (1, *code[1:]) if size == 3 else (0, *code)
        self.write_only = sorted((key(code), scalar, None) for code, scalar in changes.also.items())

    def text(self, head, keeps=lambda key: True):
        lines = [*head]
        self.read.update({key: None for key in self.removed})
        keys = sorted((key for key in self.read if keeps(key)), key=lambda key: (len(key), key))
        at = 0
        while at < len(keys):
            # A line has consecutive codes, with gaps of at most three.
            first, values, last = keys[at], [], keys[at][-1] - 1
            while at < len(keys) and keys[at][:-1] == first[:-1] and keys[at][-1] <= last + 4 and len(values) < 16:
                values += ["-"] * (keys[at][-1] - last - 1)
                key = keys[at]
                length = self.run(keys, at)
                if length >= 3:
                    start = self.read[key][0]
                    values.append(f"{start:04X}..{start + length - 1:04X}")
                else:
                    length = 1
                    value = "+".join(f"{scalar:04X}" for scalar in self.read[key] or ()) or "x"
                    values.append(value + (">" if key in self.read_only else ""))
                last, at = key[-1] + length - 1, at + length
            lines.append(f"{spelled(first)} {' '.join(values)}")
        lines += [f"< {spelled(key)} {scalar:04X}" for key, scalar, _ in self.write_only]
        return "\n".join(lines) + "\n"

    def run(self, keys, at):
        """Returns the number of codes from the `at`-th on that are consecutive, and whose scalar values are, too."""
        first, length = self.read[keys[at]], 1
        if not first or len(first) > 1 or keys[at] in self.read_only:
            return 1
        while at + length < len(keys):
            key = keys[at + length]
            if key != (*keys[at][:-1], keys[at][-1] + length) or self.read[key] != (first[0] + length,):
                break
            if key in self.read_only:
                break
            length += 1
        return length

    @classmethod
    def of_text(cls, text):
        made = cls()
        for line in text.splitlines():
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == "<":
                made.write_only.append((key_of(words[1]), int(words[2], 16), None))
                continue
            key = key_of(words[0])
            for word in words[1:]:
                if word == "x":
                    made.removed.add(key)
                    key = (*key[:-1], key[-1] + 1)
                    continue
                first, _, last = word.rstrip(">").partition("..")
                parts = [int(part, 16) for part in first.split("+")] if first != "-" else []
                for more in range(int(last, 16) - parts[0] + 1) if last else range(1):
                    if parts:
                        made.read[key] = (parts[0] + more, *parts[1:])
                        if word.endswith(">"):
                            made.read_only.add(key)
                    key = (*key[:-1], key[-1] + 1)
        return made

    def packed(self, trails):
        """Returns the packed form, which packed.rs describes."""
        all_trails = [byte for low, high in trails for byte in range(low, high + 1)]
        place = {byte: at for at, byte in enumerate(all_trails)}

        def index(key):
            return key[1] if len(key) == 2 else (key[0] << 8 | key[1]) * len(place) + place[key[2]]
        ones = {index(key): found[0] for key, found in self.read.items() if len(key) == 2}
        more = {index(key): found[0] for key, found in self.read.items() if len(key) == 3 and len(found) == 1}
        out = bytearray([len(trails), *(byte for pair in trails for byte in pair)])
        for found in [ones, more]:
            out += coded(sorted(found.items()))
        pairs = sorted((index(key), found) for key, found in self.read.items() if len(found) == 2)
        out += number(len(pairs))
        for at, found in pairs:
            out += number(at) + number(found[0]) + number(found[1])
        for length in (2, 3):
            out += ranges(index(key) for key in self.read_only if len(key) == length)
        for length in (2, 3):
            only = [(index(key), scalar) for key, scalar, _ in self.write_only if len(key) == length]
            out += number(len(only)) + b"".join(number(at) + number(scalar) for at, scalar in only)
        if self.removed:
            out += ranges(index(key) for key in self.removed)
        return bytes(out)


def ranges(indices):
    """Returns the number of runs in `indices`, and the first index and the length of each, packed."""
    runs = []
    for at in sorted(indices):
        if runs and runs[-1][1] == at:
            runs[-1][1] = at + 1
        else:
            runs.append([at, at + 1])
    return number(len(runs)) + b"".join(number(first) + number(end - first) for first, end in runs)


# The first scalar value of plane 2.
HIGH = 0x20000


def coded(items):
    """Packs a list of pairs of an index and a scalar value."""
    out, at, next_at, before, is_high = bytearray(), 0, 0, [0, HIGH], False
    while at < len(items):
        index, scalar = items[at]
        length = 1
        while at + length < len(items) and items[at + length] == (index + length, scalar + length):
            length += 1
        if index != next_at:
            out += b"\xFF" + number(index - next_at)
        if length >= 3:
            out += b"\xFE" + number(length - 3)
        else:
            length = 1
        if (scalar >= HIGH) != is_high:
            is_high = not is_high
            out += b"\xFB"
        step = scalar - before[is_high] - 1
        if 0 <= step < 0xA0:
            out.append(step)
        elif -0x2D00 <= step < 0x2D00:
            out += bytes([0xA0 + (step + 0x2D00 >> 8), step & 0xFF])
        else:
            out += b"\xFD" + scalar.to_bytes(3, "big")
        before[is_high], next_at, at = scalar + length - 1, index + length, at + length
    return bytes(out) + b"\xFC"


def number(value):
    """Packs a number with seven bits per byte, the lowest first; all bytes but the last have the high bit."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def spelled(key):
    return (f"{key[0]}:" if key[0] else "") + "".join(f"{byte:02X}" for byte in key[1:])


def number_of(key):
    return key[1] << 8 | key[2] if len(key) == 3 else key[1]


def shifted(key):
    """Returns the Shift_JIS code of a code of JIS X 0208 in EUC."""
    plane, row, cell = key[0], key[1] - 0xA1, key[-1] - 0xA0
    if plane or row < 0:
        return None
    trail = cell + 0x9E if row % 2 else cell + (0x3F if cell < 64 else 0x40)
    return 0, row // 2 + (0x81 if row < 62 else 0xC1), trail


def key_of(text):
    plane, _, code = text.rpartition(":")
    return (int(plane or "0"), *bytes.fromhex(code))


# Matches a line of a .ucm file: scalar values, code, precision.
UCM = re.compile(r"^((?:<U[0-9A-F]+>\+?)+)\s+((?:\\x[0-9A-F]{2}\+?)+)\s+\|([0-4])", re.M)


def published_key(code, kind):
    if kind == "raw":
        code = bytes(byte | 0x80 for byte in code)
    return (1, *code[1:]) if len(code) == 3 else (0, *code)


def of_files(name):
    """Reads a mapping file and the files on which it builds."""
    with open(os.path.join(HERE, name + ".txt")) as file:
        made = Mapping.of_text(file.read())
    if name in BASE:
        base = of_files(BASE[name])
        kept = {key for key in base.read if len(key) == 3 and key not in made.removed and key not in made.read}
        made.read |= {key: base.read[key] for key in kept}
        made.read_only |= base.read_only & kept
        made.removed = set()
    return made


def write_published(name, arguments):
    publisher, source, kind, _, title = PUBLISHED[name]
    folder = getattr(arguments, publisher) or sys.exit(f"--{publisher} is missing")
    if publisher == "ucm":
        made = Mapping.of_ucm(os.path.join(folder, source + ".ucm"), kind)
    else:
        made = Mapping.of_libiconv(os.path.join(folder, source), kind)
    if kind == "shifted":
        # If there are single bytes for ASCII, the ASCII of the two-byte set is only read.
        made.read_only |= {key for key, found in made.read.items() if len(key) == 3 and found[0] < 0x80}
    other = of_files(BASE[name])
    doubles = lambda one: {key: (found, key in one.read_only) for key, found in one.read.items() if len(key) == 3}
    ours, theirs = doubles(made), doubles(other)
    made.removed = theirs.keys() - ours.keys()
    lines = [f"# {title}.", f"# Made of {PUBLISHERS[publisher]} {source} by mappings.py."]
    lines.append(f"# Codes of several bytes that are not here are those of {BASE[name]}.txt.")
    with open(os.path.join(HERE, name + ".txt"), "w") as file:
        file.write(made.text(lines, lambda key: len(key) == 2 or ours.get(key) != theirs.get(key)))


def published(name, kind, ucm, charmaps):
    """Reads a published mapping, indexed by the bytes of a code without shifts."""
    found = {}
    if name.endswith(".ucm"):
        if not ucm:
            return None
        for line in open(os.path.join(ucm, name)):
            if match := re.match(r"((?:<U[0-9A-F]+>\+?)+)\s+((?:\\x[0-9A-F]{2})+)\s+\|([0-4])", line):
                if match[3] in "03":
                    scalars = tuple(int(c, 16) for c in re.findall(r"<U([0-9A-F]+)>", match[1]))
                    found[bytes.fromhex(match[2].replace("\\x", ""))] = scalars
        return found
    path = os.path.join(charmaps, name)
    path = path + ".gz" if os.path.exists(path + ".gz") else path
    text = (gzip.open if path.endswith(".gz") else open)(path, "rt", errors="replace").read()
    line = re.compile(r"^(?:%IRREVERSIBLE%)?((?:<U[0-9A-F]+>)+)(?:\.\.<U([0-9A-F]+)>)?\s+((?:/x[0-9a-fA-F]{2})+)\s", re.M)
    for start, end, code in line.findall(text):
        scalars = [int(c, 16) for c in re.findall(r"<U([0-9A-F]+)>", start)]
        code = bytes.fromhex(code.replace("/x", ""))
        for more in range(int(end, 16) - scalars[0] + 1) if end else range(1):
            found.setdefault(code[:-1] + bytes([code[-1] + more]), (scalars[0] + more, *scalars[1:]))
    return found


def head(name, made, arguments):
    glibc, kind, _, other, title = ENCODINGS[name]
    lines = [f"# {title}.", f"# Read off iconv of glibc 2.36, {glibc}, by mappings.py."]
    theirs = other and published(other, kind, arguments.ucm, arguments.charmaps)
    if theirs:
        def code(key):
            if kind == "planes" and len(key) == 3:
                return bytes(key[1:] if key[0] == 1 else (0x8E, 0xA0 + key[0], *key[1:]))
            return bytes(([0x8F] if kind == "shifted" and key[0] else []) + [*key[1:]])
        ours = {code(key): found for key, found in made.read.items()}
        differ = sorted(c for c in ours.keys() | theirs.keys() if ours.get(c) != theirs.get(c))
        if kind == "planes":
            differ = [c for c in differ if c[:2] != b"\x8E\xA1"]
        lone = [c for c in differ if c not in theirs]
        shown = " ".join(c.hex().upper() for c in differ[:12]) + (" ..." if len(differ) > 12 else "")
        what = f"differs in {len(differ)} codes ({len(lone)} of them unassigned there): {shown}" if differ else "is the same"
        lines.append(f"# {'ICU' if other.endswith('.ucm') else 'glibc'}'s mapping {other} {what}.")
    if name in CHANGES:
        lines.append("# What is written, and what differs from glibc: CHANGES in mappings.py.")
    if base := BASE.get(name):
        form = ", in the form of Shift_JIS" if name in SHIFTED else ""
        lines.append(f"# Codes of several bytes that are not here are those of {base}.txt{form}.")
    for line in REFUSED.get(kind, []):
        lines.append(f"# {line}")
    return lines


# Notes about codes that glibc writes and that are left out.
REFUSED = {
    "host": ["glibc writes 3F, SUBSTITUTE, for some characters that it does not read; they are not taken over."],
}


def is_refused(name, key, scalar, code):
    """Returns whether glibc writes a character as a single byte that is read as another: a substitute, or a best fit."""
    if len(key or ()) != 2:
        return key is None
    return not (name in ("ibm930", "ibm939", "jisx0213") and scalar in (0x5C, 0x7E))


def mapping_of(name):
    glibc, kind, trails, _, _ = ENCODINGS[name]
    made = Mapping.of_iconv(glibc, kind)
    if name == "cp51932":
        # Code page 51932 has the characters of code page 932 in the form of EUC.
        rows = {shifted((0, row, cell)): (0, row, cell) for row in range(0xA1, 0xFF) for cell in range(0xA1, 0xFF)}
        singles = {key if key[1] < 0x80 else (0, 0x8E, key[1]): found for key, found in made.read.items() if len(key) == 2}
        made.read = {rows[key]: found for key, found in made.read.items() if key in rows} | singles
    if name in CHANGES:
        made.changed(CHANGES[name])
    in_form = [byte for low, high in trails for byte in range(low, high + 1)]
    made.read = {key: found for key, found in made.read.items() if len(key) == 2 or key[-1] in in_form}
    return made


def write(name, arguments):
    _, kind, _, _, _ = ENCODINGS[name]
    made = mapping_of(name)
    refused = [row for row in made.write_only if name not in CHANGES and is_refused(name, *row)]
    made.write_only = [row for row in made.write_only if row not in refused]
    for key, scalar, code in refused:
        print(f"{name}: U+{scalar:04X} is not written as {code.hex().upper()}", file=sys.stderr)
    keeps = lambda key: True
    if base := BASE.get(name):
        other = mapping_of(base)
        place = shifted if name in SHIFTED else lambda key: key
        doubles = lambda one: {key: (found, key in one.read_only) for key, found in one.read.items() if len(key) == 3}
        ours = doubles(made)
        # Leave out planes that the encoding does not have.
        planes = {key[0] for key in ours}
        theirs = {place(key): found for key, found in doubles(other).items() if place(key) and key[0] in planes}
        made.removed = theirs.keys() - ours.keys()
        keeps = lambda key: len(key) == 2 or ours.get(key) != theirs.get(key)
    with open(os.path.join(HERE, name + ".txt"), "w") as file:
        file.write(made.text(head(name, made, arguments), keeps))


def pack(name):
    with open(os.path.join(HERE, name + ".txt")) as file:
        made = Mapping.of_text(file.read())
    with open(os.path.join(HERE, name + ".bin"), "wb") as file:
        file.write(made.packed(PUBLISHED[name][3] if name in PUBLISHED else ENCODINGS[name][2]))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--glibc", action="store_true")
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--pack", action="store_true")
    parser.add_argument("--ucm")
    parser.add_argument("--libiconv")
    parser.add_argument("--charmaps", default="/usr/share/i18n/charmaps")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    for name in arguments.names or [*ENCODINGS, *PUBLISHED]:
        if arguments.glibc and name in ENCODINGS:
            write(name, arguments)
        if arguments.published and name in PUBLISHED:
            write_published(name, arguments)
        if arguments.pack:
            pack(name)


if __name__ == "__main__":
    main()
