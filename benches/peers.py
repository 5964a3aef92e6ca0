#!/usr/bin/env python3
"""Benchmarks whole processes of utfconv against the tools that people already have, and against bounds of the machine.

Each row names its promises: utfconv's time as a multiple of the time of a peer, or of a bound that is measured in the same row:
- `cat` of the input to /dev/null, and of the output to a new file; `cp` of the output; a chain of cats for pipes;
- `read 1` and `read N`: a program that only reads the input, with 1 or N threads, in chunks of 256 KiB; `copy N`: the program
  also writes the output's content, which it has read, to a new file.
utfconv runs with its defaults, on all cores; `-j1` is utfconv with one thread. A promise also counts as kept if utfconv is as
fast as the bound, because no program can be faster than the operating system.

The commands of a row take turns; a row shows medians. Each run checks the exit status of each command. Once per row, untimed,
the output is compared with the output of Python's codecs; a peer that fails is left out, with a note. The texts are
the texts of benches/corpora.py, repeated. Rows named `memory` have their files in /dev/shm (tmpfs), rows named `disk`
in the temporary folder (TMPDIR). Both folders need space for six times --size; with --huge the disk needs 8 GiB.

Needs Linux and Python 3.9 or newer. Exit status: 0 the promises are kept; 1 one is broken; 2 something failed.
"""

import argparse
import contextlib
import functools
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Callable, NamedTuple, Optional

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import corpora  # noqa: E402
import harness  # noqa: E402
import plot  # noqa: E402
from harness import CORES, MIB, SEED, Failure, Job, at_most, faster  # noqa: E402

START_RUNS = 300
LONG = 512 * MIB  # inputs of at least this many bytes get three runs
HOLDERS = ["iconv", "isutf8"]  # peers that hold the whole file in memory, so they do not get long inputs
CONVERTERS = ["utfconv", "-j1", "sutf", "iconv", "uconv", "recode"]
PEERS = ["sutf", "iconv", "uconv", "recode", "isutf8", "cat", "cp", "true"]
READ_ALL, COPY_ALL = f"read {CORES}", f"copy {CORES}"
NAMES = {"utf8": "UTF-8", "utf16le": "UTF-16LE", "utf16be": "UTF-16BE", "utf32le": "UTF-32LE", "latin1": "ISO-8859-1"}

# Promises that are not multiples of the time of another column.
FLAT = 1.5  # maximum time for inputs up to 256 KiB, as a multiple of the time for 1 KiB
LINEAR = 1.25  # maximum time as a multiple of the time for the next smaller input, scaled by size
FAULTS_ONLY = 50e6  # bytes per second of input in which every byte is ill-formed
NORMALIZED = 300e6  # bytes per second of input that is already in the normalization form
MEMORY, MEMORY_THREAD = 8, 3  # MiB, and additional MiB for each thread

# Conversions between Unicode encodings, each with: from, to, text, sink, and folder of the files.
UTF = """
utf8 utf16le en null memory,    utf8 utf16le latin null memory, utf8 utf16le ru null memory
utf8 utf16le zh null memory,    utf8 utf16le emoji null memory, utf16le utf8 en null memory
utf16le utf8 latin null memory, utf16le utf8 ru null memory,    utf16le utf8 zh null memory
utf16le utf8 emoji null memory, utf8 utf32le en null memory,    utf8 utf32le zh null memory
utf32le utf8 zh null memory,    utf32le utf8 emoji null memory, utf16le utf32le zh null memory
utf16le utf16be zh null memory, utf8 utf8 zh null memory,       utf8 utf16le zh null disk
utf8 utf16le en file memory,    utf8 utf16le latin file memory, utf8 utf16le zh file memory
utf16le utf8 zh file memory,    utf8 utf32le zh file memory,    utf8 utf16le en file disk
utf8 utf16le zh file disk,      utf16le utf8 zh file disk
"""
LATIN1 = ["latin1 utf8 latin null memory", "utf8 latin1 latin null memory"]
SINGLE_BYTE = ["windows-1251 utf8 ru", "utf8 windows-1251 ru", "KOI8-R utf8 ru", "utf8 KOI8-R ru"]
MULTI_BYTE = ["Shift_JIS ja", "EUC-JP ja", "GB18030 zh", "Big5 zh-tw"]
# Normalizations, each with the normalization form, the form of the text, and the text.
NORMALIZATION = """
nfc nfc en, nfc nfc latin, nfc nfc vi, nfc nfc ru, nfc nfc zh, nfc nfc ja, nfc nfc hi, nfc nfc ar, nfc nfc th
nfd nfd en, nfd nfd vi, nfd nfd hi, nfkc nfkc ja, nfkc nfkc hi, nfkd nfkd hi, nfc nfd vi, nfd nfc vi
"""
# Rows of the plot, each with its label.
PLOT = {
    "check zh memory": "check, Chinese",
    "utf8->utf16le en null memory": "UTF-8 to UTF-16LE, English",
    "utf8->utf16le latin null memory": "UTF-8 to UTF-16LE, accented Latin",
    "utf8->utf16le zh null memory": "UTF-8 to UTF-16LE, Chinese",
    "utf16le->utf8 zh null memory": "UTF-16LE to UTF-8, Chinese",
    "utf8->utf32le zh null memory": "UTF-8 to UTF-32LE, Chinese",
    "latin1->utf8 latin null memory": "ISO-8859-1 to UTF-8, accented Latin",
    "windows-1251->utf8 ru null memory": "windows-1251 to UTF-8, Russian",
    "Shift_JIS->utf8 ja null memory": "Shift_JIS to UTF-8, Japanese",
}


