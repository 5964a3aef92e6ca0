#!/usr/bin/env python3
"""Writes labeled corpora for detection.py.

    detection_corpora.py western DIR            300 short Western texts in windows-1252, from templates
    detection_corpora.py --fetch PACKAGES       downloads and unpacks Debian documentation (apt-get download)
    detection_corpora.py debian PACKAGES DIR    5,000 files of it, in the legacy encodings of their languages
    detection_corpora.py samples PACKAGES DIR   stretches of it of about 50, 500 and 5,000 bytes
    detection_corpora.py symbols PACKAGES DIR   2,517 English texts, each with one kind of character of windows-1252
    detection_corpora.py foreign LOCALE DIR     texts of languages without statistics, of the catalogs below LOCALE
    detection_corpora.py declared REPO... DIR   files of git repositories that declare a legacy encoding: whole, 2 KB and 200 bytes

A file is in a directory that is named after its encoding. No source of the detector's statistics
(crates/utfconv-detect/src/models.py) is used.
"""

import argparse
import codecs
import collections
import gettext
import glob
import gzip
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "crates/utfconv-detect/src"))
import models  # noqa: E402

SEED = 1948
PACKAGES = (
    "manpages-cs manpages-da manpages-de manpages-el manpages-es manpages-fi manpages-fr manpages-hu manpages-it manpages-ja manpages-mk"
    " manpages-nb manpages-nl manpages-pl manpages-pt-br manpages-ro manpages-ru manpages-sr manpages-sv manpages-uk manpages-zh manpages-tr"
    " manpages-vi debian-faq debian-faq-de debian-faq-fr debian-faq-it debian-faq-ja debian-faq-ko debian-faq-nl debian-faq-pt debian-faq-ru"
    " debian-faq-zh-cn debian-reference-en debian-reference-de debian-reference-es debian-reference-fr debian-reference-it"
    " debian-reference-ja debian-reference-pt debian-reference-zh-cn debian-reference-zh-tw aptitude-doc-cs aptitude-doc-es aptitude-doc-fi"
    " aptitude-doc-fr aptitude-doc-ja aptitude-doc-ru maint-guide-ca maint-guide-vi fortunes-bg fortunes-cs fortunes-de fortunes-eo"
    " fortunes-es fortunes-ga fortunes-it fortunes-pl fortunes-ru"
).split()

WESTERN = ["cp1252", "cp1252", "iso8859-1", "iso8859-15", "cp850"]
CENTRAL = ["cp1250", "iso8859-2", "cp852"]
CYRILLIC = ["cp1251", "koi8-r", "iso8859-5", "cp866"]
# The legacy encodings of each language, by Python's names.
ENCODINGS = {
    "ca": WESTERN, "da": WESTERN, "de": WESTERN, "es": WESTERN, "fi": WESTERN, "fr": WESTERN, "ga": WESTERN, "it": WESTERN, "nb": WESTERN,
    "nl": WESTERN, "pt": WESTERN, "sv": WESTERN, "en": ["cp1252"], "cs": CENTRAL, "hu": CENTRAL, "pl": CENTRAL, "ro": ["cp1250", "iso8859-2"],
    "bg": ["cp1251", "iso8859-5", "koi8-r"], "mk": ["cp1251", "iso8859-5"], "ru": CYRILLIC, "sr": ["cp1251", "iso8859-5"],
    "uk": ["cp1251", "koi8-u"], "el": ["cp1253", "iso8859-7"], "tr": ["cp1254", "iso8859-9"], "eo": ["iso8859-3"], "vi": ["cp1258"],
    "ja": ["cp932", "euc_jp", "iso2022_jp"], "zh_CN": ["gb18030", "gbk"], "zh_TW": ["big5"], "ko": ["cp949"],
}  # fmt: skip
# Encodings by Python's names, each with the name of the directory that detection.py reads.
NAMES = {"cp1252": "windows-1252", "koi8-r": "koi8-r", "koi8-u": "koi8-u", "iso2022_jp": "iso-2022-jp", "euc_jp": "euc-jp"}
# Characters that conversion tables of one legacy encoding map differently.
DISPUTED = re.compile("[\\\\~|¥‾〜～−－‖∥—―…·•¢£¬]")


def name_of(codec):
    if codec.startswith("cp125"):
        return "windows-" + codec[2:]
    return NAMES.get(codec, codec.replace("iso8859", "iso-8859"))


