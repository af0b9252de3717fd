"""The hosts of the allocation in which the program runs, by Slurm's environment or a hostfile."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from cubefold_lab.errors import LabError


@dataclass(frozen=True)
class Allocation:
    hosts: str  # a list as `cubefold discover --hosts` takes it, or nothing for this host alone
    process_count: int | None = None  # if the allocation was asked for a number of processes
    hostfile: str | None = None

    @property
    def is_of_slurm(self):
        return bool(self.hosts) and self.hostfile is None


def of_slurm():
    """Returns the allocation of the Slurm job, or None outside of one."""
    hosts = os.environ.get("SLURM_JOB_NODELIST")
    if not hosts:
        return None
    count = os.environ.get("SLURM_NTASKS", "")
    return Allocation(hosts, int(count) if count.isdigit() else None)


def of_hostfile(path):
    """Returns the hosts of a file with lines `HOST`, `HOST slots=N` or `HOST:N`. Comments begin with #."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError as error:
        raise LabError(f"{path}: cannot read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LabError(f"{path}: not a text with a host on each line") from None
    words = [line.partition("#")[0].split() for line in lines]
    hosts = [line[0].partition(":")[0] for line in words if line]
    if not hosts:
        raise LabError(f"{path}: names no host")
    return Allocation(",".join(dict.fromkeys(hosts)), None, path)


def find(hostfile, needs_hosts):
    """Returns the allocation. If no hosts are needed, this host will do."""
    allocation = of_hostfile(hostfile) if hostfile else of_slurm()
    if allocation is None and not needs_hosts:
        return Allocation("")
    if allocation is None:
        raise LabError("there is no allocation: start it inside a Slurm job, or name the hosts with --hostfile")
    return allocation
