#!/usr/bin/env python3
"""Creates a directory tree of real text, some of it damaged, and a list of the kinds of all files.

The text comes from Debian's documentation, manual pages and translation catalogues under --sources. With an empty
--sources=, or if the directories have no text, it comes from files of the utfconv repository. Text is cut and joined at
line ends to give the requested number of files and megabytes. The same sources, sizes and seed give the same tree. The
list, TREE.list, has a line of JSON for each file: the name in hexadecimal, and the kind:

- clean: well-formed UTF-8, including empty files, files with a BOM, and files with a NUL after the first 8 KiB;
- damaged: ill-formed UTF-8, made by one or more of the DAMAGES;
- other: UTF-16 or UTF-32;
- binary: with a NUL in the first 8 KiB;
- hidden, ignored: damaged, but not visited by a walk. The tree also has symbolic links to damaged files.
"""

import argparse
import gettext
import gzip
import json
import os
import random
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = ["crates/utfconv-core/tests/data/udhr.txt", "README.md", "man/utfconv.1", "CHANGELOG.md"]
SOURCES = ["/usr/share/doc", "/usr/share/man", "/usr/share/locale"]
KIB = 1 << 10
SIGNATURE = b"\xef\xbb\xbf"
SNIFFED = 8 * KIB  # number of bytes at the start of a file in which a NUL makes the file binary
LARGEST_TEXT = 1 << 20

