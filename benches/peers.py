#!/usr/bin/env python3
"""Whole-process benchmark of utfconv against the converters people already have.

The purpose is to show that utfconv is not slower than glibc's iconv on any row, and where it stands beside cat,
uconv, recode, isutf8 and sutf, as far as these are on the PATH. Everything is measured in one run on one machine:
the commands of a row take turns, in a shuffled order, so that a drift of the machine hits all alike; a row shows
medians, and ratios to utfconv's median (2.00x took twice as long). This script only starts the processes; the data
goes between files, pipes and the commands alone. Every command's exit status is checked in every run, and the output
of every converter is compared once per row, untimed, with that of Python's codecs.

The memory rows show the peak resident size; `true` stands for the floor of the method. Pages of a mapped input file
count, as they do for the kernel.

The corpora are real text, its words shuffled (short repeated text would flatter the branch predictor), in a temporary
folder (TMPDIR chooses where) that needs room for nine times --size and 300 MiB. Needs Linux and Python 3.9 or newer.

Exit status: 0 utfconv is nowhere slower than iconv; 1 it is on some row; 2 something failed.
"""

import argparse
import contextlib
import ctypes
import datetime
import hashlib
import itertools
import json
import os
import platform
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UDHR = ROOT / "tests/data/udhr.txt"
MIB = 1 << 20
BLOCK = 4 * MIB  # bytes of UTF-8 before a corpus repeats
SEED = 1948
START_RUNS = 200
CONVERTERS = ["utfconv", "iconv", "uconv", "recode", "sutf"]
TOOLS = CONVERTERS + ["cat", "isutf8", "true"]
NAMES = {"utf8": "UTF-8", "utf16le": "UTF-16LE", "utf32le": "UTF-32LE", "latin1": "ISO-8859-1"}

# From, to, text, and where the output goes.
ROWS = """
utf8 utf16le en null,     utf8 utf16le latin null,  utf8 utf16le ru null,       utf8 utf16le zh null
utf8 utf16le mixed null,  utf8 utf16le en file,     utf8 utf16le zh file,       utf8 utf16le zh pipe
utf16le utf8 zh null,     utf16le utf8 latin null,  latin1 utf8 latin null,     utf8 latin1 latin null
utf8 utf32le zh null,     utf32le utf8 zh null,     utf32le utf8 emoji null,    utf8 utf8 zh null
utf8 utf16le short start-up
"""

TEXTS = {
    "short": "Twenty bytes please\n",
    "en": """All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience
and should act towards one another in a spirit of brotherhood. Everyone is entitled to all the rights and freedoms set
forth in this Declaration, without distinction of any kind, such as race, colour, sex, language, religion, political
or other opinion, national or social origin, property, birth or other status. """,
    "latin": """Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de
conscience et doivent agir les uns envers les autres dans un esprit de fraternité. Chacun peut se prévaloir de tous les
droits et de toutes les libertés proclamés dans la présente Déclaration, sans distinction aucune, notamment de race, de
couleur, de sexe, de langue, de religion, d'opinion politique ou de toute autre opinion. """,
    "ru": """Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и
должны поступать в отношении друг друга в духе братства. Каждый человек должен обладать всеми правами и всеми
свободами, провозглашенными настоящей Декларацией, без какого бы то ни было различия, как-то в отношении расы. """,
    "zh": """人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。
人人有资格享有本宣言所载的一切权利和自由，不分种族、肤色、性别、语言、宗教、政治或其他见解、国籍或社会出身、财产、出生或其他身份等任何区别。
人人有权享有生命、自由和人身安全。任何人不得使为奴隶或奴役；一切形式的奴隶制度和奴隶买卖，均应予以禁止。""",
    "emoji": """good morning 😀 😂🤣 ☕️ see you at 🕗 👍🏽 on my way 🚲💨 so happy for you 🎉🎊🥳 ❤️ thanks 🙏🏿
👩‍👩‍👧‍👦 family dinner 🍕🍝🍷 🇫🇷 🇯🇵 🇧🇷 holiday ✈️ 🏖️🌊 what a game ⚽🏆🔥 🤔 not sure 😅 good night 🌙✨😴 """,
}


