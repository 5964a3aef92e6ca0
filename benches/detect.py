#!/usr/bin/env python3
"""Compares `utfconv detect` with other detectors on real text in many encodings, and holds it to promises.

The texts are translated messages of Debian's programs, from the half of the catalogues that src/detect/languages.py
does not count (a catalogue is the same half in all languages), and translated man pages, which it does not count at all. Each sample
is a stretch of a text of about 50, 500 and 5,000 bytes, with characters that are not ASCII, in an encoding that its language is
written in. An answer is right if it decodes the sample to the same text as the right encoding does: nobody cares for
more. What detector runs is what is on the PATH or importable; `--python` names an interpreter that has chardet.

Promised: at 500 and 5,000 bytes utfconv is right at least as often as the best of the others, and at 50 bytes at most
five in a hundred less often; UTF-8 is never mistaken for anything else, nor anything for UTF-8; what utfconv calls likely is
right in 98 of 100.
"""

import argparse
import codecs
import collections
import glob
import gzip
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import harness
from harness import ROOT, Failure

SIZES = [50, 500, 5000]
UNICODE = ["utf-8", "utf-16-le", "utf-16-be"]
CENTRAL = ["cs", "hu", "pl", "sk", "sl", "hr", "ro"]
WESTERN = ["fr", "de", "es", "it", "pt", "sv", "da", "fi", "nb", "nl", "ca", "is"]
# Encodings, as Python calls them, with the languages that they are used for.
LANGUAGES = {
    "utf-8": ["fr", "de", "cs", "pl", "ru", "uk", "el", "tr", "he", "ar", "vi", "ja", "zh_CN", "zh_TW", "ko", "th"],
    "utf-16-le": ["fr", "de", "ru", "el", "ja", "zh_CN", "ko"],
    "utf-16-be": ["es", "pl", "uk", "tr", "ja", "zh_TW", "ko"],
    "cp1250": CENTRAL,
    "cp1251": ["ru", "uk", "bg", "be", "sr", "mk"],
    "cp1252": WESTERN,
    "cp1253": ["el"],
    "cp1254": ["tr"],
    "cp1255": ["he"],
    "cp1256": ["ar", "fa"],
    "cp1257": ["lt", "lv", "et"],
    "cp1258": ["vi"],
    "iso8859-1": WESTERN,
    "iso8859-2": CENTRAL,
    "iso8859-5": ["ru", "bg", "sr", "mk"],
    "iso8859-7": ["el"],
    "iso8859-9": ["tr"],
    "iso8859-13": ["lt", "lv"],
    "iso8859-15": ["fr", "fi", "et", "de", "es"],
    "koi8-r": ["ru", "bg"],
    "koi8-u": ["uk"],
    "cp866": ["ru", "be"],
    "cp850": ["fr", "de", "es", "sv", "da"],
    "cp852": ["cs", "pl", "hu"],
    "cp437": ["de", "fr", "es"],
    "mac-roman": ["fr", "de", "es", "sv"],
    "cp874": ["th"],
    "cp932": ["ja"],
    "euc_jp": ["ja"],
    "euc_kr": ["ko"],
    "gb18030": ["zh_CN"],
    "gbk": ["zh_CN"],
    "big5": ["zh_TW"],
}
# Characters on whose place in a legacy encoding the tables disagree.
DISPUTED = re.compile("[\\\\~|¥‾〜～−－‖∥—―…·•¢£¬]")


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


languages = load(ROOT / "src/detect/languages.py")


def man_pages(language):
    """The prose of translated man pages."""
    for path in sorted(glob.glob(f"/usr/share/man/{language}/man*/*.gz"))[:150]:
        with gzip.open(path, "rt", encoding="utf-8", errors="ignore") as file:
            lines = [line for line in file if not line.startswith((".", "'"))]
        yield re.sub(r"\\(f.|&|[-.])", "", "".join(lines))


def texts(language, training):
    """All there is, in pieces of a line or more. The training half is for calibration alone."""
    pieces = list(languages.messages(language, training))
    if not training:
        pieces += [line for page in man_pages(language) for line in page.splitlines()]
    return [piece for piece in pieces if not is_twice_encoded(piece)]


def is_twice_encoded(text):
    """Whether it was converted to UTF-8 once too often, as parts of some man pages were."""
    try:
        return not text.isascii() and bool(text.encode("latin-1").decode("utf-8"))
    except UnicodeError:
        return False


def encoded(text, codec, language):
    """The text as it is written in an encoding; None where that lacks a character."""
    if codec not in UNICODE:
        text = languages.as_written(text, language) if codec in ("cp1250", "iso8859-2", "cp1258", "cp852") else text
        if DISPUTED.search(text) and codec in ("cp932", "euc_jp", "euc_kr", "big5", "gbk", "gb18030"):
            return None
    try:
        data = text.encode(codec)
    except UnicodeEncodeError:
        return None
    # Rare syllables, which Python spells in eight bytes, and few others do.
    return None if codec == "euc_kr" and b"\xa4\xd4" in data else data


