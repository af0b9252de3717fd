"""Starts Slurm on the nodes of a lab, and runs commands of its users."""

import os
import shutil
import subprocess
import time

from . import launch, slurm_files, wiring
from .errors import LabError
from .lab import call_inside, need, status_inside

PROGRAMS = {"slurmctld": "slurmctld", "slurmd": "slurmd", "scontrol": "slurm-client", "munged": "munge"}
VERSION = "22.05"
DEFAULT_SLOTS = 4
START_LIMIT_SECONDS = 60


def check():
    """Requires Slurm in the version for which the lab has settings, and the rights to start it."""
    if os.geteuid() != 0:
        raise LabError("--slurm needs root, because slurmd changes the groups of processes, which user namespaces do "
                       "not allow")
    need(PROGRAMS)
    found = subprocess.run(["slurmctld", "-V"], capture_output=True, text=True).stdout.split()
    if not found or not found[-1].startswith(f"{VERSION}."):
        raise LabError(f"--slurm needs Slurm {VERSION}; slurmctld is of {' '.join(found) or 'no known version'}")


def _as_launcher(*command):
    """Returns the command line that runs a command on the host of the launcher, which is a separate name only."""
    return ["unshare", "--uts", "sh", "-ec", 'hostname "$0"; exec "$@"', wiring.LAUNCHER, *command]


def _node_daemon(name):
    start = 'mount -t tmpfs tmpfs "$1"; hostname "$0"; exec slurmd -N "$0"'
    return ["ip", "netns", "exec", name, "unshare", "--uts", "--mount", "sh", "-ec", start, name,
            slurm_files.PMIX_FOLDER]


def start_plan(network, slots):
    """Returns files, folders and commands for the first process of the lab."""
    munged = ["munged", "--force", f"--key-file={slurm_files.KEY_FILE}",
              f"--seed-file={slurm_files.FOLDER}/munge.seed", f"--log-file={slurm_files.FOLDER}/munged.log"]
    nodes = [wiring.node_name(node) for node in range(network.node_count)]
    return {
        "hidden": [slurm_files.SETTINGS_FOLDER],
        "folders": slurm_files.FOLDERS + [f"{slurm_files.FOLDER}/spool-{name}" for name in nodes],
        "files": slurm_files.files(network, slots, shutil.which("scontrol")),
        "first": [_as_launcher(*munged), _as_launcher("slurmctld")],
        "nodes": [_node_daemon(name) for name in nodes],
    }


def wait_until_idle(lab):
    """Waits until Slurm can start jobs on all nodes."""
    end = time.monotonic() + START_LIMIT_SECONDS
    while (states := set(call_inside(lab, ["sinfo", "-h", "-o", "%T"]).split())) != {"idle"}:
        if time.monotonic() > end:
            log = call_inside(lab, ["tail", "-n", "1", f"{slurm_files.FOLDER}/slurmctld.log"]).strip()
            raise LabError(f"Slurm's nodes are {' and '.join(sorted(states))} after {START_LIMIT_SECONDS} s; the last "
                           f"line of its controller's log: {log}")
        time.sleep(0.1)


def login(lab, program_folder, command, preload):
    """Runs a command on the host of the launcher, which finds the programs of cubefold. Returns its exit status."""
    if not lab.slots:
        raise LabError(f"lab '{lab.name}' has no Slurm (cubefold-lab up --slurm brings up a lab with Slurm)")
    path = os.pathsep.join([slurm_files.PROGRAM_FOLDER, str(program_folder), os.environ.get("PATH", os.defpath)])
    environment = {**launch.job_environment(launch.COMMUNICATION, os.environ, preload), "PATH": path}
    return status_inside(lab, _as_launcher(*command), environment)
