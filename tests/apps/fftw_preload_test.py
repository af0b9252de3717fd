"""A program that uses all of FFTW MPI's Fourier transforms and was not changed computes the same with
libcubefold-fftw3-mpi.so: bit by bit where plans stay FFTW's, and within the error limit where cubefold has them."""

import ctypes
import functools
import re
import subprocess
import sys

import numpy as np
import pytest

from fortran_programs import MPIFORT, needs_fortran
from jobs import BUILD, REASON_WITHOUT_PRELOAD, WATCHDOG_SECONDS, exported_functions, preloaded, run
from sweeps import more

LIBRARY = "libcubefold-fftw3-mpi.so"
REASON = REASON_WITHOUT_PRELOAD or ("" if (BUILD / "lib" / LIBRARY).exists() else "built without FFTW MPI")
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)

PROGRAMS = {"double": "fftw_mpi_program", "single": "fftwf_mpi_program"}
EPSILON = {"double": np.finfo(np.float64).eps, "single": np.finfo(np.float32).eps}
PREFIX = {"double": "fftw_", "single": "fftwf_"}
FORCED = {"CUBEFOLD_FFTW": "cubefold"}
LINE = re.compile(r"cubefold: (\d+) of (\d+) transforms of FFTW MPI by cubefold, (\d+) of (\d+) plans(.*)")

KINDS = ["dft", "dft_r2c", "dft_c2r"]
PLANS = [f"mpi_plan_{form}" for kind in KINDS for form in [f"many_{kind}", kind, f"{kind}_2d", f"{kind}_3d"]]
PLANS += ["mpi_plan_dft_1d"]
HANDLED = {*PLANS, *(f"{name}_f03" for name in PLANS), "execute", "destroy_plan", "mpi_execute_dft",
           "mpi_execute_dft_r2c", "mpi_execute_dft_c2r"}
# These functions of FFTW MPI go on to FFTW: where data lie is FFTW's decision, and it keeps all other plans.
SIZES = ["", "_1d", "_2d", "_2d_transposed", "_3d", "_3d_transposed", "_many", "_many_1d", "_many_transposed",
         "_transposed"]
OTHERS_OF_FORTRAN = {*(f"local_size{form}" for form in SIZES), "plan_r2r", "plan_r2r_2d", "plan_r2r_3d",
                     "plan_many_r2r", "plan_transpose", "plan_many_transpose", "gather_wisdom", "broadcast_wisdom"}
PASSED_ON = {*OTHERS_OF_FORTRAN, *(f"{name}_f03" for name in OTHERS_OF_FORTRAN), "init", "cleanup", "execute_r2r"}
# The library exports what its parts call, too.
INTERNAL = """any_true block block_coords choose_radix conf_standard default_block dft_rank1_bigvec_register
    dft_rank1_register dft_rank_geq2_register dft_rank_geq2_transposed_register dft_serial_applicable
    dft_serial_register dft_solve dtensor_canonical dtensor_copy dtensor_destroy dtensor_md5 dtensor_print
    dtensor_validp idle_process is_block1d is_local is_local_after local_size_guru mkdtensor mkplans_posttranspose
    mkproblem_dft mkproblem_dft_d mkproblem_rdft mkproblem_rdft2 mkproblem_rdft2_d mkproblem_rdft_d
    mkproblem_transpose num_blocks num_blocks_ok num_blocks_total plan_guru_dft plan_guru_r2r
    rdft2_rank_geq2_register rdft2_rank_geq2_transposed_register rdft2_serial_applicable rdft2_serial_register
    rdft2_solve rdft_rank1_bigvec_register rdft_rank_geq2_register rdft_rank_geq2_transposed_register
    rdft_serial_applicable rdft_serial_register rdft_solve rearrange_applicable rearrange_ny total_block
    transpose_alltoall_register transpose_pairwise_register transpose_recurse_register transpose_solve""".split()


def numbers(path, processes):
    """Returns the numbers of all processes for each transform."""
    found = {}
    for process in range(processes):
        for line in (path.parent / f"{path.name}.{process}").read_text().splitlines():
            name, *values = line.split()
            found.setdefault(name, []).append(np.array(values, dtype=np.float64))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def results(folder, processes, precision, *modes, program=None, **variables):
    """Runs the program, and returns its numbers and the lines of the library."""
    job = run(processes, program or PROGRAMS[precision], folder / "numbers", *modes, env=variables)
    assert job.status == 0, job.err
    return (numbers(folder / "numbers", processes),
            [line for line in job.err.splitlines() if line.startswith("cubefold:")])


