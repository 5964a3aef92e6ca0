#!/usr/bin/env python3
"""Measures `utfconv detect` and other detectors on labeled corpora.

A corpus is a directory of files in which the name of a directory or file is an encoding: the tests of chardet
(`tests/`), of uchardet (`test/`), charset_normalizer's char-dataset, and the output of `detection_corpora.py`. A file
`ENCODING.EXT` below a directory that is not named after an encoding is labeled by its own name. Each corpus is split into
halves by the first bit of the SHA-256 of a file's name: `--half development` is for improving the detector,
`--half held-out` for measuring it.

An answer is right if it decodes the file to the same text as the label, or as the usual superset of the label
(CP932 for Shift_JIS). Files labeled `binary` are right if the detector names no encoding.

Besides utfconv, these detectors are measured: chardet and charset_normalizer if the interpreter of `--python` has them,
uchardet if it is on the PATH, and any `--peer NAME=COMMAND` that reads paths and prints `PATH: ENCODING` lines.
"""

import argparse
import collections
import hashlib
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import harness
from harness import Failure

# Labels, each with Python's codec for the encoding or a superset; empty if Python has no codec.
CODECS = {
    "windows-31j": "cp932", "shift-jis": "cp932", "sjis": "cp932", "windows-874": "cp874", "tis-620": "cp874", "iso-8859-11": "cp874",
    "macintosh": "mac-roman", "macroman": "mac-roman", "mac-centraleurope": "mac-latin2", "maccentraleurope": "mac-latin2",
    "macturkish": "mac-turkish", "macgreek": "mac-greek", "cp10007": "mac-cyrillic", "maccyrillic": "mac-cyrillic", "mac-ukraine": "mac-cyrillic",
    "x-mac-cyrillic": "mac-cyrillic", "uhc": "cp949", "euc-kr": "cp949", "windows-949": "cp949", "gb2312": "gb18030", "gbk": "gb18030", "gb2312-80": "gb18030",
    "utf-16.be": "utf-16-be", "utf-16.le": "utf-16-le", "utf-32.be": "utf-32-be", "utf-32.le": "utf-32-le", "iso-8859-8-i": "iso8859-8",
    "visual-iso-8859-8": "iso8859-8", "utf-8-sig": "utf-8", "x-johab": "johab", "big5": "cp950", "big5-hkscs": "big5hkscs", "hz-gb-2312": "hz",
    "x-user-defined": "", "ibm424": "cp424", "ptcp154": "ptcp154", "hp-roman8": "hp-roman8", "euc-jis-2004": "euc_jis_2004",
}  # fmt: skip
# Encodings, each with the superset that a label usually means.
SUPERSETS = {"iso-8859-1": "cp1252", "iso-8859-9": "cp1254", "iso-8859-8": "cp1255", "ascii": "utf-8", "cp950": "big5hkscs", "iso8859-1": "cp1252"}
ENCODING = re.compile(
    r"^(big5|cp_?\d+|euc[-_]\w+|gb\w+|ibm_?\d+|johab|koi8[-_]\w|mac\w+|mac[-_]\w+|shift_jis|tis[-_]620|utf[-_]\d+([-_.]?(be|le|sig))?|us-ascii|ascii"
    r"|iso[-_]?8859[-_]\d+|iso[-_]?2022[-_]\w+|windows[-_]\d+|kz1048|ptcp154|viscii|uhc|hz|binary|none)(-[a-z]+)?$",
    re.IGNORECASE,
)


def encoding_of(name):
    """Returns the encoding that a directory or a file is named after."""
    found = ENCODING.match(name)
    return found and found[1].lower().replace("_", "-").replace("ibm-", "ibm")


def label_of(path):
    """Returns the label of a file, and the name whose hash decides the half."""
    if label := encoding_of(path.parent.name):
        return label, path.name
    stem = path.name.rpartition(".")[0] or path.name
    if label := encoding_of(path.name) or encoding_of(stem):
        # Files in different directories can have equal names, so the directory is part of the name.
        return label, f"{path.parent.name}/{path.name}"
    return None, None


def half_of(name):
    return "held-out" if hashlib.sha256(os.fsencode(name)).digest()[0] & 0x80 else "development"


def files(corpus, half):
    """Yields the files of one half of a corpus with their labels."""
    for path in sorted(Path(corpus).rglob("*")):
        if path.is_file():
            label, name = label_of(path)
            if label and half in ("all", half_of(name)):
                yield str(path), "binary" if label == "none" else label


def codec_of(name):
    name = (name or "").strip().lower().replace("_", "-")
    name = CODECS.get(name, name)
    return name


