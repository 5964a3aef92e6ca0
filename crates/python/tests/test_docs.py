"""Runs the examples of the docstrings, and of docs/python.md if the file exists."""

import doctest
import importlib.util
import os
import unittest

import utfconv

MODULES = ("", "._arrow", "._codecs", "._errors", "._files", "._utfconv")
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/python.md")


def load_tests(_loader, tests, _pattern):
    for name in MODULES:
        if name == "._arrow" and importlib.util.find_spec("pyarrow") is None:
            continue
        tests.addTests(doctest.DocTestSuite(importlib.import_module("utfconv" + name)))
    if os.path.exists(PAGE):
        tests.addTests(doctest.DocFileSuite(PAGE, module_relative=False, encoding="utf-8"))
    return tests


class Docs(unittest.TestCase):
    def test_everything_has_a_docstring(self):
        for name in utfconv.__all__:
            self.assertTrue(getattr(utfconv, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
