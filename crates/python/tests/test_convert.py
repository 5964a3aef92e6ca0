"""Tests convert, decode, encode, detect, check and repair."""

import array
import codecs
import copy
import mmap
import multiprocessing
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import utfconv
from utfconv import DecodeError, EncodeError, UnknownEncodingError


class Conversions(unittest.TestCase):
    def test_every_encoding_there_and_back(self):
        for name in utfconv.encodings():
            for text in ("", "0", "A1"):
                with self.subTest(name=name):
                    try:
                        data = utfconv.encode(text, name)
                    except EncodeError:
                        continue
                    self.assertEqual(utfconv.decode(data, name), text)

    def test_codecs_of_python_agree(self):
        text = "".join(chr(c) for c in range(0x20, 0x3000) if not 0xD800 <= c < 0xE000) + "日本語😀" * 2000
        for name in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-16", "utf-32", "gb18030"):
            if name == "gb18030":
                text = text.replace("\u1e3f", "")
            data = text.encode(name)
            self.assertEqual(utfconv.decode(data, name), text, name)
            self.assertEqual(utfconv.encode(text, name), data, name)
        for name in ("koi8-r", "cp1251", "iso8859-2", "cp437", "latin-1", "ascii", "cp037"):
            data = bytes(range(128)) * 40 if name == "ascii" else bytes(range(256)) * 40
            if name == "cp1251":
                data = data.replace(b"\x98", b"")
            text = data.decode(name)
            self.assertEqual(utfconv.decode(data, name), text, name)
            self.assertEqual(utfconv.encode(text, name), data, name)

    def test_buffers(self):
        data = "日本".encode("euc-jp") * 3000
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            for buffer in (data, bytearray(data), memoryview(data), memoryview(data)[:], array.array("B", data), mapped):
                self.assertEqual(utfconv.decode(buffer, "euc-jp"), "日本" * 3000)
            mapped.close()
        self.assertEqual(utfconv.decode(memoryview(data)[2:4], "euc-jp"), "本")

    def test_no_buffer(self):
        for wrong in (None, 5, [1], object(), memoryview(b"abcd")[::2], "text"):
            with self.assertRaises((TypeError, BufferError)):
                utfconv.decode(wrong, "UTF-8")

    def test_wrong_types(self):
        for call, message in (
            (lambda: utfconv.convert("text", "UTF-8", "UTF-16"), "expected a bytes-like object, not str"),
            (lambda: utfconv.decode(5, "UTF-8"), "expected a bytes-like object, not int"),
            (lambda: utfconv.detect(None), "expected a bytes-like object, not NoneType"),
            (lambda: utfconv.check([1]), "expected a bytes-like object, not list"),
            (lambda: utfconv.repair(5), "expected str or a bytes-like object, not int"),
            (lambda: utfconv.encode(b"bytes", "UTF-8"), "expected str, not bytes"),
            (lambda: utfconv.decode(b"", "UTF-8", ill_formed=5), "ill_formed: expected str, not int"),
            (lambda: utfconv.decode(b"", "UTF-8", newline=b"lf"), "newline: expected str, not bytes"),
            (lambda: utfconv.decode(b"", "UTF-8", per_byte="no"), "per_byte: expected bool, not str"),
            (lambda: utfconv.detect(b"", candidates="UTF-8"), "expected a list of str, not str"),
            (lambda: utfconv.detect(b"", languages=5), "expected a list of str, not int"),
            (lambda: utfconv.repair("", candidates=5), "expected a list of str, not int"),
            (lambda: utfconv.open("text", 5), "mode: expected str, not int"),
            (lambda: utfconv.open("text", "w", 5), "encoding: expected str, not int"),
            (lambda: utfconv.reader("text", None), "encoding: expected str, not NoneType"),
        ):
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertEqual(str(caught.exception), message)

    def test_errors_have_a_position(self):
        with self.assertRaises(UnicodeDecodeError) as caught:
            utfconv.decode(b"a\nb\xe2\x82c", "UTF-8")
        error = caught.exception
        self.assertIsInstance(error, DecodeError)
        self.assertEqual((error.encoding, error.object, error.start, error.end), ("UTF-8", b"a\nb\xe2\x82c", 3, 5))
        self.assertEqual((error.line, error.column, error.offset), (2, 2, 3))
        self.assertEqual(error.reason, "E2 starts a sequence of 3 bytes, 2 found")
        self.assertTrue(str(error).startswith("line 2, column 2: invalid UTF-8 (truncated) at byte 3: E2 82: "))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.line), (str(error), 2))

        with self.assertRaises(UnicodeEncodeError) as caught:
            utfconv.encode("😀\n日€", "EUC-JP", unmappable="stop")
        error = caught.exception
        self.assertIsInstance(error, EncodeError)
        self.assertEqual((error.object[error.start : error.end], error.line, error.column), ("😀", 1, 1))
        with self.assertRaises(EncodeError) as caught:
            utfconv.encode("日😀\n日€", "Shift_JIS", unmappable="stop")
        self.assertEqual((caught.exception.start, caught.exception.end), (1, 2))
        with self.assertRaises(EncodeError) as caught:
            utfconv.encode("日\n本\u20ac", "Shift_JIS")
        self.assertEqual((caught.exception.start, caught.exception.line, caught.exception.column), (3, 2, 2))
        with self.assertRaises(EncodeError) as caught:
            utfconv.convert("€".encode(), "UTF-8", "latin1")
        self.assertEqual(caught.exception.object, "€")

    def test_surrogates(self):
        for name in ("UTF-8", "latin1", "UTF-16LE", "UTF-32BE", "GBK"):
            with self.assertRaises(EncodeError) as caught:
                utfconv.encode("a\ud800b", name)
            self.assertEqual((caught.exception.start, caught.exception.end), (1, 2), name)
        # Two surrogates side by side are not a character.
        for name in ("UTF-8", "UTF-16BE", "UTF-16", "GB18030"):
            with self.assertRaises(EncodeError) as caught:
                utfconv.encode("😀\ud83d\ude00", name)
            self.assertEqual((caught.exception.start, caught.exception.end), (1, 2), name)
        carried = utfconv.decode(b"a\xff\xe9", "UTF-8", ill_formed="surrogateescape")
        self.assertEqual(carried, "a\udcff\udce9")
        self.assertEqual(utfconv.encode(carried, "UTF-8", ill_formed="surrogateescape"), b"a\xff\xe9")

    def test_policies(self):
        self.assertEqual(utfconv.decode(b"a\xe2\x82b\xff", "UTF-8", ill_formed="replace"), "a\ufffdb\ufffd")
        self.assertEqual(utfconv.decode(b"a\xe2\x82", "UTF-8", ill_formed="replace", per_byte=True), "a\ufffd\ufffd")
        self.assertEqual(utfconv.decode(b"a\xff", "UTF-8", ill_formed="escape=percent"), "a%FF")
        self.assertEqual(utfconv.decode(b"caf\xe9", "UTF-8", ill_formed="fallback=windows-1252"), "café")
        self.assertEqual(utfconv.encode("5 €", "ascii", unmappable="translit"), b"5 EUR")
        self.assertEqual(utfconv.encode("5 €", "ascii//TRANSLIT"), b"5 EUR")
        self.assertEqual(utfconv.encode("5 €", "ascii//IGNORE"), b"5 ")
        self.assertEqual(utfconv.decode("e\u0301".encode(), "UTF-8", normalize="nfc"), "é")
        self.assertEqual(utfconv.decode(b"\x15", "IBM1047", ebcdic_newline="lf"), "\n")
        self.assertEqual(utfconv.decode(b"a\r\nb\rc\n", "ascii", newline="lf"), "a\nb\nc\n")
        self.assertEqual(utfconv.encode("a\nb\r\n", "UTF-16LE", newline="crlf"), "a\r\nb\r\n".encode("utf-16-le"))
        self.assertEqual(utfconv.convert(b"\xef\xbb\xbfa\n", "UTF-8", "UTF-8", newline="cr"), b"\xef\xbb\xbfa\r")

    def test_boms(self):
        self.assertEqual(utfconv.decode(b"\xef\xbb\xbfa", "UTF-8"), "a")
        self.assertEqual(utfconv.decode(b"\xef\xbb\xbfa", "UTF-8", input_bom="keep"), "\ufeffa")
        self.assertEqual(utfconv.encode("a", "UTF-8-SIG"), b"\xef\xbb\xbfa")
        self.assertEqual(utfconv.encode("a", "UTF-8", output_bom="always"), b"\xef\xbb\xbfa")
        self.assertEqual(utfconv.encode("\ufeffa", "UTF-16BE"), b"\xfe\xff\0a")
        self.assertEqual(utfconv.decode(b"\xfe\xff\0a", "latin1", input_bom="sniff"), "a")
        with self.assertRaises(DecodeError):
            utfconv.decode(b"\xef\xbb\xbfa", "UTF-8", input_bom="forbid")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            utfconv.decode(b"\xfe\xff\0a", "UTF-16LE")
        self.assertIn("the BOM of UTF-16BE", str(caught[0].message))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for order in ("le", "be"):
                utfconv.decode("text".encode(f"utf-16-{order}"), "UTF-16")
        self.assertEqual(len(caught), 1)
        self.assertIn("looks like UTF-16", str(caught[0].message))

    def test_lengths_around_those_of_other_paths(self):
        for length in (99, 100, 101):
            text = ("aé\u3042" * length)[:length]
            self.assertEqual(utfconv.encode(text, "GB18030"), text.encode("gb18030"))
            self.assertEqual(utfconv.encode("\ufeff" + text[1:], "GB18030"), ("\ufeff" + text[1:]).encode("gb18030"))
            data = text.encode("gb18030")[:length]
            self.assertEqual(utfconv.decode(data[:-1] + b"a", "GB18030", ill_formed="replace"),
                             utfconv.decode(bytearray(data[:-1] + b"a"), "GB18030", ill_formed="replace"))
            for bad in ("\ud800", "\U0001f600"):
                with self.assertRaises(EncodeError):
                    utfconv.encode(text[:-1] + bad, "EUC-JP")
            with self.assertRaises(DecodeError):
                utfconv.decode(b"a" * (length - 1) + b"\xff", "EUC-JP")

    def test_wrong_arguments(self):
        for call, error, message in (
            (lambda: utfconv.decode(b"", "UFT-8"), UnknownEncodingError, "did you mean UTF-8"),
            (lambda: utfconv.decode(b"", "compound-text"), LookupError, "COMPOUND_TEXT is not supported"),
            (lambda: utfconv.decode(b"", "/etc/passwd"), LookupError, "mapping files work only on the command line"),
            (lambda: utfconv.decode(b"", ""), LookupError, "no such encoding"),
            (lambda: utfconv.decode(b"", "UTF-8", ill_formed="strict"), ValueError, "did you mean stop"),
            (lambda: utfconv.decode(b"", "UTF-8", errors="strict"), TypeError, "unexpected keyword argument 'errors'"),
            (lambda: utfconv.decode(b"", "UTF-8", input_bom="no"), ValueError, "expected one of auto, keep"),
            (lambda: utfconv.encode("", "whatwg:utf-16le"), ValueError, "decode from only"),
        ):
            with self.assertRaisesRegex(error, message):
                call()

    def test_pieces(self):
        text = "日本😀é" * 50
        for name in ("UTF-8", "UTF-16", "GB18030", "UTF-7", "UTF-32BE"):
            data = utfconv.encode(text, name)
            for size in (1, 2, 3, 7):
                converter = utfconv.Converter(name, "UTF-8", output_bom="never")
                parts = [converter.convert(data[at : at + size]) for at in range(0, len(data), size)]
                self.assertEqual(b"".join(parts) + converter.convert(b"", True), text.encode(), name)
                with self.assertRaisesRegex(ValueError, "has ended"):
                    converter.convert(b"")
        converter = utfconv.Converter("UTF-8", "UTF-16LE")
        with self.assertRaises(DecodeError) as caught:
            converter.convert(b"ab\xff")
        self.assertEqual(caught.exception.converted, b"a\0b\0")


