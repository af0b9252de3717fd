"""cubefold plan neighbors."""

import pytest

from jobs import refused_with, run_alone


def rows(grid, phase, *options):
    job = run_alone("cubefold", "plan", "neighbors", grid, "--phase", phase, "--block", "256B", *options)
    assert job.status == 0, job.err
    lines = [line.split() for line in job.out.splitlines() if line.startswith(("direct  ", "combined  "))]
    return {name: [int(number) for number in numbers[:4]] for name, *numbers in lines}, job.out


@pytest.mark.parametrize("ports, busiest", [("one", [26, 54]), ("all", [9, 27])])
def test_26_neighbours_take_6_messages(ports, busiest):
    methods, _ = rows("torus:4x4x4", "halo:4wx4wx4w:full", "--ports", ports)
    assert methods["direct"][:3] == [1, 26, busiest[0]]
    assert methods["combined"] == [3, 6, busiest[1], 6 if ports == "one" else 3]


def test_8_neighbours_take_4_messages_also_on_a_mesh():
    for grid, phase in [("torus:8x8", "halo:8wx8w:full"), ("mesh:8x8", "halo:8x8:full")]:
        methods, _ = rows(grid, phase)
        assert [each[1] for each in methods.values()] == [8, 4]


def test_the_choice_is_combined_where_start_ups_cost_more_than_bytes():
    _, slow = rows("torus:4x4x4", "halo:4wx4wx4w:full", "--rate", "10mbit", "--latency", "1us", "--ports", "all")
    _, fast = rows("torus:4x4x4", "halo:4wx4wx4w:full", "--rate", "100gbit", "--latency", "10us", "--ports", "all")
    assert slow.splitlines()[-1].startswith("direct;")
    assert fast.splitlines()[-1].startswith("combined;")


def test_phases_that_are_no_stencil_are_refused():
    refused_with(run_alone("cubefold", "plan", "neighbors", "torus:4x4", "--phase", "ring", "--block", "8B"),
                 "are not the same offsets on all ranks of a grid")
