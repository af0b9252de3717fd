"""The texts of ./dev bench about exchanges."""

import json
import os
import sys
from math import prod
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))


def row(algorithm, block_bytes, seconds, **more):
    return {"grid": "torus:4x4", "rate": "10mbit", "ports": "one", "queue": "64kb", "bound_seconds": 1e-3,
            "block_bytes": block_bytes, "algorithm": algorithm, "method": "direct", "sync": "data", "seconds": seconds,
            "predicted_seconds": 2e-3, "choice": "blocks of 8 bytes: direct, fastest of up to 5 calls of each; ...",
            **more}


def network_rows(**more):
    return [row(name, size, [seconds], **more) for size in (1024, 8192)
            for name, seconds in [("cubefold_alltoall", 2e-3), ("plan", 2e-3), ("MPI_Alltoall", 4e-3),
                                  ("MPICH bruck", 5e-3), ("MPICH scattered", 3.5e-3), ("MPICH pairwise", 3e-3)]]


@pytest.fixture(scope="module")
def exchange():
    from report import exchange as section
    return section


def test_names_the_best_of_mpi_and_the_ratios_to_the_flow_optimum(exchange):
    texts = exchange.render([network_rows(optimum_seconds=1e-3)], None)
    assert "| *flow optimum* | 1.00 | 1.00 |" in texts["exchange_tables"]
    assert "1.50 (MPICH pairwise)" in texts["exchange_speed_ups"]
    headers = 1514 / 1448
    assert f"| {2 / headers:.2f} / {3 / headers:.2f} |" in texts["exchange_optimum"]
    assert f"takes {2 / headers:.2f} times the flow optimum" in texts["exchange_optimum"]


def test_publishes_results_of_before_the_flow_optimum_was_computed(exchange):
    texts = exchange.render([network_rows()], None)
    assert "flow optimum" not in texts["exchange_tables"]
    assert texts["exchange_optimum"] == "The last run did not compute the flow optimum."


def test_a_published_report_has_medians_and_numbers_of_runs_in_place_of_times(exchange):
    from report import published, tables
    measured = {"full": True, "sections": {"exchange": [[row("plan", 8, [3, 1, 2], lengths=[4, 4], max_seconds=3)]]}}
    report = published.published(measured)
    [[found]] = report["sections"]["exchange"]
    assert found["seconds"] == {"median": 2, "runs": 3} and found["lengths"] == [4, 4] and "max_seconds" not in found
    assert published.published(report) == report
    assert tables.with_spread([3, 1, 2], unit=1) == "2.00 (1.00-3.00)"
    assert tables.with_spread(found["seconds"], unit=1) == "2.00"
    text = published.text_of(report)
    assert json.loads(text) == report
    assert [line for line in text.splitlines() if '"plan"' in line] == [f"    {json.dumps(found)}"]


def test_pages_are_the_same_from_times_and_from_their_medians(exchange):
    from report import published
    rows = network_rows(optimum_seconds=1e-3)
    assert exchange.render([rows], None) == exchange.render(published.published([rows]), None) | {
        "exchange_tables": exchange.network_tables([rows])}


def test_ranks_that_share_nodes_are_compared_with_mpi_and_with_the_port(exchange):
    from report import shared_nodes
    choice = "cubefold_alltoall, blocks of 1024 bytes: direct between nodes, fastest of up to 3 calls of each; ..."
    rows = [{"queue": "64kb", "block_bytes": 1024, "algorithm": name, "seconds": [seconds], "choice": choice,
             "bound_seconds": 1.448}
            for name, seconds in [("cubefold_alltoall", 2.271), ("MPI_Alltoall", 4.542), ("MPI pairwise", 3.4065)]]
    texts = shared_nodes.render(rows, None)
    assert "2.00 times as fast as `MPI_Alltoall`" in texts["shared_nodes_summary"]
    assert "at least 1.50 times as long" in texts["shared_nodes_summary"]
    assert "most 1.50 times the lower bound" in texts["shared_nodes_summary"]
    assert "| direct between nodes | 4542 | 2.00 | 3406 | MPI pairwise | 1.50 | 1514 |" in texts["shared_nodes_table"]


def test_all_sections_can_be_loaded():
    from report import __main__ as report
    assert len({section.NAME for section in report.SECTIONS}) == len(report.SECTIONS)


def bound_blocks(grid, ports):
    """Returns the blocks that a link or a port carries at least: those over the worst cut in the middle of an axis,
    or those of all other nodes."""
    extents = [int(extent) for extent in grid.partition(":")[2].split("x")]
    across = max(k * k // 4 * prod(extents) / k for k in extents) / (1 if grid.startswith("mesh") else 2)
    return max(across, prod(extents) - 1) if ports == "one" else across


def test_the_bound_of_the_report_is_the_flow_optimum_of_its_networks(exchange, tmp_path):
    pytest.importorskip("scipy", reason="python3-scipy is not installed")
    from report import setting
    run_here = setting.Setting(Path(os.environ["CUBEFOLD_BUILD"]), full=True, scratch=tmp_path)
    for lab, _ in exchange._networks(full=True):
        assert exchange.flow_optimum(run_here, lab) == pytest.approx(bound_blocks(lab.grid, lab.ports)), lab


def test_other_networks_have_their_own_tables(exchange, tmp_path):
    pytest.importorskip("matplotlib", reason="./dev bench installs python3-matplotlib")
    from report import other_networks
    texts = other_networks.render([network_rows(optimum_seconds=1e-3)], tmp_path)
    assert "| MPICH pairwise |" in texts["other_networks_tables"]
    assert "1.50 (MPICH pairwise)" in texts["other_networks_speed_ups"]
    assert (tmp_path / "other-networks.svg").exists()
