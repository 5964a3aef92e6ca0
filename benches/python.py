#!/usr/bin/env python3
"""Compares the Python module with CPython's codecs, chardet, charset-normalizer, ftfy and pyarrow, in one process.

    pip install chardet charset-normalizer ftfy pyarrow
    PYTHONPATH=$(crates/python/build --profile=python) benches/python.py [--quick] [PART...]

Times are processor times, so that other load of the machine has little effect. The parts are codecs, detect, repair and arrays. Each
line shows the ratio of the times, which is above 1 if the module is faster. Peers that are not installed are left out.
"""

import argparse
import importlib
import random
import statistics
import time

import utfconv

# A sentence in each language. Texts repeat it, so they can be of any length.
SENTENCES = {
    "English": "The quick brown fox jumps over the lazy dog, and sleeps well. ",
    "German": "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ",
    "Polish": "Pchnąć w tę łódź jeża lub ośm skrzyń fig. ",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ",
    "Russian": "Съешь же ещё этих мягких французских булок, да выпей чаю. ",
    "Japanese": "いろはにほへと、日本語の文章を漢字で書く。カタカナも。",
    "Chinese": "视野无限广，窗外有蓝天；中文的文章用汉字书写。",
    "Taiwanese": "視野無限廣，窗外有藍天；中文的文章用漢字書寫。",
    "Korean": "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. ",
}

# Each entry: name of the encoding in utfconv, name in Python, and language of the text.
CODECS = [
    ("UTF-8", "utf-8", "Russian"),
    ("UTF-16LE", "utf-16-le", "Japanese"),
    ("UTF-32LE", "utf-32-le", "Chinese"),
    ("ISO-8859-1", "latin-1", "German"),
    ("windows-1252", "cp1252", "German"),
    ("ISO-8859-2", "iso8859-2", "Polish"),
    ("windows-1253", "cp1253", "Greek"),
    ("windows-1251", "cp1251", "Russian"),
    ("KOI8-R", "koi8-r", "Russian"),
    ("IBM037", "cp037", "English"),
    ("windows-31j", "cp932", "Japanese"),
    ("EUC-JP", "euc_jp", "Japanese"),
    ("ISO-2022-JP", "iso2022_jp", "Japanese"),
    ("GB18030", "gb18030", "Chinese"),
    ("Big5", "big5", "Taiwanese"),
    ("EUC-KR", "euc_kr", "Korean"),
]


