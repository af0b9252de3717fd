"""cubefold verify: it accepts certificates of cubefold map and refuses changed ones with the right line."""

import copy
import json
import os
import random
import re

import pytest

from jobs import expect_refused, run_alone
from sweeps import combinations

PATTERNS = ["block-cyclic-to-block:1", "block-cyclic-to-block:7", "block-to-block-cyclic:2", "bit-reversal",
            "reverse-flip", "shuffle", "unshuffle", "exchange:2", "exchange", "complement",
            *(f"{name}:{shape}" for shape in ["4x8", "1x32", "32x1"]
              for name in ["transpose", "reflect-antidiagonal", "rotate-clockwise", "rotate-counterclockwise",
                           "rotate-180", "reflect-left-right", "reflect-top-bottom", "zoom", "bit-reversal-in-rows",
                           "bit-reversal-in-columns"])]


PROGRAMS = {
    "grid:6wx5": ["halo:30", "halo:30w", "halo:5x6", "halo:5x6:full", "halo:2wx5wx3:full", "halo:5x2wx3:edges",
                  "halo:3wx10w:faces", "halo:1wx1x30:full", "alltoall", "alltoall:rows=5x6", "alltoall:columns=5x6",
                  "alltoall:rows=1x30", "alltoall:columns=1x30", "ring", "allreduce", "allreduce:0", "allreduce:2-5"],
    "mesh:4x8": ["halo:8wx4", "alltoall:columns=2x16", "ring", "allreduce", "reduce-scatter", "allgather:1-3"],
    "line:1": ["halo:1", "halo:1wx1:full", "alltoall", "alltoall:rows=1x1", "ring"],
    "line:2": ["halo:2w", "alltoall:columns=2x1", "ring", "allreduce:0"],
    "line:3": ["halo:3w:full", "ring", "allreduce"],
}


def certificate(path, *arguments):
    job = run_alone("cubefold", "map", *arguments, "--json", path)
    assert job.status == 0, job.err
    return json.loads(path.read_text())


def verify(path):
    return run_alone("cubefold", "verify", path)


def expect_ok(path):
    job = verify(path)
    assert (job.status, job.err) == (0, ""), job.out
    assert job.out.startswith("ok: ")


@pytest.mark.parametrize("pattern, placement", combinations(PATTERNS, ["gray", "xor,order=3-0-4-1-2"]))
def test_knows_every_pattern_by_its_own_definition(pattern, placement, tmp_path):
    certificate(tmp_path / "c.json", "grid:8wx4", "--phase", pattern, "--placement", placement)
    expect_ok(tmp_path / "c.json")


@pytest.mark.parametrize("grid", PROGRAMS)
@pytest.mark.parametrize("per_node", [1, 2])
def test_knows_what_programs_do_by_its_own_definitions(grid, per_node, tmp_path):
    names = PROGRAMS[grid]
    if per_node == 2:
        names = [re.sub(r"(halo:|[sx=])(\d+)(w?)(:\w+)?$", lambda m: f"{m[1]}{2 * int(m[2])}{m[3]}{m[4] or ''}", name)
                 for name in names]
    phases = [word for name in names for word in ["--phase", f"{name}*3"]]
    claimed = certificate(tmp_path / "c.json", grid, *phases, "--per-node", per_node, "--placement", "identity")
    by_steps = ("allreduce", "reduce-scatter", "allgather")
    assert {phase["name"] for phase in claimed["phases"]} >= {name for name in names if not name.startswith(by_steps)}
    expect_ok(tmp_path / "c.json")


@pytest.fixture(scope="module", name="program")
def certificate_of_a_program(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("program") / "c.json", "grid:4wx3", "--phase", "halo:3x4", "--phase",
                       "alltoall:rows=3x4", "--phase", "ring", "--phase", "allreduce:0", "--placement", "identity")