def sample(dice, pieces, codec, language, size):
    """A stretch of about so many bytes, with a character that is not ASCII."""
    for _ in range(200):
        at, data = dice.randrange(len(pieces)), b""
        while len(data) < size and at < len(pieces):
            piece = pieces[at]
            if len(piece) > size:
                # From a word to the end of one.
                start = piece.find(" ", dice.randrange(len(piece) - size + 1)) + 1 if " " in piece else 0
                piece = piece[start : start + size]
                piece = piece.rpartition(" ")[0] or piece
            more = encoded(piece + "\n", codec, language)
            data += more or b""
            at += 1
        if size // 2 <= len(data) <= 2 * size and not is_ascii(data, codec):
            return data
    return None


def is_ascii(data, codec):
    return data.decode(codec).isascii()


def corpus(seed, each, training):
    """Samples as (codec, language, size, bytes)."""
    dice, samples, kept = random.Random(seed), [], {}
    for codec, spoken in LANGUAGES.items():
        for size in SIZES:
            for number in range(each):
                language = spoken[number % len(spoken)]
                if language not in kept:
                    kept[language] = texts(language, training)
                if not kept[language]:
                    continue
                data = sample(dice, kept[language], codec, language, size)
                if data:
                    samples.append((codec, language, size, data))
    return samples


# What answers mean that Python has no codec for, or another than is meant.
CODECS = {
    "windows-31j": "cp932", "shift_jis": "cp932", "sjis": "cp932", "windows-874": "cp874", "macintosh": "mac-roman", "unknown-8bit": "",
    "iso-8859-8-i": "iso8859-8", "mac-centraleurope": "mac-latin2", "macturkish": "mac-turkish", "macgreek": "mac-greek",
    "cp10007": "mac-cyrillic", "windows-949": "cp949", "uhc": "cp949", "binary": "", "unknown": "", "euc-kr": "cp949",
    "gb2312": "gb18030", "gbk": "gb18030", "koi8-u": "koi8-u", "maccyrillic": "mac-cyrillic", "ibm850": "cp850",
}


def text_of(data, name):
    """What the answer `name` makes of the sample; None where nothing."""
    name = (name or "").strip().lower()
    codec = CODECS.get(name, name)
    try:
        return unicodedata.normalize("NFC", data.decode(codec)) if codec else None
    except (LookupError, UnicodeDecodeError, ValueError):
        return None


