"""cubefold verify on schedules: it accepts complete exchanges and refuses changed ones with the right line."""

import copy
import json

import pytest

from changed_json import drop, put
from jobs import expect_refused, run_alone


def message(source, destination, blocks=None):
    return {"from": source, "to": destination, "blocks": blocks or [[source, destination]]}


def direct(count):
    """Returns a schedule in which every node swaps a block with the node that differs by xor."""
    return [[message(n, n ^ x) for n in range(count)] for x in range(1, count)]


def one_after_the_other(count):
    return [[message(a, b)] for a in range(count) for b in range(count) if a != b]


def cc_cube(dimensions):
    def blocks(node, bit):
        low = bit - 1
        positions = [x for x in range(1 << dimensions) if x & bit]
        return [[node ^ (x & low), node ^ (x & low) ^ x] for x in positions]

    return [[message(n, n ^ bit, blocks(n, bit)) for n in range(1 << dimensions)]
            for bit in (1 << i for i in range(dimensions))]


def schedule(grid, steps, bound, **more):
    return {"grid": grid, "ports": "one", "tie": "balanced", "placement": "identity", "algorithm": "by hand",
            "bound": {"blocks": bound[0], "startups": bound[1]}, "steps": steps, **more}


def verify(path, file):
    path.write_text(json.dumps(file))
    return run_alone("cubefold", "verify", path)


@pytest.mark.parametrize("file, found", [
    (schedule("hypercube:3", cc_cube(3), (7, 3)),
     "by hand on hypercube:3, ports one: 3 steps, 24 messages, 12 block-times, lower bound 7; busiest link 4 blocks"),
    (schedule("torus:4x4", direct(16), (15, 4), placement="xor"),
     "by hand on torus:4x4, ports one: 15 steps, 240 messages, 15 block-times, lower bound 15; busiest link 8 blocks"),
    (schedule("line:3", one_after_the_other(3), (2, 1), ports="all", tie="positive"),
     "by hand on line:3, ports all: 6 steps, 6 messages, 6 block-times, lower bound 2; busiest link 2 blocks"),
    (schedule("grid:5wx3", one_after_the_other(15), (14, 4)),
     "by hand on grid:5wx3, ports one: 210 steps, 210 messages, 210 block-times, lower bound 14; busiest link 10 "
     "blocks"),
    (schedule("line:1", [], (0, 0)),
     "by hand on line:1, ports one: 0 steps, 0 messages, 0 block-times, lower bound 0; busiest link 0 blocks"),
])
def test_complete_exchanges_without_conflicts_hold(file, found, tmp_path):
    job = verify(tmp_path / "s.json", file)
    assert (job.status, job.out, job.err) == (0, f"ok: {found}\n", "")


def test_a_schedule_can_come_from_standard_input():
    job = run_alone("cubefold", "verify", "-", stdin=json.dumps(schedule("ring:4", cc_cube(2), (3, 2))))
    assert (job.status, job.err) == (0, "")


def move(step, index, to):
    return lambda file: file["steps"][to].append(file["steps"][step].pop(index))


def merge_steps(file):
    file["steps"][0:2] = [file["steps"][0] + file["steps"][1]]


def swap_steps(file):
    file["steps"][0:2] = reversed(file["steps"][0:2])


def append_block(block, *place):
    return lambda file: file["steps"][place[0]][place[1]]["blocks"].append(block)


DOCTORED = [
    (drop("steps", 2, 3), ["steps: block [0,7] is on node 3 at the end; not at their destinations are 4"]),
    (drop("steps", 2, 3, "blocks", 0), ["steps: block [3,7] is on node 3 at the end; not at their destinations are 1"]),
    (put(5, "steps", 2, 3, "to"),
     ["steps[2][3]: the link from node 1 to node 5 carries message [1] in the same step",
      "steps[2][3]: node 5 receives message [1] in the same step"]),
    (put(8, "steps", 0, 1, "to"), ["steps[0][1]: node 8 is not below 8"]),
    (put(9, "steps", 0, 1, "blocks", 0, 1), ["steps[0][1]: node 9 is not below 8"]),
    (put(1, "steps", 0, 1, "to"), ["steps[0][1]: node 1 sends itself a message"]),
    (append_block([4, 5], 0, 1), ["steps[0][1]: block [4,5] is on node 4, not on 1"]),
    (append_block([1, 0], 0, 1), ["steps[0][1]: block [1,0] is sent a second time in the step"]),
    (append_block([0, 1], 1, 1), ["steps[1][1]: block [0,1] leaves its destination"]),
    (move(1, 0, 0), ["steps[0][8]: node 0 sends message [0] in the same step"]),
    (move(0, 0, 1), ["steps[1][8]: node 0 sends message [0] in the same step"]),
    (merge_steps, ["steps[0][8]: node 0 sends message [0] in the same step"]),
    (swap_steps, ["is on node"]),
    (put("two", "ports"), ["ports: 'two' is neither one nor all"]),
    (put("up", "tie"), ["tie: 'up' is neither positive nor balanced"]),
    (put("taurus:8", "grid"), ["grid: "]),
    (put("line:8", "grid"), ["steps[1][1]: the link from node 1 to node 2 carries message [0] in the same step",
                             "bound.blocks"]),
    (put("xor/xor", "placement"), ["placement: "]),
    (put("torus:32768x65536", "grid"), ["steps: 96 blocks are sent, less than half of the 4611686016279904256 of a"]),
    (put(7.01, "bound", "blocks"), ["bound.blocks: 7.01 is claimed, 7 is right"]),
    (put(6.5, "bound", "blocks"), ["bound.blocks: 6.5 is claimed, 7 is right"]),
    (put(4, "bound", "startups"), ["bound.startups: 4 is claimed, 3 is right"]),
    (put(2, "bound", "startups"), ["bound.startups: 2 is claimed, 3 is right"]),
]


