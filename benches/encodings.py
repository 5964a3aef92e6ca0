#!/usr/bin/env python3
"""Measures every encoding to and from UTF-8, and pairs of encodings, in utfconv and every iconv on the PATH.

The text for an encoding is 32 MiB of words of its letters; the text for a pair has letters that both encodings have. One
word in four is ASCII if the encoding contains ASCII. Letters that an iconv converts to other bytes, or does not convert, are
left out of the text, and a row has only the iconvs that agree on the remaining letters. Encodings of ISO 2022 get a second
text of letters in random order, in which almost every letter is in another character set than the letter before. The pairs
are random, and equal in every run.

The commands of a row take turns, with one thread each. A row shows the least processor time of each command, because other
processes have little effect on the minimum, and the ratios to utfconv. The rows are sorted by speed, slowest first. Before
a row is measured, the outputs are compared. `--check` only compares the outputs: the tests run it with short texts.

Needs Linux and Python 3.9 or newer. Exit status: 0 the promises are kept; 1 one is broken; 2 something failed.
"""

import argparse
import functools
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import MIB, SEED, Failure, Job, faster  # noqa: E402

PAIRS = 200
BLOCK = MIB // 4  # bytes of UTF-8, repeated to make the text
SEPARATORS = " \n"
ALPHABET = 2000  # maximum number of different letters in a text
DISPUTED = 100  # if an iconv differs on more letters, its encoding of this name is taken for another encoding
# For each kind of encoding, the minimum speed of a conversion to or from UTF-8, as a multiple of iconv's speed. `PAIR` is
# the minimum for pairs.
PROMISES = {"Unicode": 1.5, "single-byte": 1.5, "multi-byte": 1.5, "stateful": 1.5}
PAIR = 1.5
MEDIAN = 8
# A row that breaks its promise is measured again with this many times as many runs.
AGAIN = 3
MIXED = re.compile("ISO-2022-")
UNICODE = re.compile(r"(?!UTF-7)(UTF|UCS|CESU|MUTF|WTF|UNICODE)")


@functools.cache
def candidates():
    """Returns the separators and the letters of the Basic Multilingual Plane."""
    scalars = map(chr, itertools.chain(range(0x20, 0xD800), range(0xF900, 0x10000)))
    return "".join([*SEPARATORS, *(scalar for scalar in scalars if unicodedata.category(scalar).startswith("L"))]).encode()


