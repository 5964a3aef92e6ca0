#!/usr/bin/env python3
"""Converts one huge file with Apache Spark: a task for each range, which writes a part.

    spark_convert.py --workers 4 --ranges 64 --join big.utf16 big.txt parts -- -t UTF-16

A range that fails fails the job. The tasks write the parts themselves, because Spark's `rdd.pipe` is for lines of text,
and does not notice that a command fails.
"""

import ranges
from spark_job import spark


def convert_all(conversion, spans, workers):
    def convert_each(spans):
        return map(conversion.convert, spans)

    with spark(workers) as context:
        return context.parallelize(spans, len(spans)).mapPartitions(convert_each).collect()


if __name__ == "__main__":
    ranges.main(ranges.convert, convert_all, __doc__)
