"""Converts, detects, checks and repairs text in any encoding, with the library of the program utfconv.

>>> import utfconv
>>> utfconv.decode(b"caf\\xe9", "latin1")
'café'

`python -m utfconv` runs the program.
"""

from ._arrow import decode_array, encode_array
from ._codecs import register
from ._errors import DecodeError, EncodeError, UncertainEncodingError, UnknownEncodingError
from ._files import open, reader
from ._find_utfconv import find_utfconv_bin
from ._utfconv import (
    Check,
    Converter,
    Detection,
    Fault,
    __version__,
    check,
    convert,
    decode,
    detect,
    encode,
    encodings,
    repair,
)

__all__ = [
    "Check",
    "Converter",
    "DecodeError",
    "Detection",
    "EncodeError",
    "Fault",
    "UncertainEncodingError",
    "UnknownEncodingError",
    "__version__",
    "check",
    "convert",
    "decode",
    "decode_array",
    "detect",
    "encode",
    "encode_array",
    "encodings",
    "find_utfconv_bin",
    "open",
    "reader",
    "register",
    "repair",
]
