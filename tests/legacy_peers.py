"""Converts many codes at once for tests/legacy_multi_byte.rs: legacy_peers.py PEER DIRECTION.

PEER is python (codecs of Python) or glibc (function iconv); DIRECTION is decode (to UTF-8) or encode (from UTF-8).
Standard input has lines "=CODEC", each followed by lines of bytes in hexadecimal for the codec. Each line of bytes is
converted separately. Prints a line with the converted bytes, or "-" if the bytes cannot be converted.
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
    # For ISO-2022-KR, iconv writes a header only once per handle.
    is_new = codec == "ISO-2022-KR" and not decodes
    libc.iconv_close.argtypes = [ctypes.c_void_p]
    room = ctypes.create_string_buffer(64)
    start = ctypes.addressof(room)
    # The ctypes objects are reused, because creating them would take most of the time.
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
        # The second call writes pending output and returns to the initial state. Its result may count characters
        # written.
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
