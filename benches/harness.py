"""Shared code of the whole-process benchmarks: starts and times commands, and prints tables with promises.

A `Job` is a timed pipeline of commands. The jobs of a row take turns, in a shuffled order, so that slow phases of the machine
affect all jobs alike. A row shows medians, and ratios to the median of utfconv (2.00x took twice as long). The script only
starts the processes; the data goes directly between files, pipes and the commands.
"""

import contextlib
import ctypes
import datetime
import json
import os
import platform
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, NamedTuple, Optional

ROOT = Path(__file__).resolve().parent.parent
MIB = 1 << 20
SEED = 1948
CORES = len(os.sched_getaffinity(0))
AT_BOUND = 1.05  # two medians of the same command differ by up to this factor


class Failure(Exception):
    """Raised if a command is not found or does not do its task."""


class Job(NamedTuple):
    """A pipeline of commands, and what it reads and writes."""

    stages: list
    source: str = os.devnull  # standard input of the first command
    sink: str = os.devnull  # output of the last command; created anew in each run unless it is os.devnull
    status: int = 0  # expected exit status: the largest of all commands
    expected: Optional[Callable] = None  # returns the pieces whose concatenation is the expected output

    def __str__(self):
        return " | ".join(" ".join(map(os.fsdecode, argv)) for argv in self.stages)[:200]


def spawn(argv, stdin, stdout):
    null = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
    actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, stdout, 1), null]
    return os.posix_spawn(argv[0], argv, os.environ, file_actions=actions, setsigdef=[signal.SIGPIPE, signal.SIGXFSZ])


def pipeline(stages, stdin, stdout):
    """Starts the commands of a pipeline; closes stdin."""
    pids = []
    for argv in stages[:-1]:
        reader, writer = os.pipe()
        pids.append(spawn(argv, stdin, writer))
        os.close(writer)
        os.close(stdin)
        stdin = reader
    pids.append(spawn(stages[-1], stdin, stdout))
    os.close(stdin)
    return pids


def run(job):
    """Runs a job; returns its wall time in milliseconds."""
    if job.sink != os.devnull:
        Path(job.sink).unlink(missing_ok=True)
    stdin, sink = os.open(job.source, os.O_RDONLY), os.open(job.sink, os.O_WRONLY | os.O_CREAT, 0o600)
    start = time.perf_counter()
    pids = pipeline(job.stages, stdin, sink)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    elapsed = (time.perf_counter() - start) * 1000
    os.close(sink)
    if max(statuses, key=abs) != job.status:
        raise Failure(f"exit status {max(statuses, key=abs)}: {job}")
    return elapsed


def check(job, scratch):
    """Runs a job once, untimed, and compares its output with the expected output."""
    run(job._replace(sink=scratch))
    if job.expected:
        with open(scratch, "rb") as file:
            same = all(file.read(len(piece)) == piece for piece in job.expected()) and not file.read(1)
        if not same:
            raise Failure(f"wrong output: {job}")


def medians(jobs, runs):
    """Returns the median wall time of each job in milliseconds."""
    times, turns = {name: [] for name in jobs}, random.Random(SEED)
    for _ in range(runs):
        for name in turns.sample(list(jobs), len(jobs)):
            times[name].append(run(jobs[name]))
    return {name: statistics.median(values) for name, values in times.items()}


def peak(job):
    """Returns the peak resident size of a job's last command in MiB.

    The kernel includes the memory of a process before exec in its peak, and this interpreter is large. Therefore a small
    shell starts the command and exits, and this process adopts the orphan and gets its resource usage. Resident pages of
    a mapped input file are included, because the kernel counts them.
    """
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    shell = ["/bin/sh", "-c", 'exec 3<&0; "$@" <&3 3<&- & exec true', "sh", *job.stages[-1]]
    null, result = os.open(os.devnull, os.O_WRONLY), None
    others = pipeline([*job.stages[:-1], shell], os.open(job.source, os.O_RDONLY), null)
    os.close(null)
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status, usage = os.wait4(-1, 0)
            if pid in others:
                continue
            if os.waitstatus_to_exitcode(status) != job.status:
                raise Failure(f"exit status {os.waitstatus_to_exitcode(status)}: {job}")
            result = usage.ru_maxrss / 1024
    if result is None:
        raise Failure(f"no resource usage: {job}")
    return result


class Promise(NamedTuple):
    """A limit of a row: a column is at most, or at least, `times` as large as another column."""

    times: float
    other: str
    is_speed: bool
    column: str

    def check(self, values, bounds):
        """Returns a description of the promise and the measured ratio, and whether the promise is kept; `None` if it was not
        measured."""
        sign = ">=" if self.is_speed else "<="
        who = "" if self.column == "utfconv" else f"{self.column} "
        promised = f"{who}{sign} {self.times:g}x {self.other}"
        if self.column not in values or self.other not in values:
            return f"{promised}: not measured", None
        ours, other = values[self.column], values[self.other]
        measured = other / ours if self.is_speed else ours / other
        if measured >= self.times if self.is_speed else measured <= self.times:
            return f"{promised}: {measured:.2f} kept", True
        bound = min((values[name] for name in bounds if name in values), default=0)
        if self.column == "utfconv" and ours <= AT_BOUND * bound:
            return f"{promised}: {measured:.2f} kept, at the bound", True
        return f"{promised}: {measured:.2f} BROKEN", False