# --- Debian's documentation ---


def language_of(path):
    """Returns the language of an unpacked file, from its path."""
    parts = path.split("/")
    name = parts[-1]
    if "/man/" in path:
        found = parts[parts.index("man") + 1]
    elif "fortunes" in path:
        found = next((part for part in parts if part in ENCODINGS), re.sub(r".*fortunes-", "", path)[:2])
    else:
        found = next((code for code in re.findall(r"[.-]([a-z]{2}(?:[-_][a-zA-Z]{2})?)(?=\.|/|$)", name)[::-1]), None) or next(
            (part for part in parts[::-1] if re.fullmatch(r"[a-z]{2}([-_][a-zA-Z]{2})?", part) and part != "en"), None
        )
    found = (found or "").split(".")[0].replace("-", "_")
    found = {"zh_cn": "zh_CN", "zh_tw": "zh_TW", "pt_BR": "pt", "pt_br": "pt"}.get(found, found)
    return found if found in ENCODINGS else found[:2]


def documents(folder):
    """Yields the text files of the packages, with their languages."""
    for path in sorted(glob.glob(f"{folder}/unpacked/usr/share/**/*", recursive=True)):
        if not re.search(r"/man/.*\.gz$|\.(txt|html|txt\.gz|html\.gz)$|/fortunes/[^.]*$|/games/fortunes/", path) or not Path(path).is_file():
            continue
        data = gzip.open(path).read() if path.endswith(".gz") else Path(path).read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        # Removes declarations of UTF-8, because they would be false in another encoding.
        text = re.sub(r"(?i)(charset=[\"']?|encoding=[\"']|coding[:=] *)utf-8", r"\1", text)
        language = language_of(path)
        if language in ENCODINGS and not text.isascii() and not is_twice_encoded(text) and is_in(text, language):
            yield path, language, text


def is_twice_encoded(text):
    """Whether parts of the text are double-encoded, as in some man pages."""
    return bool(re.search("[\xc2-\xc3][\x80-\xbf]", text))