def preloaded_results(folder, processes, precision, *modes, **variables):
    return results(folder, processes, precision, *modes, **preloaded(LIBRARY), **variables)


@pytest.fixture(scope="module", name="plain")
def plain_fixture(tmp_path_factory):
    @functools.cache
    def plain(processes, precision):
        found, lines = results(tmp_path_factory.mktemp("plain"), processes, precision)
        assert lines == []
        return found
    return plain


def counts(lines):
    [line] = lines
    *found, rest = LINE.fullmatch(line).groups()
    return [int(count) for count in found], rest


def expect_same(found, expected):
    assert found.keys() == expected.keys()
    assert [name for name in found if not np.array_equal(found[name], expected[name])] == []


def wrong_transforms(found, expected, precision):
    """Returns the transforms of which a number is missing, or the error is above the limit."""
    def is_right(one, other):
        limit = 4 * EPSILON[precision] * np.sqrt(np.log2(max(len(other), 2)))
        return one.shape == other.shape and np.linalg.norm(one - other) <= limit * np.linalg.norm(other)
    assert found.keys() == expected.keys()
    return [name for name in found if not is_right(found[name], expected[name])]


def test_a_wrong_number_would_be_noticed():
    right = {"line": np.arange(100.0), "empty": np.array([])}
    assert wrong_transforms(right, right, "double") == []
    assert wrong_transforms({**right, "line": right["line"][:-1]}, right, "double") == ["line"]
    assert wrong_transforms({**right, "line": right["line"] * (1 + 1e-14)}, right, "double") == ["line"]
    assert wrong_transforms({**right, "line": right["line"] * (1 + 1e-14)}, right, "single") == []


ALL_SIZES = [(processes, precision) if (processes, precision) in {(3, "double"), (4, "single")}
             else more(processes, precision) for processes in [1, 2, 3, 4] for precision in ["double", "single"]]


@pytest.mark.parametrize("processes, precision", ALL_SIZES)
def test_all_transforms_are_those_of_fftw(tmp_path, plain, processes, precision):
    found, lines = preloaded_results(tmp_path, processes, precision, **FORCED)
    assert wrong_transforms(found, plain(processes, precision), precision) == []
    [ours, all_runs, our_plans, all_plans], reason = counts(lines)
    if processes == 1:
        assert (ours, our_plans, reason) == (0, 0, "; passed on: one process has FFTW's own plan")
    else:
        assert (ours, all_runs, our_plans, all_plans) == (our_plans, 100, 92 if processes == 4 else 94, 100)
        assert reason.startswith("; passed on: FFTW distributes these lengths over the processes in another way")


@pytest.mark.parametrize("processes, precision", ALL_SIZES)
def test_where_plans_are_passed_on_every_bit_is_that_of_fftw(tmp_path, plain, processes, precision):
    found, lines = preloaded_results(tmp_path, processes, precision)
    expect_same(found, plain(processes, precision))
    [ours, _, our_plans, _], reason = counts(lines)
    assert (ours, our_plans) == (0, 0)
    if processes > 1:
        assert reason.startswith("; passed on: FFTW's own plan is the choice, as where FFTW_ESTIMATE measures nothing")


@pytest.mark.parametrize("value, reason", [
    ("fftw", "CUBEFOLD_FFTW is 'fftw'"),
    ("fastest", "CUBEFOLD_FFTW is 'fastest', but has to be 'cubefold' or 'fftw'")])
def test_a_variable_leaves_all_plans_to_fftw(tmp_path, plain, value, reason):
    found, lines = preloaded_results(tmp_path, 2, "double", CUBEFOLD_FFTW=value)
    expect_same(found, plain(2, "double"))
    assert counts(lines) == ([0, 100, 0, 100], f"; passed on: {reason}")


@pytest.mark.parametrize("variables", [{"CUBEFOLD": "off"}, {"CUBEFOLD_QUIET": "1"}])
def test_a_variable_makes_the_library_silent(tmp_path, plain, variables):
    found, lines = preloaded_results(tmp_path, 2, "double", **variables)
    expect_same(found, plain(2, "double"))
    assert lines == []


