#!/usr/bin/env python3
"""Damages texts as programs for UTF-8 do, edits them, restores them, and compares the results with a model.

    restore.py [--utfconv EXE] [--count N] [--seed N] [--show N] DIR

DIR has a directory per language or other label, with a directory per encoding, with files (`detection_corpora.py
debian` creates such a DIR). Each text is read in one of six ways (U+FFFD per maximal subpart, or per byte; question
marks; dropped bytes; as ISO-8859-1; correctly), gets 0 to 30 edits, and is written as UTF-8. `utfconv repair --from-rev
-i` has the original as the last commit, and `--damage` for question marks and dropped bytes. Texts that Python's codec
reads differently from utfconv are left out. Prints for each way the numbers of files that are

right      The original's bytes with the edits. If the edited text is exactly the text that the program saw of the
           original, the edits left no trace, so the original is right.
refused    Unchanged, although every lost character has proof by the model (`restore_proof.py`).
unproven   Unchanged, and a lost character has no proof because of the edits.
traceless  Not right, and a word was deleted of which the program saw nothing.
wrong      Every other file.

Refused files are restored again with `--unmappable=replace`: "partly" counts the files that change then. "misplaced"
counts files in which a word is wrong but no place in the word (in its line, if bytes are dropped) is reported, unless
the file is traceless, or the program saw nothing of the word. "back" is the share of non-ASCII bytes that come back, in
words of the original that still exist, over all files.
"""

import argparse
import collections
import random
import re
import subprocess
import tempfile
from pathlib import Path

from restore_proof import Original

CODECS = {"windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "iso-8859-2", "iso-8859-5", "iso-8859-7",
          "iso-8859-15", "koi8-r", "cp852", "cp866", "cp932", "euc-jp", "gb18030", "gbk", "big5", "cp949"}  # fmt: skip
LONGEST = 60_000


def per_byte(mark):
    def damage(data, _):
        out, at = [], 0
        while at < len(data):
            try:
                out.append(data[at:].decode())
                break
            except UnicodeDecodeError as error:
                out.append(data[at : at + error.start].decode() + mark * (error.end - error.start))
                at += error.end
        return "".join(out)

    return damage


DAMAGES = {
    "U+FFFD per subpart": lambda data, _: data.decode("utf-8", "replace"),
    "U+FFFD per byte": per_byte("\ufffd"),
    "question marks": per_byte("?"),
    "dropped": lambda data, _: data.decode("utf-8", "ignore"),
    "as ISO-8859-1": lambda data, _: data.decode("latin-1"),
    "rightly": lambda data, codec: data.decode(codec),
}
# The names of damages that leave no mark of their own, for `--damage`.
NAMED = {"question marks": "question-marks", "dropped": "dropped"}


class Word:
    """The text between two spaces: bytes of the original, with typed text before and after them."""

    def __init__(self, data=b"", before="", after="", at=None, is_copy=False):
        self.data, self.before, self.after, self.is_copy = data, before, after, is_copy
        # The number of the word in the original; None if it was typed.
        self.at = at

    def seen(self, damage, codec):
        return self.before + damage(self.data, codec) + self.after

    def meant(self, codec):
        return self.before.encode(codec) + self.data + self.after.encode(codec)


def edit(lines, dice, letters):
    """Makes a random edit of a kind that people and programs make."""
    at = dice.randrange(len(lines))
    line = lines[at]
    typed = dice.choice(["new", "x", "TODO", "value=1", letters + "s", "a" + letters])
    kind = dice.choice(
        ["insert", "insert", "delete", "append", "prepend", "replace", "add", "add", "remove", "move", "copy", "indent", "join"]
    )
    word = dice.randrange(len(line)) if line else None
    if kind == "insert":
        line.insert(word or 0, Word(after=typed))
    elif kind == "delete" and word is not None:
        del line[word]
    elif kind == "append" and word is not None:
        line[word].after += dice.choice([",", "!", "s"])
    elif kind == "prepend" and word is not None:
        line[word].before = dice.choice(["(", "un", "-"]) + line[word].before
    elif kind == "replace" and word is not None:
        line[word] = Word(after=typed)
    elif kind == "add":
        lines.insert(at, [Word(after=typed), Word(after=str(dice.randrange(1000)))])
    elif kind == "remove" and len(lines) > 3:
        del lines[at]
    elif kind == "move":
        lines.insert(dice.randrange(len(lines)), lines.pop(at))
    elif kind == "copy":
        lines.insert(dice.randrange(len(lines)), [Word(word.data, word.before, word.after, word.at, True) for word in line])
    elif kind == "indent" and line:
        line.insert(0, Word())
        line.insert(0, Word())
    elif kind == "join" and at + 1 < len(lines):
        line += lines.pop(at + 1)


