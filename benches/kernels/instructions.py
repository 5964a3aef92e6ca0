#!/usr/bin/env python3
"""Counts the instructions per byte of the NEON kernels and of simdutf's kernels under qemu, which needs no ARM machine.

Builds the program in this directory for aarch64, and runs one and two conversions of 64 KiB of each text in qemu's user mode,
which writes a line for each executed instruction (-singlestep -d exec,nochain). The difference is the number of instructions
of one conversion. Needs qemu-aarch64-static, a cross compiler (gcc and g++ for aarch64-linux-gnu), a cargo whose std has the
target, and the texts of benches/corpora.py; if one of them is missing, the script says so and exits with 0.

Limit: no cell of utfconv has more instructions than simdutf's. Exit status: 0 kept, 1 exceeded, 2 something failed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = "aarch64-unknown-linux-gnu"
QEMU = "qemu-aarch64-static"
ROWS = (
    "validate utf8|utf8->utf16le|utf16le->utf8|utf8->utf32le|utf32le->utf8|utf16le->utf32le|utf32le->utf16le|utf16le->utf16be|"
    "latin1->utf8|utf8->latin1|latin1->utf16le|utf16le->latin1"
).split("|")
TEXTS = ["en", "latin", "ru", "zh", "emoji"]
LATIN1_TEXTS = TEXTS[:2]
# Number of bytes of each text; the program repeats them. Short, because qemu also logs the setup, which the difference then
# cancels.
CUT = 16 << 10


def build(cargo, target_dir):
    """Builds the program, and returns its path; exits if a tool is missing."""
    tools = [QEMU, cargo, "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++"]
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        print(f"skipped: {', '.join(missing)} not found")
        sys.exit(0)
    variable = TARGET.upper().replace("-", "_")
    environment = os.environ | {
        f"CARGO_TARGET_{variable}_LINKER": "aarch64-linux-gnu-gcc",
        f"CARGO_TARGET_{variable}_RUSTFLAGS": "-C target-feature=+crt-static",
        f"CXX_{TARGET.replace('-', '_')}": "aarch64-linux-gnu-g++",
    }
    command = [cargo, "build", "-q", "--release", "--target", TARGET, "--target-dir", target_dir]
    subprocess.run([*command, "--manifest-path", HERE / "Cargo.toml"], check=True, env=environment)
    return Path(target_dir, TARGET, "release", "utfconv-kernels")


def instructions(program, texts, row, text, who, times):
    """Returns the number of instructions of a run of the program, and the number of bytes that it converts each time."""
    with tempfile.TemporaryDirectory(prefix="utfconv-count-") as folder:
        pipe = Path(folder, "log")
        os.mkfifo(pipe)
        command = [QEMU, "-singlestep", "-d", "exec,nochain", "-D", pipe, program]
        command += ["--rows", f"^{re.escape(row)} {text}$", "--run", f"{who}={times}", texts]
        # The environment is minimal, so that the number of instructions does not vary between runs.
        run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"]})
        lines = 0
        with pipe.open("rb") as log:
            while chunk := log.read(1 << 20):
                lines += chunk.count(b"\n")
        output = run.communicate()[0]
    if run.returncode != 0 or not output:
        sys.exit(f"instructions.py: {row} {text}: {who} failed")
    return lines, int(output.split()[-1])


def per_byte(program, texts, row, text, who):
    once, size = instructions(program, texts, row, text, who, 1)
    again, _ = instructions(program, texts, row, text, who, 2)
    return (again - once) / size


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cargo", default="cargo", help="a cargo whose std has the target")
    parser.add_argument("--target-dir", default=str(ROOT / "target" / "instructions"))
    parser.add_argument("--texts", type=Path, default=ROOT / "target" / "texts", help="from benches/corpora.py")
    parser.add_argument("--rows", default="", help="only rows like 'utf8->utf16le zh' that match")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    if not args.texts.is_dir():
        print(f"skipped: no texts in {args.texts}; run python3 benches/corpora.py --fetch {args.texts}")
        sys.exit(0)
    program = build(args.cargo, args.target_dir)

    kept = True
    with tempfile.TemporaryDirectory(prefix="utfconv-texts-") as folder, ThreadPoolExecutor(args.jobs) as pool:
        for name in TEXTS:
            text = (args.texts / f"{name}.txt").read_bytes()[:CUT].decode("utf-8", "ignore")
            Path(folder, f"{name}.txt").write_text(text, "utf-8", newline="\n")
        print("| conversion | " + " | ".join(TEXTS) + " |\n|---|" + "--:|" * len(TEXTS))
        for row in ROWS:
            texts = LATIN1_TEXTS if "latin1" in row else TEXTS
            texts = [text for text in texts if re.search(args.rows, f"{row} {text}")]
            if not texts:
                continue
            counts = {
                (text, who): pool.submit(per_byte, program, folder, row, text, who)
                for text in texts
                for who in ("utfconv", "simdutf")
            }
            cells = []
            for text in TEXTS:
                if text not in texts:
                    cells.append("")
                    continue
                ours, theirs = (counts[text, who].result() for who in ("utfconv", "simdutf"))
                kept &= ours <= theirs
                cells.append(f"{ours:.2f} / {theirs:.2f}" + ("" if ours <= theirs else " (!)"))
            print(f"| {row} | " + " | ".join(cells) + " |", flush=True)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
