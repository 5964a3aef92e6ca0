"""Converts many codes at once for tests/legacy_multi_byte.rs: legacy_peers.py PEER DIRECTION.

PEER is python (its codecs) or glibc (its iconv function); DIRECTION is decode (to UTF-8) or encode (from UTF-8). Standard
input has the name of a codec after "=", and lines of bytes in hexadecimal for it. Each is converted by itself and
answered with a line: the bytes that came of it, or "-" if it cannot be converted.
"""

import ctypes
import sys


def python(codec, decodes):
    if decodes:
        return lambda code: code.decode(codec).encode()
    return lambda code: code.decode().encode(codec)


def glibc(codec, decodes):
    libc = ctypes.CDLL("libc.so.6", use_errno=True)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_ssize_t
    libc.iconv.argtypes = [ctypes.c_void_p] * 5
    names = ["UTF-8", codec] if decodes else [codec, "UTF-8"]

    def open_handle():
        handle = libc.iconv_open(*(name.encode() for name in names))
        if handle == ctypes.c_void_p(-1).value:
            sys.exit(f"glibc has no {codec}")
        return handle

    handle = open_handle()
    # It writes a header, but once.
    is_new = codec == "ISO-2022-KR" and not decodes
    libc.iconv_close.argtypes = [ctypes.c_void_p]
    room = ctypes.create_string_buffer(64)
    start = ctypes.addressof(room)
    # Made once: most of the time would go to making them.
    at, left = ctypes.c_char_p(), ctypes.c_size_t()
    to, free = ctypes.c_void_p(), ctypes.c_size_t()
    source, out = (ctypes.byref(at), ctypes.byref(left)), (ctypes.byref(to), ctypes.byref(free))
    iconv = libc.iconv

    def convert(code):
        nonlocal handle
        if is_new:
            libc.iconv_close(handle)
            handle = open_handle()
        at.value, left.value = code, len(code)
        to.value, free.value = start, len(room)
        # The second call writes what is held back, and returns to the initial state. It may count what it writes.
        if iconv(handle, *source, *out) == 0 and iconv(handle, None, None, *out) >= 0:
            return room.raw[: len(room) - free.value]
        iconv(handle, None, None, None, None)
        raise ValueError

    return convert


def main():
    peer, direction = sys.argv[1:]
    answers = []
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line.startswith("="):
            convert = {"python": python, "glibc": glibc}[peer](line[1:], direction == "decode")
            continue
        try:
            answers.append(convert(bytes.fromhex(line)).hex())
        except ValueError:
            answers.append("-")
    print("\n".join(answers))


main()
