"""The exceptions of the module, each derived from an exception of Python."""

from ._utfconv import Detection


class _Positioned:
    """The base of both Unicode errors, which have the position in the source, and a message that includes it."""

    line: int
    column: int
    offset: int
    message: str

    def __str__(self) -> str:
        return getattr(self, "message", None) or super().__str__()


class DecodeError(_Positioned, UnicodeDecodeError):
    """Ill-formed bytes, or, in `convert`, a character that cannot be encoded in the target.

    Adds attributes to `UnicodeDecodeError`: `line` and `column`, counted from 1, and `offset`, in bytes from the start of
    the source.

    >>> import utfconv
    >>> try:
    ...     utfconv.decode(b"a\\nb\\xff", "UTF-8")
    ... except UnicodeDecodeError as error:
    ...     print(error.line, error.column, error.start, error)
    2 2 3 line 2, column 2: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8
    """


class EncodeError(_Positioned, UnicodeEncodeError):
    """A character of a str that cannot be encoded.

    Adds attributes to `UnicodeEncodeError`: `line` and `column`, counted from 1.

    >>> import utfconv
    >>> try:
    ...     utfconv.encode("5 €", "latin1")
    ... except UnicodeEncodeError as error:
    ...     print(error.object[error.start : error.end], error)
    € line 1, column 3: unmappable: U+20AC "€" cannot be encoded in ISO-8859-1
    """


class UnknownEncodingError(LookupError):
    """No encoding has the given name.

    >>> import utfconv
    >>> try:
    ...     utfconv.decode(b"", "UFT-8")
    ... except LookupError as error:
    ...     print(error)
    "UFT-8": no such encoding; did you mean UTF-8?
    """


class UncertainEncodingError(ValueError):
    """The encoding of a source is unknown, or only a guess; `detection` is the result of `detect`.

    >>> import io, utfconv
    >>> try:
    ...     utfconv.open(io.BytesIO(b"a\\xe4\\n"))
    ... except utfconv.UncertainEncodingError as error:
    ...     print(error.detection.is_reliable)
    False
    """

    detection: Detection

    def __init__(self, message: str, detection: Detection) -> None:
        super().__init__(message, detection)
        self.detection = detection

    def __str__(self) -> str:
        return str(self.args[0])
