"""Opens files: readers that provide UTF-8 or text, and writers that replace a file only on success."""

import contextlib
import io
import os
import stat
import tempfile
from typing import Any, Dict, Optional

from . import _utfconv
from ._errors import UncertainEncodingError

# Number of bytes that are read at a time.
CHUNK = 1 << 18
# Number of bytes that `auto` examines.
SAMPLE = 1 << 20


class _Source(io.RawIOBase):
    """Provides the bytes of a binary file in UTF-8."""

    def __init__(self, file: Any, encoding: str, closes: bool, options: Dict[str, Any]) -> None:
        self._file, self._closes = file, closes
        # `head` is read but not yet converted; `_ready` is converted but not yet requested.
        head = b""
        if encoding.lower() == "auto":
            head = _read(file, SAMPLE)
            encoding = _detected(head)
        self._head: Optional[bytes] = head
        self.encoding = encoding
        options = {"output_bom": "never", **options}
        self._converter = _utfconv.Converter(encoding, "UTF-8", **options)
        self._ready = memoryview(b"")
        self._error: Optional[Exception] = None
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        while not self._ready and not self._ended:
            self._convert_more()
        if not self._ready and self._error is not None:
            raise self._error
        count = min(len(into), len(self._ready))
        into[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _convert_more(self) -> None:
        chunk, self._head = self._head or self._file.read(CHUNK), None
        if isinstance(chunk, str):
            raise TypeError("the file is open in text mode; open it in binary mode ('rb')")
        self._ended = not chunk
        try:
            self._ready = memoryview(self._converter.convert(chunk or b"", self._ended))
        except UnicodeDecodeError as error:
            # The text before the error is provided first.
            self._ready = memoryview(getattr(error, "converted", b""))
            self._error, self._ended = error, True
        except Warning:
            # If the warning is raised as an error, the converter has not consumed the chunk.
            self._head, self._ended = chunk, False
            raise

    def close(self) -> None:
        if not self.closed and self._closes:
            self._file.close()
        super().close()


def _read(file: Any, size: int) -> bytes:
    """Reads `size` bytes, or up to the end."""
    parts, count = [], 0
    while count < size:
        part = file.read(size - count)
        if isinstance(part, str):
            raise TypeError("the file is open in text mode; open it in binary mode ('rb')")
        if not part:
            break
        parts.append(part)
        count += len(part)
    return b"".join(parts)


def _detected(head: bytes) -> str:
    found = _utfconv.detect(head)
    if found.is_reliable:
        return str(found.encoding)
    if found.is_binary:
        raise UncertainEncodingError(f"not text: {found.reason}; name the encoding to read it", found)
    what = "unknown" if found.encoding is None else f"only a guess ({found.encoding})"
    raise UncertainEncodingError(f"the encoding is {what}: {found.reason}; name it", found)


def reader(path_or_file: Any, encoding: str = "auto", **options: Any) -> io.BufferedReader:
    """Returns a binary file that provides a source in UTF-8, for csv, pandas, Polars, DuckDB and pyarrow.

    The source is a path or a file-like object. The object has to be open in binary mode, and is not closed.

    >>> import io, utfconv
    >>> utfconv.reader(io.BytesIO(b"caf\\xe9"), "latin1").read()
    b'caf\\xc3\\xa9'
    """
    return io.BufferedReader(_source(path_or_file, encoding, options), CHUNK)


def _check_str(**arguments: object) -> None:
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise TypeError(f"{name}: expected str, not {type(value).__name__}")


def _source(path_or_file: Any, encoding: str, options: Dict[str, Any]) -> _Source:
    _check_str(encoding=encoding)
    if hasattr(path_or_file, "read"):
        return _Source(path_or_file, encoding, False, options)
    file = io.open(path_or_file, "rb", buffering=0)
    try:
        return _Source(file, encoding, True, options)
    except BaseException:
        file.close()
        raise


class _Sink(io.RawIOBase):
    """Encodes UTF-8 to a file-like object, or to a new file that replaces the old one at the end."""

    def __init__(self, path_or_file: Any, encoding: str, exclusive: bool, options: Dict[str, Any]) -> None:
        # Until the file is open, there is nothing to write at the end.
        self._is_good = self._is_device = False
        self._file: Any = None
        self._error: Optional[BaseException] = None
        self._target: Optional[str] = None
        self._converter = _utfconv.Converter("UTF-8", encoding, **{"input_bom": "text", **options})
        self._open(path_or_file, exclusive)
        self._is_good = True

    def _open(self, path_or_file: Any, exclusive: bool) -> None:
        if hasattr(path_or_file, "write"):
            self._file = path_or_file
            return
        # Links are followed, as the program does.
        target = os.path.realpath(os.fsdecode(path_or_file))
        if exclusive and os.path.lexists(target):
            raise FileExistsError(17, os.strerror(17), target)
        self._is_device = os.path.exists(target) and not os.path.isfile(target)
        if self._is_device:
            self._file = io.open(target, "wb")
            return
        self._exclusive = exclusive
        directory, name = os.path.split(target)
        handle, self._partial = tempfile.mkstemp(prefix=f".{name}.", dir=directory)
        self._file = io.open(handle, "wb")
        self._target = target

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self._error is not None:
            raise self._error
        if self._is_good:
            try:
                self._file.write(self._converter.convert(data))
            except BaseException as error:
                self._is_good, self._error = False, error
                raise
        return len(data)

    def discard(self) -> None:
        """Keeps the old file when the object is closed."""
        self._is_good, self._error = False, None

    def close(self) -> None:
        if self.closed:
            return
        try:
            if self._is_good:
                self._is_good = False
                self._file.write(self._converter.convert(b"", True))
                self._file.flush()
                self._is_good = True
        finally:
            super().close()
            if self._target is not None:
                self._replace(self._target)
            elif self._is_device:
                self._file.close()
        if self._error is not None:
            raise self._error

    def _replace(self, target: str) -> None:
        try:
            if self._is_good:
                os.fsync(self._file.fileno())
                self._file.close()
                _take_mode(self._partial, target)
                if self._exclusive:
                    os.link(self._partial, target)
                else:
                    os.replace(self._partial, target)
        finally:
            self._file.close()
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._partial)