OTHER_HALOS = {
    "halo:3wx4": "messages: 34 is claimed, 42 is right",
    "halo:4x3": "busiest_link[0]: ",
    "halo:3x4:full": "messages: 34 is claimed, 58 is right",
    "halo:3x4:fu": "phases[0]: 'halo:3x4:fu': 'fu' is none of faces, edges and full",
    "halo:3x4:full:full": "phases[0]: 'halo:3x4:full:full': it takes a shape and a stencil only",
    "halo:3x5": "phases[0]: 'halo:3x5': its extents do not make 12 ranks",
    "halo:0x5": "phases[0]: 'halo:0x5': its extents do not make 12 ranks",
    "halo:4294967296x4294967308": "phases[0]: 'halo:4294967296x4294967308': '4294967296' is not a number",
    "halo": "phases[0]: 'halo': '' is not a number",
    "halo:3ww": "phases[0]: 'halo:3ww': '3w' is not a number",
    "halo:12" + "x1" * 64: "': 65 axes are more than 64",
    "halo:3x4:edges": "messages: 34 is claimed, 58 is right",
    "halo:12" + "x1" * 15 + ":full": "phases: they have more than 33554432 messages",
}

OTHER_ALLTOALLS = {
    "alltoall": "messages: 36 is claimed, 132 is right",
    "alltoall:columns=3x4": "messages: 36 is claimed, 24 is right",
    "alltoall:columns=4x3": "busiest_link[1]: ",
    "alltoall:rows=3x3": "phases[1]: 'alltoall:rows=3x3': 3 x 3 do not make 12 ranks",
    "alltoall:row=3x4": "phases[1]: 'alltoall:row=3x4': it takes rows=AxB or columns=AxB",
    "alltoall:rows": "phases[1]: 'alltoall:rows': it takes rows=AxB or columns=AxB",
}

OTHER_RINGS = {
    "ring:0": "phases[2]: 'ring:0': it takes nothing after its name",
    "halo:12w": "messages: 12 is claimed, 24 is right",
}

OTHER_ALLREDUCES = {
    "allreduce": "phases[3]: 'allreduce': '' is not a number",
    "allreduce:1": "messages: 4 is claimed, 8 is right",
    "allreduce:4": "busiest_link_together: 5 is claimed, 4 is right",
    "allreduce:5": "phases[3]: 'allreduce:5': it has 5 steps",
}


@pytest.mark.parametrize("phase, name, line", [
    (phase, name, line) for phase, others in enumerate([OTHER_HALOS, OTHER_ALLTOALLS, OTHER_RINGS, OTHER_ALLREDUCES])
    for name, line in others.items()])
def test_rejects_another_program(phase, name, line, program, tmp_path):
    doctored = copy.deepcopy(program)
    doctored["phases"][phase]["name"] = name
    (tmp_path / "c.json").write_text(json.dumps(doctored))
    job = verify(tmp_path / "c.json")
    assert (job.status, job.err) == (1, "")
    assert line in job.out


@pytest.fixture(scope="module", name="bricks")
def certificate_of_bricks(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("bricks") / "c.json", "torus:4x4", "--phase", "halo:8x8", "--phase",
                       "ring*0.5", "--per-node", 4, "--bricks", "8x8/2x2")


@pytest.mark.parametrize("grid, per_node, options", [
    ("torus:4x6", 4, ["--bricks", "8x6x2/2x1x2"]), ("mesh:8x4", 3, ["--bricks", "8x6x2/1x3x1"]),
    ("torus:4x6", 4, ["--bricks", "12x8"]), ("torus:6x4", 4, ["--bricks", "8x12/4x1", "--placement", "identity"])])
def test_agrees_with_map_on_bricks(grid, per_node, options, tmp_path):
    ranks = options[1].split("/")[0]
    claimed = certificate(tmp_path / "c.json", grid, "--phase", f"halo:{ranks}", "--phase", "ring*0.1", "--per-node",
                          per_node, "--effort", 10000000, *options)
    assert claimed["bricks"].startswith(f"{ranks}/")
    expect_ok(tmp_path / "c.json")


@pytest.mark.parametrize("text, line", [
    (None, "placement: "),
    ("8x8/1x4", "placement: "),
    ("8x8/2x1", "bricks: '8x8/2x1': its brick has not 4 ranks"),
    ("8x4/2x2", "bricks: '8x4/2x2': it has not 64 ranks"),
    ("64x1/3x1", "bricks: '64x1/3x1': 3 does not divide 64"),
    ("8x8/0x2", "bricks: '8x8/0x2': 0 does not divide 8"),
    ("0x8/2x2", "bricks: '0x8/2x2': it has not 64 ranks"),
    ("8x8/4", "bricks: '8x8/4': 2 axes and 1 of a brick"),
    ("8x8", "bricks: '8x8': it is not RANKS/BRICK"),
    ("8x8/2x", "bricks: '8x8/2x': '' is not a number"),
])
def test_rejects_other_bricks(text, line, bricks, tmp_path):
    doctored = copy.deepcopy(bricks)
    del doctored["bricks"]
    if text is not None:
        doctored["bricks"] = text
    (tmp_path / "c.json").write_text(json.dumps(doctored))
    job = verify(tmp_path / "c.json")
    assert (job.status, job.err) == (1, "")
    assert line in job.out


