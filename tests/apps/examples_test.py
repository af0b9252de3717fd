"""The example of the README and the other examples print what their documents say."""

import json
import os
import re
from math import prod
from pathlib import Path

import numpy as np
import pytest
from jobs import expect_help, expect_refused, run, run_alone
from sweeps import more

needs_fft = pytest.mark.skipif(not (Path(os.environ["CUBEFOLD_BUILD"]) / "bin/poisson").exists(),
                               reason="built without cubefold::fft")
needs_fortran = pytest.mark.skipif(not (Path(os.environ["CUBEFOLD_BUILD"]) / "bin/readme_fortran").exists(),
                                   reason="built without cubefold::fortran")


@pytest.mark.parametrize("env", [{"CUBEFOLD_GRID": "torus:4x2"}, more({})])
def test_readme_example_adds_up_the_ranks(env):
    job = run(8, "readme_example", env=env)
    assert job.status == 0, job.err
    assert job.out == "the ranks of 8 processes add up to 28\n"


def test_readme_example_says_what_is_wrong():
    job = run(2, "readme_example", env={"CUBEFOLD_GRID": "torus:4x2"})
    assert job.status == 2
    assert "cubefold_comm_create: grid 'torus:4x2' has 8 nodes, but there are 2 processes" in job.err


@needs_fortran
@pytest.mark.parametrize("env", [more({"CUBEFOLD_GRID": "torus:2x2"}), {}])
def test_readme_example_in_fortran_adds_up_the_ranks(env):
    job = run(4, "readme_fortran", env=env)
    assert job.status == 0, job.err
    assert job.out == "the ranks of 4 processes add up to 6\n"


@needs_fortran
def test_readme_example_in_fortran_says_what_is_wrong():
    job = run(2, "readme_fortran", env={"CUBEFOLD_GRID": "torus:4x2"})
    assert job.status == 2
    assert "cubefold_comm_create: grid 'torus:4x2' has 8 nodes, but there are 2 processes" in job.err


@pytest.mark.parametrize("process_count", [1, more(2), 4, more(8), more(16)])
def test_bitonic_sort_sorts_a_million_keys_a_process(process_count):
    job = run(process_count, "bitonic_sort", env={"CUBEFOLD_GRID": f"ring:{process_count}"})
    assert job.status == 0, job.err
    assert re.fullmatch(rf"{process_count} x 1048576 keys in \d+\.\d+ s: sorted, all there\n", job.out)


@pytest.mark.parametrize("process_count, grid, keys", [(4, "ring:4", 0), (4, "ring:4", 1000), more(8, "torus:4x2", 0),
                                                       more(8, "torus:4x2", 1), more(8, "torus:4x2", 1000)])
def test_bitonic_sort_takes_any_number_of_keys_and_any_placement(process_count, grid, keys):
    job = run(process_count, "bitonic_sort", keys, "gray", env={"CUBEFOLD_GRID": grid})
    assert job.status == 0, job.err
    assert f"{process_count} x {keys} keys in " in job.out
    assert job.out.endswith("sorted, all there\n")


def test_bitonic_sort_says_that_it_needs_a_hypercube():
    job = run(3, "bitonic_sort", 10, "identity", env={"CUBEFOLD_GRID": "ring:3"})
    assert job.status == 2
    assert "bitonic_sort: ring:3 has 3 nodes; a hypercube needs a power of two\n" in job.err


def test_bitonic_sort_says_what_is_no_number_of_keys():
    job = run_alone("bitonic_sort", "-5")
    assert job.status == 2
    assert job.complaints == ["bitonic_sort: '-5' is no number of keys"]


