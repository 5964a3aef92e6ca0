#!/usr/bin/env python3
"""Damages translations, tables, source code and prose as programs do, edits them, restores them, and compares with the truth.

    restore_edits.py [--utfconv EXE] [--count N] [--seed N] [--damage GROUP] [--show N] [--no-damage-option]

Catalogs, CSV tables, C code and prose in 17 encodings are made from the messages of installed programs (the .mo files of
/usr/share/locale; `--fetch` gets some from Debian). A program sees each text in one of the VIEWS: each byte, sequence or character
that is not ASCII is seen as U+FFFD, as a question mark or not at all, or the text is read in another encoding. Then the text
gets 0 to 20 edits and is written as UTF-8.

The truth is known by construction, because every seen piece carries the characters that it stands for (class Atom). Typed text
stands for itself; a pasted word or line stands for the same text as its source. If all newlines were changed, or a BOM was added,
the truth has the newlines and the BOM of the original. `utfconv repair --from-rev` has the original as the last commit. The results:

right      The file is the truth.
refused    The file is unchanged, and an error names it.
as seen    Only with dropped characters: the file is the truth except for pasted copies, which have no mark and stay as seen.
traceless  The file is not the truth, but a shorter edit gives the same damaged text: the program would see the same text in both,
           and making the file from the original takes fewer inserted and deleted characters, counted as seen, and no more
           words, than making the truth; or as many characters, but fewer lines that are not in the original. So a word that was
           pasted over another word that looks equal is traceless. If the other edit is only equally short, the text is ambiguous
           and must be refused.
silent     The file is unchanged, characters are lost, and no error names it.
wrong      Every other file.

Files that are refused are restored again with `--unmappable=replace`. Then each word must be the truth, or contain an error (its
line must, if characters are dropped). Otherwise the file is "misplaced", unless it is traceless after the truth replaces all reported
places. "partly" counts the other files that change. "back" is the share of the lost characters that come back, without those edited away.

`utfconv check --since` (`--staged` for every other encoding) must notice the files in which characters are lost ("unnoticed"), and
no file that was edited in its encoding, or converted to UTF-8 ("false alarm"). A single question mark or missing character may be
an edit, so it does not count as a loss; the lost characters of a pasted copy do not count either.

Limits: nothing wrong, silent or misplaced, one in 1,000 unnoticed, no false alarm. The exit status is 1 if a limit is exceeded.
"""

import argparse
import collections
import contextlib
import functools
import gettext
import random
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import NamedTuple

from corpora import CACHE

PACKAGES = "coreutils libglib2.0-data libgtk2.0-common bash dpkg git tar binutils-common shared-mime-info iso-codes"
LATIN, CENTRAL, CYRILLIC = ["de", "fr", "es", "it", "sv", "da", "fi"], ["cs", "pl", "hu", "sk", "hr", "sl"], ["ru", "bg", "uk"]
# Encodings by Python's names, each with utfconv's name and languages.
ENCODINGS = {
    "cp1250": ("windows-1250", CENTRAL), "cp1251": ("windows-1251", CYRILLIC), "cp1252": ("windows-1252", LATIN),
    "cp1253": ("windows-1253", ["el"]), "iso8859-2": ("ISO-8859-2", CENTRAL), "iso8859-5": ("ISO-8859-5", ["ru", "bg"]),
    "iso8859-15": ("ISO-8859-15", LATIN), "koi8-r": ("KOI8-R", ["ru"]), "cp852": ("IBM852", CENTRAL), "cp866": ("IBM866", ["ru"]),
    "cp932": ("windows-31j", ["ja"]), "euc-jp": ("EUC-JP", ["ja"]), "gb18030": ("GB18030", ["zh_CN"]), "euc-kr": ("EUC-KR", ["ko"]),
    "big5": ("Big5", ["zh_TW"]), "utf-8": ("UTF-8", LATIN + CENTRAL + CYRILLIC + ["ja"]), "utf-16": ("UTF-16", LATIN + ["ru", "ja"]),
}  # fmt: skip
GROUPS = ["U+FFFD", "question marks", "dropped", "misread", "undamaged"]
COLUMNS = ["right", "refused", "as seen", "traceless", "partly", "wrong", "silent", "misplaced", "noticed", "unnoticed"]
BAD = ["wrong", "silent", "misplaced", "unnoticed", "false alarm"]
OPTIONS = {"question marks": ["--damage=question-marks"], "dropped": ["--damage=dropped"]}
# Matches a character of UTF-8, or a maximal subpart of an ill-formed sequence.
SEQUENCE = re.compile(
    rb"[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]?|\xe0(?:[\xa0-\xbf][\x80-\xbf]?)?|[\xe1-\xec\xee\xef](?:[\x80-\xbf]{1,2})?|"
    rb"\xed(?:[\x80-\x9f][\x80-\xbf]?)?|\xf0(?:[\x90-\xbf][\x80-\xbf]{0,2})?|[\xf1-\xf3][\x80-\xbf]{0,3}|"
    rb"\xf4(?:[\x80-\x8f][\x80-\xbf]{0,2})?|[\x80-\xff]"
)


