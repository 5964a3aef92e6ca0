#!/usr/bin/env python3
"""Converts one huge file with Ray: a task for each range, which writes a part.

    ray_convert.py --workers 4 --ranges 64 --join big.utf16 big.txt parts -- -t UTF-16

A range that fails ends the run. With RAY_ADDRESS in the environment it runs on that cluster.
"""

import os

import ray
from ray.exceptions import RayError

import ranges


def convert_all(conversion, spans, workers):
    # A cluster has as many workers as it has.
    ray.init(num_cpus=None if "RAY_ADDRESS" in os.environ else workers)
    # The tasks bring ranges.py along.
    ray.cloudpickle.register_pickle_by_value(ranges)

    @ray.remote
    def convert(span):
        return conversion.convert(span)

    pending, times = [convert.remote(span) for span in spans], []
    try:
        # As they end, for the first that fails to end all.
        while pending:
            done, pending = ray.wait(pending)
            times += ray.get(done)
    except RayError as error:
        raise ranges.Failed(str(getattr(error, "cause", error))) from None
    finally:
        ray.shutdown()
    return times


if __name__ == "__main__":
    ranges.main(ranges.convert, convert_all, __doc__)
