#!/usr/bin/env python3
"""Measures iconv(3) of libutfconv_iconv and of the C library in turns, in calls with buffers of a fixed size.

    c_library.py LIBRARY [--buffer BYTES] [--rounds N]

Prints for each pair of encodings the least time of each library for 16 MiB of input, and the ratio. The outputs must be
"""

import argparse
import ctypes
import sys
import time

SIZE = 16 << 20
TEXTS = {
    "English": "The quick brown fox jumps over the lazy dog.\n",
    "French": "Dès Noël où un zéphyr haï me vêt de glaçons würmiens\n",
    "Russian": "Съешь же ещё этих мягких французских булок, да выпей чаю\n",
    "Chinese": "天地玄黃宇宙洪荒日月盈昃辰宿列張\n",
    "Japanese": "いろはにほへとちりぬるを日本語文字\n",
}
ROWS = [
    ("English", "UTF-8", "UTF-16LE"), ("Russian", "UTF-8", "UTF-16LE"), ("Chinese", "UTF-8", "UTF-16LE"),
    ("Chinese", "UTF-16LE", "UTF-8"), ("French", "ISO-8859-1", "UTF-8"), ("French", "UTF-8", "ISO-8859-1"),
    ("Russian", "KOI8-R", "UTF-8"), ("Russian", "UTF-8", "KOI8-R"), ("Japanese", "SHIFT_JIS", "UTF-8"),
    ("Japanese", "UTF-8", "EUC-JP"), ("Chinese", "GB18030", "UTF-8"), ("Russian", "UTF-8", "UTF-8"),
    ("Japanese", "ISO-2022-JP", "UTF-8"), ("French", "UTF-8", "ASCII//TRANSLIT"),
]


class Library:
    def __init__(self, path):
        library = ctypes.CDLL(path)
        self.open, self.iconv, self.close = library.iconv_open, library.iconv, library.iconv_close
        self.open.restype, self.open.argtypes = ctypes.c_void_p, [ctypes.c_char_p] * 2
        self.iconv.restype, self.iconv.argtypes = ctypes.c_size_t, [ctypes.c_void_p] * 5
        self.close.argtypes = [ctypes.c_void_p]

    def convert(self, text, source, to, size):
        """Converts a text in calls with buffers of `size` bytes.

        Returns the seconds, the length of the output, and the ends of its first and last piece.
        """
        descriptor = self.open(to.encode(), source.encode())
        start, end = ctypes.addressof(text), ctypes.addressof(text) + len(text) - 1
        sink = ctypes.create_string_buffer(size)
        at, to_at = ctypes.c_void_p(start), ctypes.c_void_p()
        left, room = ctypes.c_size_t(), ctypes.c_size_t()
        refs = [ctypes.byref(one) for one in (at, left, to_at, room)]
        written, ends, began = 0, [], time.perf_counter()
        while at.value < end:
            left.value, before = min(size, end - at.value), at.value
            to_at.value, room.value = ctypes.addressof(sink), size
            self.iconv(descriptor, *refs)
            if at.value == before and room.value == size:
                sys.exit(f"{source} to {to}: stopped at byte {before - start}")
            written += size - room.value
            ends.append(sink.raw[size - room.value - 16:size - room.value] if size - room.value >= 16 else b"")
        seconds = time.perf_counter() - began
        self.close(descriptor)
        return seconds, (written, ends[0], ends[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--buffer", type=int, default=65536)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    libraries = [Library(None), Library(options.library)]
    print("text      from          to                C library ms   ours ms  ratio")
    for name, source, to in ROWS:
        line = TEXTS[name].encode(source)
        text = ctypes.create_string_buffer(line * (SIZE // len(line)))
        best, results = [1e9, 1e9], [None, None]
        for _ in range(options.rounds):
            for i, library in enumerate(libraries):
                seconds, results[i] = library.convert(text, source, to, options.buffer)
                best[i] = min(best[i], seconds)
        if results[0][0] != results[1][0]:
            sys.exit(f"{source} to {to}: outputs differ")
        print(f"{name:9} {source:13} {to:17} {best[0] * 1e3:12.1f} {best[1] * 1e3:9.1f} {best[0] / best[1]:6.1f}")


main()