def shuffled(name):
    """About BLOCK bytes made of the words of a text, in an order that is the same in every run."""
    if name == "short":
        return TEXTS[name]
    if name == "mixed":
        text = re.sub("^# .*", "", UDHR.read_text("utf-8"), flags=re.M) if UDHR.exists() else "".join(TEXTS.values())
    else:
        text = TEXTS[name]
    words = re.findall(r"\w{1,2}|\W+" if name == "zh" else r"\S+\s*", text)
    return "".join(random.Random(SEED).choices(words, k=BLOCK * len(words) // len(text.encode())))


def digest(pieces):
    state = hashlib.sha256()
    for piece in pieces:
        state.update(piece)
    return state.hexdigest()


class Corpus:
    """A file of `size` bytes (less a cut character): a block of text over and over."""

    def __init__(self, folder, name, codec, size):
        self.path = str(folder / f"{name}-{size}.{codec}")
        self.block = shuffled(name)
        block = self.block.encode(NAMES[codec])
        self.repeats, rest = divmod(size, len(block))
        self.tail = block[:rest].decode(NAMES[codec], "ignore")
        with open(self.path, "wb") as file:
            file.writelines(self.pieces(codec))

    def pieces(self, codec):
        """The whole text in an encoding, by Python's codec."""
        yield from itertools.repeat(self.block.encode(NAMES[codec]), self.repeats)
        yield self.tail.encode(NAMES[codec])


def command(tool, exe, src, dst, path):
    """The command that converts the file at `path`, or standard input where that is None."""
    files = [path] if path else []
    if tool == "recode":  # would change a named file in place; it gets the file as standard input
        return [exe, f"{NAMES[src]}..{NAMES[dst]}"]
    if tool == "sutf" and not path:
        files = ["/dev/stdin"]
    return [exe] + (["-f", NAMES[src], "-t", NAMES[dst]] if tool in CONVERTERS else []) + files


def spawn(argv, stdin, stdout):
    actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, stdout, 1)]
    return os.posix_spawn(argv[0], argv, os.environ, file_actions=actions, setsigdef=[signal.SIGPIPE, signal.SIGXFSZ])


def pipeline(stages, stdin, stdout):
    """Starts the commands, each with the output of the one before; closes stdin."""
    pids = []
    for argv in stages[:-1]:
        reader, writer = os.pipe()
        pids.append(spawn(argv, stdin, writer))
        os.close(writer)
        os.close(stdin)
        stdin = reader
    pids.append(spawn(stages[-1], stdin, stdout))
    os.close(stdin)
    return pids


def run(stages, source, target):
    """Runs a pipeline from file to file: its milliseconds and the worst exit status."""
    if target != os.devnull:
        Path(target).unlink(missing_ok=True)
    stdin, sink = os.open(source, os.O_RDONLY), os.open(target, os.O_WRONLY | os.O_CREAT, 0o600)
    start = time.perf_counter()
    pids = pipeline(stages, stdin, sink)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    elapsed = (time.perf_counter() - start) * 1000
    os.close(sink)
    return elapsed, max(statuses, key=abs)


