"""Reads the lines in a range of a file as UTF-8. All ranges of a file together have each of its lines once.

A range has the lines after its first newline; the first range has the first line, too. A range ends after the first
newline of the next range. Both ranges find the same newline, because both search from the same boundary between characters.
"""

import os
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

from . import _utfconv
from ._files import SAMPLE, _detected

CHUNK = 1 << 20
# Number of bytes that are searched for a boundary.
WINDOW = 1 << 16
# Number of bytes before a boundary on which it may depend.
CONTEXT = 8


class FileState(NamedTuple):
    """The state of a file; ranges read in two different states do not fit together."""

    size: int
    changed: Any


class Changed(OSError):
    """The file changed while it was read."""


def opened(path: str) -> Any:
    """Opens a file to read its bytes. The file is a path, or a URL for fsspec."""
    if "://" in path:
        import fsspec  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return fsspec.open(path, "rb").open()
    return open(path, "rb")


def state(path: str) -> FileState:
    """Returns the current state of a file."""
    if "://" in path:
        import fsspec  # type: ignore[import-untyped, import-not-found, unused-ignore]

        system, name = fsspec.core.url_to_fs(path)
        info = system.info(name)
        marks = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "updated", "created")
        return FileState(info["size"], next((str(info[mark]) for mark in marks if info.get(mark)), None))
    found = os.stat(path)
    return FileState(found.st_size, (found.st_dev, found.st_ino, found.st_mtime_ns))


def ranges(path: str, encoding: str, size: int) -> Tuple[str, FileState, "List[Tuple[int, int]]"]:
    """Returns the encoding of a file with its byte order, the state of the file, and ranges of about `size` bytes."""
    before = state(path)
    with opened(path) as file:
        head = file.read(SAMPLE if encoding.lower() == "auto" else 4)
    if encoding.lower() == "auto":
        encoding = _detected(head)
    if not _utfconv.read_as(encoding, head[:4])[1] or before.size <= size:
        return encoding, before, [(0, before.size)]
    # Begin each range at a whole code unit of any encoding.
    count = -(-before.size // size)
    cuts = sorted({before.size * number // count // 4 * 4 for number in range(count)})
    return encoding, before, list(zip(cuts, [*cuts[1:], before.size]))


def _boundary(file: Any, encoding: str, at: int, size: int) -> int:
    """Returns the first boundary at or after an offset, or the end of the file."""
    if at == 0:
        return 0
    start = max(at - CONTEXT, 0) // 4 * 4
    length = WINDOW
    while True:
        file.seek(start)
        window = file.read(length)
        found = _utfconv.boundary(encoding, window, at - start)
        if found is not None:
            return start + found
        if start + len(window) >= size:
            return size
        length *= 4


def lines(path: str, encoding: str, was: FileState, start: int, end: int, options: Any) -> Iterator[bytes]:
    """Yields the lines of a range, in chunks of UTF-8 that end with a whole line."""
    _check(path, was)
    with opened(path) as file:
        head = file.read(4)
        order = _utfconv.read_as(encoding, head)[0]
        first = _boundary(file, order, start, was.size)
        last = _boundary(file, order, end, was.size) if end < was.size else was.size
        yield from _between(file, encoding if first == 0 else order, first, last, was.size, options)
    _check(path, was)


def _check(path: str, was: FileState) -> None:
    if state(path) != was:
        raise Changed(f"{path} has changed while it was read: its ranges are of no use")


def _between(file: Any, encoding: str, first: int, last: int, size: int, options: Any) -> Iterator[bytes]:
    options = {"output_bom": "never", **({"input_bom": "text"} if first else {}), **options}
    converter = _utfconv.Converter(encoding, "UTF-8", **options)
    file.seek(first)
    at, skips = first, first > 0
    # The start of a line whose end was not found yet.
    held: List[bytes] = []
    # Read lines that begin in the range first, then the rest of the last line.
    while at < last:
        chunk = file.read(min(CHUNK, last - at))
        if not chunk:
            break
        at += len(chunk)
        text = converter.convert(chunk, at == size)
        if skips:
            found = text.find(b"\n")
            if found < 0:
                continue
            text, skips = text[found + 1 :], False
        cut = text.rfind(b"\n") + 1
        if cut:
            yield b"".join([*held, text[:cut]])
            held.clear()
        if cut < len(text):
            held.append(text[cut:])
    while at < size and not skips:
        chunk = file.read(min(WINDOW, size - at))
        if not chunk:
            break
        at += len(chunk)
        text = converter.convert(chunk, at == size)
        found = text.find(b"\n")
        held.append(text[: found + 1] if found >= 0 else text)
        if found >= 0:
            break
    if held:
        yield b"".join(held)


def whole(path: str, encoding: str, was: Optional[FileState], options: Any) -> str:
    """Returns the text of a file."""
    with opened(path) as file:
        data = file.read()
    if was is not None:
        _check(path, was)
    if encoding.lower() == "auto":
        encoding = _detected(data[:SAMPLE])
    return _utfconv.decode(data, encoding, **options)