# Each of the functions below returns a view. A view takes characters as pairs of text and bytes, and yields what the
# program shows, as pairs of shown text and the number of bytes that it stands for.


def by_sequence(mark, is_per_byte):
    def see(characters):
        for found in SEQUENCE.finditer(b"".join(data for _, data in characters)):
            try:
                yield found[0].decode(), len(found[0])
            except UnicodeDecodeError:
                yield from [(mark, 1)] * len(found[0]) if is_per_byte else [(mark, len(found[0]))]

    return see


def by_byte(codec, mark=None):
    table = [bytes([byte]).decode(codec, "ignore") or (chr(byte) if mark is None else mark) for byte in range(256)]
    return lambda characters: ((table[byte], 1) for _, data in characters for byte in data)


def by_character(mark):
    return lambda characters: ((text if mark is None or text.isascii() else mark, len(data)) for text, data in characters)


VIEWS = {
    group: {"sequences": by_sequence(mark, False), "bytes": by_sequence(mark, True), "ASCII": by_byte("ascii", mark),
            "characters": by_character(mark)} for group, mark in zip(GROUPS, ["\ufffd", "?", ""])
}  # fmt: skip
MISREAD = ["cp1252", "latin-1", "cp437", "cp850", "cp852", "cp866", "mac_roman", "cp1251", "cp1250"]
VIEWS |= {"misread": {codec: by_byte(codec) for codec in MISREAD}, "undamaged": {"rightly": by_character(None)}}


class Atom(NamedTuple):
    """The smallest piece that is whole both in the original and in the program's view, and whether it was typed or pasted."""

    seen: str
    meant: str
    is_new: bool = False

    def is_lost(self):
        return self.seen != self.meant

    def is_bare_copy(self):
        """Returns whether the atom was pasted and has no mark of its loss."""
        return self.is_new and self.is_lost() and self.seen.isascii() and "?" not in self.seen


@functools.cache
def messages(language):
    """Returns the programs, messages and translations of a language."""
    folders = [Path(top, language, "LC_MESSAGES") for top in ("/usr/share/locale", CACHE / "usr/share/locale")]
    found = []
    for path in {path.name: path for folder in folders for path in sorted(folder.glob("*.mo"))}.values():
        with contextlib.suppress(OSError, ValueError, LookupError):  # some catalogs are malformed
            entries = gettext.GNUTranslations(path.open("rb"))._catalog.items()
            found += [(path.stem, " ".join(str(key).split()), " ".join(value.split())) for key, value in entries]
    return [entry for entry in found if entry[1].isascii() and not entry[2].isascii() and len(entry[2]) < 400 and entry[2].isprintable()]


def load(utfconv, codec, name, languages):
    """Yields, for each language, the messages that Python and utfconv decode equally."""
    for language in languages:
        texts = [value.encode(codec, "ignore").decode(codec) for _, _, value in messages(language)]
        ran = subprocess.run([utfconv, "-f", name], input="\n".join(texts).encode(codec), stdout=subprocess.PIPE, check=True)
        pool = [entry for entry, text in zip(messages(language), ran.stdout.decode().split("\n")) if entry[2] == text]
        if len(pool) > 200:
            yield pool


def catalog(dice, entries, name):
    lines = ['msgid ""', 'msgstr ""', f'"Content-Type: text/plain; charset={name}\\n"', ""] if dice.random() < 0.3 else []
    for domain, key, value in entries:
        lines += [f"#: src/{domain}.c:{dice.randrange(2000)}", f'msgid "{key}"', f'msgstr "{value}"', ""]
    return lines


