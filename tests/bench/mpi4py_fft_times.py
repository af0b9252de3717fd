"""Run by every process: times of mpi4py-fft for complex points, forward and back, of the slowest process.

Arguments: slab or pencil, the points of an axis of the cube, and the number of calls.
"""

import sys
import time

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

WORLD = MPI.COMM_WORLD


def times_of(decomposition, length, calls):
    options = {"grid": (-1,)} if decomposition == "slab" else {}
    plan = PFFT(WORLD, (length, length, length), dtype=np.complex128, **options)
    points, spectrum = newDistArray(plan, False), newDistArray(plan, True)
    points[:] = np.random.default_rng(WORLD.rank).standard_normal(points.shape)
    back = np.empty_like(points)
    for _ in range(calls):
        WORLD.Barrier()
        start = time.perf_counter()
        plan.forward(points, spectrum)
        plan.backward(spectrum, back)
        yield WORLD.allreduce(time.perf_counter() - start, MPI.MAX)
        assert np.allclose(back, points)


def main():
    decomposition, length, calls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seconds = list(times_of(decomposition, length, calls))
    if WORLD.rank == 0:
        print(f"{decomposition} of {length}^3 points: {np.median(seconds[calls // 2:]):.4f} s, "
              f"the median of the last {calls - calls // 2} calls")


main()