@pytest.mark.parametrize("change, lines", DOCTORED)
def test_what_is_wrong_is_named_with_its_place(change, lines, tmp_path):
    file = schedule("hypercube:3", copy.deepcopy(cc_cube(3)), (7, 3))
    change(file)
    job = verify(tmp_path / "s.json", file)
    assert (job.status, job.err) == (1, "")
    assert any(line in job.out for line in lines), job.out
    assert all(line.startswith(f"{tmp_path / 's.json'}: ") for line in job.out.splitlines())


def test_only_the_link_is_shared_where_all_ports_send(tmp_path):
    steps = one_after_the_other(3)
    steps[0:2] = [steps[0] + steps[1]]
    job = verify(tmp_path / "s.json", schedule("line:3", steps, (2, 1), ports="all"))
    assert job.out == (f"{tmp_path / 's.json'}: steps[0][1]: the link from node 0 to node 1 carries message [0] in the "
                       "same step\n")
    assert verify(tmp_path / "s.json", schedule("ring:3", steps, (1, 1), ports="all")).status == 0


def test_a_file_may_say_that_it_has_conflicts(tmp_path):
    at_once = [sum(one_after_the_other(3), [])]
    job = verify(tmp_path / "s.json", schedule("line:3", at_once, (2, 1), ports="all", has_conflicts=True))
    assert (job.status, job.err) == (0, "")
    assert job.out.endswith("\nconflicts, as the file says: 4 messages share a port or a link with an earlier one of "
                            "the step; the first: steps[0][1]: the link from node 0 to node 1 carries message [0] in "
                            "the same step\n")
    job = verify(tmp_path / "s.json", schedule("hypercube:3", cc_cube(3), (7, 3), has_conflicts=True))
    assert (job.status, job.out) == (1, f"{tmp_path / 's.json'}: has_conflicts: true is claimed, but no port and no "
                                        "link has two messages in a step\n")


def test_a_file_of_another_format_is_refused(tmp_path):
    assert verify(tmp_path / "s.json", schedule("ring:4", cc_cube(2), (3, 2), format_version=1)).status == 0
    job = verify(tmp_path / "s.json", schedule("ring:4", cc_cube(2), (3, 2), format_version=2))
    expect_refused(job, f"{tmp_path / 's.json'}: format_version is 2; this is cubefold 0.1.0, which reads 1")


def test_the_tie_decides_whether_messages_meet(tmp_path):
    assert verify(tmp_path / "s.json", schedule("ring:4", direct(4), (3, 2))).status == 0
    assert verify(tmp_path / "s.json", schedule("ring:4", direct(4), (3, 2), tie="positive")).status == 1


@pytest.mark.parametrize("change, rule", [
    (drop("grid"), "file has no 'grid'"),
    (drop("algorithm"), "file has no 'algorithm'"),
    (drop("bound", "blocks"), "bound has no 'blocks'"),
    (put(0.5, "bound", "seconds"), "bound has an unknown key 'seconds'"),
    (put([], "cost"), "file has an unknown key 'cost'"),
    (put(1, "steps", 1, 0, "cost"), "steps[1][0] has an unknown key 'cost'"),
    (put(True, "steps", 1, 0, "reduces"), "steps[1][0] reduces its blocks, but only chunks are reduced"),
    (put(7, "bound"), "bound is not an object"),
    (put("none", "bound", "blocks"), "bound.blocks is not a number"),
    (put({}, "steps"), "steps is not an array"),
    (put(3, "steps", 1), "steps[1] is not an array"),
    (put(3, "steps", 1, 0), "steps[1][0] is not an object"),
    (drop("steps", 1, 0, "to"), "steps[1][0] has no 'to'"),
    (put(-1, "steps", 1, 0, "to"), "steps[1][0].to is not a whole number from 0 up"),
    (put([1], "steps", 1, 0, "blocks", 0), "steps[1][0].blocks[0] is not [source, destination]"),
    (put("1", "steps", 1, 0, "blocks", 0, 1), "steps[1][0].blocks[0][1] is not a whole number from 0 up"),
])
def test_a_file_of_another_form_is_refused_with_the_place(change, rule, tmp_path):
    file = schedule("hypercube:3", copy.deepcopy(cc_cube(3)), (7, 3))
    change(file)
    (tmp_path / "s.json").write_text(json.dumps(file))
    expect_refused(run_alone("cubefold", "verify", tmp_path / "s.json"), f"{tmp_path / 's.json'}: {rule}")
