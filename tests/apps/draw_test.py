"""Tests of cubefold draw with the files of other commands, with several ranks on a node, and of its colours. More tests
of its pictures are in cubefold_test.py."""

import json
import math
import re

import pytest

from drawings import SVG, Drawing
from jobs import expect_refused, run_alone


def write(path, *arguments):
    """Runs a command that writes a file with --json or --output, and returns the path."""
    job = run_alone("cubefold", *arguments, path)
    assert job.status == 0, job.err
    return path


def certificate(path, *arguments):
    return write(path, "map", *arguments, "--json")


def host_file(path, network, places, slots=0):
    hosts = [{"name": f"n{i}.cluster", "at": at, **({"slots": slots} if slots else {})} for i, at in enumerate(places)]
    path.write_text(json.dumps({"format_version": 1, "network": network, "source": "a test", "hosts": hosts}))
    return path


def loads_of(drawing, panel=0):
    """Returns the loads of links by their ends, as tips say them."""
    return {tip.split(":")[0]: float(tip.split(":")[1].split()[0]) for tip, _, _ in drawing.links(panel)}


def levels(drawing, panel=0):
    return {level for _, level, _ in drawing.links(panel)} - {"idle"}


# In [Xor] the busiest link of a torus of 8 x 8 has 3 messages under xor and 4 under standard.
def test_a_placement_that_meets_the_bound_has_the_first_colour_only():
    drawing = Drawing("torus:8x8", "--placement", "xor", "--placement", "standard")
    assert levels(drawing, 0) == {"level-0"}
    assert levels(drawing, 1) == {"level-0", "level-5"}  # 3 of the bound, 4 a third of the way to twice the bound
    assert "3 (bound)" in drawing.texts()


# Of 16 ranks in a row, the middle link carries all 8 messages of either half to the other one; the bound counts hops.
def test_colours_end_at_the_largest_load_if_it_is_above_twice_the_bound(tmp_path):
    matrix = tmp_path / "far.mtx"
    rows = "".join(f"{rank + 1} {16 - rank} 1\n" for rank in range(16))
    matrix.write_text(f"%%MatrixMarket matrix coordinate real general\n16 16 16\n{rows}")
    drawing = Drawing("line:16", "--phase", f"matrix:{matrix}")
    assert max(loads_of(drawing).values()) == 8
    assert {"8", "1 (bound)"} <= set(drawing.texts())
    assert {level for tip, level, _ in drawing.links() if tip.startswith("rank 7 to 8")} == {"level-15"}


@pytest.mark.parametrize("arguments", [["torus:8x8", "--placement", "xor", "--placement", "standard"],
                                       ["torus:5x5x5", "--phase", "ring"]])
def test_a_picture_has_one_legend(arguments):
    drawing = Drawing(*arguments)
    assert len([g for g in drawing.root.iter(SVG + "g") if g.get("class") == "legend"]) == 1


def test_loads_without_a_known_bound_begin_at_0(tmp_path):
    path = tmp_path / "loads.json"
    rows = [{"from": 0, "to": 1, "bytes": 1}, {"from": 1, "to": 2, "bytes": 16}]
    path.write_text(json.dumps({"grid": "ring:4", "links": rows}))
    drawing = Drawing("ring:4", "--loads", path)
    assert levels(drawing) == {"level-0", "level-15"}
    assert not any("bound" in text for text in drawing.texts())


def test_draws_a_certificate_as_its_options_would(tmp_path):
    phases = ["--phase", "cube:0-2", "--phase", "transpose:8x8*2"]
    path = certificate(tmp_path / "cg.json", "torus:4x4x4", *phases, "--tie", "positive")
    found = json.loads(path.read_text())
    drawing = Drawing(path)
    expected = Drawing("torus:4x4x4", *phases, "--placement", "identity", "--placement", found["placement"], "--tie",
                       "positive")
    for panel in [0, 1]:
        assert drawing.links(panel) == expected.links(panel)
        assert drawing.ranks(panel) == expected.ranks(panel)
    assert f"busiest link: {found['busiest_link_together']:g} messages" in drawing.texts()
    assert drawing.texts()[-1] == expected.texts()[-1] == (
        "torus:4x4x4, ranks on their nodes; cube:0*1, cube:1, cube:2, transpose:8x8*2 at once, positive ties"
        .replace("cube:0*1", "cube:0"))
    assert Drawing("-", stdin=path.read_text()).text == drawing.text


def test_draws_a_certificate_with_messages_from_a_file(tmp_path):
    matrix = tmp_path / "two.mtx"
    matrix.write_text("%%MatrixMarket matrix coordinate real general\n4 4 2\n1 2 5\n4 1 3\n")
    path = certificate(tmp_path / "two.json", "ring:4", "--phase", f"matrix:{matrix}")
    loads = loads_of(Drawing(path))
    assert {ends: load for ends, load in loads.items() if load} == {"rank 0 to 1": 5, "rank 3 to 0": 3}


