#!/usr/bin/env python3
"""Reads a file in another encoding with pandas, csv, Polars, DuckDB, pyarrow, Ray Data and Spark, through the Python module.

    engines.py [ENGINE...] [--lines N]

Each engine reads the same table in the encodings below, and must find the same data as in the UTF-8 file. The functions
are examples: your own code needs only their line with utfconv. An engine that is not installed is skipped, unless it is
named on the command line.
"""

import argparse
import csv
import importlib.util
import io
import os
import sys
import tempfile
import time

import utfconv

NAMES = ("GBK", "UTF-16", "IBM1390", "Shift_JIS")


def by_csv(path, encoding):
    with utfconv.open(path, encoding=encoding, newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


def by_pandas(path, encoding):
    import pandas

    utfconv.register()
    table = pandas.read_csv(path, encoding="utfconv-" + encoding, header=None, dtype=str)
    return list(table.itertuples(index=False, name=None))


def by_polars(path, encoding):
    import polars

    return polars.read_csv(utfconv.reader(path, encoding), has_header=False, infer_schema=False).rows()


def by_pyarrow(path, encoding):
    import pyarrow
    import pyarrow.csv

    read = pyarrow.csv.ReadOptions(autogenerate_column_names=True)
    text = pyarrow.csv.ConvertOptions(column_types={f"f{number}": pyarrow.string() for number in range(3)})
    table = pyarrow.csv.read_csv(utfconv.reader(path, encoding), read_options=read, convert_options=text)
    return list(zip(*(column.to_pylist() for column in table.columns)))


def by_duckdb(path, encoding):
    import duckdb

    # DuckDB reads file-like objects through fsspec, which a StringIO does not need.
    rows = duckdb.read_csv(io.StringIO(utfconv.open(path, encoding=encoding).read()), header=False, all_varchar=True)
    return rows.fetchall()


def by_ray(path, encoding):
    import ray

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        lines = ray.data.read_binary_files(path).flat_map(
            lambda row: [{"line": line} for line in utfconv.decode(row["bytes"], encoding).splitlines()]
        )
        return [tuple(row["line"].split(",")) for row in lines.take_all()]
    finally:
        ray.shutdown()


def by_spark(path, encoding):
    from pyspark.sql import SparkSession

    from utfconv.spark import TextDataSource

    # Set Spark's interpreter to this one, because its worker processes must find utfconv and pyarrow, too.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.dataSource.register(TextDataSource)
    source = spark.read.format("utfconv").option("encoding", encoding).option("partitionbytes", 100_000)
    return [tuple(row.value.split(",")) for row in source.load(path).collect()]


ENGINES = {name[3:]: function for name, function in list(globals().items()) if name.startswith("by_")}
MODULES = {"csv": "csv", "spark": "pyspark"}


def table(lines):
    names = ("日本", "東京", "大阪", "あいう", "漢字")
    return [(str(number), names[number % 5], f"x{number * 7}") for number in range(lines)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"{', '.join(ENGINES)} (all that are installed)")
    parser.add_argument("--lines", type=int, default=20_000, metavar="N", help="of the table (%(default)s)")
    args = parser.parse_args()
    rows = table(args.lines)
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for name in NAMES:
            with utfconv.open(os.path.join(directory, name), "w", name, newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)
        for engine in args.engines or ENGINES:
            if not args.engines and importlib.util.find_spec(MODULES.get(engine, engine)) is None:
                print(f"{engine}: skipped, not installed")
                continue
            for name in NAMES:
                began = time.perf_counter()
                found = sorted(ENGINES[engine](os.path.join(directory, name), name))
                is_equal = found == sorted(rows)
                failed += not is_equal
                took = time.perf_counter() - began
                print(f"{engine}, {name}: {'equal' if is_equal else f'differs: {found[:3]}'}, {took:.2f} s", flush=True)
    print(f"{failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