def is_in(text, language):
    """Whether a text is in the language, by its number of non-ASCII characters; some packages have English text under the name
    of another language."""
    others = sum(1 for char in text if char > "\x7f")
    return others >= (1 if language == "en" else max(3, len(text) // 500))


def as_written(text, codec, language):
    text = models.as_written(text, language)
    if codec not in ("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1258"):
        # Most encodings other than windows-125x lack typographic characters, so people wrote ASCII replacements.
        text = text.translate(str.maketrans("“”„‘’‚–—•‹›−‐", "\"\"\"'''--*<>--"))
        text = text.replace("…", "...")
    return text.replace("−", "-").replace("‐", "-")


def encoded(text, codec, language):
    """Returns the text in an encoding; None if the encoding lacks a character."""
    text = as_written(text, codec, language)
    if codec in ("cp932", "euc_jp", "iso2022_jp", "cp949", "big5", "gbk", "gb18030"):
        lines = [line for line in text.splitlines(True) if not DISPUTED.search(line)]
        text = "".join(lines)
    good = []
    for line in text.splitlines(True):
        try:
            line.encode(codec)
            good.append(line)
        except UnicodeEncodeError:
            pass
    if 10 * len(good) < 9 * text.count("\n"):
        return None
    data = "".join(good).encode(codec)
    return None if data.isascii() and codec != "iso2022_jp" or "".join(good).isascii() else data


def write_debian(folder, out, count=5000):
    dice = random.Random(SEED)
    found = list(documents(folder))
    dice.shuffle(found)
    written = collections.Counter()
    while written.total() < count:
        before = written.total()
        for path, language, text in found:
            codec = dice.choice(ENCODINGS[language])
            if written.total() == count:
                break
            # Cuts large documents into parts of different sizes.
            lines = text.splitlines(True)
            size = dice.choice((20, 60, 200, 800))
            at = dice.randrange(max(1, len(lines) - size)) if len(lines) > size else 0
            data = encoded("".join(lines[at : at + size]), codec, language)
            if not data:
                continue
            if dice.random() < 0.3 and codec.startswith("cp"):
                data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            target = Path(out, language, name_of(codec), f"{written.total():04}-{Path(path).name.removesuffix('.gz')}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            written[codec] += 1
        if written.total() == before:
            break
    print(written.total(), "files:", ", ".join(f"{codec} {number}" for codec, number in written.most_common()))


def write_samples(folder, out, each=30):
    dice = random.Random(SEED)
    by_language = collections.defaultdict(list)
    for _, language, text in documents(folder):
        by_language[language].append(text)
    number = 0
    for language, texts in sorted(by_language.items()):
        for codec in dict.fromkeys(ENCODINGS[language]):
            for size in (50, 500, 5000):
                for _ in range(each):
                    for _ in range(50):
                        text = dice.choice(texts)
                        at = dice.randrange(max(1, len(text) - size))
                        data = encoded(text[at : at + size].partition(" ")[2] + "\n", codec, language)
                        if data and len(data) >= size // 2:
                            break
                    else:
                        continue
                    target = Path(out, language, name_of(codec), f"{number:05}-{size}.txt")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
                    number += 1
    print(number, "samples")


# --- Short Western texts ---

NAMES_OF_PEOPLE = "Müller,Jürgen Köhler,François Lefèvre,José Núñez,Søren Kjær,Åsa Lindström,Günther Groß,Zoë Brontë,João Conceição,Mónica Peña,Niccolò Rossi,Chloë,René Descartes,Björk Guðmundsdóttir,Ángel Ibáñez,Jörg Weiß,Bjørn Hærland,Señor Ordóñez,Beyoncé,Dvořák".split(",")[:19]
ENGLISH = [
    "“I don’t know,” she said – and left.", "It’s the reader’s choice: “all or nothing”.", "The meeting is on 5–7 May; bring your résumé.",
    "He asked, ‘Why not?’ and we couldn’t answer…", "The café on the corner serves crème brûlée.", "Don’t forget: the temperature is 25 °C today.",
    "Price: € 49.90 – incl. VAT.", "© 2003 {name}. All rights reserved.", "A naïve approach won’t do; see § 5.", "The company’s façade was painted in 1999.",
    "That’s £20, or about €25 — take it or leave it.", "• First item\n• Second item — with a note", "Copyright © {name} and contributors", "The angle is 90° ± 2°.",
]  # fmt: skip
GERMAN = [
    "Schöne Grüße aus München!", "Die Übung heißt „Größe messen“.", "Für Änderungen genügt ein Anruf bei {name}.", "Straße und Hausnummer fehlen – bitte ergänzen.",
    "Der Preis beträgt 12,50 €.", "Fußnote 3: siehe § 7 Abs. 2", "Öffnungszeiten: täglich von 9–18 Uhr",
]  # fmt: skip
FRENCH = [
    "L’été dernier, nous étions à la plage.", "« Où êtes-vous ? » demanda-t-elle.", "Le cœur a ses raisons…", "Déjà vu : un problème réglé par {name}.",
    "Il faut 20 € pour l’entrée – tarif réduit : 12 €.", "Prénom, numéro de téléphone, réservé à l’usage interne",
]  # fmt: skip
SPANISH = [
    "¿Cómo estás? Mañana será otro día.", "El niño comió muchísimo.", "“¡Qué sorpresa!” – dijo {name}.", "Número de teléfono y dirección", "La compañía cerró el año con más de 3 millones de €.",
]  # fmt: skip
OTHERS = [
    "Não há razão para preocupação.", "Perché no? È già finita la città.", "Så är det på svenska också.", "Det er også på dansk: rødgrød med fløde.", "Één van de mooiste café’s.",
    "Hyvää päivää, mitä kuuluu?", "A situação é difícil – não é?", "Più di così non si può, disse {name}.", "Blåbærsyltetøy på brødet",
]  # fmt: skip
PLAIN = [
    "The quick brown fox jumps over the lazy dog.", "See the documentation for details.", "This file is part of the distribution.", "Nothing else was changed in this release.",
    "Please read the following instructions carefully before you begin.",
]


def prose(dice):
    own = dice.choice([ENGLISH, ENGLISH, GERMAN, FRENCH, SPANISH, OTHERS])
    few = dice.sample(own, dice.randint(1, 4))
    if own is ENGLISH or dice.random() < 0.3:
        few += dice.sample(PLAIN, dice.randint(0, 3))
    dice.shuffle(few)
    return "\n".join(few) + "\n"


def a_line(dice):
    return dice.choice(dice.choice([ENGLISH, ENGLISH, GERMAN, FRENCH, SPANISH, OTHERS])).split("\n")[0]


def in_c(dice):
    return (
        f"/* © {dice.randint(1989, 2020)} {dice.choice(NAMES_OF_PEOPLE)} */\n#include <stdio.h>\n\n"
        + (f"/* {a_line(dice)} */\n" if dice.random() < 0.5 else "")
        + f"int main(void)\n{{\n    puts(\"{dice.choice(['Größe', 'déjà vu', 'café', 'année', 'señal', 'fin'])}\");\n    return 0;\n}}\n"
    )


def in_python(dice):
    return (
        f"# {a_line(dice)}\n# Author: {dice.choice(NAMES_OF_PEOPLE)}\nimport os\n\n\ndef size(path):\n"
        f"    \"\"\"Returns the size.\"\"\"\n    return os.stat(path).st_size  # {dice.choice(['in °C', 'Größe', 'taille du fichier réel', 'tamaño', '± 1', '§ 3'])}\n"
    )


def in_csv(dice):
    rows = ["id;name;city;price"]
    for number in range(dice.randint(2, 8)):
        city = dice.choice(["Zürich", "Köln", "Paris", "Málaga", "London", "Århus", "São Paulo", "Nîmes", "Oslo", "Genève"])
        rows.append(f"{number};{dice.choice(NAMES_OF_PEOPLE)};{city};{dice.randint(1, 99)},{dice.randint(10, 99)}{dice.choice([' €', '', ' £'])}")
    return "\n".join(rows) + "\n"


def in_log(dice):
    rows = []
    for second in range(dice.randint(3, 9)):
        what = dice.choice(["started", "temperature 21.5°C", f"user {dice.choice(NAMES_OF_PEOPLE)} logged in", "can’t open “C:\\Données”", "Verbindung getrennt: Zeitüberschreitung", "done – 3 files"])
        rows.append(f"2009-03-0{dice.randint(1, 9)} 12:00:{second:02} [INFO] {what}")
    rows.append(f"2009-03-09 12:01:00 [INFO] session of {dice.choice(NAMES_OF_PEOPLE)} ended")
    return "\n".join(rows) + "\n"


def in_html(dice):
    return (
        f"<html>\n<head><title>{a_line(dice)}</title></head>\n<body>\n<p>{a_line(dice)}</p>\n<p>{dice.choice(PLAIN)}</p>\n"
        f"<address>© {dice.choice(NAMES_OF_PEOPLE)}</address>\n</body>\n</html>\n"
    )


def subtitles(dice):
    rows = []
    own = dice.choice([ENGLISH, GERMAN, FRENCH, SPANISH])
    for number in range(1, dice.randint(3, 7)):
        rows.append(f"{number}\n00:00:{number:02},000 --> 00:00:{number + 1:02},500\n{dice.choice(own)}\n")
    return "\n".join(rows)


def write_western(out, count=300):
    dice = random.Random(SEED)
    kinds = [("txt", prose), ("txt", prose), ("c", in_c), ("py", in_python), ("csv", in_csv), ("log", in_log), ("html", in_html), ("srt", subtitles)]
    folder = Path(out, "windows-1252")
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while number < count:
        suffix, make = kinds[number % len(kinds)]
        text = re.sub(r"\{name\}", lambda _: dice.choice(NAMES_OF_PEOPLE), make(dice))
        data = text.encode("cp1252")
        if data.isascii():
            continue
        if number % 16 >= 8:
            data = data.replace(b"\n", b"\r\n")
        (folder / f"{number:03}.{suffix}").write_bytes(data)
        number += 1
    print(number, "texts")


# --- English with one kind of character ---

# For each character: patterns of its usual places in English, whose first group is replaced, each with the replacement.
SYMBOLS = {
    "’": [(r"\b[A-Za-z]+(')[a-z]{1,2}\b", "’"), (r"(?<=[a-z]) ()(?=[a-z])", "’")], "‘": [(r"(?<=\s)()(?=[A-Za-z])", "‘")], "“": [(r"(?<=\s)()(?=[A-Za-z])", "“")],
    "”": [(r"(?<=[a-z.,])()(?=\s)", "”")], "„": [(r"(?<=\s)()(?=[A-Z])", "„")], "‚": [(r"(?<=\s)()(?=[A-Za-z])", "‚")], "‹": [(r"(?<=\s)()(?=[A-Za-z])", "‹")],
    "›": [(r"(?<=[a-z])()(?=\s)", "›")], "–": [(r"(?<=[a-z])( )(?=[a-z])", " – ")], "—": [(r"(?<=[a-z])( )(?=[a-z])", "—")], "…": [(r"(?<=[a-z])()(?=\s)", "…")],
    "•": [(r"^()(?=\w)", "• ")], "™": [(r"\b[A-Z][a-z]+()\b", "™")], "®": [(r"\b[A-Z][a-z]+()\b", "®")], "©": [(r"(?<=\s)()(?=\d|[A-Z])", "© ")],
    "°": [(r"\d()\b", "°"), (r"(?<=[a-z] )()(?=[a-z])", "25° ")], "§": [(r"(?<=\s)()(?=\d|[A-Z])", "§ ")], "€": [(r"(?<=[a-z] )()(?=[a-z])", "€20 ")],
    "£": [(r"(?<=[a-z] )()(?=[a-z])", "£20 ")], "½": [(r"(?<=[a-z] )()(?=[a-z])", "2½ ")], "\xa0": [(r"(?<=[a-z.])( )(?=[A-Za-z])", "\xa0")],
    "·": [(r"(?<=[a-z])( )(?=[a-z])", " · ")], "†": [(r"(?<=[a-z])()(?=\s)", "†")], "‡": [(r"(?<=[a-z])()(?=\s)", "‡")], "‰": [(r"(?<=[a-z] )()(?=[a-z])", "5‰ ")],
    "ˆ": [(r"(?<=[a-z] )()(?=[a-z])", "ˆ")], "˜": [(r"(?<=[a-z] )()(?=[a-z])", "˜")], "ƒ": [(r"(?<=[a-z] )()(?=[a-z])", "ƒ(x) ")], "Š": [(r"(?<=[a-z] )()(?=[A-Z])", "Škoda ")],
    "š": [(r"(?<=[a-z] )()(?=[A-Z])", "Aleš ")], "Ž": [(r"(?<=[a-z] )()(?=[A-Z])", "Žižek ".replace("ž", "z"))], "ž": [(r"(?<=[a-z] )()(?=[A-Z])", "Jože ")],
    "Œ": [(r"(?<=[a-z] )()(?=[A-Z])", "Œdipus ")], "œ": [(r"(?<=[a-z] )()(?=[a-z])", "œuvre ")], "Ÿ": [(r"(?<=[a-z] )()(?=[A-Z])", "LOUŸS ")],
}  # fmt: skip
APOSTROPHES = "He said it’s fine and we don’t care, I’m sure.\n" * 10


def sentences(folder):
    """Yields English sentences from Debian's manuals."""
    for path in sorted(glob.glob(f"{folder}/unpacked/usr/share/debian-reference/*.en.txt.gz") + glob.glob(f"{folder}/unpacked/usr/share/doc/**/*.en.txt.gz", recursive=True)):
        text = gzip.open(path).read().decode("utf-8", "replace")
        for part in re.split(r"\n\s*\n", text):
            part = re.sub(r"[^\x20-\x7e]", "", re.sub(r"\s+", " ", part)).strip()
            if re.match(r"[A-Z].*[a-z ]{60}", part):
                yield from re.findall(r"[A-Z][^.!?]{20,200}[.!?]", part)


def with_symbol(dice, text, char, places, is_natural):
    """Returns the text with `char` at `places` places: its usual places, or any place within a word."""
    patterns = SYMBOLS[char] if is_natural else [(r"(?<=\w)()(?=.)", char)]
    found = [(match.span(1), new) for pattern, new in patterns for match in re.finditer(pattern, text, re.MULTILINE)]
    # Shuffled, because only the first `places` matches are replaced.
    dice.shuffle(found)
    for (start, end), new in sorted(found[:places], reverse=True):
        text = text[:start] + new + text[end:]
    return text


def write_symbols(folder, out, each=9):
    dice = random.Random(SEED)
    known = list(dict.fromkeys(sentences(folder)))
    target = Path(out, "windows-1252")
    target.mkdir(parents=True, exist_ok=True)
    (target / "apostrophes.txt").write_bytes(APOSTROPHES.encode("cp1252"))
    number = 1
    for char in SYMBOLS:
        for places in (1, 3, 10, 30):
            for turn in range(2 * each):
                at = dice.randrange(len(known) - 60)
                lines = known[at : at + dice.randrange(10, 61)]
                text = ("\n" if turn % 3 else " ").join(lines) + "\n"
                text = with_symbol(dice, text, char, places, turn % 4 < 3)
                if not text.isascii():
                    (target / f"{number:04}-{ord(char):04X}-{places}.txt").write_bytes(text.encode("cp1252"))
                    number += 1
    print(number, "texts")


# --- Languages without statistics ---

# Languages without statistics, by gettext's names, with their legacy encodings.
FOREIGN = {
    "ku": ["cp1254", "iso8859-9"], "kmr": ["cp1254"], "fur": WESTERN, "frp": WESTERN, "wa": WESTERN, "oc": WESTERN, "ast": WESTERN, "an": WESTERN, "sc": WESTERN, "gd": WESTERN,
    "gv": WESTERN, "kw": WESTERN, "nds": WESTERN, "fy": WESTERN, "ia": WESTERN, "ie": WESTERN, "io": WESTERN, "id": WESTERN, "tl": WESTERN, "sw": WESTERN, "rm": WESTERN,
    "bar": WESTERN, "ang": WESTERN, "la": WESTERN, "se": ["iso8859-10"], "kl": WESTERN, "jam": WESTERN, "pap": WESTERN, "gn": WESTERN, "qu": WESTERN, "ay": WESTERN,
    "nah": WESTERN, "son": WESTERN, "wo": WESTERN, "so": WESTERN, "ht": WESTERN, "ga": WESTERN, "co": WESTERN, "csb": ["cp1250", "iso8859-2"], "hsb": ["cp1250", "iso8859-2"],
    "dsb": ["cp1250", "iso8859-2"], "szl": ["cp1250", "iso8859-2"], "bs": ["cp1250", "iso8859-2"], "sr@latin": ["cp1250", "iso8859-2"], "tk": ["cp1254"], "az": ["cp1254", "iso8859-9"],
    "crh": ["cp1254", "iso8859-9"], "mn": ["cp1251"], "kv": ["cp1251"], "ky": ["ptcp154", "cp1251"], "tt": ["cp1251", "ptcp154"], "ba": ["ptcp154"], "ce": ["cp1251"],
    "mhr": ["cp1251"], "cv": ["ptcp154", "cp1251"], "ab": ["cp1251", "ptcp154"],
}  # fmt: skip


def lines_of(folder, code):
    """Returns the translations of a language in gettext's catalogs."""
    for path in sorted(Path(folder).rglob(f"{code}/LC_MESSAGES/*.mo")):
        try:
            with open(path, "rb") as file:
                catalog = gettext.GNUTranslations(file)._catalog
        except (OSError, UnicodeError, ValueError, IndexError):  # some catalogs are malformed
            continue
        yield from (text for key, text in sorted((str(key), text) for key, text in catalog.items() if key) if isinstance(text, str) and text != key)


def write_foreign(folder, out, each=12):
    dice = random.Random(SEED)
    number = 0
    for code, codecs in FOREIGN.items():
        known = list(dict.fromkeys(lines_of(folder, code)))
        for codec in dict.fromkeys(codecs):
            for turn in range(each if len(known) > 60 else 0):
                at = dice.randrange(len(known) - 50)
                text = "\n".join(known[at : at + (5, 20, 50)[turn % 3]]) + "\n"
                data = as_written(text, codec, code).encode(codec, "ignore")
                lost = len(text) - len(data)
                if not data.isascii() and 50 * lost < len(text):
                    target = Path(out, code, name_of(codec), f"{number:04}.txt")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
                    number += 1
    print(number, "texts")


# --- Files of repositories that declare their encoding ---

# Declarations of encodings: in catalogs, XML and HTML, languages of Inno Setup and NSIS, dictionaries, Vim scripts,
# languages of PHP programs, and LaTeX.
DECLARATIONS = [
    rb"Content-Type: text/plain; *charset=([\w-]+)", rb"<\?xml[^>]*encoding=[\"']([\w-]+)", rb"<meta[^>]*charset=[\"']?([\w-]+)", rb"^LanguageCodePage=(\d+)",
    rb"^# ?Codepage.*\r?\n(\d+)", rb"^SET[ \t]+([\w-]+)", rb"scriptencoding ([\w-]+)", rb"coding: *([\w-]+)",
    rb"\$charset *= *[\"']([\w-]+)", rb"_CHARSET[\"'], *[\"']([\w-]+)", rb"^[^%\n]*\\usepackage *\[(\w+)\] *\{inputenc\}",
]  # fmt: skip
SIZES = {"200": 200, "2K": 2048, "whole": None}
# Declared names that Python does not know, or knows with a smaller table, each with a Python codec.
DECLARED = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "shift_jis": "cp932", "sjis": "cp932",
    "euc-kr": "cp949", "big5": "big5hkscs", "cp949": "cp949", "koi8-r": "koi8-r", "tis-620": "cp874", "microsoft-cp1251": "cp1251", "cp-1251": "cp1251", "win-1251": "cp1251",
    "ansinew": "cp1252", "latin2": "iso8859-2", "latin5": "iso8859-9", "latin9": "iso8859-15",
}  # fmt: skip


def git(repository, *argv, data=None):
    return subprocess.run(["git", "-C", repository, *argv], input=data, stdout=subprocess.PIPE, check=True).stdout


def blobs(repository):
    """Yields the files of the last commit that are smaller than a megabyte, with their names."""
    rows = [line.split(b"\t") for line in git(repository, "ls-tree", "-rlz", "HEAD").split(b"\0") if line]
    rows = [(head.split(), name) for head, name in rows]
    wanted = [(head[2], name) for head, name in rows if head[1] == b"blob" and head[3].isdigit() and 100 < int(head[3]) < 1 << 20]
    objects = git(repository, "cat-file", "--batch", data=b"".join(number + b"\n" for number, _ in wanted))
    at = 0
    for _, name in wanted:
        end = objects.index(b"\n", at)
        size = objects[at:end].split()[-1]
        if size == b"missing":
            at = end + 1
            continue
        yield name.decode("utf-8", "replace"), objects[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)


def declared_in(data):
    """Returns the Python codec for the encoding that a file declares; None if it declares none, or no legacy encoding."""
    found = next((match[1] for pattern in DECLARATIONS if (match := re.search(pattern, data[:4096], re.MULTILINE | re.IGNORECASE))), None)
    if found is None:
        return None
    name = found.decode().lower()
    name = DECLARED.get(name, "cp" + name if name.isdigit() else name)
    name = DECLARED.get(name, name)
    try:
        codec = codecs.lookup(name).name
        b" ".decode(codec)
    except (LookupError, ValueError):
        return None
    return None if codec.startswith(("utf", "ascii", "unicode", "raw", "idna", "punycode", "undefined")) else codec


def part_of(dice, data, size, codec):
    """Returns lines of a file with at least three non-ASCII bytes, cut at a character; None if there are none."""
    starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
    for start in dice.sample(starts, min(50, len(starts))):
        part = data[start : start + size]
        for end in range(len(part), max(0, len(part) - 4), -1):
            try:
                part[:end].decode(codec)
            except UnicodeDecodeError:
                continue
            if sum(byte > 0x7F for byte in part[:end]) >= 3 and end > size // 2:
                return part[:end]
            break
    return None


def write_declared(*folders):
    dice = random.Random(SEED)
    seen, counts = set(), collections.Counter()
    for repository in folders[:-1]:
        for name, data in blobs(repository):
            codec = declared_in(data)
            if codec is None or data.isascii() or b"\0" in data or data in seen:
                continue
            seen.add(data)
            try:
                text = data.decode(codec)
            except UnicodeDecodeError:
                text = None
            if text is None or re.search("[\x80-\x9f]", text) or is_utf_8(data):
                print(f"declares {codec} falsely: {Path(repository).parent.name}/{name}")
                continue
            for label, size in SIZES.items():
                part = data if size is None else part_of(dice, data, size, codec)
                if part is not None:
                    target = Path(folders[-1], label, Path(repository).parent.name, name_of(codec), f"{counts['whole']:05}-{Path(name).name}")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(part)
                    counts[label] += 1
    print(dict(counts))


def is_utf_8(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def main():
    if sys.argv[1:2] == ["--fetch"]:
        folder = Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=folder, check=True)
        for package in sorted(folder.glob("*.deb")):
            subprocess.run(["dpkg", "-x", package.name, "unpacked"], cwd=folder, check=True)
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", choices=("western", "debian", "samples", "symbols", "foreign", "declared"))
    parser.add_argument("folders", nargs="+", metavar="DIR", help="the unpacked packages, catalogs or repositories, except for western, and where to write")
    args = parser.parse_args()
    {"western": write_western, "debian": write_debian, "samples": write_samples, "symbols": write_symbols, "foreign": write_foreign, "declared": write_declared}[args.corpus](*args.folders)
    return 0


if __name__ == "__main__":
    sys.exit(main())
