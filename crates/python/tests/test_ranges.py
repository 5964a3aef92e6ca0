"""Tests that the lines of all ranges of a file are the lines of the file."""

import os
import random
import tempfile
import unittest

import utfconv
from utfconv import _ranges


class Ranges(unittest.TestCase):
    def lines(self, path, encoding, size, **options):
        found, state, spans = _ranges.ranges(path, encoding, size)
        pieces = [piece for span in spans for piece in _ranges.lines(path, found, state, *span, options)]
        return b"".join(pieces), len(spans)

    def test_any_ranges(self):
        rng = random.Random(1)
        path = os.path.join(tempfile.mkdtemp(), "text")
        for name in ("UTF-8", "UTF-16", "UTF-16BE", "UTF-32LE", "GBK", "Shift_JIS", "EUC-JP", "GB18030", "ISO-2022-JP", "IBM1390", "latin1"):
            for _ in range(3):
                words = ["日本", "\n", "\n", "abc", "ー丂"[0], "線", "x" * rng.randrange(300), "\r\n"]
                text = "".join(rng.choice(words) for _ in range(rng.randrange(200)))
                data = utfconv.encode(text, name, unmappable="omit")
                expected = utfconv.decode(data, name).encode()
                with open(path, "wb") as file:
                    file.write(data)
                for size in (1 + rng.randrange(40), 1 + rng.randrange(1000)):
                    found, count = self.lines(path, name, size)
                    self.assertEqual(found, expected, (name, size))
                    if name not in ("ISO-2022-JP",) and len(data) > 40:
                        self.assertGreater(count, len(data) // size // 5)

    def test_auto_and_bom(self):
        path = os.path.join(tempfile.mkdtemp(), "text")
        text = "Zwölf Boxkämpfer jagen Viktor quer über den großen Deich\n" * 200
        for name in ("utf-8-sig", "utf-16", "latin1"):
            with open(path, "wb") as file:
                file.write(text.encode(name))
            self.assertEqual(self.lines(path, "auto", 1000)[0], text.encode(), name)

    def test_a_file_that_changes(self):
        path = os.path.join(tempfile.mkdtemp(), "text")
        with open(path, "wb") as file:
            file.write(b"a\n" * 100)
        _, state, spans = _ranges.ranges(path, "UTF-8", 50)
        with open(path, "ab") as file:
            file.write(b"b\n")
        with self.assertRaisesRegex(OSError, "has changed"):
            list(_ranges.lines(path, "UTF-8", state, *spans[0], {}))

    def test_an_error_has_its_position(self):
        path = os.path.join(tempfile.mkdtemp(), "text")
        with open(path, "wb") as file:
            file.write(b"a\n" * 100 + b"\xff\n" + b"a\n" * 100)
        with self.assertRaises(utfconv.DecodeError):
            self.lines(path, "UTF-8", 50)
        self.assertEqual(self.lines(path, "UTF-8", 50, ill_formed="replace")[0].count("\ufffd".encode()), 1)


if __name__ == "__main__":
    unittest.main()
