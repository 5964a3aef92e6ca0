#!/usr/bin/env python3
"""Compares the data source of `utfconv.spark` with Spark's own reader of UTF-8, on the same text, in one session, in turns.

    pip install pyspark pyarrow
    PYTHONPATH=$(crates/python/build --profile=python) benches/spark.py [--size BYTES] [--rounds N] [CASE...]

Spark sums the hashes and lengths of all lines from either reader; equal sums show that the lines are equal. A case is an encoding,
or `long`: GBK in lines of a tenth of the size. `ready` is a data source in Python that decodes nothing: it maps a file of Arrow
batches with the same lines and yields them. No data source in Python is faster, so the time of `ready` is Spark's own share.

Limit: 1.3 times the time of Spark's reader, or 1.2 times the time of `ready` if `ready` alone exceeds the first limit. Encodings
with shift states have no limit, because their files have one partition each.
"""

import argparse
import os
import sys
import tempfile
import time

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

import utfconv
from utfconv.spark import PARTITION, TextDataSource

CASES = ("GBK", "long", "UTF-16", "IBM1390")
SHIFTED = ("IBM1390",)
LIMIT = 1.3
LIMIT_READY = 1.2
BATCH = 4 << 20
SENTENCES = {
    "IBM1390": "日本語の文章を漢字で書く、カタカナも",
    "GBK": "视野无限广，窗外有蓝天；中文的文章用汉字书写。",
}


class Ready(DataSource):
    """Yields the batches of an Arrow file, with as many bytes per partition as in the data source `utfconv`."""

    @classmethod
    def name(cls):
        return "ready"

    def schema(self):
        return "value string"

    def reader(self, schema):
        return ReadyReader(self.options["path"])


class ReadyReader(DataSourceReader):
    def __init__(self, path):
        self.path = path

    def partitions(self):
        with pyarrow.memory_map(self.path) as file:
            count = pyarrow.ipc.open_file(file).num_record_batches
        each = max(PARTITION // BATCH, 1)
        return [InputPartition(range(first, min(first + each, count))) for first in range(0, count, each)]

    def read(self, partition):
        with pyarrow.memory_map(self.path) as file:
            batches = pyarrow.ipc.open_file(file)
            for number in partition.value:
                yield batches.get_batch(number)


def write_ready(path, text, size):
    """Writes the lines that `write` writes, as Arrow batches of a few MiB."""
    lines = text.splitlines()
    length = len(text.encode())
    schema = pyarrow.schema([("value", pyarrow.string())])
    with pyarrow.OSFile(path, "wb") as file, pyarrow.ipc.new_file(file, schema) as batches:
        copies = max(BATCH // length, 1)
        batch = pyarrow.record_batch([pyarrow.array(lines * copies, pyarrow.string())], schema)
        total = max(size // length, 1)
        for _ in range(total // copies):
            batches.write_batch(batch)
        if total % copies:
            batches.write_batch(batch.slice(0, len(lines) * (total % copies)))


def write(path, text, size, encoding):
    """Writes the text repeatedly, until the file has `size` bytes in UTF-8."""
    utf8 = text.encode()
    block = utf8 if encoding == "UTF-8" else utfconv.encode(text, encoding)
    # Only the first block has a BOM.
    next_block = block if encoding != "UTF-16" else utfconv.encode(text, encoding, output_bom="never")
    with open(path, "wb") as file:
        file.write(block)
        for _ in range(size // len(utf8) - 1):
            file.write(next_block)


def text_of(case, size):
    sentence = SENTENCES.get(case, SENTENCES["GBK"])
    if case == "long":
        repeated = sentence * (size // 10 // len(sentence.encode()))
        return repeated + "\n"
    return "".join(f"{number:07d} {sentence}\n" for number in range(20_000))


def sums(lines):
    """Returns the number of lines, and sums over them that do not depend on their order."""
    row = lines.selectExpr("count(*)", "sum(length(value))", "sum(cast(xxhash64(value) as decimal(38)))").first()
    return tuple(row)


def timed(lines):
    began = time.perf_counter()
    found = sums(lines())
    return time.perf_counter() - began, found


def compare(spark, case, args, directory):
    """Prints a line, and returns whether the sums are equal and the time is within the limit."""
    encoding = "GBK" if case == "long" else case
    text = text_of(case, args.size)
    ours, theirs, ready = (os.path.join(directory, name) for name in ("ours", "theirs", "ready"))
    write(ours, text, args.size, encoding)
    write(theirs, text, args.size, "UTF-8")
    write_ready(ready, text, args.size)
    contestants = [
        lambda: spark.read.format("utfconv").option("encoding", encoding).load(ours),
        lambda: spark.read.text(theirs),
        lambda: spark.read.format("ready").load(ready),
    ]
    rounds = [[timed(lines) for lines in contestants] for _ in range(args.rounds)]
    own, other, least = (min(seconds for seconds, _ in row) for row in zip(*rounds))
    is_equal = len({found for row in rounds for _, found in row}) == 1
    result = "equal" if is_equal else f"differs: {rounds[0]}"
    print(f"{case:10} {own:8.2f} s {other:8.2f} s {least:8.2f} s {own / other:6.2f} {own / least:6.2f}  {result}", flush=True)
    return is_equal and (own / other <= LIMIT or own / least <= LIMIT_READY or encoding in SHIFTED)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cases", nargs="*", default=CASES, metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--size", type=int, default=1_000_000_000, help="bytes of UTF-8 (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often; the fastest counts (%(default)s)")
    args = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    cores = len(os.sched_getaffinity(0))
    spark = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    spark = spark.config("spark.driver.memory", "4g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.dataSource.register(TextDataSource)
    spark.dataSource.register(Ready)
    print(f"{'':10} {'utfconv':>10} {'UTF-8':>10} {'ready':>10} {'to it':>6} {'to it':>6}")
    with tempfile.TemporaryDirectory() as directory:
        kept = [compare(spark, case, args, directory) for case in args.cases]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