class Row(NamedTuple):
    """A row of a table. `prepare(folder)` creates the inputs in a folder and returns the jobs by column; a number instead of a
    job is a limit, in the unit of the table."""

    name: str
    prepare: Callable
    promises: list = []
    bounds: list = []
    place: str = "memory"
    size: int = 0  # bytes of the input, if they matter
    small: bool = False  # takes hundreds of runs, because each run is short
    measure: str = "time"
    is_busy: bool = False  # occupy a core during the measurement
    times: Optional[dict] = None  # receives utfconv's time by input size


def entries(table):
    return [entry.strip() for entry in re.split("[,\n]", table) if entry.strip()]


def name_of(key):
    return NAMES.get(key, key)


@functools.lru_cache(maxsize=None)
def block_of(text):
    if text == "short":
        return "Twenty bytes please\n"
    if text == "zh with faults":
        whole = block_of("zh")
        step = 1000 * len(whole) // len(whole.encode())
        return "\ufffd".join(whole[at : at + step] for at in range(0, len(whole), step))
    return corpora.text(text)[0]


class Corpus:
    """A file of `size` bytes (minus a cut character), which repeats a text that `encode` converts to bytes."""

    def __init__(self, folder, text, codec, size, encode=None):
        self.path, self.size = str(folder / f"{text}.{codec}"), size
        encode = encode or (lambda text: text.encode(name_of(codec)))
        self.block = block_of(text)
        whole = encode(self.block)
        self.repeats, rest = divmod(size, len(whole))
        self.tail = whole[:rest].decode(name_of(codec), "ignore") if rest else ""
        with open(self.path, "wb") as file:
            file.writelines(self.pieces(encode))
            os.fsync(file.fileno())

    def pieces(self, encode):
        """Yields the encoded content of the file in pieces."""
        yield from itertools.repeat(encode(self.block), self.repeats)
        yield encode(self.tail)

    def expected(self, codec):
        return functools.partial(self.pieces, lambda text: text.encode(name_of(codec)))


