#!/usr/bin/env python3
"""Compares iconv(3) of a shared library with that of the C library, in calls with random texts and random room.

    compare.py LIBRARY [--calls N] [--seed N] [--show N] [--tables N]

Each text is first converted as a whole. If the results differ, tables differ, which the tests of encodings list
(tests/differences-legacy.md), so the text is not used; texts are counted by their encodings, with the difference of the
first text. All other texts are converted in calls of random sizes. Encodings without state must agree in each call: result,
errno, bytes taken, bytes written. Encodings that have shift states or hold characters back may write earlier or later, and
must agree at the end: bytes written, and whether there was an error. Known differences are listed with their reasons; any
other difference fails.
"""

import argparse
import collections
import ctypes
import random
import sys

STATELESS = """UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-4 ISO-8859-1 ASCII CP1252 KOI8-R CP1251
    SHIFT_JIS CP932 EUC-JP GBK GB18030 BIG5 EUC-KR UHC EUC-TW IBM037 ISO-8859-8 JOHAB""".split()
STATEFUL = """CP1258 TCVN5712-1 BIG5-HKSCS EUC-JISX0213 SHIFT_JISX0213 ISO-2022-JP ISO-2022-KR ISO-2022-JP-3 UTF-7
    IBM930 IBM933""".split()
LETTERS = ["abc xyz01\n", "éàüßñç", "Ждпривет", "日本語文字かなカナ", "한국어", "中文字符", "–—“”€", "😀𝄞", "\u0304\u0301ÊêaơƠ",
           "ｱｲﾊﾞ", "\ufeff", "\u309aかと˩˥", "𠀋\U0002f81a\U000e0001\U000e0041\U000e007f\U000e0100\U000f0000\U0010fffd"]
ERRORS = {0: "", 7: "E2BIG", 22: "EINVAL", 84: "EILSEQ"}
INVALID = ctypes.c_size_t(-1).value
AMPLE = 4096

Answer = collections.namedtuple("Answer", "result error read written")


class Library:
    def __init__(self, path):
        library = ctypes.CDLL(path, use_errno=True)
        self.open_, self.iconv, self.close = library.iconv_open, library.iconv, library.iconv_close
        self.open_.argtypes, self.open_.restype = [ctypes.c_char_p] * 2, ctypes.c_void_p
        self.iconv.argtypes, self.iconv.restype = [ctypes.c_void_p] * 5, ctypes.c_size_t
        self.close.argtypes = [ctypes.c_void_p]

    def open(self, to, source):
        descriptor = self.open_(to.encode(), source.encode())
        if descriptor == INVALID:
            sys.exit(f"iconv_open({to}, {source}) failed")
        return descriptor

    def call(self, descriptor, text, room):
        """Makes one call; a text of None resets the descriptor."""
        ends = text is None
        source = ctypes.create_string_buffer(text or b"", len(text or b"") + 1)
        # Bytes after the room must stay unchanged.
        sink = ctypes.create_string_buffer(b"\xAA" * (room + 16), room + 16)
        at, left = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_size_t(len(text or b""))
        to, room_left = ctypes.c_void_p(ctypes.addressof(sink)), ctypes.c_size_t(room)
        refs = [None, None] if ends else [ctypes.byref(at), ctypes.byref(left)]
        ctypes.set_errno(0)
        result = self.iconv(descriptor, *refs, ctypes.byref(to), ctypes.byref(room_left))
        error = ERRORS[ctypes.get_errno()] if result == INVALID else ""
        read, written = len(text or b"") - left.value, room - room_left.value
        if at.value - ctypes.addressof(source) != read or to.value - ctypes.addressof(sink) != written:
            sys.exit("a pointer and a size were moved by different numbers")
        if sink.raw[room:] != b"\xAA" * 16:
            sys.exit("written beyond the room")
        return Answer(result, error, read, sink.raw[:written])

    def whole(self, to, source, text):
        """Converts a whole text with ample room. Returns the bytes written, the first error, and its offset."""
        descriptor = self.open(to, source)
        answer = self.call(descriptor, text, AMPLE)
        end = self.call(descriptor, None, AMPLE)
        self.close(descriptor)
        return answer.written + end.written, answer.error, answer.read, answer.result

    def in_steps(self, to, source, text, rooms):
        """Converts a whole text in calls with the given rooms, then with ample room. Returns the bytes written, and the
        error at the end."""
        descriptor, at, written = self.open(to, source), 0, b""
        for room in [*rooms, AMPLE, AMPLE]:
            answer = self.call(descriptor, text[at:], room)
            at, written = at + answer.read, written + answer.written
            if answer.error != "E2BIG":
                break
        written += self.call(descriptor, None, AMPLE).written
        self.close(descriptor)
        return written, answer.error


def listed(source, text, theirs, ours):
    """Returns the reason of a known difference in one call, or None if the difference is unknown."""
    same_so_far = (theirs.read, theirs.written) == (ours.read, ours.written)
    errors = {theirs.error, ours.error}
    if same_so_far and errors == {"E2BIG", "EILSEQ"}:
        return "no room for a character that cannot be encoded: either error"
    if same_so_far and errors == {"EINVAL", "EILSEQ"}:
        return "a sequence that is ill-formed, whatever follows, is cut: glibc may ask for more"
    return has_second_bom(source, text)


