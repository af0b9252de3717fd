"""A lab that is up: functions bring it up, enter it and take it down, and a file holds its state."""

import dataclasses
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from . import wiring
from .errors import LabError, without_program
from .foreground import completed, status_of
from .network import network_from_json
from .outputs import write_whole
from .processes import child_of, resume_parents_of, stat_of
from .wiring import Shape


@dataclass
class Lab:
    name: str
    holder: int  # process number of the lab's first process, as seen from outside
    holder_start: int  # its start time in ticks, because process numbers are used again
    started: float  # seconds since the epoch
    own_user_namespace: bool
    shape: Shape
    network: object
    slots: int = 0  # processes that Slurm starts on a node, or 0 if the lab has no Slurm
    slow: dict = field(default_factory=dict)  # link index: bits per second
    cut: list = field(default_factory=list)  # link indices
    counted_from: dict = field(default_factory=dict)  # link index: bytes at the last reset


def state_folder():
    """Returns the folder of the state files. That of root is the same with sudo and sudo -E, which differ in
    XDG_RUNTIME_DIR."""
    if os.geteuid() == 0:
        return Path("/run/cubefold-lab")
    own = os.environ.get("XDG_RUNTIME_DIR")
    return Path(own) / "cubefold-lab" if own else Path(f"/tmp/cubefold-lab-{os.geteuid()}")


def _state_file(name):
    return state_folder() / f"{name}.json"


def require_own(folder):
    """Requires that only this user can write to the folder, because its files name processes to enter and to end."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise LabError(f"{folder} is no folder")
    if found.st_uid != os.geteuid():
        raise LabError(f"{folder} belongs to somebody else")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise LabError(f"others can write to {folder}")


def save(lab):
    folder = state_folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    require_own(folder)
    write_whole(_state_file(lab.name), json.dumps(dataclasses.asdict(lab)))


def _from_json(text):
    state = json.loads(text)
    described = state["network"]
    network = network_from_json(json.dumps({
        "grid": described["grid"], "tie": described["tie"], "coordinates": described["coordinates"],
        "next_hop": described["next_hop"],
        "links": [{"from": k["source"], "to": k["target"], **k} for k in described["links"]]}))
    numbered = {key: {int(k): v for k, v in state[key].items()} for key in ("slow", "counted_from")}
    return Lab(**{**state, "network": network, "shape": Shape(**state["shape"]), **numbered})


def _is_alive(lab):
    found = stat_of(lab.holder)
    return found is not None and found[0] != "Z" and found[2] == lab.holder_start


def labs():
    """Returns all labs of this user that are up. Removes the state files of labs whose first process has ended."""
    found = []
    folder = state_folder()
    if not folder.exists():
        return found
    require_own(folder)
    for file in sorted(folder.glob("*.json")):
        with suppress(FileNotFoundError):  # its lab has been taken down since
            lab = _from_json(file.read_text())
            if _is_alive(lab):
                found.append(lab)
            else:
                file.unlink()
    return found


def find(name):
    for lab in labs():
        if lab.name == name:
            return lab
    raise LabError(f"no lab '{name}' is up (cubefold-lab status lists those that are)")


def need(programs):
    for program, package in programs.items():
        if not shutil.which(program):
            raise LabError(f"needs the program '{program}', which is in Debian's package {package}")


def _isolation():
    """Returns the command that makes separate namespaces: directly as root, and otherwise through a user namespace."""
    common = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    return common if os.geteuid() == 0 else [*common, "--user", "--map-root-user"]


def check_rights():
    tried = subprocess.run([*_isolation(), "true"], capture_output=True, text=True)
    if tried.returncode == 0:
        return
    why = without_program(tried.stderr)
    if os.geteuid() == 0:
        raise LabError(f"root may not make namespaces here ({why}); a container needs the capability SYS_ADMIN")
    raise LabError(f"needs root or unprivileged user namespaces ({why}): run it with sudo, or look at the sysctls "
                   "user.max_user_namespaces, kernel.unprivileged_userns_clone and "
                   "kernel.apparmor_restrict_unprivileged_userns")


def _start_holder(order):
    """Starts the first process of the lab, and waits until the network is up. Returns the process that has started it,
    and number and start time of the first process, which ends unless it gets another line."""
    package_folder = str(Path(__file__).resolve().parent.parent)
    starter = subprocess.Popen([*_isolation(), sys.executable, "-B", "-m", "cubefold_lab.holder"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, start_new_session=True,
                               cwd="/", env={**os.environ, "PYTHONPATH": package_folder})
    try:
        starter.stdin.write(json.dumps(order) + "\n")
        starter.stdin.flush()
        answer = starter.stdout.readline().strip()
        if answer != "ready":
            raise LabError(answer or "the lab's first process ended before the network stood")
        holder = child_of(starter.pid)
        if not holder:
            raise LabError("the lab's first process ended at once")
        return starter, *holder
    except BaseException:
        starter.kill()
        starter.wait()
        raise


def bring_up(name, network, shape, slots=0, slurm=None):
    """Brings a lab up, with Slurm if there is a plan of it."""
    if any(lab.name == name for lab in labs()):
        raise LabError(f"lab '{name}' is up already (cubefold-lab down takes it down, --name gives another a name)")
    order = {"plan": dataclasses.asdict(wiring.wiring(network, shape)), "settings": wiring.SETTINGS,
             "hosts": wiring.hosts_file(network), "slurm": slurm}
    starter, holder, start = _start_holder(order)
    lab = Lab(name, holder, start, time.time(), os.geteuid() != 0, shape, network, slots)
    with starter.stdin:
        save(lab)
        starter.stdin.write("saved\n")
    return lab


def take_down(lab):
    """Ends the first process of the lab, and with it everything in the lab. Returns when it has ended. The kernel waits
    until every nsenter has heard of the end of its command, so one that is stopped has to go on."""
    if _is_alive(lab):
        namespace = os.readlink(f"/proc/{lab.holder}/ns/pid")
        os.kill(lab.holder, signal.SIGKILL)
        while _is_alive(lab):
            resume_parents_of(namespace)
            time.sleep(0.01)
    _state_file(lab.name).unlink(missing_ok=True)


def entering(lab, command):
    """Returns the command line that runs a command inside the lab, in the current folder. nsenter waits for the
    command, which gets SIGTERM if nsenter is killed."""
    user = ["--user", "--preserve-credentials"] if lab.own_user_namespace else []
    return ["nsenter", "--target", str(lab.holder), *user, "--mount", "--net", "--pid",
            "setpriv", "--pdeathsig", "TERM", "sh", "-c", 'cd "$0" && exec "$@"', os.getcwd(), *command]


def _process_of(nsenter):
    """Returns the process for which nsenter waits, or nsenter's own before that exists."""
    return (child_of(nsenter.pid) or [nsenter.pid])[0]


def status_inside(lab, command, environment=None):
    """Runs a command inside the lab in the foreground, and returns its exit status."""
    return status_of(entering(lab, command), environment, _process_of)


def try_inside(lab, command, text=""):
    """Runs a command in the lab with this input, and returns what subprocess.run returns."""
    return completed(entering(lab, command), text, _process_of)


def call_inside(lab, command, text=""):
    """Runs a command in the lab and returns its output. It has to succeed."""
    done = try_inside(lab, command, text)
    if done.returncode != 0:
        raise LabError(f"{' '.join(command)}: {' '.join(done.stderr.split())}")
    return done.stdout
