"""Runs InfiniBand's own tools on fabrics that ibsim simulates, which needs no adapter and no rights."""

import itertools
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

PROGRAMS = ["ibsim", "ibsim-run", "ibnetdiscover", "opensm", "dump_fts"]
numbers = itertools.count()


class SimulatedFabric:
    """A simulator that runs inside a `with` block. `discovered` is the file that ibnetdiscover writes."""

    def __init__(self, folder, text):
        # A socket of the simulator has a name for all of the machine. Debian's ibsim-run misspells its library
        # where another one is preloaded, as tests with MPICH have it.
        self.environment = {**os.environ, "LD_PRELOAD": "", "IBSIM_SOCKNAME": f"cubefold{os.getpid()}-{next(numbers)}",
                            "OSM_TMP_DIR": str(folder), "OSM_CACHE_DIR": str(folder),
                            "PATH": os.environ["PATH"] + ":/usr/sbin"}
        if not all(shutil.which(program, path=self.environment["PATH"]) for program in PROGRAMS):
            pytest.skip("needs ibsim-utils, libumad2sim0, infiniband-diags and opensm")
        self.folder = folder
        self.discovered = folder / "discovered.txt"
        (folder / "fabric.net").write_text(text)

    def __enter__(self):
        self.simulator = subprocess.Popen(
            ["ibsim", "-s", "-n", "-N", "2000", "-S", "1000", "-P", "20000", "fabric.net"], cwd=self.folder,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.discovered.write_text(self.discover())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.simulator.send_signal(signal.SIGKILL)
        self.simulator.wait()

    def run(self, *command):
        return subprocess.run(["ibsim-run", *map(str, command)], cwd=self.folder, env=self.environment, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def listens(self):
        return f"@{self.environment['IBSIM_SOCKNAME']}:out9" in Path("/proc/net/unix").read_text()

    def discover(self, *options):
        while not self.listens():
            assert self.simulator.poll() is None, "ibsim ended"
            time.sleep(0.01)
        answer = self.run("ibnetdiscover", *options)
        assert answer.returncode == 0 and "Switch" in answer.stdout, answer.stderr
        return answer.stdout

    def route(self, engine, *options):
        """Runs OpenSM once with a routing engine. Returns the file of the forwarding tables that it wrote."""
        log = self.folder / "opensm.log"
        log.unlink(missing_ok=True)
        answer = self.run("opensm", "-o", "-f", log, "-R", f"{engine},no_fallback", *options, "-D", "0x43")
        assert answer.returncode == 0, answer.stderr
        assert f"{engine} tables configured on all switches" in log.read_text(), log.read_text()
        tables = self.folder / f"{engine}.dump"
        (self.folder / "opensm-lfts.dump").rename(tables)
        return tables

    def dump_fts(self, *options):
        """Returns a file with the tables that the switches have now, as an administrator gets it."""
        tables = self.folder / "dump_fts.txt"
        tables.write_text(self.run("dump_fts", *options).stdout)
        return tables