# 8 x 8 ranks in bricks of 2 x 2: node 0 has ranks 0, 1, 8 and 9, and sends 2 messages to each neighbour of the halo.
def test_draws_several_ranks_on_a_node_and_bricks(tmp_path):
    path = certificate(tmp_path / "bricks.json", "torus:4x4", "--phase", "halo:8x8", "--per-node", 4, "--bricks",
                       "8x8/2x2")
    drawing = Drawing(path)
    labels = [[t.text for t in panel.iter(SVG + "text") if t.get("class") == "label"] for panel in drawing.panels]
    assert labels[0][:2] == ["0-3", "4-7"]
    assert labels[1][:4] == ["0-1", "8-9", "2-3", "10-11"]
    tips = [circle.find(SVG + "title").text for circle in drawing.panels[1].iter(SVG + "circle")]
    assert tips[0] == "node 0: ranks 0, 1, 8, 9"
    assert loads_of(drawing, 1)["node 0 to 1"] == 2
    assert {"consecutive", "busiest link: 2 messages"} <= set(drawing.texts())


def test_ranks_of_a_node_that_are_not_consecutive_are_shortened():
    drawing = Drawing("ring:2", "--phase", "ring", "--per-node", 5)
    assert [t.text for t in drawing.panels[0].iter(SVG + "text") if t.get("class") == "label"] == ["0-4", "5-9"]
    assert loads_of(drawing) == {"node 0 to 1": 1, "node 1 to 0": 1}


def test_takes_the_file_of_a_placement(tmp_path):
    path = write(tmp_path / "placement.txt", "map", "torus:4x4", "--phase", "bit-reversal", "--placement-to")
    by_file = Drawing("torus:4x4", "--phase", "bit-reversal", "--placement", path)
    by_rule = Drawing("torus:4x4", "--phase", "bit-reversal", "--placement", path.read_text().strip())
    assert by_file.text == by_rule.text


def test_names_hosts_where_a_file_has_them(tmp_path):
    path = host_file(tmp_path / "hosts.json", "torus:4x4", [[0, 0], [1, 0], [3, 2]])
    drawing = Drawing(path, "--phase", "ring", "--per-node", 2)
    names = [t.text for t in drawing.root.iter(SVG + "text") if t.get("class") == "host"]
    assert sorted(names) == ["n0", "n1", "n2"]
    tips = [circle.find(SVG + "title").text for circle in drawing.panels[0].iter(SVG + "circle")]
    assert tips[1] == f"node 1, host {names[1]}.cluster: ranks 2, 3"
    assert sum(tip.startswith("switch") for tip in tips) == len(tips) - 3


def test_draws_hosts_without_phases(tmp_path):
    drawing = Drawing(host_file(tmp_path / "hosts.json", "mesh:3x2", [[0, 0], [1, 0], [2, 1]]))
    assert levels(drawing) == set()
    assert drawing.texts()[-1] == "mesh:3x2,without=2-3-4, ranks on their nodes"


def test_draws_the_links_that_all_steps_of_schedules_load(tmp_path):
    files = [write(tmp_path / f"{name}.json", "plan", "exchange", "mesh:4x4", "--block", "1KiB", "--placement",
                   "identity", "--algorithm", name, "--json") for name in ["shifted", "direct"]]
    drawing = Drawing(*files)
    assert {"shifted", "direct", "busiest link: 16 blocks", "16 (bound)"} <= set(drawing.texts())
    assert levels(drawing) == {"level-0"}
    simulated = json.loads(write(tmp_path / "loads.json", "simulate", "exchange", "mesh:4x4", "--algorithm", "shifted",
                                 "--block", "1", "--json").read_text())
    assert loads_of(drawing) == {f"rank {link['from']} to {link['to']}": link["bytes"] for link in simulated["links"]}


@pytest.mark.parametrize("grid, planes", [("torus:4x4x4", 0), ("torus:5x5x5", 5), ("mesh:6x7x3", 3),
                                          ("torus:8x8x2x2", 4), ("torus:12x12", 0)])
def test_planes_along_the_third_axis_are_side_by_side_from_125_nodes_on(grid, planes):
    drawing = Drawing(grid, "--phase", "ring")
    names = [text for text in drawing.texts() if re.fullmatch(r"axe?i?s [\d and]+: \d+", text)]
    assert len(names) == planes
    nodes = drawing.nodes()
    assert all(math.hypot(x - u, y - v) >= 56 for i, (x, y, _) in enumerate(nodes) for u, v, _ in nodes[:i])
    if planes:
        first, last = names[0], names[-1]
        assert (first, last) == (first[:-1] + "0", first[:-1] + str(planes - 1))


