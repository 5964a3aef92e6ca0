"""Provides codecs `utfconv-NAME` for all encodings, with the classes that `codecs` requires."""

import codecs
import encodings
import io
from typing import Any, Dict, Optional, Tuple

from . import _utfconv
from ._errors import UnknownEncodingError

PREFIX = "utfconv_"

_is_registered = False


class _Incremental:
    """The base of incremental decoders and encoders, which wraps an object in Rust. Setting an error handler replaces
    the object."""

    name: str
    part: Any

    def __init__(self, errors: str = "strict") -> None:
        self.errors = errors

    @property
    def errors(self) -> str:
        return self._errors

    @errors.setter
    def errors(self, errors: str) -> None:
        # A new error handler begins a new text.
        self._errors = errors
        self._part = self.part(self.name, errors)


class _IncrementalDecoder(_Incremental, codecs.IncrementalDecoder):  # type: ignore[misc, unused-ignore]
    part = _utfconv.Decoder

    def decode(self, input: Any, final: bool = False) -> str:
        text: str = self._part.decode(input, final)
        return text

    def reset(self) -> None:
        self._part.reset()

    @property
    def buffer(self) -> bytes:
        """The pending bytes, under the name that Python's decoders use."""
        return self.getstate()[0]

    def getstate(self) -> Tuple[bytes, int]:
        state: Tuple[bytes, int] = self._part.state()
        return state

    def setstate(self, state: Tuple[bytes, int]) -> None:
        if not self._part.set_state(*state):
            raise io.UnsupportedOperation(f"{self.name} cannot go back into a shift state")


class _IncrementalEncoder(_Incremental, codecs.IncrementalEncoder):  # type: ignore[misc, unused-ignore]
    part = _utfconv.Encoder

    def encode(self, input: str, final: bool = False) -> bytes:
        encoded: bytes = self._part.encode(input, final)
        return encoded

    def reset(self) -> None:
        self._part.reset()

    def getstate(self) -> int:
        state: int = self._part.state()
        return state

    def setstate(self, state: Any) -> None:
        # Text files of Python set the state 0 to continue a text, so that no BOM is written in the middle.
        if not self._part.set_state(state):
            raise io.UnsupportedOperation(f"{self.name} cannot go back into a shift state")


class _StreamReader(codecs.StreamReader):
    name: str

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._decoder = _utfconv.Decoder(self.name, errors)

    def decode(self, input: bytes, errors: str = "strict") -> Tuple[str, int]:
        return self._decoder.decode(input), len(input)

    def read(self, size: Optional[int] = -1, chars: int = -1, firstline: bool = False) -> str:
        return super().read(-1 if size is None else size, chars, firstline)

    def reset(self) -> None:
        super().reset()
        self._decoder.reset()


class _StreamWriter(codecs.StreamWriter):
    name: str

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoder = _utfconv.Encoder(self.name, errors)

    def encode(self, input: str, errors: str = "strict") -> Tuple[bytes, int]:
        return self._encoder.encode(input), len(input)

    def reset(self) -> None:
        # At the end of the text, the bytes that close a shift state are written.
        end = self._encoder.encode("", True)
        if end:
            self.stream.write(end)


def _codec(name: str) -> codecs.CodecInfo:
    """Returns the codec of an encoding. Python caches the codecs that it has looked up."""

    codec = _utfconv.Codec(name)

    def of(base: type) -> Any:
        return type(base.__name__.strip("_"), (base,), {"name": name, "__module__": __name__})

    return codecs.CodecInfo(
        codec.encode,
        codec.decode,
        streamreader=of(_StreamReader),
        streamwriter=of(_StreamWriter),
        incrementalencoder=of(_IncrementalEncoder),
        incrementaldecoder=of(_IncrementalDecoder),
        name="utfconv-" + name,
    )


def search(name: str) -> Optional[codecs.CodecInfo]:
    """Returns the codec of an encoding, with or without `utfconv` before its name, for `codecs.register`.

    Python searches its own codecs first, so a name without the prefix is one that Python does not know.
    """
    name = name.replace("-", "_")
    try:
        return _codec(_utfconv.canonical(name[len(PREFIX) :] if name.startswith(PREFIX) else name))
    except UnknownEncodingError:
        return None


# Python's names of encodings with a BOM.
_WITH_BOM = {"UTF-8": "utf-8-sig", "UTF-16": "utf-16", "UTF-32": "utf-32"}

# Codecs of Python that were found. Cached, because the search imports a module for each name of an encoding.
_found: Dict[str, Optional[str]] = {}


def codec_of_python(name: str, has_bom: bool) -> Optional[str]:
    """Returns the name of Python's own codec for an encoding, or None if Python has none."""
    if has_bom and name in _WITH_BOM:
        return _WITH_BOM[name]
    if name not in _found:
        names = (name, *_utfconv.encodings().get(name, ()))
        found = [encodings.search_function(known.lower()) for known in names]
        _found[name] = next((codec.name for codec in found if codec is not None), None)
    return _found[name]


def register() -> None:
    """Registers all encodings as Python codecs, for every function that takes `encoding=`.

    The codecs are named `utfconv-NAME`, and also NAME if Python has no codec of that name.

    >>> import utfconv
    >>> utfconv.register()
    >>> "日本".encode("utfconv-ibm930")
    b'\\x0eEbEf\\x0f'
    >>> b"\\x0eEbEf\\x0f".decode("ibm930")
    '日本'
    """
    global _is_registered
    if not _is_registered:
        codecs.register(search)
    _is_registered = True
