"""Tests of cubefold map from outside. Loads are counted here, message by message and hop by hop."""

import json
import os
import random
import re
import subprocess
from collections import Counter

import pytest

from jobs import BUILD, expect_refused, run_alone
from sweeps import combinations, more
from traffic import route

CG = ["torus:4x4x4", "--phase", "cube:0-2", "--phase", "transpose:8x8"]


def map_ranks(*arguments):
    return run_alone("cubefold", "map", *arguments)


def json_of(*arguments):
    job = map_ranks(*arguments, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def compared(answer, name):
    return next(order for order in answer["compared"] if order["name"] == name)


def loads(node_of_rank, messages, extents, tie="balanced"):
    """Returns (from, to) of a link on a torus -> messages, where messages is (from, to) -> their number."""
    total = Counter()
    for (start, end), count in messages.items():
        for link in route(node_of_rank[start], node_of_rank[end], extents, True, tie):
            total[link] += count
    return total


CG_PHASES = [{(r, r ^ 1 << i): 1 for r in range(64)} for i in range(3)] + [
    {(8 * i + j, 8 * j + i): 1 for i in range(8) for j in range(8)}]


@pytest.mark.parametrize("tie", ["positive", "balanced"])
def test_counts_what_links_carry(tie):
    answer = json_of(*CG, "--placement", "xor", "--tie", tie)
    by_phase = [loads(answer["node_of_rank"], phase, [4, 4, 4], tie) for phase in CG_PHASES]
    together = sum(by_phase, Counter())
    assert answer["busiest_link"] == [max(phase.values()) for phase in by_phase]
    assert answer["busiest_link_together"] == max(together.values())
    assert answer["hop_bytes"] == sum(together.values())
    moved = sum(start != end for phase in CG_PHASES for start, end in phase)
    assert answer["average_hops"] == pytest.approx(sum(together.values()) / moved)


def test_frees_the_pattern_of_nas_cg_on_a_torus_and_proves_it():
    answer = json_of(*CG)
    assert answer["busiest_link"] == [1, 1, 1, 1]
    assert answer["busiest_link_together"] == 1
    assert answer["average_hops"] == pytest.approx(72 * 4 / 248)
    assert (answer["value"], answer["lower_bound"], answer["optimal"]) == (4, 4, True)
    assert sorted(answer["node_of_rank"]) == list(range(64))
    assert [order["name"] for order in answer["compared"]] == ["identity", "standard", "xor"]


def test_looks_at_a_given_placement_and_knows_when_another_is_better():
    given = json_of(*CG, "--placement", "standard,order=0-3-1-4-2-5")
    assert (given["busiest_link_together"], given["optimal"]) == (1, True)
    standard = ["ring:8", "--phase", "cube", "--placement", "standard", "--objective", "together"]
    beaten = json_of(*standard)
    assert beaten["value"] > compared(beaten, "xor")["value"]
    assert beaten["optimal"] is False
    assert "optimal: no, xor is better" in map_ranks(*standard).out


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="sanitizers keep what is freed")
def test_a_given_placement_takes_memory_for_the_messages_and_little_more():
    grid, messages = "torus:256x256", 16 * 65536
    command = [BUILD / "bin" / "cubefold", "map", grid, "--phase", "cube", "--placement", "xor"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert usage.ru_maxrss * 1024 / messages < 100, "bytes per message"


def test_the_effort_bounds_the_search_over_rules_of_large_grids():
    question = ["line:65536", "--phase", "shuffle", "--effort", 10**8]
    assert "searched: local search over embeddings per axis and orders of bits" in map_ranks(*question).out
    answer = json_of(*question)
    assert answer["value"] <= compared(answer, "identity")["value"]


def test_keeps_the_identity_where_nothing_is_better():
    answer = json_of("mesh:4x4", "--phase", "cube", "--effort", 10**7)
    assert answer["value"] == compared(answer, "identity")["value"]
    assert answer["node_of_rank"] == list(range(16))


NO_GAIN = "gain: none, nothing that was tried has less on its busiest links than the identity"


def gain_of(*arguments):
    return [line for line in map_ranks(*arguments).out.splitlines() if line.startswith("gain: ")]


def test_says_where_nothing_is_gained():
    assert gain_of("mesh:4x4", "--phase", "cube", "--effort", 10**7) == [NO_GAIN]
    assert gain_of("torus:4x4,cut=0-1", "--phase", "alltoall", "--effort", 10**7) == [NO_GAIN]
    assert gain_of("mesh:9x7", "--phase", "halo:63w*2", "--phase", "ring", "--effort", 10**7) == [
        f"{NO_GAIN}; routes are shorter: 1.08 instead of 1.97 hops"]
    assert gain_of("torus:12x10", "--phase", "halo:12wx10w") == []
    assert gain_of("mesh:4x4", "--phase", "cube", "--placement", "xor") == []


@pytest.mark.parametrize("grid", ["line:64", "mesh:8x8", "ring:64"])
def test_puts_ranks_next_to_each_other_that_swap_messages(grid, tmp_path):
    file = tmp_path / "complement.json"
    job = map_ranks(grid, "--phase", "complement", "--json", file)
    answer = json.loads(file.read_text())
    assert (answer["value"], answer["lower_bound"], answer["optimal"]) == (1, 1, True)
    assert re.search(r"^searched: .*the phases' own grid \(the choice\)$", job.out, re.MULTILINE)
    assert run_alone("cubefold", "verify", file).status == 0


def stencil(width, height, numbers):
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    return [(numbers[y * width + x], numbers[(y + dy) * width + x + dx], 1)
            for y in range(height) for x in range(width) for dx, dy in steps
            if 0 <= x + dx < width and 0 <= y + dy < height]


@pytest.mark.parametrize("seed", [0, more(1), more(2)])
def test_finds_a_scrambled_stencil_of_a_file_again(seed, tmp_path):
    numbers = list(range(1024))
    random.Random(seed).shuffle(numbers)
    (tmp_path / "halo.mtx").write_text(matrix_text(stencil(32, 32, numbers), 1024))
    answer = json_of("mesh:32x32", "--phase", f"matrix:{tmp_path}/halo.mtx")
    assert (answer["value"], answer["average_hops"], answer["optimal"]) == (1, 1, True)
    assert sorted(answer["node_of_rank"]) == list(range(1024))


def test_shows_the_beginning_of_a_long_table_and_writes_all_of_it(tmp_path):
    numbers = list(range(256))
    random.Random(1).shuffle(numbers)
    (tmp_path / "halo.mtx").write_text(matrix_text(stencil(16, 16, numbers), 256))
    question = ["mesh:16x16", "--phase", f"matrix:{tmp_path}/halo.mtx"]
    job = map_ranks(*question, "--placement-to", tmp_path / "placement", "--json", tmp_path / "halo.json")
    answer = json.loads((tmp_path / "halo.json").read_text())
    first = "-".join(map(str, answer["node_of_rank"][:16]))
    assert f"placement: nodes={first} and 240 more nodes; --placement-to FILE writes all\n" in job.out
    assert max(map(len, job.out.splitlines())) < 200
    placement = (tmp_path / "placement").read_text()
    assert placement == answer["placement"] + "\n"
    assert json_of(*question, "--placement", placement.strip())["node_of_rank"] == answer["node_of_rank"]
    assert map_ranks(*question, "--placement-to", "-").out == placement
    expect_refused(map_ranks(*question, "--placement-to", "-", "--json", "-"),
                   "map: --json and --placement-to cannot both write to standard output")


def test_prints_a_column_for_each_order_and_what_was_proven(tmp_path):
    file = tmp_path / "cg.json"
    job = map_ranks(*CG, "--json", file)
    assert job.status == 0, job.err
    answer = json.loads(file.read_text())
    rows = [line.split() for line in job.out.splitlines()]
    assert ["busiest", "link", "identity", "standard", "xor", "choice"] in rows
    assert ["transpose:8x8", "4", "4", "4", "1"] in rows
    assert ["all", "phases", "together", "4", "4", "5", "1"] in rows
    assert ["placement:", answer["placement"]] in rows
    assert "\noptimal: yes\n" in job.out
    assert len({len(line) for line in job.out.splitlines()[2:9]}) == 1


def test_weights_count_in_the_sum_and_in_all_together():
    light, heavy = (json_of("ring:8", "--phase", f"cube:2{w}", "--phase", f"bit-reversal{w}", "--placement", "xor")
                    for w in ["", "*2.5"])
    assert heavy["busiest_link"] == light["busiest_link"]
    assert heavy["value"] == 2.5 * light["value"]
    assert heavy["busiest_link_together"] == 2.5 * light["busiest_link_together"]
    assert [phase["weight"] for phase in heavy["phases"]] == [2.5, 2.5]


@pytest.mark.parametrize("unit, objective", combinations(["1e-28", "1e-10", "0.1", "1e20"],
                                                         ["busiest-links", "together", "hop-bytes"]))
def test_the_unit_of_weights_changes_nothing_but_the_values(unit, objective):
    arguments = ["line:8", "--objective", objective, "--phase"]
    plain, scaled = json_of(*arguments, "complement"), json_of(*arguments, f"complement*{unit}")
    for key in ["placement", "optimal", "busiest_link", "average_hops", "bound_source"]:
        assert scaled[key] == plain[key]
    for key in ["value", "lower_bound", "hop_bytes", "busiest_link_together"]:
        assert scaled[key] == pytest.approx(plain[key] * float(unit), rel=1e-15)


def halo(rows, columns):
    """Returns the messages between the ranks of an open grid, row by row."""
    messages = {}
    for rank in range(rows * columns):
        if rank % columns < columns - 1:
            messages[rank, rank + 1] = messages[rank + 1, rank] = 1
        if rank + columns < rows * columns:
            messages[rank, rank + columns] = messages[rank + columns, rank] = 1
    return messages


@pytest.mark.parametrize("bricks, chosen", [("8x8/2x2", "8x8/2x2"), ("8x8", "8x8/2x2"), ("8x8/4x1", "8x8/4x1")])
def test_the_ranks_of_a_brick_share_a_node(bricks, chosen):
    answer = json_of("torus:4x4", "--phase", "halo:8x8", "--per-node", 4, "--bricks", bricks, "--effort", 10**7)
    assert answer["bricks"] == chosen
    rows, columns = (int(extent) for extent in chosen.split("/")[1].split("x"))
    brick_of_rank = [(rank // 8 // rows, rank % 8 // columns) for rank in range(64)]
    nodes = answer["node_of_rank"]
    assert len(set(zip(brick_of_rank, nodes))) == len(set(brick_of_rank)) == len(set(nodes)) == 16
    assert answer["busiest_link"] == [max(loads(nodes, halo(8, 8), [4, 4]).values())]
    consecutive = answer["compared"][0]
    assert (consecutive["name"], consecutive["node_of_rank"]) == ("consecutive", [rank // 4 for rank in range(64)])
    assert consecutive["busiest_link"] == [max(loads(consecutive["node_of_rank"], halo(8, 8), [4, 4]).values())]
    if chosen == "8x8/2x2":
        assert (answer["value"], answer["optimal"]) == (2, True)


def test_consecutive_ranks_are_chosen_where_bricks_are_no_better():
    answer = json_of("ring:8", "--phase", "halo:32w", "--per-node", 4, "--bricks", "32")
    assert ("bricks" in answer, answer["value"]) == (False, 1)


def test_says_which_bricks_the_table_is_for():
    job = map_ranks("torus:4x4", "--phase", "halo:8x8", "--per-node", 4, "--bricks", "8x8", "--effort", 10**7)
    assert "bricks: 8x8/2x2, counted with the last axis fastest\n" in job.out
    assert ", and no placement of these bricks can have less than " in job.out
    assert "\noptimal: yes\n" in job.out
    assert "gain:" not in job.out


HALO_OF_FOUR = ["torus:4x4x4", "--phase", "halo:16x16", "--per-node", 4]


def test_bricks_of_halo_phases_are_tried_without_being_asked_for(tmp_path):
    answer = json_of(*HALO_OF_FOUR)
    asked = json_of(*HALO_OF_FOUR, "--bricks", "16x16")
    assert (answer["value"], answer["optimal"], answer["bricks"]) == (2, True, asked["bricks"])
    assert answer["node_of_rank"] == asked["node_of_rank"]
    (tmp_path / "c.json").write_text(json.dumps(answer))
    assert run_alone("cubefold", "verify", tmp_path / "c.json").status == 0


def test_the_column_identity_is_of_consecutive_ranks_also_where_bricks_are_chosen():
    answer = json_of(*HALO_OF_FOUR)
    assert [order["name"] for order in answer["compared"]] == ["identity", "standard", "xor"]
    identity = answer["compared"][0]
    assert identity["node_of_rank"] == [rank // 4 for rank in range(256)]
    assert identity["busiest_link"] == [max(loads(identity["node_of_rank"], halo(16, 16), [4, 4, 4]).values())]
    assert json_of(*HALO_OF_FOUR, "--placement", "identity")["busiest_link"] == identity["busiest_link"]


@pytest.mark.parametrize("phases, chosen", [
    (["halo:8wx8w:full"], "8x8/2x2"), (["halo:8x8", "halo:4x16"], None), (["ring"], None), (["halo:64"], None)])
def test_bricks_are_those_of_the_grids_of_halo_phases(phases, chosen):
    words = [word for phase in phases for word in ["--phase", phase]]
    answer = json_of("torus:4x4", *words, "--per-node", 4, "--effort", 10**7)
    if chosen or len(phases) == 1:
        assert answer.get("bricks") == chosen
    named = [json_of("torus:4x4", *words, "--per-node", 4, "--effort", 10**7 // len(phases), "--bricks",
                     phase.split(":")[1].replace("w", ""))["value"] for phase in phases if phase.startswith("halo")]
    assert answer["value"] <= min(named, default=answer["value"])


# What --placement-to writes is read by programs, which place groups of consecutive ranks.
def test_a_placement_for_programs_is_of_consecutive_ranks(tmp_path):
    answer = json_of(*HALO_OF_FOUR, "--placement-to", tmp_path / "placement", "--effort", 10**7)
    assert "bricks" not in answer
    assert answer["placement"] + "\n" == (tmp_path / "placement").read_text()


def test_says_where_bricks_gain_nothing_over_consecutive_ranks():
    job = map_ranks("ring:4", "--phase", "halo:16w", "--per-node", 4, "--bricks", "16/4")
    assert job.out.endswith("than consecutive ranks\n")


def test_long_numbers_do_not_touch_each_other():
    job = map_ranks("ring:4", "--phase", "ring*1234567")
    [line] = [line for line in job.out.splitlines() if line.startswith("sum of the busiest links ")]
    assert line.split()[5:] == ["1.23457e+06"] * 4
    headings = next(line for line in job.out.splitlines() if line.startswith("busiest link"))
    assert len(line) == len(headings)


def brick_of(rank):
    """Returns the brick of a rank in an 8x10 grid with bricks of 2x2."""
    return rank // 20 * 5 + rank % 10 // 2


# With the least effort, the search finds no placement of random messages that is as good as the imported one.
def test_the_search_starts_from_an_imported_order_of_bricks(tmp_path):
    chance = random.Random(1)
    pairs = sorted({tuple(chance.sample(range(80), 2)) for _ in range(120)})
    (tmp_path / "pairs.mtx").write_text("\n".join(["%%MatrixMarket matrix coordinate pattern general",
                                                   f"80 80 {len(pairs)}", *(f"{i + 1} {j + 1}" for i, j in pairs), ""]))
    job = ["mesh:4x5", "--phase", f"matrix:{tmp_path}/pairs.mtx", "--per-node", 4, "--bricks", "8x10/2x2"]
    found = json_of(*job, "--effort", 20_000_000)
    lines = "\n".join(f"{rank}\t{node}" for rank, node in enumerate(found["node_of_rank"]))
    (tmp_path / "found.map").write_text(f"80\n{lines}\n")
    assert json_of(*job, "--effort", 1)["value"] > found["value"]
    answer = json_of(*job, "--effort", 1, "--import", "scotch", tmp_path / "found.map")
    assert answer["value"] == found["value"] == compared(answer, "found.map")["value"]
    nodes = dict(zip(map(brick_of, range(80)), answer["node_of_rank"]))
    assert answer["node_of_rank"] == [nodes[brick_of(rank)] for rank in range(80)]


@pytest.mark.parametrize("arguments, line", [
    (["--bricks", "8x4"], "--bricks: 8x4 are 32 ranks, but there are 64"),
    (["--bricks", "8x4/2x2"], "--bricks: 8x4 are 32 ranks, but there are 64"),
    (["--bricks", "8x8/2x1"], "--bricks: a brick of 2x1 has 2 ranks, but --per-node is 4"),
    (["--bricks", "8x8/3x1"], "'8x8/3x1': 3 does not divide 8"),
    (["--bricks", "8xx8"], "'8xx8': '' is no number of ranks"),
    (["--bricks", "8x8", "--placement", "xor"], "--bricks: with --placement, name the brick, as in 16x12x8/1x2x2"),
])
def test_refuses_bricks_that_do_not_fit(arguments, line):
    expect_refused(map_ranks("torus:4x4", "--phase", "halo:8x8", "--per-node", 4, *arguments), line)


def test_messages_between_ranks_of_a_node_cost_nothing():
    answer = json_of("ring:4", "--phase", "cube", "--per-node", "4", "--placement", "xor")
    assert answer["node_of_rank"] == [node for node in [0, 1, 3, 2] for _ in range(4)]
    assert answer["busiest_link"] == [0, 0, 4, 4]
    assert answer["average_hops"] == 1


@pytest.mark.parametrize("grid", ["torus:3x4", "mesh:6x5", "ring:7"])
def test_accepts_extents_that_are_no_powers_of_two(grid, tmp_path):
    size = {"torus:3x4": 12, "mesh:6x5": 30, "ring:7": 7}[grid]
    (tmp_path / "pairs.mtx").write_text(matrix_text([(i, (i * 5 + 1) % size, 1) for i in range(size)], size))
    answer = json_of(grid, "--phase", f"matrix:{tmp_path}/pairs.mtx")
    assert sorted(answer["node_of_rank"]) == list(range(size))
    assert answer["value"] <= compared(answer, "identity")["value"]
    assert [order["name"] for order in answer["compared"]] == ["identity"]


def matrix_text(entries, size, header="coordinate real general"):
    lines = [f"%%MatrixMarket matrix {header}", "% who sends whom", f"{size} {size} {len(entries)}"]
    return "\n".join(lines + [f"{i + 1} {j + 1} {count}" for i, j, count in entries]) + "\n"


TRANSPOSE = [(4 * i + j, 4 * j + i) for i in range(4) for j in range(4)]


def matrices():
    full = [[int((i, j) in TRANSPOSE) for j in range(16)] for i in range(16)]
    column_by_column = [str(full[i][j]) for j in range(16) for i in range(16)]
    lower_half = [str(full[i][j]) for j in range(16) for i in range(j, 16)]
    return {
        "real": matrix_text([(i, j, "1.0") for i, j in TRANSPOSE], 16),
        "integer": matrix_text([(i, j, 1) for i, j in TRANSPOSE], 16, "Coordinate Integer General"),
        "pattern": matrix_text([(i, j, "") for i, j in TRANSPOSE], 16, "coordinate pattern general"),
        "symmetric": matrix_text([(i, j, 1) for i, j in TRANSPOSE if i >= j], 16, "coordinate real symmetric"),
        "unsigned": matrix_text([(i, j, 1) for i, j in TRANSPOSE], 16, "coordinate unsigned-integer general"),
        "hermitian": matrix_text([(i, j, 1) for i, j in TRANSPOSE if i >= j], 16, "coordinate integer hermitian"),
        "double": matrix_text([(i, j, "0.1D+01") for i, j in TRANSPOSE], 16, "coordinate double general"),
        "array": "\n".join(["%%MatrixMarket matrix array integer general", "16 16", *column_by_column, ""]),
        "half": "\n".join(["%%MatrixMarket matrix array real symmetric", "16 16", "", *lower_half, ""]),
    }


@pytest.mark.parametrize("kind", matrices())
def test_reads_a_matrix_in_every_form(kind, tmp_path):
    file = tmp_path / f"{kind}.mtx"
    file.write_text(matrices()[kind])
    answer = json_of("torus:4x4", "--phase", f"matrix:{file}*3", "--placement", "gray")
    named = json_of("torus:4x4", "--phase", "transpose:4x4*3", "--placement", "gray")
    assert {(i, j) for i, j, _ in answer["phases"][0]["traffic"]} == {(i, j) for i, j in TRANSPOSE if i != j}
    assert answer["phases"][0]["messages"] == 12
    for key in ["busiest_link", "busiest_link_together", "average_hops", "value", "lower_bound"]:
        assert answer[key] == named[key]


@pytest.mark.parametrize("text, amount", [("1.0D+02", 100), ("25d-2", 0.25), ("+.5D0", 0.5), ("3.", 3)])
def test_reads_numbers_as_fortran_writes_them(tmp_path, text, amount):
    (tmp_path / "one.mtx").write_text(matrix_text([(0, 3, text)], 5))
    answer = json_of("line:5", "--phase", f"matrix:{tmp_path}/one.mtx", "--placement", "identity")
    assert answer["phases"][0]["traffic"] == [[0, 3, amount]]


def test_a_matrix_says_which_way_messages_go(tmp_path):
    (tmp_path / "one.mtx").write_text(matrix_text([(0, 3, 7.5)], 5))
    answer = json_of("line:5", "--phase", f"matrix:{tmp_path}/one.mtx", "--placement", "identity")
    assert answer["phases"][0]["traffic"] == [[0, 3, 7.5]]
    assert (answer["busiest_link"], answer["hop_bytes"]) == ([7.5], 22.5)


def test_reads_a_linear_complement_communication_from_a_file(tmp_path):
    (tmp_path / "zoom.txt").write_text("scatter\n0100\n0000\n0001\n0000\n")
    answer = json_of("torus:4x4", "--phase", f"lcc:{tmp_path}/zoom.txt", "--placement", "xor")
    assert answer["busiest_link"] == json_of("torus:4x4", "--phase", "zoom:4x4", "--placement", "xor")["busiest_link"]
    assert answer["phases"][0]["lcc"] == ["scatter", "0100 0", "0000 0", "0001 0", "0000 0"]


GOOD = matrix_text([(0, 1, 1), (1, 2, 2), (3, 0, 4)], 4)


@pytest.mark.parametrize("old, new, line", [
    ("%%MatrixMarket", "%MatrixMarket",
     "line 1: the file does not begin with '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'"),
    ("real", "complex", "line 1: 'complex' in the header is none of real, double, integer, unsigned-integer, pattern"),
    ("general", "skew-symmetric",
     "line 1: 'skew-symmetric' in the header is none of general, symmetric, hermitian"),
    ("coordinate real", "array pattern", "line 1: an array cannot be a pattern"),
    ("4 4 3", "4 5 3", "line 3: 4 x 5 does not fit 4 ranks"),
    ("4 4 3", "8 8 3", "line 3: 8 x 8 does not fit 4 ranks"),
    ("4 4 3", "4 4 4", "line 6: the file ends without 1 of its 4 entries"),
    ("4 4 3", "4 4 2", "line 6: '4 1 4' is behind the last entry"),
    ("2 3 2", "2 3 two", "line 5: the entry 'two' is not a finite number"),
    ("2 3 2", "2 3 nan", "line 5: the entry 'nan' is not a finite number"),
    ("2 3 2", "2 3 1.0D", "line 5: the entry '1.0D' is not a finite number"),
    ("2 3 2", "2 3 1D+31", "line 5: the entry '1D+31' is neither 0 nor between 1e-30 and 1e30"),
    ("2 3 2", "2 3 -2", "line 5: the entry '-2' is neither 0 nor between 1e-30 and 1e30"),
    ("2 3 2", "2 3 1e31", "line 5: the entry '1e31' is neither 0 nor between 1e-30 and 1e30"),
    ("2 3 2", "2 3", "line 5: 2 numbers where there should be 3"),
    ("2 3 2", "2 5 2", "line 5: column 5 is not in 1 .. 4"),
    ("2 3 2", "0 3 2", "line 5: row 0 is not in 1 .. 4"),
    ("2 3 2", "1 2 2", "line 5: the entry of row 1 and column 2 stands twice"),
    ("general", "symmetric", "line 4: an entry above the diagonal of a symmetric matrix"),
])
def test_refuses_a_matrix_by_its_line(old, new, line, tmp_path):
    file = tmp_path / "bad.mtx"
    assert GOOD.count(old) == 1
    file.write_text(GOOD.replace(old, new))
    expect_refused(map_ranks("ring:4", "--phase", f"matrix:{file}"), f"{file}: {line}")


def test_refuses_an_empty_file_at_its_first_line(tmp_path):
    file = tmp_path / "empty"
    file.write_text("")
    expect_refused(map_ranks("ring:4", "--phase", f"matrix:{file}"),
                   f"{file}: line 1: the file does not begin with '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'")
    expect_refused(map_ranks("ring:4", "--phase", f"lcc:{file}"), f"{file}: line 1: the text ends without a row")


def test_refuses_an_array_that_ends_too_soon(tmp_path):
    file = tmp_path / "bad.mtx"
    file.write_text("%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n")
    expect_refused(map_ranks("ring:2", "--phase", f"matrix:{file}"),
                   f"{file}: line 5: the file ends without the entry of row 2 and column 2")


@pytest.mark.parametrize("arguments, line", [
    (["donut:4", "--phase", "cube"],
     "grid 'donut:4': unknown kind 'donut'; known: torus, mesh, ring, line, hypercube, grid, hyperx, tofu, file"),
    (["ring:6", "--phase", "cube"], "phase 'cube': 6 ranks are no power of two"),
    (["ring:8", "--phase", "cube+rotate"],
     "phase 'rotate': unknown name 'rotate'; known: cube, halo, alltoall, ring, allreduce, reduce-scatter, "
     "allgather, block-cyclic-to-block, block-to-block-cyclic, bit-reversal, reverse-flip, shuffle, unshuffle, "
     "exchange, complement, transpose, reflect-antidiagonal, rotate-clockwise, "
     "rotate-counterclockwise, rotate-180, reflect-left-right, reflect-top-bottom, zoom, bit-reversal-in-rows, "
     "bit-reversal-in-columns, matrix:FILE, profile:FILE, lcc:FILE"),
    (["ring:8", "--phase", "cube:1-3"], "phase 'cube:1-3': dimensions 1 to 3 are not in 0 .. 2"),
    (["ring:8", "--phase", "cube*-1"], "phase 'cube*-1': weight -1 is neither 0 nor between 1e-30 and 1e30"),
    (["ring:8", "--phase", "cube*1e308"], "phase 'cube*1e308': weight 1e308 is neither 0 nor between 1e-30 and 1e30"),
    (["ring:8", "--phase", "cube*1e-25", "--phase", "bit-reversal*1e20"],
     "choose_placement: messages times weight are 1e-25 in phase 'cube:0' and 1.6e+21 over the hops of all: too far "
     "apart for exact sums"),
    (["ring:8", "--phase", "transpose:3x3"], "phase 'transpose:3x3': 3 x 3 are 9 ranks, not 8"),
    (["ring:8", "--phase", "matrix:/missing.mtx"], "/missing.mtx: cannot read: No such file or directory"),
    (["ring:8", "--phase", "matrix:a.mtx*much"],
     "phase 'matrix:a.mtx*much': weight 'much' is neither 0 nor between 1e-30 and 1e30"),
    (["ring:8", "--phase", "lcc:/missing.txt"], "/missing.txt: cannot read: No such file or directory"),
    (["ring:8", "--phase", "cube", "--objective", "best"],
     "--objective: unknown objective 'best'; known: busiest-links, together, hop-bytes (see cubefold map --help)"),
    (["ring:8", "--phase", "cube", "--per-node", "0"],
     "--per-node: '0' is not a whole number from 1 to 2147483648 (see cubefold map --help)"),
    (["ring:8", "--phase", "cube", "--per-node", "3(y2),2"],
     "--per-node: '3(y2),2' is not a list of counts such as 4 or 3(x2),2 (see cubefold map --help)"),
    (["ring:4", "--phase", "cube", "--per-node", "3,2"], "--per-node: 3,2 has 2 numbers for 4 nodes"),
    (["ring:4", "--phase", "cube", "--per-node", "slots"], "--per-node: slots are those of --hosts, which is missing"),
    (["ring:4", "--phase", "halo:10", "--per-node", "3(x2),2(x2)", "--bricks", "10"],
     "--bricks: all nodes need equally many ranks, and they have 3(x2),2(x2)"),
    (["ring:8", "--phase", "cube", "--placement", "standard,order=0-1-1"],
     "placement 'standard,order=0-1-1': the order is no permutation of 0 to 2: bit 2 is missing"),
    (["ring:8", "--phase", "cube", "--emit", "rankfiel"],
     "--emit: unknown format 'rankfiel'; did you mean 'rankfile'? known: rankfile, seq, mpich-rank-order, "
     "slurm-hostfile, vcoord, bgq, scotch (see cubefold map --help)"),
    (["ring:8", "--phase", "cube", "--emit", "scotch", "--json", "-"],
     "map: --emit and --json cannot both write to standard output"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    expect_refused(map_ranks(*arguments), line)


def test_refuses_an_lcc_for_another_number_of_ranks(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("01\n10\n")
    expect_refused(map_ranks("ring:8", "--phase", f"lcc:{file}"), f"{file}: 2 rows are for 2^2 ranks, not for 8")
    file.write_text("01\n1x\n")
    expect_refused(map_ranks("ring:4", "--phase", f"lcc:{file}"), f"{file}: line 2: 'x' is neither 0 nor 1")


@pytest.mark.parametrize("objective", ["busiest-links", "together", "hop-bytes"])
def test_unequal_numbers_of_ranks_are_placed_and_certified(tmp_path, objective):
    """Ranks 0 to 9 in a line fit a ring of four nodes so that each node talks to its neighbours only."""
    job = map_ranks("ring:4", "--phase", "halo:10", "--per-node", "3(x2),2(x2)", "--objective", objective, "--json",
                    tmp_path / "c.json")
    assert (job.status, job.err) == (0, "")
    assert "10 ranks, 3(x2),2(x2) a node" in job.out
    answer = json.loads((tmp_path / "c.json").read_text())
    assert answer["per_node"] == [3, 3, 2, 2]
    assert (answer["busiest_link"], answer["average_hops"]) == ([1], 1)
    assert (answer["lower_bound"], answer["optimal"]) == (0, "unknown")
    assert run_alone("cubefold", "verify", tmp_path / "c.json").status == 0


def test_ranks_that_talk_much_share_the_nodes_that_have_room(tmp_path):
    """Group sizes follow the nodes: under 3,1,3,1 on a ring, the identity already sends less than its reverse."""
    answer = json_of("ring:4", "--phase", "alltoall:rows=2x4", "--per-node", "3,1,3,1")
    assert sum(answer["busiest_link"]) <= min(sum(order["busiest_link"]) for order in answer["compared"])
