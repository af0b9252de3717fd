"""Schedule files of allreduce, reduce-scatter and allgather: plan writes them, verify replays them, draw draws them."""

import copy
import json

import pytest

from changed_json import drop, put
from jobs import run_alone

COLLECTIVES = ["allreduce", "reduce-scatter", "allgather"]


def written(path, collective, grid, *options):
    job = run_alone("cubefold", "plan", collective, grid, "--size", "64KiB", *options, "--json", path)
    assert job.status == 0, job.err
    return json.loads(path.read_text())


def verified(path, file=None):
    if file is not None:
        path.write_text(json.dumps(file))
    return run_alone("cubefold", "verify", path)


@pytest.mark.parametrize("collective", COLLECTIVES)
@pytest.mark.parametrize("grid, ports, method", [
    ("ring:7", "one", "bucket"), ("mesh:3x5", "one", "bucket"), ("torus:4x4", "all", "bucket:4"),
    ("line:5", "all", "bucket"), ("torus:2x4", "all", "bucket:4"), ("torus:8x8", "one", "halving-swing"),
    ("torus:4x4x4", "all", "halving-cube:6"), ("hypercube:3", "one", "halving-cube"),
    ("torus:4x4", "one", "halving-ordered"), ("line:1", "one", "bucket")])
def test_what_plan_writes_is_verified(collective, grid, ports, method, tmp_path):
    path = tmp_path / "v.json"
    file = written(path, collective, grid, "--ports", ports, "--algorithm", method)
    assert file["collective"] == collective and file["algorithm"] == method
    job = verified(path)
    assert job.status == 0 and job.out.startswith(f"ok: {collective} by {method} on {grid}, ports {ports}: "), job.out
    assert ("conflicts, as the file says" in job.out) == file["has_conflicts"]


@pytest.mark.parametrize("rule", ["xor", "nodes=3-0-2-1-7-5-6-4"])
@pytest.mark.parametrize("collective", COLLECTIVES)
@pytest.mark.parametrize("method", ["bucket", "halving-swing"])
def test_chunks_are_counted_by_the_nodes_of_their_owners(rule, collective, method, tmp_path):
    path = tmp_path / "v.json"
    written(path, collective, "torus:2x4", "--placement", rule, "--algorithm", method)
    assert verified(path).status == 0


@pytest.mark.parametrize("method", ["whole-cube", "whole-swing:2", "whole-ordered"])
def test_whole_vectors_are_verified(method, tmp_path):
    path = tmp_path / "v.json"
    file = written(path, "allreduce", "torus:4x4", "--algorithm", method)
    assert file["chunks"] == (2 if method.endswith(":2") else 1)
    assert verified(path).status == 0


def test_a_ring_has_no_conflicts_and_reaches_its_bound(tmp_path):
    path = tmp_path / "v.json"
    file = written(path, "allreduce", "ring:8", "--algorithm", "bucket")
    assert not file["has_conflicts"] and file["bound"] == {"blocks": 14.0, "startups": 3}
    assert verified(path).out == ("ok: allreduce by bucket on ring:8, ports one: 14 steps, 112 messages, 14 "
                                  "chunk-times, lower bound 14; busiest link 7 chunks\n")


@pytest.fixture(scope="module")
def ring_of_four(tmp_path_factory):
    return written(tmp_path_factory.mktemp("ring") / "v.json", "allreduce", "ring:4", "--algorithm", "bucket")


@pytest.mark.parametrize("change, status, rule", [
    (drop("steps", 5), 1, "steps: node 0 lacks the contribution of node 1 to chunk 3 at the end"),
    (drop("steps", 0, 0), 1, "lacks the contribution of node"),
    (put(False, "steps", 2, 0, "reduces"), 1, "lacks the contribution of node"),
    (put(True, "steps", 3, 0, "reduces"), 1, "steps[3][0]: node 3 has already the contribution of node 1 to chunk 0"),
    (put(2, "steps", 0, 0, "to"), 1, "steps[0][1]: node 2 receives message [0] in the same step"),
    (put([9], "steps", 0, 0, "chunks"), 1, "steps[0][0]: chunk 9 is not below 4"),
    (put("scan", "collective"), 1, "collective: 'scan' is not allreduce, reduce-scatter, allgather or neighbours"),
    (put("allgather", "collective"), 1, "steps[0][0]: chunk 3 is not on node 0"),
    (put(0, "chunks"), 1, "chunks: 0 are not 1 to 64 for each of 4 nodes"),
    (put(257, "chunks"), 1, "chunks: 257 are not 1 to 64 for each of 4 nodes"),
    (put([], "steps"), 1, "steps: 0 chunks are sent, less than half of the 12 of allreduce"),
    (put(5.0, "bound", "blocks"), 1, "bound.blocks: 5 is claimed, 6 is right"),
    (put(True, "has_conflicts"), 1, "has_conflicts: true is claimed"),
    (drop("collective"), 2, "has 'chunks', but no 'collective'"),
    (drop("chunks"), 2, "has no 'chunks'"),
    (put({"from": 0, "to": 1, "blocks": [[0, 1]]}, "steps", 0, 0), 2, "has blocks in steps[0][0], but is of a "),
    (put([-1], "steps", 0, 0, "chunks"), 2, "steps[0][0].chunks[0] is not a whole number from 0 up"),
    (put({"from": 0, "to": 1, "chunks": [0], "left": True}, "steps", 0, 0), 2, "arrives left, but does not reduce")])
def test_a_broken_file_is_refused_in_a_line(change, status, rule, ring_of_four, tmp_path):
    file = copy.deepcopy(ring_of_four)
    change(file)
    job = verified(tmp_path / "broken.json", file)
    assert job.status == status and rule in (job.out + job.err).splitlines()[0], job.out + job.err


def test_owners_have_equally_many_chunks(tmp_path):
    file = written(tmp_path / "v.json", "allgather", "ring:4", "--algorithm", "bucket")
    file["chunks"] = 6
    assert "chunks: 4 nodes cannot have 6 equally" in verified(tmp_path / "v.json", file).out


def test_a_schedule_is_drawn(tmp_path):
    path = tmp_path / "v.json"
    written(path, "allreduce", "torus:4x4", "--ports", "all", "--algorithm", "bucket:4")
    job = run_alone("cubefold", "draw", path, "--output", "-")
    assert job.status == 0, job.err
    assert "all steps of allreduce" in job.out and "bucket:4" in job.out
    job = run_alone("cubefold", "draw", path, "--html", tmp_path / "v.html")
    assert job.status == 0 and "step 12" in (tmp_path / "v.html").read_text(), job.err
    other = tmp_path / "other.json"
    written(other, "allgather", "torus:4x4", "--ports", "all", "--algorithm", "bucket:4")
    job = run_alone("cubefold", "draw", path, other, "--output", "-")
    assert job.status == 2 and "is of another collective, or of other chunks, than the first" in job.err


def test_json_and_table_cannot_both_be_standard_output():
    job = run_alone("cubefold", "plan", "allreduce", "ring:4", "--size", "8", "--json", "-", "--table", "-")
    assert job.status == 2 and "--json and --table cannot both write to standard output" in job.err