@pytest.mark.parametrize("processes, precision", [(2, "double"), more(4, "single")])
def test_measured_plans_are_the_faster_ones_and_the_line_says_what_they_save(tmp_path, plain, processes, precision):
    found, lines = preloaded_results(tmp_path, processes, precision, "measure")
    assert wrong_transforms(found, plain(processes, precision), precision) == []
    [ours, all_runs, our_plans, all_plans], rest = counts(lines)
    assert ours == our_plans < all_plans == all_runs == 100
    assert re.match(r"; \S+ s (saved|lost) in FFTW MPI as measured", rest)


def test_threads_of_fftw_and_of_mpi_change_nothing(tmp_path, plain):
    found, lines = preloaded_results(tmp_path, 2, "double", "threads", **FORCED)
    assert wrong_transforms(found, plain(2, "double"), "double") == []
    assert counts(lines)[0] == [94, 100, 94, 100]


def test_blocks_are_those_of_the_ranks_on_a_network(tmp_path, plain):
    found, lines = preloaded_results(tmp_path, 4, "double", **FORCED, CUBEFOLD_GRID="torus:2x2")
    assert wrong_transforms(found, plain(4, "double"), "double") == []
    assert counts(lines)[0] == [92, 100, 92, 100]


def test_a_grid_that_does_not_fit_is_named_in_the_line_and_stops_nothing(tmp_path, plain):
    found, lines = preloaded_results(tmp_path, 2, "double", **FORCED, CUBEFOLD_GRID="ring:5")
    expect_same(found, plain(2, "double"))
    assert counts(lines)[1] == "; passed on: grid 'ring:5' has 5 nodes, but there are 2 processes"


def test_both_preloaded_libraries_serve_one_program(tmp_path, plain):
    both = preloaded("libcubefold-preload.so", LIBRARY)
    found, lines = results(tmp_path, 4, "double", **both, **FORCED, CUBEFOLD_GRID="ring:4")
    assert wrong_transforms(found, plain(4, "double"), "double") == []
    assert sum(LINE.fullmatch(line) is not None for line in lines) == 1


def test_the_library_may_be_linked_before_fftw(tmp_path, plain):
    found, lines = results(tmp_path, 2, "double", program="linked_fftw_mpi_program", **FORCED)
    assert wrong_transforms(found, plain(2, "double"), "double") == []
    assert counts(lines)[0] == [94, 100, 94, 100]


FFTW_OPENED_LATER = """\
import ctypes, os
from mpi4py import MPI
fftw = ctypes.CDLL("libfftw3_mpi.so.3")
fftw.fftw_mpi_init()
first = ctypes.CDLL(None)  # has what is preloaded, and nothing that was opened
for library, names in [(first, ["fftw_mpi_plan_dft_2d", "fftw_mpi_execute_dft", "fftw_destroy_plan"])]:
    plan, execute, destroy = (getattr(library, name) for name in names)
size = ctypes.c_ssize_t
handle = MPI._handleof(MPI.COMM_WORLD)
numbers = (ctypes.c_double * 200)(1)
plan.restype = ctypes.c_void_p
made = plan(size(8), size(8), numbers, numbers, ctypes.c_void_p(handle), -1, ctypes.c_uint(64))
numbers[0] = 1 if MPI.COMM_WORLD.rank == 0 else 0
execute(ctypes.c_void_p(made), numbers, numbers)
destroy(ctypes.c_void_p(made))
count = 2 * 64 // MPI.COMM_WORLD.size
assert list(numbers[:count]) == [1, 0] * (count // 2)
"""


def test_fftw_may_be_opened_by_the_program(tmp_path):
    pytest.importorskip("mpi4py")
    (tmp_path / "program.py").write_text(FFTW_OPENED_LATER)
    job = run(2, sys.executable, tmp_path / "program.py", env={**preloaded(LIBRARY), **FORCED})
    assert job.status == 0, job.err
    assert "cubefold: 1 of 1 transform of FFTW MPI by cubefold, 1 of 1 plan\n" in job.err


