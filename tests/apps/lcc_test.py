"""Tests of cubefold lcc from outside. Numbers come from docs/papers.md or are counted here, message by message."""

import json

import pytest

from jobs import expect_refused, run_alone


def lcc(*arguments):
    return run_alone("cubefold", "lcc", *arguments)


def json_of(*arguments):
    job = lcc(*arguments, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def test_finds_an_order_that_frees_a_transpose_of_contention():
    answer = json_of("hypercube:8", "--phase", "transpose")
    assert answer["bits"] == 8
    assert answer["phases"] == ["transpose"]
    assert answer["before"] == [[1, 2, 4, 8, 8, 4, 2, 1]]
    assert answer["after"] == [[1] * 8]
    assert sorted(answer["order"]) == list(range(8))
    assert answer["placement"] == "standard,order=" + "-".join(map(str, answer["order"]))


def test_looks_at_a_given_order():
    answer = json_of("8", "--phase", "transpose", "--phase", "bit-reversal", "--order", "3-4-0-7-2-5-1-6")
    assert answer["order"] == [3, 4, 0, 7, 2, 5, 1, 6]
    assert [max(phase) for phase in answer["after"]] == [2, 1]


# [Lcc] uses the sum of a dimension; the load of a link is less.
@pytest.mark.parametrize("objective, value", [("worst", 2), ("together", 3), ("dimension", 4), ("total", 28)])
def test_reaches_the_known_optima_of_three_phases(objective, value):
    names = ["transpose", "bit-reversal", "reverse-flip"]
    phases = [word for name in names for word in ("--phase", name)]
    answer = json_of("8", *phases, "--objective", objective)
    after = answer["after"]
    dimensions = [sum(t) for t in zip(*after)]
    assert {"worst": max(map(max, after)), "together": max(answer["after_together"]), "dimension": max(dimensions),
            "total": sum(dimensions)}[objective] == value


def reversal(label, bits):
    return sum((label >> i & 1) << bits - 1 - i for i in range(bits))


def test_counts_what_all_phases_put_on_one_link():
    both = [(x, reversal(x, 3)) for x in range(8)] + [(x, 7 - reversal(x, 3)) for x in range(8)]
    swapped = [0, 2, 1, 3, 4, 6, 5, 7]  # bits 0 and 1 are swapped
    moved = [(swapped[x], swapped[y]) for x, y in both]
    arguments = ["3", "--phase", "bit-reversal", "--phase", "reverse-flip", "--order", "1-0-2"]
    answer = json_of(*arguments)
    assert answer["before_together"] == counted(both, 3) == [1, 2, 1]
    assert answer["after_together"] == counted(moved, 3) == [1, 1, 1]
    rows = [line.split() for line in lcc(*arguments).out.splitlines()]
    assert ["added", "up", *"1 2 2 2 5".split()] in rows
    assert ["all", "at", "once", *"1 1 1 1 3".split()] in rows


def counted(destinations, bits):
    """Returns the messages on the busiest link of every dimension, lowest dimension first."""
    loads = [{} for _ in range(bits)]
    for here, to in destinations:
        for i in range(bits):
            if (here ^ to) >> i & 1:
                loads[i][here] = loads[i].get(here, 0) + 1
                here ^= 1 << i
    return [max(load.values(), default=0) for load in loads]


ZOOM = "# from a quarter of 4x4 pixels\nscatter\n0100\n0000\n0001\n0000\n"


def test_reads_a_scatter_from_a_file_and_counts_its_messages(tmp_path):
    (tmp_path / "zoom.txt").write_text(ZOOM)
    answer = json_of("4", "--phase", f"lcc:{tmp_path}/zoom.txt", "--phase", "zoom:4x4")
    zoom = [((y >> 1 & 1) | (y >> 3 & 1) << 2, y) for y in range(16)]
    moved = [tuple(sum((label >> bit & 1) << k for k, bit in enumerate(answer["order"])) for label in m) for m in zoom]
    assert answer["before"] == [counted(zoom, 4)] * 2
    assert answer["after"] == [counted(moved, 4)] * 2


def test_prints_the_table_and_the_placement_to_paste(tmp_path):
    arguments = ["8", "--phase", "transpose", "--phase", "bit-reversal", "--order", "0-4-2-6-1-5-3-7"]
    file = tmp_path / "lcc.json"
    job = lcc(*arguments, "--json", file)
    assert job.status == 0, job.err
    lines = job.out.splitlines()
    assert lines[-3:] == ["placement: standard,order=0-4-2-6-1-5-3-7", "searched: nothing, --order names the order",
                          "to search tables of nodes, too: cubefold map hypercube:8 --phase transpose --phase "
                          "bit-reversal"]
    assert json.loads(file.read_text()) == json_of(*arguments)
    rows = [line.split() for line in lines]
    assert ["before", "transpose", "permutation", *"1 2 4 8 8 4 2 1 8 30".split()] in rows
    assert ["added", "up", *"2 4 8 16 16 8 4 2 16 60".split()] in rows
    assert ["all", "at", "once", *"2 4 8 16 16 8 4 2 16 60".split()] in rows
    assert ["after", "transpose", "permutation", *"1 1 1 1 1 1 1 1 1 8".split()] in rows
    assert len({len(line) for line in lines[2:-4]}) == 1


def test_says_that_it_searched_orders_of_bits_and_names_the_command_that_does_better():
    phases = ["--phase", "bit-reversal", "--phase", "transpose"]
    answer = json_of("8", *phases)
    assert max(map(max, answer["after"])) == 2
    assert answer["searched"] == "all orders of bits"
    job = lcc("8", *phases)
    assert "searched: all orders of bits\nto search tables of nodes, too: cubefold map hypercube:8" in job.out
    program, *command = answer["wider_search"].split()
    best = json.loads(run_alone(program, *command, "--json", "-").out)
    assert (best["busiest_link"], best["optimal"]) == ([1, 1], True)


@pytest.mark.parametrize("arguments, line", [
    (["torus:4x4", "--phase", "transpose"],
     "lcc: torus:4x4 is no hypercube; contention follows e-cube routes, as on hypercube:8"),
    (["32", "--phase", "transpose"], "grid 'hypercube:32': dimension 32 is above 31"),
    (["7", "--phase", "transpose"], "pattern 'transpose': 2^7 ranks make no square; say transpose:ROWSxCOLUMNS"),
    (["8", "--phase", "shuffle", "--order", "0-1-2"], "--order: 3 bits where hypercube:8 has 8"),
    (["8", "--phase", "shuffle", "--objective", "best"],
     "--objective: unknown objective 'best'; known: worst, together, dimension, total (see cubefold lcc --help)"),
    (["22", "--phase", "shuffle", "--phase", "transpose"],
     "optimal_order: a set of phases may have up to 20 bits, not 22"),
    (["8", "--phase", "lcc:/missing/a.txt"], "/missing/a.txt: cannot read: No such file or directory"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    expect_refused(lcc(*arguments), line)


def test_refuses_a_file_by_line_and_by_size(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(ZOOM.replace("0001", "0o01"))
    expect_refused(lcc("4", "--phase", f"lcc:{file}"), f"{file}: line 5: 'o' is neither 0 nor 1")
    file.write_text(ZOOM)
    expect_refused(lcc("5", "--phase", f"lcc:{file}"), f"{file}: 4 rows where hypercube:5 has 5 bits")
    expect_refused(lcc("5", "--phase", f"lcc:{tmp_path}"), f"{tmp_path}: cannot read: Is a directory")


@pytest.mark.parametrize("arguments", [["8"], ["--phase", "transpose"],
                                       ["8", "--phase", "shuffle", "--order", "0", "--objective", "total"]])
def test_says_where_to_look_when_options_do_not_go_together(arguments):
    job = lcc(*arguments)
    assert job.status == 2
    assert job.err.strip().endswith("(see cubefold lcc --help)")