def seconds(function, *arguments, rounds=5):
    """Returns the shortest processor time of `rounds` calls in seconds."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        function(*arguments)
        times.append(time.process_time() - began)
    return min(times)


def compare(name, ours, theirs, size, rounds=5):
    """Prints a line, and returns the ratio of the times. The functions take turns, so that other load of the machine affects
    both."""
    times = [(seconds(ours, rounds=1), seconds(theirs, rounds=1)) for _ in range(rounds)]
    own, other = min(time for time, _ in times), min(time for _, time in times)
    print(f"{name:40} {size / own / 1e6:10.1f} {size / other / 1e6:10.1f} {other / own:8.2f}")
    return other / own


def codecs(args):
    print(f"{'MB/s':40} {'utfconv':>10} {'CPython':>10} {'ratio':>8}")
    size = 20_000 if args.quick else args.size
    ratios = []
    for ours, theirs, language in CODECS:
        sentence = SENTENCES[language]
        text = sentence * (size // len(sentence.encode(theirs, "ignore")))
        text = text.encode(theirs, "ignore").decode(theirs)
        data = text.encode(theirs)
        assert utfconv.decode(data, ours) == text and utfconv.encode(text, ours) == data, ours
        ratios.append(compare(f"decode {ours}", lambda: utfconv.decode(data, ours), lambda: data.decode(theirs), len(data)))
        ratios.append(compare(f"encode {ours}", lambda: utfconv.encode(text, ours), lambda: text.encode(theirs), len(data)))
    print(f"median {statistics.median(ratios):.2f}, lowest {min(ratios):.2f}")


def small_texts():
    """Yields small files in common encodings: the encoding, the text, and the bytes."""
    random.seed(1)
    for ours, theirs, language in CODECS[:1] + CODECS[4:9] + CODECS[10:12] + CODECS[13:]:
        sentence = SENTENCES[language]
        for _ in range(4):
            start = random.randrange(len(sentence))
            text = (sentence * 40)[start : start + random.randrange(300, 1200)]
            yield ours, text, text.encode(theirs, "ignore")


def detect(args):
    texts = list(small_texts())
    size = len(texts)

    def decodes(find):
        """Returns the number of texts that are decoded correctly with the names that `find` returns."""
        good = 0
        for _, text, data in texts:
            name = find(data)
            try:
                good += name is not None and data.decode(name) == text
            except (LookupError, UnicodeError):
                pass
        return good

    def ours(data):
        found = utfconv.detect(data)
        return found.encoding if found.is_reliable else None

    utfconv.register()
    finders = {"utfconv": lambda data: (name := ours(data)) and "utfconv-" + name}
    if chardet := module("chardet"):
        finders["chardet"] = lambda data: chardet.detect(data)["encoding"]
    if normalizer := module("charset_normalizer"):
        finders["charset-normalizer"] = lambda data: (best := normalizer.from_bytes(data).best()) and best.encoding
    print(f"{'detect':40} {'files/s':>10} {'right':>10} {'ratio':>8}")
    times = {}
    for name, find in finders.items():
        find(texts[0][2])
        times[name] = seconds(lambda: [find(data) for _, _, data in texts], rounds=1 if args.quick else 3)
        ratio = times[name] / times["utfconv"]
        print(f"{name:40} {size / times[name]:10.0f} {decodes(find):6}/{size} {ratio:8.1f}")


def repair(args):
    ftfy = module("ftfy")
    if ftfy is None:
        return
    size = 20_000 if args.quick else args.size
    print(f"{'repair, MB/s':40} {'utfconv':>10} {'ftfy':>10} {'ratio':>8}")
    for language in ("German", "Russian", "English"):
        text = (SENTENCES[language].strip() + "\n") * (size // len(SENTENCES[language]))
        broken = text.encode().decode("cp1252", "replace") if language == "German" else text
        if language == "Russian":
            broken = utfconv.decode(text.encode(), "whatwg:windows-1252")
        assert utfconv.repair(broken) == text, language
        compare(f"repair {language}", lambda: utfconv.repair(broken), lambda: ftfy.fix_text(broken), len(broken.encode()), rounds=2)


def arrays(args):
    pyarrow = module("pyarrow")
    if pyarrow is None:
        return
    count = 20_000 if args.quick else 500_000
    print(f"{'decode_array, MB/s':40} {'utfconv':>10} {'peer':>10} {'ratio':>8}")
    for ours, theirs, language in (("GBK", "gbk", "Chinese"), ("windows-1252", "cp1252", "German"), ("UTF-8", "utf-8", "Russian")):
        values = [SENTENCES[language].encode(theirs)[: 2 * (number % 20)] for number in range(count)]
        values = [value.decode(theirs, "ignore").encode(theirs) for value in values]
        array = pyarrow.array(values, pyarrow.binary())
        size = array.nbytes

        def loop():
            return pyarrow.array([value.as_py().decode(theirs) for value in array])

        assert utfconv.decode_array(array, ours).equals(loop())
        compare(f"{ours}, a loop", lambda: utfconv.decode_array(array, ours), loop, size, rounds=2)
        if ours == "UTF-8":
            compare("UTF-8, pyarrow's cast", lambda: utfconv.decode_array(array, ours), lambda: array.cast("string"), size)


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name}: left out, not installed")
        return None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="codecs, detect, repair, arrays (all)")
    parser.add_argument("--quick", action="store_true", help="small texts, to test this script")
    parser.add_argument("--size", type=int, default=1_000_000, help="bytes of each text of codecs and repair (%(default)s)")
    args = parser.parse_args()
    for part in args.parts or ["codecs", "detect", "repair", "arrays"]:
        {"codecs": codecs, "detect": detect, "repair": repair, "arrays": arrays}[part](args)
