"""The process that owns a lab: the first one of separate process, mount and network namespaces.

It reads what to build from standard input, as JSON on one line, and prints `ready` or an error. A second line says
that the lab's state is saved; without it the process ends, because nobody could find the lab. Then it only waits. When
it ends, for any reason, the kernel removes all namespaces, devices and processes of the lab. No other cleaning up is
needed, and names of two labs cannot collide.
"""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from .errors import LabError

FOLDER = "/run/lab"  # in the lab's own /run


def _call(command, text=""):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise LabError(f"{' '.join(command)}: {' '.join(done.stderr.split())}")


def _batch(program, namespace, lines):
    _call([program, *(["-n", namespace] if namespace else []), "-batch", "-"], "\n".join(lines) + "\n")


def _private_run(hosts):
    _call(["mount", "-t", "tmpfs", "tmpfs", "/run"])
    os.mkdir(FOLDER)
    with open(f"{FOLDER}/hosts", "w", encoding="ascii") as file:
        file.write(hosts)
    _call(["mount", "--bind", f"{FOLDER}/hosts", "/etc/hosts"])


def _configure(plan, settings, namespace):
    _call(["ip", "netns", "exec", namespace, "sh", "-e"],
          "\n".join(f"echo {value} >/proc/sys/{name}" for name, value in settings.items()))
    _batch("ip", namespace, plan["ip"][namespace])
    _batch("tc", namespace, plan["tc"][namespace])


def _write(path, text, mode):
    with open(path, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(text)


def _start_slurm(plan, workers):
    for folder in plan["hidden"]:
        _call(["mount", "-t", "tmpfs", "tmpfs", folder])
    for folder in plan["folders"]:
        os.makedirs(folder)
    for path, (text, mode) in plan["files"].items():
        _write(path, text, mode)
    for command in plan["first"]:
        _call(command)
    list(workers.map(_call, plan["nodes"]))


def build(order):
    _private_run(order["hosts"])
    plan = order["plan"]
    _batch("ip", None, [f"netns add {name}" for name in plan["namespaces"]])
    _batch("ip", None, plan["cables"])
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        list(workers.map(lambda name: _configure(plan, order["settings"], name), plan["namespaces"]))
        if order["slurm"]:
            _start_slurm(order["slurm"], workers)


def wait_for_the_end():
    """Waits for the end of the lab, and for orphaned processes of the lab, which are children of this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            signal.sigtimedwait([signal.SIGCHLD], 1)


def main():
    try:
        build(json.loads(sys.stdin.readline()))
    except (LabError, OSError) as error:
        print(error, flush=True)
        return
    print("ready", flush=True)
    if not sys.stdin.readline():
        return
    # The output of this process is no longer read. The terminal belongs to the programs of the lab.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    wait_for_the_end()


if __name__ == "__main__":
    main()