class Bench:
    """Knows the installed tools, and makes the rows."""

    def __init__(self, args, exes):
        self.exes, self.size = exes, args.size * MIB
        self.sizes = [1 << 10, 16 << 10, 256 << 10, 4 * MIB, 64 * MIB] + ([1 << 30, 4 << 30] if args.huge else [])

    # Methods that return jobs. A command reads the file at `path`, or standard input if `path` is None.

    def convert(self, tool, src, dst, path, *options):
        """Returns the job of a converter; `None` if the converter is not installed."""
        src, dst, files = name_of(src), name_of(dst), [path] if path else []
        if tool == "recode" and tool in self.exes:
            # recode changes a named file in place, so it reads the file from standard input.
            return Job([[self.exes[tool], f"{src}..{dst}"]], path or os.devnull)
        if tool == "sutf" and not path:
            # sutf reads standard input only as /dev/stdin. It reports faults on standard output and exits with status 0, so
            # only the comparison of the output shows them.
            files = ["/dev/stdin"]
        if tool == "-j1":
            tool, options = "utfconv", ("-j1", *options)
        exe = self.exes.get(tool)
        return exe and Job([[exe, *options, "-f", src, "-t", dst, *files]])

    def command(self, tool, *arguments):
        return Job([[self.exes[tool], *map(str, arguments)]])

    def read(self, threads, *paths):
        return self.command("read_and_write", threads, *paths)

    def converters(self, src, dst, path, expected):
        jobs = {tool: self.convert(tool, src, dst, path) for tool in CONVERTERS}
        return {tool: job._replace(expected=expected) for tool, job in jobs.items() if job}

    def checkers(self, path):
        jobs = {"utfconv": self.command("utfconv", "check", path), "-j1": self.command("utfconv", "check", "-j1", path)}
        if "isutf8" in self.exes:
            jobs["isutf8"] = self.command("isutf8", "-q", path)
        return jobs

    def limits(self, path):
        """Returns jobs that only read the input, as lower bounds of the time."""
        return {"cat": self.command("cat", path), "read 1": self.read(1, path), READ_ALL: self.read(CORES, path)}

    # Methods that return rows.

    def check_row(self, text, place):
        def prepare(folder):
            path = Corpus(folder, text, "utf8", self.size).path
            return self.checkers(path) | self.limits(path)

        promises = [at_most(0.9, "cat"), at_most(2 if text == "latin" else 1.4, "cat", "-j1")]
        promises += [faster(10, "isutf8")] if text == "zh" else []
        return Row(f"check {text} {place}", prepare, promises, [READ_ALL], place, self.size)

    def null_row(self, src, dst, text, promises, place="memory"):
        def prepare(folder):
            corpus = Corpus(folder, text, src, self.size)
            return self.converters(src, dst, corpus.path, corpus.expected(dst)) | self.limits(corpus.path)

        return Row(f"{src}->{dst} {text} null {place}", prepare, promises, [READ_ALL], place, self.size)

    def file_row(self, src, dst, text, promises, place):
        def prepare(folder):
            corpus, sink = Corpus(folder, text, src, self.size), str(folder / "new")
            output = str(folder / "output")
            with open(output, "wb") as file:
                file.writelines(corpus.expected(dst)())
                os.fsync(file.fileno())
            jobs = self.converters(src, dst, corpus.path, corpus.expected(dst)) | {"cat": self.command("cat", output)}
            writers = {"cp": self.command("cp", output, sink), COPY_ALL: self.read(CORES, output, sink)}
            return {name: job._replace(sink=sink) for name, job in jobs.items()} | writers

        return Row(f"{src}->{dst} {text} file {place}", prepare, promises, ["cat", "cp", COPY_ALL], place, self.size)

    def utf_row(self, src, dst, text, sink, place):
        if sink == "file":
            return self.file_row(src, dst, text, [faster(1.2, "sutf")], place)
        promises = [at_most(1, READ_ALL)] if text == "en" else [faster(1.8, "sutf"), faster(12, "iconv")]
        return self.null_row(src, dst, text, promises, place)

    def normalization_row(self, form, form_of_text, text):
        def normalized(form):
            return lambda text: unicodedata.normalize(form.upper(), text).encode()

        def prepare(folder):
            corpus = Corpus(folder, text, "utf8", self.size, normalized(form_of_text))
            commands = {"utfconv": [f"--normalize={form}"], "uconv": ["-f", "UTF-8", "-t", "UTF-8", "-x", f"any-{form}"]}
            expected = functools.partial(corpus.pieces, normalized(form))
            jobs = {
                tool: self.command(tool, *options, corpus.path)._replace(expected=expected)
                for tool, options in commands.items() if tool in self.exes
            }
            return jobs | {"cat": self.command("cat", corpus.path), "limit": self.size / NORMALIZED * 1000}

        promises = [at_most(1, "limit")] if form == form_of_text else []
        return Row(f"{form} of {text} in {form_of_text}", prepare, promises, size=self.size)

    def pipe_rows(self):
        cat = self.exes["cat"]

        def check(folder):
            path = Corpus(folder, "zh", "utf8", self.size).path
            jobs = {"utfconv": Job([[cat, path], [self.exes["utfconv"], "check", "-"]])}
            if "isutf8" in self.exes:
                jobs["isutf8"] = Job([[cat, path], [self.exes["isutf8"], "-q"]])
            return jobs | {"cats": Job([[cat, path], [cat]])}

        def convert(folder):
            corpus = Corpus(folder, "zh", "utf8", self.size)
            jobs = self.converters("utf8", "utf16le", None, corpus.expected("utf16le"))
            jobs = {tool: job._replace(stages=[[cat, corpus.path], *job.stages, [cat]]) for tool, job in jobs.items()}
            return jobs | {"cats": Job([[cat, corpus.path], [cat], [cat]])}

        promises = [at_most(1, "cats")]
        return [
            Row("check zh from a pipe", check, promises, ["cats"], size=self.size),
            Row("utf8->utf16le zh pipe to pipe", convert, promises, ["cats"], size=self.size),
        ]

    def start_rows(self):
        def convert(folder):
            corpus = Corpus(folder, "short", "utf8", 20)
            others = {tool: self.command(tool, corpus.path) for tool in ("cat", "isutf8", "true") if tool in self.exes}
            return self.converters("utf8", "utf16le", corpus.path, corpus.expected("utf16le")) | others

        def check(folder):
            path = Corpus(folder, "short", "utf8", 20).path
            return self.checkers(path) | {"cat": self.command("cat", path), "true": self.command("true", path)}

        promises = [at_most(1, "isutf8")]
        return [
            Row("start-up, convert 20 bytes", convert, promises, small=True),
            Row("start-up, check 20 bytes", check, promises, small=True),
        ]

    def growth_rows(self):
        """Returns rows that measure the time for growing inputs. The limit of a row is computed from the time of the row
        before, for the smaller input."""
        some = ["utfconv", "-j1", "iconv"]
        jobs_of = {
            "check": self.checkers,
            "utf8->utf16le": lambda path: {tool: self.convert(tool, "utf8", "utf16le", path) for tool in some},
        }

        def prepare(what, times, before, size, folder):
            path = Corpus(folder, "zh", "utf8", size).path
            jobs = {name: job for name, job in jobs_of[what](path).items() if job} | {"cat": self.command("cat", path)}
            if size >= LONG:
                jobs = {name: job for name, job in jobs.items() if name not in HOLDERS}
            if size <= 256 << 10 and 1 << 10 in times:
                jobs["limit"] = FLAT * times[1 << 10]
            elif before in times:
                jobs["limit"] = LINEAR * size / before * times[before]
            return jobs

        rows = []
        for what in jobs_of:
            times = {}
            for before, size in zip([0, *self.sizes], self.sizes):
                name = f"growth, {what} zh {human(size)}"
                make = functools.partial(prepare, what, times, before, size)
                promises = [at_most(1, "limit")] if before else []
                rows.append(Row(name, make, promises, [], "disk", size, small=size <= 256 << 10, times=times))
        return rows

    def memory_rows(self):
        cat = self.exes["cat"]

        def file(size, folder):
            path = Corpus(folder, "zh", "utf8", size).path
            jobs = {tool: self.convert(tool, "utf8", "utf16le", path) for tool in ("utfconv", "-j1", "iconv")}
            return limited(jobs, size)

        def pipe(size, folder):
            jobs, path = file(size, folder), str(folder / "zh.utf8")
            jobs.pop("-j1", None)
            piped = {tool: self.convert(tool, "utf8", "utf16le", None) for tool in jobs if tool in CONVERTERS}
            return jobs | {tool: job._replace(stages=[[cat, path], *job.stages]) for tool, job in piped.items()}

        def check(size, folder):
            return limited(self.checkers(Corpus(folder, "zh", "utf8", size).path), size)

        def limited(jobs, size):
            jobs = {name: job for name, job in jobs.items() if job and (size < LONG or name not in HOLDERS)}
            limits = {"limit": MEMORY + MEMORY_THREAD * CORES, "limit -j1": MEMORY + MEMORY_THREAD}
            return jobs | {"true": self.command("true")} | limits

        one, both = [at_most(1, "limit")], [at_most(1, "limit"), at_most(1, "limit -j1", "-j1")]
        rows = []
        for what, make, promises in (
            ("utf8->utf16le zh file", file, both),
            ("utf8->utf16le zh pipe", pipe, one),
            ("check zh", check, both),
        ):
            for size in self.sizes:
                name, prepare = f"memory, {what} {human(size)}", functools.partial(make, size)
                rows.append(Row(name, prepare, promises, place="disk", size=size, measure="peak"))
        return rows

    def damage_rows(self):
        def damaged(text):
            """Returns the bytes of a text, with a byte FF in place of each U+FFFD."""
            return text.encode().replace("\ufffd".encode(), b"\xff")

        def one_each_1000(options, status, replacement, folder):
            clean = Corpus(folder, "zh", "utf8", self.size)
            (folder / "faults").mkdir()
            faults = Corpus(folder / "faults", "zh with faults", "utf8", self.size, damaged)
            job = self.convert("utfconv", "utf8", "utf16le", faults.path, *options)
            of_clean = self.convert("utfconv", "utf8", "utf16le", clean.path, *options)

            def repaired(text):
                return text.replace("\ufffd", replacement).encode("utf-16le")

            return {
                "utfconv": job._replace(status=status, expected=functools.partial(faults.pieces, repaired)),
                "clean": of_clean._replace(expected=clean.expected("utf16le")),
            }

        def checked(folder):
            jobs = one_each_1000((), 1, "", folder)
            paths = {name: job.stages[0][-1] for name, job in jobs.items()}
            faults = self.command("utfconv", "check", "--count", paths["utfconv"])._replace(status=1)
            return {"utfconv": faults, "clean": self.command("utfconv", "check", "--count", paths["clean"])}

        def raw(options, status, data, repeats, folder, expected):
            path = folder / f"raw-{repeats}"
            with open(path, "wb") as file:
                file.writelines(itertools.repeat(data, repeats))
            pieces = functools.partial(itertools.repeat, expected, repeats)
            job = self.convert("utfconv", "utf8", "utf16le", str(path), *options)
            return job._replace(status=status, expected=pieces)

        def only_faults(options, status, replacement, folder):
            job = raw(options, status, b"\xff" * MIB, self.size // MIB, folder, (replacement * MIB).encode("utf-16le"))
            return {"utfconv": job, "limit": self.size / FAULTS_ONLY * 1000}

        def random_bytes(options, status, replacement, folder):
            # The newline ends a sequence that the last random bytes may have started.
            data = random.Random(SEED).randbytes(MIB - 1) + b"\n"
            expected = data.decode("utf-8", "replace" if replacement else "ignore").encode("utf-16le")
            count = max(1, self.size // (4 * MIB))
            jobs = [raw(options, status, data, repeats, folder, expected) for repeats in (count * 4, count)]
            return {"utfconv": jobs[0], "a quarter": jobs[1]}

        rows = []
        for option, status, replacement in (("-c", 1, ""), ("--ill-formed=replace", 0, "\ufffd")):
            for what, make, promise in (
                ("one fault each 1,000 bytes", one_each_1000, at_most(3, "clean")),
                ("nothing but FF", only_faults, at_most(1, "limit")),
                ("random bytes", random_bytes, at_most(4 * LINEAR, "a quarter")),
            ):
                rows.append(Row(f"{what}, {option}", functools.partial(make, [option], status, replacement), [promise]))
        rows.insert(1, Row("one fault each 1,000 bytes, check --count", checked, [at_most(3, "clean")]))
        return rows

    def busy_rows(self):
        def convert(sink, folder):
            path = Corpus(folder, "zh", "utf8", self.size).path
            jobs = {tool: self.convert(tool, "utf8", "utf16le", path) for tool in ("utfconv", "-j1")}
            new = str(folder / "new") if sink == "file" else os.devnull
            return {name: job._replace(sink=new) for name, job in jobs.items() if job}

        def check(folder):
            jobs = self.checkers(Corpus(folder, "zh", "utf8", self.size).path)
            return {name: jobs[name] for name in ("utfconv", "-j1")}

        promises = [at_most(1.1, "-j1")]
        return [
            Row("busy, check zh", check, promises, is_busy=True),
            Row("busy, utf8->utf16le zh null", functools.partial(convert, "null"), promises, is_busy=True),
            Row("busy, utf8->utf16le zh file", functools.partial(convert, "file"), promises, is_busy=True),
        ]

    def tables(self):
        """Returns the tables: each has a unit, columns and rows."""
        limits = ["cat", "read 1", READ_ALL]
        utf = [self.utf_row(*entry.split()) for entry in entries(UTF)]
        latin1 = [self.null_row(*row.split()[:3], [faster(10, "iconv"), at_most(1.1, "cat")]) for row in LATIN1]
        single = [self.null_row(*row.split(), [faster(6, "iconv")]) for row in SINGLE_BYTE]
        pages = [entry.split() for entry in MULTI_BYTE]
        multi = [self.null_row(codec, "utf8", text, [faster(2.5, "iconv")]) for codec, text in pages]
        multi += [self.null_row("utf8", codec, text, []) for codec, text in pages]
        normalization = [self.normalization_row(*entry.split()) for entry in entries(NORMALIZATION)]
        checks = [self.check_row(text, place) for place in ("memory", "disk") for text in ("en", "latin", "zh")]
        return [
            ("ms", ["utfconv", "-j1", "isutf8", *limits], checks),
            ("ms", [*CONVERTERS, *limits], [row for row in utf if " null " in row.name]),
            ("ms", [*CONVERTERS, "cat", "cp", COPY_ALL], [row for row in utf if " file " in row.name]),
            ("ms", [*CONVERTERS, *limits], latin1 + single + multi),
            ("ms", [*CONVERTERS, "isutf8", "cats"], self.pipe_rows()),
            ("ms", [*CONVERTERS, "isutf8", "cat", "true"], self.start_rows()),
            ("ms", ["utfconv", "-j1", "iconv", "isutf8", "cat", "limit"], self.growth_rows()),
            ("MiB", ["utfconv", "-j1", "iconv", "isutf8", "true", "limit", "limit -j1"], self.memory_rows()),
            ("ms", ["utfconv", "clean", "a quarter", "limit"], self.damage_rows()),
            ("ms", ["utfconv", "-j1"], self.busy_rows()),
            ("ms", ["utfconv", "uconv", "cat", "limit"], normalization),
        ]


def human(size):
    for unit, bits in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size >> bits:
            return f"{size >> bits} {unit}"
    return f"{size} bytes"


@contextlib.contextmanager
def busy_core():
    """Keeps the first core busy while the context is active."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as spinner:
        os.sched_setaffinity(spinner.pid, {min(os.sched_getaffinity(0))})
        try:
            yield
        finally:
            spinner.kill()


def measure(row, folder, runs, notes):
    """Returns the values of a row by column; adds a note for each peer that was left out."""
    prepared = row.prepare(folder)
    limits = {name: value for name, value in prepared.items() if not isinstance(value, Job)}
    jobs = {name: job for name, job in prepared.items() if name not in limits}
    for name, job in list(jobs.items()):
        try:
            harness.check(job, str(folder / "checked") if job.sink == os.devnull else job.sink)
        except Failure as failure:
            if job.stages[-1][0] == jobs["utfconv"].stages[-1][0]:
                raise
            notes.append(f"left out of {row.name}: {failure}")
            del jobs[name]
    (folder / "checked").unlink(missing_ok=True)
    if row.measure == "peak":
        return {name: harness.peak(job) for name, job in jobs.items()} | limits
    with busy_core() if row.is_busy else contextlib.nullcontext():
        runs = max(runs, START_RUNS) if row.small else min(runs, 3) if row.size >= LONG else runs
        return harness.medians(jobs, runs) | limits


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_options(parser, 7)
    parser.add_argument("--size", type=int, default=64, metavar="MIB", help="size of each input (64)")
    parser.add_argument("--rows", type=re.compile, default="", metavar="REGEX", help="only the rows whose name matches")
    parser.add_argument("--huge", action="store_true", help="growth and memory up to 4 GiB")
    parser.add_argument("--svg", metavar="FILE", help="draw some of the rows")
    args = parser.parse_args()
    if args.runs < 1 or args.size < 1:
        parser.error("--runs and --size must be at least 1")

    exes, report = harness.tools(args, ["utfconv", "read_and_write"], PEERS), harness.Report(args.markdown)
    bench = Bench(args, exes)
    harness.describe(report, exes, ["utfconv", *PEERS])
    report.fact(f"input: {args.size} MiB; runs: {args.runs}, start-up: {max(args.runs, START_RUNS)}")
    for name in corpora.KINDS:
        report.fact("text " + corpora.describe(name, *corpora.text(name)))
    places = {"memory": "/dev/shm", "disk": tempfile.gettempdir()}
    if not os.path.isdir(places["memory"]):
        places["memory"] = places["disk"]
        report.notes.append("there is no /dev/shm: rows named memory had their files on the disk")

    sizes = {}
    for unit, columns, rows in bench.tables():
        rows = [row for row in rows if args.rows.search(row.name)] if args.rows else rows
        if rows:
            report.table(unit, columns)
        for row in rows:
            with tempfile.TemporaryDirectory(prefix="utfconv-peers-", dir=places[row.place]) as folder:
                values = measure(row, Path(folder), args.runs, report.notes)
            report.row(row.name, values, row.promises, row.bounds)
            sizes[row.name] = row.size
            if row.times is not None:
                row.times[row.size] = values["utfconv"]
    if not sizes:
        parser.error("no row matches --rows")
    if args.svg:
        groups = [(title, sizes[name], report.results[name]) for name, title in PLOT.items() if name in sizes]
        plot.draw(args.svg, groups, f"files of {args.size} MiB in memory, output to /dev/null; {harness.machine()}")
    return report.end()


if __name__ == "__main__":
    harness.main("peers.py", main)
