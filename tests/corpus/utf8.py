#!/usr/bin/env python3
"""Finds faults in UTF-8 without a codec: a second implementation to compare `utfconv check` with.

Well-formedness is defined by table 3-7 of The Unicode Standard. A fault is the sequence that was probably intended: a
lead byte with as many continuation bytes as RFC 2279 allows after it. The kind of a fault depends on the code points
that the sequence can encode. Columns count scalar values after the last line feed. In a fault they count maximal
subparts (definition D93b), the longest prefixes of rows of the table. A BOM takes no column.

Run as a program, the module tests itself with vectors written by hand and with random bytes, for which Python's codec
must agree on well-formedness, the first fault and the number of maximal subparts.
"""

import collections
import random
import re
import sys

# Table 3-7 of The Unicode Standard, row by row.
ROWS = """
00..7F
C2..DF 80..BF
E0     A0..BF 80..BF
E1..EC 80..BF 80..BF
ED     80..9F 80..BF
EE..EF 80..BF 80..BF
F0     90..BF 80..BF 80..BF
F1..F3 80..BF 80..BF 80..BF
F4     80..8F 80..BF 80..BF
"""
SIGNATURE = b"\xef\xbb\xbf"
CONTINUATION = bytes(range(0x80, 0xC0))

Fault = collections.namedtuple("Fault", "offset line column bytes kind")


def classes():
    """Returns each row of the table as a list of character classes for regular expressions."""
    for row in ROWS.split("\n"):
        if row:
            bounds = [cell.partition("..") for cell in row.split()]
            yield [rf"[\x{low}-\x{high or low}]" for low, _, high in bounds]


def beginning(cells):
    """Returns a regular expression for the longest matching prefix of a row, at least its first byte."""
    first, *rest = cells
    return first + (f"(?:{beginning(rest)})?" if rest else "")


# At most 4,096 sequences per match, because the regular expression engine keeps state for each.
RUN = re.compile(("(?:" + "|".join(f"(?:{''.join(cells)})+" for cells in classes()) + "){0,4096}").encode())
SUBPART = re.compile(("|".join(beginning(cells) for cells in classes()) + r"|[\x80-\xFF]").encode())


def end_of_run(data, at):
    """Returns the end of the run of well-formed sequences that begins at `at`."""
    while (end := RUN.match(data, at).end()) != at:
        at = end
    return at


def announced(lead):
    """Returns the length of the sequence that a lead byte announces by RFC 2279: its number of leading one bits."""
    ones = 8 - (lead ^ 0xFF).bit_length()
    return ones if 2 <= ones <= 6 else 1


def meant(sequence, wanted):
    """Returns the minimum and maximum code point of a sequence that missing bytes would complete."""
    low = high = sequence[0] & (0x7F >> wanted)
    for place in range(1, wanted):
        low, high = low << 6, high << 6 | 0x3F
        if place < len(sequence):
            low, high = low | sequence[place] & 0x3F, high & ~0x3F | sequence[place] & 0x3F
    return low, high


def kind(sequence):
    """Returns the kind of fault of an ill-formed sequence."""
    lead, wanted = sequence[0], announced(sequence[0])
    if 0x80 <= lead <= 0xBF:
        return "unexpected continuation"
    if lead >= 0xF8 or len(sequence) == 1 and not any(RUN.match(bytes([lead]) + rest).end() for rest in SAMPLES):
        return "never-used byte"
    low, high = meant(sequence, wanted)
    if high < (0, 0, 0x80, 0x800, 0x10000)[wanted]:
        return "non-shortest form"
    if 0xD800 <= low and high <= 0xDFFF:
        return "surrogate"
    if low > 0x10FFFF:
        return "above U+10FFFF"
    return "truncated"


# Any lead of the table, followed by one of these samples, is a well-formed sequence.
SAMPLES = [second + b"\x80" * more for second in (b"\x80", b"\xa0", b"\x90") for more in range(3)]


def faults(data):
    """Returns all faults of a text, in order."""
    at = line_start = len(SIGNATURE) if data.startswith(SIGNATURE) else 0
    line, before = 1, 0  # line number; number of columns of the line before `line_start`
    while True:
        end = end_of_run(data, at)
        if (feed := data.rfind(b"\n", at, end)) >= 0:
            line, before, line_start = line + data.count(b"\n", at, end), 0, feed + 1
        if end == len(data):
            return
        before += len(data[line_start:end].translate(None, CONTINUATION))
        at = end + 1
        while at < min(len(data), end + announced(data[end])) and 0x80 <= data[at] <= 0xBF:
            at += 1
        sequence = data[end:at]
        yield Fault(end, line, before + 1, sequence, kind(sequence))
        before, line_start = before + len(SUBPART.findall(sequence)), at


