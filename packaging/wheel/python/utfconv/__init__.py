"""The program utfconv; see `find_utfconv_bin`."""

from ._find_utfconv import find_utfconv_bin

__all__ = ["find_utfconv_bin"]
