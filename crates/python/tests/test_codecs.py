"""The codecs that `register` adds."""

import codecs
import io
import os
import tempfile
import unittest

import utfconv

utfconv.register()

TEXT = "日本語 and ascii\nça va? 😀\n"


def mappable(name):
    """TEXT without the characters that the encoding lacks."""
    return utfconv.decode(utfconv.encode(TEXT, name, unmappable="omit"), name)


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
            # Positions can be asked for, and sought.
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
