"""Creates a Spark context for the examples: on this machine, or on the cluster that spark-submit names."""

import contextlib
import re

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf, SparkContext

import ranges


@contextlib.contextmanager
def spark(workers):
    """Creates a context whose tasks can import ranges.py. A task that fails ends the block with the task's message."""
    conf = SparkConf().setAppName("utfconv").setIfMissing("spark.master", f"local[{workers}]")
    with SparkContext(conf=conf) as context:
        context.addPyFile(ranges.__file__)
        try:
            yield context
        except Py4JJavaError as error:
            # Extract the message, which is between a Java and a Python traceback.
            said = error.java_exception.getMessage().rpartition("ranges.Failed: ")[2]
            raise ranges.Failed(re.split(r"\n SQLSTATE|\n\tat ", said)[0].strip()) from None
