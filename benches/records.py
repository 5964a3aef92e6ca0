#!/usr/bin/env python3
"""Benchmark of mainframe records: `--records` and `--output-records`, compared with dd.

The text is 1 GiB in IBM1047, in records of 80 bytes, and in records with lengths (`rdw`, `rdw-blocked`), which dd does not
support. utfconv promises to take at most as long as dd if both support the form. `plain` has only characters in dd's own table;
`accents` also has other characters, which dd does not convert to UTF-8.

Before the timing, every output, and dd's output for `plain`, is compared with a model in Python, which gets the code page from iconv.

Needs Python 3.9 or newer, iconv, and dd for the comparison. Exit status: 0 the promises are kept; 1 one is broken; 2
something failed.
"""

import argparse
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benches")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import MIB, Job, at_most  # noqa: E402

WIDTH = 80
PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 .,:;()+-*/=%&'"
ACCENTS = PLAIN + "äöüßéèñçÄÖÜ"
BLOCK = 12_007  # bytes in a block of records; not a multiple of a buffer size


def code_page():
    """Returns the IBM1047 byte of each character, from iconv."""
    done = subprocess.run(["iconv", "-f", "IBM1047", "-t", "UTF-32LE"], input=bytes(range(256)), stdout=subprocess.PIPE)
    if done.returncode:
        raise harness.Failure("iconv has no IBM1047")
    return {char: bytes([byte]) for byte, char in enumerate(done.stdout.decode("utf-32-le"))}


def described(data):
    """Returns data with its length in front, as a record or block descriptor word."""
    return struct.pack(">HH", len(data) + 4, 0) + data


def blocked(records):
    """Returns the records in blocks of at most BLOCK bytes."""
    blocks, block = [], b""
    for record in records:
        if len(block) + len(record) > BLOCK:
            blocks.append(described(block))
            block = b""
        block += record
    return b"".join(blocks) + described(block)


def make(letters, table):
    """Returns random lines in UTF-8, and the lines in each form of records."""
    turns = random.Random(harness.SEED)
    lines = ["".join(turns.choices(letters, k=turns.randint(0, WIDTH))).rstrip(" ") for _ in range(20_011)]
    data = [b"".join(map(table.__getitem__, line)) for line in lines]
    text = "".join(f"{line}\n" for line in lines).encode()
    forms = {
        "80": b"".join(record.ljust(WIDTH, table[" "]) for record in data),
        "rdw": b"".join(map(described, data)),
        "rdw-blocked": blocked(map(described, data)),
    }
    return text, forms


def times(piece, count):
    """Returns a function that yields a piece `count` times, as the expected content of a file."""
    return lambda: (piece for _ in range(count))


def write(path, piece, count):
    with open(path, "wb") as file:
        file.writelines(times(piece, count)())
    return str(path)


def rows(exes, cwd, size):
    """Yields the rows, each with a name, the jobs, and the promises."""
    table = code_page()
    for letters, kind in [(PLAIN, "plain"), (ACCENTS, "accents")]:
        text, forms = make(letters, table)
        count = max(1, size // len(forms["80"]))
        lines = write(cwd / "lines", text, count)
        for form, piece in forms.items():
            records = write(cwd / "records", piece, count)
            read = [exes["utfconv"], "-f", "IBM1047", f"--records={form}", records]
            written = [exes["utfconv"], "-t", "IBM1047", f"--output-records={form}", lines]
            jobs = {"utfconv": Job([read], expected=times(text, count))}
            back = {"utfconv": Job([written], expected=times(piece, count))}
            if form == "rdw-blocked":
                # The writer chooses the blocks of the records, so compare the lines after reading them back.
                again = [exes["utfconv"], "-f", "IBM1047", f"--records={form}"]
                back = {"utfconv": Job([written, again], expected=times(text, count))}
            if form == "80" and "dd" in exes:
                dd = [exes["dd"], "bs=1M", f"cbs={WIDTH}", "status=none"]
                is_known = kind == "plain"
                jobs["dd"] = Job([[*dd, f"if={records}", "conv=unblock,ascii"]], expected=times(text, count) if is_known else None)
                back["dd"] = Job([[*dd, f"if={lines}", "conv=block,ebcdic"]], expected=times(piece, count) if is_known else None)
            promises = [at_most(1, "dd")] if form == "80" else []
            yield f"--records={form}, {kind}", jobs, promises
            yield f"--output-records={form}, {kind}", back, promises


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_options(parser, 5)
    parser.add_argument("--size", type=int, default=1024 * MIB, metavar="N", help="bytes in records of 80 (1 GiB)")
    parser.add_argument("--check", action="store_true", help="compare outputs, and measure nothing")
    parser.add_argument("--folder", metavar="DIR", help="where to put the files [default: the temporary folder]")
    args = parser.parse_args()
    exes, report = harness.tools(args, ["utfconv"], ["dd"]), harness.Report(args.markdown)
    harness.describe(report, exes, ["utfconv", "dd"])
    report.fact(f"records of 80: {args.size} bytes; runs: {args.runs}")
    report.table("ms", ["utfconv", "dd"])
    with tempfile.TemporaryDirectory(prefix="utfconv-records-", dir=args.folder) as scratch:
        cwd = Path(scratch)
        for name, jobs, promises in rows(exes, cwd, args.size):
            for job in jobs.values():
                harness.check(job, str(cwd / "output"))
            if not args.check:
                report.row(name, harness.medians(jobs, args.runs), promises)
    return report.end()


if __name__ == "__main__":
    harness.main("records.py", main)