def read_lines(data):
    """Returns the lines of an original as lists of words. The numbers of words also count newlines."""
    lines, at = [], 0
    for line in data.split(b"\n"):
        words = line.split(b" ")
        lines.append([Word(word, at=at + number) for number, word in enumerate(words)])
        at += len(words) + 1
    return lines


def is_open(lines, damage, codec):
    """Returns whether the program saw nothing of an end of an edited word, so that typed text may belong before or after the lost
    bytes."""

    def is_unseen(word, end):
        """Returns whether the program saw nothing of the last (`end` = -1) or first (`end` = 0) byte of a word."""
        text = damage(word.data, codec)
        return bool(word.data) and word.data[end] > 0x7F and (not text or text[end].isascii())

    for line in lines:
        for word in line:
            if word.before and is_unseen(word, 0) or word.after and is_unseen(word, -1):
                return True
        for one, other in zip(line, line[1:]):
            if other.at != (one.at or -2) + 1 and (is_unseen(one, -1) or is_unseen(other, 0)):
                return True
    return False


def has_no_trace(data, lines, damage):
    """Returns whether a word is deleted of which the program saw nothing: then the original is as right as the intended text."""
    old = [word for line in data.split(b"\n") for word in [*line.split(b" "), b"\n"]]
    kept = {word.at for line in lines for word in line}
    return any(word and at not in kept and not damage(word, None) for at, word in enumerate(old) if damage is DAMAGES["dropped"])


def is_alike(utfconv, data, codec):
    """Returns whether Python's codec reads a text as utfconv does."""
    ran = subprocess.run([utfconv, "-f", codec], input=data, stdout=subprocess.PIPE)
    return ran.stdout.decode(errors="replace") == data.decode(codec)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--utfconv", default="utfconv")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="show so many files that are not right")
    parser.add_argument("directory", type=Path)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    files = collections.defaultdict(list)
    for path in sorted(options.directory.glob("*/*/*")):
        if path.parent.name in CODECS and 200 < path.stat().st_size < LONGEST:
            files[path.parent.name].append(path)
    codecs = sorted(files)
    totals = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as top:
        for codec in codecs:
            run(options, dice, codec, files[codec], options.count // len(codecs), Path(top, codec), totals)
    results = ["right", "refused", "unproven", "traceless", "wrong", "partly", "misplaced"]
    totals["all"] = sum(totals.values(), collections.Counter())
    print(f"{'damage':20}", *(f"{result:>10}" for result in results), f"{'back':>10}")
    for name, counts in totals.items():
        back = 100 * counts["bytes back"] / max(1, counts["bytes"])
        print(f"{name:20}", *(f"{counts[result]:10}" for result in results), f"{back:8.2f} %")
    total = totals["all"]
    files = sum(total[result] for result in results[:5])
    proven = total["right, proven"] + total["refused"]
    print(f"right: {100 * total['right'] / max(1, files):.2f} %; {100 * total['right, proven'] / max(1, proven):.2f} % of {proven} with proof")


def run(options, dice, codec, paths, count, top, totals):
    top.mkdir()
    git = ["git", "-C", top, "-c", "user.name=n", "-c", "user.email=n", "-c", "core.autocrlf=false"]
    subprocess.run([*git, "init", "-q"], check=True)
    cases = {}
    for number in range(count):
        data = dice.choice(paths).read_bytes()
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if not text.isascii() and not is_alike(options.utfconv, data, codec):
            continue  # Python's table differs from utfconv's
        lines = read_lines(data)
        letters = next((word for word in data.decode(codec).split() if not word.isascii() and word.isalpha()), "x")[:4]
        name = dice.choice(list(DAMAGES))
        for _ in range(dice.choice([0, 1, 1, 2, 3, 5, 10, 30])):
            edit(lines, dice, letters)
        seen = "\n".join(" ".join(word.seen(DAMAGES[name], codec) for word in line) for line in lines)
        meant = b"\n".join(b" ".join(word.meant(codec) for word in line) for line in lines)
        if seen == "\n".join(DAMAGES[name](line, codec) for line in data.split(b"\n")):
            meant, lines = data, read_lines(data)
        if dice.random() < 0.1 and "\r" not in seen:
            seen = seen.replace("\n", "\r\n")
        if dice.random() < 0.1:
            seen = "\ufeff" + seen
        path = top / f"{number}.txt"
        path.write_bytes(data)
        is_dropped = name == "dropped"
        original = Original(data, DAMAGES[name], codec, is_dropped)
        is_proven = original.proves(lines) and not (is_dropped and is_open(lines, DAMAGES[name], codec))
        refusal = "refused" if is_proven else "unproven"
        if has_no_trace(data, lines, DAMAGES[name]):
            refusal = "traceless"
        cases[path] = (name, seen.encode(), meant, refusal, lines)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "texts"], check=True)
    for path, (_, seen, *_) in cases.items():
        path.write_bytes(seen)
    reasons = {}
    for line in reversed(repair(options, codec, cases).splitlines()):
        if ": error: " in line:
            reasons[line.split(":")[0]] = line
    refused = {}
    for path, (name, seen, meant, refusal, lines) in cases.items():
        now = path.read_bytes()
        if now == meant:
            result = "right"
            totals[name]["right, proven"] += refusal == "refused"
        else:
            result = refusal if now == seen or refusal == "traceless" else "wrong"
            if options.show > 0:
                options.show -= 1
                print(f"{result}: {codec}, {name}, {reasons.get(str(path))}")
                show(seen, meant, now)
        totals[name][result] += 1
        sizes = [len(word.data) for line in lines for word in line if word.at is not None and not word.data.isascii()]
        totals[name]["bytes"] += sum(sizes)
        if now == seen != meant:
            refused[path] = cases[path]
        elif now == meant:
            totals[name]["bytes back"] += sum(sizes)
    restore_partly(options, codec, refused, totals)


