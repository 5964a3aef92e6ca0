#!/usr/bin/env python3
"""Benchmark of `utfconv check` against a bare walk, cat and isutf8.

What it promises, and is held to:
- a tree of sound text in at most 1.3 times what a bare walk takes that reads every file (benches/walk_and_read.rs, with
  as many threads), and at least four times as fast as `xargs -0 isutf8` on the same files;
- a file of 256 MiB of Chinese in at most 1.5 times what `cat FILE > /dev/null` takes, and faster than isutf8;
- memory that does not grow with the files of a directory, nor with a file.

All is measured in one run with warm caches: the commands of a row take turns in a shuffled order; a row shows medians,
and ratios to that of utfconv (2.00x took twice as long). The tree is that of tests/corpus/tree.py; it is timed
with its damaged files, too, for which nothing is promised. --tree takes one that is there.

Needs Linux, Python 3.9 or newer, and room for 1.6 GiB in the temporary folder (TMPDIR) and 256 MiB in /dev/shm; the
file of 5 GiB is a hole.

Exit status: 0 the promises are kept; 1 one is broken; 2 something failed.
"""

import argparse
import datetime
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benches"), str(ROOT / "tests/corpus")]
sys.dont_write_bytecode = True

import peers  # noqa: E402
import tree  # noqa: E402

MIB = 1 << 20
WALK, LARGE, ISUTF8, GROWTH = 1.3, 1.5, 4.0, 8.0  # the promises; the last in MiB


def fail(message):
    print(f"check.py: {message}", file=sys.stderr)
    sys.exit(2)


def build():
    """Builds the program and the bare walk; gives their paths, by cargo's own word."""
    argv = ["cargo", "build", "--release", "--bin", "utfconv", "--bench", "walk_and_read", "--message-format=json"]
    done = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        fail("cargo build failed")
    messages = map(json.loads, filter(lambda line: line.startswith("{"), done.stdout.splitlines()))
    made = {m["target"]["name"]: m["executable"] for m in messages if m.get("executable")}
    return made["utfconv"], made["walk_and_read"]


