"""Measures the G-FFT of the HPC Challenge, from Debian's package hpcc, for a vector of a given length."""

import re
import shutil
import subprocess
import time
from math import isqrt

LONGEST_SECONDS = 1500
POLL_SECONDS = 1
VECTORS = 4  # number of vectors of 16 bytes a point that the G-FFT counts
END = "End of MPIFFT section."

# Only the order of the matrix and the single process in the grid of HPL matter. The vectors of a process take the
# memory of that matrix.
INPUT = """HPLinpack benchmark input file
for ./dev bench
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
{order}      Ns
1            # of NBs
64           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
1            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### separator #####
0            more problem sizes for PTRANS
0            values of N
0            more blocking sizes for PTRANS
0            values of NB
"""


def matrix_order(points, processes):
    """Returns the smallest order for which the vector has at least `points`."""
    numbers = VECTORS * 16 // 8 * points // processes
    root = isqrt(numbers)
    return root if root * root == numbers else root + 1


def _read(file):
    return file.read_text() if file.exists() else ""


def _ended(job, file):
    """Waits for the transform. The later measurements of hpcc take longer and are not needed."""
    last = time.monotonic() + LONGEST_SECONDS
    while END not in _read(file) and job.poll() is None and time.monotonic() < last:
        time.sleep(POLL_SECONDS)
    job.terminate()
    job.wait()
    return _read(file)


def result_of(text):
    """Returns points and flops per second from the output of hpcc, or None."""
    section = text.partition("Begin of MPIFFT section.")[2].partition(END)[0]
    found = re.search(r"Vector size:\s*(\d+).*?Gflop/s:\s*([\d.]+)", section, re.S)
    return {"points": int(found[1]), "flops": float(found[2]) * 1e9} if found else None


def measure(setting, points, processes, progress):
    """Runs hpcc once. Returns None if hpcc is not installed or does not end."""
    program = shutil.which("hpcc")
    if program is None:
        progress("no G-FFT: hpcc is not installed")
        return None
    progress(f"G-FFT of {points} points on {processes} processes, after all that hpcc measures before it")
    folder = setting.scratch / "hpcc"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "hpccinf.txt").write_text(INPUT.format(order=matrix_order(points, processes)))
    job = subprocess.Popen(["mpirun", "-n", str(processes), program], cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    return result_of(_ended(job, folder / "hpccoutf.txt"))
