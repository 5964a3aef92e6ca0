#!/usr/bin/env python3
"""Runs the commands in the table of docs/compare.md; exits with 1 if a cell is false or has no row in `CELLS`.

    benches/compare.py [PROGRAM]      PROGRAM: utfconv, by default the one on the PATH

Cells of programs that are not on the PATH are skipped. Debian packages: recode, icu-devtools, uchardet, enca, moreutils,
dos2unix and convmv; PyPI packages: chardet and ftfy.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
OUT = "> out 2>&1; echo status $? >> out; cat out"

# For each cell: the start of its text; a script for the samples, which begins with the required program; and text that the
# output must contain.
CELLS = [
    ("`iconv -f UTF-8 -t UTF-16 menu.csv`", f"iconv -f UTF-8 -t UTF-16 menu.csv {OUT}", "illegal input sequence at position 35"),
    ("`recode UTF-8..UTF-16 < menu.csv`", f"recode UTF-8..UTF-16 < menu.csv {OUT}", "recode: Invalid input in step `UTF-8..UTF-16'"),
    ("`uconv -f UTF-8 -t UTF-16 menu.csv`", f"uconv -f UTF-8 -t UTF-16 menu.csv {OUT}", "at input byte position 35. Bytes: e9"),
    ("`utfconv -t UTF-16 menu.csv`", f"utfconv -t UTF-16 menu.csv {OUT}", "menu.csv:3:4: error: invalid UTF-8 (truncated) at byte 35: E9 starts"),
    ("`iconv -o FILE FILE`", "iconv --version | head -n 1; yes text | head -c 99999 > f; iconv -f UTF-8 -t latin1 -o f f; wc -c < f", "32768"),
    ("`iconv -o FILE FILE`", "recode UTF-8..UTF-16BE names.txt menu.csv; wc -c names.txt menu.csv", "20 names.txt"),
    ("`utfconv -i FILE`", "utfconv -i -f latin1 -t UTF-16LE export.txt letter.txt; wc -c < letter.txt", "374"),
    ("`iconv`: status 1", "iconv -t UTF-16 names.txt > /dev/full; echo status $?", "status 1"),
    ("`iconv`: status 1", "recode UTF-8..UTF-16 < names.txt > /dev/full; echo status $?", "status 0"),
    ("`iconv`: status 1", "uconv -f UTF-8 -t UTF-16 names.txt > /dev/full; echo status $?", "status 0"),
    ("status 2 and a message", "utfconv -t UTF-16 names.txt > /dev/full; echo status $?", "write error: No space left on device\nstatus 2"),
    ("`uchardet`, `chardetect`: right", "uchardet letter.txt subtitles/*", "letter.txt: WINDOWS-1252\nsubtitles/ja.srt: SHIFT_JIS\nsubtitles/ru.srt: WINDOWS-1251\nsubtitles/zh.srt: GB18030"),
    ("`uchardet`, `chardetect`: right", "chardetect letter.txt subtitles/* | sed 's/ with.*//'", "letter.txt: Windows-1252\nsubtitles/ja.srt: CP932\nsubtitles/ru.srt: Windows-1251\nsubtitles/zh.srt: GB18030"),
    ("right, with the evidence", "utfconv detect letter.txt subtitles/* | sed 's/ (likely: it reads as.*//'", "letter.txt: windows-1252\nsubtitles/ja.srt: windows-31j\nsubtitles/ru.srt: windows-1251\nsubtitles/zh.srt: GB18030"),
    ("`enca`: `-L LANGUAGE`", "enca letter.txt; enca --list languages | cut -d: -f1 | tr -d ' ' | tr '\\n' ,", "determine (or understand) your language preferences"),
    ("`enca`: `-L LANGUAGE`", "enca --list languages | grep -ci -e german -e french -e spanish -e western", "0"),
    ("`--language` is optional", "utfconv detect --language=de --brief letter.txt", "windows-1252"),
    ("`uchardet`: right; `chardetect`", "uchardet prices.csv", "WINDOWS-1252"),
    ("`uchardet`: right; `chardetect`", "chardetect prices.csv", "cp862"),
    ("right: windows-1252", "utfconv detect prices.csv", "prices.csv: windows-1252 (likely"),
    ("`isutf8 menu.csv`", "isutf8 menu.csv", "line 3, char 4, byte 35: After a first byte between E1 and EC, expecting"),
    ("`utfconv check menu.csv`", "utfconv check menu.csv letter.txt", "letter.txt:1:20: error: wrong encoding at byte 19: looks like windows-1252"),
    ("`dos2unix mixed.txt`", "dos2unix mixed.txt && tr '\\r' @ < mixed.txt", "one\ntwo\nthree\n"),
    ("`dos2unix mixed.txt`", "dos2unix app.log", "converting UTF-16LE file app.log to UTF-8"),
    ("`utfconv -i --newline=lf mixed.txt`", "utfconv -i --newline=lf mixed.txt && tr '\\r' @ < mixed.txt", "one\ntwo\nthree\n"),
    ("`utfconv -i --newline=lf mixed.txt`", "utfconv -i --newline=lf -f UTF-16 -t UTF-16 app.log && utfconv detect app.log", "UTF-16"),
    ("`convmv -r -f cp1252 -t utf8 Music`", "convmv -r -f cp1252 -t utf8 Music", "Would have converted 3 files"),
    ("`convmv -r -f cp1252 -t utf8 Music`", "convmv -r -f cp1252 -t utf8 --notest Music; ls Music/Chansons", "Déjà vu.ogg\nNoël.ogg\nÉté indien.ogg"),
    ("`utfconv names -f cp1252 Music`", "utfconv names -f cp1252 Music", "3 names would be converted; -i does it"),
    ("`utfconv names -f cp1252 Music`", "utfconv names -i -f cp1252 Music; ls Music/Chansons", "Déjà vu.ogg\nNoël.ogg\nÉté indien.ogg"),
    ("`ftfy dump.sql`", "ftfy dump.sql", "'Crème brûlée'"),
    ("`ftfy dump.sql`", "ftfy < quotes.txt", '"Crème" (A)'),
    ("`utfconv repair dump.sql`", "utfconv repair < dump.sql", "'Crème brûlée'"),
    ("`utfconv repair dump.sql`", "utfconv repair < quotes.txt", "“Crème” (Ａ)"),
    ("`utfconv repair dump.sql`", "utfconv repair -i --manifest=m dump.sql; utfconv repair --undo=m; cat dump.sql", "CrÃ¨me"),
    ("`ftfy mixed.log`", "ftfy mixed.log", "This input couldn't be decoded as 'utf-8'"),
    ("`ftfy mixed.log`", "iconv -f UTF-8 mixed.log", "illegal input sequence at position 30"),
    ("`ftfy mixed.log`", "recode UTF-8..UTF-16 < mixed.log | tail -n 1", "Invalid input in step"),
    ("`ftfy mixed.log`", "uconv -f UTF-8 -t UTF-16BE mixed.log | wc -c", "at input byte position 30"),
    ("`utfconv repair mixed.log`", "utfconv repair < mixed.log", "login: Jörg Schäfer\nlogout: Renée Müller\nlogout: Jörg Schäfer\n"),
]


def table():
    """Returns the cells that say what a program does, in the order of the page."""
    rows = [line for line in (DOCS / "compare.md").read_text().split("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    return [cell.strip() for row in rows for cell in row.split("|")[2:4] if cell.strip()]


def run(script, samples, environment):
    """Returns the output of a script that runs in a copy of the samples."""
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(samples, copy, dirs_exist_ok=True)
        done = subprocess.run(
            ["bash", "-c", script], cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return done.stdout.decode(errors="replace")


def make_samples(directory, environment):
    subprocess.run(["sh", DOCS / "samples.sh"], cwd=directory, env=environment, check=True)
    Path(directory, "quotes.txt").write_text("“Crème” (Ａ)\n")
    return directory


def main():
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    if sys.argv[1:]:
        environment["PATH"] = f"{Path(sys.argv[1]).resolve().parent}:{environment['PATH']}"
    cells, bad, skipped = table(), 0, set()
    for cell in cells:
        if not any(cell.startswith(start) for start, _, _ in CELLS):
            print(f"no row for the cell: {cell}")
            bad += 1
    with tempfile.TemporaryDirectory() as directory:
        samples = make_samples(directory, environment)
        for start, script, expected in CELLS:
            program = script.split()[0]
            if not any(cell.startswith(start) for cell in cells):
                print(f"no cell for the row: {start}")
                bad += 1
            elif shutil.which(program, path=environment["PATH"]) is None:
                skipped.add(program)
            elif expected not in (output := run(script, samples, environment)):
                print(f"{script}\n  expected: {expected!r}\n  printed:  {output!r}")
                bad += 1
    if skipped:
        print(f"skipped: {', '.join(sorted(skipped))}", file=sys.stderr)
    sys.exit(bad > 0)


main()
