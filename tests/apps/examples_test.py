"""The example of the README does what the README says, and the others what they say."""

import re

import pytest
from jobs import run


def test_readme_example_adds_up_the_ranks():
    job = run(8, "readme_example", env={"CUBEFOLD_GRID": "torus:4x2"})
    assert job.status == 0, job.err
    assert job.out == "the ranks of 8 processes add up to 28\n"


def test_readme_example_says_what_is_wrong():
    job = run(2, "readme_example", env={"CUBEFOLD_GRID": "torus:4x2"})
    assert job.status == 2
    assert "cubefold_comm_create: grid 'torus:4x2' has 8 nodes, but there are 2 processes" in job.err


@pytest.mark.parametrize("process_count", [1, 2, 4, 8, 16])
def test_bitonic_sort_sorts_a_million_keys_a_process(process_count):
    job = run(process_count, "bitonic_sort", env={"CUBEFOLD_GRID": f"ring:{process_count}"}, timeout=120)
    assert job.status == 0, job.err
    assert re.fullmatch(rf"{process_count} x 1048576 keys in \d+\.\d+ s: sorted, all there\n", job.out)


@pytest.mark.parametrize("keys", [0, 1, 1000])
def test_bitonic_sort_takes_any_number_of_keys_and_any_placement(keys):
    job = run(8, "bitonic_sort", keys, "gray", env={"CUBEFOLD_GRID": "torus:4x2"})
    assert job.status == 0, job.err
    assert f"8 x {keys} keys in " in job.out
    assert job.out.endswith("sorted, all there\n")


def test_bitonic_sort_says_that_it_needs_a_hypercube():
    job = run(3, "bitonic_sort", 10, "identity", env={"CUBEFOLD_GRID": "ring:3"})
    assert job.status == 2
    assert "bitonic_sort: ring:3 has 3 nodes; a hypercube needs a power of two\n" in job.err


def test_bitonic_sort_says_what_is_no_number_of_keys():
    job = run(2, "bitonic_sort", "-5")
    assert job.status == 2
    assert job.complaints == ["bitonic_sort: '-5' is no number of keys"]
