"""The claims of [Calmant] section 5.2 about its figures, with our counts. docs/papers.md has the answers,
docs/pictures the figures."""

import functools
import os
import sys
from pathlib import Path

import pytest

from jobs import BUILD

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests/bench"))

from report import calmant  # noqa: E402
from report.pipelining import Bound, pipelined_steps, task_of_iteration  # noqa: E402

CUBEFOLD = BUILD / "bin/cubefold"
speed_ups = functools.cache(calmant.speed_ups)


def gains(extent, axes, ratio, others=tuple(calmant.PREVIOUS), method=calmant.CALMANT):
    return calmant.gains(speed_ups(CUBEFOLD, extent, axes)[ratio], method, others)


def line_closed_form(d, packets):
    """Returns the closed form of [Calmant] appendix A.3, in 18ths."""
    if packets <= d:
        rest = -2 ** (d - packets + 2) - 9 * packets if packets % 2 == 0 else 2 ** (d - packets + 2) - 9 * packets - 9
    else:
        rest = 3 * d - 12 * packets - 4 if d % 2 == 0 else -3 * d - 6 * packets - 5
    return (3 * packets + 1) * 2 ** (d + 2) + rest


def mesh_closed_form(d, c, packets):
    """Returns the same for c axes. The paper prints it for a multiple of c."""
    extent = 2 ** (d // c)
    if packets >= d:
        rest = 3 * d - 12 * packets - 16 * c + 12 if d // c % 2 == 0 else -3 * d - 6 * packets - 11 * c + 6
        return (3 * packets + 4 * c - 3) * 4 * extent + rest
    rounds, r = -(-packets // c), (packets - 1) % c
    left = 2 ** (d // c - rounds)
    rest = (-(c + 3 * r) * left * 4 - 9 * c * rounds if rounds % 2 == 0
            else (2 * c - 3 * r) * left * 2 - 9 * c * (rounds + 1))
    return (c + 3 * c * rounds + 3 * r) * 4 * extent + rest


@pytest.mark.parametrize("d", range(1, 13))
def test_steps_on_lines_are_the_closed_form(d):
    for packets in [*range(1, d + 4), 100]:
        for bound in Bound:
            assert 18 * pipelined_steps(d, 1, packets, bound) == line_closed_form(d, packets)


@pytest.mark.parametrize("c", [2, 3, 4])
def test_the_closed_form_of_meshes_counts_links_and_forgets_the_port(c):
    for d in range(c, 13, c):
        for packets in [*range(1, d + 4), 100]:
            links = pipelined_steps(d, c, packets, Bound.LINKS)
            assert 18 * links == mesh_closed_form(d, c, packets)
            assert links <= pipelined_steps(d, c, packets)
    assert pipelined_steps(6, 3, 100) > 1.5 * pipelined_steps(6, 3, 100, Bound.LINKS)


@pytest.mark.parametrize("d, packets", [(3, 1), (3, 2), (3, 3), (5, 9)])
def test_every_packet_of_every_stage_travels_in_one_iteration(d, packets):
    travels = [task_of_iteration(i, d, packets) for i in range(d + packets - 1)]
    for stage in range(d):
        assert sum(first <= stage < first + count for first, count in travels) == packets


@pytest.mark.parametrize("extent, axes", [(8, 2), (64, 2), (16, 3)])
def test_one_packet_takes_as_many_steps_as_neighbours_are_hops_apart(extent, axes):
    assert pipelined_steps(axes * (extent.bit_length() - 1), axes, 1) == axes * (extent - 1)


def without(*names):
    return [name for name in calmant.PREVIOUS if name not in names]


def test_on_2d_meshes_calmant_wins_for_large_d_large_ratios_and_small_blocks_but_for_modified_quadrant():
    gain = {ratio: gains(64, 2, ratio, without("modified-quadrant")) for ratio in calmant.RATIOS}
    wins = [sum(g > 1.01 for g in gain[ratio]) for ratio in calmant.RATIOS]
    assert wins == sorted(wins) and wins[0] == 0 and wins[-1] > 1
    assert max(gain[1000]) > 1.15
    assert all(gain[ratio][-1] < 1 for ratio in calmant.RATIOS)


@pytest.mark.parametrize("extent, axes",
                         [(extent, axes) for axes, extents in calmant.MESHES.items() for extent in extents])
def test_departing_from_the_paper_the_best_of_the_others_as_we_count_them_is_never_beaten(extent, axes):
    for ratio in calmant.RATIOS:
        assert max(gains(extent, axes, ratio)) <= 1 + 1e-9


def test_on_16x16x16_calmant_is_about_twice_as_fast_as_the_others_until_direct_wins():
    others = without("modified-quadrant", "hybrid")
    for ratio in calmant.RATIOS[1:]:
        published = gains(16, 3, ratio, others, calmant.CLOSED_FORM)
        assert 2.2 < max(published) < 2.4
        assert min(published[:11]) >= 1
        ours = gains(16, 3, ratio, others)
        assert 1.9 < max(ours) < 2
        assert ours[-1] < 1


def test_departing_from_the_paper_the_axis_rotated_exchange_wins_for_larger_blocks():
    for extent, axes in [(8, 2), (64, 2), (16, 3)]:
        assert gains(extent, axes, 500, ["axis-rotated"])[-1] < 1