def table(dice, entries, _):
    mark, quote, first, order = dice.choice(";,\t"), dice.choice(['"', ""]), dice.randrange(9000), dice.sample(range(4), 4)
    rows = [(number, key[:30], value, dice.randrange(1, 10000) / 100) for number, (_, key, value) in enumerate(entries, first)]
    rows = [[str(cell).replace(mark, " ") for cell in row] for row in [("id", "name", "text", "price"), *rows]]
    return [mark.join(quote * (at in (1, 2)) + row[at] + quote * (at in (1, 2)) for at in order) for row in rows]


def source(dice, entries, _):
    lines = []
    for _, key, value in entries:
        name = "_".join(re.findall("[a-z]+", key.lower())[:3]) or "value"
        indent = dice.choice(["    ", "\t", ""])
        lines += dice.choice([
            [f"/* {value} */", f"static int {name} = {dice.randrange(99)};"], [f"{indent}{name}(); // {value}"],
            [f'{indent}printf("{value}\\n", {name});'], [f"{indent}# {value}"], [f'{indent}if ({name} < 0)', f'{indent}    fail("{value}");'],
            ["", f"int {name}(void)", "{", f'    return show("{value}", {dice.randrange(9)});', "}"],
        ])  # fmt: skip
    return lines


def prose(dice, entries, _):
    return sum(([*textwrap.wrap(value, dice.choice([48, 64, 76])), *[""] * (dice.random() < 0.4)] for _, _, value in entries), [])


KINDS = {".po": catalog, ".csv": table, ".c": source, ".txt": prose}


