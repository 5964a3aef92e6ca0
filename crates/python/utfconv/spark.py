"""A data source for Spark 4: lines or whole files in any encoding.

    from utfconv.spark import TextDataSource

    spark.dataSource.register(TextDataSource)
    spark.read.format("utfconv").option("encoding", "GBK").load("/data/*.txt")

The source takes the options of `utfconv.decode`, and these: `encoding` (auto), `wholetext` (false; true gives one row for
each file, with its path), and `partitionbytes` (64 MiB). Paths may have wildcards. They may be URLs, which fsspec opens.
Lines are split as by Spark's own reader, except that a CR alone does not end a line. A file in an encoding with shift
states, such as ISO-2022-JP, is a single partition. EBCDIC (IBM1390) can be cut after each SI.
"""

import glob
from typing import Any, Dict, Iterator, List, Sequence

import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
from pyspark.sql.datasource import (  # type: ignore[import-untyped, import-not-found, unused-ignore]
    DataSource,
    DataSourceReader,
    InputPartition,
)

from . import _ranges, _utfconv

PARTITION = 64 << 20
OWN = ("encoding", "wholetext", "partitionbytes", "path", "paths")


class TextDataSource(DataSource):  # type: ignore[misc, unused-ignore]
    """Implements the format `utfconv` of Spark."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "utfconv"

    def schema(self) -> str:
        """Returns the columns: `value`, preceded by `path` for whole files."""
        return "path string, value string" if _is_whole(self.options) else "value string"

    def reader(self, schema: Any) -> DataSourceReader:
        """Returns the reader."""
        return _Reader(dict(self.options))


def _is_whole(options: Any) -> bool:
    return str(options.get("wholetext", "false")).lower() == "true"


class _Partition(InputPartition):  # type: ignore[misc, unused-ignore]
    def __init__(self, path: str, encoding: str, state: _ranges.FileState, start: int, end: int) -> None:
        self.path, self.encoding, self.state, self.start, self.end = path, encoding, state, start, end


class _Reader(DataSourceReader):  # type: ignore[misc, unused-ignore]
    def __init__(self, options: Dict[str, str]) -> None:
        self.paths = _paths(options)
        self.encoding = options.get("encoding", "auto")
        self.is_whole = _is_whole(options)
        self.size = int(options.get("partitionbytes", PARTITION))
        if self.size < 1:
            raise ValueError("partitionbytes: expected a number above 0")
        # Spark passes the keys of options in lower case.
        self.options: Dict[str, Any] = {key: value for key, value in options.items() if key not in OWN}
        if "per_byte" in options:
            self.options["per_byte"] = options["per_byte"].lower() == "true"
        if self.encoding.lower() != "auto":
            # An invalid option fails here, before any task runs.
            _utfconv.decode(b"", self.encoding, **self.options)

    def partitions(self) -> Sequence[InputPartition]:
        made: List[InputPartition] = []
        for path in self.paths:
            encoding, state, ranges = _ranges.ranges(path, self.encoding, self.size)
            if self.is_whole:
                ranges = [(0, state.size)]
            made += [_Partition(path, encoding, state, *found) for found in ranges]
        return made

    def read(self, partition: Any) -> Iterator[Any]:
        if self.is_whole:
            text = _ranges.whole(partition.path, partition.encoding, partition.state, self.options)
            yield pyarrow.RecordBatch.from_pydict({"path": [partition.path], "value": [text]})
            return
        found = partition
        pieces = _ranges.lines(found.path, found.encoding, found.state, found.start, found.end, self.options)
        for piece in pieces:
            offsets, data = _utfconv.split_lines(piece)
            buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
            values = pyarrow.Array.from_buffers(pyarrow.string(), len(offsets) // 4 - 1, buffers)
            yield pyarrow.RecordBatch.from_arrays([values], ["value"])


def _paths(options: Dict[str, str]) -> List[str]:
    """Returns the files that the paths name, in order."""
    path = options.get("path")
    if not path:
        raise ValueError("name the files: .load(PATH)")
    if "://" in path:
        import fsspec  # type: ignore[import-untyped, import-not-found, unused-ignore]

        system, name = fsspec.core.url_to_fs(path)
        found = [system.unstrip_protocol(each) for each in sorted(system.glob(name))]
    else:
        path = path[len("file:") :] if path.startswith("file:/") else path
        found = sorted(glob.glob(path)) if glob.has_magic(path) else [path]
    if not found:
        raise FileNotFoundError(f"no file matches {path}")
    return found
