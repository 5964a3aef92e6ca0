"""A Spark context for the examples: on this machine, or the cluster that spark-submit names."""

import contextlib
import re

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf, SparkContext

import ranges


@contextlib.contextmanager
def spark(workers):
    """A context whose tasks know ranges.py. A task that fails ends the block with its message."""
    conf = SparkConf().setAppName("utfconv").setIfMissing("spark.master", f"local[{workers}]")
    with SparkContext(conf=conf) as context:
        context.addPyFile(ranges.__file__)
        try:
            yield context
        except Py4JJavaError as error:
            # Between the tracebacks of two languages.
            said = error.java_exception.getMessage().rpartition("ranges.Failed: ")[2]
            raise ranges.Failed(re.split(r"\n SQLSTATE|\n\tat ", said)[0].strip()) from None