# The library's values and bounds are compared with those of verify in fuzz/mutated_certificates_test.cpp.
OBJECTIVES = ["busiest-links", "together", "hop-bytes"]


@pytest.mark.parametrize("grid, objective, tie", combinations(
    [["torus:4x4x4"], ["mesh:8x4"], ["ring:32"], ["hypercube:4"], ["grid:4wx2x4"], ["torus:4x2", "--per-node", "4"]],
    OBJECTIVES, ["positive", "balanced"]))
def test_agrees_with_map_on_cubes_and_their_kin(grid, objective, tie, tmp_path):
    certificate(tmp_path / "c.json", *grid, "--phase", "cube*2", "--phase", "bit-reversal", "--objective", objective,
                "--tie", tie, "--effort", 10000000)
    expect_ok(tmp_path / "c.json")


def random_matrix(chance, size, sizes):
    entries = [(i, j) for i in range(1, size + 1) for j in range(1, size + 1) if i != j and chance.random() < 0.2]
    lines = [f"{i} {j} {chance.choice(sizes)}" for i, j in entries]
    return "\n".join(["%%MatrixMarket matrix coordinate real general", f"{size} {size} {len(lines)}", *lines, ""])


@pytest.mark.parametrize("machine, objective", combinations(
    [("torus:4x4", 16, 1), ("mesh:3x5", 30, 2), ("grid:3wx2x2", 36, 3), ("line:7", 7, 1)], OBJECTIVES))
def test_agrees_with_map_on_random_matrices(machine, objective, tmp_path):
    grid, size, per_node = machine
    chance = random.Random(f"{grid} {objective}")
    phases = []
    for sizes in [[1], [2.5], [0.1, 3, 7]]:
        file = tmp_path / f"{len(phases)}.mtx"
        file.write_text(random_matrix(chance, size, sizes))
        phases += ["--phase", f"matrix:{file}*{chance.choice([1, 3, 0.3])}"]
    certificate(tmp_path / "c.json", grid, *phases, "--objective", objective, "--per-node", per_node,
                "--effort", 1000000)
    expect_ok(tmp_path / "c.json")


@pytest.mark.parametrize("weights, objective, grid", combinations(
    [["1e-10"], ["1", "1e-20"], ["0.1", "0.2", "0.3"], ["0.3333333333333333", "1e15"], ["0", "1e-30"], ["-0", "1"],
     ["0.12345678901234567", "98765432.109876543"]], OBJECTIVES, ["line:8", "hypercube:3"]))
def test_agrees_with_map_on_weights_of_any_size(weights, objective, grid, tmp_path):
    chance = random.Random(str(weights))
    (tmp_path / "a.mtx").write_text(random_matrix(chance, 8, [0.1, 1 / 3, 7e-4]))
    names = ["cube", "complement", "block-cyclic-to-block:1", f"matrix:{tmp_path}/a.mtx"]
    phases = [word for i, name in enumerate(names) for word in ["--phase", f"{name}*{weights[i % len(weights)]}"]]
    certificate(tmp_path / "c.json", grid, *phases, "--objective", objective, "--effort", 1000000)
    expect_ok(tmp_path / "c.json")


def test_knows_phases_of_one_name_apart(tmp_path):
    (tmp_path / "m.mtx").write_text(matrix_of([(1, 2, 1), (1, 3, 1), (1, 4, 1)], 4))
    name = f"matrix:{tmp_path}/m.mtx"
    claimed = certificate(tmp_path / "c.json", "mesh:2x2", "--phase", f"{name}*2", "--phase", f"{name}*0.1",
                          "--objective", "together")
    assert (claimed["lower_bound"], claimed["bound_source"]) == (4, f"ports of phase {name}")
    expect_ok(tmp_path / "c.json")


