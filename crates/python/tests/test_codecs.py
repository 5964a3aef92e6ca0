"""Tests the codecs that `register` adds."""

import codecs
import io
import logging
import os
import pathlib
import tempfile
import unittest
import warnings

import utfconv
from utfconv._codecs import codec_of_python

utfconv.register()

TEXT = "日本語 and ascii\nça va? 😀\n"


def mappable(name):
    """Returns TEXT without the characters that the encoding lacks."""
    return mappable_part(TEXT, name)


def mappable_part(text, name):
    return utfconv.decode(utfconv.encode(text, name, unmappable="omit"), name)


class Codecs(unittest.TestCase):
    def test_names(self):
        for name in ("utfconv-ibm930", "UTFCONV_IBM930", "utfconv-cp930", "utfconv-UTF-8-SIG"):
            self.assertTrue(codecs.lookup(name).name.startswith("utfconv-"), name)
        for name in ("utfconv-", "utfconv-ibm93x", "utfconv", "utf8x"):
            with self.assertRaises(LookupError):
                codecs.lookup(name)

    def test_all_encodings(self):
        for name in utfconv.encodings():
            with self.subTest(name=name):
                text = mappable(name)
                data = text.encode("utfconv-" + name)
                self.assertEqual(data.decode("utfconv-" + name), text)
                for size in (1, 3):
                    decoder = codecs.getincrementaldecoder("utfconv-" + name)()
                    parts = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
                    self.assertEqual("".join(parts) + decoder.decode(b"", True), text)
                    encoder = codecs.getincrementalencoder("utfconv-" + name)()
                    pieces = [encoder.encode(text[at : at + size]) for at in range(0, len(text), size)]
                    pieces.append(encoder.encode("", True))
                    self.assertEqual(b"".join(pieces).decode("utfconv-" + name), text)

    def test_handlers(self):
        for data, name, errors in (
            (b"a\xffb\xe2\x82", "utf-8", "ignore"),
            (b"a\xffb\xe2\x82", "utf-8", "replace"),
            (b"a\xffb\xe2\x82", "utf-8", "backslashreplace"),
            (b"a\xffb\xe2\x82", "utf-8", "surrogateescape"),
            (b"\x81\x8da", "cp1252", "surrogateescape"),
            (b"a\x81", "shift_jis", "replace"),
        ):
            self.assertEqual(data.decode("utfconv-" + name, errors), data.decode(name, errors), (data, errors))
        for text, name, errors in (
            ("a€b", "ascii", "ignore"),
            ("a€b", "ascii", "replace"),
            ("a€é😀b", "ascii", "backslashreplace"),
            ("a€b", "ascii", "xmlcharrefreplace"),
            ("a€b", "ascii", "namereplace"),
            ("a\udcffb", "ascii", "surrogateescape"),
            ("日é本", "iso2022_jp", "xmlcharrefreplace"),
            ("a\ud800b", "utf-8", "surrogatepass"),
            ("a\ud800b", "utf-8", "replace"),
            ("a\ud800b", "utf-16-le", "surrogatepass"),
        ):
            self.assertEqual(text.encode("utfconv-" + name, errors), text.encode(name, errors), (text, errors))

    def test_own_handlers(self):
        def skips(error):
            return ("<>", error.end + 1)

        codecs.register_error("test.skips", skips)
        self.assertEqual(b"a\xffbc\xffde".decode("utfconv-utf-8", "test.skips"), "a<>c<>e")
        self.assertEqual("a€bc€de".encode("utfconv-ascii", "test.skips"), b"a<>c<>e")
        codecs.register_error("test.bytes", lambda error: (b"\xee", error.end))
        self.assertEqual("a€b".encode("utfconv-ascii", "test.bytes"), b"a\xeeb")
        codecs.register_error("test.back", lambda error: ("x", -1))
        self.assertEqual("a€bz".encode("utfconv-ascii", "test.back"), b"axz")
        for answer in (5, ("x",), ("x", 1000), ("x", -1000), (5, 1), ("€", 2)):
            codecs.register_error("test.wrong", lambda error: answer)
            with self.assertRaises((TypeError, IndexError, UnicodeError)):
                "a€b".encode("utfconv-ascii", "test.wrong")
        for answer in (5, ("x", 1000), (b"x", 1)):
            codecs.register_error("test.wrong", lambda error: answer)
            with self.assertRaises((TypeError, IndexError)):
                b"a\xffb".decode("utfconv-utf-8", "test.wrong")
        with self.assertRaises(LookupError):
            b"\xff".decode("utfconv-utf-8", "test.unknown")

    def test_files_of_python(self):
        for name in ("EUC-JP", "UTF-16", "ISO-2022-JP", "GB18030", "UTF-8"):
            encoding = "utfconv-" + name
            lines = [f"{number} {mappable(name)}" for number in range(5000)]
            path = os.path.join(tempfile.mkdtemp(), "text")
            with open(path, "w", encoding=encoding, newline="") as file:
                file.writelines(lines)
            with open(path, encoding=encoding, newline="") as file:
                self.assertEqual(file.read(), "".join(lines))
            if name == "ISO-2022-JP":
                continue
            # Positions can be queried and restored.
            with open(path, encoding=encoding, newline="") as file:
                for _ in range(700):
                    file.readline()
                place = file.tell()
                rest = file.read()
                file.seek(place)
                self.assertEqual(file.read(), rest)
            with open(path, "a", encoding=encoding) as file:
                file.write("end")
            with open(path, encoding=encoding, newline="") as file:
                self.assertTrue(file.read().endswith("end"))

    def test_no_bom_in_the_middle(self):
        """Text files that are appended to, or written after a seek, equal those that Python's own codecs write."""

        def appended(path, encoding):
            for text in ("ab", "cd", "z"):
                with open(path, "a", encoding=encoding) as file:
                    file.write(text)

        def sought(path, encoding):
            with open(path, "w", encoding=encoding) as file:
                file.write("abc")
                place = file.tell()
                file.write("def")
                file.seek(place)
                file.write("D")
                file.seek(0, 2)
                file.write("g")
                file.seek(0)
                file.write("A")

        def updated(path, encoding):
            appended(path, encoding)
            with open(path, "r+", encoding=encoding) as file:
                file.read()
                file.seek(0, 2)
                file.write("x")

        def logged(path, encoding):
            for text in ("one", "two"):
                handler = logging.FileHandler(path, encoding=encoding)
                handler.emit(logging.LogRecord("test", logging.INFO, "", 0, text, (), None))
                handler.close()

        def after_an_error(path, encoding):
            with open(path, "w", encoding=encoding) as file:
                file.write("ab")
                file.flush()
                with self.assertRaises(UnicodeEncodeError):
                    file.write("\ud800")
                file.write("cd")

        for name in ("utf-16", "utf-32", "utf-8-sig", "utf-16-le", "utf-8", "latin-1", "euc_jp"):
            for change in (appended, sought, updated, logged, after_an_error):
                with self.subTest(name=name, change=change.__name__), tempfile.TemporaryDirectory() as directory:
                    paths = [os.path.join(directory, part) for part in ("own", "python")]
                    change(paths[0], "utfconv-" + name)
                    change(paths[1], name)
                    own, python = (pathlib.Path(path).read_bytes() for path in paths)
                    self.assertEqual(own, python)

    def test_states_of_encoders(self):
        for name in ("utf-16", "utf-32", "utf-8-sig"):
            encoder = codecs.getincrementalencoder("utfconv-" + name)()
            peer = codecs.getincrementalencoder(name)()
            start = encoder.getstate()
            self.assertNotEqual(start, 0)
            self.assertEqual(encoder.encode("a"), peer.encode("a"))
            self.assertEqual(encoder.getstate(), 0)
            encoder.setstate(start)
            self.assertEqual(encoder.encode("a"), "a".encode(name))
            encoder.setstate(0)
            self.assertEqual(encoder.getstate(), 0)
            self.assertEqual(encoder.encode("a"), peer.encode("a"))
            encoder.reset()
            self.assertEqual(encoder.encode("a"), "a".encode(name))
        encoder = codecs.getincrementalencoder("utfconv-iso-2022-jp")()
        encoder.encode("日")
        with self.assertRaises(io.UnsupportedOperation):
            encoder.setstate(encoder.getstate())
        encoder.encode("a")
        encoder.setstate(encoder.getstate())
        self.assertEqual(encoder.encode("b"), b"b")

    def test_an_error_takes_nothing(self):
        for name, data, wrong, rest in (
            ("utf-8", b"a\xe2\x82", b"\xff", b"\xacb"),
            ("utf-16", b"\xfe\xff\0a\xd8", b"\x3d\0b", b"\x3d\xde\0\0c"),
        ):
            decoder, peer = (codecs.getincrementaldecoder(prefix + name)() for prefix in ("utfconv-", ""))
            for each in (decoder, peer):
                each.decode(data)
                with self.assertRaises(UnicodeDecodeError):
                    each.decode(wrong)
            self.assertEqual(decoder.decode(rest, True), peer.decode(rest, True), name)

    def test_a_warning_raised_as_an_error_takes_nothing(self):
        swapped = "日本 ascii text that is long enough".encode("utf-16-be")
        for name, data in (("utf-16-le", b"\xfe\xff\0a\0b"), ("utf-16", swapped), ("utf-16", b"\0a\0b")):
            for size in (1, 2, 7, 100):
                decoder = codecs.getincrementaldecoder("utfconv-" + name)()
                converter = utfconv.Converter(name, "UTF-8")
                parts, raised = [], 0
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    for at in range(0, len(data), size):
                        piece, last = data[at : at + size], at + size >= len(data)
                        for each in (decoder.decode, converter.convert):
                            try:
                                parts.append(each(piece, last))
                            except UnicodeWarning:
                                raised += 1
                                with warnings.catch_warnings():
                                    warnings.simplefilter("ignore")
                                    parts.append(each(piece, last))
                whole = data.decode("utf-16-le")
                self.assertEqual("".join(part for part in parts if isinstance(part, str)), whole, (name, size))
                converted = b"".join(part for part in parts if isinstance(part, bytes))
                self.assertEqual(converted.decode(), whole, (name, size))
                self.assertEqual(raised, 2, (name, size))

    def test_names_without_prefix(self):
        # Names that Python knows keep their codecs.
        for name in ("utf-8", "shift_jis", "cp1252", "gbk", "tis-620", "koi8-r"):
            self.assertFalse(codecs.lookup(name).name.startswith("utfconv-"), name)
        for name in utfconv.encodings():
            own = codecs.lookup("utfconv-" + name)
            found = codecs.lookup(name)
            if found.name.startswith("utfconv-"):
                self.assertEqual(found.name, own.name)
        for name in ("windows-31j", "windows-874", "CP10007", "ibm930"):
            self.assertEqual("日本ก".encode(name, "ignore").decode(name), mappable_part("日本ก", name), name)
        for name in ("", "utfconv", "no-such-encoding", "utf-8//translit//x", "/etc/passwd"):
            with self.assertRaises(LookupError):
                codecs.lookup(name)

    def test_codecs_of_detections(self):
        """The Python codecs that detections name decode the same text as the library."""
        for name in utfconv.encodings():
            codec = codec_of_python(name, False)
            if codec is None:
                continue
            with self.subTest(name=name):
                self.assertFalse(codecs.lookup(codec).name.startswith("utfconv-"))
                text = mappable(name).replace("\\", "").replace("~", "")
                self.assertEqual(utfconv.encode(text, name, output_bom="never").decode(codec), text)

    def test_shift_states_are_refused(self):
        decoder = codecs.getincrementaldecoder("utfconv-iso-2022-jp")()
        decoder.decode("日本".encode("iso2022_jp")[:5])
        state = decoder.getstate()
        with self.assertRaises(io.UnsupportedOperation):
            decoder.setstate(state)

    def test_streams(self):
        raw = io.BytesIO()
        writer = codecs.getwriter("utfconv-iso-2022-jp")(raw)
        writer.write("日")
        writer.write("本")
        writer.reset()
        self.assertEqual(raw.getvalue(), "日本".encode("iso2022_jp"))
        reader = codecs.getreader("utfconv-iso-2022-jp")(io.BytesIO(raw.getvalue()))
        self.assertEqual((reader.read(1), reader.read()), ("日", "本"))


if __name__ == "__main__":
    unittest.main()
