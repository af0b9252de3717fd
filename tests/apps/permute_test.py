"""Tests of cubefold-permute from outside."""

import json
from collections import Counter

import pytest

from jobs import expect_help, expect_refused, expect_wrong_byte_noticed, refused_with, run, run_alone
from sweeps import more
from traffic import bytes_on_links, links_of, loaded, monitored, route, sent_between_nodes


def bits(rank, count):
    return [rank >> i & 1 for i in range(count)]


def reversed_bits(rank, p):
    return sum(bit << i for i, bit in enumerate(reversed(bits(rank, p.bit_length() - 1))))


# pattern -> destination of rank r among p, by a slow and obvious rule
PATTERNS = {
    "bit-reversal": reversed_bits,
    "reverse-flip": lambda r, p: p - 1 - reversed_bits(r, p),
    "transpose:4x2": lambda r, p: [(i, j) for j in range(2) for i in range(4)].index((r // 2, r % 2)),
    "transpose:2x4": lambda r, p: [(i, j) for j in range(4) for i in range(2)].index((r // 4, r % 4)),
    "cube:0": lambda r, p: r + 1 if r % 2 == 0 else r - 1,
    "cube:2": lambda r, p: r ^ 4,
    "shift:0": lambda r, p: r,
    "shift:3": lambda r, p: (r + 3) % p,
}

# [Xor] section 3: node of each rank of a ring of 8 under xor
XOR_RING_8 = [0, 1, 2, 3, 6, 7, 4, 5]


def results(path, *key):
    rows = json.loads(path.read_text())["results"]
    return {tuple(row[k] for k in key): row for row in rows}


# The messages of all patterns of a job are counted together.
@pytest.mark.parametrize("patterns, placement, node_of", [
    (list(PATTERNS), "xor", XOR_RING_8), more(["shift:3"], "identity", range(8))])
def test_every_rank_sends_one_message_to_the_rank_of_the_pattern(tmp_path, patterns, placement, node_of):
    path = tmp_path / "times.json"
    job = run(8, "cubefold-permute", "--grid", "ring:8", "--placement", placement, "--pattern", ",".join(patterns),
              "--block", 100, "--repetitions", 2, "--json", path, env=monitored(tmp_path))
    assert job.status == 0, job.err
    runs = 3
    wanted = Counter()
    for pattern, row in zip(patterns, json.loads(path.read_text())["results"], strict=True):
        pairs = [(node_of[r], node_of[PATTERNS[pattern](r, 8)]) for r in range(8)]
        assert loaded(links_of(row)) == bytes_on_links({pair: 100 for pair in pairs}, [8], True)
        wanted.update(pairs)
    assert sent_between_nodes(tmp_path) == {pair: (runs * n, runs * n * 100) for pair, n in wanted.items()}


@pytest.mark.parametrize("grid, extents, wrapped, tie", [
    ("torus:2x1x2", [2, 1, 2], True, "balanced"), ("ring:4", [4], True, "positive"), ("line:3", [3], False, "balanced"),
    more("torus:4x2", [4, 2], True, "balanced"), more("torus:4x2", [4, 2], True, "positive"),
    more("ring:6", [6], True, "balanced"), more("ring:6", [6], True, "positive"),
    more("mesh:2x4", [2, 4], False, "balanced"), more("line:5", [5], False, "balanced"),
    more("torus:2x1x3", [2, 1, 3], True, "balanced")])
def test_predicts_the_bytes_of_every_link(tmp_path, grid, extents, wrapped, tie):
    path = tmp_path / "times.json"
    p = 1
    for extent in extents:
        p *= extent
    job = run(p, "cubefold-permute", "--grid", grid, "--pattern", f"shift:{p // 2}", "--block", "8,1KiB",
              "--repetitions", 1, "--tie", tie, "--json", path)
    assert job.status == 0, job.err
    for row in json.loads(path.read_text())["results"]:
        size = row["block_bytes"]
        expected = bytes_on_links({(r, (r + p // 2) % p): size for r in range(p)}, extents, wrapped, tie)
        assert loaded(links_of(row)) == expected
        assert row["contention"] == max(expected.values()) // size
        every_link = {link for a in range(p) for b in range(p) for link in route(a, b, extents, wrapped, tie)}
        assert set(links_of(row)) == every_link
        assert len(row["links"]) == len(every_link)


@pytest.mark.parametrize("rows, columns", [(2, 2), more(2, 4)])
def test_alone_only_the_message_with_the_longest_route_travels(tmp_path, rows, columns):
    path = tmp_path / "times.json"
    p = rows * columns
    job = run(p, "cubefold-permute", "--grid", f"line:{p}", "--pattern", f"transpose:{rows}x{columns}", "--alone",
              "--block", 100, "--repetitions", 2, "--json", path, env=monitored(tmp_path))
    assert job.status == 0, job.err
    destination = [r % columns * rows + r // columns for r in range(p)]
    longest = max(range(p), key=lambda r: abs(destination[r] - r))
    wanted = Counter({(r, destination[r]): 3 for r in range(p)})
    wanted[longest, destination[longest]] += 3
    assert {pair: count for pair, (count, _) in sent_between_nodes(tmp_path).items()} == wanted
    row = results(path, "alone")[True,]
    assert row["longest_hops"] == abs(destination[longest] - longest)
    assert row["contention"] == 1
    assert loaded(links_of(row)) == bytes_on_links({(longest, destination[longest]): 100}, [p], False)


@pytest.mark.more
def test_an_order_takes_the_contention_out_of_a_transpose():
    """In [Lcc], transpose has T = 1 2 4 8 8 4 2 1 for n = 8, and 1 everywhere under order 0-4-2-6-1-5-3-7. Here n is
    4."""
    job = run(16, "cubefold-permute", "--grid", "hypercube:4", "--pattern", "transpose:4x4", "--placement", "standard",
              "--placement", "standard,order=0-2-1-3", "--block", 8, "--repetitions", 1)
    assert job.status == 0, job.err
    rows = [line.split() for line in job.out.splitlines() if line.startswith("transpose")]
    assert [row[:5] for row in rows] == [["transpose:4x4", "standard", "8", "B", "2"],
                                         ["transpose:4x4", "standard,order=0-2-1-3", "8", "B", "1"]]


def test_prints_aligned_columns_for_every_case():
    job = run(4, "cubefold-permute", "--grid", "torus:2x2", "--pattern", "bit-reversal,shift:1", "--alone",
              "--placement", "xor", "--placement", "gray,order=1-0", "--block", "8,1MiB", "--repetitions", 2)
    table = [line for line in job.out.splitlines() if line.startswith(("pattern", "bit-reversal", "shift:1"))]
    assert len(table) == 1 + 2 * 2 * 2 * 2
    assert len({len(line) for line in table}) == 1
    assert "every byte of every repetition was checked: all right" in job.out


def test_runs_every_case_as_often_as_asked_in_an_order_that_the_seed_decides(tmp_path):
    def order(seed):
        path = tmp_path / f"{seed}.json"
        job = run(2, "cubefold-permute", "--pattern", "shift:1,shift:0", "--block", "8,16", "--repetitions", 6,
                  "--seed", seed, "--json", path)
        assert job.status == 0, job.err
        result = json.loads(path.read_text())
        assert result["seed"] == seed
        for row in result["results"]:
            assert len(row["seconds"]) == 6
            assert row["min_seconds"] == min(row["seconds"])
            assert row["max_seconds"] == max(row["seconds"])
            assert sorted(row["seconds"])[2] <= row["median_seconds"] <= sorted(row["seconds"])[3]
        return result["order"]

    of_one = order(1)
    assert Counter(of_one) == {0: 6, 1: 6, 2: 6, 3: 6}
    assert order(1) == of_one
    assert order(2) != of_one


def test_takes_a_placement_from_the_environment():
    job = run(4, "cubefold-permute", "--block", "8", "--repetitions", 1,
              env={"CUBEFOLD_GRID": "mesh:2x2", "CUBEFOLD_PLACEMENT": "xor,order=1-0"})
    assert "4 processes on hypercube:2" in job.out
    assert "xor,order=1-0" in job.out


@pytest.mark.parametrize("placement", ["identity", "auto:cube", "auto:bit-reversal"])
def test_a_single_process_sends_to_itself(placement):
    job = run_alone("cubefold-permute", "--placement", placement, "--block", "8", "--repetitions", 1)
    assert job.status == 0, job.err
    assert "bit-reversal  identity " in job.out and "all right" in job.out


@pytest.mark.parametrize("arguments, line", [
    (["--pattern", "shift:6"], "pattern 'shift:6': the shift is not below the number of ranks, 1"),
    (["--pattern", "shift:-1"], "pattern 'shift:-1': '-1' is no number"),
    (["--pattern", "shift:"], "pattern 'shift:': '' is no number"),
    (["--pattern", "transpose:3x3"], "phase 'transpose:3x3': 3 x 3 are 9 ranks, not 1"),
    (["--pattern", "shift:0,rotate"], "phase 'rotate': unknown name 'rotate'; known: cube, "),
    (["--pattern", "shift:0,rotate"], ", bit-reversal-in-columns, shift"),
    (["--pattern", "cube"], "pattern 'cube': these are 0 phases, and a permutation is one"),
    (["--pattern", "shift:0", "--block", "3GiB"],
     "a message of 1 x 3221225472 bytes is above the limit of 2147483647 bytes"),
    (["--tie", "up"], "--tie: unknown tie 'up'; known: positive, balanced (see cubefold-permute --help)"),
    (["--seed", "-1"], "--seed: '-1' is not a whole number from 0 up (see cubefold-permute --help)"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    refused_with(run_alone("cubefold-permute", *arguments), line)


def test_says_that_the_network_is_unknown():
    job = run(3, "cubefold-permute", "--repetitions", 1)
    assert "3 processes on an unknown network; loads and hops are those of line:3\n" in job.out


# The one refusal that all processes agree on: it is written once.
def test_refuses_what_is_no_permutation_of_the_ranks():
    expect_refused(run(4, "cubefold-permute", "--pattern", "zoom"), "pattern 'zoom': rank 0 sends twice")


def test_notices_a_single_wrong_byte():
    expect_wrong_byte_noticed("cubefold-permute",
                              where="bit-reversal under identity: wrong data: byte 512 of message ")


def test_help_is_printed_once_and_fits_a_terminal():
    expect_help("cubefold-permute")
