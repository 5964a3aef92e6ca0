"""Computes the expected output of --stats for a random text, with Python's codecs.

stats_peer.py FILE ENCODING SIGNATURE TARGET SEED NAMES writes random text in ENCODING to FILE, after the bytes SIGNATURE
(hexadecimal). If ENCODING is UTF-8, the text has ill-formed sequences. Prints the statistics of the text without the
scripts. If NAMES is true, characters without a glyph are printed with their names.
"""
import random
import sys
import unicodedata

name, encoding, signature, target, seed, has_names = sys.argv[1:]
source, target = (which.split("=") for which in (encoding, target))
choose = random.Random(int(seed))

# Bytes of an ill-formed sequence, the number of columns, and the kind, in the order of reports.
FAULTS = [
    (b"\xFF", 1, "never-used byte"),
    (b"\x80", 1, "unexpected continuation"),
    (b"\xC0\xAF", 2, "non-shortest form"),
    (b"\xED\xA0\x80", 3, "surrogate"),
    (b"\xF4\x90\x80\x80", 4, "above U+10FFFF"),
    (b"\xE6\x97", 1, "truncated"),
]
ALPHABET = "ab <\0\t\x1B\n\n\r\r\n\x7F\x85\x9Bé߀яЖא日本語ｱ한\u2028\u2029\u200B\u202E\uE000\uFEFF\uFFFD𠀀😀\U0010FFFF"


# Names for characters without a Name in Unicode.
OTHERS = {
    "\0": "NULL",
    "\t": "CHARACTER TABULATION",
    "\n": "LINE FEED",
    "\r": "CARRIAGE RETURN",
    "\x1B": "ESCAPE",
    "\x7F": "DELETE",
    "\x85": "NEXT LINE",
    "\x9B": "CONTROL SEQUENCE INTRODUCER",
    "\uE000": "(private use)",
    "\U0010FFFF": "(noncharacter)",
}


def has(codec, scalar):
    try:
        scalar.encode(codec)
        return True
    except UnicodeEncodeError:
        return False


alphabet = [scalar for scalar in ALPHABET if has(source[1], scalar)]
alphabet = choose.sample(alphabet, choose.randrange(1, len(alphabet) + 1))
data = bytes.fromhex(signature)
line, column = 1, 1
counts, first, faults, invalid = {}, {}, {}, 0
crlf, last = 0, ""
for _ in range(choose.randrange(choose.choice([40, 400, 9000]))):
    if source[1] == "utf-8" and choose.random() < 0.05:
        bytes_, columns, kind = choose.choice(FAULTS)
        faults[kind] = faults.get(kind, 0) + 1
        data += bytes_
        invalid += len(bytes_)
        column += columns
        # A continuation byte must not follow a truncated sequence, so an ASCII character ends it.
        scalar = "x"
        last = ""
    else:
        # The first character must not be U+FEFF, which would be a BOM.
        scalar = choose.choice(alphabet if data else [s for s in alphabet if s != "\uFEFF"] or ["a"])
    first.setdefault(scalar, (line, column, len(data)))
    counts[scalar] = counts.get(scalar, 0) + 1
    data += scalar.encode(source[1])
    crlf += last + scalar == "\r\n"
    line, column = (line + 1, 1) if scalar == "\n" else (line, column + 1)
    last = scalar
with open(name, "wb") as file:
    file.write(data)


def listed(items):
    return ", ".join(items) or "none"


def counted(count, what):
    return f"{count} {what}" + ("" if count == 1 else "s")


def place(scalar):
    line, column, at = first[scalar]
    return f"first at {name}:{line}:{column} (byte {at})"


def shown(scalar):
    inert = scalar in " <" or scalar.isalnum() or scalar in "€\uFFFD😀"
    if inert:
        return f'U+{ord(scalar):04X} "{scalar}"'
    called = OTHERS.get(scalar) or unicodedata.name(scalar)
    return f"U+{ord(scalar):04X}" + (f" {called}" if has_names == "true" else "")


total = sum(counts.values())
lengths = [sum(n for scalar, n in counts.items() if len(scalar.encode()) == length) for length in range(1, 5)]
lengths = [f"{n} of {counted(length, 'byte')}" for length, n in enumerate(lengths, 1) if n]
without = f", without {counted(invalid, 'invalid byte')}" if invalid else ""
print(f"files: 1\nbytes: {len(data)}\ncharacters: {total}{without}; in UTF-8: {listed(lengths)}")
if counts:
    print(f"highest: {shown(max(counts))}, {place(max(counts))}")
print(f"BOMs: {'1 ' + source[0] if signature else 'none'}")
of = lambda scalar: counts.get(scalar, 0)
newlines = [f"{of(chr(10)) - crlf} LF", f"{crlf} CRLF", f"{of(chr(13)) - crlf} CR"]
newlines += [f"{of(s)} {name}" for s, name in (("\x85", "NEL"), ("\u2028", "LS"), ("\u2029", "PS")) if of(s)]
print(f"newlines: {listed(newlines)}")
print(f"errors: {listed(f'{faults[kind]} {kind}' for *_, kind in FAULTS if kind in faults)}")
lost = sorted((scalar for scalar in counts if not has(target[1], scalar)), key=lambda s: (-counts[s], s))
none = "none of the valid characters" if faults else "none"
places = counted(sum(counts[scalar] for scalar in lost), "place")
characters = "1 character" if len(lost) == 1 else f"{len(lost)} different characters"
print(f"cannot be encoded in {target[0]}: " + (f"{characters} in {places}" if lost else none))
for scalar in lost:
    print(f"  {shown(scalar)}: {counted(counts[scalar], 'time')}, {place(scalar)}")