def matrix_of_jacobi(order):
    """Returns the matrix of the example, whose columns lie one behind the other."""
    bits = (np.arange(order * order, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9e3779b97f4a7c15)
    bits = (bits ^ bits >> np.uint64(31)) * np.uint64(0xbf58476d1ce4e5b9) >> np.uint64(11)
    return bits.reshape(order, order).T * 2.0**-53 - 0.5


def values_by_lapack(wanted, matrix):
    """A symmetric matrix has the upper triangle of the matrix."""
    return np.linalg.svd(matrix, compute_uv=False)[::-1] if wanted == "singular values" \
        else np.linalg.eigvalsh(matrix, UPLO="U")


@pytest.mark.parametrize("wanted, grid, order, packets", [
    ("singular values", "ring:2", 16, 1), ("eigenvalues", "torus:2x2", 32, 3), ("singular values", "torus:2x2", 8, 5),
    *(more(wanted, *case) for wanted in ["singular values", "eigenvalues"]
      for case in [("ring:1", 16, 1), ("ring:2", 16, 1), ("torus:2x2", 32, 3), ("torus:4x2", 64, 1),
                   ("torus:4x2", 64, 4), ("torus:4x2", 16, 5)])])
def test_values_by_jacobi_are_those_of_lapack(wanted, grid, order, packets):
    process_count = prod(map(int, grid.partition(":")[2].split("x")))
    job = run(process_count, "jacobi", wanted.replace(" ", "-"), order, packets, "xor", env={"CUBEFOLD_GRID": grid})
    assert job.status == 0, job.err
    title, *values = job.out.splitlines()
    assert re.fullmatch(rf"{order} columns in {2 * process_count} blocks, \d+ sweeps in \d+\.\d+ s; {wanted}:", title)
    expected = values_by_lapack(wanted, matrix_of_jacobi(order))
    assert np.array(values, dtype=float) == pytest.approx(expected, rel=0, abs=1e-13 * order)


@pytest.mark.parametrize("arguments, line", [
    (["eigenvectors"], "'eigenvectors' is neither singular-values nor eigenvalues"),
    (["eigenvalues", 8, "x"], "'x' is no number above 0"), (["singular-values", 8, 0], "'0' is no number above 0")])
def test_jacobi_says_what_is_wrong(arguments, line):
    job = run_alone("jacobi", *arguments)
    assert (job.status, job.complaints) == (2, [f"jacobi: {line}"])


def test_jacobi_says_how_many_columns_it_takes():
    job = run(2, "jacobi", "eigenvalues", 10)
    expect_refused(job, "10 columns are no multiple of 4, twice the number of processes")


def test_jacobi_needs_a_power_of_two_under_every_placement():
    job = run(3, "jacobi", "eigenvalues", 12, 1, "identity", env={"CUBEFOLD_GRID": "ring:3"})
    assert (job.status, job.complaints) == (2, ["jacobi: ring:3 has 3 nodes; a hypercube needs a power of two"])


HALO = (r"halo:{}, faces of (\d+) bytes, error (\S+): right\n"
        r"ranks in order \d+\.\d+ ms a step, placed \d+\.\d+ ms: \d+\.\d+ times as fast\nplaced on nodes={}\n")


@pytest.mark.parametrize("process_count, shape, points, steps", [
    more(1, "1wx1wx1w", 8, 3), (3, "3wx1wx1w", 1, 50), more(3, "3wx1wx1w", 1, 200), (4, "2wx2wx1w", 5, 20),
    more(16, "4wx2wx2w", 4, 10)])
def test_halo_moves_the_known_wave(process_count, shape, points, steps):
    job = run(process_count, "halo", points, steps)
    assert job.status == 0, job.out + job.err
    size, error = numbers(HALO.format(shape, "-".join(map(str, range(process_count)))), job.out)
    assert size == 8 * points**2
    assert error < 1e-11


@pytest.mark.parametrize("grid, shape", [("ring:4", "2wx2wx1w"), more("torus:3x2", "3wx2wx1w"),
                                         more("torus:4x2", "2wx2wx2w")])
def test_halo_runs_on_the_nodes_that_map_chooses(grid, shape, tmp_path):
    if not (Path(os.environ["CUBEFOLD_BUILD"]) / "bin/cubefold").exists():
        pytest.skip("built without programs")
    chosen = run_alone("cubefold", "map", grid, "--phase", f"halo:{shape}", "--json", tmp_path / "chosen.json")
    assert chosen.status == 0, chosen.err
    nodes = json.loads((tmp_path / "chosen.json").read_text())["node_of_rank"]
    assert nodes != sorted(nodes)
    job = run(len(nodes), "halo", 4, 10, env={"CUBEFOLD_GRID": grid})
    assert job.status == 0, job.out + job.err
    numbers(HALO.format(shape, "-".join(map(str, nodes))), job.out)


def test_halo_says_what_is_wrong():
    expect_refused(run_alone("halo", 0), "'0' is no number from 1 to 500")
    expect_refused(run_alone("halo", 8, "many"), "'many' is no number from 1 to 10000")
    expect_refused(run_alone("halo", 8, 8, 8), "there are two arguments at most, POINTS and STEPS")
    expect_refused(run(2, "halo", env={"CUBEFOLD_GRID": "torus:4x2"}),
                   "grid 'torus:4x2' has 8 nodes, but there are 2 processes")


def numbers(pattern, text):
    found = re.fullmatch(pattern, text)
    assert found, text
    return [float(number) for number in found.groups()]


@pytest.mark.parametrize("process_count, grid, method", [
    (1, "ring:1", ""), (3, "ring:3", "bucket"), (4, "torus:2x2", "halving-swing:2"), more(8, "torus:4x2", "whole-cube"),
    more(6, "ring:3", "")])
def test_gradients_find_the_signal_by_both_allreduces(process_count, grid, method):
    job = run(process_count, "gradient", 1000, 60, env={"CUBEFOLD_GRID": grid, "CUBEFOLD_ALLREDUCE": method})
    assert job.status == 0, job.out + job.err
    error, *_times = numbers(r"1000 parameters, 60 steps, error (\S+), the same bits everywhere: right\n"
                            r"MPI_Allreduce (\S+) ms a step, cubefold_allreduce (\S+) ms: (\S+) times as fast\n",
                            job.out)
    assert 0 < error < 4e-5


@pytest.mark.parametrize("process_count, grid, shape", [(4, "torus:2x2", "2 x 2"), (8, "mesh:4x2", "4 x 2"),
                                                        (4, "torus:1x4", "1 x 4")])
def test_pencils_are_transformed_along_the_lines_of_the_network(process_count, grid, shape):
    job = run(process_count, "pencils", 8, env={"CUBEFOLD_GRID": grid})
    assert job.status == 0, job.err
    line = rf"{shape} processes, lines by cubefold_comm_split, largest error \d.\de-1\d\n"
    assert re.fullmatch(line, job.out), job.out


def test_pencils_say_what_they_refuse():
    expect_refused(run(4, "pencils", 7, env={"CUBEFOLD_GRID": "torus:2x2"}),
                   "POINTS is not from 4 to 1024, or 2 x 2 processes do not divide it")
    expect_refused(run(4, "pencils", env={"CUBEFOLD_GRID": "ring:4"}),
                   "cubefold_comm_split: resource 'axis/1' of ring:4 is not node, slot, axis/K or plane/K-L with axes "
                   "K < L below 1")
    expect_help("pencils")


def test_gradients_say_what_they_refuse():
    expect_refused(run_alone("gradient", "many"), "'many' is no number from 1 to 67108864 (see --help)")
    expect_refused(run_alone("gradient", 8, 0), "'0' is no number from 1 to 100000 (see --help)")
    expect_refused(run_alone("gradient", 8, 1, 1), "there are two arguments at most (see --help)")
    expect_refused(run(2, "gradient", env={"CUBEFOLD_GRID": "torus:4x2"}),
                   "cubefold_comm_create: grid 'torus:4x2' has 8 nodes, but there are 2 processes")
    expect_help("gradient")


def poisson_errors(job, points, grid):
    """Returns the errors of the solution and of the energy."""
    assert job.status == 0, job.out + job.err
    return numbers(rf"{points} points on {grid} in \d+\.\d+ s: right\n"
                   r"largest error (\S+) of the largest value; energies of f and its spectrum differ by (\S+)\n",
                   job.out)


@needs_fft
@pytest.mark.parametrize("grid, process_count",
                         [more("ring:1", 1), more("ring:2", 2), ("ring:3", 3), ("torus:2x2", 4), more("mesh:4x2", 8),
                          more("torus:4x4", 16), more("torus:2x2x2", 8)])
def test_poisson_finds_the_known_solution_on_slabs_and_pencils(grid, process_count):
    job = run(process_count, "poisson", 32, env={"CUBEFOLD_GRID": grid})
    error, imbalance = poisson_errors(job, "32 x 32 x 32", grid)
    assert error < 1e-13
    assert imbalance < 1e-13


@needs_fft
@pytest.mark.parametrize("grid, process_count", [("torus:2x2", 4), more("mesh:3x2", 6)])
def test_poisson_takes_any_lengths(grid, process_count):
    error, imbalance = poisson_errors(run(process_count, "poisson", 31, 36, 45, env={"CUBEFOLD_GRID": grid}),
                                      "31 x 36 x 45", grid)
    assert error < 1e-13
    assert imbalance < 1e-13


@needs_fft
def test_the_error_of_poisson_falls_as_fast_as_the_waves_of_the_solution():
    errors = [poisson_errors(run_alone("poisson", n, env={"CUBEFOLD_GRID": "ring:1"}), f"{n} x {n} x {n}", "ring:1")[0]
              for n in [8, 16, 24]]
    assert errors[0] < 1e-2
    assert errors[1] < 1e-4 * errors[0]
    assert errors[2] < 1e-4 * errors[1]


@needs_fft
def test_poisson_says_what_it_refuses():
    expect_refused(run_alone("poisson", "-5"), "'-5' is no number of points")
    expect_refused(run_alone("poisson", "0"), "'0' is no number of points")
    expect_refused(run_alone("poisson", 8, 8), "2 lengths are neither 1 nor 3 (see --help)")
    expect_refused(run(2, "poisson", env={"CUBEFOLD_GRID": "torus:4x2"}),
                   "grid 'torus:4x2' has 8 nodes, but there are 2 processes")


@needs_fft
@pytest.mark.parametrize("process_count, points, order", [
    more(1, 1000, "block"), more(2, 65536, "block"), (3, 10007, "block"), more(4, 65536, "cyclic"), (4, 12, "block"),
    more(8, 4096, "cyclic"), more(16, 65536, "block"), (4, 7, "cyclic")])
def test_convolution_is_the_sum_that_defines_it(process_count, points, order):
    job = run(process_count, "convolution", points, order)
    assert job.status == 0, job.out + job.err
    difference, = numbers(rf"{points} points in {order} order in \d+\.\d+ s: right\n"
                          r"samples differ from the sum that defines them by (\S+) at most\n", job.out)
    assert 0 <= difference < 1e-14


@needs_fft
def test_convolution_says_what_it_refuses():
    expect_refused(run_alone("convolution", "many"), "POINTS is a positive number (see --help)")
    expect_refused(run_alone("convolution", "0"), "POINTS is a positive number (see --help)")
    expect_refused(run_alone("convolution", 64, "scrambled"), "the order of points is block or cyclic (see --help)")
    expect_refused(run_alone("convolution", 64, "block", 1), "there are two arguments at most (see --help)")
    expect_refused(run(2, "convolution", 64, env={"CUBEFOLD_GRID": "torus:4x2"}),
                   "cubefold_comm_create: grid 'torus:4x2' has 8 nodes, but there are 2 processes")


@needs_fft
@pytest.mark.parametrize("program", [more("poisson"), "convolution"])
def test_fft_examples_show_how_they_are_used(program):
    expect_help(program)
