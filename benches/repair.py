#!/usr/bin/env python3
"""Measures what `utfconv repair` repairs, and what it leaves unchanged.

    python3 benches/repair.py sentences
    python3 benches/repair.py partly
    python3 benches/repair.py confused
    python3 benches/repair.py mixed
    python3 benches/repair.py files /usr/share/doc /usr/share/man
    FTFY_CASES=.../tests/test-cases python3 benches/repair.py ftfy
    python3 benches/repair.py speed

sentences: sentences of gettext's catalogs in /usr/share/locale, in 18 languages, are broken once and twice by each of ten mistakes.
Sentences that a mistake cannot break without losing bytes are left out. At least 99.5 % must be restored exactly, and no sentence
that is not broken may change.

partly: files of one to six sentences, of which some are broken by one mistake. Partly: some words are right, the others unchanged.
Wrong: a word is neither right nor unchanged. At most one file in 200 may be wrong.

confused: single sentences, and files of 20, in a code page that was read as another code page. Restored: the whole file is right.
Partly: some lines are right, the others unchanged. Reported: unchanged, with a report. Left: unchanged without a report. Wrong: a line
is neither right nor unchanged. No file may be wrong, and no file that is not broken may change.

mixed: files of 2 to 5 encodings, spliced by line and by field. At least 99 % of bytes must be in the right encoding, and --undo must
restore every file.

files: prints the repairs in UTF-8 files of these directories, including .gz, for a person to judge.

ftfy: the test cases of ftfy (github.com/rspeer/python-ftfy), which are not part of this repository. Cases with lost bytes are
counted separately: a case is invertible if the expected text, broken by mistakes, gives the original. ftfy also straightens
quotation marks and reads C1 controls as windows-1252, so both texts are normalized before they are compared. All cases, including
ftfy's known failures, are also compared exactly with the result of --damage=lost-bytes: at least 135 of 161 must be equal.

speed: compares the processor time with ftfy.fix_encoding, line by line, in turns: on clean text, on text with every second line
broken by windows-1252, and on wholly broken text, in five languages; and on hostile text, which consists of characters
that may be double-encoded. If ftfy is not installed, only utfconv is measured. Required: on broken text 100 MB/s and 100 times ftfy's
speed; on hostile text 10 MB/s.
"""

import argparse
import collections
import functools
import gettext
import gzip
import itertools
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import unicodedata
from pathlib import Path

import harness

try:
    import ftfy
except ImportError:
    ftfy = None

LANGUAGES = "de fr es pl cs ru uk el tr vi ja zh_CN hu pt_BR sv ar he lv".split()
MISTAKES = "cp1252 latin-1 cp1250 cp1251 cp1254 cp1257 mac_roman cp437 cp850 gbk".split()
PARTLY = [*MISTAKES, "iso8859-2", "iso8859-15"]
PAGES = "cp1252 cp1250 cp1251 cp1254 cp1257 iso8859-2 mac_roman cp437 cp850".split()
# Languages, each with the encodings that are spliced with UTF-8.
SPLICED = [
    ("fr", "windows-1252 IBM850 macintosh"),
    ("de", "windows-1252 IBM850 IBM437"),
    ("pl", "windows-1250 ISO-8859-2 IBM852"),
    ("ru", "windows-1251 KOI8-R IBM866"),
    ("ja", "Shift_JIS EUC-JP"),
]
# Each entry: the right code page, the wrong code page, and the language.
CONFUSIONS = [(*pair.split(), "ru") for pair in ("koi8-r cp1251", "cp866 cp1251", "cp1251 koi8-r", "cp1251 cp866")] + [
    (*pair, language)
    for page in ("mac_roman", "cp850", "cp437")
    for pair in ((page, "cp1252"), ("cp1252", page))
    for language in ("fr", "de", "es")
]
KINDS = ["restored", "partly", "reported", "left", "wrong"]
CODECS = {"IBM850": "cp850", "IBM437": "cp437", "IBM852": "cp852", "IBM866": "cp866", "macintosh": "mac_roman"}