def timed(job):
    """Runs a command; its milliseconds."""
    argv, statuses, source = job
    with open(source or os.devnull, "rb") as stdin:
        start = time.perf_counter()
        status = subprocess.run(argv, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        elapsed = (time.perf_counter() - start) * 1000
    if status not in statuses:
        fail(f"{' '.join(map(str, argv))[:200]}: exit status {status}")
    return elapsed


def medians(jobs, runs):
    """The median milliseconds of each command, after a run of each that is not counted."""
    times, turns = {name: [] for name in jobs}, random.Random(peers.SEED)
    for job in jobs.values():
        timed(job)
    for _ in range(runs):
        for name in turns.sample(list(jobs), len(jobs)):
            times[name].append(timed(jobs[name]))
    return {name: statistics.median(values) for name, values in times.items()}


class Table:
    """Rows of measurements, and the promises that they break."""

    def __init__(self, markdown):
        self.markdown, self.broken, self.columns = markdown, [], ["utfconv", "walk", "cat", "isutf8"]
        peers.line("row (ms)", self.columns, markdown)
        if markdown:
            print(f"|---|{'--:|' * len(self.columns)}")

    def row(self, name, values, at_most=(), at_least=()):
        """`at_most` and `at_least`: pairs of another command and what utfconv's time may be of its, or its of utfconv's."""
        ours = values["utfconv"]
        cells = [f"{ours:.1f}"]
        cells += [f"{values[c]:.1f} ({values[c] / ours:.2f}x)" if c in values else "-" for c in self.columns[1:]]
        peers.line(name, cells, self.markdown)
        for other, bound in at_most:
            if other in values and ours > bound * values[other]:
                self.broken.append(f"{name}: {ours / values[other]:.2f} times the time of {other}, and at most {bound} is promised")
        for other, bound in at_least:
            if other in values and values[other] < bound * ours:
                self.broken.append(f"{name}: {values[other] / ours:.2f} times as fast as {other}, and at least {bound} is promised")

    def memory(self, name, values, growth):
        """Peaks in MiB of what should not differ by more than `growth`."""
        print(f"{name}: " + ", ".join(f"{label} {value:.1f} MiB" for label, value in values.items()), flush=True)
        first, *others = values.values()
        if any(value > first + growth for value in others):
            self.broken.append(f"{name}: it grows, and at most by {growth} MiB is promised")


def peak(argv, statuses):
    """The peak resident size of a command in MiB: GNU time starts it from a process that is small itself."""
    with tempfile.NamedTemporaryFile("r") as said:
        time_argv = ["/usr/bin/time", "-q", "-f", "%M", "-o", said.name, *argv]
        done = subprocess.run(time_argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode not in statuses:
            fail(f"{' '.join(map(str, argv))}: exit status {done.returncode}")
        return int(said.read().split()[-1]) / 1024


def directory_of(folder, count):
    """A directory of so many files of a few bytes."""
    made = folder / f"files-{count}"
    made.mkdir()
    for number in range(count):
        (made / f"{number:06}.txt").write_bytes(b"Twenty bytes please\n")
    return made


def sound_files_of(root, utfconv, top):
    """Links or copies the files in which nothing is found and that are no binaries to `top`; gives their new names."""
    done = subprocess.run([utfconv, "check", "-l0", "--binary=fault", "--hidden", "--no-ignore", root], stdout=subprocess.PIPE)
    left_out = set(done.stdout.split(b"\0"))
    made = []
    for folder, below, files in os.walk(os.fsencode(root)):
        below[:] = [name for name in below if name != b".git"]
        for name in (os.path.join(folder, file) for file in files):
            if name in left_out or os.path.islink(name) or not os.path.isfile(name):
                continue
            new = os.path.join(os.fsencode(top), os.path.relpath(name, os.fsencode(root)))
            os.makedirs(os.path.dirname(new), exist_ok=True)
            try:
                os.link(name, new)
            except OSError:
                shutil.copyfile(name, new)
            made.append(new)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--utfconv", metavar="PATH", help="the program to measure (what cargo builds)")
    parser.add_argument("--walk", metavar="PATH", help="the bare walk (what cargo builds)")
    parser.add_argument("--tree", metavar="DIR", help="a tree of tests/corpus/tree.py that is there")
    parser.add_argument("--runs", type=int, default=9, metavar="N", help="timed runs per command and row (9)")
    parser.add_argument("--quick", action="store_true", help="small: 2,000 files, 64 MiB, 1 GiB, 3 runs")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    tree.add_options(parser)
    args = parser.parse_args()
    if args.quick:
        args.files, args.megabytes, args.runs = 2000, 29, 3
    if args.utfconv and args.walk:
        utfconv, walk = map(os.path.abspath, (args.utfconv, args.walk))
    else:
        utfconv, walk = build()
    isutf8, cat = shutil.which("isutf8"), shutil.which("cat")
    bullet = "- " if args.markdown else ""
    print(f"{bullet}machine: {peers.machine()}")
    print(f"{bullet}date: {datetime.datetime.now().astimezone():%Y-%m-%d %H:%M %z}")
    print(f"{bullet}runs: {args.runs}; isutf8: {isutf8 and 'there' or 'skipped, not on the PATH'}")

    with tempfile.TemporaryDirectory(prefix="utfconv-check-") as scratch:
        folder = Path(scratch)
        root = os.path.abspath(args.tree) if args.tree else str(folder / "tree")
        sources = list(filter(None, args.sources.split(os.pathsep)))
        listed = tree.read_list(root) if args.tree else tree.make(root, sources, args.files, args.megabytes, args.seed)
        names = [os.path.join(os.fsencode(root), name) for name, _ in listed]
        print(f"{bullet}tree: {len(names)} files, {sum(map(os.path.getsize, names)) / 1e6:.0f} MB\n", flush=True)

        table, threads = Table(args.markdown), str(len(os.sched_getaffinity(0)))

        def time_tree(row, top, names, statuses, at_most, at_least):
            jobs = {
                "utfconv": ([utfconv, "check", "-j", threads, top], statuses[:1], None),
                "walk": ([walk, threads, top], [0], None),
            }
            if isutf8:
                (folder / "names").write_bytes(b"".join(os.fsencode(name) + b"\0" for name in names))
                jobs["isutf8"] = (["xargs", "-0", isutf8, "-q"], statuses[1:], folder / "names")
            table.row(row, medians(jobs, args.runs), at_most, at_least)

        # What is promised is the speed of a check that finds nothing: how long faults take depends on how many there are.
        sound = sound_files_of(root, utfconv, str(folder / "sound"))
        time_tree("tree without faults", str(folder / "sound"), sound, [0, 0], [("walk", WALK)], [("isutf8", ISUTF8)])
        time_tree("tree with faults", root, names, [1, 123], [], [])

        size = 64 if args.quick else 256
        for place in (folder, Path("/dev/shm")):
            if not place.is_dir():
                continue
            with tempfile.TemporaryDirectory(prefix="utfconv-check-", dir=place) as inner:
                path = peers.Corpus(Path(inner), "zh", "utf8", size * MIB).path
                jobs = {"utfconv": ([utfconv, "check", path], [0], None), "cat": ([cat, path], [0], None)}
                if isutf8:
                    jobs["isutf8"] = ([isutf8, "-q", path], [0], None)
                where = "memory" if place != folder else "disk"
                table.row(f"{size} MiB Chinese, {where}", medians(jobs, args.runs), [("cat", LARGE)], [("isutf8", 1)])
                if where == "disk":
                    tiny = Path(inner, "tiny.txt")
                    tiny.write_bytes(b"Twenty bytes please\n")
                    large = peak([utfconv, "check", path], [0])
                    few = {"20 bytes": peak([utfconv, "check", str(tiny)], [0]), f"{size} MiB": large}

        sparse = folder / "sparse"
        with open(sparse, "wb") as file:
            length = (1 if args.quick else 5) << 30
            file.seek(length - 1)
            file.write(b"\xff")
        # A walk would pass it over as binary; who names a file wants it checked.
        job = ([utfconv, "check", "--format=json", str(sparse)], [1], None)
        start = time.perf_counter()
        done = subprocess.run(job[0], stdout=subprocess.PIPE, text=True)
        elapsed = time.perf_counter() - start
        rows = [row for row in map(json.loads, done.stdout.splitlines()) if row["type"] == "fault"]
        found = [(row["line"], row["column"], row["offset"], row["bytes"]) for row in rows]
        print(f"\n{length >> 30} GiB of NUL and FF: {elapsed:.2f} s, {length / elapsed / 1e9:.1f} GB/s")
        if found != [(1, length, length - 1, "FF")]:
            table.broken.append(f"sparse file: found {found[:3]}")
        if os.path.exists("/usr/bin/time"):
            table.memory("memory by size", few | {f"{length >> 30} GiB": peak(job[0], [1])}, GROWTH)
            counts = (2_000, 20_000) if args.quick else (2_000, 200_000)
            peaks = {f"{n:,} files": peak([utfconv, "check", str(directory_of(folder, n))], [0]) for n in counts}
            table.memory("memory by files", peaks, GROWTH)
        else:
            print("memory: skipped, there is no /usr/bin/time")

    print("".join(f"\nbroken: {promise}" for promise in table.broken) or "\nall promises kept")
    sys.exit(int(bool(table.broken)))


if __name__ == "__main__":
    main()
