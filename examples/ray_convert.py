#!/usr/bin/env python3
"""Converts one huge file with Ray: a task for each range, which writes a part.

    ray_convert.py --workers 4 --ranges 64 --join big.utf16 big.txt parts -- -t UTF-16

A range that fails ends the run. If the environment variable RAY_ADDRESS is set, the script runs on that cluster.
"""

import os

import ray
from ray.exceptions import RayError

import ranges


def convert_all(conversion, spans, workers):
    # Set the number of CPUs only on a single machine, because a cluster has a fixed number of workers.
    ray.init(num_cpus=None if "RAY_ADDRESS" in os.environ else workers)
    # Send the module ranges.py with the tasks, because workers may not have it.
    ray.cloudpickle.register_pickle_by_value(ranges)

    @ray.remote
    def convert(span):
        return conversion.convert(span)

    pending, times = [convert.remote(span) for span in spans], []
    try:
        # Wait for tasks in the order in which they end, so that the first failure ends the run.
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