def utfconv(exe, paths):
    """Answers by path, and how sure they are."""
    done = subprocess.run([exe, "detect", "--format=json", "--files-from", "-"], input="\n".join(paths), stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise Failure("utfconv detect failed")
    rows = {row["path"]["text"]: row for row in map(json.loads, done.stdout.splitlines())}
    return {path: rows[path]["encoding"] for path in paths}, rows


def lines(argv, paths):
    """Answers of a command that prints `NAME: ANSWER` or an answer a line, in order."""
    answers = []
    for start in range(0, len(paths), 500):
        done = subprocess.run([*argv, *paths[start : start + 500]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        answers += [line.rpartition(": ")[2].strip() for line in done.stdout.splitlines()]
    if len(answers) != len(paths):
        raise Failure(f"{argv[0]}: {len(answers)} answers about {len(paths)} files")
    return dict(zip(paths, answers))


ENCA = {"cs", "sk", "pl", "hr", "hu", "sl", "ru", "uk", "bg", "be", "lt", "lv", "et", "zh_CN", "zh_TW"}


def enca(exe, paths, spoken):
    """Told the language, as it wants to be; where it does not know that, it is asked without."""
    answers = {}
    for language in sorted(set(spoken.values())):
        those = [path for path in paths if spoken[path] == language]
        argv = [exe, "-m", "-L", language[:2] if language in ENCA else "none"]
        answers |= lines(argv, those)
    return answers


CHARDET = """
import sys, {module} as it
for path in sys.stdin.read().splitlines():
    data = open(path, "rb").read()
    try:
        found = it.detect(data)["encoding"]
    except Exception:
        found = None
    print(found or "unknown")
"""


def in_python(python, module, paths):
    done = subprocess.run([python, "-c", CHARDET.format(module=module)], input="\n".join(paths), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        return None
    return dict(zip(paths, done.stdout.splitlines()))


def version(python, module):
    done = subprocess.run([python, "-c", f"import {module}; print({module}.__version__)"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def measure(args, folder):
    samples = corpus(args.seed, args.each, args.training)
    paths = []
    for number, (codec, language, size, data) in enumerate(samples):
        path = os.path.join(folder, f"{number:05}-{codec}-{language}-{size}")
        Path(path).write_bytes(data)
        paths.append(path)
    exes = harness.tools(args, ["utfconv"], ["uchardet", "enca", "file"])
    spoken = {path: row[1] for path, row in zip(paths, samples)}
    answers, rows = utfconv(exes["utfconv"], paths)
    by_tool = {"utfconv": answers}
    facts = []
    for tool, argv in {"uchardet": [], "file": ["-b", "--mime-encoding"]}.items():
        if tool in exes:
            by_tool[tool] = lines([exes[tool], *argv], paths)
            facts.append(f"{tool}: {harness.version(tool, exes[tool])}")
    if "enca" in exes:
        by_tool["enca"] = enca(exes["enca"], paths, spoken)
        facts.append(f"enca, told the language: {harness.version('enca', exes['enca'])}")
    for module in ("chardet", "charset_normalizer") if args.slow else ("chardet",):
        if found := version(args.python, module):
            by_tool[module] = in_python(args.python, module, paths)
            facts.append(f"{module}: {found}")
    for tool in ("uchardet", "enca", "file", "chardet"):
        if tool not in by_tool:
            facts.append(f"{tool}: skipped, not there")
    right = {tool: {} for tool in by_tool}
    for path, (codec, _, _, data) in zip(paths, samples):
        truth = unicodedata.normalize("NFC", data.decode(codec))
        for tool, answers in by_tool.items():
            right[tool][path] = text_of(data, answers[path]) == truth
    return samples, paths, by_tool, right, rows, facts


def share(values):
    values = list(values)
    return 100 * sum(values) / len(values) if values else None


def tables(args, samples, paths, by_tool, right, facts):
    tools = list(by_tool)
    sep = " | " if args.markdown else "  "

    def row(name, count, cells):
        cells = ["-" if cell is None else f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in cells]
        text = sep.join([name.ljust(12), str(count).rjust(5), *(cell.rjust(9) for cell in cells)])
        print(f"| {text} |" if args.markdown else text)

    kind = "calibration" if args.training else "unseen"
    for fact in [harness.machine(), f"{len(samples)} samples of {kind} text, seed {args.seed}", *facts]:
        print(f"- {fact}" if args.markdown else fact)
    for what, place in (("bytes", 2), ("encoding", 0)):
        print()
        row(what, "n", tools)
        if args.markdown:
            print(f"|---|--:|{'--:|' * len(tools)}")
        for value in dict.fromkeys(sample[place] for sample in samples):
            those = [path for path, sample in zip(paths, samples) if sample[place] == value]
            row(str(value), len(those), [share(right[tool][path] for path in those) for tool in tools])
    print()


def judge(samples, paths, by_tool, right, rows):
    """The promises; each as a sentence and whether it is kept."""
    others = [tool for tool in by_tool if tool != "utfconv"]
    for size in SIZES:
        those = [path for path, sample in zip(paths, samples) if sample[2] == size]
        ours = share(right["utfconv"][path] for path in those)
        best = max((share(right[tool][path] for path in those) for tool in others), default=0)
        least = best - (5 if size == 50 else 0)
        yield f"{size} bytes: right in {ours:.1f} %, promised {least:.1f} %", ours >= least
    wrong = [path for path, (codec, *_) in zip(paths, samples) if (codec == "utf-8") != (rows[path]["encoding"] == "UTF-8")]
    yield f"UTF-8 mistaken: {len(wrong)} of {len(paths)}, promised none", not wrong
    for certainty, promised in (("certain", 100), ("likely", 98), ("guess", 0)):
        those = [path for path in paths if rows[path]["certainty"] == certainty]
        value = share(right["utfconv"][path] for path in those) or 100.0
        yield f"{certainty} ({len(those)}): right in {value:.1f} %, promised {promised} %", value >= promised


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_options(parser, 1)
    parser.add_argument("--seed", type=int, default=harness.SEED, metavar="N", help=f"another seed, other samples ({harness.SEED})")
    parser.add_argument("--each", type=int, default=20, metavar="N", help="samples of an encoding and size (20)")
    parser.add_argument("--python", default=sys.executable, metavar="PATH", help="an interpreter that has chardet")
    parser.add_argument("--training", action="store_true", help="samples from what the statistics were made of, for calibration")
    parser.add_argument("--slow", action="store_true", help="charset_normalizer, too")
    parser.add_argument("--wrong", metavar="FILE", help="write there what utfconv had wrong")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="utfconv-detect-") as folder:
        samples, paths, by_tool, right, rows, facts = measure(args, folder)
        tables(args, samples, paths, by_tool, right, facts)
        broken = 0
        for sentence, is_kept in judge(samples, paths, by_tool, right, rows):
            print(f"{'kept  ' if is_kept else 'BROKEN'} {sentence}")
            broken += not is_kept
        if args.wrong:
            with open(args.wrong, "w", encoding="utf-8") as file:
                for path, (codec, language, size, data) in zip(paths, samples):
                    if not right["utfconv"][path]:
                        row = rows[path]
                        said = f"{row['encoding']} {row['certainty']}: {row['reason']}; {row['alternatives']}"
                        file.write(f"{codec} {language} {size}: {said}\n    {data[:60].decode(codec, 'replace')!r}\n")
    return int(broken > 0)


if __name__ == "__main__":
    harness.main("detect.py", main)
