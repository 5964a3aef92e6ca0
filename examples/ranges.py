"""What the examples share: a file cut into ranges, each converted to a part by utfconv, and the parts joined.

No engine is known here. A part is named after the first byte of its range, so that the order of the names is that of
the file. It is written by `utfconv -o`, under no name until it is complete, so a task may be killed or run twice.
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
    """What went wrong, for people."""


def run(argv, stdin=b"", statuses=(0,)):
    """Runs a command, which has to end with one of these statuses; its output and messages are in what is returned."""
    try:
        done = subprocess.run(argv, input=stdin, capture_output=True)
    except OSError as error:
        raise Failed(f"{argv[0]}: {error.strerror}") from None
    if done.returncode not in statuses:
        said = done.stderr.decode("utf-8", "backslashreplace").strip()
        raise Failed(f"{argv[0]} {end(done.returncode)}: {said or 'no message'}")
    return done


def end(code):
    """How a process ended."""
    return f"ended with status {code}" if code >= 0 else f"was killed by signal {-code}"


def program(utfconv):
    """The program for tasks, which may run in another directory: a path, or a name that is looked for there."""
    return os.path.abspath(utfconv) if os.sep in utfconv else utfconv


class Conversion:
    """What tasks are sent: how a file is converted, and where the parts go."""

    def __init__(self, utfconv, options, file, parts):
        self.command = [program(utfconv), *options]
        # Tasks may run in another directory.
        self.file, self.parts = os.path.abspath(file), os.path.abspath(parts)

    def ranges(self, count):
        """Up to so many ranges A:B that make up the file."""
        return run([*self.command, f"--list-ranges={count}", self.file]).stdout.decode().split()

    def part(self, span):
        """The name of the part of a range."""
        return os.path.join(self.parts, f"part-{int(span.partition(':')[0]):015}")

    def convert(self, span):
        """Converts a range to its part; when that began, and how many seconds it took."""
        began = time.time()
        try:
            # One thread: there are as many tasks as processors.
            done = run([*self.command, "-j1", f"--range={span}", f"--output={self.part(span)}", self.file])
        except Failed as failed:
            raise Failed(f"{self.file}, range {span}: {failed}") from None
        # The log of the task has the errors that a mode handled.
        sys.stderr.write(done.stderr.decode("utf-8", "backslashreplace"))
        return began, time.time() - began

    def compare(self, spans):
        """Converts the whole file in one process. Fails unless the parts join to the same bytes."""
        at = 0
        # The parts have reported the errors already.
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
        """Joins the parts, in their order, to a file that gets its name when it is complete."""
        partial = f"{output}.partial"
        with open(partial, "wb") as joined:
            for span in spans:
                with open(self.part(span), "rb") as part:
                    shutil.copyfileobj(part, joined, CHUNK)
        os.replace(partial, output)


@contextlib.contextmanager
def unchanged(path):
    """Fails if the file is not the same afterwards: ranges of two states of a file make up neither."""

    def state():
        found = os.stat(path)
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    before = state()
    yield
    if state() != before:
        raise Failed(f"{path} has changed while it was converted: its parts are of no use")


def arguments(parser):
    """Parses the command line; what follows `--` is for utfconv."""
    workers = os.cpu_count()
    parser.add_argument("--workers", type=int, default=workers, metavar="N", help="tasks at a time (%(default)s)")
    parser.add_argument("--utfconv", default="utfconv", metavar="PATH", help="the program (that on the PATH)")
    words = sys.argv[1:]
    own = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:own])
    args.options = words[own + 1 :]
    return args


def convert(convert_all, doc):
    """The whole of a script: converts a file as the command line says.

    `convert_all(conversion, spans, workers)` has an engine call `conversion.convert` for every range, and gives what
    those calls gave.
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
        # A new directory: there must be no parts of another run in it.
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
    """Ends the script with the status of the function, 0 where it gives none, and 2 if it fails."""
    try:
        sys.exit(function(*arguments))
    except (Failed, OSError) as failed:
        print(f"{Path(sys.argv[0]).name}: {failed}", file=sys.stderr)
        sys.exit(2)