def ran(argv, data):
    """Returns the standard output of a command, and whether the command succeeded."""
    done = subprocess.run(argv, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout, done.returncode == 0


def words(letters, size, seed):
    """Returns about `size` bytes of UTF-8: words of letters that are neighbors in Unicode, and words of ASCII letters if
    `letters` contains any."""
    chance = random.Random(seed)
    space, newline = (separator if separator in letters else "" for separator in SEPARATORS)
    letters = [letter for letter in letters if letter not in SEPARATORS]
    ascii_letters = [letter for letter in letters if letter.isascii() and letter.isalpha()]
    others = [letter for letter in letters if not letter.isascii()]
    alphabets = [list(group) for _, group in itertools.groupby(others, lambda letter: ord(letter) >> 10)]
    weights = list(map(len, alphabets))
    lines, length = [], 0
    while length < size:
        line = []
        for _ in range(10):
            is_ascii = not others or ascii_letters and chance.random() < 0.25
            alphabet = ascii_letters if is_ascii else chance.choices(alphabets, weights)[0]
            line.append("".join(chance.choices(alphabet, k=chance.randint(2, 10))))
        lines.append(space.join(line) + newline)
        length += len(lines[-1].encode())
    return "".join(lines)


def mixture(letters, size, seed):
    """Returns about `size` bytes of UTF-8: lines of letters in random order."""
    chance = random.Random(seed)
    letters = [letter for letter in letters if letter not in SEPARATORS]
    lines, length = [], 0
    while length < size:
        lines.append("".join(chance.choices(letters, k=60)) + "\n")
        length += len(lines[-1].encode())
    return "".join(lines)


class Encoding:
    """An encoding, whose properties are computed on first use because `--every` skips most encodings."""

    def __init__(self, name, peers, tools):
        self.name, self.tools = name, tools
        self.peers = peers  # the name of the encoding in each iconv, by column

    @functools.cached_property
    def coded(self):
        """The encoded letters of the encoding."""
        return self.tools.convert("utfconv", "UTF-8", self.name, candidates(), "-c")[0]

    @functools.cached_property
    def letters(self):
        return frozenset(self.tools.convert("utfconv", self.name, "UTF-8", self.coded)[0].decode()) - {"\ufeff"}

    @functools.cached_property
    def kind(self):
        if UNICODE.match(self.name):
            return "Unicode"
        if len(self.coded) <= len(self.letters):
            return "single-byte"
        few = random.Random(SEED).sample(sorted(self.letters), 8)
        some = ["a", *itertools.chain.from_iterable([letter] * 2 for letter in few)]
        apart = b"".join(self.tools.convert("utfconv", "UTF-8", self.name, text.encode())[0] for text in some)
        together = self.tools.convert("utfconv", "UTF-8", self.name, "".join(some).encode())[0]
        return "multi-byte" if apart == together else "stateful"


class Tools:
    """The executables of utfconv and of the iconvs."""

    def __init__(self, exes):
        self.exes = exes
        self.iconvs = [name for name in exes if name != "utfconv"]

    def command(self, tool, src, dst, *options):
        own = ["-j1"] if tool == "utfconv" else []
        return [self.exes[tool], *own, *options, "-f", src, "-t", dst]

    def convert(self, tool, src, dst, data, *options):
        return ran(self.command(tool, src, dst, *options), data)

    def names(self, tool):
        """Returns the names that an iconv lists, by their normalized form."""
        listed = ran([self.exes[tool], "-l"], b"")[0].decode("ascii", "replace")
        return {name.strip("/").upper(): name.strip("/") for name in listed.replace(",", " ").split()}

    def encodings(self):
        """Yields every encoding that utfconv lists."""
        listed = json.loads(ran([self.exes["utfconv"], "list", "--format=json"], b"")[0])
        of_peers = {tool: self.names(tool) for tool in self.iconvs}
        for entry in listed:
            names = [name.upper() for name in (entry["name"], *entry["aliases"])]
            peers = {
                tool: next(known[name] for name in names if name in known)
                for tool, known in of_peers.items() if not known.keys().isdisjoint(names)
            }
            yield Encoding(entry["name"], peers, self)

    def agree(self, tool, encoding, text):
        """Returns whether an iconv converts `text` to an encoding and back with the same result as utfconv."""
        data, is_encoded = self.convert("utfconv", "UTF-8", encoding.name, text)
        peer = encoding.peers[tool]
        of_peer, is_encoded_by_peer = self.convert(tool, "UTF-8", peer, text)
        return (
            is_encoded
            and is_encoded_by_peer
            and self.is_same(encoding, of_peer, data)
            and self.convert(tool, peer, "UTF-8", data) == (text, True)
            and self.convert("utfconv", encoding.name, "UTF-8", data) == (text, True)
        )

    def is_same(self, encoding, one, other):
        """Returns whether two outputs decode to the same text; a stateful encoding has several byte sequences for a text."""
        if encoding.kind != "stateful":
            return one == other
        one, other = (self.convert("utfconv", encoding.name, "UTF-8", data) for data in (one, other))
        return one == other and one[1]

    @functools.lru_cache(maxsize=None)
    def disputed(self, tool, encoding, letters):
        """Returns the letters on which an iconv and utfconv differ; `None` if there are too many."""
        found, todo = set(), [sorted(letters)]
        while todo:
            some = todo.pop()
            if self.agree(tool, encoding, "".join(some).encode()):
                continue
            if len(some) == 1:
                found.update(some)
            else:
                todo += [some[: len(some) // 2], some[len(some) // 2 :]]
            if len(found) > min(DISPUTED, len(letters) // 4):
                return None
        return found


class Row(NamedTuple):
    name: str
    src: Encoding
    dst: Encoding
    other: Encoding  # the encoding that is not UTF-8; None for a pair
    is_mixed: bool = False

    @property
    def kind(self):
        return self.other.kind if self.other else "pair"


class Bench:
    def __init__(self, tools, size):
        self.tools, self.size, self.notes = tools, size, []

    def text(self, row):
        """Returns a text of letters that both encodings have, and the iconvs that agree on the letters."""
        letters = sorted(row.src.letters & row.dst.letters)
        if len(letters) > ALPHABET:
            ascii_letters = [letter for letter in letters if letter.isascii()]
            letters = sorted(random.Random(SEED).sample(letters, ALPHABET - len(ascii_letters)) + ascii_letters)
        if not any(letter.isalpha() for letter in letters):
            return "", []
        alphabet, agreeing = set(letters), []
        for tool in self.tools.iconvs:
            disputed = set()
            for encoding in (row.src, row.dst):
                found = self.tools.disputed(tool, encoding, frozenset(alphabet)) if tool in encoding.peers else None
                disputed = None if disputed is None or found is None else disputed | found
            if disputed is None:
                continue
            if disputed:
                self.notes.append(f"{row.name}: {tool} differs on {''.join(sorted(disputed))}")
            alphabet -= disputed
            agreeing.append(tool)
        text = mixture if row.is_mixed else words
        return text(sorted(alphabet), min(self.size, BLOCK), SEED), agreeing

    def jobs(self, row, folder):
        """Writes the text of a row; returns the commands with equal outputs, by column. Empty if the encodings share no
        letters."""
        text, agreeing = self.text(row)
        if not text:
            return {}
        whole = text.encode() * max(1, self.size // len(text.encode()))
        data, is_encoded = self.tools.convert("utfconv", "UTF-8", row.src.name, whole)
        expected, is_converted = self.tools.convert("utfconv", row.src.name, row.dst.name, data)
        if not (is_encoded and is_converted):
            raise Failure(f"{row.name}: utfconv cannot convert the text")
        if self.tools.convert("utfconv", row.dst.name, "UTF-8", expected)[0] != whole:
            raise Failure(f"{row.name}: utfconv does not give back the text")
        path = folder / "text"
        path.write_bytes(data)
        jobs = {"utfconv": Job([[*self.tools.command("utfconv", row.src.name, row.dst.name), str(path)]])}
        for tool in agreeing:
            names = row.src.peers[tool], row.dst.peers[tool]
            output, is_converted = self.tools.convert(tool, *names, data)
            if is_converted and self.tools.is_same(row.dst, output, expected):
                jobs[tool] = Job([[*self.tools.command(tool, *names), str(path)]])
            elif "stateful" in (row.src.kind, row.dst.kind):
                # glibc loses the shift state of ISO-2022-CN, so its output may differ.
                self.notes.append(f"{row.name}: {tool} has another output")
            else:
                raise Failure(f"{row.name}: {tool} has another output")
        return jobs


def rows(encodings):
    utf8 = next(encoding for encoding in encodings if encoding.name == "UTF-8")
    for encoding in encodings:
        if encoding is not utf8:
            yield Row(f"{encoding.name} -> UTF-8", encoding, utf8, encoding)
            yield Row(f"UTF-8 -> {encoding.name}", utf8, encoding, encoding)
            if MIXED.match(encoding.name):
                yield Row(f"UTF-8 -> {encoding.name}, mixed", utf8, encoding, encoding, is_mixed=True)
    # Sorted by name, so that the pairs do not depend on the order of `encodings`.
    known = sorted((encoding for encoding in encodings if encoding.peers and encoding is not utf8), key=lambda e: e.name)
    chance = random.Random(SEED)
    for _ in range(PAIRS if len(known) > 1 else 0):
        src, dst = chance.sample(known, 2)
        yield Row(f"{src.name} -> {dst.name}", src, dst, None)


def slowest(values):
    """Returns the ratio of the fastest peer's time to utfconv's time; infinite for rows without peers, so that they sort last."""
    return min((value for name, value in values.items() if name != "utfconv"), default=float("inf")) / values["utfconv"]


def processor_time(job):
    """Runs a job of one command; returns its user and system time in milliseconds."""
    null = os.open(os.devnull, os.O_RDWR)
    pid = harness.spawn(job.stages[0], null, null)
    os.close(null)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise Failure(f"exit status {os.waitstatus_to_exitcode(status)}: {job}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def least(jobs, runs):
    """Returns the least processor time of each job in milliseconds."""
    times = [{name: processor_time(job) for name, job in jobs.items()} for _ in range(runs)]
    return {name: min(turn[name] for turn in times) for name in jobs}


def timed(bench, row, runs):
    """Returns the least processor time of each program; empty if the row cannot be measured."""
    with tempfile.TemporaryDirectory(prefix="utfconv-encodings-", dir="/dev/shm") as folder:
        return least(bench.jobs(row, Path(folder)), runs)


def measure(bench, chosen, runs, report):
    """Measures the rows, and prints them sorted by speed, slowest first."""
    measured = []
    for done, row in enumerate(chosen, 1):
        if values := timed(bench, row, runs):
            measured.append((row, values))
        if sys.stderr.isatty():
            print(f"\r{done} of {len(chosen)}", end="", file=sys.stderr)
    # Other users of the machine can slow everything down for seconds, so a row that breaks its promise is measured again
    # with every program.
    for row, values in measured:
        if slowest(values) < PROMISES.get(row.kind, PAIR):
            again = timed(bench, row, AGAIN * runs)
            values.update({name: min(value, again[name]) for name, value in values.items()})
    measured.sort(key=lambda entry: slowest(entry[1]))
    report.table("ms", ["utfconv", *bench.tools.iconvs])
    for row, values in measured:
        promised = PROMISES.get(row.kind, PAIR)
        others = [tool for tool in bench.tools.iconvs if tool in values]
        report.row(f"{row.name} ({row.kind})", values, [faster(promised, tool) for tool in others])
    for kind in [*PROMISES, "pair"]:
        ratios = [slowest(values) for row, values in measured if row.kind == kind and len(values) > 1]
        if ratios:
            report.notes.append(f"{kind}: median {statistics.median(ratios):.1f} of {len(ratios)} rows")
    ratios = [slowest(values) for row, values in measured if row.kind != "pair" and len(values) > 1]
    if ratios:
        median = statistics.median(ratios)
        promised = f"to and from UTF-8: median of {len(ratios)} rows >= {MEDIAN}: {median:.1f}"
        (report.notes if median >= MEDIAN else report.broken).append(promised)


def iconvs():
    """Returns the programs named iconv on the PATH, by column; a column names the implementation."""
    found, seen = {}, set()
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in ("iconv", "gnu-iconv", "libiconv"):
            path = os.path.join(folder, name)
            if not os.access(path, os.X_OK) or os.path.realpath(path) in seen:
                continue
            seen.add(os.path.realpath(path))
            is_libiconv = b"libiconv" in ran([path, "--version"], b"")[0]
            found.setdefault("libiconv" if is_libiconv else "iconv", path)
    return found


def check(bench, chosen):
    """Compares the outputs without measuring."""
    compared = 0
    with tempfile.TemporaryDirectory(prefix="utfconv-encodings-") as folder:
        for row in chosen:
            compared += max(0, len(bench.jobs(row, Path(folder))) - 1)
    print(f"{compared} outputs of {len(chosen)} conversions are the same as those of {', '.join(bench.tools.iconvs)}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_options(parser, 5)
    parser.add_argument("--size", type=int, default=32 * MIB, metavar="BYTES", help="size of each text in UTF-8 (32 MiB)")
    parser.add_argument("--rows", type=re.compile, default="", metavar="REGEX", help="only the rows whose name matches")
    parser.add_argument("--check", action="store_true", help="only compare outputs")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one row in N")
    args = parser.parse_args()
    if args.runs < 1 or args.size < 1 or args.every < 1:
        parser.error("--runs, --size and --every must be at least 1")

    named = {name: os.path.abspath(path) for name, _, path in (tool.partition("=") for tool in args.tool)}
    exes = iconvs() | named
    if "utfconv" not in exes:
        exes["utfconv"] = harness.built()["utfconv"]
    tools, report = Tools(exes), harness.Report(args.markdown)
    harness.describe(report, exes, ["utfconv", *tools.iconvs])
    bench = Bench(tools, args.size)
    chosen = [row for row in rows(list(tools.encodings())) if re.search(args.rows, row.name)][:: args.every]
    if not chosen:
        parser.error("no row matches --rows")
    if args.check:
        return check(bench, chosen)
    report.fact(f"text: {args.size} bytes; runs: {args.runs}")
    measure(bench, chosen, args.runs, report)
    report.notes += dict.fromkeys(bench.notes)
    return report.end()


if __name__ == "__main__":
    harness.main("encodings.py", main)
