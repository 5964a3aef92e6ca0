#!/usr/bin/env python3
"""What is wrong with a UTF-8 text and where, without a codec: a second opinion on `utfconv check`.

Well-formed is what the rows of table 3-7 of The Unicode Standard say. A fault is the sequence as it was meant: a lead
with those continuation bytes after it that it announces by RFC 2279. Its kind follows from the code points that such
a sequence can mean. A column is a scalar value since the last line feed; in a fault, a maximal subpart (definition
D93b), the longest beginning of a row of the table. The signature takes no column.

Run as a program, it tries itself on vectors written by hand and on random bytes, where Python's codec has to agree on
well-formedness, on the first fault and on the number of maximal subparts.
"""

import collections
import random
import re
import sys

# Table 3-7, as the rows stand there.
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
    """The rows as lists of character classes of regular expressions."""
    for row in ROWS.split("\n"):
        if row:
            bounds = [cell.partition("..") for cell in row.split()]
            yield [rf"[\x{low}-\x{high or low}]" for low, _, high in bounds]


def beginning(cells):
    """An expression for the longest beginning of a row that is there, at least its first byte."""
    first, *rest = cells
    return first + (f"(?:{beginning(rest)})?" if rest else "")


# So many sequences at a time, since the engine remembers each.
RUN = re.compile(("(?:" + "|".join(f"(?:{''.join(cells)})+" for cells in classes()) + "){0,4096}").encode())
SUBPART = re.compile(("|".join(beginning(cells) for cells in classes()) + r"|[\x80-\xFF]").encode())


def end_of_run(data, at):
    """Where the well-formed sequences that begin at `at` end."""
    while (end := RUN.match(data, at).end()) != at:
        at = end
    return at


def announced(lead):
    """The bytes of the sequence that a lead announces by RFC 2279: as many as it has leading ones."""
    ones = 8 - (lead ^ 0xFF).bit_length()
    return ones if 2 <= ones <= 6 else 1


def meant(sequence, wanted):
    """The least and the greatest code point that a sequence can become when the bytes that lack are added."""
    low = high = sequence[0] & (0x7F >> wanted)
    for place in range(1, wanted):
        low, high = low << 6, high << 6 | 0x3F
        if place < len(sequence):
            low, high = low | sequence[place] & 0x3F, high & ~0x3F | sequence[place] & 0x3F
    return low, high


def kind(sequence):
    """Which rule an ill-formed sequence breaks."""
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


# With one of these behind it, every lead of the table is a well-formed sequence.
SAMPLES = [second + b"\x80" * more for second in (b"\x80", b"\xa0", b"\x90") for more in range(3)]


def faults(data):
    """All faults of a text, in order."""
    at = line_start = len(SIGNATURE) if data.startswith(SIGNATURE) else 0
    line, before = 1, 0  # line number; columns of the line that are before `line_start`
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
    """All faults of a text, as a list; fails where Python's codec does not agree that there are any, and where."""
    found = list(faults(data))
    try:
        data.decode("utf-8")
        first = None
    except UnicodeDecodeError as error:
        first = error.start
    assert first == (found[0].offset if found else None), (first, found[:1])
    return found


# Bytes, and the faults as `offset:line:column length kind`.
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
