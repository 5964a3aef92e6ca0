#!/usr/bin/env python3
"""Writes source code with few non-ASCII characters, and short texts, as labeled corpora for detection.py.

    detection_sources.py DIR [CODE...]

The code is 10 to 40 lines of a file below the directories CODE, by default the standard library of this Python and
/usr/include. The comments are one-line translations from gettext's catalogs in /usr/share/locale, which most Debian
packages install. The files are in directories named after encodings:

    DIR/comments    1,200 files in eight encodings: code, and a comment with 1 to 5 non-ASCII characters
    DIR/a0          384 files in code pages of DOS: code, and one to three comments whose only non-ASCII character is the
                    letter of the byte A0, which is a no-break space in windows-1252
    DIR/prose       300 files in macintosh and ISO-8859-2: 5 to 20 translations without code

The seed is fixed, so the same packages give the same files.
"""

import argparse
import random
import re
import sys
import sysconfig
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from detection_corpora import SEED, as_written, lines_of, name_of  # noqa: E402

LOCALE = "/usr/share/locale"
CODE = [sysconfig.get_path("stdlib"), "/usr/include"]
WEST = ("de", "es", "fr", "it", "pt_BR", "sv")
CENTER = ("cs", "hu", "pl", "sk")
# Encodings by Python's names, with the languages of gettext that are written in them.
COMMENTS = {
    "cp1252": WEST, "cp1251": ("bg", "ru", "uk"), "gbk": ("zh_CN",), "cp932": ("ja",), "cp949": ("ko",), "cp866": ("bg", "ru"),
    "cp852": CENTER, "mac_roman": WEST,
}  # fmt: skip
A0 = {"cp437": ("es", "hu"), "cp850": ("es", "pt_BR"), "cp852": ("cs", "hu", "sk"), "cp860": ("pt_BR",)}
PROSE = {"mac_roman": WEST, "iso8859-2": CENTER}
NAMES = {"mac_roman": "macintosh", "cp932": "shift_jis", "cp949": "euc-kr"}
START_OF_COMMENT = {".c": "//", ".cpp": "//", ".h": "//", ".js": "//", ".rs": "//", ".py": "#", ".sh": "#"}


def codes(dice, folders):
    """Yields, without an end, 10 to 40 lines of a source file in ASCII, and the characters that start a comment in it."""
    paths = [path for folder in folders for path in sorted(Path(folder).rglob("*")) if path.suffix in START_OF_COMMENT]
    paths = [path for path in paths if path.is_file() and "site-packages" not in path.parts]
    while True:
        path = dice.choice(paths)
        lines = path.read_bytes().splitlines()
        size = dice.randint(10, 40)
        at = dice.randrange(max(1, len(lines) - size))
        part = lines[at : at + size]
        if len(part) == size and all(line.isascii() for line in part) and sum(map(len, part)) > 100:
            yield part, START_OF_COMMENT[path.suffix]


def translations(languages, codec):
    """Returns, by language, the translations of one line that an encoding can write."""
    found = {}
    for code in languages:
        lines = (as_written(text, codec, code) for text in dict.fromkeys(lines_of(LOCALE, code)))
        found[code] = [text for text in lines if "\n" not in text and can_write(codec, text)]
    return found


def can_write(codec, text):
    try:
        return not text.encode(codec).isascii()
    except UnicodeEncodeError:
        return False


def others(text):
    """Returns the non-ASCII characters of a text."""
    return [char for char in text if not char.isascii()]


def write(folder, codec, number, data):
    target = Path(folder, NAMES.get(codec) or name_of(codec), f"{number:03}.txt")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def with_comments(dice, code, texts, codec):
    """Returns code with comments, each inserted before a random line."""
    lines, start = code
    lines = list(lines)
    for text in texts:
        lines.insert(dice.randrange(len(lines)), f"{start} {text}".encode(codec))
    return b"\n".join(lines) + b"\n"


def write_comments(dice, code, folder, each=150):
    for codec, languages in COMMENTS.items():
        known = {language: [text for text in texts if len(others(text)) <= 5] for language, texts in translations(languages, codec).items()}
        for number in range(each):
            text = dice.choice(known[languages[number % len(languages)]])
            write(folder, codec, number, with_comments(dice, next(code), [text], codec))


def write_a0(dice, code, folder, each=96):
    for codec, languages in A0.items():
        letter = b"\xa0".decode(codec)
        known = {language: [text for text in texts if set(others(text)) == {letter}] for language, texts in translations(languages, codec).items()}
        for number in range(each):
            texts = dice.sample(known[languages[number % len(languages)]], 1 + number % 3)
            write(folder, codec, number, with_comments(dice, next(code), texts, codec))


def write_prose(dice, folder, each=150):
    for codec, languages in PROSE.items():
        known = translations(languages, codec)
        for number in range(each):
            texts = dice.sample(known[languages[number % len(languages)]], dice.randint(5, 20))
            write(folder, codec, number, "\n".join([*texts, ""]).encode(codec))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", metavar="DIR", help="where to write")
    parser.add_argument("code", nargs="*", default=CODE, metavar="CODE", help="directories of source files")
    args = parser.parse_args()
    dice = random.Random(SEED)
    code = codes(dice, args.code)
    write_comments(dice, code, Path(args.folder, "comments"))
    write_a0(dice, code, Path(args.folder, "a0"))
    write_prose(dice, Path(args.folder, "prose"))


if __name__ == "__main__":
    main()