class Case:
    """A text as the program shows it, and the edits of its user."""

    def __init__(self, dice, folder, number, group, codec, pool):
        self.dice, self.group, self.codec, self.pool, self.edits = dice, group, codec, pool, []
        suffix = dice.choice([*KINDS])
        self.name = f"{group.replace(' ', '-').replace('+', '')}/{number}{suffix}"
        self.path = folder / self.name
        start, size = dice.randrange(len(pool) - 40), dice.choice([2, 4, 8, 15, 30])
        self.newline = newline = dice.choice(["\n"] * 6 + ["\r\n"])
        lines = KINDS[suffix](dice, pool[start : start + size], ENCODINGS[codec][0])
        text = "\n".join(lines) + dice.choice(["\n"] * 9 + [""])
        self.original = text.replace("\n", newline).encode(codec)
        views = {"utf-8": ["ASCII", "characters"], "utf-16": ["characters"]}.get(codec if group != "undamaged" else "")
        self.view = dice.choice(views or [*VIEWS[group]])
        self.lines = [[]]
        for atom in self.atoms_of(text):
            self.lines.append([]) if atom.seen == "\n" else self.lines[-1].append(atom)
        for _ in range(dice.choice([0, 1, 1, 2, 2, 3, 4, 6, 10, 20])):
            self.edit()
        if dice.random() < 0.1:
            newline = "\n" if newline == "\r\n" else "\r\n"
        if dice.random() < 0.1:
            self.lines = self.lines[:-1] if not self.lines[-1] and len(self.lines) > 1 else [*self.lines, []]
        self.seen = "\ufeff" * (group != "undamaged" and dice.random() < 0.05) + newline.join(map(shown, self.lines))
        self.truth = self.newline.join("".join(atom.meant for atom in line) for line in self.lines).encode(codec)
        self.lost = [atom for line in self.lines for atom in line if atom.is_lost() and not atom.is_new]

    def atoms_of(self, text):
        """Yields atoms; each atom ends where both a character of the encoding and a piece of the program's view end."""
        characters = [(character, character.encode(self.codec)) for character in text]
        pieces, seen, meant, ahead = VIEWS[self.group][self.view](characters), "", "", 0
        for character, data in characters:
            meant, ahead = meant + character, ahead - len(data)
            while ahead < 0:
                piece, size = next(pieces)
                seen, ahead = seen + piece, ahead + size
            if ahead == 0:
                yield Atom(seen, meant)
                seen, meant = "", ""

    def word(self, line):
        """Returns the range of a visible word; of a long word without blanks, as in Chinese, the range of a part."""
        letters = "".join("x" if atom.is_lost() or atom.meant.isalnum() else " " for atom in line)
        ranges = [found.span() for found in re.finditer("x+", letters) if shown(line[slice(*found.span())])]
        start, end = self.dice.choice(ranges or [(0, 0)])
        begin = self.dice.randrange(start, end - 6) if end - start > 15 else start
        return begin, min(end, begin + self.dice.randrange(2, 7) if end - start > 15 else end)

    def typed(self):
        word = self.dice.choice(self.dice.choice(self.pool)[2].split())
        return typed(self.dice.choice([word[:20], word[:20], "new", "TODO", "why?", "x", "42"]))

    def edit(self):
        dice, lines = self.dice, self.lines
        at, to, number = dice.randrange(len(lines)), dice.randrange(len(lines)), dice.choice([1, 1, 1, 2, 3])
        line, block = lines[at], lines[at : at + number]
        start, end = self.word(line)
        kind = dice.choice("add_line delete_line move_line duplicate_line paste_line insert replace delete append".split()
                           + "paste paste_in_line paste_over indent dedent trailing join split quotes sort strip".split())  # fmt: skip
        if kind == "add_line":
            lines[at:at] = [typed(dice.choice(self.pool)[2]) if dice.random() < 0.6 else self.typed() for _ in range(number)]
        elif kind in ("delete_line", "move_line"):
            del lines[at : at + number]
            lines[to:to] = block if kind == "move_line" else []
        elif kind in ("duplicate_line", "paste_line"):
            to = at if kind == "duplicate_line" else to
            lines[to : to + (dice.random() < 0.3)] = map(copied, block)
        elif kind in ("insert", "replace"):
            line[start : end if kind == "replace" else start] = self.typed() + typed(" " * (kind == "insert"))
        elif kind == "delete":
            del line[start : end + (shown(line[end : end + 1]) == " ")]
        elif kind == "append":
            line[end:end] = typed(dice.choice(["s", "!", ":", " (?)", "1"]))
        elif kind.startswith("paste"):
            other = line if kind == "paste_in_line" else lines[to]
            copy = copied(other[slice(*self.word(other))])
            line[start : end if kind == "paste_over" else start] = copy + typed(" " * (kind != "paste_over"))
        else:
            self.reformat(kind, at, number * 2)
        self.lines = lines or [[]]
        self.edits.append(f"{kind} {at + 1}")

    def reformat(self, kind, at, number):
        lines, line = self.lines, self.lines[at]
        place = self.dice.choice([at for at, atom in enumerate(line) if atom.meant == " "] or [None])
        for other in lines[at : at + number] if kind != "strip" else lines:
            other[:0] = typed("    " * (kind == "indent"))
            while kind in ("dedent", "strip") and other and other[0 if kind == "dedent" else -1].meant in (" ", "\t"):
                del other[0 if kind == "dedent" else -1]
        if kind == "trailing":
            line += typed("  ")
        elif kind == "join" and at + 1 < len(lines):
            lines[at : at + 2] = [line + typed(" ") + lines[at + 1]]
        elif kind == "split" and place is not None:
            lines[at : at + 1] = [line[:place], line[place + 1 :]]
        elif kind == "quotes":
            lines[at] = [Atom("'", "'", True) if atom.seen == '"' else atom for atom in line]
        elif kind == "sort":
            lines[at : at + 6] = sorted(lines[at : at + 6], key=shown)

    def compare(self, now, places):
        """Compares a restored file with the truth.

        Returns the number of lost characters that came back, the wrong words, and the file with the truth in all reported places.
        """
        rows, back, wrong, combined = now.decode(self.codec, "replace").split("\n"), 0, [], []
        if len(rows) != len(self.lines):
            return 0, [f"{len(rows)} lines in place of {len(self.lines)}"], now
        for number, (line, row) in enumerate(zip(self.lines, rows), 1):
            columns, words, column = {column for at, column in places if at == number}, [[]], 1
            for atom in line + typed("\r" * (self.newline == "\r\n" and number < len(rows))):
                words.append([]) if atom.meant == " " else words[-1].append(atom)
            if len(words) != len(row.split(" ")):
                wrong += [] if columns else [f"{number}: {row!r}"]
                combined.append("".join(atom.meant for atom in line) if columns else row)
                continue
            for at, (word, is_now) in enumerate(zip(words, row.split(" "))):
                end, truth = column + len(shown(word)), "".join(atom.meant for atom in word)
                found = re.fullmatch("".join(map(pattern, word)), is_now, re.DOTALL)
                lost = [*zip([atom for atom in word if atom.is_lost()], found.groups() if found else ())]
                back += sum(group is not None and not atom.is_new for atom, group in lost)
                is_right = found is not None and all(group is not None or atom.is_bare_copy() for atom, group in lost)
                is_right |= any(column <= place <= end for place in columns) or bool(self.group == "dropped" and columns)
                wrong += [] if is_right else [f"{number}:{column}: {is_now!r}, not {truth!r}"]
                words[at], column = truth if is_right else is_now, end + 1
            combined.append(" ".join(words))
        return back, wrong, "\n".join(combined).encode(self.codec, "replace")

    def is_traceless(self, now):
        texts = [data.decode(self.codec, "replace") for data in (self.original, self.truth, now)]
        if "\ufffd" in texts[2] or shown(self.atoms_of(texts[1])) != shown(self.atoms_of(texts[2])):
            return False
        old, meant, other = ([(atom.meant, at) for atom in self.atoms_of(text) for at in range(len(atom.seen))] for text in texts)
        words = [re.findall(r"[ \n]|[^ \n]+", text) for text in texts]
        new_lines = [len(set(text.split("\n")) - set(texts[0].split("\n"))) for text in texts]
        is_shorter = (distance(old, other), new_lines[2]) < (distance(old, meant), new_lines[1])
        return is_shorter and distance(words[0], words[2]) <= distance(words[0], words[1])


