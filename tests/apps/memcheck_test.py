"""Runs programs under valgrind's memcheck with small problems. ./dev valgrind runs more of them."""

import re
import shutil

import pytest

from jobs import BUILD, IS_SANITIZED, WITH_MPICH
from memcheck import LEAKS, Run, run_of_program
from sweeps import more

pytestmark = [pytest.mark.skipif(WITH_MPICH, reason="memcheck.supp names what Open MPI does"),
              pytest.mark.skipif(IS_SANITIZED, reason="valgrind does not run programs with sanitizers"),
              pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")]


def expect_clean(run):
    assert run.errors == [], run.errors[0]
    assert run.status == 0, run.err


@pytest.mark.parametrize("name", ["fft-with-all", more("exchange"), more("permute")])
def test_programs_leak_nothing_and_read_only_what_has_a_value(name, tmp_path):
    expect_clean(run_of_program(name, 2, tmp_path))


@pytest.mark.parametrize("arguments", [["map", "torus:3x3,cut=0-1", "--phase", "alltoall"],
                                       more(["map", "hypercube:3", "--phase", "cube", "--per-node", "2"]),
                                       more(["plan", "exchange", "ring:5", "--block", "1KiB"]),
                                       more(["draw", "torus:4x2", "--output", "-"]),
                                       more(["lcc", "3", "--phase", "bit-reversal"])])
def test_the_planner_leaks_nothing_and_reads_only_what_has_a_value(arguments, tmp_path):
    expect_clean(Run([BUILD / "bin/cubefold", *arguments], 0, tmp_path, LEAKS))


def test_a_refusal_leaks_nothing(tmp_path):
    run = Run([BUILD / "bin/cubefold", "map", "torus:3x3", "--phase", "?"], 0, tmp_path, LEAKS)
    assert (run.errors, run.status) == ([], 2)


def test_leaks_and_reads_of_memory_without_a_value_are_reported(tmp_path):
    run = Run([BUILD / "bin/careless"], 1, tmp_path, LEAKS)
    assert len(run.errors) == 1
    assert "depends on uninitialised value" in run.errors[0]
    assert re.search(r"definitely lost.*\n(==.*\n){1,4}==.*bin/careless", run.errors[0])
