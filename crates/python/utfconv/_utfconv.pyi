"""The types of the library's module, which the package exports."""

from typing import Dict, Final, Iterator, List, Literal, Optional, Sequence, Tuple, final, overload

from typing_extensions import Buffer

__all__ = [
    "Check",
    "Codec",
    "Converter",
    "Decoder",
    "Detection",
    "Encoder",
    "Fault",
    "__version__",
    "boundary",
    "canonical",
    "check",
    "convert",
    "convert_values",
    "decode",
    "detect",
    "encode",
    "encodings",
    "read_as",
    "repair",
    "split_lines",
]

__version__: Final[str]

_InputBom = Literal["auto", "keep", "strip", "text", "forbid", "require", "sniff"]
_OutputBom = Literal["auto", "always", "never"]
_Normalization = Literal["nfc", "nfd", "nfkc", "nfkd"]
_Newline = Literal["lf", "crlf", "cr"]
_EbcdicNewline = Literal["nel", "lf"]

def convert(
    data: Buffer,
    from_: str,
    to: str,
    *,
    ill_formed: Optional[str] = None,
    unmappable: Optional[str] = None,
    per_byte: Optional[bool] = None,
    input_bom: Optional[_InputBom] = None,
    output_bom: Optional[_OutputBom] = None,
    normalize: Optional[_Normalization] = None,
    newline: Optional[_Newline] = None,
    ebcdic_newline: Optional[_EbcdicNewline] = None,
) -> bytes: ...
def decode(
    data: Buffer,
    encoding: str,
    *,
    ill_formed: Optional[str] = None,
    unmappable: Optional[str] = None,
    per_byte: Optional[bool] = None,
    input_bom: Optional[_InputBom] = None,
    output_bom: Optional[_OutputBom] = None,
    normalize: Optional[_Normalization] = None,
    newline: Optional[_Newline] = None,
    ebcdic_newline: Optional[_EbcdicNewline] = None,
) -> str: ...
def encode(
    text: str,
    encoding: str,
    *,
    ill_formed: Optional[str] = None,
    unmappable: Optional[str] = None,
    per_byte: Optional[bool] = None,
    input_bom: Optional[_InputBom] = None,
    output_bom: Optional[_OutputBom] = None,
    normalize: Optional[_Normalization] = None,
    newline: Optional[_Newline] = None,
    ebcdic_newline: Optional[_EbcdicNewline] = None,
) -> bytes: ...
def detect(
    data: Buffer,
    *,
    candidates: Optional[Sequence[str]] = None,
    languages: Optional[Sequence[str]] = None,
    declared: Optional[str] = None,
) -> Detection: ...
def check(
    data: Buffer,
    encoding: str = "UTF-8",
    *,
    input_bom: Optional[_InputBom] = None,
    ebcdic_newline: Optional[_EbcdicNewline] = None,
) -> Check: ...
@overload
def repair(text: str, *, candidates: Optional[Sequence[str]] = None) -> str: ...
@overload
def repair(text: Buffer, *, candidates: Optional[Sequence[str]] = None) -> bytes: ...
def encodings() -> Dict[str, Tuple[str, ...]]: ...
def convert_values(
    buffers: Sequence[Optional[Buffer]],
    width: int,
    start: int,
    count: int,
    encoding: str,
    is_encoding: bool,
    **options: object,
) -> Tuple[bytes, bytes]: ...
def canonical(name: str) -> str: ...
def read_as(name: str, head: bytes) -> Tuple[str, bool]: ...
def boundary(name: str, window: bytes, at: int) -> Optional[int]: ...
def split_lines(data: bytes) -> Tuple[bytes, bytes]: ...
@final
class Detection:
    def __new__(
        cls,
        encoding: Optional[str],
        certainty: str,
        reason: str,
        language: Optional[str],
        alternatives: Sequence[str],
        bom: int,
        is_binary: bool,
        is_reliable: bool,
    ) -> Detection: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def encoding(self) -> Optional[str]: ...
    @property
    def codec(self) -> Optional[str]: ...
    @property
    def certainty(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def language(self) -> Optional[str]: ...
    @property
    def alternatives(self) -> List[str]: ...
    @property
    def bom(self) -> int: ...
    @property
    def is_binary(self) -> bool: ...
    @property
    def is_reliable(self) -> bool: ...

@final
class Fault:
    def __new__(
        cls, offset: int, line: int, column: int, bytes: bytes, kind: str, reason: str, message: str
    ) -> Fault: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def bytes(self) -> bytes: ...
    @property
    def kind(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def message(self) -> str: ...

@final
class Check(Iterator[Fault]):
    def __iter__(self) -> Check: ...
    def __next__(self) -> Fault: ...

@final
class Converter:
    def __new__(
        cls,
        from_: str,
        to: str,
        *,
        ill_formed: Optional[str] = None,
        unmappable: Optional[str] = None,
        per_byte: Optional[bool] = None,
        input_bom: Optional[_InputBom] = None,
        output_bom: Optional[_OutputBom] = None,
        normalize: Optional[_Normalization] = None,
        ebcdic_newline: Optional[_EbcdicNewline] = None,
    ) -> Converter: ...
    def convert(self, data: Buffer, last: bool = False) -> bytes: ...

@final
class Decoder:
    def __new__(cls, encoding: str, errors: str = "strict") -> Decoder: ...
    def decode(self, data: Buffer, last: bool = False) -> str: ...
    def reset(self) -> None: ...
    def state(self) -> Tuple[bytes, int]: ...
    def set_state(self, pending: bytes, state: int) -> bool: ...

@final
class Codec:
    def __new__(cls, encoding: str) -> Codec: ...
    def decode(self, input: Buffer, errors: str = "strict") -> Tuple[str, int]: ...
    def encode(self, input: str, errors: str = "strict") -> Tuple[bytes, int]: ...

@final
class Encoder:
    def __new__(cls, encoding: str, errors: str = "strict") -> Encoder: ...
    def encode(self, text: str, last: bool = False) -> bytes: ...
    def reset(self) -> None: ...
    def state(self) -> int: ...
    def set_state(self, state: int) -> bool: ...
