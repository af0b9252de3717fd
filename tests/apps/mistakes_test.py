"""Mistakes on the command line of programs without MPI give one line with the word, the rule and the nearest known
word."""

import json

import pytest

from jobs import ALGORITHMS, FORMATS, expect_refused, run_alone

EXCHANGE = ["simulate", "exchange", "ring:8"]
MAP = ["map", "torus:4x4", "--phase", "cube"]
WORMHOLE = ["wormhole", "hypercube:4", "--pattern", "transpose"]

WORDS = {
    "unknown command 'mpa'; did you mean 'map'? known: advise, discover, fabric, info, map, verify, lcc, routes, "
    "plan, simulate, wormhole, draw (see cubefold --help)":
        ["mpa", "torus:4x4", "--phase", "cube"],
    "unknown command 'sim'; did you mean 'simulate'? known: advise, discover, fabric, info, map, verify, lcc, routes, "
    "plan, simulate, wormhole, draw (see cubefold --help)":
        ["sim"],
    "unknown command 'fold'; known: advise, discover, fabric, info, map, verify, lcc, routes, plan, simulate, "
    "wormhole, draw (see cubefold --help)":
        ["fold"],
    "unknown command 'exchang'; did you mean 'exchange'? known: exchange, allreduce, "
    "reduce-scatter, allgather (see cubefold simulate --help)":
        ["simulate", "exchang", "ring:8", "--block", "8"],
    "unknown option '--phaze'; did you mean '--phase'? (see cubefold map --help)":
        ["map", "torus:4x4", "--phaze", "cube"],
    "unknown option '--blok'; did you mean '--block'? (see cubefold simulate exchange --help)": [*EXCHANGE, "--blok=8"],
    "unknown option '--tei'; did you mean '--tie'? (see cubefold routes --help)":
        ["routes", "--tei", "positive", "ring:4"],
    "unknown option '--quietly' (see cubefold --help)": ["--quietly"],
    "unexpected argument 'more' (see cubefold routes --help)": ["routes", "ring:4", "more"],
    "--phase: a value is missing (see cubefold map --help)": ["map", "torus:4x4", "--phase"],
    "--tie is given 2 times (see cubefold map --help)": [*MAP, "--tie", "balanced", "--tie", "positive"],
    "--import: it takes a format and a file (see cubefold map --help)": [*MAP, "--import", "rankfile"],
    "--phase is required (see cubefold map --help)": ["map", "torus:4x4"],
    "GRID is required (see cubefold map --help)": ["map", "--phase", "cube"],
}

# Each mistake is reported although another option is missing.
NAMES = {
    "grid 'tours:4x4': unknown kind 'tours'; did you mean 'torus'? known: torus, mesh, ring, line, "
    "hypercube, grid, hyperx, tofu, file":
        ["map", "tours:4x4"],
    "placement 'standad': unknown embedding 'standad'; did you mean 'standard'? known: identity, standard, xor, "
    "by-weight, gray":
        ["simulate", "exchange", "ring:8", "--placement", "standad"],
    "--tie: unknown tie 'balancd'; did you mean 'balanced'? known: positive, balanced (see cubefold routes --help)":
        ["routes", "--tie", "balancd"],
    "--ports: unknown ports 'al'; did you mean 'all'? known: one, all (see cubefold simulate exchange --help)":
        [*EXCHANGE, "--ports", "al"],
    "--objective: unknown objective 'togeter'; did you mean 'together'? known: busiest-links, together, hop-bytes (see "
    "cubefold map --help)":
        ["map", "--objective", "togeter"],
    "--objective: unknown objective 'worts'; did you mean 'worst'? known: worst, together, dimension, total (see "
    "cubefold lcc --help)":
        ["lcc", "8", "--objective", "worts"],
    "--router: unknown router 'ecube'; did you mean 'e-cube'? known: e-cube, p-cube (see cubefold wormhole --help)":
        ["wormhole", "hypercube:4", "--router", "ecube"],
    f"--emit: unknown format 'rankfle'; did you mean 'rankfile'? known: {FORMATS} (see cubefold map --help)":
        ["map", "torus:4x4", "--emit", "rankfle"],
    f"--import: unknown format 'sek'; did you mean 'seq'? known: {FORMATS} (see cubefold map --help)":
        ["map", "torus:4x4", "--import", "sek", "file"],
    "--rate: '200gb' is not a rate above 0 such as 200gbit or 800mbit (see cubefold advise --help)":
        ["advise", "--rate", "200gb"],
    "--rate: '0gbit' is not a rate above 0 such as 200gbit or 800mbit (see cubefold advise --help)":
        ["advise", "--rate", "0gbit"],
    "--latency: '1.5' is not a time from 0 up such as 1.5us or 800ns (see cubefold advise --help)":
        ["advise", "--latency", "1.5"],
    "--gap: '-1us' is not a time from 0 up such as 1.5us or 800ns (see cubefold advise --help)":
        ["advise", "--gap=-1us"],
    "--per-node: '0' is not a whole number from 1 to 16384 (see cubefold advise --help)":
        ["advise", "ring:8", "--per-node", "0"],
    f"--algorithm: unknown exchange method 'dierct'; did you mean 'direct'? known: {ALGORITHMS} (see cubefold plan "
    f"exchange --help)":
        ["plan", "exchange", "ring:8", "--algorithm", "cc-cube,dierct:2"],
}