def decoded(data, name, errors="replace"):
    """Returns the decoded text; None if Python cannot decode the bytes in the encoding."""
    codec = codec_of(name)
    if not codec or codec in ("binary", "unknown", "unknown-8bit", "none"):
        return None
    try:
        text = data.decode(codec, errors)
    except LookupError:
        done = subprocess.run(["iconv", "-c", "-f", codec, "-t", "UTF-8"], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if done.returncode > 1 or data and not done.stdout:
            return None
        text = done.stdout.decode("utf-8", "replace")
    except UnicodeError:
        return None
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff"))


def is_right(path, label, answer):
    if label == "binary":
        return answer in (None, "binary", "unknown", "unknown-8bit", "")
    data = Path(path).read_bytes()
    found = decoded(data, answer)
    if found is None:
        return False
    if found == decoded(data, label):
        return True
    wider = SUPERSETS.get(codec_of(label))
    return wider is not None and found == decoded(data, wider)


def run(argv, paths):
    """Returns the output and the CPU seconds of a command that reads paths from standard input."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(argv, input="\n".join(paths) + "\n", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="surrogateescape")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def utfconv(exe, paths, extra=()):
    done, cpu = run([exe, "detect", "--format=json", *extra, "--files-from", "-"], paths)
    if done.returncode not in (0, 1):
        raise Failure("utfconv detect failed")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    rows = {row["path"]["text"]: row for row in rows if row["type"] == "file"}
    return {path: rows[path]["encoding"] for path in paths}, rows, cpu


IN_PYTHON = """
import sys, {module} as it
for path in sys.stdin.read().splitlines():
    data = open(path, "rb").read()
    try:
        found = {call}
    except Exception:
        found = None
    print(path + ": " + str(found or "unknown"))
"""
MODULES = {
    "chardet": "it.detect(data)['encoding']",
    "charset_normalizer": "getattr(it.from_bytes(data).best(), 'encoding', None)",
}


def answers_of(argv, paths):
    """Returns the answers of a detector that prints `PATH: ENCODING` lines, in order, and its CPU seconds."""
    done, cpu = run(argv, paths)
    found = [line.rpartition(": ")[2].strip() for line in done.stdout.splitlines()]
    if len(found) != len(paths):
        raise Failure(f"{argv[0]}: {len(found)} answers for {len(paths)} files")
    return dict(zip(paths, found)), cpu


def peers(args):
    """Returns the commands of the installed peers by name."""
    found = {}
    for module, call in MODULES.items():
        done = subprocess.run([args.python, "-c", f"import {module}; print({module}.__version__)"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0:
            found[f"{module} {done.stdout.strip()}"] = [args.python, "-c", IN_PYTHON.format(module=module, call=call)]
    if exe := shutil.which("uchardet"):
        found["uchardet"] = ["xargs", "-d", "\n", exe]
    for peer in args.peer:
        name, _, command = peer.partition("=")
        found[name] = command.split()
    return found


def interval(hits, count):
    """Returns Wilson's 95 % interval of a proportion, in percent."""
    if not count:
        return (0.0, 100.0)
    z, share = 1.96, hits / count
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 100 / (1 + z * z / count)
    return (max(0.0, scale * (middle - reach)), min(100.0, scale * (middle + reach)))


def row_of(tool, right, count, cpu):
    low, high = interval(right, count)
    return f"  {tool:28} {right:5} of {count:5}  {100 * right / max(1, count):5.1f} %  ({low:.1f} to {high:.1f})  {cpu:6.2f} s"


def measure(args, corpus, others):
    """Prints the table of one corpus; returns whether utfconv is at least as good as the best of the peers."""
    labeled = dict(files(corpus, args.half))
    paths = list(labeled)
    if not paths:
        print(f"{corpus}: no labeled files")
        return True
    exe = args.utfconv
    answers, rows, cpu = utfconv(exe, paths, args.option)
    right = {path: is_right(path, labeled[path], answers[path]) for path in paths}
    print(f"{corpus}, {args.half}: {len(paths)} files")
    print(row_of("utfconv", sum(right.values()), len(paths), cpu))
    best = 0
    for tool, argv in others.items():
        theirs, seconds = answers_of(argv, paths)
        hits = {path: is_right(path, labeled[path], theirs[path]) for path in paths}
        best = max(best, sum(hits.values()))
        print(row_of(tool, sum(hits.values()), len(paths), seconds))
        if args.wrong:
            for path in paths:
                if hits[path] and not right[path]:
                    print(f"    only {tool}: {path}")
    for grade, count in sorted(collections.Counter(row["certainty"] for row in rows.values()).items()):
        wrong = [path for path in paths if rows[path]["certainty"] == grade and not right[path]]
        low, high = interval(len(wrong), count)
        print(f"    {grade:8} {count:5}, wrong {len(wrong):3} ({low:.1f} to {high:.1f} %)")
    if args.wrong:
        for path in paths:
            if not right[path] or args.guesses and rows[path]["certainty"] in ("guess", "unknown"):
                row = rows[path]
                print(f"    {'WRONG' if not right[path] else 'right'} {path}: {labeled[path]}, found {row['encoding']} ({row['certainty']}: {row['reason']}) {row['alternatives'][:4]}")
    sure = [path for path in paths if rows[path]["certainty"] in ("certain", "likely") and not right[path]]
    return sum(right.values()) >= best and len(sure) <= 1


def calibration(args):
    """Prints the share of right answers for each of ten bins of the claimed probability, over all corpora together."""
    bins = [0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0]
    counts = collections.Counter()
    for corpus in args.corpora:
        labeled = dict(files(corpus, args.half))
        answers, rows, _ = utfconv(args.utfconv, list(labeled), args.option)
        for path, label in labeled.items():
            if rows[path]["hypotheses"]:
                claimed = rows[path]["hypotheses"][0]["probability"]
                number = next(number for number in range(10) if claimed < bins[number + 1] or number == 9)
                counts[number, is_right(path, label, answers[path])] += 1
    print("    claimed           answers  right")
    for number in range(10):
        right, count = counts[number, True], counts[number, True] + counts[number, False]
        low, high = interval(right, count)
        print(f"    {100 * bins[number]:5.1f} to {100 * bins[number + 1]:5.1f} %  {count:7}  {100 * right / max(1, count):5.1f} % ({low:.1f} to {high:.1f})")


def convert(args, corpus, options):
    """Converts a copy of the corpus with `utfconv -i -r -f auto`; returns whether no file was converted wrongly."""
    labeled = dict(files(corpus, args.half))
    with tempfile.TemporaryDirectory(prefix="utfconv-detection-") as folder:
        copies = {}
        for number, path in enumerate(labeled):
            # The copies keep the directories of the corpus, because the report depends on the paths.
            copies[path] = Path(folder, os.path.relpath(path, corpus))
            copies[path].parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copies[path])
        argv = [args.utfconv, "-i", "-r", "-f", "auto", "--reconvert", "--sync=none", *options, folder]
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        counts, wrong = collections.Counter(), []
        for path, label in labeled.items():
            was, now = Path(path).read_bytes(), copies[path].read_bytes()
            same = was == now
            right = not same and any(text_without_bom(now) == decoded(was, name) for name in (label, SUPERSETS.get(codec_of(label))) if name)
            counts["left" if same else "right" if right else "wrong"] += 1
            if not same and not right:
                wrong.append(path)
        print(f"{corpus}, {' '.join(argv[1:-1])}: {dict(counts)}; {len(done.stdout.splitlines())} lines of report, status {done.returncode}")
        if args.wrong:
            print(done.stdout[:4000])
        for path in wrong[:40]:
            print(f"    converted wrongly: {path}")
        return not wrong