FORTRAN = """\
program transforms
use, intrinsic :: iso_c_binding
use mpi
implicit none
include 'fftw3-mpi.f03'
integer, parameter :: n = 12
integer(c_intptr_t), parameter :: length = n
integer :: code, wrong, i, j
integer(c_intptr_t) :: rows, first, space
type(c_ptr) :: forward, back, memory
complex({c}_complex), pointer :: points(:, :)
real({c}), pointer :: numbers(:, :)
call MPI_Init(code)
call {x}_mpi_init()
space = {x}_mpi_local_size_2d(length, length, MPI_COMM_WORLD, rows, first)
memory = {x}_alloc_complex(space)
call c_f_pointer(memory, points, [length, rows])
forward = {x}_mpi_plan_dft_2d(length, length, points, points, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE)
back = {x}_mpi_plan_dft_2d(length, length, points, points, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE)
do j = 1, int(rows)
  do i = 1, n
    points(i, j) = cmplx(i, j + int(first), {c})
  end do
end do
call {x}_mpi_execute_dft(forward, points, points)
if (first == 0 .and. rows > 0) print '(2i8)', nint(real(points(1, 1))), nint(aimag(points(1, 1)))
call {x}_mpi_execute_dft(back, points, points)
wrong = 0
do j = 1, int(rows)
  do i = 1, n
    if (abs(points(i, j) / n**2 - cmplx(i, j + int(first), {c})) > 1e-5) wrong = wrong + 1
  end do
end do
call {x}_destroy_plan(forward)
call {x}_destroy_plan(back)
call {x}_free(memory)
space = {x}_mpi_local_size_2d(length, length / 2 + 1, MPI_COMM_WORLD, rows, first)
memory = {x}_alloc_complex(space)
call c_f_pointer(memory, numbers, [2 * (length / 2 + 1), rows])
call c_f_pointer(memory, points, [length / 2 + 1, rows])
forward = {x}_mpi_plan_dft_r2c_2d(length, length, numbers, points, MPI_COMM_WORLD, FFTW_ESTIMATE)
back = {x}_mpi_plan_dft_c2r_2d(length, length, points, numbers, MPI_COMM_WORLD, FFTW_ESTIMATE)
do j = 1, int(rows)
  numbers(:n, j) = [(real(i * (j + int(first)), {c}), i = 1, n)]
end do
call {x}_mpi_execute_dft_r2c(forward, numbers, points)
call {x}_mpi_execute_dft_c2r(back, points, numbers)
do j = 1, int(rows)
  do i = 1, n
    if (abs(numbers(i, j) / n**2 - i * (j + int(first))) > 1e-3) wrong = wrong + 1
  end do
end do
call {x}_destroy_plan(forward)
call {x}_destroy_plan(back)
call {x}_free(memory)
call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
if (first == 0 .and. rows > 0) print '(i0, a)', wrong, ' wrong'
call MPI_Finalize(code)
end program
"""


@needs_fortran
@pytest.mark.parametrize("names, libraries", [({"x": "fftw", "c": "c_double"}, ["-lfftw3_mpi", "-lfftw3"]),
                                              ({"x": "fftwf", "c": "c_float"}, ["-lfftw3f_mpi", "-lfftw3f"])])
def test_fortran_programs_are_served(tmp_path, names, libraries):
    (tmp_path / "program.f90").write_text(FORTRAN.format(**names))
    subprocess.run([MPIFORT, "-I/usr/include", "-ffree-line-length-none", "-o", tmp_path / "program",
                    tmp_path / "program.f90", *libraries], check=True, timeout=WATCHDOG_SECONDS)
    job = run(3, tmp_path / "program", env={**preloaded(LIBRARY), **FORCED})
    assert (job.status, job.out.split()) == (0, ["936", "936", "0", "wrong"]), job.out + job.err
    assert "cubefold: 4 of 4 transforms of FFTW MPI by cubefold, 4 of 4 plans\n" in job.err


def test_the_library_exports_what_it_replaces_and_nothing_else():
    assert exported_functions(LIBRARY) == {prefix + name for prefix in PREFIX.values() for name in HANDLED}


def loaded_library(program, name):
    listed = subprocess.run(["ldd", BUILD / "bin" / program], capture_output=True, text=True, check=True).stdout
    return re.search(rf"{name}\.so\S* => (\S+)", listed)[1]


@pytest.mark.parametrize("precision, name", [("double", "libfftw3_mpi"), ("single", "libfftw3f_mpi")])
def test_every_function_of_fftw_mpi_is_replaced_or_passed_on(precision, name):
    prefix = PREFIX[precision] + "mpi_"
    listed = subprocess.run(["nm", "-D", "--defined-only", loaded_library(PROGRAMS[precision], name)],
                            capture_output=True, text=True, check=True).stdout
    exported = {words[2].removeprefix(prefix) for line in listed.splitlines()
                if len(words := line.split()) == 3 and words[1] == "T" and words[2].startswith(prefix)}
    handled = {function.removeprefix("mpi_") for function in HANDLED if function.startswith("mpi_")}
    assert exported - set(INTERNAL) == handled | PASSED_ON
    assert handled & PASSED_ON == set()
