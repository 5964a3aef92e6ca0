"""Runs CPython's own codec tests over the codecs `utfconv-*`, and compares the differences with those in cpython.md.

    PYTHONPATH=$(crates/python/build) python3 crates/python/tests/cpython.py

The tests are those of the package `test` of the interpreter (on Debian, libpython3-testsuite). The status is 1 if a test
fails that is not in cpython.md, or if a test passes that is.
"""

import codecs
import importlib
import pathlib
import re
import sys
import unittest
from unittest import mock

import utfconv

MODULES = ["test_codecs"] + ["test_codecencodings_" + part for part in ("cn", "hk", "iso2022", "jp", "kr", "tw")]
LIST = pathlib.Path(__file__).with_name("cpython.md")


def patched(module):
    """Returns the tests of a module whose classes name an encoding that both have. Other tests of the module are left
    out."""
    suite = unittest.TestSuite()
    for name, found in sorted(vars(module).items()):
        encoding = getattr(found, "encoding", None)
        if not (isinstance(found, type) and issubclass(found, unittest.TestCase) and isinstance(encoding, str)):
            continue
        if encoding and encoding in ("unicode_escape", "raw_unicode_escape"):
            continue
        try:
            utfconv._utfconv.canonical(encoding)
        except utfconv.UnknownEncodingError:
            continue
        found.encoding = "utfconv-" + encoding
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(found))
    return suite


def own(encoding):
    """Returns the name of the codec `utfconv-*` for a name of a Python codec."""
    try:
        utfconv._utfconv.canonical(encoding)
    except (TypeError, utfconv.UnknownEncodingError):
        return encoding
    return "utfconv-" + encoding


def with_own(function):
    """Wraps a function that opens files, so that it uses the codecs `utfconv-*`."""
    return lambda *given, **named: function(*given, **{**named, "encoding": own(named.get("encoding"))})


def text_files():
    """Returns the tests of Python's text files, which append, seek and write through incremental codecs."""
    module = importlib.import_module("test.test_io")
    module.load_tests(unittest.defaultTestLoader, unittest.TestSuite(), None)
    suite = unittest.TestSuite()
    for tests in (module.CTextIOWrapperTest, module.PyTextIOWrapperTest):

        class TextIOWrapper(tests.TextIOWrapper):
            def __init__(self, buffer, encoding=None, *rest, **named):
                super().__init__(buffer, own(encoding), *rest, **named)

        tests.open = staticmethod(with_own(tests.open))
        tests.TextIOWrapper = TextIOWrapper
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(tests))
    return suite


def stream_files():
    """Returns the tests of `codecs.open` that seek back to a position before the BOM."""
    tests = importlib.import_module("test.test_codecs").BomTest
    opened = mock.patch.object(codecs, "open", with_own(codecs.open))
    tests.setUp = lambda self: (opened.start(), self.addCleanup(opened.stop))
    return unittest.defaultTestLoader.loadTestsFromTestCase(tests)


def main():
    utfconv.register()
    suite = unittest.TestSuite(patched(importlib.import_module("test." + name)) for name in MODULES)
    suite.addTests((text_files(), stream_files()))
    result = unittest.TestResult()
    suite.run(result)
    failed = {}
    for test, trace in result.failures + result.errors:
        # A subtest is counted as its test.
        name = re.sub(r" .*", "", getattr(test, "test_case", test).id()).removeprefix("test.")
        failed.setdefault(name, trace.strip().splitlines()[-1])
    listed = set(re.findall(r"^\| `(test_[^`]+)` \|", LIST.read_text(), re.M)) if LIST.exists() else set()
    # A row may end with `*`, which matches any rest of a name.
    known = {name for name in failed if name in listed or any(row.endswith("*") and name.startswith(row[:-1]) for row in listed)}
    used = {row for row in listed if any(name == row or row.endswith("*") and name.startswith(row[:-1]) for name in failed)}
    for name in sorted(failed.keys() - known):
        print(f"{name}: {failed[name][:300]}")
    for row in sorted(listed - used):
        print(f"{row}: is listed, and passes")
    print(f"{result.testsRun} tests, {len(failed)} differ, {len(failed.keys() - known)} of them not listed")
    return 1 if failed.keys() - known or listed - used else 0


if __name__ == "__main__":
    sys.exit(main())
