#!/usr/bin/env python3
"""Compares `utfconv git-filter` with a filter that runs iconv for each file, in a repository of UTF-16LE files.

Creates a repository and measures for each filter, in turns: `git checkout` of all files, and `git status` after all files were
touched, so that git converts each file again. After each command the files are compared with the added files, and git status must
print nothing. Then files are measured that are UTF-16LE in the repository and UTF-8 in the work tree (`git-filter -t`).
Exits with 1 if git-filter takes more than a tenth of the total time of iconv, or if `-t` takes more than 1.1 times as long as `-f`.

    python3 benches/git.py                  10,000 files; takes a few minutes
    python3 benches/git.py --files 20 --check   compares the files, measures nothing
"""

import argparse
import hashlib
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile
import time

import harness

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT = ROOT / "crates/utfconv-core/tests/data/udhr.txt"
LIMIT = 0.1
# The times of equal runs differ by up to a tenth.
MIRRORED_LIMIT = 1.1
ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(repository, *words):
    """Runs git, and returns its output."""
    ran = subprocess.run(["git", *words], cwd=repository, env=ENVIRONMENT, capture_output=True)
    if ran.returncode or ran.stderr:
        sys.exit(f"git.py: git {' '.join(words)}: status {ran.returncode}: {ran.stderr.decode(errors='replace')}")
    return ran.stdout


def make(repository, count):
    """Writes files of 1 to 8 KiB, and returns their checksums by path."""
    text = TEXT.read_text(encoding="utf-8")
    sums = {}
    for number in range(count):
        start = number * 977 % (len(text) - 4096)
        content = f"file {number}\r\n" + text[start : start + 512 + number * 389 % 3584]
        path = repository / f"d{number % 100:02}" / f"f{number:05}.rc"
        path.parent.mkdir(exist_ok=True)
        data = content.encode("utf-16-le")
        path.write_bytes(data)
        sums[path] = hashlib.sha256(data).digest()
    (repository / ".gitattributes").write_text("*.rc filter=utf16\n")
    return sums


def configure(repository, tool, program):
    """Configures `tool` as the filter of the repository."""
    settings = {"process": "", "clean": "", "smudge": ""}
    if tool in ("-f", "-t"):
        settings["process"] = f"{shlex.quote(program)} git-filter {tool} UTF-16LE"
    else:
        settings["clean"] = "iconv -f UTF-16LE -t UTF-8"
        settings["smudge"] = "iconv -f UTF-8 -t UTF-16LE"
    for key, value in settings.items():
        if value:
            git(repository, "config", f"filter.utf16.{key}", value)
        else:
            subprocess.run(["git", "config", "--unset", f"filter.utf16.{key}"], cwd=repository, env=ENVIRONMENT)


def compare(sums, tool):
    for path, expected in sums.items():
        if not path.exists() or hashlib.sha256(path.read_bytes()).digest() != expected:
            sys.exit(f"git.py: {tool}: {path.name} is not the file that was added")


def measured(call):
    """Returns the wall time and the processor time of a call."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    began, before = time.monotonic(), used()
    call()
    return time.monotonic() - began, used() - before


def checkout(repository, sums):
    for path in sums:
        path.unlink()
    return measured(lambda: git(repository, "checkout", "--", "."))


def status(repository, sums):
    # Old times, so that no file is as new as the index, and different in each call, so that git reads the files again.
    for number, path in enumerate(sums):
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + status.calls))
    status.calls += 1
    # The call runs only once per touch, because git then stores its findings in the index.
    return measured(lambda: expect_nothing(git(repository, "status", "--short")))


status.calls = 0


def expect_nothing(output):
    if output:
        sys.exit(f"git.py: git status is not clean: {output[:200]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--utfconv", metavar="PATH", help="the program, if not the one that cargo builds")
    parser.add_argument("--check", action="store_true", help="compare files only")
    args = parser.parse_args()
    program = harness.program(args.utfconv)
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as other:
        repositories = {}
        for path, mirrored in ((directory, False), (other, True)):
            repository = pathlib.Path(path)
            git(repository, "init", "-q", "-b", "main")
            git(repository, "config", "filter.utf16.required", "true")
            git(repository, "config", "gc.auto", "0")
            sums = make(repository, args.files)
            if mirrored:
                sums = mirror(repository, sums, program)
            else:
                configure(repository, "-f", program)
                git(repository, "add", ".")
                git(repository, "commit", "-q", "-m", "one")
            repositories[mirrored] = repository, sums
        times = {}
        for _ in range(1 if args.check else args.runs):
            for tool in ("-f", "iconv", "-t"):
                repository, sums = repositories[tool == "-t"]
                configure(repository, tool, program)
                for what in (checkout, status):
                    times.setdefault((what.__name__, tool), []).append(what(repository, sums))
                    compare(sums, tool)
        for repository, _ in repositories.values():
            expect_nothing(git(repository, "status", "--short"))
        if args.check:
            return 0
        return report(times)


def mirror(repository, sums, program):
    """Commits the files unfiltered, and lets the filter check them out in UTF-8; returns the checksums of the UTF-8 files."""
    attributes = repository / ".gitattributes"
    attributes.write_text("*.rc -text\n")
    contents = {path: path.read_bytes().decode("utf-16-le").encode() for path in sums}
    for path in sums:
        # The files are older than the index, so that git does not read them again.
        os.utime(path, (1_000_000_000, 1_000_000_000))
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "one")
    attributes.write_text("*.rc filter=utf16 -text\n")
    git(repository, "add", ".gitattributes")
    git(repository, "commit", "-q", "-m", "two")
    configure(repository, "-t", program)
    for path in sums:
        path.unlink()
    git(repository, "checkout", "--", ".")
    return {path: hashlib.sha256(content).digest() for path, content in contents.items()}


def report(times):
    """Prints the best time of each measurement, and returns the exit status."""
    best = {row: [min(column) for column in zip(*runs)] for row, runs in times.items()}
    print(f"{'':10}{'git-filter -f':>22}{'iconv per file':>22}{'git-filter -t':>22}")
    sums = {}
    for what in ("checkout", "status"):
        cells = []
        for tool in ("-f", "iconv", "-t"):
            wall, cpu = best[what, tool]
            sums[tool] = sums.get(tool, 0) + wall
            cells.append(f"{wall:8.2f} s ({cpu:.2f} CPU)")
        print(f"{what:10}" + "".join(f"{cell:>22}" for cell in cells))
    ratio, mirrored = sums["-f"] / sums["iconv"], sums["-t"] / sums["-f"]
    print(f"in sum: -f takes {ratio:.3f} of the time of iconv (limit {LIMIT}), -t {mirrored:.2f} of that of -f (limit {MIRRORED_LIMIT})")
    return int(ratio > LIMIT or mirrored > MIRRORED_LIMIT)


if __name__ == "__main__":
    harness.main("git.py", main)