def examine(data):
    """Returns the list of all faults of a text. Asserts that Python's codec finds the same first fault."""
    found = list(faults(data))
    try:
        data.decode("utf-8")
        first = None
    except UnicodeDecodeError as error:
        first = error.start
    assert first == (found[0].offset if found else None), (first, found[:1])
    return found


# Bytes in hexadecimal, and the expected faults as `offset:line:column length kind`.
VECTORS = """
                                        |
41 0A C3 A9 E2 82 AC F0 9F 98 80        |
EF BB BF 41                             |
EF BB BF EF BB BF                       |
EF BB BF FF                             | 3:1:1 1 never-used byte
EF BB                                   | 0:1:1 2 truncated
80                                      | 0:1:1 1 unexpected continuation
80 BF                                   | 0:1:1 1 unexpected continuation, 1:1:2 1 unexpected continuation
41 0A E9 20                             | 2:2:1 1 truncated
63 61 66 E9 0A 93 61 94                 | 3:1:4 1 truncated, 5:2:1 1 unexpected continuation, 7:2:3 1 unexpected continuation
C0                                      | 0:1:1 1 never-used byte
C0 AF                                   | 0:1:1 2 non-shortest form
C1 BF 41 FF                             | 0:1:1 2 non-shortest form, 3:1:4 1 never-used byte
E0 80 AF FF                             | 0:1:1 3 non-shortest form, 3:1:4 1 never-used byte
E0 9F                                   | 0:1:1 2 non-shortest form
E0                                      | 0:1:1 1 truncated
E2 28                                   | 0:1:1 1 truncated
E2 82 41 FF                             | 0:1:1 2 truncated, 3:1:3 1 never-used byte
F0 9F 98 FF                             | 0:1:1 3 truncated, 3:1:2 1 never-used byte
F0 8F BF BF                             | 0:1:1 4 non-shortest form
F0 80                                   | 0:1:1 2 non-shortest form
ED A0 80                                | 0:1:1 3 surrogate
ED BF FF                                | 0:1:1 2 surrogate, 2:1:3 1 never-used byte
ED 9F                                   | 0:1:1 2 truncated
ED A0 BD ED B8 80 FF                    | 0:1:1 3 surrogate, 3:1:4 3 surrogate, 6:1:7 1 never-used byte
F4 90 80 80 FF                          | 0:1:1 4 above U+10FFFF, 4:1:5 1 never-used byte
F4 90                                   | 0:1:1 2 above U+10FFFF
F4 8F                                   | 0:1:1 2 truncated
F5                                      | 0:1:1 1 never-used byte
F5 80                                   | 0:1:1 2 above U+10FFFF
F7 BF BF BF                             | 0:1:1 4 above U+10FFFF
F8 88 80 80 80 FF                       | 0:1:1 5 never-used byte, 5:1:6 1 never-used byte
F8 88 0A 80                             | 0:1:1 2 never-used byte, 3:2:1 1 unexpected continuation
FC 84 80 80 80 80 80                    | 0:1:1 6 never-used byte, 6:1:7 1 unexpected continuation
FE 80                                   | 0:1:1 1 never-used byte, 1:1:2 1 unexpected continuation
61 F1 80 80 E1 80 C2 62 80 63 80 BF 64  | 1:1:2 3 truncated, 4:1:3 2 truncated, 6:1:4 1 truncated, 8:1:6 1 unexpected continuation, 10:1:8 1 unexpected continuation, 11:1:9 1 unexpected continuation
"""


def try_vectors():
    for vector in VECTORS.strip("\n").split("\n"):
        notation, _, expected = (part.strip() for part in vector.partition("|"))
        found = examine(bytes.fromhex(notation))
        said = [f"{f.offset}:{f.line}:{f.column} {len(f.bytes)} {f.kind}" for f in found]
        assert ", ".join(said) == expected, f"{notation}\nexpected {expected}\n     got {', '.join(said)}"


def try_random(rounds=20_000):
    dice = random.Random(3629)
    edges = bytes.fromhex("0A 41 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 F7 F8 FB FC FD FE FF")
    for _ in range(rounds):
        data = bytes(dice.choices(edges, k=dice.randrange(12)))
        found = examine(data)
        replaced = data.decode("utf-8", "replace")
        for fault in found:
            before = data[: fault.offset].decode("utf-8", "replace").rpartition("\n")[2]
            assert fault.column == len(before) + 1, (data, fault)
        assert replaced.count("\ufffd") == sum(len(SUBPART.findall(fault.bytes)) for fault in found), data


if __name__ == "__main__":
    try_vectors()
    try_random()
    sys.exit(0)