@pytest.mark.parametrize("grid", ["torus:5x5x5", "mesh:6x7x3"])
def test_links_between_planes_are_short_and_off_other_nodes(grid):
    drawing = Drawing(grid, "--phase", "ring")
    nodes = drawing.nodes()
    plane = math.prod(map(int, re.findall(r"\d+", grid)[:2]))
    between = 0
    for tip, _, path in drawing.links():
        start, end = map(int, re.findall(r"\d+", tip)[:2])
        pieces = [[tuple(map(float, pair.split())) for pair in piece.rstrip("Z").split("L")]
                  for piece in path.split("M")[1:]]
        assert all(math.dist(piece[0], piece[1]) < 40 for piece in pieces)
        if start // plane == end // plane:
            continue
        between += 1
        at_start, at_end = nodes[start], nodes[end]
        assert len(pieces) == 2
        assert math.dist(pieces[0][0], at_start[:2]) < 20 and math.dist(pieces[1][1], at_end[:2]) < 20
    assert between > 0


HOSTS = '{"format_version": 1, "network": "ring:4", "source": "a", "hosts": [{"name": "a", "at": [9]}]}'


@pytest.mark.parametrize("text, message", [
    ("{}", "is neither a certificate of map nor a schedule of plan nor hosts of discover"),
    ("[3]", "is neither a certificate of map nor a schedule of plan nor hosts of discover"),
    ("{", "not JSON at byte 2"),
    ('{"grid": "ring:4", "links": []}', "has loads of links, which --loads draws on a network"),
    ('{"steps": []}', "parse_schedule_json: grid: is missing"),
    ('{"node_of_rank": []}', "no 'placement'"),
    (HOSTS, None),
])
def test_refuses_files_that_are_not_right(tmp_path, text, message):
    path = tmp_path / "file.json"
    path.write_text(text)
    job = run_alone("cubefold", "draw", path, "--output", tmp_path / "out.svg")
    assert (job.status, len(job.complaints), job.out) == (2, 1, "")
    assert job.complaints[0].startswith(f"cubefold: {path}: ")
    if message:
        assert message in job.complaints[0]
    assert list(tmp_path.iterdir()) == [path]


def doctored(path, **changes):
    changed = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps(changed))
    return path


@pytest.mark.parametrize("changes, message", [
    ({"node_of_rank": [0, 1, 2, 4]}, "node_of_rank has node 4"),
    ({"node_of_rank": [0, 1, 2]}, "node_of_rank has 3 ranks, not 4"),
    ({"per_node": 0}, "per_node is 0"),
    ({"tie": "never"}, "tie 'never'"),
    ({"grid": "torus:64x64"}, "draw: torus:64x64 has 4096 nodes; the most is 1024"),
])
def test_refuses_certificates_that_were_changed(tmp_path, changes, message):
    path = doctored(certificate(tmp_path / "cg.json", "ring:4", "--phase", "cube"), **changes)
    job = run_alone("cubefold", "draw", path, "--output", "-")
    assert (job.status, len(job.complaints), job.out) == (2, 1, "")
    assert message in job.complaints[0]


def test_refuses_options_that_a_file_answers_and_files_that_cannot_be_compared(tmp_path):
    path = certificate(tmp_path / "cg.json", "ring:4", "--phase", "cube")
    for option in [["--phase", "ring"], ["--placement", "xor"], ["--per-node", 2], ["--matrix", "bit-reversal"]]:
        expect_refused(run_alone("cubefold", "draw", path, *option, "--output", "-"),
                       f"draw: {path} says this itself; leave out {option[0]}")
    expect_refused(run_alone("cubefold", "draw", path, path, "--output", "-"),
                   f"draw: {path} is no schedule; only schedules are drawn side by side")
    files = [write(tmp_path / f"{size}.json", "plan", "exchange", f"ring:{size}", "--block", 1, "--json")
             for size in [4, 5]]
    expect_refused(run_alone("cubefold", "draw", *files, "--output", "-"), f"{files[1]}: is of ring:5, not of ring:4")


def test_refuses_to_write_nothing_or_two_texts_to_one_place():
    expect_refused(run_alone("cubefold", "draw", "ring:4"),
                   "draw: give --output FILE for a picture, or --html FILE for a page")
    expect_refused(run_alone("cubefold", "draw", "ring:4", "--output", "-", "--html", "-"),
                   "draw: --output and --html cannot both write to standard output")


def test_a_wrong_file_of_a_placement_is_named(tmp_path):
    path = tmp_path / "placement.txt"
    path.write_text("xxor\n")
    job = run_alone("cubefold", "draw", "ring:4", "--placement", path, "--output", "-")
    assert (job.status, len(job.complaints)) == (2, 1)
    assert str(path) in job.complaints[0] and "xxor" in job.complaints[0]