class Findings(unittest.TestCase):
    def test_detect(self):
        russian = "Съешь же ещё этих мягких французских булок, да выпей чаю".encode("cp1251")
        found = utfconv.detect(russian)
        self.assertEqual((found.encoding, found.language, found.is_reliable), ("windows-1251", "Russian", True))
        self.assertEqual(utfconv.detect(b"\xff\xfea\0").bom, 2)
        self.assertTrue(utfconv.detect(b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0").is_binary)
        self.assertEqual(utfconv.detect(b"caf\x82\n", candidates=["IBM850", "UTF-8"]).encoding, "IBM850")
        # Text of another encoding may contain UTF-8, however far from the start.
        german = "schöne Grüße für Jürgen Müller\n"
        self.assertTrue(utfconv.detect(german.encode("cp1252") * 100).is_reliable)
        mixed = utfconv.detect(german.encode("cp1252") * 10000 + "Grüße aus Köln\n".encode())
        self.assertEqual((mixed.encoding, mixed.certainty, mixed.is_reliable), ("windows-1252", "guess", False))
        self.assertTrue(mixed.reason.endswith("; but some of it is UTF-8"), mixed.reason)
        with self.assertRaises(UnknownEncodingError):
            utfconv.detect(b"", candidates=["IBM85x"])
        with self.assertRaisesRegex(ValueError, "not a known language"):
            utfconv.detect(b"", languages=["Klingon"])

    def test_names_of_detections(self):
        """Python decodes with the detected name once `register` was called, and with `codec` even without that."""
        text, answers = "Grüße, καλημέρα, привет, שלום, สวัสดี, 日本語\n", set()
        script = """if True:
            import ast, codecs, sys
            for codec in ast.literal_eval(sys.stdin.read()):
                codecs.lookup(codec)
        """
        utfconv.register()
        own = set()
        for name in utfconv.encodings():
            sample = utfconv.decode(utfconv.encode(text, name, unmappable="omit"), name)
            data = utfconv.encode(sample, name)
            found = utfconv.detect(data, candidates=[name])
            if found.encoding is None:
                continue
            answers.add(found.encoding)
            with self.subTest(name=name, found=found.encoding):
                data.decode(found.encoding)
                if codecs.lookup(found.encoding).name.startswith("utfconv-"):
                    self.assertEqual(data.decode(found.encoding), utfconv.decode(data, found.encoding))
                if found.codec is not None:
                    own.add(found.codec)
                    self.assertEqual(data.decode(found.codec), utfconv.decode(data, found.encoding))
        self.assertLess({"windows-31j", "windows-874", "CP10007", "UTF-8", "UTF-16", "UTF-32", "EUC-TW"}, answers)
        self.assertLess({"cp932", "cp874", "utf-8", "utf-16", "utf-32"}, own)
        # Check the codecs in an interpreter without the module.
        subprocess.run([sys.executable, "-I", "-c", script], input=repr(own), text=True, check=True)
        for encoding, codec in (("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"), ("utf-32", "utf-32")):
            found = utfconv.detect("é".encode(encoding))
            self.assertEqual((found.codec, "é".encode(encoding).decode(found.codec)), (codec, "é"))
        self.assertIsNone(utfconv.detect(b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0").codec)

    def test_results_compare_and_pickle(self):
        texts = [b"text", "Grüße".encode("utf-16"), "Grüße aus Köln, schöne Straße".encode("latin1"), b"a\xff"]
        for results in (
            [utfconv.detect(text) for text in texts],
            [next(utfconv.check(text)) for text in (b"\xff", b"a\xff", b"\n\xff", b"\xe2\x82")],
        ):
            self.assertEqual(len(set(results)), 4)
            for result in results:
                copies = [pickle.loads(pickle.dumps(result, level)) for level in range(pickle.HIGHEST_PROTOCOL + 1)]
                for same in (*copies, copy.copy(result), copy.deepcopy(result)):
                    self.assertEqual((same, hash(same), repr(same)), (result, hash(result), repr(result)))
                    fields = [name for name in dir(result) if not name.startswith("_")]
                    self.assertEqual([getattr(same, name) for name in fields], [getattr(result, name) for name in fields])
                self.assertNotEqual(result, 5)
                self.assertEqual(sum(result == other for other in results), 1)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.map(utfconv.detect, texts), [utfconv.detect(text) for text in texts])

    def test_check_loses_nothing_to_a_warning(self):
        faults = utfconv.check(b"\xfe\xff\0a\x00\xd8", "UTF-16LE")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(UnicodeWarning):
                next(faults)
        self.assertEqual([fault.offset for fault in faults], [4])

    def test_check(self):
        faults = list(utfconv.check(b"a\xff\nb\xc0\xaf\xe2"))
        self.assertEqual([(f.offset, f.line, f.column, f.bytes) for f in faults],
                         [(1, 1, 2, b"\xff"), (4, 2, 2, b"\xc0\xaf"), (6, 2, 4, b"\xe2")])
        self.assertEqual(faults[1].kind, "non-shortest form")
        self.assertEqual([f.kind for f in utfconv.check(b"\xef\xbb\xbf", input_bom="forbid")], ["BOM"])
        self.assertEqual(list(utfconv.check(bytearray(b"\x81"), "cp1252"))[0].offset, 0)

    def test_repair(self):
        self.assertEqual(utfconv.repair("Ã©tÃ© Ã\xa0 la cÃ´te, dÃ©jÃ\xa0 vu"), "été à la côte, déjà vu")
        unchanged = "déjà vu"
        self.assertIs(utfconv.repair(unchanged), unchanged)
        long = ("Ã©tÃ© Ã\xa0 la cÃ´te, dÃ©jÃ\xa0 vu\n" * 60000).encode()
        self.assertEqual(utfconv.repair(long), ("été à la côte, déjà vu\n" * 60000).encode())
        with self.assertRaises(UnicodeEncodeError):
            utfconv.repair("\ud800")


class Threads(unittest.TestCase):
    def test_the_gil_is_released(self):
        data, done = "日本".encode("GBK") * 4_000_000, threading.Event()
        thread = threading.Thread(target=lambda: (utfconv.convert(data, "GBK", "UTF-8"), done.set()))
        thread.start()
        turns = 0
        while not done.is_set():
            turns += 1
        thread.join()
        # If the conversions held the GIL, this thread would have two turns, at the start and at the end.
        self.assertGreater(turns, 1000)

    def test_a_buffer_that_changes_meanwhile(self):
        """A conversion sees the text from before or after a change, never a mixture."""
        data, stop = bytearray("日本".encode("GBK") * 500_000), threading.Event()
        texts = {"日本" * 500_000, "本日" * 500_000}

        def disturb():
            while not stop.is_set():
                for text in ("本日", "日本"):
                    # The slice is assigned in a single call that does not release the GIL.
                    data[:] = text.encode("GBK") * 500_000

        class Views(bytes):
            pass

        for view in (data, memoryview(data), memoryview(data).toreadonly()):
            stop.clear()
            thread = threading.Thread(target=disturb)
            thread.start()
            try:
                for _ in range(10):
                    self.assertIn(utfconv.decode(view, "GBK"), texts)
            finally:
                stop.set()
                thread.join()
        constant = Views("日本".encode("GBK"))
        self.assertEqual(utfconv.decode(memoryview(constant), "GBK"), "日本")
        self.assertEqual(utfconv.decode(constant, "GBK"), "日本")


if __name__ == "__main__":
    unittest.main()
