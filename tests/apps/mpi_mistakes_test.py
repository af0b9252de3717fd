"""Mistakes on the command line of programs under mpirun give one line, as those in mistakes_test.py."""

import pytest

from jobs import ALGORITHMS, expect_refused, run, run_alone
from sweeps import combinations, more

A_SIZE = "is not a number of bytes, as 4096, 8KiB or 1MiB"
COUNT = "is not a whole number from 1 to 1000000"

MISTAKES = {
    "cubefold-exchange": {
        "unknown option '--bolck'; did you mean '--block'?": ["--bolck", "8"],
        "unexpected argument 'extra'": ["extra"],
        "--machine: a value is missing": ["--machine"],
        f"--block: '8x' {A_SIZE}": ["--block", "8,8x"],
        f"--repetitions: '0' {COUNT}": ["--repetitions", "0"],
        f"--repetitions: 'many' {COUNT}": ["--repetitions", "many"],
        "--seed: '-1' is not a whole number from 0 up": ["--seed", "-1"],
        "--sync: unknown synchronisation 'tokens'; known: auto, data, clock": ["--sync", "tokens"],
        "--ports: unknown ports 'two'; known: one, all": ["--ports", "two"],
        "--tie: unknown tie 'balancd'; did you mean 'balanced'? known: positive, balanced": ["--tie", "balancd"],
        "--compare: unknown baseline 'linaer'; did you mean 'linear'? known: all, none, default, linear, pairwise, "
        "bruck, linear-sync, scattered, "
        "ialltoall, by-axis": ["--compare", "default,linaer"],
        f"--algorithm: unknown algorithm 'pln'; did you mean 'plan'? known: plan, alltoall, all, {ALGORITHMS}":
            ["--algorithm", "pln"],
        "--algorithm: exchange method 'hybrid:x': 'x' is no list of numbers as 4-2": ["--algorithm", "hybrid:x"],
    },
    "cubefold-permute": {
        "unknown option '--patern'; did you mean '--pattern'?": ["--patern", "shift:1"],
        f"--block: '1.5KiB' {A_SIZE}": ["--block", "1.5KiB"],
        "--tie: unknown tie 'up'; known: positive, balanced": ["--tie", "up"],
    },
    "cubefold-calibrate": {
        "unknown option '--outptu'; did you mean '--output'?": ["--outptu", "x"],
        f"--repetitions: 'many' {COUNT}": ["--repetitions", "many"],
        "--output is required": [],
    },
    "cubefold-fft": {
        "unknown option '--legnths'; did you mean '--lengths'?": ["--legnths", "60"],
        f"--repeat: '0' {COUNT}": ["--repeat", "0"],
        "--slice: 'x' is not a whole number from 0 up": ["--slice", "x"],
        "--lengths: '8x' is not one to three lengths, as 2^20 or 128x128x128": ["--lengths", "8x"],
        "--lengths: '4x0' is not one to three lengths, as 2^20 or 128x128x128": ["--lengths", "4x0"],
        "--algorithm: unknown algorithm 'bluestien'; did you mean 'bluestein'? known: automatic, binary-exchange, "
        "bluestein, half-exchange, transposed": ["--algorithm", "bluestien"],
        "--decomposition: unknown decomposition 'penicl'; did you mean 'pencil'? known: automatic, pencil, slab":
            ["--decomposition", "penicl"],
        "--rigor: unknown rigor 'mesure'; did you mean 'measure'? known: estimate, exhaustive, measure, patient":
            ["--rigor", "mesure"],
        "--signal: unknown signal 'tone'; did you mean 'tones'? known: random, tones": ["--signal", "tone"],
        "--precision: unknown precision 'half'; known: double, single": ["--precision", "half"],
        "--compare: unknown baseline 'ftw'; did you mean 'fftw'? known: fftw": ["--compare", "ftw"],
        "--distribution: unknown distribution 'blok'; did you mean 'block'? known: block, cyclic, block_cyclic, "
        "scrambled":
            ["--distribution", "cyclic,blok"],
    },
}


@pytest.mark.parametrize("program, line", [(program, line) for program, lines in MISTAKES.items() for line in lines])
def test_a_mistake_is_named_in_one_line(program, line):
    expect_refused(run_alone(program, *MISTAKES[program][line]), f"{line} (see {program} --help)")


UNKNOWN = {
    "--grid tours:4x4": "grid 'tours:4x4': unknown kind 'tours'; did you mean 'torus'? known: torus, mesh, ring, line, "
                        "hypercube, grid, hyperx, tofu, file",
    "--placement xro": "placement 'xro': unknown embedding 'xro'; did you mean 'xor'? known: identity, standard, xor, "
                       "by-weight, gray",
}


@pytest.mark.parametrize("program, words", combinations(list(MISTAKES), list(UNKNOWN)))
def test_grids_and_placements_are_looked_at_before_anything_that_is_missing(program, words):
    arguments, line = words.split(), UNKNOWN[words]
    if program == "cubefold-calibrate" and "--placement" in arguments:
        pytest.skip("has no placement")
    expect_refused(run_alone(program, *arguments), line)
    option, value = arguments
    variable = {"--grid": "CUBEFOLD_GRID", "--placement": "CUBEFOLD_PLACEMENT"}[option]
    expect_refused(run_alone(program, env={variable: value}), line)


def test_processes_make_a_mistake_together_and_say_so_once():
    expect_refused(run(3, "cubefold-exchange", "--grid", "tours:3"),
                   "grid 'tours:3': unknown kind 'tours'; did you mean 'torus'? known: torus, mesh, ring, line, "
                   "hypercube, grid, hyperx, tofu, file")
    expect_refused(run(3, "cubefold-permute", "--patern", "shift:1"),
                   "unknown option '--patern'; did you mean '--pattern'? (see cubefold-permute --help)")


@pytest.mark.parametrize("program, word", combinations(list(MISTAKES), ["help", "version"]))
def test_help_and_version_are_words_too(program, word):
    job = run_alone(program, word)
    assert (job.status, job.out) == (0, run_alone(program, f"--{word}").out)


@pytest.mark.parametrize("word", ["help", more("version")])
def test_processes_print_help_and_version_once(word):
    assert run(2, "cubefold-fft", word).out == run_alone("cubefold-fft", word).out


def test_patterns_of_permutations_have_names_of_their_own():
    job = run_alone("cubefold-permute", "--pattern", "transpse")
    assert (job.status, len(job.complaints)) == (2, 1)
    assert "phase 'transpse': unknown name 'transpse'; did you mean 'transpose'? known: cube, " in job.err
    assert job.complaints[0].endswith(", shift")


@pytest.mark.parametrize("processes, pattern", [(3, "shift:1"), (4, "bit-reversal")])
def test_a_permutation_that_fits_is_timed_if_nothing_is_said(processes, pattern):
    job = run(processes, "cubefold-permute", "--block", 8, "--repetitions", 1)
    assert job.status == 0, job.err
    assert f"\n{pattern} " in job.out


def test_a_transpose_without_a_shape_is_that_of_the_grid():
    job = run(6, "cubefold-permute", "--grid", "mesh:3x2", "--pattern", "transpose,transpose:3x2", "--block", 8,
              "--repetitions", 1)
    assert job.status == 0, job.err
    rows = [line.split()[1:5] for line in job.out.splitlines() if line.startswith("transpose")]
    assert len(rows) == 2 and rows[0] == rows[1]