def typed(text):
    return [Atom(character, character, True) for character in text]


def copied(line):
    return [atom._replace(is_new=True) for atom in line]


def shown(atoms):
    return "".join(atom.seen for atom in atoms)


def pattern(atom):
    """Returns a pattern for the text that may be in place of an atom: its characters, as a group, or their substitutes."""
    marks = "".join(re.escape(text) if text.isascii() else "[?\ufffd]" for text in atom.seen)
    return f"(?:({re.escape(atom.meant)})|{marks})" if atom.is_lost() else re.escape(atom.meant)


def distance(one, other):
    """Returns the number of items that must be deleted and inserted (Myers' algorithm)."""
    reached = {1: 0}
    for edits in range(len(one) + len(other) + 1):
        for diagonal in range(-edits, edits + 1, 2):
            is_down = diagonal == -edits or diagonal != edits and reached[diagonal - 1] < reached[diagonal + 1]
            at = reached[diagonal + 1] if is_down else reached[diagonal - 1] + 1
            while at < len(one) and at - diagonal < len(other) and one[at] == other[at - diagonal]:
                at += 1
            reached[diagonal] = at
            if at >= len(one) and at - diagonal >= len(other):
                return edits


class Run:
    """All cases of an encoding, in a repository."""

    def __init__(self, options, totals, top, codec, number):
        self.options, self.totals, self.top, self.is_staged = options, totals, top, number % 2
        self.encoding, dice = ENCODINGS[codec][0], random.Random(f"{options.seed} {codec}")
        pools = [*load(options.utfconv, codec, *ENCODINGS[codec])]
        groups = [group for group in options.damage or GROUPS if not codec.startswith("utf") or group != "misread"]
        count = options.count // len(options.encoding or ENCODINGS) if pools and groups else 0
        cases = [Case(dice, top, at, groups[at % len(groups)], codec, dice.choice(pools)) for at in range(count)]
        self.cases = [case for case in cases if case.lost or case.group == "undamaged"]

    def test(self):
        for case in self.cases:
            case.path.parent.mkdir(parents=True, exist_ok=True)
            case.path.write_bytes(case.original)
        commit = "git init -q && git config core.autocrlf false && git add . && git -c user.name=n -c user.email=n commit -qm texts"
        subprocess.run(commit, shell=True, cwd=self.top, check=True)
        for number, case in enumerate(self.cases):
            is_kept = case.group == "undamaged" and number % 3
            case.path.write_bytes(case.truth if is_kept else case.seen.encode())
        subprocess.run(["git", "add", "."] if self.is_staged else ["true"], cwd=self.top, check=True)
        for group in GROUPS:
            cases = [case for case in self.cases if case.group == group]
            self.check(group, cases)
            self.repair(group, cases if group != "undamaged" else [])

    def utfconv(self, cases, *arguments):
        """Runs utfconv on the files of the cases; returns the errors of each file."""
        command, found = [self.options.utfconv, *arguments, *(case.name for case in cases)], collections.defaultdict(list)
        ran = subprocess.run(command if cases else ["true"], cwd=self.top, capture_output=True, text=True, errors="replace")
        if ran.returncode not in (0, 1):
            sys.exit(f"{' '.join(command[:9])}: {ran.stderr}")
        for line in ran.stdout.split("\n"):
            found[line.split(":")[0]] += [line] * (": error: " in line)
        return found

    def check(self, group, cases):
        rule = ["--allow=all", "--rule=lost-characters", "--staged" if self.is_staged else "--since=HEAD"]
        found = self.utfconv(cases, "check", *rule, *(["-f", self.encoding] if group == "misread" else []))
        for case in cases:
            is_noticed = any(line.endswith("[lost-characters]") for line in found[case.name])
            if group == "undamaged":
                self.count(case, "false alarm" if is_noticed else "no alarm", found[case.name])
            elif len(case.lost) > (group in OPTIONS):
                self.count(case, "noticed" if is_noticed else "unnoticed")

    def repair(self, group, cases):
        damage = OPTIONS.get(group, []) if self.options.damage_option else []
        command = ["repair", "-f", self.encoding, "--from-rev", "-i", "--max-errors=0", *damage]
        errors, left = self.utfconv(cases, *command), []
        for case in cases:
            self.totals[group]["lost"] += len(case.lost)
            now, back, notes = case.path.read_bytes(), len(case.lost), errors[case.name]
            if now == case.truth:
                result = "right"
            elif now == case.seen.encode():
                result, back = "refused" if notes else "silent", 0
                left.append(case)
            else:
                back, notes, combined = case.compare(now, ())
                result = "as seen" if not notes else "traceless" if case.is_traceless(combined) else "wrong"
            self.count(case, result, notes, now, back)
        errors = self.utfconv(left, *command, "--unmappable=replace")
        for case in left:
            now = case.path.read_bytes()
            if now != case.seen.encode():
                found = (re.match(r"[^:]*:(\d+):(\d+): ", line) for line in errors[case.name])
                back, wrong, combined = case.compare(now, [(int(place[1]), int(place[2])) for place in found if place])
                self.count(case, "misplaced" if wrong and not case.is_traceless(combined) else "partly", wrong, now, back)

    def count(self, case, result, notes=(), now=b"", back=0):
        self.totals[case.group] += collections.Counter({result: 1, "back": back})
        if self.options.show > 0 and result in (self.options.only or BAD):
            self.options.show -= 1
            folder = Path(self.options.save, f"{result} {case.codec} {case.name}".replace("/", " "))
            folder.mkdir(parents=True, exist_ok=True)
            for file, data in {"original": case.original, "seen": case.seen.encode(), "truth": case.truth, "now": now}.items():
                (folder / (file + case.path.suffix)).write_bytes(data)
            print(f"{folder}: {case.view}: {', '.join(case.edits)}", *notes[:3], sep="\n   ")


