"""./dev instructions reads the files of callgrind, and says which cases have grown."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))

# The program calls the library, which calls the stub twice and memcpy once. The stub calls memcpy as well.
FILE = """\
events: Ir
summary: 1000

ob=(1) /build/bin/counted_exchanges
fn=(1) measure
0 10
cob=(2) /build/lib/libcubefold_mpi.so.0.1.0
cfn=(2) cubefold_alltoall
calls=10 0
0 990

ob=(2)
fn=(2)
0 600
cob=(3) /build/lib/libinstant_mpi.so
cfn=(3) PMPI_Isend
calls=20 0
0 100
cob=(4) /lib/libc.so.6
cfn=(4) memcpy
calls=10 0
0 140
cob=(3)
cfn=(5) PMPI_Allreduce
calls=10 0
0 150

ob=(3)
fn=(5)
0 110
cob=(4)
cfn=(4)
calls=10 0
0 40
"""


@pytest.fixture(scope="module")
def instructions():
    from instructions import __main__ as module
    return module


def test_what_the_stub_executes_and_calls_is_not_counted(instructions):
    counted, objects = instructions.counts_of(FILE.splitlines())
    assert counted == 1000 - 100 - 150
    assert "/build/lib/libcubefold_mpi.so.0.1.0" in objects


def test_equal_counts_break_no_rule(instructions):
    runs = {"alltoall": [(1000, 5), (1004, 5)]}
    assert not list(instructions.complaints({"tree": runs, "against": runs}))


@pytest.mark.parametrize("now, before, complaint", [
    ([(1000, 5), (1006, 5)], None, "alltoall: the runs of tree differ by 0.60 %"),
    ([(1021, 5)], [(1000, 5)], "alltoall: 2.1 % more instructions"),
    ([(1000, 6)], [(1000, 5)], "alltoall: 6 calls of MPI, before 5"),
])
def test_each_rule_is_kept(instructions, now, before, complaint):
    sides = {"tree": {"alltoall": now}, **({"against": {"alltoall": before}} if before else {})}
    assert list(instructions.complaints(sides)) == [complaint]
