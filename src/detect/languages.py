#!/usr/bin/env python3
"""Writes languages.txt, the statistics of languages: `languages.py > languages.txt`.

They are counted in the translated messages of Debian's programs, /usr/share/locale/*/LC_MESSAGES/*.mo. A catalogue is
counted or measured with, never both: half of them, chosen by their names, are left to benches/detect.py.

A language is two lines: its name with its characters that are not ASCII, small ones; and what it costs, in quarters of
the natural logarithm of the probability, that a class of characters is followed by another. Classes are what separates
words (in ASCII), then the letters of ASCII (each, or `~`: all as one), then those characters. The table is row by row
of what goes before, without the cells in which both are ASCII; a digit of it is a character from `0` on.

Of the languages with thousands of characters there is no such table: the second line begins with `=`, and has the
characters by falling frequency, in groups set apart by blanks, each of half the probability of the one before.
"""

import collections
import gettext
import glob
import hashlib
import math
import os
import sys
import unicodedata

LATIN = "ca cs da de es et fi fr ga hr hu is it lt lv nb nl pl pt ro sk sl sq sv tr vi".split()
OTHERS = "ar be bg el fa he mk ru sr th uk".split()
IDEOGRAPHIC = "ja ko zh_CN zh_TW".split()
MOST = 900_000  # characters of a language
SEPARATOR, LETTER = 0, 1
HORNS = {"\u031b", "\u0302", "\u0306"}  # part of Vietnamese letters in windows-1258; tone marks stand apart


def is_for_training(path):
    """By the name of the program, in all languages alike."""
    return hashlib.sha256(os.path.basename(path).encode()).digest()[0] % 2 == 0


def messages(language, training):
    """The translated messages, one behind the other."""
    seen, size = set(), 0
    for path in sorted(glob.glob(f"/usr/share/locale/{language}/LC_MESSAGES/*.mo")):
        # Lists of names are no text.
        if is_for_training(path) != training or os.path.basename(path).startswith("iso_"):
            continue
        try:
            with open(path, "rb") as file:
                catalogue = gettext.GNUTranslations(file)._catalog
        except (OSError, ValueError, IndexError):
            continue
        for key, text in catalogue.items():
            if key and key != text and isinstance(text, str) and text not in seen:
                seen.add(text)
                yield text


def as_written(text, language):
    """Text as pages of single bytes have it."""
    text = unicodedata.normalize("NFC", text)
    if language == "ro":
        text = text.translate(str.maketrans("șțȘȚ", "şţŞŢ"))
    if language == "vi":
        parts = []
        for char in unicodedata.normalize("NFD", text):
            parts.append(char)
            if char in HORNS:
                # Behind a mark below, which the order of marks has put before it.
                marks = [parts.pop()]
                while parts and unicodedata.combining(parts[-1]):
                    marks.append(parts.pop())
                base = unicodedata.normalize("NFC", parts.pop() + marks[0])
                parts += [base, *reversed(marks[1:])]
        text = "".join(parts).replace("d\u0335", "đ")
    return text


def collected(language, training=True):
    texts, size = [], 0
    for text in messages(language, training):
        texts.append(as_written(text, language))
        size += len(text)
        if size > MOST:
            break
    return "\n".join(texts).replace("İ", "i")


def table(language, is_latin):
    text = collected(language).lower()
    counts = collections.Counter(char for char in text if char > "\x7f" and char not in "\xa0\ufffd")
    total = sum(counts.values())
    # Other letters are of loan words and names.
    chars = sorted(char for char, count in counts.items() if count >= max(8, total / 1000))
    first = SEPARATOR + 1 + (26 if is_latin else 1)
    place = {char: first + at for at, char in enumerate(chars)}

    def class_of(char):
        if char in place:
            return place[char]
        if "a" <= char <= "z":
            return LETTER + (ord(char) - ord("a") if is_latin else 0)
        return SEPARATOR

    size = first + len(chars)
    pairs = [[0] * size for _ in range(size)]
    before = SEPARATOR
    for char in text:
        now = class_of(char)
        pairs[before][now] += 1
        before = now
    singles = [sum(row[now] for row in pairs) for now in range(size)]
    everything = sum(singles)
    digits = []
    for before in range(size):
        in_row = sum(pairs[before])
        for now in range(size):
            if before < first and now < first:
                continue
            likely = (pairs[before][now] + 20 * singles[now] / everything + 0.01) / (in_row + 20)
            digits.append(chr(ord("0") + min(60, round(-4 * math.log(likely)))))
    print(language, "" if is_latin else "~", *chars, sep="")
    print("".join(digits))


def groups(language):
    text = collected(language)
    counts = collections.Counter(char for char in text if char > "\x7f" and char not in "\xa0\ufffd")
    total, rows = sum(counts.values()), collections.defaultdict(list)
    for char, count in sorted(counts.most_common(1500)):
        rows[int(-math.log2(count / total))].append(char)
    print(language)
    print("=" + " ".join("".join(rows[level]) for level in range(max(rows) + 1)))


def main():
    for language in LATIN + OTHERS:
        table(language, language in LATIN)
    for language in IDEOGRAPHIC:
        groups(language)


if __name__ == "__main__":
    sys.exit(main())
