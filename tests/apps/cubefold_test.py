"""Tests of the program cubefold from outside: it needs no MPI, and each subcommand answers one question."""

import json
import math
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from drawings import SVG, Drawing
from jobs import BUILD, expect_refused, run_alone
from sweeps import combinations


def plan(*arguments, **options):
    return run_alone("cubefold", *arguments, **options)


def json_of(*arguments):
    job = plan(*arguments, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def test_says_what_it_can_do_when_it_is_asked_nothing():
    alone, asked = plan(), plan("--help")
    assert alone.status == asked.status == 0
    assert alone.out == asked.out
    assert "Subcommands:" in alone.out
    assert "Examples:" in alone.out


def subcommands():
    lines = plan().out.split("Subcommands:\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]


def test_every_subcommand_has_help_with_examples_that_fit_a_terminal():
    assert "routes" in subcommands()
    for name in subcommands():
        shown = plan(name, "--help")
        assert shown.status == 0
        assert "Example" in shown.out, name
        assert max(len(line) for line in shown.out.splitlines()) <= 120, name


@pytest.mark.parametrize("topic, part", [("grid", "torus:4x4,cut=0-1"), ("placement", "nodes=3-1-0-2"),
                                         ("phase", "halo:12wx10")])
def test_help_has_topics_that_the_help_of_options_names(topic, part):
    shown = plan("help", topic)
    assert (shown.status, shown.err) == (0, "")
    assert part in shown.out and max(len(line) for line in shown.out.splitlines()) <= 80
    helps = [plan(name, "--help").out for name in subcommands()] + [plan("plan", "exchange", "--help").out]
    assert any(f"see cubefold help {topic}" in text for text in helps)
    assert not any(shown.out.splitlines()[0] in text for text in helps)
    assert f"help {topic}" in plan("--help").out


def names_in_help(topic):
    lines = [line.strip() for line in plan("help", topic).out.splitlines() if line.startswith("  ")]
    return [name for line in lines for name in re.split("  +", line)[0].split(", ") if "FILE" not in name]


def test_the_names_in_help_are_understood():
    for grid in names_in_help("grid"):
        assert grid == "file:net.json" or plan("routes", grid).status == 0, grid
    for phase in names_in_help("phase"):
        assert "unknown" not in plan("map", "torus:8x8", "--phase", phase, "--placement", "xor").err or phase == "..."
    rules = [rule if rule[0] != "," else f"standard{rule}" for rule in names_in_help("placement")]
    for rule in rules:
        bits = len(re.findall(r"\d", rule)) if rule.startswith("standard,") and "cyclic" not in rule else 2
        grid = "torus:4x4" if bits == 4 or "/" in rule else "torus:2x2"
        grid = "hypercube:3" if rule.startswith("auto") else grid
        done = plan("simulate", "exchange", grid, "--block", "8", "--placement", rule)
        assert done.status == 0, (rule, done.err)


def test_has_a_version():
    assert plan("--version").out.strip() == "cubefold 0.1.0"


@pytest.mark.parametrize("arguments, end",
                         [(["fold"], "(see cubefold --help)"), (["routes"], "(see cubefold routes --help)"),
                          (["routes", "ring:4", "more"], "(see cubefold routes --help)")])
def test_an_unknown_word_is_answered_with_where_to_look(arguments, end):
    job = plan(*arguments)
    assert job.status == 2
    assert len(job.complaints) == len(job.err.splitlines()) == 1
    assert job.err.strip().endswith(end)


@pytest.mark.parametrize("arguments, line", [
    (["routes", "donut:4"], "grid 'donut:4': unknown kind 'donut'; known: torus, mesh, ring, line, "
                            "hypercube, grid, hyperx, tofu, file"),
    (["lcc", "hypercube:4,cut=0-1", "--phase", "transpose"], "hypercube:4,cut=0-1 is neither a mesh nor a torus"),
    (["routes", "ring:4097"], "routes: ring:4097 has 4097 nodes; the most is 4096"),
    (["routes", "ring:4", "--tie", "up"],
     "--tie: unknown tie 'up'; known: positive, balanced (see cubefold routes --help)"),
    (["simulate", "exchange", "ring:6", "--block", "8"], "ring:6 has 6 nodes; a hypercube needs a power of two"),
    (["simulate", "exchange", "ring:4096", "--block", "8"], "simulate: ring:4096 has 4096 nodes; the most is 2048"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--placement", "xro"],
     "placement 'xro': unknown embedding 'xro'; did you mean 'xor'? known: identity, standard, xor, by-weight, gray"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--ports", "two"],
     "--ports: unknown ports 'two'; known: one, all (see cubefold simulate exchange --help)"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--alpha", "-1"],
     "--alpha: '-1' is not a number from 0 up (see cubefold simulate exchange --help)"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--tau", "1,2"],
     "simulate_steps: 2 taus on ring:8; it takes one, or one per axis"),
    (["simulate", "exchange", "ring:8", "--block", "-8"],
     "--block: '-8' is not a number of bytes, as 4096, 8KiB or 1MiB (see cubefold simulate exchange --help)"),
    (["simulate"], "A subcommand is required (see cubefold simulate --help)"),
    (["routes", "ring:4", "--json", "/missing/routes.json"],
     "/missing/routes.json: cannot create: No such file or directory"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    expect_refused(plan(*arguments), line)


def test_a_refusal_is_one_short_line_without_control_characters():
    job = plan("routes", "\x1b[2J\n" + "x" * 50_000)
    assert job.status == 2
    assert job.err.startswith("cubefold: grid '\\x1b[2J\\x0axxx") and job.err.endswith("\n")
    assert job.err.count("\n") == 1 and len(job.err) < 1100
    assert plan("routes", "r\u00e9seau:4").err.startswith("cubefold: grid 'r\u00e9seau:4': ")


def axis_steps(start, end, extent, wraps, tie):
    """Returns the signed steps of a message along one axis, by the definitions of docs/notation.md."""
    if not wraps:
        return end - start
    up = (end - start) % extent
    if 2 * up == extent:
        return -up if tie == "balanced" and start % 2 == 1 else up
    return up if 2 * up < extent else up - extent


def route(network, axes, start, end):
    """Returns the coordinates on the route of a message, axis 0 first."""
    here, passed = list(network["coordinates"][start]), []
    for axis, (extent, wraps) in enumerate(axes):
        steps = axis_steps(here[axis], network["coordinates"][end][axis], extent, wraps, network["tie"])
        for _ in range(abs(steps)):
            here[axis] = (here[axis] + (1 if steps > 0 else -1)) % extent
            passed.append(list(here))
    return passed


@pytest.mark.parametrize("tie", ["positive", "balanced"])
@pytest.mark.parametrize("grid, axes", [("line:5", [(5, False)]), ("ring:8", [(8, True)]), ("ring:2", [(2, False)]),
                                        ("grid:4wx3", [(4, True), (3, False)]), ("torus:4x6", [(4, True), (6, True)]),
                                        ("hypercube:3", [(2, False)] * 3), ("torus:1x3", [(1, False), (3, True)])])
def test_next_hops_followed_from_node_to_node_are_the_dimension_order_routes(grid, axes, tie):
    network = json_of("routes", grid, "--tie", tie)
    assert (network["grid"], network["tie"]) == (grid, tie)
    assert network["nodes"] == len(network["coordinates"]) == len(network["next_hop"])
    for start in range(network["nodes"]):
        for end in range(network["nodes"]):
            here, passed = start, []
            while (index := network["next_hop"][here][end]) >= 0:
                link = network["links"][index]
                assert link["from"] == here
                here = link["to"]
                passed.append(network["coordinates"][here])
            assert here == end
            assert passed == route(network, axes, start, end)


def test_routes_lists_every_directed_link_once():
    links = json_of("routes", "grid:4wx3")["links"]
    assert len({(link["from"], link["to"]) for link in links}) == len(links) == 3 * 8 + 4 * 4
    assert links[0] == {"from": 0, "to": 1, "axis": 0, "direction": "positive"}
    assert links[1] == {"from": 0, "to": 3, "axis": 0, "direction": "negative"}


def test_routes_prints_a_table_and_writes_the_same_json_to_a_file(tmp_path):
    path = tmp_path / "routes.json"
    job = plan("routes", "torus:4x4", "--json", path)
    assert job.status == 0
    assert "torus:4x4, balanced ties: 16 nodes, 64 directed links" in job.out
    assert json.loads(path.read_text()) == json_of("routes", "torus:4x4")


# Stage i of the exchange on a line of 8 puts 2^i messages of 4 blocks on the busiest link: 4, 8 and 16 blocks of 10
# bytes.
def test_simulate_costs_the_exchange_step_by_step():
    result = json_of("simulate", "exchange", "line:8", "--placement", "standard", "--block", 10, "--alpha", 1000,
                     "--tau", 1)
    assert [step["seconds"] for step in result["steps"]] == [1040, 1080, 1160]
    assert [step["busiest_link_bytes"] for step in result["steps"]] == [40, 80, 160]
    assert all((step["messages"], step["startups"]) == (8, 1) for step in result["steps"])
    assert result["total_seconds"] == 3280
    assert result["bound_seconds"] == 3 * 1000 + 8 * 8 / 4 * 10
    assert (result["grid"], result["placement"], result["ports"], result["tie"]) == (
        "line:8", "standard", "one", "balanced")
    assert (result["alpha"], result["tau"], result["block_bytes"]) == (1000, [1], 10)


def test_simulate_lists_the_bytes_of_every_link_that_routes_lists():
    result = json_of("simulate", "exchange", "torus:4x4", "--placement", "xor", "--block", "1KiB")
    links = json_of("routes", "torus:4x4")["links"]
    assert [{key: link[key] for key in ["from", "to", "axis", "direction"]} for link in result["links"]] == links
    # Every neighbour is one hop away: each of 16 ranks sends 8 blocks over one link in each of 4 steps.
    assert [link["bytes"] for link in result["links"]] == [8 * 1024] * 64


def test_simulate_prints_a_table_with_the_ratio_to_the_bound():
    job = plan("simulate", "exchange", "hypercube:4", "--block", "1MiB", "--alpha", 0, "--tau", 1e-9)
    # 4 x 8 blocks are sent, and the bound is 15.
    assert job.out.splitlines()[-1].split() == ["total", "/", "bound", "2.133"]
    assert len({len(line) for line in job.out.splitlines()[3:8]}) == 1


def test_complains_of_a_full_disk_behind_standard_output():
    with open("/dev/full", "w") as full:
        done = subprocess.run([BUILD / "bin" / "cubefold", "routes", "ring:4"], stdout=full, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 2
    assert done.stderr == "cubefold: cannot write to standard output: No space left on device\n"


DRAWN = ["line:8", "ring:16", "ring:3", "ring:2", "torus:4x4", "torus:8x8", "grid:8wx4", "mesh:3x1x2", "torus:4x4x4",
         "hypercube:0", "hypercube:3", "hypercube:4", "hypercube:6", "grid:4wx2x2x2", "torus:4x4,cut=0-1",
         "torus:4x3~1", "hyperx:4x3", "hyperx:2x2x2x3"]
DRAWN_WITH_HOSTS = ["torus:4x4,hosts=2", "ring:8,hosts=3", "torus:3x3,hosts=4-0-1-2-3-4-1-1-1", "mesh:3x3x2,hosts=2",
                    "ring:5,hosts=9", "line:4,hosts=5", "hypercube:0,hosts=3"]


def loads_file(path, grid, value=1, **more):
    links = json_of("routes", grid)["links"]
    rows = [{"from": link["from"], "to": link["to"], "bytes": value} for link in links]
    path.write_text(json.dumps({"grid": grid, "links": rows, **more}))
    return path


@pytest.mark.parametrize("whole, missing", [("torus:4x4", [3, 9]), ("mesh:3x2x3", [0, 10]), ("ring:8", [2, 3])])
def test_draw_shows_the_nodes_of_others_at_their_places_as_switches(whole, missing):
    drawing = Drawing(f"{whole},without={'-'.join(map(str, missing))}", "--phase", "ring")
    full = Drawing(whole, "--phase", "ring")
    left = [node for node in range(len(full.nodes())) if node not in missing]
    places = [(x, y) for x, y, _ in full.nodes()]
    assert [(x, y) for x, y, _ in drawing.nodes()] == [places[node] for node in left + missing]
    assert drawing.ranks() == list(range(len(left)))
    assert sorted(d for _, _, d in drawing.links()) == sorted(d for _, _, d in full.links())
    assert any(re.match(rf"rank \d+ to switch {len(left)}: ", tip) for tip, _, _ in drawing.links())
    assert any(re.match(rf"switch {len(left)} to \d+: ", tip) for tip, _, _ in drawing.links())


def test_draw_shows_other_networks_on_a_circle():
    nodes = Drawing("hyperx:5x3", "--phase", "ring").nodes()
    x, y = (sum(node[i] for node in nodes) / len(nodes) for i in range(2))
    assert len({round(math.hypot(node[0] - x, node[1] - y)) for node in nodes}) == 1


@pytest.mark.parametrize("grid", DRAWN)
def test_draw_shows_every_directed_link_once_and_nodes_apart(grid, tmp_path):
    drawing = Drawing(grid, "--loads", loads_file(tmp_path / "loads.json", grid))
    network = json_of("routes", grid)
    tips = [tip for tip, _, _ in drawing.links()]
    assert sorted(tips) == sorted(f"rank {link['from']} to {link['to']}: 1 byte" for link in network["links"])
    assert len({d for _, _, d in drawing.links()}) == len(tips)
    nodes = drawing.nodes()
    assert len(nodes) == network["nodes"] == len(drawing.ranks())
    for i, (x, y, r) in enumerate(nodes):
        assert all(math.hypot(x - u, y - v) > 2 * r + 10 for u, v, _ in nodes[:i])


@pytest.mark.parametrize("grid", DRAWN_WITH_HOSTS)
def test_draw_shows_hosts_around_their_switches(grid):
    drawing = Drawing(grid, "--phase", "alltoall")
    network, nodes = json_of("routes", grid), drawing.nodes()
    assert len(drawing.ranks()) == network["nodes"] and len(nodes) == network["nodes"] + network["switches"]
    assert len({d for _, _, d in drawing.links()}) == len(network["links"])
    for i, (x, y, r) in enumerate(nodes):
        assert all(math.hypot(x - u, y - v) > r + s + 2 for u, v, s in nodes[:i])
    switch_of = {link["from"]: link["to"] for link in network["links"] if link["from"] < network["nodes"]}
    for host, switch in switch_of.items():
        x, y, _ = nodes[host]
        nearest = min(range(network["nodes"], len(nodes)), key=lambda n: math.hypot(x - nodes[n][0], y - nodes[n][1]))
        assert nearest == switch


@pytest.mark.parametrize("grid", DRAWN + DRAWN_WITH_HOSTS)
def test_draw_keeps_links_within_the_picture_and_off_other_nodes(grid, tmp_path):
    drawing = Drawing(grid, "--loads", loads_file(tmp_path / "loads.json", grid))
    width, height = float(drawing.root.get("width")), float(drawing.root.get("height"))
    graph = next(g for g in drawing.root.iter(SVG + "g") if (g.get("transform") or "").startswith("translate"))
    left, top = map(float, re.findall(r"-?[\d.]+", graph.get("transform")))
    nodes = drawing.nodes()
    for _, _, path in drawing.links():
        for piece in path.split("M")[1:]:
            corners = [tuple(map(float, pair.split())) for pair in piece.rstrip("Z").split("L")]
            assert all(0 <= left + x <= width and 0 <= top + y <= height for x, y in corners)
            (ax, ay), (bx, by) = corners[0], corners[1]
            for t in [k / 40 for k in range(41)]:
                x, y = ax + t * (bx - ax), ay + t * (by - ay)
                assert all(math.hypot(x - u, y - v) > r for u, v, r in nodes)


# In [Xor] figure 6 the first row of nodes holds ranks 0 1 2 3 6 7 4 5.
def test_draw_puts_ranks_where_their_placement_does():
    drawing = Drawing("torus:8x8", "--placement", "standard", "--placement", "xor")
    assert len(drawing.panels) == 2
    assert drawing.ranks(0) == list(range(64))
    assert drawing.ranks(1)[:8] == [0, 1, 2, 3, 6, 7, 4, 5]
    assert drawing.nodes(1)[0][1] == drawing.nodes(1)[7][1]
    assert {"standard", "xor", "busiest link: 4 messages", "busiest link: 3 messages"} <= set(drawing.texts())


def test_draw_puts_panels_that_are_too_wide_for_a_page_into_rows():
    def places(grid):
        drawing = Drawing(grid, "--placement", "standard", "--placement", "xor")
        found = [panel.find(SVG + "text") for panel in drawing.panels]
        width, height = (float(drawing.root.get(name)) for name in ["width", "height"])
        assert all(0 < float(text.get("x")) < width and 0 < float(text.get("y")) < height for text in found)
        return [(float(text.get("x")), float(text.get("y"))) for text in found]
    (left, top), (right, same) = places("torus:8x8")
    assert left < right and top == same
    (left, top), (same, below) = places("torus:4x4x4")
    assert left == same and top < below


# By section 2 of the specification, all dimensions at once load a ring of 16 with 9 messages under standard and 6 under
# xor. The cut by a line of 8 nodes bounds them by 5, and colours end at twice the bound.
def test_draw_colours_links_by_load_on_one_scale_for_all_panels():
    drawing = Drawing("ring:16", "--placement", "standard", "--placement", "xor")
    for panel, busiest in [(0, 9), (1, 6)]:
        loads = {int(tip.split()[-2]): level for tip, level, _ in drawing.links(panel)}
        assert max(loads) == busiest
        assert loads == {load: f"level-{max(0, math.ceil(15 * (load - 5) / 5))}" for load in loads}


def test_draw_leaves_links_without_load_grey_and_reads_standard_input():
    text = json.dumps({"grid": "ring:4", "links": [{"from": 0, "to": 3, "messages": 2}]})
    drawing = Drawing("ring:4", "--loads", "-", stdin=text)
    busy = {tip: level for tip, level, _ in drawing.links() if level != "idle"}
    assert busy == {"rank 0 to 3: 2 messages": "level-15"}


def test_draw_takes_the_ranks_from_the_placement_of_the_loads_unless_told_otherwise(tmp_path):
    path = loads_file(tmp_path / "measured.json", "ring:8", placement="xor")
    assert Drawing("ring:8", "--loads", path).ranks() == [0, 1, 2, 3, 6, 7, 4, 5]
    assert Drawing("ring:8", "--loads", path, "--placement", "standard").ranks() == list(range(8))


def test_draw_shows_what_simulate_predicts_beside_what_was_measured(tmp_path):
    predicted = tmp_path / "predicted.json"
    plan("simulate", "exchange", "torus:4x4", "--placement", "xor", "--block", "1KiB", "--json", predicted)
    measured = loads_file(tmp_path / "measured.json", "torus:4x4", 4096.5)
    drawing = Drawing("torus:4x4", "--loads", predicted, "--loads", measured)
    assert {level for _, level, _ in drawing.links(0)} == {"level-15"}
    assert {level for _, level, _ in drawing.links(1)} == {"level-8"}
    assert {"predicted", "measured", "busiest link: 8 KiB"} <= set(drawing.texts())


def test_draw_escapes_titles_and_needs_nothing_from_elsewhere():
    drawing = Drawing("ring:4", "--title", "a <b> & \"c\" \x07")
    assert 'a <b> & "c"' in drawing.texts()[0]
    assert "prefers-color-scheme:dark" in drawing.text
    assert re.findall(r"https?://[^\"]*", drawing.text) == ["http://www.w3.org/2000/svg"]
    assert "href" not in drawing.text and "url(" not in drawing.text


def test_draw_writes_a_file(tmp_path):
    path = tmp_path / "ring.svg"
    job = plan("draw", "ring:4", "--output", path)
    assert (job.status, job.out) == (0, "")
    assert path.read_text() == Drawing("ring:4").text


DOCUMENTS = Path(os.environ["CUBEFOLD_SOURCE"]) / "docs"
COMMANDS = re.findall(r"^    cubefold draw (.*) --output \w+\.svg$",
                      (DOCUMENTS / "choosing-a-placement.md").read_text().replace("\\\n", ""), re.M)


@pytest.mark.parametrize("arguments", COMMANDS)
def test_the_commands_of_the_pictures_in_the_documents_draw(arguments):
    assert Drawing(*shlex.split(arguments)).panels


def test_the_first_example_in_the_documents_is_what_map_prints():
    page = (DOCUMENTS / "choosing-a-placement.md").read_text()
    command, shown = re.search(r"^    \$ cubefold (map .*?) --json cg.json\n(.*?)\n\n\w", page, re.M | re.S).groups()
    printed = plan(*command.split()).out.split("\n", 2)[2]
    assert shown == "\n".join(("    " + line).rstrip() for line in printed.rstrip().split("\n"))


@pytest.mark.parametrize("tie", ["positive", "balanced"])
def test_draw_shows_what_map_counts_in_all_phases_at_once(tie):
    phases = ["--phase", "cube:1*2", "--phase", "transpose:4x4"]
    counted = json_of("map", "torus:4x4", *phases, "--placement", "gray", "--tie", tie)
    drawing = Drawing("torus:4x4", *phases, "--placement", "gray", "--tie", tie)
    assert f"busiest link: {counted['busiest_link_together']:g} messages" in drawing.texts()
    assert f"torus:4x4, ranks on their nodes; cube:1*2, transpose:4x4 at once, {tie} ties" in drawing.texts()


def bits_of(drawing, panel=0):
    """Returns A and b as drawn, a row of digits each, with b last."""
    classes = [r.get("class") for r in drawing.panels[panel].iter(SVG + "rect")]
    size = int(math.isqrt(len(classes)))
    assert size * (size + 1) == len(classes)
    return ["".join("1" if c == "one" else "0" for c in classes[i * (size + 1):][:size + 1]) for i in range(size)]


def test_draw_shows_the_matrix_of_a_pattern_before_and_after_an_order():
    drawing = Drawing("hypercube:4", "--matrix", "reverse-flip", "--placement", "identity",
                      "--placement", "standard,order=0-3-1-2")
    assert bits_of(drawing) == ["00011", "00101", "01001", "10001"]
    assert bits_of(drawing, 1) == ["01001", "10001", "00011", "00101"]
    assert "most messages on a link: 2" in drawing.texts()
    assert "most messages on a link: 1" in drawing.texts()


@pytest.mark.parametrize("placement, pattern", combinations(
    ["identity", "xor", "gray", "standard,bits=cyclic,order=3-0-2-1"], ["rotate-clockwise:4x4", "zoom:4x4"]))
def test_the_matrix_that_draw_shows_is_what_goes_on_between_nodes(placement, pattern):
    rows = bits_of(Drawing("torus:4x4", "--matrix", pattern, "--placement", placement))
    answer = json_of("map", "torus:4x4", "--phase", pattern, "--placement", placement)
    nodes = answer["node_of_rank"]

    def pixels(rank):
        row, column = divmod(rank, 4)
        if pattern.startswith("rotate"):
            return [(rank, column * 4 + 3 - row)]
        return [(row // 2 * 4 + column // 2, rank)]

    gives_source = pattern.startswith("zoom")
    for start, end in (pair for rank in range(16) for pair in pixels(rank)):
        x, y = (nodes[end], nodes[start]) if gives_source else (nodes[start], nodes[end])
        image = sum(((sum(int(row[j]) & x >> j for j in range(4)) + int(row[4])) & 1) << i
                    for i, row in enumerate(rows))
        assert image == y


@pytest.mark.parametrize("arguments, line", [
    (["ring:8", "--placement", "by-weight"], "placement 'by-weight' is no linear map of bits"),
    (["ring:6"], "ring:6 has 6 nodes; a hypercube needs a power of two"),
    (["ring:8", "--matrix", "lcc:/missing.txt"], "/missing.txt: cannot read: No such file or directory"),
])
def test_draw_refuses_matrices_that_do_not_fit(arguments, line):
    matrix = [] if "--matrix" in arguments else ["--matrix", "bit-reversal"]
    expect_refused(plan("draw", *arguments, *matrix, "--output", "-"), line)


@pytest.mark.parametrize("arguments, line", [
    (["ring:1025"], "draw: ring:1025 has 1025 nodes; the most is 1024"),
    (["torus:3x3x3x3"], "draw: torus:3x3x3x3 has 4 axes; at most 3 can be drawn (two axes of length 2 count as one)"),
    (["ring:6"], "draw: ring:6 has 6 nodes, which is no power of two, so there are no cube dimensions to draw: "
                 "give a --phase"),
    (["ring:4", "--placement", "xor", "--title", "a", "--title", "b"],
     "draw: 2 titles for 1 panels; give one for each"),
    (["ring:4", "--loads", "/missing.json"], "/missing.json: cannot read: No such file or directory"),
])
def test_draw_refuses_what_does_not_fit_in_one_line(arguments, line):
    name, *rest = arguments
    job = plan("draw", name, *rest, "--output", "-")
    if name.startswith("torus:3x3"):
        job = plan("draw", name, "--loads", "-", "--output", "-", stdin=json.dumps({"grid": name, "links": []}))
    expect_refused(job, line)


@pytest.mark.parametrize("text, message", [
    ("{", "not JSON at byte 2"),
    ("[]", "not a JSON object"),
    ("{}", "no text 'grid'"),
    ('{"grid": "ring:8", "links": []}', "is of ring:8, not of ring:4"),
    ('{"grid": "ring:4"}', "no array 'links'"),
    ('{"grid": "ring:4", "grid": "ring:8", "links": []}', "'grid' stands twice in an object"),
    ("[" * 1000, "nested deeper than 16"),
    ('{"grid": "ring:4", "links": [3]}', "links[0]: not an object"),
    ('{"grid": "ring:4", "links": [{"to": 1, "bytes": 1}]}', "links[0]: no node 'from'"),
    ('{"grid": "ring:4", "links": [{"from": 0, "to": -1, "bytes": 1}]}', "links[0]: no node 'to'"),
    ('{"grid": "ring:4", "links": [{"from": 0, "to": 2, "bytes": 1}]}',
     "links[0]: no link from 0 to 2 on ring:4, or it came before"),
    ('{"grid": "ring:4", "links": [{"from": 0, "to": 1, "bytes": 1}, {"from": 0, "to": 1, "bytes": 1}]}',
     "links[1]: no link from 0 to 1 on ring:4, or it came before"),
    ('{"grid": "ring:4", "links": [{"from": 0, "to": 1, "bytes": -1}]}', "links[0]: -1 is negative"),
    ('{"grid": "ring:4", "links": [{"from": 0, "to": 1}]}', "links[0]: no number 'bytes' or 'messages'"),
    ('{"grid": "ring:4", "links": [{"from": 0, "to": 1, "bytes": 1}, {"from": 1, "to": 0, "messages": 1}]}',
     "links[1]: messages beside bytes"),
])
def test_draw_refuses_loads_that_are_not_right(tmp_path, text, message):
    path = tmp_path / "loads.json"
    path.write_text(text)
    expect_refused(plan("draw", "ring:4", "--loads", path, "--output", tmp_path / "out.svg"), f"{path}: {message}")
    assert list(tmp_path.iterdir()) == [path]


def test_draw_refuses_panels_that_cannot_be_compared(tmp_path):
    in_bytes = loads_file(tmp_path / "a.json", "ring:4")
    in_messages = tmp_path / "b.json"
    in_messages.write_text('{"grid": "ring:4", "links": [{"from": 0, "to": 1, "messages": 1}]}')
    expect_refused(plan("draw", "ring:4", "--loads", in_bytes, "--loads", in_messages, "--output", "-"),
                   f"draw: {in_messages} has messages, but {in_bytes} has bytes")
    expect_refused(plan("draw", "ring:4", "--loads", in_bytes, "--placement", "xor", "--placement", "gray",
                        "--output", "-"),
                   "draw: 2 placements for 1 loads files; give one, or one for each")


STEPS = ["simulate", "exchange", "torus:4x4", "--block", "2KiB"]
LOSSLESS = [*STEPS, "--network", "lossless"]


def test_simulate_runs_an_exchange_on_lossless_routers(tmp_path):
    picture = tmp_path / "waits.svg"
    result = json_of(*LOSSLESS, "--mpi", "linear", "--latency", "1.2us", "--svg", picture)
    assert (result["network"], result["mpi"], result["block_bytes"]) == ("lossless", "linear", 2048)
    assert [row["router"] for row in result["routers"]] == ["voq", "transit", "rr"]
    for row in result["routers"]:
        assert row["total_seconds"] > result["bound_seconds"]
        assert max(row["node_seconds"]) == row["total_seconds"]
        assert len(row["links"]) == 64
        # With balanced ties no link of a 4x4 torus carries more than 8 of the blocks.
        assert max(link["busy_seconds"] for link in row["links"]) == pytest.approx(8 * 2048 * 8 / 100e9)
    assert picture.read_text().count("voq:") == 1


@pytest.mark.parametrize("ports", ["one", "all"])
def test_simulate_prints_a_row_for_each_router(ports):
    job = plan(*LOSSLESS, "--algorithm", "direct", "--router", "rr,voq", "--ports", ports)
    assert [line.split()[0] for line in job.out.splitlines()[-2:]] == ["rr", "voq"]
    assert "processes copy no block that travels" in job.out


def test_simulate_counts_the_copies_of_a_schedule_on_a_lossless_network():
    arguments = [*LOSSLESS, "--algorithm", "axis-rotated", "--ports", "all", "--latency", "1.2us", "--router", "voq"]
    result = json_of(*arguments)
    assert result["single_block_bytes"] == 8571
    assert f"processes copy {result['copies_per_block']:.2f} blocks for each one delivered, but none of 8571 bytes " \
           "or more" in plan(*arguments).out


@pytest.mark.parametrize("arguments, message", [
    (["--router", "bgl"],
     "--router: unknown router 'bgl'; known: voq, transit, rr (see cubefold simulate exchange --help)"),
    (["--mpi", "ring"], "--mpi: unknown all-to-all of MPI 'ring'; known: linear, scattered, pairwise, bruck "
                        "(see cubefold simulate exchange --help)"),
    (["--injection", "0"], "--injection: '0' is not a number from 0.01 to 1 (see cubefold simulate exchange --help)"),
    (["--window", "0"], "--window: '0' is not a whole number from 1 up (see cubefold simulate exchange --help)"),
    (["--barrier", "1us"], "simulate: --barrier is for --network steps"),
    (["--gap", "1us", "--latency", "2us"],
     "simulate: a latency of 2 us is below two gaps of 1 us and two hops of 0.1667 us"),
    (["--json", "-", "--svg", "-"], "simulate: --json and --svg cannot both write to standard output"),
])
def test_simulate_names_what_a_lossless_network_does_not_have(arguments, message):
    expect_refused(plan(*LOSSLESS, *arguments), message)


def test_simulate_names_what_only_a_lossless_network_has():
    expect_refused(plan(*STEPS, "--mpi", "linear"), "simulate: --mpi is for --network lossless")
    expect_refused(plan(*STEPS, "--network", "lossles"),
                   "--network: unknown network 'lossles'; did you mean 'lossless'? known: steps, lossless "
                   "(see cubefold simulate exchange --help)")
