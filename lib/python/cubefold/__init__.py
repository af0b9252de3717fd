"""Places hypercube-shaped programs on mesh, torus and hypercube networks. docs/python.md has examples.

The planner needs no MPI. `Comm` and `FFT` import mpi4py when they are first used."""

from importlib import import_module

from cubefold._core import (ExchangePlan, Grid, Mapping, Placement, choose_placement, contention, optimal_order,
                            plan_exchange, schedule)
from cubefold._core import version as __version__

__all__ = ["Comm", "ExchangePlan", "FFT", "Grid", "Mapping", "Placement", "choose_placement", "contention",
           "optimal_order", "plan_exchange", "schedule"]

_WITH_MPI = {"Comm": "cubefold._mpi", "FFT": "cubefold._fft"}


def __getattr__(name):
    if name not in _WITH_MPI:
        raise AttributeError(f"module 'cubefold' has no attribute '{name}'")
    return getattr(import_module(_WITH_MPI[name]), name)
