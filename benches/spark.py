#!/usr/bin/env python3
"""Compares the data source of `utfconv.spark` with Spark's own reader of UTF-8: the same text, in one session, in turns.

    pip install pyspark pyarrow
    PYTHONPATH=$(crates/python/build --profile=python) benches/spark.py [--size BYTES] [--rounds N] [CASE...]

Spark sums up the hashes and lengths of all lines that it gets from either; that the sums are equal shows that the lines are. A case is
an encoding, or `long`: GBK in lines of a tenth of the size. Limit: 1.3 times the time of Spark's reader, except for encodings with shift
states, whose files have one partition each.
"""

import argparse
import os
import sys
import tempfile
import time

from pyspark.sql import SparkSession

import utfconv
from utfconv.spark import TextDataSource

CASES = ("GBK", "long", "UTF-16", "IBM1390")
SHIFTED = ("IBM1390",)
LIMIT = 1.3
SENTENCES = {
    "IBM1390": "日本語の文章を漢字で書く、カタカナも",
    "GBK": "视野无限广，窗外有蓝天；中文的文章用汉字书写。",
}


def write(path, text, size, encoding):
    """Writes text over and over, until it has so many bytes in UTF-8."""
    utf8 = text.encode()
    block = utf8 if encoding == "UTF-8" else utfconv.encode(text, encoding)
    # A BOM is written once.
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
    """The number of lines, and sums over them that do not depend on their order."""
    row = lines.selectExpr("count(*)", "sum(length(value))", "sum(cast(xxhash64(value) as decimal(38)))").first()
    return tuple(row)


def timed(lines):
    began = time.perf_counter()
    found = sums(lines())
    return time.perf_counter() - began, found


def compare(spark, case, args, directory):
    """Prints a line, and returns whether the case is within the limit and equal."""
    encoding = "GBK" if case == "long" else case
    text = text_of(case, args.size)
    ours, theirs = os.path.join(directory, "ours"), os.path.join(directory, "theirs")
    write(ours, text, args.size, encoding)
    write(theirs, text, args.size, "UTF-8")
    source = spark.read.format("utfconv").option("encoding", encoding)
    rounds = [(timed(lambda: source.load(ours)), timed(lambda: spark.read.text(theirs))) for _ in range(args.rounds)]
    own, other = min(own for (own, _), _ in rounds), min(other for _, (other, _) in rounds)
    is_equal = len({found for pair in rounds for _, found in pair}) == 1
    result = "equal" if is_equal else f"differs: {rounds[0]}"
    print(f"{case:10} {own:8.2f} s {other:8.2f} s {own / other:6.2f}  {result}", flush=True)
    return is_equal and (own / other <= LIMIT or encoding in SHIFTED)


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
    print(f"{'':10} {'utfconv':>10} {'UTF-8':>10} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as directory:
        kept = [compare(spark, case, args, directory) for case in args.cases]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
