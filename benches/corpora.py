#!/usr/bin/env python3
"""Provides real texts from Debian packages for the benchmarks.

`corpora.py DIRECTORY` writes each text to a UTF-8 file in DIRECTORY, for benches/kernels, and prints the sources. The
other benchmarks import this module. Installed packages are used if there are any. Otherwise `--fetch` downloads the
packages (with apt-get, which checks their signatures; no root needed) and unpacks them in a cache directory. If a
package is missing, or no package has the language, the text comes from crates/utfconv-core/tests/data/udhr.txt, which is
short, and the output says so.

A text is the prose of its sources, in order: the lines that are mostly letters and mostly in the script of the
language, so most listings and tables are left out. Lines with characters that an encoding of the language lacks are
also left out, so that one text serves for all conversions. The emoji come from Unicode's emoji-test.txt, shuffled,
twelve to a line. Every run gives the same texts.
"""

import argparse
import gzip
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
UDHR = ROOT / "crates/utfconv-core/tests/data/udhr.txt"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "utfconv-benches"
SEED = 1948


class Source(NamedTuple):
    """A file of a Debian package, and its encoding."""

    package: str
    path: str
    codec: str = "utf-8"


class Kind(NamedTuple):
    """Sources of a text, and the name of the language in udhr.txt."""

    sources: list
    fallback: str
    share: float  # minimum share of non-ASCII characters in a line
    codecs: list = []  # Python codecs that must be able to encode every line


def guide(language, codec="utf-8"):
    package = "installation-guide-amd64"
    return Source(package, f"usr/share/doc/{package}/{language}/install.{language}.txt.gz", codec)


def reference(language):
    return Source(f"debian-reference-{language}", f"usr/share/debian-reference/debian-reference.{language}.txt.gz")


EMOJI = Source("unicode-data", "usr/share/unicode/emoji/emoji-test.txt")
KINDS = {
    "en": Kind([guide("en"), reference("en")], "English", 0, ["ascii"]),
    "latin": Kind([guide("fr"), guide("de"), guide("es"), guide("pt")], "français", 0.02, ["latin-1"]),
    "ru": Kind([guide("ru", "koi8-r")], "русский", 0.5, ["koi8-r", "windows-1251"]),
    "zh": Kind([guide("zh_CN"), reference("zh-cn")], "中文", 0.5, ["gb18030"]),
    "zh-tw": Kind([reference("zh-tw")], "中文", 0.5, ["big5"]),
    "ja": Kind([guide("ja"), reference("ja")], "日本語", 0.5, ["shift_jis", "euc-jp"]),
    "vi": Kind([guide("vi")], "Tiếng Việt", 0.1),
    "hi": Kind([], "हिन्दी", 0.5),
    "ar": Kind([], "العربية", 0.5),
    "th": Kind([], "ไทย", 0.5),
    "emoji": Kind([EMOJI], "emoji", 0, []),
}
# Characters that conversion tables of one legacy encoding map differently, and the characters that tables are drawn with.
DISPUTED = re.compile("[\\\\~|¥‾〜～−－‖∥—―…·•¢£¬]")


def found(source):
    """Returns the path of a source that is installed or was fetched, otherwise None."""
    return next((path for path in (Path("/") / source.path, CACHE / source.path) if path.is_file()), None)


def fetch():
    """Downloads and unpacks the packages whose files are missing."""
    wanted = {source.package for kind in KINDS.values() for source in kind.sources if not found(source)}
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="utfconv-fetch-") as folder:
        if wanted:
            subprocess.run(["apt-get", "download", *sorted(wanted)], cwd=folder, check=True, stdout=sys.stderr)
        for package in sorted(Path(folder).glob("*.deb")):
            unpacked = Path(folder, "unpacked")
            subprocess.run(["dpkg", "-x", package, unpacked], check=True)
            for source in (source for kind in KINDS.values() for source in kind.sources):
                if (unpacked / source.path).is_file():
                    (CACHE / source.path).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(unpacked / source.path, CACHE / source.path)
            shutil.rmtree(unpacked)


def read(path, codec):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode(codec, "replace")


def is_held(line, codec):
    try:
        return line.encode(codec).decode(codec) == line
    except UnicodeError:
        return False


def prose(text, kind):
    """Returns the lines of a text that are sentences of its language."""
    lines = []
    for line in map(str.strip, text.splitlines()):
        foreign = sum(not character.isascii() for character in line)
        letters = sum(character.isalpha() or character == " " for character in line)
        if (
            len(line) >= 10
            and letters >= 0.8 * len(line)
            and foreign >= kind.share * len(line)
            and "�" not in line
            and not DISPUTED.search(line)
            and all(is_held(line, codec) for codec in kind.codecs)
        ):
            lines.append(line + "\n")
    return "".join(lines)


def emoji(sequences):
    random.Random(SEED).shuffle(sequences)
    return "".join("".join(sequences[at : at + 12]) + "\n" for at in range(0, len(sequences), 12))


def udhr(name, kind):
    """Returns a short text of the language."""
    if name == "emoji":
        return emoji([chr(c) for c in range(0x1F300, 0x1FB00) if unicodedata.category(chr(c)) == "So"])
    paragraphs = re.findall(r"^# ([^(\n]*\S) *(?:\(.*)?\n(.*\n)", UDHR.read_text("utf-8"), re.M)
    text = next(text for language, text in paragraphs if language == kind.fallback)
    return "".join(c for c in text if all(is_held(c, codec) for codec in kind.codecs))


def text(name):
    """Returns a text, and a description of its origin."""
    kind = KINDS[name]
    paths = {source: found(source) for source in kind.sources}
    if not paths:
        return udhr(name, kind), f"SHORT: {UDHR.name}"
    if not all(paths.values()):
        lacking = ", ".join(sorted({source.package for source, path in paths.items() if not path}))
        return udhr(name, kind), f"SHORT: not from {lacking} (--fetch gets it)"
    origin = ", ".join(dict.fromkeys(source.package for source in kind.sources))
    if name == "emoji":
        tests = read(paths[EMOJI], EMOJI.codec)
        return emoji(re.findall(r"; fully-qualified\s+# (\S+)", tests)), origin
    return "".join(prose(read(path, source.codec), kind) for source, path in paths.items()), origin


def describe(name, content, origin):
    size = len(content.encode()) / 1024
    foreign = sum(not character.isascii() for character in content) / len(content)
    return f"{name}: {size:.1f} KiB, {foreign:.1%} of the characters are not ASCII, {origin}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--fetch", action="store_true", help=f"download what is not installed, to {CACHE}")
    parser.add_argument("directory", nargs="?", type=Path, help="where to write the texts")
    args = parser.parse_args()
    if not args.fetch and not args.directory:
        parser.error("nothing to do: name a directory, or --fetch")
    if args.fetch:
        fetch()
    if args.directory:
        args.directory.mkdir(parents=True, exist_ok=True)
        for name in KINDS:
            content, origin = text(name)
            (args.directory / f"{name}.txt").write_text(content, "utf-8", newline="\n")
            print(describe(name, content, origin))


if __name__ == "__main__":
    main()
