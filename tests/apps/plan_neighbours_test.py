"""cubefold plan neighbors, and cubefold verify on its schedules."""

import json

import pytest

from changed_json import drop, put
from jobs import expect_refused, refused_with, run_alone


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


SLOW_LINKS = ["--rate", "10mbit", "--latency", "1us"]  # direct is the choice
FAST_LINKS = ["--rate", "100gbit", "--latency", "10us"]  # combined is the choice


def written(path, grid, phase, *options):
    job = run_alone("cubefold", "plan", "neighbors", grid, "--phase", phase, "--block", "256B", "--json", path,
                    *options)
    assert job.status == 0, job.err
    return json.loads(path.read_text())


@pytest.mark.parametrize("grid, phase", [
    ("torus:4x4x4", "halo:4wx4wx4w:full"), ("mesh:5x3", "halo:3x5:full"), ("torus:4x8", "halo:2wx16w:full"),
    ("torus:2x2", "halo:2wx2w:full"), ("hypercube:4", "halo:4wx4w:full"), ("hyperx:4x4", "halo:4wx4:full"),
    ("ring:12", "halo:3wx4w:full")])
@pytest.mark.parametrize("links", [SLOW_LINKS, FAST_LINKS])
@pytest.mark.parametrize("ports", ["one", "all"])
@pytest.mark.parametrize("placement", ["identity", "reversed"])
def test_schedules_are_replayed_by_other_code(grid, phase, links, ports, placement, tmp_path):
    if placement == "reversed":
        count = len(written(tmp_path / "s.json", grid, phase)["edges"])
        nodes = max(end for edge in json.loads((tmp_path / "s.json").read_text())["edges"] for end in edge) + 1
        assert count % nodes == 0
        placement = "nodes=" + "-".join(str(node) for node in reversed(range(nodes)))
    written(tmp_path / "s.json", grid, phase, *links, "--ports", ports, "--placement", placement)
    job = run_alone("cubefold", "verify", tmp_path / "s.json")
    assert (job.status, job.err) == (0, ""), job.out
    assert job.out.startswith("ok: neighbours by ")


def test_a_schedule_can_go_to_standard_output():
    job = run_alone("cubefold", "plan", "neighbors", "torus:4x4", "--phase", "halo:4wx4w:full", "--block", "8B",
                    "--json", "-")
    assert job.status == 0 and json.loads(job.out)["phase"] == "halo:4wx4w:full"


def append(value, *keys):
    def change(file):
        for key in keys:
            file = file[key]
        file.append(value)
    return change


DOCTORED = [
    (drop("steps", 2, 0), "steps: chunk "),
    (drop("steps", 1, 3, "chunks", 0), "is on node "),
    (append(127, "steps", 0, 0, "chunks"), "steps[0][0]: chunk 127 is on node 15, not on "),
    (append(128, "steps", 0, 0, "chunks"), "steps[0][0]: chunk 128 is not below 128"),
    (put(16, "steps", 0, 0, "to"), "steps[0][0]: node 16 is not below 16"),
    (put(True, "steps", 0, 0, "reduces"), "steps[0][0]: a message reduces, but blocks of neighbours are not reduced"),
    (put([0, 2], "edges", 0), "edges: from node 0 to node "),
    (put([], "edges", 0), "has no edge"),
    (put([0, 16], "edges", 0), "edges[0]: node 16 is not below 16"),
    (drop("edges", 127), "edges: there are 127 of 128 chunks"),
    (put("halo:4wx4w", "phase"), "edges: from node "),
    (put("halo:4wx8w", "phase"), "phase: "),
    (put("hallo", "phase"), "phase: "),
    (put(8.5, "bound", "blocks"), "bound.blocks: 8.5 is claimed, 8 is right"),
    (put(2, "bound", "startups"), "bound.startups: 2 is claimed, 1 is right"),
    (put("nodes=" + "-".join(map(str, [1, 0, *range(2, 16)])), "placement"), "edges: from node ")]


@pytest.mark.parametrize("change, line", DOCTORED)
def test_a_changed_schedule_is_refused_by_the_right_line(change, line, tmp_path):
    path = tmp_path / "s.json"
    file = written(path, "torus:4x4", "halo:4wx4w:full", *FAST_LINKS)
    change(file)
    path.write_text(json.dumps(file))
    job = run_alone("cubefold", "verify", path)
    assert (job.status, job.err) == (1, "") and line in job.out, job.out


def test_a_block_that_leaves_its_destination_or_is_sent_twice_is_named(tmp_path):
    path = tmp_path / "s.json"
    file = written(path, "torus:4x4", "halo:4wx4w:full", *SLOW_LINKS)
    message = file["steps"][0][0]
    file["steps"].append([{"from": message["to"], "to": message["from"], "chunks": message["chunks"]}])
    path.write_text(json.dumps(file))
    assert f"chunk {message['chunks'][0]} leaves its destination" in run_alone("cubefold", "verify", path).out
    file["steps"].pop()
    message["chunks"] = message["chunks"] * 2
    path.write_text(json.dumps(file))
    assert "is sent a second time in the step" in run_alone("cubefold", "verify", path).out


@pytest.mark.parametrize("change, rule", [
    (drop("phase"), "file has no 'phase'"), (drop("edges"), "file has no 'edges'"),
    (put([1], "edges", 3), "edges[3] is neither [source, destination] nor []"),
    (put("allgather", "collective"), "file has 'phase', but is not of neighbours")])
def test_a_file_of_another_form_is_refused(change, rule, tmp_path):
    path = tmp_path / "s.json"
    file = written(path, "torus:4x4", "halo:4wx4w:full", *FAST_LINKS)
    change(file)
    path.write_text(json.dumps(file))
    expect_refused(run_alone("cubefold", "verify", path), f"{path}: {rule}")