PATTERNS = ("bit-reversal, reverse-flip, shuffle, unshuffle, exchange, complement, transpose, reflect-antidiagonal, "
            "rotate-clockwise, "
            "rotate-counterclockwise, rotate-180, reflect-left-right, reflect-top-bottom, zoom, bit-reversal-in-rows, "
            "bit-reversal-in-columns")
NAMES |= {
    "phase 'cub*2': unknown name 'cub'; did you mean 'cube'? known: cube, halo, alltoall, ring, allreduce, "
    f"reduce-scatter, allgather, block-cyclic-to-block, block-to-block-cyclic, {PATTERNS}, "
    "matrix:FILE, profile:FILE, lcc:FILE": ["map", "--phase", "cub*2"],
    f"phase 'transpse:3x5': unknown name 'transpse'; did you mean 'transpose'? known: cube, halo, alltoall, ring, "
    f"allreduce, reduce-scatter, allgather, block-cyclic-to-block, block-to-block-cyclic, {PATTERNS}, matrix:FILE, "
    "profile:FILE, lcc:FILE":
        ["map", "ring:15", "--phase", "transpse:3x5"],
    f"pattern 'transpse': unknown name 'transpse'; did you mean 'transpose'? known: {PATTERNS}":
        ["wormhole", "hypercube:4", "--pattern", "transpse"],
}

A_SIZE = "is not a number of bytes, as 4096, 8KiB or 1MiB (see cubefold simulate exchange --help)"
NUMBERS = {
    **{f"--block: '{text}' {A_SIZE}": [*EXCHANGE, "--block", text]
       for text in ["8x", "-8", "1.5KiB", "KiB", "eight", "99999999999999999999", "99999999999GiB", "0x10"]},
    **{f"--effort: '{text}' is not a positive number (see cubefold map --help)": [*MAP, "--effort", text]
       for text in ["0", "-1", "1e", "10k", "nan", "inf", "-1e9", "many"]},
    **{f"--per-node: '{text}' is not a whole number from 1 to 2147483648 (see cubefold map --help)":
           [*MAP, "--per-node", text]
       for text in ["0", "-1", "1e3", "two"]},
    **{f"--flits: '{text}' is not a whole number from 1 to 1000000 (see cubefold wormhole --help)":
           [*WORMHOLE, "--flits", text]
       for text in ["0", "x", "2.5"]},
    "--cycles: '1' is not a whole number from 10 to 1000000000 (see cubefold wormhole --help)":
        [*WORMHOLE, "--cycles", "1"],
    "--seed: '-1' is not a whole number from 0 up (see cubefold wormhole --help)": [*WORMHOLE, "--seed", "-1"],
    **{f"--load: '{text}' is not a number from 1e-06 to 1 (see cubefold wormhole --help)":
           [*WORMHOLE, "--load", f"0.1,{text}"]
       for text in ["2", "x", "0", "nan"]},
    **{f"--alpha: '{text}' is not a number from 0 up (see cubefold simulate exchange --help)":
           [*EXCHANGE, "--block", "8", "--alpha", text]
       for text in ["-1", "fast", "inf", "1e-6s"]},
    "--tau: 'x' is not a number from 0 up (see cubefold plan exchange --help)":
        ["plan", "exchange", "ring:8", "--block", "8", "--tau", "1,x"],
    "--gap: 'x' is not a time from 0 up such as 1.5us or 800ns (see cubefold plan exchange --help)":
        ["plan", "exchange", "ring:8", "--block", "8", "--gap", "x"],
    "--barrier: 'x' is not a time from 0 up such as 1.5us or 800ns (see cubefold plan exchange --help)":
        ["plan", "exchange", "ring:8", "--block", "8", "--barrier", "x"],
}


@pytest.mark.parametrize("line", [*WORDS, *NAMES, *NUMBERS])
def test_a_mistake_is_named_in_one_line_before_anything_that_is_missing(line):
    expect_refused(run_alone("cubefold", *(WORDS | NAMES | NUMBERS)[line]), line)