def at_most(times, other, column="utfconv"):
    """Promises that the time (or size) of `column` is at most `times` the time (or size) of `other`."""
    return Promise(times, other, False, column)


def faster(times, other, column="utfconv"):
    """Promises that `column` is at least `times` as fast as `other`."""
    return Promise(times, other, True, column)


class Report:
    """Prints tables row by row, and collects the measurements and the broken promises."""

    def __init__(self, markdown):
        self.markdown, self.columns = markdown, []
        self.results, self.kept, self.broken, self.notes = {}, 0, [], []

    def fact(self, text):
        print(f"- {text}" if self.markdown else text, flush=True)

    def table(self, unit, columns):
        """Starts a table, whose rows show these columns if they were measured."""
        self.columns = columns
        print()
        self.line(f"row ({unit})", columns, "promised: measured")
        if self.markdown:
            print(f"|---|{'--:|' * len(columns)}---|")

    def row(self, name, values, promises=(), bounds=()):
        """Prints a row. `bounds` are columns that only do the required system calls: a promise also counts as kept if utfconv
        takes at most 5 % longer than the fastest of them."""
        self.results[name] = values
        ours, checked = values["utfconv"], []
        for text, is_kept in (promise.check(values, bounds) for promise in promises):
            checked.append(text)
            if is_kept is False:
                self.broken.append(f"{name}: {text}")
            self.kept += is_kept is True
        cells = [
            "-" if column not in values
            else f"{ours:.2f}" if column == "utfconv"
            else f"{values[column]:.2f} ({values[column] / ours:.2f}x)"
            for column in self.columns
        ]
        self.line(name, cells, "; ".join(checked))

    def line(self, name, cells, end):
        text = " | ".join([name.ljust(48), *(cell.rjust(15) for cell in cells), end])
        print(f"| {text} |" if self.markdown else text.replace(" | ", "  "), flush=True)

    def end(self):
        """Prints notes and broken promises; returns the exit status."""
        print()
        for note in self.notes:
            self.fact(note)
        for promise in self.broken:
            self.fact(f"broken: {promise}")
        self.fact(f"{self.kept} promises kept, {len(self.broken)} broken")
        return int(bool(self.broken))


def installed(exe):
    """Copies a program like an installation, because a freshly linked file is cached in small pages and starts more slowly."""
    folder = ROOT / "target" / "installed"
    folder.mkdir(exist_ok=True)
    path = folder / Path(exe).name
    path.unlink(missing_ok=True)
    return str(shutil.copy2(exe, path))


def built():
    """Builds utfconv and the reference programs; returns their paths by name, as cargo reports them."""
    benches = ["read_and_write", "replace_files", "walk_and_read"]
    targets = ["--bin", "utfconv", *(word for bench in benches for word in ("--bench", bench))]
    argv = ["cargo", "build", "--release", *targets, "--message-format=json"]
    done = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Failure("cargo build failed")
    messages = map(json.loads, filter(lambda line: line.startswith("{"), done.stdout.splitlines()))
    return {m["target"]["name"]: installed(m["executable"]) for m in messages if m.get("executable")}


def program(named):
    """Returns the path of the utfconv that was named, otherwise of the utfconv that cargo builds."""
    path = shutil.which(named or built()["utfconv"])
    if not path:
        raise Failure(f"{named} is missing")
    return os.path.abspath(path)


def add_options(parser, runs):
    tool_help = "a peer that is not on the PATH, or another utfconv than cargo builds"
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=PATH", help=tool_help)
    parser.add_argument("--runs", type=int, default=runs, metavar="N", help=f"timed runs per command and row ({runs})")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")


def tools(args, ours, peers):
    """Returns the executables by name: our programs, built unless all are named in `args`, and the installed peers."""
    named = {name: os.path.abspath(path) for name, _, path in (tool.partition("=") for tool in args.tool)}
    found = {name: shutil.which(name) for name in peers}
    if not named.keys() >= set(ours):
        found |= built()
    return {name: path for name, path in (found | named).items() if path}


def version(tool, exe):
    option = "-h" if tool in ("isutf8", "sutf") else "--version"  # sutf does not print its version, so print its help
    done = subprocess.run([exe, option], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return next((line.strip() for line in done.stdout.splitlines() if re.search(r"\d\.\d", line)), "version unknown")


def machine():
    """Returns a description of the machine, and today's date."""
    model = re.search(r"^model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text("utf-8"), re.M)
    date = datetime.datetime.now().astimezone()
    return f"{model[1] if model else platform.machine()}, {CORES} cores, {date:%Y-%m-%d}"


def describe(report, exes, names):
    """Prints the machine, its load, and the versions of the tools."""
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    report.fact(f"machine: {machine()}, Linux {platform.release()}, load {load}")
    for name in names:
        report.fact(f"{name}: {version(name, exes[name]) if name in exes else 'skipped, not on the PATH'}")


def main(script, function):
    """Runs a benchmark and exits; exit status 2 if something failed."""
    try:
        sys.exit(function())
    except (Failure, OSError, re.error) as error:
        print(f"{script}: {error}", file=sys.stderr)
        sys.exit(2)
