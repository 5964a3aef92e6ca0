"""A program for macOS is of MACHINE, links libraries of the system only, and is signed where the processor requires that: MACHINE
FILE.
"""

import pathlib
import struct
import sys

machine, path = sys.argv[1:]
data = pathlib.Path(path).read_bytes()
# From mach-o/loader.h: the header of a 64-bit file, followed by the load commands.
magic, processor, _, kind, count, _, _, _ = struct.unpack_from("<8I", data)
assert magic == 0xFEEDFACF and kind == 2, "no program of 64 bits for macOS"
assert processor == {"x86_64": 0x01000007, "aarch64": 0x0100000C}[machine], f"{processor:#x} is not {machine}"
linked, signed, oldest, at = [], False, None, 32
for _ in range(count):
    command, size = struct.unpack_from("<2I", data, at)
    if command == 0xC:  # LC_LOAD_DYLIB
        name = data[at + struct.unpack_from("<I", data, at + 8)[0] : at + size]
        linked.append(name.rstrip(b"\0").decode())
    elif command == 0x1D:  # LC_CODE_SIGNATURE
        signed = True
    elif command == 0x32:  # LC_BUILD_VERSION
        version = struct.unpack_from("<I", data, at + 12)[0]
        oldest = f"{version >> 16}.{version >> 8 & 255}"
    elif command == 0x24:  # LC_VERSION_MIN_MACOSX
        version = struct.unpack_from("<I", data, at + 8)[0]
        oldest = f"{version >> 16}.{version >> 8 & 255}"
    at += size
assert all(name.startswith("/usr/lib/") for name in linked), linked
assert signed or machine == "x86_64", "not signed"
print(f"{machine}: for macOS {oldest} and later, links {', '.join(linked)}, {'signed' if signed else 'not signed'}")