def measure(row, exes, corpus, folder, runs, notes):
    """The median milliseconds of each tool on a row; says in `notes` which tools cannot do it."""
    src, dst, _, sink = row
    out, jobs = str(folder / "output"), {}
    idle = {"isutf8": src == dst == "utf8", "true": False}
    for tool, exe in exes.items():
        if sink == "pipe" and idle.get(tool, True):
            stages = [[exes["cat"], corpus.path], command(tool, exe, src, dst, None), [exes["cat"]]]
            jobs[tool] = stages, os.devnull
        elif sink == "start-up" or idle.get(tool, True):
            jobs[tool] = [command(tool, exe, src, dst, corpus.path)], corpus.path

    expected = digest(corpus.pieces(dst))
    for tool, job in list(jobs.items()):
        status = run(*job, out)[1]
        with open(out, "rb") as file:
            wrong = tool in CONVERTERS and digest(iter(lambda: file.read(MIB), b"")) != expected
        if status or wrong:
            fault = f"{label(row)}: {tool}: " + (f"exit status {status}" if status else "wrong output")
            if tool == "utfconv":
                fail(fault)
            notes.append(f"left out: {fault}")
            del jobs[tool]

    times, turns = {tool: [] for tool in jobs}, random.Random(SEED)
    for _ in range(max(runs, START_RUNS) if sink == "start-up" else runs):
        for tool in turns.sample(list(jobs), len(jobs)):
            elapsed, status = run(*jobs[tool], out if sink == "file" else os.devnull)
            if status:
                fail(f"{label(row)}: {tool}: exit status {status}")
            times[tool].append(elapsed)
    Path(out).unlink(missing_ok=True)
    return {tool: statistics.median(values) for tool, values in times.items()}


def peak(argv, source, feeder):
    """The peak resident size of a command in MiB.

    The kernel counts what a process was before it became another program, and this interpreter is large. So a small
    shell starts the command and leaves it an orphan, and this process adopts it, to have its resource usage.
    """
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    shell = ["/bin/sh", "-c", 'exec 3<&0; "$@" <&3 3<&- & exec true', "sh", *argv]
    null, result = os.open(os.devnull, os.O_WRONLY), None
    others = pipeline([*feeder, shell], os.open(source, os.O_RDONLY), null)
    os.close(null)
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status, usage = os.wait4(-1, 0)
            if pid in others:
                continue
            if status:
                fail(f"memory: {argv[0]}: exit status {os.waitstatus_to_exitcode(status)}")
            result = usage.ru_maxrss / 1024
    return result or fail(f"memory: {argv[0]}: no resource usage")


def label(row):
    src, dst, text, sink = row
    return "start-up, 20 bytes" if sink == "start-up" else f"{src}->{dst} {text} {sink}"


def fail(message):
    print(f"peers.py: {message}", file=sys.stderr)
    sys.exit(2)


def build():
    """Builds the release binary and returns its path, by cargo's own word."""
    argv = ["cargo", "build", "--release", "--message-format=json"]
    done = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        fail("cargo build failed")
    for message in map(json.loads, filter(lambda line: line.startswith("{"), done.stdout.splitlines())):
        if message.get("executable") and message["target"]["name"] == "utfconv":
            return message["executable"]
    return fail("cargo names no executable")