def has_second_bom(source, text):
    boms = [b"\xFF\xFE", b"\xFE\xFF"]
    if source in ("UTF-16", "UTF-32") and any(bom in text[:8] for bom in boms):
        return "after a call without room, glibc looks for a BOM again"
    return None


def listed_in_the_end(source, target, text):
    """Returns the reason of a known difference in the whole output, or None if the difference is unknown."""
    if source in ("EUC-JISX0213", "SHIFT_JISX0213", "ISO-2022-JP-3"):
        return "without room, glibc repeats the second of two characters that share a code"
    if target == "ISO-2022-JP-3":
        return "without room, glibc loses the escape sequence before a character that it holds back"
    return has_second_bom(source, text)


def difference(text, theirs, ours):
    """Describes the difference between two results for a whole text."""
    names = ["written", "error", "read", "result"]
    parts = [f"{name} {shown(a)}, here {shown(b)}" for name, a, b in zip(names, theirs, ours) if a != b]
    return f"{shown(text)}: {'; '.join(parts)}"


def shown(value):
    if isinstance(value, bytes):
        return value.hex(" ") or "nothing"
    return {INVALID: "-1", "": "no error"}.get(value, value)


def random_text(letters):
    return "".join(letters.choice(letters.choice(LETTERS)) for _ in range(letters.randrange(12)))


def source_bytes(library, encoding, chance):
    """Returns a random text in an encoding, without characters that it lacks, and sometimes damaged."""
    descriptor, text = library.open(encoding, "UTF-8"), b""
    for character in random_text(chance):
        text += library.call(descriptor, character.encode(), 64).written
    text = bytearray(text + library.call(descriptor, None, 64).written)
    library.close(descriptor)
    for _ in range(chance.choice([0, 0, 1, 2])):
        at = chance.randrange(len(text) + 1)
        if chance.random() < 0.5:
            text[at:at + 1] = bytes([chance.randrange(256)])
        else:
            del text[at:at + 1]
    return bytes(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--tables", type=int, default=10, help="pairs whose tables differ that are shown (10)")
    options = parser.parse_args()
    theirs, ours = Library(None), Library(options.library)
    chance = random.Random(options.seed)
    counts, failures, calls = collections.Counter(), 0, 0
    tables, examples = collections.Counter(), {}

    def fail(*what):
        nonlocal failures
        failures += 1
        if failures <= options.show:
            print(*what, sep="\n  ")

    while calls < options.calls:
        source, target = chance.choice(STATELESS + STATEFUL), chance.choice(STATELESS + STATEFUL)
        to = target + chance.choice(["", "", "", "//IGNORE", "//TRANSLIT"])
        text = source_bytes(theirs, source, chance)
        counts["texts"] += 1
        whole = theirs.whole(to, source, text)
        own = ours.whole(to, source, text)
        if whole != own:
            counts["texts whose tables differ"] += 1
            tables[source, to] += 1
            examples.setdefault((source, to), difference(text, whole, own))
            continue
        rooms = [chance.choice([0, 1, 2, 3, 4, 5, 6, 8, 12, 20, 64]) for _ in range(chance.randrange(8))]
        if to != target or source in STATEFUL or target in STATEFUL:
            # If the room ends, glibc forgets what it has written with //IGNORE, and its state with //TRANSLIT.
            if to.endswith("//IGNORE") or to != target and {source, target} & set(STATEFUL):
                rooms = []
            results = [library.in_steps(to, source, text, rooms) for library in (theirs, ours)]
            calls += len(rooms) + 2
            if results[0] != results[1]:
                reason = listed_in_the_end(source, target, text)
                counts[reason] += 1
                if reason is None:
                    fail((source, to, text, rooms), *results)
            continue
        descriptors = [(library, library.open(to, source)) for library in (theirs, ours)]
        at = 0
        for room in [*rooms, AMPLE]:
            resets = chance.random() < 0.05
            chunk = None if resets else text[at:at + chance.randrange(len(text) - at + 1)]
            answers = [library.call(descriptor, chunk, room) for library, descriptor in descriptors]
            calls += 1
            if answers[0] != answers[1]:
                reason = listed(source, text, *answers)
                counts[reason] += 1
                if reason is None:
                    fail((source, to, text, chunk, room), *answers)
                break
            at += answers[0].read
            # The state after an error is not specified.
            if answers[0].error == "EILSEQ":
                break
        for library, descriptor in descriptors:
            library.close(descriptor)
    print(f"{calls} calls, {failures} unlisted differences")
    for reason, count in counts.most_common():
        print(f"{count:8} {reason or 'UNLISTED'}")
    for (source, to), count in tables.most_common(options.tables):
        print(f"{count:8} {source} to {to}, such as {examples[source, to]}")
    sys.exit(failures > 0)


main()