def sentences(count):
    """Returns non-ASCII sentences with their languages."""
    chosen = []
    for language in LANGUAGES:
        found = set()
        for path in sorted(Path(f"/usr/share/locale/{language}/LC_MESSAGES").glob("*.mo")):
            try:
                with open(path, "rb") as file:
                    texts = gettext.GNUTranslations(file)._catalog.items()
            except (OSError, UnicodeDecodeError, IndexError, ValueError):
                continue
            for key, text in texts:
                text = " ".join(text.split()) if key and isinstance(text, str) else ""
                if 20 <= len(text) <= 300 and not text.isascii() and not any("\x80" <= char < "\xa0" or char == "\ufffd" for char in text):
                    found.add(text)
        found = sorted(found)
        random.shuffle(found)
        chosen += [(language, text) for text in found[: -(-count // len(LANGUAGES))]]
    random.shuffle(chosen)
    return chosen[:count]


def sentences_by_language(count):
    by_language = collections.defaultdict(list)
    for language, text in sentences(count):
        by_language[language].append(text)
    return by_language


@functools.cache
def table(codec):
    """Returns the characters of all 256 bytes; undefined bytes are mapped to C0 and C1 controls."""
    return [bytes([byte]).decode(codec, "ignore") or chr(byte) for byte in range(256)]


def broken(text, codec):
    """Returns the text after a mistake; None if the mistake loses bytes."""
    raw = text.encode()
    if codec != "gbk":
        return "".join(table(codec)[byte] for byte in raw)
    try:
        return raw.decode("gbk") if raw.decode("gbk").encode("gbk") == raw else None
    except UnicodeDecodeError:
        return None


def repaired(tool, texts, *options):
    """Repairs each text as a file, in place; returns the contents of the files, and the directory."""
    directory = tempfile.TemporaryDirectory(prefix="utfconv-repair-")
    paths = [Path(directory.name, f"{number:06}") for number in range(len(texts))]
    for path, text in zip(paths, texts):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    ran = subprocess.run([tool, "repair", "-i", *options, directory.name], stdout=subprocess.DEVNULL)
    if ran.returncode > 1:
        sys.exit(2)
    return [path.read_bytes() for path in paths], directory


def measure_sentences(tool, count):
    counts = collections.Counter()
    chosen = sentences(count)
    untouched, _ = repaired(tool, [text for _, text in chosen])
    touched = sum(new != text.encode() for new, (_, text) in zip(untouched, chosen))
    for codec, times in itertools.product(MISTAKES, (1, 2)):
        tests = []
        for language, text in chosen:
            once = broken(text, codec)
            now = once if times == 1 or once is None else broken(once, codec)
            if now is not None:
                tests.append((language, text, now))
        results, _ = repaired(tool, [now for *_, now in tests])
        for (_, text, now), result in zip(tests, results):
            kind = "restored" if result == text.encode() else "left" if result == now.encode() else "partial"
            counts[codec, times, kind] += 1
            counts[kind] += 1
        row = {kind: counts[codec, times, kind] for kind in ("restored", "left", "partial")}
        print(f"{codec:10} {'once' if times == 1 else 'twice':5} {row}")
    share = counts["restored"] / max(1, counts["restored"] + counts["left"] + counts["partial"])
    print(f"restored {share:.3%} of {sum(counts[kind] for kind in ('restored', 'left', 'partial'))}; {touched} of {len(chosen)} others touched")
    return share >= 0.995 and touched == 0


def result_by_word(meant, was, now):
    """Returns the result for a file of the mode "partly"."""
    if now in (meant, was):
        return "restored" if now == meant else "left"
    words = [re.split("[ \n]", text) for text in (now, meant, was)]
    is_wrong = len(set(map(len, words))) > 1 or any(word not in known for word, *known in zip(*words))
    return "wrong" if is_wrong else "partly"


def measure_partly(tool, count):
    by_language = sentences_by_language(len(LANGUAGES) * 2000)
    languages = [language for language in LANGUAGES if len(by_language[language]) >= 6]
    tests = []
    while len(tests) < count:
        codec, lines = random.choice(PARTLY), random.sample(by_language[random.choice(languages)], random.randint(1, 6))
        now = [broken(line, codec) if random.random() < 0.6 else line for line in lines]
        if None not in now and now != lines:
            tests.append((codec, "\n".join(lines), "\n".join(now)))
    results, _ = repaired(tool, [now for *_, now in tests])
    counts = collections.defaultdict(collections.Counter)
    for (codec, meant, was), now in zip(tests, results):
        counts[codec][result_by_word(meant, was, now.decode())] += 1
    for codec in PARTLY:
        print(f"{codec:10}", {kind: counts[codec][kind] for kind in ("restored", "partly", "left", "wrong")})
    total = sum(counts.values(), collections.Counter())
    print(dict(total))
    return 200 * total["wrong"] <= count


def encoded(text, codec):
    """Returns the bytes of a text in a code page; None if a character cannot be encoded."""
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        return None


def result_of(meant, was, now, is_reported):
    """Returns the result for a file of the mode "confused", from its lines."""
    lines = [text.decode().split("\n") for text in (meant, was, now)]
    if now == meant:
        return "restored"
    if len({len(each) for each in lines}) > 1 or any(line not in known for line, *known in zip(*reversed(lines))):
        return "wrong"
    return "partly" if now != was else "reported" if is_reported else "left"


def measure_confused(tool, count):
    by_language = sentences_by_language(18 * 900)
    totals, touched = collections.defaultdict(collections.Counter), 0
    for page, wrong, language in CONFUSIONS:
        possible = [text for text in by_language[language] if encoded(text, page)]
        for size in (1, 20) if len(possible) >= 20 else ():
            texts = ["\n".join(random.sample(possible, size)) + "\n" for _ in range(count)]
            unchanged, _ = repaired(tool, texts)
            touched += sum(now != text.encode() for text, now in zip(texts, unchanged))
            files = ["".join(table(wrong)[byte] for byte in text.encode(page)).encode() for text in texts]
            results, directory = repaired(tool, files)
            # A second run reports the lines that the first run did not repair.
            again = subprocess.run([tool, "repair", "--format=json", directory.name], stdout=subprocess.PIPE).stdout
            lines = [json.loads(line) for line in again.splitlines()]
            reported = {int(Path(line["path"]["text"]).name) for line in lines if line.get("not_repaired")}
            row = collections.Counter(
                result_of(text.encode(), was, now, number in reported) for number, (text, was, now) in enumerate(zip(texts, files, results))
            )
            totals[size] += row
            print(f"{page:9} as {wrong:9} {language} {size:2}", {kind: row[kind] for kind in KINDS}, flush=True)
    for size, row in totals.items():
        print(f"{size:2} a file:", *(f"{kind} {row[kind] / sum(row.values()):.2%}" for kind in KINDS))
    print(f"{touched} others touched")
    is_wrong = any(row["wrong"] for row in totals.values())
    return not is_wrong and touched == 0


def measure_mixed(tool, count, named):
    by_language = sentences_by_language(18 * 900)
    right = total = undone = 0
    for language, encodings in SPLICED:
        for unit, separator in (("line", "\n"), ("field:;", ";")):
            files = []
            for _ in range(count // (2 * len(SPLICED))):
                codecs = ["UTF-8", *random.sample(encodings.split(), min(len(encodings.split()), random.randint(1, 4)))]
                parts = []
                for text in random.sample(by_language[language], 30):
                    text = text.replace(";", ",")
                    codec = random.choice(codecs)
                    try:
                        parts.append((text, text.encode(CODECS.get(codec, codec))))
                    except UnicodeEncodeError:
                        parts.append((text, text.encode()))
                end = "\n"
                old = separator.encode().join(raw for _, raw in parts) + end.encode()
                files.append((old, [text for text, _ in parts], codecs))
            candidates = [f"--candidates=UTF-8,{encodings.replace(' ', ',')}"] if named else []
            with tempfile.TemporaryDirectory() as aside:
                manifest = Path(aside, "manifest")
                results, directory = repaired(tool, [old for old, *_ in files], f"--unit={unit}", f"--manifest={manifest}", *candidates)
                cells = [0, 0]
                for (_, texts, _), result in zip(files, results):
                    for text, now in zip(texts, result.rstrip(b"\n").split(separator.encode())):
                        cells[0] += len(text.encode()) if now == text.encode() else 0
                        cells[1] += len(text.encode())
                subprocess.run([tool, "repair", "--undo", manifest, directory.name], check=True)
                paths = sorted(Path(directory.name).iterdir())
                undone += sum(path.read_bytes() != old for path, (old, *_) in zip(paths, files))
            print(f"{language} by {unit}: {cells[0] / cells[1]:.3%} of bytes")
            right, total = right + cells[0], total + cells[1]
    print(f"{right / total:.3%} of bytes; {undone} files not undone")
    return right >= 0.99 * total and undone == 0


def show_files(tool, directories):
    paths, texts = [], []
    for path in (Path(root, name) for top in directories for root, _, names in os.walk(top) for name in names):
        try:
            raw = b"" if path.is_symlink() or not path.is_file() else path.read_bytes()
            raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
            if not raw.isascii():
                texts.append(raw.decode())
                paths.append(path)
        except (OSError, EOFError, UnicodeDecodeError, gzip.BadGzipFile):
            continue
    results, _ = repaired(tool, texts)
    changed = [path for path, old, new in zip(paths, texts, results) if old.encode() != new]
    print(*changed, f"{len(changed)} of {len(paths)} files change", sep="\n")
    return True


@functools.cache
def forms(char):
    """Returns the strings that up to three mistakes make of a character."""
    found = {char} | {"\"": set("“”"), "'": set("‘’")}.get(char, set())

    def once(text, codec):
        def of(byte):
            is_control = 0x80 <= byte < 0xA0 and codec not in ("mac_roman", "cp437", "cp850")
            return dict.fromkeys([table(codec)[byte], chr(byte) if is_control else table(codec)[byte]])

        raw = [text.encode()]
        if len(text) == 1 and text > "\uffff":
            units = text.encode("utf-16-be")
            raw.append(b"".join(units[at : at + 2].decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass") for at in (0, 2)))
        return ["".join(each) for one in raw for each in itertools.islice(itertools.product(*map(of, one)), 64)]

    for base in [base for base in found if not base.isascii()]:
        for codec in PAGES:
            first = once(base, codec)
            found.update(first)
            for one in first[:8]:
                for other in PAGES:
                    second = once(one, other)
                    found.update(second)
                    if other == codec:
                        found.update(three for two in second[:4] for three in once(two, codec)[:8])
    return frozenset(found)


def can_be_inverted(original, expected):
    places = {0}
    for char in expected:
        places = {place + len(form) for form in forms(char) for place in places if original.startswith(form, place)}
    return len(original) in places


def measure_ftfy(tool):
    directory = os.environ.get("FTFY_CASES")
    if not directory:
        print("skipped: FTFY_CASES does not name the directory of ftfy's test cases")
        return True
    straight = str.maketrans("“”‘’", "\"\"''")

    def compared(text):
        text = "".join(bytes([ord(char)]).decode("cp1252", "replace") if "\x80" <= char < "\xa0" else char for char in text)
        return unicodedata.normalize("NFC", text.translate(straight))

    cases = [case for path in sorted(Path(directory).glob("*.json")) if "known" not in path.name for case in json.loads(path.read_text())]
    results, _ = repaired(tool, [case["original"] for case in cases])
    counts = collections.Counter()
    for case, result in zip(cases, (result.decode() for result in results)):
        original, expected = case["original"], case.get("fixed-encoding", case["fixed"])
        if "egative" in case["label"] or expected == original:
            counts["negative"] += 1
            counts["negative, touched"] += result != original
        elif can_be_inverted(original, expected) or can_be_inverted(original, compared(expected)):
            counts["can be inverted"] += 1
            counts["repaired"] += compared(result) == compared(expected)
            if compared(result) != compared(expected):
                print(f"{case['label']}: {original!r} -> {result!r}, expected {expected!r}")
        else:
            counts["bytes lost"] += 1
    every = [case for path in sorted(Path(directory).glob("*.json")) for case in json.loads(path.read_text())]
    results, _ = repaired(tool, [case["original"] for case in every], "--damage=lost-bytes")
    counts["exact, of all, with lost bytes"] = sum(
        result.decode() == case.get("fixed-encoding", case["fixed"]) for case, result in zip(every, results)
    )
    print(dict(counts))
    is_exact = counts["exact, of all, with lost bytes"] >= 135
    return counts["repaired"] >= 0.98 * counts["can be inverted"] and not counts["negative, touched"] and is_exact


# Languages of the measured texts; length in bytes of a text for utfconv, and of the shorter text for ftfy.
MEASURED = "fr de pl ru zh_CN".split()
SIZE = 16 << 20
SIZE_FOR_FTFY = 128 << 10
# Pieces of hostile text.
HOSTILE = ["Ã", "Ã–", "Ã©", "Ð¿", "É»", "â€™", "ð"]
FASTEST = {"wholly broken": 100e6, "half broken": 100e6, "hostile": 10e6}
TIMES_FTFY = {"wholly broken": 100, "half broken": 100}


def texts_to_measure():
    """Returns texts of SIZE bytes by kind and language."""
    by_language = sentences_by_language(len(LANGUAGES) * 2000)
    for language in MEASURED:
        lines = by_language[language]
        whole = [broken(line, "cp1252") for line in lines]
        half = [line if number % 2 else other for number, (line, other) in enumerate(zip(lines, whole))]
        for kind, chosen in (("clean", lines), ("half broken", half), ("wholly broken", whole)):
            yield kind, language, repeated("\n".join(chosen) + "\n")
    for unit in HOSTILE:
        yield "hostile", unit, repeated(unit)
    chars = [random.choice("ÃÂÐÑâ€™©éàbe ") for _ in range(SIZE // 2)]
    yield "hostile", "random", "".join(chars).encode()[:SIZE].decode(errors="ignore")


def repeated(text):
    return text * -(-SIZE // len(text.encode()))


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode > 1:
        sys.exit(2)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_of_ftfy(text):
    before = time.process_time()
    for line in text.split("\n"):
        ftfy.fix_encoding(line)
    return time.process_time() - before


def measure_speed(tool, runs):
    print(f"ftfy {ftfy.__version__}" if ftfy else "ftfy: skipped, not installed")
    print(f"{'text':20} {'repair MB/s':>12} {'check MB/s':>12} {'ftfy MB/s':>12} {'times ftfy':>12}")
    is_kept = True
    with tempfile.TemporaryDirectory(prefix="utfconv-repair-") as directory:
        path = Path(directory, "text")
        for kind, name, text in texts_to_measure():
            path.write_bytes(text.encode())
            size = path.stat().st_size
            part = text[: SIZE_FOR_FTFY // 2].rpartition("\n")[0]
            repair, check, other = [], [], []
            for _ in range(runs):
                repair.append(processor_time([tool, "repair", "-j1", "--max-errors=1", path]))
                check.append(processor_time([tool, "check", "--rule=double-encoded", "-j1", "--count", "--max-errors=1", path]))
                if ftfy and part:
                    other.append(time_of_ftfy(part))
            ours, checked = size / min(repair), size / min(check)
            row = f"{kind + ' ' + name:20} {ours / 1e6:12.1f} {checked / 1e6:12.1f}"
            is_kept &= ours >= FASTEST.get(kind, 0) and checked >= FASTEST.get(kind, 0)
            if other:
                theirs = len(part.encode()) / min(other)
                row += f" {theirs / 1e6:12.2f} {ours / theirs:12.0f}"
                is_kept &= ours / theirs >= TIMES_FTFY.get(kind, 0)
            print(row, flush=True)
    return is_kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", help="the program, if not the one that cargo builds")
    parser.add_argument("--count", type=int, help="sentences (default 10,000), files (partly: 10,000; mixed: 2,000; of each confusion 100), or runs (3)")
    parser.add_argument("--detect", action="store_true", help="mixed: name no candidates")
    parser.add_argument("what", choices=["sentences", "partly", "confused", "mixed", "files", "ftfy", "speed"])
    parser.add_argument("directories", nargs="*")
    options = parser.parse_args()
    random.seed(1)
    tool = harness.program(options.tool)
    measures = {
        "sentences": lambda: measure_sentences(tool, options.count or 10_000),
        "partly": lambda: measure_partly(tool, options.count or 10_000),
        "confused": lambda: measure_confused(tool, options.count or 100),
        "mixed": lambda: measure_mixed(tool, options.count or 2_000, not options.detect),
        "files": lambda: show_files(tool, options.directories),
        "ftfy": lambda: measure_ftfy(tool),
        "speed": lambda: measure_speed(tool, options.count or 3),
    }
    return 0 if measures[options.what]() else 1


if __name__ == "__main__":
    harness.main("repair.py", main)