def version(tool, exe):
    option = "-h" if tool in ("isutf8", "sutf") else "--version"
    done = subprocess.run([exe, option], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return next((line.strip() for line in done.stdout.splitlines() if re.search(r"\d\.\d", line)), "version unknown")


def machine():
    model = re.search(r"^model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text("utf-8"), re.M)
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    cores = len(os.sched_getaffinity(0))
    return f"{model[1] if model else platform.machine()}, {cores} cores, Linux {platform.release()}, load {load}"


def line(name, cells, markdown):
    text = " | ".join([name.ljust(26), *(cell.rjust(16) for cell in cells)])
    print(f"| {text} |" if markdown else text.replace(" | ", "  "), flush=True)


def table(unit, tools, rows, measured, markdown):
    """Prints each row as soon as it is measured; returns what was."""
    results = {}
    for name, row in rows.items():
        if not results:
            line(f"row ({unit})", tools, markdown)
            if markdown:
                print(f"|---|{'--:|' * len(tools)}")
        values = results[name] = measured(row)
        cells = [f"{values[t]:.2f} ({values[t] / values['utfconv']:.2f}x)" if t in values else "-" for t in tools[1:]]
        line(name, [f"{values['utfconv']:.2f}", *cells], markdown)
    print(end="\n" if rows else "", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--utfconv", metavar="PATH", help="the binary to measure (default: what cargo builds)")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="timed runs per command and row (7)")
    parser.add_argument("--size", type=int, default=64, metavar="MIB", help="size of each input (64)")
    parser.add_argument("--rows", type=re.compile, default="", metavar="REGEX", help="only the rows whose name matches")
    parser.add_argument("--huge", action="store_true", help="memory at 4 GiB too, with a sparse file")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--keep", action="store_true", help="keep the corpora, and say where")
    args = parser.parse_args()
    if args.runs < 1 or args.size < 1:
        parser.error("--runs and --size must be at least 1")

    timed = {label(row): row for row in (row.split() for row in re.split("[,\n]", ROWS.strip()))}
    sizes = [1, 16, 256] + ([4096] if args.huge else [])
    memory = {f"memory {size} MiB {kind}": (size, kind) for size in sizes for kind in ("file", "pipe")}
    memory.pop("memory 4096 MiB pipe", None)  # iconv would hold all of it, and no file could take the pages back
    timed, memory = ({n: r for n, r in rows.items() if args.rows.search(n)} for rows in (timed, memory))
    if not timed and not memory:
        parser.error("no row matches --rows")

    found = {tool: shutil.which(tool) for tool in TOOLS}
    found["utfconv"] = os.path.abspath(args.utfconv) if args.utfconv else build()
    exes = {tool: exe for tool, exe in found.items() if exe}
    versions = {tool: version(tool, exe) for tool, exe in exes.items()}
    bullet = "- " if args.markdown else ""
    for fact in (
        f"machine: {machine()}",
        f"date: {datetime.datetime.now().astimezone():%Y-%m-%d %H:%M %z}",
        f"input: {args.size} MiB; mixed text: {'tests/data/udhr.txt' if UDHR.exists() else 'built in'}",
        f"runs: {args.runs}, start-up: {max(args.runs, START_RUNS)}",
        *(f"{tool}: {versions.get(tool, 'skipped, not on the PATH')}" for tool in TOOLS),
    ):
        print(bullet + fact)
    print(flush=True)

    notes, corpora = [], {}
    with contextlib.ExitStack() as stack:
        kept = tempfile.mkdtemp(prefix="utfconv-peers-") if args.keep else None
        folder = Path(kept or stack.enter_context(tempfile.TemporaryDirectory(prefix="utfconv-peers-")))

        def time_row(row):
            size = len(TEXTS["short"]) if row[3] == "start-up" else args.size * MIB
            key = row[2], row[0], size
            if key not in corpora:
                corpora[key] = Corpus(folder, *key)
            return measure(row, exes, corpora[key], folder, args.runs, notes)

        def memory_row(row):
            size, kind = row
            if size == 4096:
                path = str(folder / "sparse")
                Path(path).touch()
                os.truncate(path, size * MIB)
            else:
                path = Corpus(folder, "zh", "utf8", size * MIB).path
            feeder = [[exes["cat"], path]] if kind == "pipe" else []
            named = path if kind == "file" else None
            return {t: peak(command(t, exes[t], "utf8", "utf16le", named), path, feeder) for t in few}

        few = [tool for tool in ("utfconv", "iconv", "true") if tool in exes]
        results = table("ms", list(exes), timed, time_row, args.markdown)
        table("MiB", few, memory, memory_row, args.markdown)

    if kept:
        notes.append(f"corpora kept in {kept}")
    print("".join(f"{bullet}{note}\n" for note in notes), end="\n" if notes else "")
    compared = {name: values for name, values in results.items() if "iconv" in values}
    slower = [name for name, values in compared.items() if values["utfconv"] > values["iconv"]]
    peer = "glibc iconv" if re.search("GLIBC|GNU libc", versions.get("iconv", "")) else "iconv (not glibc's)"
    if slower:
        print(f"utfconv is slower than {peer} on: {'; '.join(slower)}")
    elif compared:
        print(f"utfconv is slower than {peer} on none of {len(compared)} rows")
    else:
        print("no row was compared with iconv")
    return 1 if slower else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, re.error) as error:
        fail(error)
