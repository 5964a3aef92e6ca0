"""Tests open and reader."""

import csv
import io
import os
import pickle
import stat
import tempfile
import unittest
import warnings

import utfconv


class Files(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp()
        self.path = os.path.join(self.directory, "text")

    def put(self, data):
        with open(self.path, "wb") as file:
            file.write(data)

    def get(self):
        with open(self.path, "rb") as file:
            return file.read()

    def test_reader(self):
        text = "".join(f"{number},日本,é\n" for number in range(50_000))
        self.put(text.encode("euc-jp"))
        expected = text.encode()
        with utfconv.reader(self.path, "EUC-JP") as file:
            self.assertEqual(file.read(), expected)
        with utfconv.reader(self.path, "EUC-JP") as file:
            self.assertEqual(b"".join(file), expected)
        with open(self.path, "rb") as raw:
            self.assertEqual(utfconv.reader(raw, "EUC-JP").read(), expected)
            self.assertFalse(raw.closed)
        rows = list(csv.reader(io.TextIOWrapper(utfconv.reader(self.path, "EUC-JP"), "utf-8")))
        self.assertEqual((len(rows), rows[7]), (50_000, ["7", "日本", "é"]))

    def test_pieces_of_any_size(self):
        class Slow(io.RawIOBase):
            def __init__(self, data):
                self.data = data

            def read(self, size=-1):
                piece, self.data = self.data[:1], self.data[1:]
                return piece

        self.assertEqual(utfconv.reader(Slow("日本😀".encode("utf-16")), "UTF-16").read(), "日本😀".encode())

    def test_auto(self):
        text = "Grüße aus Köln, schöne Straße und süße Äpfel\n" * 10
        for name in ("latin1", "utf-8", "utf-16", "utf-8-sig"):
            self.put(text.encode(name))
            with utfconv.open(self.path) as file:
                self.assertEqual((file.read(), file.encoding), (text, utfconv.detect(text.encode(name)).encoding), name)
        self.put(b"a\xe4\n")
        with self.assertRaises(utfconv.UncertainEncodingError) as caught:
            utfconv.open(self.path)
        error = caught.exception
        self.assertEqual(error.detection, utfconv.detect(b"a\xe4\n"))
        self.assertRegex(str(error), r"^the encoding is (unknown|only a guess \(.*\)): .*; name it$")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.detection), (str(error), error.detection))
        self.put(b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0")
        with self.assertRaisesRegex(utfconv.UncertainEncodingError, "not text"):
            utfconv.reader(self.path)

    def test_a_warning_raised_as_an_error_loses_nothing(self):
        self.put(b"\xfe\xff\0a\0b")
        with utfconv.reader(self.path, "UTF-16LE") as file:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                with self.assertRaisesRegex(UnicodeWarning, "the BOM of UTF-16BE"):
                    file.read()
                warnings.simplefilter("ignore")
                self.assertEqual(file.read(), b"\xfe\xff\0a\0b".decode("utf-16-le").encode())

    def test_encoding_of_files(self):
        with utfconv.open(self.path, "w", "euc-jp") as file:
            self.assertEqual(file.encoding, "EUC-JP")
            file.write("日本")
        with utfconv.open(self.path, encoding="eucjp") as file:
            self.assertEqual((file.encoding, file.read()), ("EUC-JP", "日本"))
        with utfconv.open(self.path, "w") as file:
            self.assertEqual(file.encoding, "UTF-8")

    def test_what_is_before_an_error_is_read(self):
        self.put(b"one\ntwo\xff\n")
        file = utfconv.reader(self.path, "UTF-8")
        self.assertEqual(file.readline(), b"one\n")
        with self.assertRaises(utfconv.DecodeError) as caught:
            file.read()
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 4))

    def test_text_mode_is_refused(self):
        self.put(b"text")
        with open(self.path) as file:
            for encoding in ("auto", "latin1"):
                with self.assertRaisesRegex(TypeError, "text mode"):
                    utfconv.reader(file, encoding).read()

    def test_write(self):
        with utfconv.open(self.path, "w", "ISO-2022-JP") as file:
            file.write("日本")
        self.assertEqual(self.get(), "日本".encode("iso2022_jp"))
        os.chmod(self.path, 0o640)
        with utfconv.open(self.path, "w", "UTF-16BE") as file:
            file.write("日本\n")
        self.assertEqual(self.get(), "日本\n".encode("utf-16-be"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o640)
        with self.assertRaises(FileExistsError):
            utfconv.open(self.path, "x")
        for path, encoding, error in ((self.path, "UFT-8", LookupError), ("/no/such/directory/x", "UTF-8", OSError)):
            with self.assertRaises(error):
                utfconv.open(path, "w", encoding)
        self.assertEqual(os.listdir(self.directory), ["text"])
        with self.assertRaisesRegex(ValueError, "expected 'r', 'w' or 'x'"):
            utfconv.open(self.path, "a")
        raw = io.BytesIO()
        file = utfconv.open(raw, "w", "latin1")
        file.write("é")
        file.close()
        self.assertEqual(raw.getvalue(), b"\xe9")

    def test_an_error_leaves_the_file(self):
        self.put(b"old")
        with self.assertRaises(RuntimeError):
            with utfconv.open(self.path, "w", "latin1") as file:
                file.write("new")
                raise RuntimeError
        self.assertEqual(self.get(), b"old")
        with self.assertRaises(utfconv.EncodeError):
            with utfconv.open(self.path, "w", "latin1") as file:
                file.write("new €")
        self.assertEqual(self.get(), b"old")
        # An error that was caught is raised again by close.
        file = utfconv.open(self.path, "w", "latin1")
        for call in (lambda: file.write("€" * 1_000_000), file.close):
            with self.assertRaises(utfconv.EncodeError):
                call()
        self.assertEqual(self.get(), b"old")
        file = utfconv.open(self.path, "w", "UTF-8")
        file.write("not closed")
        file.flush()
        self.assertEqual(self.get(), b"old")
        file.close()
        self.assertEqual(self.get(), b"not closed")
        self.assertEqual(os.listdir(self.directory), ["text"])

    def test_links_are_followed(self):
        self.put(b"old")
        link = os.path.join(self.directory, "link")
        os.symlink("text", link)
        with utfconv.open(link, "w", "latin1") as file:
            file.write("é")
        self.assertTrue(os.path.islink(link))
        self.assertEqual(self.get(), b"\xe9")
        with utfconv.open("/dev/null", "w", "latin1") as file:
            file.write("é")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))


if __name__ == "__main__":
    unittest.main()
