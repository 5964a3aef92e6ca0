#!/usr/bin/env python3
"""Compares `utfconv check` with a second implementation (utf8.py), on a tree of real and damaged text (tree.py).

The faults must be the same, with the same positions. Every report format must have the same findings for its readers
(reports.py), and the bytes of a report must not depend on the number of threads. Limits, options of the walk, lists of
files, standard input and exit statuses are tested, too.

    compare.py                              20,000 files, 290 MB
    compare.py --files 300 --megabytes 4 --sources=

Exit status: 0 no difference; 1 differences, which are printed; 2 a program failed.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import reports
import tree
import utf8

ROOT = Path(__file__).resolve().parent.parent.parent
NO_LIMITS = ["--max-errors=0", "--max-total=0"]
SHOWN = 40  # maximum number of lines of a difference that are printed


class Compared:
    """Compares values, prints differences, and counts comparisons."""

    def __init__(self):
        self.differing, self.same = 0, 0

    def hold(self, what, expected, got):
        """Compares two lists or two other values, and prints a difference."""
        if expected == got:
            self.same += 1
            return
        self.differing += 1
        print(f"DIFFERS: {what}")
        rows = [list(map(str, side)) if isinstance(side, list) else [repr(side)] for side in (expected, got)]
        lines = list(difflib.unified_diff(*rows, "expected", "got", lineterm="", n=1))
        for line in lines[:SHOWN]:
            print(f"    {line[:300]}")
        if len(lines) > SHOWN:
            print(f"    and {len(lines) - SHOWN} lines more")

    def attempt(self, what, read, *arguments):
        """Returns the entries that a reader finds in a report; `None` if the reader fails, which counts as a difference."""
        try:
            return list(read(*arguments))
        except Exception as error:  # whatever exception the reader raises, the report is wrong
            self.hold(what, "a report that can be read", f"{type(error).__name__}: {error}")
            return None


def opinion(root, listed):
    """Returns the expected faults by file name. Asserts that the files are as listed."""
    found = {}
    for path, what in listed:
        data = Path(os.path.join(os.fsencode(root), path).decode("utf-8", "surrogateescape")).read_bytes()
        binary = b"\0" in data[: tree.SNIFFED]
        if what == "other":
            found[path] = None
            continue
        assert binary == (what == "binary"), (path, what)
        found[path] = [] if binary else utf8.examine(data)
        assert path == b".gitignore" or bool(found[path]) == (what not in ("clean", "binary")), (path, what)
    return found


def rendered(path, faults):
    """Formats faults as lines to compare. A file in another encoding has a single line without details."""
    if faults is None:
        return [f"{os.fsdecode(path)!r}: wrong-encoding"]
    return [
        f"{os.fsdecode(path)!r}:{f.line}:{f.column} byte {f.offset}+{len(f.bytes)} {f.bytes.hex(' ').upper()} {f.kind}"
        for f in faults
    ]


def rendered_row(row):
    path = os.fsdecode(reports.json_path(row["path"]))
    if row["rule"] == "wrong-encoding":
        return f"{path!r}: wrong-encoding"
    return f"{path!r}:{row['line']}:{row['column']} byte {row['offset']}+{row['length']} {row['bytes']} {row['kind']}"


def only(faults, *kinds):
    """Returns the expected lines of the files that a walk visits by default, and of files of further `kinds`."""
    met = ("clean", "damaged", "other", *kinds)
    return sorted(line for path, (what, found) in faults.items() if what in met for line in rendered(path, found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--utfconv", metavar="PATH", default="utfconv", help="the program (that on the PATH)")
    parser.add_argument("--sarif-schema", metavar="FILE", help="the JSON schema of SARIF 2.1.0, to validate with jsonschema")
    parser.add_argument("--folder", metavar="DIR", help="where to make the tree, and leave it; there may be one already")
    tree.add_options(parser)
    args = parser.parse_args()
    schema = json.loads(Path(args.sarif_schema).read_text("utf-8")) if args.sarif_schema else None
    utf8.try_vectors()
    utf8.try_random(1000)
    with tempfile.TemporaryDirectory(prefix="utfconv-corpus-") as scratch:
        root = os.path.join(args.folder or scratch, "tree")
        if os.path.exists(f"{root}.list"):
            listed = tree.read_list(root)
        else:
            sources = list(filter(None, args.sources.split(os.pathsep)))
            listed = tree.make(root, sources, args.files, args.megabytes, args.seed)
        compared = compare(args.utfconv, root, listed, schema, scratch)
    print(f"{compared.same} comparisons the same, {compared.differing} not")
    return int(compared.differing > 0)


def compare(utfconv, root, listed, schema, scratch):
    compared, hold = (it := Compared()), it.hold
    program = os.path.abspath(utfconv) if os.sep in utfconv else utfconv

    def run(*options, stdin=b"", cwd=root):
        start = time.perf_counter()
        done = subprocess.run([program, "check", *options], input=stdin, cwd=cwd, capture_output=True, timeout=600)
        done.seconds = time.perf_counter() - start
        return done

    def faults_of(what, done):
        """Formats the faults of a JSON report as lines to compare."""
        rows = compared.attempt(what, reports.json_rows, done.stdout)
        return [rendered_row(row) for row in rows[0] if row["type"] == "error"] if rows else []

    whats = dict(listed)
    faults = {path: (whats[path], found) for path, found in opinion(root, listed).items()}
    expected = only(faults)
    sizes = {path: os.path.getsize(os.path.join(os.fsencode(root), path)) for path in faults}
    print(f"{len(faults)} files, {sum(sizes.values()) / 1e6:.1f} MB, {len(expected)} faults expected", flush=True)

    # Compare the faults, position by position.
    done = run("--format=json", *NO_LIMITS)
    print(f"checked in {done.seconds:.2f} s: {done.stderr.decode('utf-8', 'replace').strip()}", flush=True)
    lines = faults_of("json", done)
    hold("faults in json", expected, sorted(lines))
    hold("status with faults", 1, done.returncode)
    paths = [line.partition("':")[0] for line in lines]
    hold("the faults of a file stand together", len(set(paths)), sum(a != b for a, b in zip(paths, [None, *paths])))
    rows, summary = compared.attempt("json", reports.json_rows, done.stdout) or ([], {})
    offsets = [(reports.json_path(r["path"]), r["offset"]) for r in rows if r["type"] == "error"]
    hold("faults in order", offsets, sorted(offsets))
    walked = {path: found for path, (what, found) in faults.items() if what in ("clean", "damaged", "other")}
    hold("summary: faulty", sum(found != [] for found in walked.values()), summary.get("files_with_errors"))
    hold("summary: faults and listed", [len(expected)] * 2, [summary.get("errors"), summary.get("listed")])
    hold("summary: binary", sum(what == "binary" for what, _ in faults.values()), summary.get("binary"))
    hold("summary: unreadable", 0, summary.get("unreadable"))
    hold("summary: status", 1, summary.get("status"))
    other = sum(found is None for found in walked.values())
    hold("summary: by_rule", {"ill-formed": len(expected) - other, "wrong-encoding": other}, summary.get("by_rule"))
    messages = [(r["message"], f"invalid UTF-8 ({r['kind']}) at byte {r['offset']}: {r['bytes'][:2]}") for r in rows if r.get("rule") == "ill-formed"]
    hold("sentences", [], [message for message, start in messages if not message.startswith(start)][:5])

    # Each other format is read as its users read it; the number of threads must not change the output.
    entries = compared.attempt("json", reports.read_json, done.stdout, None) or []
    for format, reader in reports.READERS.items():
        outputs = [run(f"--format={format}", "--verbose", *NO_LIMITS, f"-j{threads}") for threads in (1, 2, 8)]
        for threads, output in zip((2, 8), outputs[1:]):
            same = (output.stdout, output.stderr, output.returncode) == (outputs[0].stdout, outputs[0].stderr, outputs[0].returncode)
            hold(f"{format}: the same with -j1 and -j{threads}", True, same)
        hold(f"{format}: status", 1, outputs[0].returncode)
        got = compared.attempt(format, reader, outputs[0].stdout, schema)
        if got is not None:
            hold(format, *alike(entries, got))

    # Test the limits.
    done = run("--format=json")
    rows, summary = compared.attempt("json with limits", reports.json_rows, done.stdout) or ([], {})
    counts = {}
    for row in rows:
        if row["type"] == "error":
            path = reports.json_path(row["path"])
            counts[path] = counts.get(path, 0) + 1
    limited = {path: min(1000, 1 if found is None else len(found)) for path, found in walked.items() if found != []}
    hold("at most 1,000 faults a file", sorted(limited.items()), sorted(counts.items()))
    counted = run("--format=json", "--count", "--max-errors=1")
    summary = (compared.attempt("json with --count", reports.json_rows, counted.stdout) or ([], {}))[1]
    hold("all are counted", len(expected), summary.get("errors"))
    done = run("--format=json", "--max-errors=0", "--max-total=7")
    hold("--max-total", 7, len(faults_of("json with --max-total", done)))

    # Test the options of the walk.
    done = run("--format=json", *NO_LIMITS, "--hidden", "--no-ignore")
    hold("--hidden --no-ignore", only(faults, "hidden", "ignored"), sorted(faults_of("json", done)))
    done = run("--format=json", *NO_LIMITS, "--hidden")
    hold("--hidden", only(faults, "hidden"), sorted(faults_of("json", done)))

    # Test lists of names, and standard input.
    some = [path for path, (what, _) in faults.items() if what in ("damaged", "clean", "other")][:2000]
    for option, end, chosen in (("--files0-from", b"\0", some), ("--files-from", b"\n", [p for p in some if b"\n" not in p])):
        source = os.path.join(scratch, "names")
        Path(source).write_bytes(b"".join(path + end for path in chosen))
        lines = sorted(line for path in chosen for line in rendered(path, faults[path][1]))
        hold(option, lines, sorted(faults_of(option, run("--format=json", *NO_LIMITS, f"{option}={source}"))))
        done = run("--format=json", *NO_LIMITS, f"{option}=-", stdin=Path(source).read_bytes())
        hold(f"{option} of standard input", lines, sorted(faults_of(option, done)))
    data = Path(root, "odd/faults.txt").read_bytes()
    expected_there = rendered(b"some/name.txt", utf8.examine(data))
    done = run("--format=json", *NO_LIMITS, "--stdin-filename=some/name.txt", "-", stdin=data)
    hold("standard input", expected_there, faults_of("standard input", done))
    done = run(*NO_LIMITS, "-", stdin=b"caf\xe9\n")
    first = "-:1:4: error: invalid UTF-8 (truncated) at byte 3: E9 "
    hold("standard input in text", first, done.stdout.decode("utf-8")[: len(first)])

    # Test the exit statuses.
    done = run("-", stdin=b"caf\xc3\xa9\n")
    hold("a file in order", (0, b"", b""), (done.returncode, done.stdout, done.stderr))
    clean = [path for path, (what, _) in faults.items() if what == "clean"][:500]
    done = run("--files0-from=-", stdin=b"".join(path + b"\0" for path in clean))
    hold("files in order", (0, b"", b""), (done.returncode, done.stdout, done.stderr))
    done = run("odd/faults.txt", "there-is-none.txt")
    hold("trouble wins", 2, done.returncode)
    hold("trouble is told", True, bool(re.search(rb"there-is-none\.txt", done.stderr)))
    return compared


def alike(expected, got):
    """Formats two lists of entries as lines, without the fields that the format of the second list lacks."""
    if any(entry.column is None for entry in got):  # GitLab reports have no columns, and their names are text
        text = lambda path: path.decode() if is_text(path) else "".join(percent(path))
        expected = [entry._replace(column=None, path=text(entry.path).encode()) for entry in expected]
    return [list(map(str, sorted(entries))) for entries in (expected, got)]


def is_text(path):
    try:
        path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def percent(path):
    """Returns the characters of a name, with bytes that are not UTF-8 as percent escapes."""
    for character in path.replace(b"%", b"%25").decode("utf-8", "surrogateescape"):
        yield character if not "\udc80" <= character <= "\udcff" else f"%{ord(character) - 0xDC00:02X}"


if __name__ == "__main__":
    sys.exit(main())
