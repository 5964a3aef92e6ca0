"""Prints what CPython reads in files, for the tests of declarations.

    declarations_peer.py cookies FILE...    the declared encoding that the tokenizer finds in each file, or "none"
    declarations_peer.py names NAME...      whether each is the name of a Python encoding that source code can have
    declarations_peer.py value FILE...      the value of `text` after each file was run
    declarations_peer.py catalog FILE...    the translations of each .mo file, without the header
"""

import codecs
import gettext
import re
import sys
import tokenize


def cookie(name):
    with open(name, "rb") as file:
        lines = [file.readline(), file.readline()]
    # The tokenizer reports utf-8 if there is no declaration, so search for the declaration to tell both cases apart.
    try:
        encoding, read = tokenize.detect_encoding(iter(lines + [b""]).__next__)
    except SyntaxError as error:
        return "unknown" if "unknown encoding" in str(error) else "error"
    has = any(re.match(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line) for line in read)
    return encoding if has else "none"


def is_for_source(name):
    try:
        return bytes(range(32, 127)).decode(codecs.lookup(name).name) == "".join(map(chr, range(32, 127)))
    except (LookupError, UnicodeError):
        return False


def value(name):
    with open(name, "rb") as file:
        scope = {}
        exec(compile(file.read(), name, "exec"), scope)
    return ascii(scope["text"])


def catalog(name):
    with open(name, "rb") as file:
        known = gettext.GNUTranslations(file)._catalog
    return ascii(sorted((key, text) for key, text in known.items() if key))


for name in sys.argv[2:]:
    answer = {"cookies": cookie, "names": is_for_source, "value": value, "catalog": catalog}[sys.argv[1]](name)
    print(name, answer)