def test_every_pattern_of_a_single_rank_sends_to_itself(tmp_path):
    for pattern in ["shuffle", "unshuffle", "bit-reversal", "complement", "transpose", "zoom",
                    "block-cyclic-to-block:2"]:
        certificate(tmp_path / "c.json", "line:1", "--phase", pattern)
        expect_ok(tmp_path / "c.json")


def test_reads_lcc_files_again_from_the_certificate(tmp_path):
    (tmp_path / "zoom.txt").write_text("scatter\n0100\n0000\n0001\n0000 1\n")
    (tmp_path / "gather.txt").write_text("0110 1\n0000\n0001\n1000 1\n")
    phases = [word for name in ["zoom", "gather"] for word in ["--phase", f"lcc:{tmp_path}/{name}.txt"]]
    certificate(tmp_path / "c.json", "torus:4x4", *phases)
    (tmp_path / "zoom.txt").unlink()
    expect_ok(tmp_path / "c.json")


def test_reads_standard_input(tmp_path):
    certificate(tmp_path / "c.json", "ring:4", "--phase", "cube", "--placement", "xor")
    job = run_alone("cubefold", "verify", "-", stdin=(tmp_path / "c.json").read_text())
    assert (job.status, job.out) == (0, "ok: xor on ring:4, value 2, lower bound 2\n")


# The rates are 1, 1.5, 2.5 and 3.5. Routes are found by the program, and one pair of nodes is linked one way only.
NETWORK = {"nodes": list("abcdefgh"), "links": [["d", "h", 3], ["a", "e"]],
           "cables": [["a", "b", 2], ["b", "c", 5], ["c", "d", 7], ["d", "e", 2], ["e", "f", 3], ["f", "g", 2],
                      ["g", "h", 2], ["h", "a", 2]]}


def network_name(grid, folder):
    if not grid.startswith("file:"):
        return grid
    (folder / "network.json").write_text(json.dumps(NETWORK))
    return f"file:{folder}/network.json"


@pytest.mark.parametrize("network, job, objective", combinations(
    [("torus:4x4,cut=0-1,cut=5-9", 16), ("torus:4x4~1", 16), ("hyperx:4x2", 8), ("file:", 8)],
    [(["cube*2", "bit-reversal"], 1), (["halo:SIZEw*0.3", "alltoall"], 1),
     (["alltoall:rows=2xHALF*7", "ring*1e-5"], 3)], OBJECTIVES))
