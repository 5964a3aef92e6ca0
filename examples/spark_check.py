#!/usr/bin/env python3
"""Checks many files with Apache Spark: a task for each share of them, and one report in JSON lines.

    spark_check.py --workers 4 --report report.jsonl src docs -- --rule bom=forbid
    git ls-files -z | spark_check.py --workers 4 --files0-from - > report.jsonl

The report is that of `utfconv check --format=json` on the files, sorted by name, with one summary at its end. In
directories, hidden and binary files are skipped.

Exit status: 0 nothing found; 1 something is; 2 an error, such as a file that cannot be read.
"""

import argparse
import collections
import json
import os
import sys
from pathlib import Path

import ranges
from spark_job import spark


def walk(path):
    """Yields the files below a directory, except hidden files and links. Any other path is yielded as a file."""
    if not os.path.isdir(path):
        yield path
    for folder, folders, files in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(b".")]
        for name in files:
            file = os.path.join(folder, name)
            if not name.startswith(b".") and os.path.isfile(file) and not os.path.islink(file):
                yield file


def read_names(list_name):
    """Returns the names in a list in which each name ends with a NUL."""
    with open(0 if list_name == "-" else list_name, "rb") as file:
        return [name for name in file.read().split(b"\0") if name]


def check_each(command, names):
    """Returns the report on the given files as lines, the summary last."""
    names = b"".join(name + b"\0" for name in names)
    # Findings do not fail the task, but a report without a summary does.
    report = ranges.run([*command, "--files0-from=-"], stdin=names, statuses=(0, 1, 2))
    lines = report.stdout.splitlines()
    if not lines or json.loads(lines[-1])["type"] != "summary":
        raise ranges.Failed(report.stderr.decode("utf-8", "backslashreplace").strip())
    return lines


def summarize(summaries):
    """Returns one summary of all shares: the sums, and the worst status."""
    total = dict(summaries[0])
    rules = collections.Counter()
    for summary in summaries:
        rules.update(summary["by_rule"])
    for key in total.keys() - {"type", "status", "by_rule"}:
        total[key] = sum(summary[key] for summary in summaries)
    return total | {"by_rule": dict(sorted(rules.items())), "status": max(summary["status"] for summary in summaries)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], usage="%(prog)s [OPTIONS] [PATH ...] [-- --rule ID ...]"
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and directories that all workers see (.)")
    parser.add_argument("--files0-from", metavar="FILE", help="the files named in FILE too, each name ended by a NUL")
    parser.add_argument("--shares", type=int, metavar="N", help="how many tasks (4 for each worker)")
    parser.add_argument("--report", metavar="FILE", help="where to write the report (standard output)")
    args = ranges.arguments(parser)
    if not args.paths and not args.files0_from:
        args.paths = ["."]

    command = [ranges.program(args.utfconv), "check", "-j1", "--format=json", *args.options]
    if args.paths:
        command.append("--binary=skip")
    names = {os.path.abspath(name) for path in args.paths for name in walk(os.fsencode(path))}
    if args.files0_from:
        names |= {os.path.abspath(name) for name in read_names(args.files0_from)}

    def check(names):
        return check_each(command, names)

    with spark(args.workers) as context:
        # Each share is a slice of the sorted names, and `collect` keeps the order of the shares.
        shares = context.parallelize(sorted(names), args.shares or 4 * args.workers)
        lines = shares.mapPartitions(check).collect()

    findings, summaries = [], []
    for line in lines:
        row = json.loads(line)
        if row["type"] == "summary":
            summaries.append(row)
        else:
            findings.append(line)
    total = summarize(summaries)
    report = b"\n".join([*findings, json.dumps(total, separators=(",", ":")).encode(), b""])
    if args.report:
        Path(args.report).write_bytes(report)
    else:
        sys.stdout.buffer.write(report)
    return total["status"]


if __name__ == "__main__":
    ranges.main(main)
