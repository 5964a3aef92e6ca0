"""Tests decode_array and encode_array; skipped if pyarrow is not installed."""

import random
import struct
import unittest

import utfconv
from utfconv._utfconv import convert_values

try:
    import pyarrow as pa
except ImportError:
    raise unittest.SkipTest("pyarrow is not installed")

VALUES = ["", "a", None, "日本", "short", "a value that is longer than a view holds: 漢字", None, "é"]


class Arrays(unittest.TestCase):
    def test_types(self):
        for name, codec in (("EUC-JP", "euc_jp"), ("UTF-8", "utf-8"), ("UTF-16LE", "utf-16-le"), ("GB18030", "gb18030")):
            data = [None if value is None else value.encode(codec) for value in VALUES]
            for binary, string in (
                (pa.binary(), pa.string()),
                (pa.large_binary(), pa.large_string()),
                (pa.binary_view(), pa.large_string()),
            ):
                array = pa.array(data, binary)
                decoded = utfconv.decode_array(array, name)
                decoded.validate(full=True)
                self.assertEqual((decoded.type, decoded.to_pylist()), (string, VALUES))
                self.assertEqual(decoded.null_count, 2)
            for string, binary in (
                (pa.string(), pa.binary()),
                (pa.large_string(), pa.large_binary()),
                (pa.string_view(), pa.large_binary()),
            ):
                encoded = utfconv.encode_array(pa.array(VALUES, string), name)
                encoded.validate(full=True)
                self.assertEqual((encoded.type, encoded.to_pylist()), (binary, data))

    def test_slices_and_chunks(self):
        data = [value.encode("gbk") if value is not None else None for value in VALUES[:7]]
        rng = random.Random(1)
        for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
            array = pa.array(data * 20, kind)
            for _ in range(50):
                start, count = rng.randrange(140), rng.randrange(140)
                part = array[start : start + count]
                decoded = utfconv.decode_array(part, "GBK")
                decoded.validate(full=True)
                self.assertEqual(decoded.to_pylist(), (VALUES[:7] * 20)[start : start + count])
            chunked = pa.chunked_array([array[5:17], array[0:0], array[40:]])
            decoded = utfconv.decode_array(chunked, "GBK")
            self.assertEqual(decoded.to_pylist(), (VALUES[:7] * 20)[5:17] + (VALUES[:7] * 20)[40:])
            self.assertEqual(utfconv.decode_array(pa.chunked_array([], kind), "GBK").to_pylist(), [])
        fixed = pa.array([b"\xc8\xd5", b"\xb1\xbe"], pa.binary(2))
        self.assertEqual(utfconv.decode_array(fixed, "GBK").to_pylist(), ["日", "本"])

    def test_errors(self):
        array = pa.array([None, b"good", b"b\xffd"])
        with self.assertRaises(utfconv.DecodeError) as caught:
            utfconv.decode_array(array[1:], "UTF-8")
        error = caught.exception
        self.assertEqual((error.row, error.object, error.start), (1, b"b\xffd", 1))
        self.assertTrue(str(error).startswith("row 1: line 1, column 2: invalid UTF-8 (never-used byte) at byte 1: FF"))
        self.assertEqual(utfconv.decode_array(array, "UTF-8", ill_formed="replace").to_pylist(), [None, "good", "b\ufffdd"])
        with self.assertRaises(utfconv.EncodeError):
            utfconv.encode_array(pa.array(["€"]), "latin1")
        self.assertEqual(utfconv.encode_array(pa.array(["a", "b"]), "UTF-16").to_pylist(), ["a".encode("utf-16"), "b".encode("utf-16")])
        self.assertEqual(utfconv.decode_array(pa.array([b"\xef\xbb\xbfa"]), "UTF-8").to_pylist(), ["a"])
        # A value that is cut is not completed by the next value.
        cut = pa.array([b"\xe6\x97", b"\xa5"])
        with self.assertRaises(utfconv.DecodeError):
            utfconv.decode_array(cut, "UTF-8")

    def test_wrong_arrays(self):
        for wrong in ([b"a"], b"a", pa.array([1]), pa.array(["text"]), pa.array([b"a"]).dictionary_encode()):
            with self.assertRaises(TypeError):
                utfconv.decode_array(wrong, "UTF-8")
        # pyarrow checks only the first and the last offset.
        for offsets in ([0, 5, 3], [0, 2, 1], [-1, 1, 2], [0, 1], [0, 1, 1 << 30]):
            buffer = struct.pack(f"<{len(offsets)}i", *offsets)
            with self.assertRaisesRegex(ValueError, "offsets of the array are wrong"):
                convert_values([None, buffer, b"abc"], 4, 0, 2, "UTF-8", False)
        for view in (struct.pack("<i4sii", 20, b"abcd", 5, 0), struct.pack("<i4sii", 20, b"abcd", 0, -1), struct.pack("<i", -1)):
            with self.assertRaisesRegex(ValueError, "offsets of the array are wrong"):
                convert_values([None, view, bytes(19)], 16, 0, 1, "UTF-8", False)
        with self.assertRaisesRegex(ValueError, "offsets of the array are wrong"):
            convert_values([b"", struct.pack("<ii", 0, 1), b"abc"], 4, 0, 1, "UTF-8", False)
        for width, start, count in ((3, 0, 1), (4, 2**64 - 1, 5), (4, 2**61, 1)):
            with self.assertRaises(ValueError):
                convert_values([None, b"", b""], width, start, count, "UTF-8", False)


if __name__ == "__main__":
    unittest.main()
