"""What the kernel says about processes, and signals to them."""

import os
import signal
from contextlib import suppress
from pathlib import Path


def stat_of(process):
    """Returns state, parent and start time of a process, or None if it does not exist."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return fields[0], int(fields[1]), int(fields[19])


def is_stopped(process):
    """Returns whether a process is there and waits for SIGCONT."""
    found = stat_of(process)
    return found is not None and found[0] == "T"


def child_of(parent):
    """Returns number and start time of a process's child, or None."""
    for entry in Path("/proc").glob("[0-9]*"):
        found = stat_of(entry.name)
        if found and found[1] == parent:
            return int(entry.name), found[2]
    return None


def signal_to(process, number):
    """Sends a signal to a process, if it still exists."""
    with suppress(ProcessLookupError):
        os.kill(process, number)


def resume_parents_of(namespace):
    """Lets all processes go on whose children are in a namespace of processes, as that of nsenter."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or belongs to another user
            if os.readlink(entry / "ns/pid_for_children") == namespace:
                os.kill(int(entry.name), signal.SIGCONT)
