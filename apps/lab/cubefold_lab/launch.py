"""Runs an MPI program on the nodes that a job gets in a lab, over the lab's links only."""

import os

from . import hosts, wiring
from .errors import LabError
from .foreground import ignore_signals
from .holder import FOLDER
from .lab import call_inside, status_inside, try_inside

# The limit is above what programs send at once. Beyond it a message waits for the receiver's answer, which would queue
# behind the data of the opposite direction.
EAGER_LIMIT_BYTES = 8 << 20

# mpirun calls the agent as it would call ssh: the host first, then the words of a shell command.
AGENT = """#!/bin/sh
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c 'hostname "$0" && exec sh -c "$*"' "$host" "$@"
"""

# Open MPI 4 has its own launcher, ORTE, and later ones use PRRTE, which has other names. Nodes of a lab share no subnet
# of a cable with most others, which makes them unreachable for Open MPI 5 unless `reachable` is `weighted`.
COMMUNICATION = {
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "tcp,self",
    "OMPI_MCA_btl_tcp_if_include": wiring.DATA_SUBNET,
    "OMPI_MCA_btl_tcp_eager_limit": str(EAGER_LIMIT_BYTES),
    "OMPI_MCA_reachable": "weighted",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_oob_tcp_if_include": wiring.CONTROL_SUBNET,
    "PRTE_MCA_prte_if_include": wiring.CONTROL_SUBNET,
    "OMPI_MCA_orte_tmpdir_base": FOLDER,  # in the lab, so that it is removed with it and collides with no other
    "PRTE_MCA_prte_tmpdir_base": FOLDER,
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}
# If mpirun's daemon on a node ends before it has answered, mpirun learns so only from the end of the agent. Therefore
# daemons stay the agents' children. This wants as many agents at the same time as there are nodes.
REMOTE_START = {
    "OMPI_MCA_plm_rsh_agent": f"{FOLDER}/agent",
    "PRTE_MCA_plm_ssh_agent": f"{FOLDER}/agent",
    "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
    "PRTE_MCA_plm_ssh_no_tree_spawn": "1",
    "OMPI_MCA_plm_rsh_num_concurrent": str(wiring.MOST_NODES),
    "PRTE_MCA_plm_ssh_num_concurrent": str(wiring.MOST_NODES),
    "OMPI_MCA_orte_leave_session_attached": "1",
    "PRTE_MCA_prte_leave_session_attached": "1",
}

# PRRTE 3 misses the end of a process that ends while its daemon still starts it, and mpirun then waits for ever: that
# was so in one of 20 runs of a short program on 32 nodes, and in none of 80 where processes took longer.
LATER_START = ["sh", "-c", 'sleep 0.1; exec "$0" "$@"']


def check_root_is_allowed(environment):
    names = ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"]
    if any(environment.get(name) != "1" for name in names):
        raise LabError(f"inside the lab everybody is root, and mpirun refuses root unless {names[0]}=1 and "
                       f"{names[1]}=1 are in the environment")


def network_setting(lab, allocation, folder):
    """Returns the variable that tells processes their nodes. The grid's name suffices if process k runs on node
    k // per_node."""
    if allocation.is_by_number(lab.network):
        return {"CUBEFOLD_GRID": lab.network.grid}
    return {"CUBEFOLD_HOSTS": f"{folder}/hosts.json"}


def pause_us(process_count, core_count):
    """Returns how long a process sleeps when it yields its core: 100 microseconds for up to 8 processes on a core, and
    as the square of their number for more, but at most 5 ms. Processes that wait would otherwise take all cores from
    the network."""
    return min(max(100, 100 * process_count**2 // (8 * core_count) ** 2), 5000)


def job_environment(settings, environment, preload):
    """Returns the caller's environment with these settings. Settings of the caller are kept, except one with which
    PRRTE starts all processes on the first node."""
    kept = {name: value for name, value in environment.items() if name != "PRTE_MCA_rmaps_default_mapping_policy"}
    preloads = ":".join(filter(None, [environment.get("LD_PRELOAD"), str(preload)]))
    return {**settings, **kept, "LD_PRELOAD": preloads}


def mpirun_command(hostfile, process_count, distribution, program, mca=(), time_limit=None):
    options = ["--map-by", "node"] if distribution == "cyclic" else []
    options += [word for name, value in mca for word in ("--mca", name, value)]
    if time_limit:
        options += ["--timeout", str(time_limit)]
    return ["mpirun", "--hostfile", hostfile, "-n", str(process_count), *options, *LATER_START, *program]


def _write_inside(lab, path, text, mode):
    call_inside(lab, ["sh", "-c", 'cat >"$0" && chmod "$1" "$0"', path, mode], text)


def _write_files(lab, folder, allocation, process_count):
    call_inside(lab, ["mkdir", folder])
    _write_inside(lab, f"{FOLDER}/agent", AGENT, "755")
    _write_inside(lab, f"{folder}/hostfile", hosts.hostfile(allocation), "644")
    places = "".join(f"{wiring.node_name(node)}\n" for node in allocation.node_of_each(process_count))
    _write_inside(lab, f"{folder}/places", places, "644")
    used = hosts.host_map(lab, allocation.used_nodes(process_count), allocation.per_node)
    _write_inside(lab, f"{folder}/hosts.json", used, "644")


def run(lab, process_count, allocation, program, preload, **options):
    """Runs the program and returns its exit status."""
    folder = f"{FOLDER}/job-{os.getpid()}"
    settings = {**COMMUNICATION, **REMOTE_START, **network_setting(lab, allocation, folder),
                "CUBEFOLD_LAB_PAUSE": str(pause_us(process_count, len(os.sched_getaffinity(0)))),
                "CUBEFOLD_LAB_PLACES": f"{folder}/places"}
    environment = job_environment(settings, os.environ, preload)
    check_root_is_allowed(environment)
    if not 1 <= process_count <= allocation.slot_count:
        raise LabError(f"-n {process_count}: the job has room for 1 to {allocation.slot_count} processes, "
                       f"{allocation.per_node} on each of {len(allocation.nodes)} nodes")
    command = mpirun_command(f"{folder}/hostfile", process_count, allocation.distribution, program, **options)
    try:
        _write_files(lab, folder, allocation, process_count)
        return status_inside(lab, command, environment)
    finally:
        ignore_signals()
        try_inside(lab, ["rm", "-rf", folder])  # the lab may have ended
