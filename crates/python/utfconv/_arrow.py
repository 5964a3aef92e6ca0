"""Converts Arrow arrays from their buffers. pyarrow is imported only on use."""

from importlib import import_module
from typing import Any

from . import _utfconv


def decode_array(array: Any, encoding: str, **options: Any) -> Any:
    """Decodes a binary array of pyarrow to an array of strings. Accepts large, view and chunked arrays, too. Nulls are kept.

    If a value is ill-formed, the attribute `row` of the error is the index of the value.

    >>> import pyarrow, utfconv
    >>> utfconv.decode_array(pyarrow.array([b"\\x93\\xfa", None]), "Shift_JIS").to_pylist()
    ['日', None]
    """
    return _converted(array, encoding, False, options)


def encode_array(array: Any, encoding: str, **options: Any) -> Any:
    """Encodes an array of strings of pyarrow to a binary array. Accepts large, view and chunked arrays, too. Nulls are kept.

    >>> import pyarrow, utfconv
    >>> utfconv.encode_array(pyarrow.array(["日", None]), "Shift_JIS").to_pylist()
    [b'\\x93\\xfa', None]
    """
    return _converted(array, encoding, True, options)


def _converted(array: Any, encoding: str, is_encoding: bool, options: Any) -> Any:
    pyarrow = import_module("pyarrow")
    if not isinstance(array, (pyarrow.Array, pyarrow.ChunkedArray)):
        raise TypeError(f"expected an array of pyarrow, not {type(array).__name__}")
    types = pyarrow.types
    if types.is_fixed_size_binary(array.type):
        array = array.cast(pyarrow.binary())
    text, binary = (pyarrow.binary(), pyarrow.string()) if is_encoding else (pyarrow.string(), pyarrow.binary())
    large = pyarrow.large_binary() if is_encoding else pyarrow.large_string()
    layouts = [
        (types.is_string if is_encoding else types.is_binary, 4, text),
        (types.is_large_string if is_encoding else types.is_large_binary, 8, large),
    ]
    if hasattr(types, "is_binary_view"):
        layouts.append((types.is_string_view if is_encoding else types.is_binary_view, 16, large))
    found = [(width, result) for matches, width, result in layouts if matches(array.type)]
    if not found:
        raise TypeError(f"expected an array of {binary}, not of {array.type}")
    width, result = found[0]
    if isinstance(array, pyarrow.ChunkedArray):
        chunks = [_of_buffers(chunk, width, result, encoding, is_encoding, options) for chunk in array.chunks]
        return pyarrow.chunked_array(chunks, result)
    return _of_buffers(array, width, result, encoding, is_encoding, options)


def _of_buffers(array: Any, width: int, result: Any, encoding: str, is_encoding: bool, options: Any) -> Any:
    pyarrow = import_module("pyarrow")
    buffers = array.buffers()
    offsets, data = _utfconv.convert_values(
        buffers, width, array.offset, len(array), encoding, is_encoding, **options
    )
    made = [buffers[0], pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(result, len(array), made, -1, array.offset)
