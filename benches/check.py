#!/usr/bin/env python3
"""Benchmark of `utfconv check` on trees, against a bare walk and isutf8, and of its memory. benches/peers.py measures the rest.

Checks these promises:
- a tree of sound text takes at most 1.1 times as long as benches/walk_and_read.rs, which only walks the tree and reads
  every file, with the same number of threads; and utfconv is at least six times as fast as `xargs -0 isutf8` on the same files;
- memory does not grow with the number of files in a directory, nor with the length of a file.

The tree is made by tests/corpus/tree.py. It is also timed with damaged files, for which nothing is promised. --tree
measures an existing tree instead.

Needs Linux, Python 3.9 or newer, and room for 1.6 GiB in the temporary folder (TMPDIR); the file of 5 GiB is a hole.
Exit status: 0 the promises are kept; 1 one is broken; 2 something failed.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benches"), str(ROOT / "tests/corpus")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import tree  # noqa: E402
from harness import CORES, Job, at_most, faster  # noqa: E402

PROMISES = [at_most(1.1, "walk"), faster(6, "isutf8")]
GROWTH = 8  # MiB that a larger input may take in addition


def directory_of(folder, count):
    """Creates a directory of `count` files of a few bytes."""
    made = folder / f"files-{count}"
    made.mkdir()
    for number in range(count):
        (made / f"{number:06}.txt").write_bytes(b"Twenty bytes please\n")
    return made


def sound_files_of(root, utfconv, top):
    """Links or copies text files without findings to `top`; returns their new paths."""
    argv = [utfconv, "check", "-l0", "--binary=error", "--hidden", "--no-ignore", root]
    done = subprocess.run(argv, stdout=subprocess.PIPE)
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


def find_last_fault(report, utfconv, path, length):
    """Times a check of one large file whose last byte is ill-formed, and checks that the fault is found."""
    start = time.perf_counter()
    argv = [utfconv, "check", "--format=json", path]
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    elapsed = time.perf_counter() - start
    rows = [row for row in map(json.loads, done.stdout.splitlines()) if row["type"] == "error"]
    found = [(row["line"], row["column"], row["offset"], row["bytes"]) for row in rows]
    if found != [(1, length, length - 1, "FF")]:
        raise harness.Failure(f"sparse file: found {found[:3]}")
    report.fact(f"{length >> 30} GiB of NUL and FF: {elapsed:.2f} s, {length / elapsed / 1e9:.1f} GB/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_options(parser, 9)
    parser.add_argument("--tree", metavar="DIR", help="a tree of tests/corpus/tree.py that is there")
    parser.add_argument("--quick", action="store_true", help="small: 2,000 files, 1 GiB, 3 runs")
    tree.add_options(parser)
    args = parser.parse_args()
    if args.quick:
        args.files, args.megabytes, args.runs = 2000, 29, 3
    exes, report = harness.tools(args, ["utfconv", "walk_and_read"], ["isutf8"]), harness.Report(args.markdown)
    utfconv = exes["utfconv"]
    harness.describe(report, exes, ["utfconv", "isutf8"])
    report.fact(f"runs: {args.runs}")

    with tempfile.TemporaryDirectory(prefix="utfconv-check-") as scratch:
        folder = Path(scratch)
        root = os.path.abspath(args.tree) if args.tree else str(folder / "tree")
        sources = list(filter(None, args.sources.split(os.pathsep)))
        listed = tree.read_list(root) if args.tree else tree.make(root, sources, args.files, args.megabytes, args.seed)
        names = [os.path.join(os.fsencode(root), name) for name, _ in listed]
        report.fact(f"tree: {len(names)} files, {sum(map(os.path.getsize, names)) / 1e6:.0f} MB")
        report.table("ms", ["utfconv", "walk", "isutf8"])

        def time_tree(row, top, names, status, promises):
            jobs = {
                "utfconv": Job([[utfconv, "check", "-j", str(CORES), top]], status=status),
                "walk": Job([[exes["walk_and_read"], str(CORES), top]]),
            }
            if "isutf8" in exes:
                (folder / "names").write_bytes(b"".join(os.fsencode(name) + b"\0" for name in names))
                xargs = [[shutil.which("xargs"), "-0", exes["isutf8"], "-q"]]
                # xargs exits with 123 if a command that it ran exited with 1 to 125.
                jobs["isutf8"] = Job(xargs, str(folder / "names"), status=123 if status else 0)
            harness.medians(jobs, 1)  # fills the page cache
            report.row(row, harness.medians(jobs, args.runs), promises)

        # Only the speed of a check without findings is promised, because the time for findings depends on their number.
        sound = sound_files_of(root, utfconv, str(folder / "sound"))
        time_tree("tree without faults", str(folder / "sound"), sound, 0, PROMISES)
        time_tree("tree with faults", root, names, 1, [])

        def peak(path, status=0):
            return harness.peak(Job([[utfconv, "check", str(path)]], status=status))

        report.table("MiB", ["utfconv", "limit"])
        counts = (2_000, 20_000) if args.quick else (2_000, 200_000)
        few, many = (peak(directory_of(folder, count)) for count in counts)
        report.row(f"memory, {counts[1]:,} files", {"utfconv": many, "limit": few + GROWTH}, [at_most(1, "limit")])
        tiny, sparse, length = folder / "tiny.txt", folder / "sparse", (1 if args.quick else 5) << 30
        tiny.write_bytes(b"Twenty bytes please\n")
        with open(sparse, "wb") as file:
            file.seek(length - 1)
            file.write(b"\xff")
        # A walk would skip the sparse file as binary, so the file is named on the command line.
        values = {"utfconv": peak(sparse, status=1), "limit": peak(tiny) + GROWTH}
        report.row(f"memory, a file of {length >> 30} GiB", values, [at_most(1, "limit")])
        print()
        find_last_fault(report, utfconv, str(sparse), length)
    return report.end()


if __name__ == "__main__":
    harness.main("check.py", main)