def test_agrees_with_map_on_networks_with_route_tables(network, job, objective, tmp_path):
    (grid, size), (phases, per_node) = network, job
    ranks = size * per_node
    words = [word for name in phases for word in
             ["--phase", name.replace("SIZE", str(ranks)).replace("HALF", str(ranks // 2))]]
    claimed = certificate(tmp_path / "c.json", network_name(grid, tmp_path), *words, "--objective", objective,
                          "--per-node", per_node, "--effort", 1000000)
    assert claimed["routing"] == "table"
    assert claimed["value"] <= claimed["compared"][0]["value"]
    expect_ok(tmp_path / "c.json")


DOCTORED_NETWORKS = {
    "busiest link": (lambda c: c["busiest_link"].__setitem__(1, c["busiest_link"][1] - 0.001), "busiest_link[1]: "),
    "value": (lambda c: c.update(value=c["value"] - 1), "value: "),
    "hops": (lambda c: c.update(hop_bytes=c["hop_bytes"] - 1), "hop_bytes: "),
    "bound": (lambda c: c.update(lower_bound=c["lower_bound"] + 0.001), "lower_bound: "),
    "optimal": (lambda c: c.update(optimal=True), "optimal: true is claimed, but the value "),
    "routing": (lambda c: c.update(routing="dimension-order"), "routing: 'dimension-order' is not table"),
    "another network": (lambda c: c.update(grid="hyperx:4x2"), "busiest_link["),
    "a torus": (lambda c: c.update(grid="torus:4x2"), "routing: 'table' is not dimension-order"),
    "two ranks swapped": (lambda c: c["node_of_rank"].reverse(), "placement: "),
}


@pytest.mark.parametrize("kind", DOCTORED_NETWORKS)
def test_rejects_a_doctored_certificate_of_a_network(kind, tmp_path):
    change, line = DOCTORED_NETWORKS[kind]
    path = tmp_path / "c.json"
    claimed = certificate(path, network_name("file:", tmp_path), "--phase", "cube", "--phase", "alltoall:rows=2x4*0.1",
                          "--placement", "xor")
    assert claimed["optimal"] == "unknown"
    expect_ok(path)
    change(claimed)
    path.write_text(json.dumps(claimed))
    job = verify(path)
    assert (job.status, job.err) == (1, "")
    assert any(found.startswith(f"{path}: {line}") for found in job.out.splitlines()), job.out


@pytest.mark.parametrize("grid, objective", combinations(["mesh:4x5", "grid:5wx3", "torus:4x4,cut=0-1", "file:"],
                                                         OBJECTIVES))
def test_proves_that_an_all_to_all_is_the_same_under_every_placement(grid, objective, tmp_path):
    claimed = certificate(tmp_path / "c.json", network_name(grid, tmp_path), "--phase", "alltoall", "--objective",
                          objective)
    assert (claimed["optimal"], claimed["placement"]) == (True, "identity")
    expect_ok(tmp_path / "c.json")


def matrix_of(entries, size):
    lines = [f"{i} {j} {amount}" for i, j, amount in entries]
    return "\n".join(["%%MatrixMarket matrix coordinate integer general", f"{size} {size} {len(lines)}", *lines, ""])


def flat_halo():
    """Yields the messages of 4 x 4 periodic ranks with 10000 bytes to the neighbours in a row and 1000 in a column."""
    for row in range(4):
        for column in range(4):
            for step in (1, 3):
                yield 4 * row + column + 1, 4 * row + (column + step) % 4 + 1, 10000
                yield 4 * row + column + 1, (row + step) % 4 * 4 + column + 1, 1000


@pytest.mark.parametrize("grid, entries, bound", [
    ("torus:4x4", list(flat_halo()), 10000), ("mesh:2x2", [(1, 2, 10), (2, 1, 1)], 10)])
@pytest.mark.parametrize("objective, reason", [("busiest-links", "largest message of each phase"),
                                               ("together", "largest message of all phases")])
def test_knows_that_some_link_carries_the_largest_message(grid, entries, bound, objective, reason, tmp_path):
    size = max(max(entry[:2]) for entry in entries) if len(entries) > 2 else 4
    (tmp_path / "m.mtx").write_text(matrix_of(entries, size))
    path = tmp_path / "c.json"
    claimed = certificate(path, grid, "--phase", f"matrix:{tmp_path}/m.mtx", "--objective", objective)
    assert (claimed["value"], claimed["lower_bound"], claimed["optimal"]) == (bound, bound, True)
    assert claimed["bound_source"] == reason
    expect_ok(path)
    for change, line in [({"lower_bound": bound - 1}, f"lower_bound: {bound - 1} is claimed, {bound} is right"),
                         ({"lower_bound": bound + 1}, f"lower_bound: {bound + 1} is above the value {bound}"),
                         ({"bound_source": "largest message"}, "bound_source: 'largest message' is no reason"),
                         ({"optimal": "unknown"}, f"optimal: unknown is claimed, but the value {bound} is the bound")]:
        path.write_text(json.dumps({**claimed, **change}))
        assert line in verify(path).out


@pytest.mark.parametrize("objective, per_node", combinations(["busiest-links", "together"], [1, 2]))
def test_adds_up_the_messages_of_all_phases_between_two_nodes(objective, per_node, tmp_path):
    chance = random.Random(f"{objective} {per_node}")
    phases = []
    for name in "abc":
        entries = {(chance.randint(1, 8 * per_node), chance.randint(1, 8 * per_node)): 10 ** chance.randint(0, 3)
                   for _ in range(10 * per_node)}
        (tmp_path / f"{name}.mtx").write_text(matrix_of([(*ends, amount) for ends, amount in entries.items()],
                                                        8 * per_node))
        phases += ["--phase", f"matrix:{tmp_path}/{name}.mtx*{chance.choice([1, 0.3])}"]
    reasons = ""
    for grid in ["mesh:2x4", "ring:8", "torus:2x4,cut=0-1", network_name("file:", tmp_path)]:
        claimed = certificate(tmp_path / "c.json", grid, *phases, "--objective", objective, "--per-node", per_node,
                              "--effort", 1000000)
        reasons += claimed["bound_source"]
        expect_ok(tmp_path / "c.json")
    # With two ranks a node, all phases together load the ports more than the largest message loads a link.
    assert ("largest message" in reasons) == ((objective, per_node) != ("together", 2))


@pytest.fixture(scope="module")
def genuine(tmp_path_factory):
    """Makes a certificate of a pattern, a gather from a file and a matrix, on a mesh, so that no placement reaches
    the bound."""
    folder = tmp_path_factory.mktemp("genuine")
    (folder / "a.txt").write_text("0110 1\n0000\n0001\n1000 1\n")
    (folder / "m.mtx").write_text(random_matrix(random.Random(3), 16, [1, 2]))
    return certificate(folder / "c.json", "mesh:4x4", "--phase", "cube:0-1*2", "--phase", f"lcc:{folder}/a.txt",
                       "--phase", f"matrix:{folder}/m.mtx", "--placement", "standard,order=0-2-1-3",
                       "--tie", "positive")


def put(key, value):
    def change(c):
        c[key] = value(c[key]) if callable(value) else value
    return change


def put_in(key, index, value):
    def change(c):
        c[key][index] = value(c[key][index]) if callable(value) else value
    return change


def put_in_phase(phase, key, value):
    def change(c):
        c["phases"][phase][key] = value(c["phases"][phase][key]) if callable(value) else value
    return change


def swap_nodes(c):
    nodes = c["node_of_rank"]
    nodes[1], nodes[2] = nodes[2], nodes[1]


def more_in_matrix(c):
    c["phases"][3]["traffic"][0][2] += 1


def claim_better(c):
    c["compared"][0]["value"] = 0.5


def weaker_reason(c):
    c["lower_bound"], c["bound_source"] = 4, "hops of all phases"


DOCTORED = {
    "busiest link": (put_in("busiest_link", 2, lambda v: v - 1), "busiest_link[2]: "),
    "one busiest link too few":
        (put("busiest_link", lambda v: v[:-1]), "busiest_link: 3 entries where there are 4 phases"),
    "together": (put("busiest_link_together", lambda v: v - 1), "busiest_link_together: "),
    "hops": (put("average_hops", lambda v: v - 0.01), "average_hops: "),
    "hop bytes": (put("hop_bytes", lambda v: v + 1), "hop_bytes: "),
    "value": (put("value", lambda v: v - 1), "value: "),
    "node twice": (put_in("node_of_rank", 0, 5), "node_of_rank: node 5 has 2 ranks, not 1"),
    "node beyond": (put_in("node_of_rank", 7, 16), "node_of_rank: rank 7 is on node 16, which mesh:4x4 has not"),
    "node below": (put_in("node_of_rank", 7, -1), "node_of_rank: rank 7 is on node -1, which mesh:4x4 has not"),
    "rank missing":
        (put("node_of_rank", lambda v: v[:-1]), "node_of_rank: 15 ranks where mesh:4x4 has 16 nodes with 1 each"),
    "two ranks swapped": (swap_nodes, "placement: 'standard,order=0-2-1-3' puts rank 1 on node 1, not on node 4"),
    "another placement": (put("placement", "xor"), "placement: 'xor' puts rank "),
    "no placement": (put("placement", "best"), "placement: placement 'best': unknown embedding 'best'"),
    "bound above value": (put("lower_bound", lambda v: 1000), "lower_bound: 1000 is above the value "),
    "bound too high": (put("lower_bound", lambda v: v + 1), "lower_bound: "),
    "bound too low": (put("lower_bound", lambda v: v / 2), "lower_bound: "),
    "weaker reason": (weaker_reason, "lower_bound: 4 is claimed, 8 is proven by 'ports of each phase'"),
    "unknown reason": (put("bound_source", "faith"), "bound_source: 'faith' is no reason that is known"),
    "another reason": (put("bound_source", "ports of all phases"), "lower_bound: "),
    "optimal with a gap": (put("optimal", True), "optimal: true is claimed, but the value "),
    "beaten": (put("optimal", False), "optimal: false is claimed, but nothing compared is below "),
    "another grid": (put("grid", "torus:4x4"), "average_hops: "),
    "a smaller grid": (put("grid", "mesh:4x2"), "node_of_rank: 16 ranks where mesh:4x2 has 8 nodes with 1 each"),
    "no grid": (put("grid", "mesh:4xx"), "grid: grid 'mesh:4xx': "),
    "no tie": (put("tie", "up"), "tie: 'up' is neither positive nor balanced"),
    "routing": (put("routing", "adaptive"), "routing: 'adaptive' is not dimension-order"),
    "objective": (put("objective", "hop-bytes"), "value: "),
    "no objective": (put("objective", "good"), "objective: 'good' is none of busiest-links, together, hop-bytes"),
    "ranks on a node": (put("per_node", 2), "node_of_rank: 16 ranks where mesh:4x4 has 16 nodes with 2 each"),
    "very many on a node": (put("per_node", 2**60 + 1),
                            "node_of_rank: 16 ranks where mesh:4x4 has 16 nodes with 1152921504606846977 each"),
    "no ranks on a node": (put("per_node", 0), "per_node: 0 is not positive"),
    "too few counts": (put("per_node", [1] * 15), "per_node: 15 numbers where mesh:4x4 has 16 nodes"),
    "too large counts": (put("per_node", [2] + [1] * 15), "node_of_rank: 16 ranks are fewer than per_node says"),
    "a bound where none is known": (put("per_node", [1] * 16),
                                    "bound_source: 'ports of each phase' is no reason that is known"),
    "matrix": (more_in_matrix, "phases[3]: messages: "),
    "negative messages": (put_in_phase(3, "traffic", lambda t: [[0, 1, -1]] + t[1:]), "phases[3]: 'matrix:"),
    "no rank": (put_in_phase(3, "traffic", lambda t: [[0, 16, 1]] + t[1:]), "phases[3]: 'matrix:"),
    "messages": (put_in_phase(2, "messages", 17), "phases[2]: messages: 17 is claimed, "),
    "lcc": (put_in_phase(2, "lcc", lambda rows: ["0000 1"] + rows[1:]), "phases[2]: messages: "),
    "rows": (put_in_phase(2, "lcc", lambda rows: rows[1:]), "phases[2]: 'lcc:"),
    "negative weight":
        (put_in_phase(0, "weight", -1), "phases[0]: 'cube:0': weight -1 is neither 0 nor between 1e-30 and 1e30"),
    "weight": (put_in_phase(0, "weight", 3), "value: "),
    "name": (put_in_phase(0, "name", "cube:3"), "busiest_link[0]: "),
    "no name": (put_in_phase(0, "name", "ball"), "phases[0]: 'ball': the name is not known"),
    "a whole cube": (put_in_phase(0, "name", "cube"), "phases[0]: 'cube': '' is not a number"),
    "no argument":
        (put_in_phase(0, "name", "complement:1"), "phases[0]: 'complement:1': it takes nothing after its name"),
    "no shape": (put_in_phase(0, "name", "transpose:4"), "phases[0]: 'transpose:4': '' is not a number"),
    "two definitions": (lambda c: c["phases"][0].update(traffic=[[0, 1, 1]]),
                        "phases[0]: 'cube:0': messages beside a name that says which they are"),
    "no phases": (put("phases", []), "phases: there are none"),
    "compared": (claim_better, "compared[0].value: 0.5 is claimed, "),
}


def test_finds_nothing_wrong_with_the_genuine_one(genuine, tmp_path):
    assert genuine["optimal"] == "unknown"
    (tmp_path / "c.json").write_text(json.dumps(genuine))
    expect_ok(tmp_path / "c.json")


@pytest.mark.parametrize("kind", DOCTORED)
def test_rejects_a_doctored_certificate_by_the_right_line(kind, genuine, tmp_path):
    change, line = DOCTORED[kind]
    doctored = copy.deepcopy(genuine)
    change(doctored)
    assert doctored != genuine
    path = tmp_path / "c.json"
    path.write_text(json.dumps(doctored))
    job = verify(path)
    assert (job.status, job.err) == (1, "")
    assert any(found.startswith(f"{path}: {line}") for found in job.out.splitlines()), job.out


def test_the_tie_is_part_of_what_is_claimed(tmp_path):
    claimed = certificate(tmp_path / "c.json", "ring:16", "--phase", "cube", "--placement", "standard")
    assert claimed["busiest_link_together"] == 9
    claimed["tie"] = "positive"
    (tmp_path / "c.json").write_text(json.dumps(claimed))
    assert f"{tmp_path}/c.json: busiest_link_together: 9 is claimed, 13 is right" in verify(tmp_path / "c.json").out


def test_unknown_is_not_good_enough_where_more_is_known(tmp_path):
    claimed = certificate(tmp_path / "c.json", "ring:8", "--phase", "cube", "--placement", "standard", "--objective",
                          "together")
    assert claimed["optimal"] is False
    claimed["optimal"] = "unknown"
    (tmp_path / "c.json").write_text(json.dumps(claimed))
    assert "optimal: unknown is claimed, but " in verify(tmp_path / "c.json").out
    claimed = certificate(tmp_path / "c.json", "torus:4x4", "--phase", "cube")
    assert claimed["optimal"] is True
    claimed["optimal"] = "unknown"
    (tmp_path / "c.json").write_text(json.dumps(claimed))
    assert "optimal: unknown is claimed, but " in verify(tmp_path / "c.json").out


@pytest.mark.parametrize("change, line", [
    (lambda text: text[:100], "not JSON at byte 101"),
    (lambda text: "[]", "file is not an object"),
    (lambda text: text.replace('"tie": "balanced",', ""), "file has no 'tie'"),
    (lambda text: text.replace('"tie"', '"tied"'), "file has an unknown key 'tied'"),
    (lambda text: text.replace('"tie"', '"ports": 1,\n"tie"'), "file has an unknown key 'ports'"),
    (lambda text: text.replace('"grid": "ring:4"', '"grid": 4'), "grid is not a text"),
    (lambda text: text.replace('"node_of_rank": [0', '"node_of_rank": ["0"'),
     "node_of_rank[0] is not a whole number below 2^63"),
    (lambda text: text.replace('"node_of_rank": [0', '"node_of_rank": [18446744073709551615'),
     "node_of_rank[0] is not a whole number below 2^63"),
    (lambda text: text.replace('"weight":1.0', '"weight":null', 1), "phases[0].weight is not a number"),
    (lambda text: text.replace('"name":"xor"', '"name":"gray"'), "compared[2].name is not the placement"),
    (lambda text: text.replace('"name":"xor",', '"name":"xor","node_of_rank":[0,1,3,2],'),
     "compared[2] has not one of 'placement' and 'node_of_rank'"),
    (lambda text: text.replace('"optimal": true', '"optimal": 1'), "optimal is neither true nor false"),
])
def test_refuses_what_is_no_certificate(change, line, tmp_path):
    path = tmp_path / "c.json"
    certificate(path, "ring:4", "--phase", "cube", "--placement", "standard")
    path.write_text(change(path.read_text()))
    expect_refused(verify(path), f"{path}: {line}")


def test_refuses_a_missing_file():
    expect_refused(verify("/missing.json"), "/missing.json: cannot read: No such file or directory")


def test_refuses_a_folder_by_its_path(tmp_path):
    expect_refused(verify(tmp_path), f"{tmp_path}: cannot read: Is a directory")
    folder = os.open(tmp_path, os.O_RDONLY)
    expect_refused(run_alone("cubefold", "verify", "-", stdin=folder), "standard input: cannot read: Is a directory")
    os.close(folder)


def test_refuses_a_number_beyond_all_bounds_by_its_file(tmp_path):
    (tmp_path / "c.json").write_text('{"value": 1e999}')
    expect_refused(verify(tmp_path / "c.json"), f"{tmp_path}/c.json: a number in it is too large")


def test_counts_the_ranks_of_every_node_where_they_are_unequal(tmp_path):
    claimed = certificate(tmp_path / "c.json", "ring:4", "--phase", "halo:10", "--per-node", "3(x2),2(x2)",
                          "--placement", "nodes=2-0-3-1")
    assert claimed["node_of_rank"] == [2, 2, 0, 0, 0, 3, 3, 1, 1, 1]

    def verdict(**changes):
        (tmp_path / "c.json").write_text(json.dumps({**claimed, **changes}))
        return run_alone("cubefold", "verify", tmp_path / "c.json").out

    assert verify(tmp_path / "c.json").status == 0
    assert "node_of_rank: node 0 has 4 ranks, not 3" in verdict(node_of_rank=[0, 2, 0, 0, 0, 3, 3, 1, 1, 1])
    assert "placement: 'nodes=2-0-3-1' puts rank 0 on node 2, not on node 1" in verdict(
        node_of_rank=[1, 2, 0, 0, 0, 3, 3, 2, 1, 1])
    assert "lower_bound: " in verdict(lower_bound=1)
    assert "bricks: '10/5': per_node is a list" in verdict(bricks="10/5")
