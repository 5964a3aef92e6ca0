"""Shared code of the examples: cuts a file into ranges, converts each range to a part, and joins the parts.

This module uses no engine. A part is named after the offset of the first byte of its range, so the order of the names
is the order of the file. `utfconv -o` gives a part its name only when it is complete, so a task may be killed or run
twice.
"""

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

CHUNK = 1 << 20


class Failed(Exception):
    """The error of a command, with a message for the user."""


def run(argv, stdin=b"", statuses=(0,)):
    """Runs a command; returns its output and messages. Raises Failed if its status is not one of `statuses`."""
    try:
        done = subprocess.run(argv, input=stdin, capture_output=True)
    except OSError as error:
        raise Failed(f"{argv[0]}: {error.strerror}") from None
    if done.returncode not in statuses:
        said = done.stderr.decode("utf-8", "backslashreplace").strip()
        raise Failed(f"{argv[0]} {end(done.returncode)}: {said or 'no message'}")
    return done


def end(code):
    """Returns a phrase that says how a process ended."""
    return f"ended with status {code}" if code >= 0 else f"was killed by signal {-code}"


def program(utfconv):
    """Returns the program for tasks, which may run in another directory: an absolute path, or a name on the PATH."""
    return os.path.abspath(utfconv) if os.sep in utfconv else utfconv


class Conversion:
    """The data that tasks receive: the command that converts a file, and the directory of the parts."""

    def __init__(self, utfconv, options, file, parts):
        self.command = [program(utfconv), *options]
        # Use absolute paths, because tasks may run in another directory.
        self.file, self.parts = os.path.abspath(file), os.path.abspath(parts)

    def ranges(self, count):
        """Returns at most `count` ranges A:B, in bytes, that make up the file."""
        return run([*self.command, f"--list-ranges={count}", self.file]).stdout.decode().split()

    def part(self, span):
        """Returns the path of the part of a range."""
        return os.path.join(self.parts, f"part-{int(span.partition(':')[0]):015}")

    def convert(self, span):
        """Converts a range to its part. Returns the start time, and the duration in seconds."""
        began = time.time()
        try:
            # Use one thread, because there are as many tasks as processors.
            done = run([*self.command, "-j1", f"--range={span}", f"--output={self.part(span)}", self.file])
        except Failed as failed:
            raise Failed(f"{self.file}, range {span}: {failed}") from None
        # Errors that a mode handled go to the log of the task.
        sys.stderr.write(done.stderr.decode("utf-8", "backslashreplace"))
        return began, time.time() - began

    def compare(self, spans):
        """Converts the whole file in one process. Fails unless the parts join to the same bytes."""
        at = 0
        # Suppress the errors (-s), because the conversions of the parts have already reported them.
        with subprocess.Popen([*self.command, "-s", self.file], stdout=subprocess.PIPE) as whole:
            for span in spans:
                with open(self.part(span), "rb") as part:
                    while chunk := part.read(CHUNK):
                        if whole.stdout.read(len(chunk)) != chunk:
                            whole.kill()
                            raise Failed(f"the part of {span} differs from the whole, at byte {at} or after it")
                        at += len(chunk)
            if whole.stdout.read(1):
                whole.kill()
                raise Failed(f"the parts end after {at} bytes, and the whole continues")
        if whole.returncode != 0:
            raise Failed(f"the whole conversion {end(whole.returncode)}")
        return at

    def join(self, spans, output):
        """Joins the parts, in their order, to the file `output`, which gets its name only when it is complete."""
        partial = f"{output}.partial"
        with open(partial, "wb") as joined:
            for span in spans:
                with open(self.part(span), "rb") as part:
                    shutil.copyfileobj(part, joined, CHUNK)
        os.replace(partial, output)


@contextlib.contextmanager
def unchanged(path):
    """Fails if the file changes while the context is active, because ranges of two states do not fit together."""

    def state():
        found = os.stat(path)
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    before = state()
    yield
    if state() != before:
        raise Failed(f"{path} has changed while it was converted: its parts are of no use")


def arguments(parser):
    """Parses the command line; the words after `--` are options for utfconv."""
    workers = os.cpu_count()
    parser.add_argument("--workers", type=int, default=workers, metavar="N", help="tasks at a time (%(default)s)")
    parser.add_argument("--utfconv", default="utfconv", metavar="PATH", help="the program (that on the PATH)")
    words = sys.argv[1:]
    own = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:own])
    args.options = words[own + 1 :]
    return args


def convert(convert_all, doc):
    """Runs a whole example: converts a file as the command line says.

    `convert_all(conversion, spans, workers)` lets an engine call `conversion.convert` for every range, and returns the
    results of these calls.
    """
    usage = "%(prog)s [OPTIONS] FILE PARTS [-- -f ENC -t ENC ...]"
    parser = argparse.ArgumentParser(description=doc.partition("\n")[0], usage=usage)
    parser.add_argument("file", metavar="FILE", help="the file to convert; one that all workers see")
    parser.add_argument("parts", metavar="PARTS", help="a new directory for the parts; one that all workers see")
    parser.add_argument("--ranges", type=int, default=16, metavar="N", help="how many ranges (%(default)s)")
    parser.add_argument("--join", metavar="OUTPUT", help="join the parts to this file")
    parser.add_argument("--compare", action="store_true", help="compare the parts with the whole conversion")
    args = arguments(parser)

    conversion = Conversion(args.utfconv, args.options, args.file, args.parts)
    with unchanged(args.file):
        spans = conversion.ranges(args.ranges)
        # The directory must be new, because parts of another run would be joined too.
        os.makedirs(conversion.parts)
        began = time.time()
        times = convert_all(conversion, spans, args.workers)
        took = time.time() - began
    if args.compare:
        print(f"the same as the whole: {conversion.compare(spans)} bytes")
    if args.join:
        conversion.join(spans, args.join)
    seconds = [seconds for _, seconds in times]
    print(
        f"{len(spans)} ranges in {took:.2f} s; the first began after {min(times)[0] - began:.2f} s;"
        f" each took {statistics.median(seconds):.3f} s (median), {max(seconds):.3f} s at most"
    )


def main(function, *arguments):
    """Ends the script with the status that `function` returns, with 0 if it returns None, and with 2 if it fails."""
    try:
        sys.exit(function(*arguments))
    except (Failed, OSError) as failed:
        print(f"{Path(sys.argv[0]).name}: {failed}", file=sys.stderr)
        sys.exit(2)
