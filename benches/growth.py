#!/usr/bin/env python3
"""Measures how the time for hostile input grows: runs each case at one, two and four times its size.

Each case is input that took disproportionately long in an earlier version, or a worst case of an algorithm. The limit is a ratio:
doubling the size may take at most 2.3 times as long.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from harness import Failure, Job, add_options, main, medians, peak, program

LIMIT = 2.3
# Steps shorter than this many milliseconds are mostly process start, so their ratio is not checked.
MEASURABLE_MS = 20


def seen(data):
    """Returns the text as a program that knows only UTF-8 would save it."""
    return data.decode("utf-8", "replace").encode()


def words(size, seed):
    """Returns about `size` bytes of short words in windows-1252, some with non-ASCII letters."""
    letters, made = random.Random(seed), random.Random(1948)
    vocabulary = [bytes(made.choices(b"abcdefgh\xe9\xe8", k=made.randrange(1, 9))) for _ in range(999)]
    return b" ".join(letters.choices(vocabulary, k=size // 6))


def lines(text):
    """Returns the words of a text in lines of ten words."""
    split = text.split(b" ")
    return b"".join(b" ".join(split[at : at + 10]) + b"\n" for at in range(0, len(split), 10))


def edited(text):
    """Returns the text with another word in place of every fiftieth word."""
    return b" ".join(b"edited" if at % 50 == 3 else word for at, word in enumerate(text.split(b" ")))


def third_crlf(size):
    """Returns lines that repeat as in source code; every third line ends with CR LF."""
    code = [b"fn name() {", b"    let value = 1;", b"", b"    }", b"}", b"    call(value);", b"    // note"]
    return b"".join(code[at * at % 7] + (b"\r\n" if at % 3 == 0 else b"\n") for at in range(size // 12))


def diff(*options):
    return lambda exe, files: [exe, "-i", "--diff", *options, files[0]]


def restored(exe, files):
    return [exe, "repair", "-f", "windows-1252", "--from", files[0], files[1]]


def convert(*options):
    return lambda exe, files: [exe, *options, files[0]]


def check_all(style):
    return lambda exe, files: [exe, "check", f"--format={style}", "--max-errors=0", "--max-total=0", *files]


def fixed(exe, files):
    return [exe, "check", "--rule=mixed-newlines", "--fix", "--diff", files[0]]


def mixed(exe, files):
    return [exe, "repair", "--candidates=UTF-8,windows-1252,cp850", files[0]]


# For each case: name, size in bytes, function that makes the file contents of a size, command, and allowed exit statuses.
CASES = [
    ("diff: x CR LF, x LF", 1 << 19, lambda n: [b"x\r\nx\n" * (n // 5)], diff("--newline=crlf"), {1}),
    ("diff: blank lines", 1 << 19, lambda n: [b"\r\n\r\n\n" * (n // 5)], diff("--newline=crlf"), {1}),
    ("diff: every third line CR LF", 1 << 20, lambda n: [third_crlf(n)], diff("--newline=lf"), {1}),
    ("diff: x CR, x LF", 1 << 19, lambda n: [b"x\rx\n" * (n // 4)], diff("--newline=lf"), {1}),
    ("check --fix --diff", 1 << 19, lambda n: [b"x\r\nx\n\r\n" * (n // 7)], fixed, {1}),
    (
        "restore: edits in one long line",
        1 << 17,
        lambda n: [words(n, 1), b"new " + edited(seen(words(n, 1))) + b" end"],
        restored,
        {0, 1},
    ),
    ("restore: another long line", 1 << 17, lambda n: [words(n, 1), seen(words(n, 2))], restored, {0, 1}),
    (
        "restore: no blanks",
        1 << 17,
        lambda n: [words(n, 1).replace(b" ", b""), seen(words(n, 2).replace(b" ", b""))],
        restored,
        {0, 1},
    ),
    ("restore: other lines", 1 << 17, lambda n: [lines(words(n, 1)), seen(lines(words(n, 2)))], restored, {0, 1}),
    ("check --format=json, FF", 1 << 17, lambda n: [b"text\n", b"\xff" * n], check_all("json"), {1}),
    ("check --format=sarif, FF", 1 << 17, lambda n: [b"text\n", b"\xff" * n], check_all("sarif"), {1}),
    ("NFC of FF", 1 << 19, lambda n: [b"\xff" * n], convert("--ill-formed=replace", "--normalize=nfc"), {0}),
    ("to ISO-2022-JP-MS -c", 1 << 19, lambda n: ["é한각".encode() * (n // 8)], convert("-t", "ISO-2022-JP-MS", "-c"), {1}),
    ("repair --candidates, short lines", 1 << 18, lambda n: [b"\xe9\n" * (n // 2)], mixed, {0, 1}),
    ("repair --candidates, words", 1 << 17, lambda n: [lines(words(n, 1))], mixed, {0, 1}),
]


def job(exe, case, size, folder):
    """Writes the files of a case; returns the command on the files, with its expected exit status."""
    name, _, contents, command, statuses = case
    files = []
    for number, content in enumerate(contents(size)):
        path = Path(folder) / f"{size}-{number}.txt"
        path.write_bytes(content)
        files.append(str(path))
    argv = command(exe, files)
    for status in sorted(statuses):
        try:
            made = Job([argv], status=status)
            medians({"": made}, 1)
            return made
        except Failure as failure:
            last = failure
    raise Failure(f"{name}: {last}")


def growth():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add_options(parser, 3)
    parser.add_argument("--rows", default="", metavar="TEXT", help="only cases whose names contain this")
    parser.add_argument("--check", action="store_true", help="run small cases, and measure nothing")
    args = parser.parse_args()
    exe = program(dict(tool.split("=", 1) for tool in args.tool).get("utfconv"))
    cases = [case for case in CASES if args.rows in case[0]]
    broken = []
    columns = ["milliseconds at 1, 2, 4 times the size", "ratios", "peak MiB"]
    print(f"| {'case':34} | {' | '.join(columns)} |" + ("\n|---|--:|--:|--:|" if args.markdown else ""))
    for case in cases:
        sizes = [case[1] >> 7] if args.check else [case[1], 2 * case[1], 4 * case[1]]
        with tempfile.TemporaryDirectory() as folder:
            jobs = {size: job(exe, case, size, folder) for size in sizes}
            if args.check:
                continue
            times = medians(jobs, args.runs)
            memory = peak(jobs[sizes[-1]])
        steps = [(times[sizes[at]], times[sizes[at + 1]]) for at in range(2)]
        ratios = [next_time / time for time, next_time in steps]
        shown = " ".join(f"{times[size]:.0f}" for size in sizes)
        print(f"| {case[0]:34} | {shown} | {' '.join(f'{ratio:.2f}' for ratio in ratios)} | {memory:.0f} |", flush=True)
        if any(ratio > LIMIT and step[1] > MEASURABLE_MS for ratio, step in zip(ratios, steps)):
            broken.append(case[0])
    for name in broken:
        print(f"broken: {name}: twice the size takes more than {LIMIT} times as long")
    return int(bool(broken))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main("growth.py", growth)
