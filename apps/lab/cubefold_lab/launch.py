"""Runs an MPI program on the nodes of a lab: process k on node k // per_node, over the lab's links only."""

import os
import subprocess

from . import wiring
from .errors import LabError
from .holder import FOLDER
from .lab import call_inside, entering

# The limit is above what programs send at once. Beyond it a message waits for the receiver's answer, which would queue
# behind the data of the opposite direction.
EAGER_LIMIT_BYTES = 8 << 20

# mpirun calls the agent as it would call ssh: the host first, then the words of a shell command.
AGENT = """#!/bin/sh
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c 'hostname "$0" && exec sh -c "$*"' "$host" "$@"
"""

MCA = {
    "pml": "ob1",
    "btl": "tcp,self",
    "btl_tcp_if_include": wiring.DATA_SUBNET,
    "btl_tcp_eager_limit": str(EAGER_LIMIT_BYTES),
    "oob_tcp_if_include": wiring.CONTROL_SUBNET,
    "orte_tmpdir_base": FOLDER,  # in the lab, so that it is removed with it and collides with no other
    "plm_rsh_agent": f"{FOLDER}/agent",
    "plm_rsh_no_tree_spawn": "1",
    "mpi_yield_when_idle": "1",
    "hwloc_base_binding_policy": "none",
}


def check_root_is_allowed(environment):
    names = ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"]
    if any(environment.get(name) != "1" for name in names):
        raise LabError(f"inside the lab everybody is root, and mpirun refuses root unless {names[0]}=1 and "
                       f"{names[1]}=1 are in the environment")


def job_environment(lab, environment, preload):
    """Returns the caller's environment with the settings of MPI for the lab. Settings of the caller are kept."""
    ours = {f"OMPI_MCA_{name}": value for name, value in MCA.items()}
    ours["CUBEFOLD_GRID"] = lab.network.grid
    preloads = ":".join(filter(None, [environment.get("LD_PRELOAD"), str(preload)]))
    return {**ours, **environment, "LD_PRELOAD": preloads}


def mpirun_command(process_count, program, mca=(), time_limit=None):
    options = [word for name, value in mca for word in ("--mca", name, value)]
    if time_limit:
        options += ["--timeout", str(time_limit)]
    return ["mpirun", "--hostfile", f"{FOLDER}/hostfile", "-n", str(process_count), *options,
            *program]


def _write_inside(lab, name, text, mode):
    call_inside(lab, ["sh", "-c", 'cat >"$0" && chmod "$1" "$0"', f"{FOLDER}/{name}", mode], text)


def run(lab, process_count, per_node, program, preload, **options):
    """Runs the program and returns its exit status."""
    environment = job_environment(lab, os.environ, preload)
    check_root_is_allowed(environment)
    room = lab.network.node_count * per_node
    if not 1 <= process_count <= room:
        raise LabError(f"-n {process_count}: {lab.network.grid} has room for 1 to {room} processes, {per_node} per "
                       "node")
    hosts = [f"{wiring.node_name(n)} slots={per_node}" for n in range(lab.network.node_count)]
    _write_inside(lab, "hostfile", "\n".join(hosts) + "\n", "644")
    _write_inside(lab, "agent", AGENT, "755")
    job = subprocess.Popen(entering(lab, mpirun_command(process_count, program, **options)), env=environment)
    while True:
        try:
            return job.wait()
        except KeyboardInterrupt:
            pass  # mpirun got the signal too, and stops its processes