# Sequences that make a text ill-formed wherever they are inserted between two characters.
SEQUENCES = {
    "never-used": "C0|C1|F5|F6|F7|F8|FB|FC|FD|FE|FF|FF FF FF FF|FE FE|C0 41",
    "unexpected continuation": "80|BF|80 BF 80|A0 A0 A0 A0 A0 A0 A0 A0 A0",
    "non-shortest": "C0 80|C0 AF|C1 BF|E0 80 80|E0 80 AF|E0 9F BF|F0 80 80 80|F0 8F BF BF|F8 80 80 80 AF|FC 80 80 80 80 AF",
    "non-shortest, cut": "E0 80|E0 9F|F0 80|F0 8F BF|F0 80 80 41",
    "surrogate": "ED A0 80|ED AF BF|ED B0 80|ED BF BF",
    "surrogate, cut": "ED A0|ED BF",
    "CESU-8": "ED A0 BD ED B8 80|ED A0 80 ED B0 80|ED AF BF ED BF BF|ED B8 80 ED A0 BD|ED A0 BD ED A0 BD ED B8 80",
    "above the range": "F4 90 80 80|F4 BF BF BF|F5 80 80 80|F7 BF BF BF|F4 90|F5 80|F6 80 80",
    "five bytes": "F8 88 80 80 80|FB BF BF BF BF|F8 88|F8 88 80 80",
    "six bytes": "FC 84 80 80 80 80|FD BF BF BF BF BF|FC 84|FD BF BF BF BF",
    "truncated": "C2|DF|E0|E2|E2 82|ED|ED 9F|EF BB|EF BF|F0|F0 9F|F0 9F 98|F4|F4 8F|F4 8F BF",
    "truncated before another": "E2 82 E2 82 AC|F0 9F 98 F0 9F 98 80|C2 C2 A9|E2 C2 A9|F0 9F E2 82 C3 C3 A9",
    "windows-1252": "93 71 75 6F 74 65 64 94|63 61 66 E9|96 20|85 20|92 73|80 20 35 30|6E 61 EF 76 65|FC 62 65 72|DF 20|A9 20",
    "table 3-8": "C0 AF E0 80 BF F0 81 82 41",
    "table 3-9": "ED A0 80 ED BF BF ED AF 41",
    "table 3-10": "F4 91 92 93 FF 41 80 BF 42",
    "table 3-11": "E1 80 E2 F0 91 92 F1 BF 41",
}
LEGACY = ["windows-1252", "iso8859-15", "windows-1251", "koi8-r", "shift_jis", "gbk", "euc-jp", "euc-kr", "cp437"]
WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
MARKS = dict(zip(WIDE, (b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff")))
ODD_NAMES = [
    b"with blank.txt", b"100%.txt", b"a,b.txt", b"colon:1:2.txt", b"<&>\"'.txt", "naïve 日本.txt".encode(), b"-dash.txt",
    b"latin1-\xe9.txt", b"#hash?.txt", b"back\\slash.txt", b"new\nline.txt", b"::error::.txt", b"bell\x07.txt", b"]]>.txt",
]


def is_well_formed(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def text_of(path):
    """Returns the text of a file as UTF-8; empty if the file has no text."""
    try:
        data = Path(path).read_bytes()[: 8 << 20]
        if path.endswith(".mo"):
            with open(path, "rb") as file:
                catalogue = gettext.GNUTranslations(file)._catalog
            pairs = ((key, value) for key, value in catalogue.items() if isinstance(key, str))
            data = "".join(f"msgid {json.dumps(k)}\nmsgstr {json.dumps(v, ensure_ascii=False)}\n\n" for k, v in pairs)
            data = data.encode()
        elif path.endswith(".gz"):
            data = gzip.decompress(data)
    except (OSError, EOFError, ValueError, LookupError):
        return b""
    if b"\0" in data or len(data) < 64:
        return b""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        data = data.decode("latin-1").encode()
    data = data.removeprefix(SIGNATURE)[:LARGEST_TEXT]
    return data.decode("utf-8", "ignore").encode()  # the last character may be cut off


def texts(sources, wanted, dice):
    """Returns names and texts of files, up to `wanted` bytes in total."""
    kinds = re.compile(r"(\.(txt|html|md|po|pot|mo|[1-8])|changelog.*|copyright|README.*|NEWS.*)(\.gz)?", re.I)
    names = [
        os.path.join(folder, name)
        for source in sources
        for folder, folders, files in os.walk(source)
        for name in (folders.sort() or sorted(files))
        if re.search(kinds.pattern + "$", name, re.I) and not os.path.islink(os.path.join(folder, name))
    ]
    dice.shuffle(names)
    size, found = 0, {}
    for name in names:
        if size >= wanted:
            break
        if text := text_of(name):
            found[text] = os.path.basename(name).removesuffix(".gz")
            size += len(text)
    ours = {text_of(str(ROOT / name)): os.path.basename(name) for name in OURS}
    return [(name, text) for text, name in (found or ours).items()]


def boundary(data, at):
    """Returns the start of the character that contains the offset `at`."""
    while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return min(at, len(data))


class Maker:
    """Creates files from texts, and damages some of them."""

    def __init__(self, root, sources, files, megabytes, seed):
        self.root, self.dice, self.wanted, self.size = Path(root), random.Random(seed), files, int(megabytes * 1e6)
        self.texts = texts(sources, min(self.size, 200 << 20), self.dice)
        self.ascii = [t for _, t in self.texts if len(t) > 400 and sum(b >= 0x80 for b in t[:SNIFFED]) < 80]
        self.ascii = self.ascii or [Path(ROOT / "LICENSE-MIT").read_bytes()]
        self.folders, self.names, self.list, self.next = [b""], set(), [], 0

    def take(self, size):
        """Returns a file name and about `size` bytes of text, in whole lines if possible."""
        name, pieces, lacks = None, [], size
        while lacks > 0:
            stem, text = self.texts[self.next % len(self.texts)]
            self.next += 1
            name = name or stem
            if len(text) > lacks * 3 // 2:
                start = boundary(text, self.dice.randrange(len(text) - lacks))
                start = text.find(b"\n", start, len(text) - lacks) + 1 or start
                text = text[start : boundary(text, start + lacks)]
            pieces.append(text)
            lacks -= max(len(text), 1)
        return os.fsencode(name or "empty"), b"".join(pieces)

    def folder(self):
        """Returns a random folder, sometimes a new one."""
        if len(self.folders) < 4 or self.dice.random() < 0.03:
            parent = self.dice.choice(self.folders[-40:] + self.folders[:10])
            if parent.count(b"/") < 9:
                self.folders.append(parent + b"%s%d/" % (self.dice.choice([b"doc", b"po", b"man", b"src"]), len(self.folders)))
        return self.dice.choice(self.folders)

    def write(self, name, data, what, folder=None):
        folder = self.folder() if folder is None else folder
        path = folder + name
        while path in self.names or not name:
            path = folder + b"%d-" % self.dice.randrange(10**6) + name
        self.names.add(path)
        full = os.path.join(os.fsencode(self.root), path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data)
        self.list.append((path, what))

    def sequence(self):
        notations = self.dice.choice(list(SEQUENCES.values())).split("|")
        return bytes.fromhex(self.dice.choice(notations))

    def insert(self, data, at, bad, exactly=False):
        """Inserts `bad` between two characters, at or before the offset `at`. With `exactly`, padding moves it to `at`."""
        cut = boundary(data, at)
        return data[:cut] + b"x" * (at - cut if exactly else 0) + bad + data[cut:]

    # Each of the following methods makes a text ill-formed.
    def one(self, data):
        return self.insert(data, self.dice.randrange(len(data) + 1), self.sequence())

    def several(self, data):
        for _ in range(self.dice.randrange(2, 20)):
            data = self.one(data)
        return data

    def at_start(self, data):
        bad = self.sequence()
        return bad + (b"x" if bad[0] >= 0xFE else b"") + data

    def behind_signature(self, data):
        return SIGNATURE + self.sequence() + data

    def at_end(self, data):
        return data + self.sequence()

    def cut_at_end(self, data):
        whole = self.dice.choice(["é", "€", "😀", "한", "\U0010ffff"]).encode()
        return data + whole[: self.dice.randrange(1, len(whole))]

    def at_block(self, data):
        """Inserts sequences within three bytes of offsets at which a program's buffers may end."""
        for _ in range(self.dice.randrange(1, 4)):
            block = self.dice.choice([b for b in (4, 8, 16, 32, 64, 128, 256) if b * KIB <= len(data)] or [1]) * KIB
            at = block * self.dice.randrange(1, len(data) // block + 1) if len(data) >= block else len(data)
            data = self.insert(data, max(0, at + self.dice.randrange(-3, 4)), self.sequence(), exactly=at <= len(data))
        return data

    def dense(self, data):
        run = bytes(self.dice.randrange(0x80, 0x100) for _ in range(self.dice.randrange(20, 400)))
        return self.insert(data, self.dice.randrange(len(data) + 1), run + b"\xff")

    def edges(self, data):
        pool = bytes.fromhex("0A 41 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EF F0 F1 F4 F5 F7 F8 FB FC FD FE FF")
        run = b"\n" + bytes(self.dice.choices(pool, k=self.dice.randrange(100, 1000))) + b"\xff\n"
        return self.insert(data, self.dice.randrange(len(data) + 1), run)

    def legacy(self, data):
        """Converts the whole text or a passage to a legacy encoding."""
        codec, text = self.dice.choice(LEGACY), data.decode("utf-8")
        if self.dice.random() < 0.5:
            return (b"caf\x85\xe9 \xff\n" + text.encode(codec, "ignore"))[: 64 * KIB]
        passage = text[: self.dice.randrange(1, 2000)].encode(codec, "ignore")
        return self.insert(data, self.dice.randrange(len(data) + 1), passage + b" \xa4\xe9\n")

    def without_newlines(self, data):
        return self.several(data.replace(b"\n", b" "))

    def tiny(self, _):
        return self.sequence()

    def thousands(self, data):
        return data[: 4 * KIB].decode("utf-8", "ignore").encode() + b"\n" + b"caf\xe9 \xc0\xaf\n" * 1500

    DAMAGES = [one, several, at_start, behind_signature, at_end, cut_at_end, at_block, at_block, at_block, dense, edges]
    DAMAGES += [legacy, without_newlines, tiny]

    def make(self):
        share = max(1, self.wanted // 100)
        self.special(share)
        damaged = {self.dice.randrange(len(self.list), self.wanted) for _ in range(3 * share)}
        large = {i: (1 + n % 4) * 256 * KIB + self.dice.randrange(1000) for n, i in enumerate(list(damaged)[: max(3, share // 10)])}
        room = self.size - sum(large.values())
        for number in range(len(self.list), self.wanted):
            left = max(1, (room if number not in large else 0) // max(1, self.wanted - number))
            size = large.get(number) or min(int(self.dice.expovariate(1 / left)) + 1, 30 * left)
            name, data = self.take(size)
            room -= 0 if number in large else len(data)
            if number in damaged:
                whole = data
                # Two adjacent ill-formed sequences may form a character, so try until the text is ill-formed.
                while is_well_formed(data):
                    data = self.at_block(whole) if number in large else self.dice.choice(self.DAMAGES)(self, whole)
                data = b"x" + data if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data
            self.write(name, data, "damaged" if number in damaged else "clean")

    def special(self, share):
        """Writes files of the other kinds, and special cases of text files."""
        (self.root / ".git").mkdir(parents=True)  # `.gitignore` applies only in repositories
        self.write(b".gitignore", b"/ignored/\n*.skipped\n", "hidden", b"")
        plain = lambda size: self.take(size)[1]
        for folder, name, what in [
            (b"ignored/", b"a.txt", "ignored"), (b"", b"b.skipped", "ignored"), (b".hidden/", b"c.txt", "hidden"), (b"", b".d.txt", "hidden"),
        ]:
            self.write(name, self.several(plain(2000)), what, folder)
        for name in ODD_NAMES:
            self.write(name, self.several(plain(1000)), "damaged", b"odd/")
        self.write(b"faults.txt", self.thousands(plain(5 * KIB)), "damaged", b"odd/")
        os.symlink("odd/100%.txt", self.root / "link")
        os.symlink("odd", self.root / "link-to-folder")
        os.symlink("nowhere", self.root / "link-to-nothing")
        # Write each sequence alone on a line, and at the end of a file.
        for row, (damage, notations) in enumerate(SEQUENCES.items()):
            lines = [bytes.fromhex(notation) for notation in notations.split("|")]
            self.write(b"every-%d.txt" % row, damage.encode() + b": \n" + b"\n".join(lines), "damaged", b"every/")
        for size, name in [(0, b"empty"), (1, b"line-feed"), (3, b"signature"), (0, b"empty-2")]:
            self.write(name, {0: b"", 1: b"\n", 3: SIGNATURE}[size], "clean")
        for n in range(share):
            self.write(b"signed-%d.csv" % n, SIGNATURE + plain(3000), "clean")
            codec, text = WIDE[n % 4], self.dice.choice(self.ascii)[: self.dice.randrange(200, 20_000)].decode("utf-8", "ignore")
            self.write(b"marked-%d.txt" % n, MARKS[codec] + plain(4000).decode().encode(codec), "other")
            self.write(b"wide-%d.txt" % n, text.encode(codec), "other")
            self.write(b"photo-%d.bin" % n, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + self.dice.randbytes(9000), "binary")
            self.write(b"nul-%d.txt" % n, self.with_nul(self.dice.choice([0, 100, SNIFFED - 1])), "binary")
            self.write(b"late-nul-%d.txt" % n, self.with_nul(SNIFFED + self.dice.choice([0, 1, 500])), "clean")
        self.write(b"program", Path("/bin/true").read_bytes() if Path("/bin/true").exists() else b"\x7fELF\0" * 99, "binary")
        self.write(b"late-nul.txt", self.several(self.with_nul(SNIFFED)), "damaged")

    def with_nul(self, at):
        """Returns text with one NUL, at the offset `at`."""
        return self.insert(self.take(3 * SNIFFED)[1], at, b"\0", exactly=True)


def make(root, sources=SOURCES, files=20_000, megabytes=290.0, seed=1948):
    """Creates the tree and its list. Returns the list of files, as pairs of name and kind."""
    maker = Maker(root, sources, files, megabytes, seed)
    maker.make()
    with open(f"{root}.list", "w", encoding="ascii") as file:
        file.writelines(json.dumps({"name": name.hex(), "is": what}) + "\n" for name, what in maker.list)
    return maker.list


def read_list(root):
    """Returns the list of files that `make` wrote."""
    with open(f"{root}.list", encoding="ascii") as file:
        return [(bytes.fromhex(row["name"]), row["is"]) for row in map(json.loads, file)]


def add_options(parser):
    parser.add_argument("--files", type=int, default=20_000, metavar="N", help="files in the tree (20,000)")
    parser.add_argument("--megabytes", type=float, default=290, metavar="N", help="their sizes together (290)")
    parser.add_argument("--seed", type=int, default=1948, metavar="N", help="another seed, another tree")
    parser.add_argument(
        "--sources", default=os.pathsep.join(SOURCES), metavar="DIRS", help="where real text is, joined with colons; none: the repository's"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", help="the directory to make; what is there goes")
    add_options(parser)
    args = parser.parse_args()
    shutil.rmtree(args.tree, ignore_errors=True)
    made = make(args.tree, list(filter(None, args.sources.split(os.pathsep))), args.files, args.megabytes, args.seed)
    size = sum(os.path.getsize(os.path.join(os.fsencode(args.tree), name)) for name, _ in made)
    print(f"{len(made)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