def _take_mode(partial: str, target: str) -> None:
    """Sets the mode and owner of a new file to those of the file that it replaces, or to the defaults."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(partial, 0o666 & ~mask)
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(partial, old.st_uid, old.st_gid)
    os.chmod(partial, stat.S_IMODE(old.st_mode))


class _Text(io.TextIOWrapper):
    """A text file between str and the encoding of the file, through UTF-8."""

    def __init__(self, buffer: Any, encoding: str, newline: Optional[str]) -> None:
        super().__init__(buffer, "utf-8", "surrogatepass", newline)
        self._named = _utfconv.canonical(encoding)

    @property
    def encoding(self) -> str:  # type: ignore[override, unused-ignore]
        """The encoding of the file; if it is `auto`, the encoding that was detected."""
        return self._named


class _Writer(_Text):
    """Writes text. An exception in the `with` block of a writer leaves the old file unchanged."""

    _sink: _Sink

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is not None:
            self._sink.discard()
        super().__exit__(kind, *rest)


def open(
    path_or_file: Any, mode: str = "r", encoding: str = "auto", *, newline: Optional[str] = None, **options: Any
) -> io.TextIOWrapper:
    """Opens a text file in any encoding. The modes are "r", "w" and "x"; `newline` is as in Python's `open`.

    A file that is written is replaced only when it is closed without an error; `auto` writes UTF-8. The attribute
    `encoding` of the result is the encoding of the file.

    >>> import os, tempfile, utfconv
    >>> path = os.path.join(tempfile.mkdtemp(), "text")
    >>> with utfconv.open(path, "w", "UTF-16") as file:
    ...     print("日本", file=file)
    >>> with utfconv.open(path) as file:
    ...     file.encoding, file.read()
    ('UTF-16', '日本\\n')
    """
    _check_str(mode=mode, encoding=encoding)
    kind = mode.replace("t", "")
    if kind == "r":
        source = _source(path_or_file, encoding, options)
        return _Text(io.BufferedReader(source, CHUNK), source.encoding, newline)
    if kind not in ("w", "x"):
        raise ValueError(f"mode {mode!r}: expected 'r', 'w' or 'x'; use reader() for bytes")
    if encoding.lower() == "auto":
        encoding = "UTF-8"
    sink = _Sink(path_or_file, encoding, kind == "x", options)
    writer = _Writer(io.BufferedWriter(sink, CHUNK), encoding, newline)
    writer._sink = sink
    return writer
