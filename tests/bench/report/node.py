"""The complete exchange without a network: eight processes on one node with shared memory."""

from .setting import call
from .tables import median, ratio, size_text, table, with_spread

NAME = "node"
GRID = "hypercube:3"
PROCESSES = "8"


def measure(setting, progress):
    progress(f"exchange of {PROCESSES} processes on one node")
    machine = setting.scratch / "node.json"
    under_mpi = ["mpirun", "-n", PROCESSES]
    call([*under_mpi, setting.program("cubefold-calibrate"), "--grid", GRID, "--output", machine])
    return setting.json_of([*under_mpi, setting.program("cubefold-exchange"), "--grid", GRID, "--machine", machine,
                            "--algorithm", "alltoall", "--block", "16,256,1KiB,8KiB,64KiB",
                            "--repetitions", "201" if setting.full else "21"])["results"]


def _line(block, at):
    ours, mpi = at[block, "cubefold_alltoall"], at[block, "MPI_Alltoall"]
    return [size_text(block), with_spread(ours["seconds"], unit=1e-6), with_spread(mpi["seconds"], unit=1e-6),
            ratio(median(ours["seconds"]), median(mpi["seconds"]))]


def render(rows, _folder):
    at = {(row["block_bytes"], row["algorithm"]): row for row in rows}
    lines = [_line(block, at) for block in sorted({row["block_bytes"] for row in rows})]
    return {"node_table": table(["block", "cubefold_alltoall, us", "MPI_Alltoall, us", "cubefold over MPI"], lines)}