def repair(options, codec, cases, *more):
    """Restores files, and names the damage that leaves no mark of its own. Returns the reports."""
    reports = ""
    for name in DAMAGES:
        paths = [path for path, case in cases.items() if case[0] == name]
        damage = [f"--damage={NAMED[name]}"] if name in NAMED else []
        if paths:
            command = [options.utfconv, "repair", "-f", codec, "--from-rev", "-i", *damage, *more, *paths]
            reports += subprocess.run(command, stdout=subprocess.PIPE).stdout.decode(errors="replace")
    return reports


def restore_partly(options, codec, refused, totals):
    """Restores the provable parts of the refused files."""
    reports = repair(options, codec, refused, "--unmappable=replace", "--max-errors=0")
    places = collections.defaultdict(set)
    for path, line, column in re.findall(r"^(.*?):(\d+):(\d+): error: ", reports, re.MULTILINE):
        places[path].add((int(line), int(column)))
    for path, (name, seen, _, refusal, lines) in refused.items():
        now = path.read_bytes()
        if now == seen:
            continue
        totals[name]["partly"] += 1
        right, wrong = compare(seen.decode().removeprefix("\ufeff"), lines, now, codec, DAMAGES[name], places[str(path)])
        totals[name]["bytes back"] += right
        if wrong and refusal != "traceless":
            totals[name]["misplaced"] += 1
            if options.show > 0:
                options.show -= 1
                print(f"misplaced: {codec}, {name}, {path}")
                for place, *words in wrong[:5]:
                    print("  ", place, *words)


def position(seen, line, column):
    """Returns a position by lines that end only with LF; utfconv also counts CR as the end of a line."""
    starts = [0, *(end.end() for end in re.finditer(r"\r\n|\n|\r", seen))]
    before = seen[: starts[line - 1]]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + column


def compare(seen, lines, now, codec, damage, places):
    """Returns the number of restored bytes, and the wrong words in which no place was reported."""
    right, wrong = 0, []
    # Dropped characters have no positions, so a report is about its line.
    whole = {position(seen, *place)[0] for place in places if damage is DAMAGES["dropped"]}
    places = {position(seen, *place) for place in places}
    rows = now.split(b"\n")
    if len(rows) != len(lines):
        return 0, [("lines", len(rows), len(lines))]
    for number, (line, row) in enumerate(zip(lines, rows), 1):
        words, line, column = row.split(b" "), line or [Word()], 1
        reported = {place for at, place in places if at == number}
        if len(words) != len(line):
            wrong += [] if reported else [(number, row)]
            continue
        for word, is_now in zip(line, words):
            end = column + len(word.seen(damage, codec))
            if is_now.rstrip(b"\r") == word.meant(codec).rstrip(b"\r"):
                right += len(word.data) if word.at is not None and not word.data.isascii() else 0
            elif word.data and not damage(word.data, codec) and is_now.rstrip(b"\r") == (word.before + word.after).encode(codec):
                pass  # the program saw nothing of the word's bytes, and the rest is right
            elif number not in whole and not any(column <= place <= end for place in reported):
                wrong.append(((number, column), word.seen(damage, codec), word.meant(codec), is_now))
            column = end + 1
    return right, wrong


def show(seen, meant, now):
    """Prints the first lines that differ from the intended text."""
    lines = zip(seen.split(b"\n"), meant.split(b"\n"), now.split(b"\n"))
    for seen, meant, now in [three for three in lines if three[1] != three[2]][:3]:
        print("  seen ", seen[:150].decode(errors="replace"), "\n  meant", meant[:150], "\n  now  ", now[:150])


if __name__ == "__main__":
    main()
