"""The commands by which launchers start a step, as values. This module runs nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A program to start in an allocation."""

    program: list
    host_map: str | None  # file that CUBEFOLD_HOSTS names
    process_count: int | None = None  # None: the launcher decides
    ranks: str | None = None  # file of the launcher with the host of every rank; None: the launcher decides
    hostfile: str | None = None  # file with the hosts, outside Slurm
    mpi: str | None = None  # how srun starts MPI programs
    preload: str | None = None  # value of LD_PRELOAD for the ranks alone, which the launcher itself must not load
    profile: str | None = None  # file that the profiling library writes
    reorder: bool = False  # whether the preloaded library may give new ranks

    @property
    def variables(self):
        """The variables of the ranks, besides LD_PRELOAD."""
        values = {"CUBEFOLD_HOSTS": self.host_map, "CUBEFOLD_PROFILE": self.profile,
                  "CUBEFOLD_REORDER": "on" if self.reorder else None}
        return {name: value for name, value in values.items() if value}


@dataclass(frozen=True)
class Command:
    words: list
    variables: dict  # added to the environment


def _srun(step):
    words = ["srun", *([f"--mpi={step.mpi}"] if step.mpi else [])]
    if step.process_count:
        words += ["--ntasks", str(step.process_count)]
    variables = dict(step.variables)
    if step.preload:
        words.append(f"--export=ALL,LD_PRELOAD={step.preload}")
    if step.ranks:
        words += ["--distribution", "arbitrary"]
        variables["SLURM_HOSTFILE"] = step.ranks
    return Command([*words, *step.program], variables)


def _mpirun(step, *ranks):
    words = ["mpirun", *(["--hostfile", step.hostfile] if step.hostfile else [])]
    if step.process_count:
        words += ["-n", str(step.process_count)]
    if step.ranks:
        words += ranks
    preload = ["-x", f"LD_PRELOAD={step.preload}"] if step.preload else []
    names = [word for name in step.variables for word in ("-x", name)]
    return Command([*words, *names, *preload, *step.program], step.variables)


def _mpirun_4(step):
    return _mpirun(step, "--rankfile", step.ranks)


def _mpirun_5(step):
    return _mpirun(step, "--map-by", f"rankfile:FILE={step.ranks}", "--bind-to", "none")


def _hydra(step):
    hosts = step.ranks or step.hostfile  # hydra fills the lines in their order, and a host may have several lines
    words = ["mpiexec.hydra", *(["-f", hosts] if hosts else [])]
    if step.process_count:
        words += ["-n", str(step.process_count)]
    preload = ["-genv", "LD_PRELOAD", step.preload] if step.preload else []
    values = [word for name, value in step.variables.items() for word in ("-genv", name, value)]
    return Command([*words, *values, *preload, *step.program], {})


@dataclass(frozen=True)
class Launcher:
    command: object  # returns the Command of a Step
    ranks_format: str  # format of `cubefold map --emit` for the hosts of ranks


LAUNCHERS = {
    "srun": Launcher(_srun, "slurm-hostfile"),
    "mpirun-4": Launcher(_mpirun_4, "rankfile"),
    "mpirun-5": Launcher(_mpirun_5, "rankfile"),
    "hydra": Launcher(_hydra, "slurm-hostfile"),
}


def launcher_of_mpirun(version_text):
    """Returns the launcher that prints this text for `mpirun --version`, or None for an unknown one. Open MPI 5 and
    later have the same options."""
    words = version_text.split()
    if words[:3] == ["mpirun", "(Open", "MPI)"] and len(words) > 3 and words[3].split(".")[0].isdigit():
        return "mpirun-4" if int(words[3].split(".")[0]) < 5 else "mpirun-5"
    return "hydra" if "HYDRA" in words else None


def srun_mpi(list_text):
    """Returns the value of --mpi by what `srun --mpi=list` prints: PMIx if it is there, else PMI-2, else None."""
    known = list_text.replace(":", " ").split()
    return next((name for name in ("pmix", "pmi2") if name in known), None)
