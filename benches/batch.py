#!/usr/bin/env python3
"""Benchmark of `utfconv --in-place` on many small files, against a shell loop of iconv and against the bare system calls.

Checks these promises, for 20,000 files of 100 to 2,000 bytes converted from windows-1252 to UTF-8:
- utfconv is at least 20 times as fast as `for f in ...; do iconv f > t && mv t f; done`, which syncs nothing;
- utfconv takes at most twice the time of benches/replace_files.rs, which only does the system calls of a safe
  replacement, with the same number of threads and the same way of syncing;
- with --manifest and --sync=batch, utfconv takes at most 1.1 times the time and the CPU time without a manifest.

Every run gets fresh files, and each converted file is compared with the result of Python's codec. The contestants take
turns; the loop runs once. The time of a sync depends on the disk: --folder puts the files on another disk.

Needs Linux, Python 3.9 or newer, iconv. Exit status: 0 the promises are kept; 1 one is broken; 2 something failed.
"""

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benches")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import CORES, at_most, faster  # noqa: E402

WORDS = "café naïve résumé plain text über straße señor data the of and größe smörgåsbord 5€ déjà vu".split()
LOOP = 'while IFS= read -r f; do iconv -f WINDOWS-1252 -t UTF-8 "$f" > t && mv t "$f"; done < list'
SYNCS = ["file", "batch", "none"]


def make(folder, files):
    """Writes random texts in windows-1252 to `folder`, and returns the texts by file name."""
    turns, texts = random.Random(harness.SEED), {}
    for number in range(files):
        name = f"{number % 50:02}/{number:05}.txt"
        size, text = turns.randint(100, 2000), ""
        while len(text) < size:
            text += turns.choice(WORDS) + turns.choice("   \n")
        texts[name] = text
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode("windows-1252"))
    return texts


def cpu_time():
    """Returns the seconds of CPU time that all finished child processes have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_one(argv, source, texts, encoding, cwd):
    """Times a command on a fresh copy of the files and checks the results; returns wall and CPU time in ms."""
    target = cwd / "files"
    (cwd / "manifest").unlink(missing_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    os.sync()
    before, start = cpu_time(), time.perf_counter()
    done = subprocess.run(argv, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    elapsed, cpu = time.perf_counter() - start, cpu_time() - before
    if done.returncode or done.stderr:
        raise harness.Failure(f"status {done.returncode}: {argv}: {done.stderr[:200]}")
    for name, text in texts.items():
        if (target / name).read_bytes() != text.encode(encoding):
            raise harness.Failure(f"{name} is wrong: {argv}")
    if sum(len(files) for _, _, files in os.walk(target)) != len(texts):
        raise harness.Failure(f"temporary files remain: {argv}")
    return elapsed * 1000, cpu * 1000


def median(times, which):
    """Returns the median of the wall times (`which` = 0) or of the CPU times (`which` = 1)."""
    return statistics.median(time[which] for time in times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_options(parser, 3)
    parser.add_argument("--files", type=int, default=20_000, metavar="N", help="how many files (20,000)")
    parser.add_argument("--folder", metavar="DIR", help="where to put them [default: the temporary folder]")
    args = parser.parse_args()
    exes, report = harness.tools(args, ["utfconv", "replace_files"], ["iconv"]), harness.Report(args.markdown)
    harness.describe(report, exes, ["utfconv", "iconv"])
    report.fact(f"files: {args.files}; runs: {args.runs}, of the loop 1; threads: {CORES}")
    with tempfile.TemporaryDirectory(prefix="utfconv-batch-", dir=args.folder) as scratch:
        cwd = Path(scratch)
        texts = make(cwd / "source", args.files)
        (cwd / "list").write_text("".join(f"files/{name}\n" for name in texts))
        ours = [exes["utfconv"], "-j", str(CORES), "-i", "-r", "-f", "windows-1252"]
        jobs = {}
        for sync in SYNCS:
            jobs["utfconv", sync] = ([*ours, f"--sync={sync}", "files"], "utf-8")
            jobs["manifest", sync] = ([*ours, f"--sync={sync}", "--manifest=manifest", "files"], "utf-8")
            jobs["bare calls", sync] = ([exes["replace_files"], str(CORES), sync, "files"], "windows-1252")
        times, turns = {job: [] for job in jobs}, random.Random(harness.SEED)
        for _ in range(args.runs):
            for job in turns.sample(list(jobs), len(jobs)):
                argv, encoding = jobs[job]
                times[job].append(time_one(argv, cwd / "source", texts, encoding, cwd))
        loop = None
        if "iconv" in exes:
            loop = time_one(["/bin/sh", "-c", LOOP], cwd / "source", texts, "utf-8", cwd)[0]
        report.table("ms", ["utfconv", "bare calls", "loop of iconv"])
        for sync in SYNCS:
            values = {name: median(times[name, sync], 0) for name in ("utfconv", "bare calls")}
            if loop:
                values["loop of iconv"] = loop
            report.row(f"--sync={sync}", values, [faster(20, "loop of iconv"), at_most(2, "bare calls")])
        report.table("ms", ["utfconv", "without"])
        for sync in SYNCS:
            for which, what in enumerate(["", ", CPU"]):
                values = {"utfconv": median(times["manifest", sync], which)}
                values["without"] = median(times["utfconv", sync], which)
                goals = [at_most(1.1, "without")] if sync == "batch" else []
                report.row(f"--sync={sync} --manifest{what}", values, goals)
    return report.end()


if __name__ == "__main__":
    harness.main("batch.py", main)
