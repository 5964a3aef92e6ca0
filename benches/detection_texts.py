#!/usr/bin/env python3
"""Writes labeled corpora for detection.py from UTF-8 files of Debian and npm packages.

    detection_texts.py --fetch PACKAGES   downloads and unpacks them (apt-get download, npm pack)
    detection_texts.py PACKAGES DIR       encodes pieces of the files in the legacy encodings of their languages

    DIR/help/SIZE   pages of the help of GNOME and GIMP (Debian packages), with their markup
    DIR/data/SIZE   translations, names and words as data: sources of JavaScript, JSON, word lists and affix files (npm packages)

SIZE is 50, 200 or 2000 bytes, or whole. A piece has at least two non-ASCII characters, starts and ends at characters, and is
in a directory that is named after its encoding. The seed is fixed, so the same packages give the same files.
"""

import collections
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from detection_corpora import CENTRAL, DISPUTED, ENCODINGS, SEED, WESTERN, as_written, is_twice_encoded, name_of  # noqa: E402

DEBIAN = "gnome-user-docs gimp-help-de gimp-help-ja gimp-help-ko gimp-help-ru gimp-help-zh-cn".split()
NPM = (
    "tinymce-i18n moment date-fns i18n-iso-countries cldr-localenames-modern @faker-js/faker flatpickr dictionary-cs dictionary-de dictionary-fr"
    " dictionary-pl dictionary-ru dictionary-uk dictionary-ro dictionary-pt dictionary-es dictionary-it dictionary-el dictionary-tr dictionary-lv"
    " dictionary-lt dictionary-bg"
).split()
SIZES = ("50", "200", "2000", "whole")
EACH = 1200  # maximum number of files per size
BALTIC = ["cp1257", "iso8859-13"]
CODECS = {
    **ENCODINGS, "is": WESTERN, "eu": WESTERN, "gl": WESTERN, "af": WESTERN, "nn": WESTERN, "hr": CENTRAL, "sk": CENTRAL, "sl": CENTRAL, "lt": BALTIC,
    "lv": BALTIC, "et": [*BALTIC, "iso8859-15"], "he": ["cp1255", "iso8859-8"], "ar": ["cp1256", "iso8859-6"], "th": ["cp874"], "be": ["cp1251", "iso8859-5"],
    "kk": ["kz1048"], "ro": ["cp1250", "iso8859-2", "iso8859-16"],
}  # fmt: skip
EAST_ASIAN = ("cp932", "euc_jp", "cp949", "big5", "gbk", "gb18030")
# Matches de, pt_BR, zh-CN, dictionary-ru-3.0.0.tgz, de-CaTyBoah.js and fr.json.
LANGUAGE = re.compile(r"(?:dictionary-)?([a-z]{2})(?:[-_]([A-Za-z]{2})(?![A-Za-z]))?(?:[-.].*)?")


def fetch(folder):
    for kind in ("help", "data"):
        Path(folder, kind).mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", *DEBIAN], cwd=Path(folder, "help"), check=True)
    for package in sorted(Path(folder, "help").glob("*.deb")):
        subprocess.run(["dpkg", "-x", package.name, "unpacked"], cwd=package.parent, check=True)
    subprocess.run(["npm", "pack", *NPM], cwd=Path(folder, "data"), check=True)
    for package in sorted(Path(folder, "data").glob("*.tgz")):
        target = package.parent / "unpacked" / package.stem
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "xzf", package, "-C", target], check=True)


def language_of(path):
    """Returns the language that the name of a file or of a parent directory names."""
    for part in reversed(path.parts):
        if found := LANGUAGE.fullmatch(part):
            code, region = found[1], (found[2] or "").upper()
            code = {"zh": "zh_TW" if region in ("TW", "HK") or "hant" in part.lower() else "zh_CN", "no": "nb"}.get(code, code)
            if code in CODECS and code != "en":
                return code
    return None


def documents(folder):
    """Yields the UTF-8 texts below a folder, each with its path and language."""
    for path in sorted(Path(folder).rglob("*")):
        if not path.is_file() or path.is_symlink() or path.suffix not in (".page", ".html", ".js", ".json", ".dic", ".aff", ".txt"):
            continue
        language = language_of(path.relative_to(folder))
        text = path.read_bytes().decode("utf-8", "replace")
        others = sum(char > "\x7f" for char in text)
        if language and others > 20 and "\ufffd" not in text and not is_twice_encoded(text):
            yield path, language, re.sub(r"(?i)((charset|encoding|coding)[:=] *[\"']?|^SET )utf-?8", r"\1", text, flags=re.MULTILINE)


def piece_of(dice, text, size):
    """Returns about `size` characters of a text, two of them non-ASCII or more; None if none are found, the whole text for size
    "whole"."""
    if size == "whole":
        return text[:1 << 20]
    for _ in range(30):
        at = dice.randrange(max(1, len(text) - int(size)))
        piece = text[at : at + int(size)]
        if sum(char > "\x7f" for char in piece) >= 2:
            return piece
    return None


def encoded(text, codec, language):
    """Returns the encoded text without the lines that the encoding cannot write; None if more than a tenth of the lines are
    left out."""
    text = as_written(text, codec, language)
    good, bad = [], 0
    for line in text.splitlines(True):
        try:
            line.encode(codec)
        except UnicodeEncodeError:
            bad += 1
            continue
        if codec not in EAST_ASIAN or not DISPUTED.search(line):
            good.append(line)
    text = "".join(good)
    return text.encode(codec) if 10 * bad <= len(good) and sum(char > "\x7f" for char in text) >= 2 else None


def write(folder, out):
    dice = random.Random(SEED)
    by_language = collections.defaultdict(list)
    for path, language, text in documents(folder):
        by_language[language].append((path, text))
    pairs = [(language, codec) for language in sorted(by_language) for codec in CODECS[language] if codec != "iso2022_jp"]
    for size in SIZES:
        number = 0
        for turn in range(EACH):
            language, codec = pairs[turn % len(pairs)]
            for _ in range(20):
                path, text = dice.choice(by_language[language])
                piece = piece_of(dice, text, size)
                data = piece and encoded(piece, codec, language)
                if data:
                    break
            else:
                continue
            if turn % 4 == 0 and codec.startswith("cp"):
                data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            target = Path(out, size, language, name_of(codec), f"{number:04}-{path.name}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            number += 1
        print(out, size, number, "files")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--fetch":
        return fetch(sys.argv[2])
    for kind in ("help", "data"):
        write(Path(sys.argv[1], kind, "unpacked"), Path(sys.argv[2], kind))
    return 0


if __name__ == "__main__":
    sys.exit(main())