@pytest.mark.parametrize("arguments, line", [
    (["--outptu", "x"], "unknown option '--outptu'; did you mean '--output'? (see cubefold-signal --help)"),
    (["x"], "unexpected argument 'x' (see cubefold-signal --help)"),
    (["--points", "0"],
     "--points: '0' is not a whole number from 1 to 1073741824, as 65536 or 2^16 (see cubefold-signal --help)"),
    (["--points", "2^31"],
     "--points: '2^31' is not a whole number from 1 to 1073741824, as 65536 or 2^16 (see cubefold-signal --help)"),
    (["--tones", "1,a"], "--tones: 'a' is not a whole number from 0 up (see cubefold-signal --help)"),
    (["--noise", "-1"], "--noise: '-1' is not a number from 0 up (see cubefold-signal --help)"),
])
def test_a_mistake_of_cubefold_signal_is_named_in_one_line(arguments, line):
    expect_refused(run_alone("cubefold-signal", *arguments), line)


@pytest.mark.parametrize("effort", ["1e9", "1E+9", "2.5e3", "1000000000", "0.5", "1e30"])
def test_effort_is_a_positive_number_of_any_form(effort):
    job = run_alone("cubefold", *MAP, "--effort", effort)
    assert job.status == 0, job.err


@pytest.mark.parametrize("size, count",
                         [("8192", 8192), ("8KiB", 8192), ("8kb", 8192), ("8K", 8192), ("8 KiB", 8192), ("1MiB", 2**20),
                          ("2gib", 2**31), ("0", 0), ("010", 10), ("7b", 7)])
def test_sizes_have_units_of_1024(size, count):
    job = run_alone("cubefold", *EXCHANGE, "--block", size, "--json", "-")
    assert json.loads(job.out)["block_bytes"] == count


def test_points_may_be_a_power(tmp_path):
    for points in ["2^10", "1024"]:
        assert run_alone("cubefold-signal", "--points", points, "--output", tmp_path / points).status == 0
    assert (tmp_path / "2^10").read_bytes() == (tmp_path / "1024").read_bytes()


@pytest.mark.parametrize("words, same", [
    (["help"], ["--help"]), (["help", "map"], ["map", "--help"]),
    (["help", "plan", "exchange"], ["plan", "exchange", "--help"]), (["version"], ["--version"])])
def test_help_and_version_are_words_too(words, same):
    job, expected = run_alone("cubefold", *words), run_alone("cubefold", *same)
    assert (job.status, job.out, job.err) == (0, expected.out, "")


def test_help_on_an_unknown_command_says_so():
    for words in [["help", "mpa"], ["mpa", "--help"]]:
        job = run_alone("cubefold", *words)
        assert (job.status, job.out) == (2, "")
        assert job.err.startswith("cubefold: unknown command 'mpa'; did you mean 'map'?")


def test_help_is_given_whatever_else_is_wrong():
    assert run_alone("cubefold", "map", "--phaze", "cube", "--help").out == run_alone("cubefold", "map", "--help").out


def test_help_and_version_are_words_for_cubefold_signal_too():
    assert run_alone("cubefold-signal", "help").out == run_alone("cubefold-signal", "--help").out
    version = "cubefold-signal 0.1.0\n"
    assert run_alone("cubefold-signal", "version").out == run_alone("cubefold-signal", "--version").out == version


def certificate(*arguments):
    job = run_alone("cubefold", "map", *arguments, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


@pytest.mark.parametrize("grid, shape",
                         [("torus:12x10", "12x10"), ("mesh:5x3", "5x3"), ("torus:8x4", "8x4"), ("mesh:6x6", "6x6"),
                          ("torus:4x3x3", "6x6"), ("line:9", "3x3")])
def test_a_transpose_without_a_shape_is_that_of_the_square_or_else_of_the_grid(grid, shape):
    assert certificate(grid, "--phase", "transpose*3") == certificate(grid, "--phase", f"transpose:{shape}*3")


def test_a_transpose_without_a_shape_keeps_its_name_where_ranks_are_a_power_of_two():
    assert [phase["name"] for phase in certificate("torus:16x4", "--phase", "transpose")["phases"]] == ["transpose"]


@pytest.mark.parametrize("arguments", [["line:10", "--phase", "transpose"], ["torus:4x3x2", "--phase", "transpose"],
                                       ["torus:4x3", "--per-node", "2", "--phase", "transpose"]])
def test_a_transpose_without_a_shape_is_refused_where_there_is_none(arguments):
    job = run_alone("cubefold", "map", *arguments)
    assert job.status == 2
    assert "ranks make no square; say transpose:ROWSxCOLUMNS" in job.err