def fetch():
    """Unpacks the translations of Debian packages into the cache."""
    with tempfile.TemporaryDirectory(prefix="utfconv-fetch-") as folder:
        script = f"apt-get download {PACKAGES} >&2 && for package in *.deb; do dpkg -x $package unpacked; done"
        subprocess.run(script, shell=True, cwd=folder, check=True)
        shutil.copytree(Path(folder, "unpacked/usr/share/locale"), CACHE / "usr/share/locale", dirs_exist_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--utfconv", default="utfconv")
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--damage", action="append", choices=GROUPS, help="only this group of views")
    parser.add_argument("--encoding", action="append", choices=[*ENCODINGS], help="only this encoding")
    parser.add_argument("--show", type=int, default=0, help="show and save so many files that are bad")
    parser.add_argument("--only", action="append", choices=BAD + COLUMNS, help="show only those with this result")
    parser.add_argument("--save", default="restore_edits.failed", help="where to save them")
    parser.add_argument("--no-damage-option", dest="damage_option", action="store_false", help="do not name the damage")
    parser.add_argument("--fetch", action="store_true", help=f"download packages with translations to {CACHE}")
    options = parser.parse_args()
    if options.fetch:
        fetch()
    totals = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory(prefix="utfconv-edits-") as top:
        for number, codec in enumerate(options.encoding or ENCODINGS):
            run = Run(options, totals, Path(top, codec), codec, number)
            run.test() if run.cases else print(f"{run.encoding}: no messages (--fetch gets some)")
    print(f"{'damage':15}", *(f"{result:>9}" for result in COLUMNS), f"{'back':>9}")
    for group, counts in totals.items():
        if group != "undamaged":
            print(f"{group:15}", *(f"{counts[result]:9}" for result in COLUMNS), f"{100 * counts['back'] / max(1, counts['lost']):8.2f} %")
    total = sum(totals.values(), collections.Counter())
    print(f"false alarms: {total['false alarm']} of {total['false alarm'] + total['no alarm']} files without damage")
    is_bad = any(total[result] for result in BAD if result != "unnoticed")
    sys.exit(is_bad or total["unnoticed"] * 1000 > total["noticed"] + total["unnoticed"])


if __name__ == "__main__":
    main()
