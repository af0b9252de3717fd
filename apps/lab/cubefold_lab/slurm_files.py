"""The files of a Slurm cluster on the nodes of a lab, as values. They are for Slurm 22.05 of Debian 12.

The controller runs on the host of the launcher. Slurm's messages travel over the control network, which has no rate
limit, and the messages of jobs over the lab's links. Everything that Slurm writes is in FOLDER, in the lab's own /run.
"""

import secrets

from . import wiring

SETTINGS_FOLDER = "/etc/slurm"
FOLDER = "/run/slurm"
PROGRAM_FOLDER = f"{FOLDER}/bin"
# The servers of PMIx on all nodes make a directory of the same name here, so each node needs a separate file system.
PMIX_FOLDER = f"{FOLDER}/pmix"
KEY_FILE = f"{FOLDER}/munge.key"
FOLDERS = ["/run/munge", PROGRAM_FOLDER, PMIX_FOLDER, f"{FOLDER}/state", f"{FOLDER}/cgroup"]

MOST_AXES = 3  # of Slurm's plug-in topology/torus3d


def _node_names(network):
    return f"node-[0-{network.node_count - 1}]"


def slurm_conf(network, slots):
    settings = {
        "ClusterName": "lab",
        "SlurmctldHost": wiring.LAUNCHER,
        "SlurmUser": "root",
        "SlurmdUser": "root",
        "AuthType": "auth/munge",
        "StateSaveLocation": f"{FOLDER}/state",
        "SlurmdSpoolDir": f"{FOLDER}/spool-%n",
        "SlurmctldPidFile": f"{FOLDER}/slurmctld.pid",
        "SlurmdPidFile": f"{FOLDER}/slurmd-%n.pid",
        "SlurmctldLogFile": f"{FOLDER}/slurmctld.log",
        "SlurmdLogFile": f"{FOLDER}/slurmd-%n.log",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "TaskProlog": f"{PROGRAM_FOLDER}/task-prolog",
        "JobAcctGatherType": "jobacct_gather/none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core",
        "SlurmdParameters": "config_overrides",  # nodes have as many slots as the lab says, and not the machine's cores
        "MpiDefault": "pmix",
        "MailProg": "/bin/true",
        "ReturnToService": "2",
        "MessageTimeout": "100",  # seconds; the cores are busy with the job, so answers may be late
        "SlurmdTimeout": "0",  # a node that is late is never taken out
        "KillOnBadExit": "1",  # otherwise a job in which a process has failed waits for ever
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items()) + (
        f"NodeName={_node_names(network)} CPUs={slots} State=UNKNOWN\n"
        "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n")


def mpi_conf():
    # With Slurm's default, which mixes trees and rings, the barrier at the end of MPI_Init lets processes go too early.
    # Open MPI 4.1.4 then gets messages that it cannot take yet: 7 of 15 programs on 16 nodes ended so, and none of 55
    # with rings only. With trees only, a step hangs that leaves out nodes in the middle of its job.
    return f"PMIxCliTmpDirBase={PMIX_FOLDER}\nPMIxCollFence=ring\n"


def _extents(network):
    return [extent + 1 for extent in network.coordinates[-1]]


def has_topology(network):
    """Returns whether Slurm has a topology plug-in for the network, which is a torus of at most three axes or a ring.
    An axis of two nodes is the same with and without a wrap link."""
    kind = network.grid.partition(":")[0]
    return kind in ("torus", "ring", "hypercube") and network.has_axes() and len(_extents(network)) <= MOST_AXES


def topology_address(network, node):
    """Returns the address of a node and its pattern, as Slurm 26.05 gives them to every task."""
    place = network.coordinates[node]
    if len(place) == 1:
        return f"lab:{place[0]}.{wiring.node_name(node)}", "ring:position.node"
    x, y, z = [*place, 0][:MOST_AXES]
    return f"lab:{x}:{y}:{z}.{wiring.node_name(node)}", "torus:x:y:z.node"


def shown_topology(network):
    """Returns what `scontrol show topology` of Slurm 26.05 prints."""
    extents = _extents(network)
    if len(extents) == 1:
        return f"RingName=lab Nodes={_node_names(network)} RingSize={extents[0]}"
    x, y, z = [*extents, 1][:MOST_AXES]
    return f"TorusName=lab Dims={x}x{y}x{z} Nodes={_node_names(network)}"


def topology_yaml(network):
    """Returns the file from which Slurm 26.05 would have its topology, for programs that look there, and which its
    `scontrol show topoconf` prints."""
    if not has_topology(network):
        return "- topology: lab\n  flat: true\n"
    extents = _extents(network)
    if len(extents) == 1:
        return f"- topology: lab\n  ring:\n    rings:\n      - ring: lab\n        nodes: {_node_names(network)}\n"
    x, y, z = [*extents, 1][:MOST_AXES]
    return ("- topology: lab\n  torus3d:\n    toruses:\n      - name: lab\n"
            f"        dims: {{x: {x}, y: {y}, z: {z}}}\n        nodes: {_node_names(network)}\n")


def task_prolog(network):
    """Returns the script that gives every task the address of its node. Slurm 22.05 does not know it."""
    lines = ["#!/bin/sh", "case $SLURMD_NODENAME in"]
    for node in range(network.node_count) if has_topology(network) else []:
        address, pattern = topology_address(network, node)
        lines.append(f"{wiring.node_name(node)}) echo export SLURM_TOPOLOGY_ADDR={address}; "
                     f"echo export SLURM_TOPOLOGY_ADDR_PATTERN={pattern} ;;")
    return "\n".join([*lines, "esac", ""])


def scontrol(network, program):
    """Returns the script in place of scontrol, which shows the topology as well."""
    lines = ["#!/bin/sh"]
    if has_topology(network):
        lines += [f'[ "$1 $2" = "show topology" ] && echo "{shown_topology(network)}" && exit',
                  f'[ "$1 $2" = "show topoconf" ] && echo "{topology_yaml(network)}" && exit']
    return "\n".join([*lines, f'exec {program} "$@"', ""])


def files(network, slots, scontrol_program):
    """Returns text and mode of every file."""
    return {
        f"{SETTINGS_FOLDER}/slurm.conf": (slurm_conf(network, slots), 0o644),
        f"{SETTINGS_FOLDER}/cgroup.conf": (
            f"CgroupPlugin=cgroup/v1\nCgroupMountpoint={FOLDER}/cgroup\nCgroupAutomount=no\n", 0o644),
        f"{SETTINGS_FOLDER}/mpi.conf": (mpi_conf(), 0o644),
        f"{SETTINGS_FOLDER}/topology.yaml": (topology_yaml(network), 0o644),
        f"{PROGRAM_FOLDER}/task-prolog": (task_prolog(network), 0o755),
        f"{PROGRAM_FOLDER}/scontrol": (scontrol(network, scontrol_program), 0o755),
        KEY_FILE: (secrets.token_hex(64), 0o400),
    }