def text_without_bom(data):
    return unicodedata.normalize("NFC", data.decode("utf-8", "replace").removeprefix("\ufeff"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpora", nargs="+", metavar="DIR", help="directories of labeled files")
    parser.add_argument("--half", choices=("development", "held-out", "all"), default="held-out", help="which half of each corpus (held-out)")
    parser.add_argument("--utfconv", metavar="PATH", help="the program, if not the one that cargo builds")
    parser.add_argument("--python", default=sys.executable, metavar="PATH", help="an interpreter that has chardet and charset_normalizer")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND", help="another detector: reads paths, prints PATH: ENCODING")
    parser.add_argument("--option", action="append", default=[], metavar="OPTION", help="an option for utfconv detect")
    parser.add_argument("--convert", action="store_true", help="convert copies in place, and compare the results with the labels")
    parser.add_argument("--calibration", action="store_true", help="print which share of the answers that claim a probability is right")
    parser.add_argument("--alone", action="store_true", help="no peers")
    parser.add_argument("--wrong", action="store_true", help="list what utfconv has wrong")
    parser.add_argument("--guesses", action="store_true", help="with --wrong, list also what is a guess")
    args = parser.parse_args()
    args.utfconv = harness.program(args.utfconv)
    if args.calibration:
        calibration(args)
        return 0
    if args.convert:
        both = [convert(args, corpus, []) & (convert(args, corpus, ["--min-certainty=guess"]) or True) for corpus in args.corpora]
        return int(not all(both))
    others = {} if args.alone else peers(args)
    kept = [measure(args, corpus, others) for corpus in args.corpora]
    return int(not all(kept))


if __name__ == "__main__":
    harness.main("detection.py", main)
