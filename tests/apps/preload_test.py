"""Programs that nobody changed run with the preloaded library: in C, Fortran and Python."""

import importlib.util
import json
import os
import re
import subprocess
import sys

import pytest

from fortran_programs import built, needs_fortran
from jobs import (BUILD, MPI_LIBRARY, REASON_WITHOUT_PRELOAD, WATCHDOG_SECONDS, exported_functions, preloaded, run,
                  with_preloaded)
from sweeps import more

pytestmark = pytest.mark.skipif(bool(REASON_WITHOUT_PRELOAD), reason=REASON_WITHOUT_PRELOAD)

LIBRARY = "libcubefold-preload.so"
ON_A_RING = {"CUBEFOLD_GRID": "ring:4", "CUBEFOLD_ALLTOALL": "linear"}
INEIGHBOURS = ["MPI_Ineighbor_allgather", "MPI_Ineighbor_allgatherv", "MPI_Ineighbor_alltoall",
               "MPI_Ineighbor_alltoallv", "MPI_Ineighbor_alltoallw"]
NEIGHBOURS = ["MPI_Neighbor_allgather", "MPI_Neighbor_allgatherv", "MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv",
              "MPI_Neighbor_alltoallw"]
OF_MPI_4 = [f"{name}_c" for name in [*INEIGHBOURS, *NEIGHBOURS, "MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw",
                                     "MPI_Ialltoall", "MPI_Ialltoallv", "MPI_Ialltoallw", "MPI_Alltoall_init",
                                     "MPI_Alltoallv_init", "MPI_Alltoallw_init"]]
OF_MPI_4 += [f"{name}_init_c" for name in NEIGHBOURS]
OF_MPI_4 += ["MPI_Comm_split_type", "MPI_Comm_create_from_group", "MPI_Session_init", "MPI_Session_finalize"]
REPLACED = ["MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce", "MPI_Alltoall", "MPI_Alltoall_init", "MPI_Alltoallv",
            "MPI_Alltoallv_init", "MPI_Alltoallw", "MPI_Alltoallw_init", "MPI_Cart_create", "MPI_Cart_map",
            "MPI_Cart_sub", "MPI_Comm_create", "MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_split",
            "MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent", "MPI_Finalize", "MPI_Iallgather",
            "MPI_Iallgatherv", "MPI_Iallreduce",
            "MPI_Ialltoall", "MPI_Ialltoallv", "MPI_Ialltoallw", "MPI_Init", "MPI_Init_thread", "MPI_Ireduce_scatter",
            "MPI_Ireduce_scatter_block", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block", "MPI_Request_free",
            *INEIGHBOURS, *NEIGHBOURS, *(f"{name}_init" for name in NEIGHBOURS),
            *(f"{name.replace('MPI_', 'MPIX_')}_init" for name in NEIGHBOURS), "MPI_Start", "MPI_Startall",
            "MPIX_Alltoall_init", "MPIX_Alltoallv_init", "MPIX_Alltoallw_init"]


def lines_of_library(job_err):
    return [line for line in job_err.splitlines() if line.startswith("cubefold:")]


def run_unchanged(**environment):
    job = run(4, "unchanged_program", env={**preloaded(LIBRARY), **environment})
    assert (job.status, job.out) == (0, "0 wrong numbers\n"), job.err
    return lines_of_library(job.err)


def test_calls_are_replaced_and_counted_in_one_line():
    assert run_unchanged(**ON_A_RING) == [
        "cubefold: 2 of 2 MPI_Alltoall, 1 of 1 MPI_Alltoallv by cubefold; 1 communicator, 1 of them on the grid"]


def test_where_nothing_is_known_calls_are_passed_on_and_the_line_says_why():
    assert run_unchanged() == [
        "cubefold: 0 of 2 MPI_Alltoall, 0 of 1 MPI_Alltoallv by cubefold; 1 communicator, 0 of them on the grid; "
        "passed on: nothing is known of the network"]


def test_a_grid_that_does_not_fit_is_named_in_the_line_and_stops_nothing():
    [line] = run_unchanged(CUBEFOLD_GRID="ring:5")
    assert line.endswith("passed on: grid 'ring:5' has 5 nodes, but there are 4 processes")


def test_the_line_says_where_mpis_own_exchange_is_the_choice():
    [line] = run_unchanged(CUBEFOLD_GRID="ring:4")
    assert line.endswith("passed on: MPI's own exchange is the choice, as where all processes share one host")


@pytest.mark.parametrize("variable, value, reason", [
    ("CUBEFOLD_MACHINE", "/no/such/file", "/no/such/file"), ("CUBEFOLD_ALLTOALL", "dirct", "did you mean 'direct'?")])
def test_a_mistake_in_a_variable_is_in_the_line_and_stops_nothing(variable, value, reason):
    [line] = run_unchanged(**{**ON_A_RING, variable: value})
    assert line.startswith("cubefold: 0 of 2 MPI_Alltoall, ")
    assert reason in line


def test_process_0_says_what_it_found_and_what_was_chosen():
    lines = run_unchanged(**ON_A_RING, CUBEFOLD_VERBOSE="1", CUBEFOLD_QUIET="1")
    said = dict(line.removeprefix("cubefold: ").split(maxsplit=1) for line in lines[:8])
    assert (said["network"], said["source"]) == ("ring:4", "the grid that was named")
    assert said["placement"] == "the order of the program's ranks"
    assert (said["ranks"], said["machine"], said["tuning"]) == ("4 on 4 nodes", "none", "none")
    assert said["MPI"] == MPI_LIBRARY
    sizes = [line for line in lines[8:] if line.startswith("cubefold: ring:4: blocks of ")]
    assert sizes and all(": linear" in line for line in sizes)


def test_process_0_says_why_nothing_is_known():
    lines = run_unchanged(CUBEFOLD_VERBOSE="1", CUBEFOLD_QUIET="1")
    assert lines[:2] == ["cubefold: network    unknown", "cubefold: source     nothing is known of the network"]


@pytest.mark.parametrize("variable, value", [("CUBEFOLD", "off"), ("CUBEFOLD_QUIET", "1")])
def test_a_variable_makes_the_library_silent(variable, value):
    assert run_unchanged(**ON_A_RING, **{variable: value}) == []


def test_a_variable_asks_for_what_the_line_says_as_json(tmp_path):
    path = tmp_path / "summary.json"
    run_unchanged(**ON_A_RING, CUBEFOLD_SUMMARY=str(path))
    summary = json.loads(path.read_text())
    replaced = [(each["name"], each["replaced"], each["passed_on"]) for each in summary["functions"]]
    assert replaced == [("MPI_Alltoall", 2, 0), ("MPI_Alltoallv", 1, 0), ("MPI_Allreduce", 0, 1)]
    assert all(isinstance(each["seconds_saved"], (float, int)) for each in summary["functions"])
    assert (summary["communicators"], summary["communicators_on_grid"], summary["passed_on_because"]) == (1, 1, None)
    assert (summary["calls_with_device_memory"], summary["format_version"]) == (0, 1)
    choices = {(each["nodes"], each["calls"], each["bytes"]): each["choice"] for each in summary["choices"]}
    assert set(choices) == {("ring:4", "equal", 12), ("ring:4", "unequal", None)}
    assert choices["ring:4", "equal", 12] == "linear: CUBEFOLD_ALLTOALL says so"


def test_the_json_says_why_calls_are_passed_on(tmp_path):
    path = tmp_path / "summary.json"
    run_unchanged(CUBEFOLD_GRID='ring"5', CUBEFOLD_SUMMARY=str(path))
    summary = json.loads(path.read_text())
    assert 'ring"5' in summary["passed_on_because"]
    assert [each["replaced"] for each in summary["functions"]] == [0, 0, 0]
    assert summary["choices"] == []


def test_a_summary_that_cannot_be_written_is_named_in_a_line_and_stops_nothing():
    lines = run_unchanged(**ON_A_RING, CUBEFOLD_SUMMARY="/no/such/folder/summary.json")
    assert lines[0].startswith("cubefold: CUBEFOLD_SUMMARY: ") and "/no/such/folder/summary.json" in lines[0]


def test_a_program_without_such_calls_gets_no_line():
    job = run(2, "cubefold", "--version", env=preloaded(LIBRARY))
    assert (job.status, lines_of_library(job.err)) == (0, [])


def test_the_library_exports_what_it_replaces_and_nothing_else():
    exported = exported_functions(LIBRARY)
    names = [*REPLACED, *(OF_MPI_4 if "MPI_Alltoall_c" in exported else [])]
    names += {"MPI_Get_hw_resource_info"} & exported
    assert exported == {*names, *(f"P{name}" for name in names)}


def test_the_library_calls_mpi_by_names_that_no_tool_replaces():
    listed = subprocess.run(["nm", "-D", "--undefined-only", BUILD / "lib" / LIBRARY], capture_output=True, text=True,
                            check=True).stdout
    called = [line.split()[-1] for line in listed.splitlines()]
    assert any(name.startswith("PMPI_") for name in called)
    assert [name for name in called if re.match("MPI_[A-Z][a-z]", name)] == []


def test_programs_split_communicators_by_lines_of_the_network_where_mpi_has_names_for_them():
    has_names = "MPI_Comm_split_type" in exported_functions(LIBRARY)
    job = run(4, "pencils", 8, env={**preloaded(LIBRARY), "CUBEFOLD_GRID": "torus:2x2"})
    assert job.status == 0, job.err
    function = "MPI_Comm_split_type" if has_names else "cubefold_comm_split"
    assert job.out.startswith(f"2 x 2 processes, lines by {function}, largest error "), job.out


def test_a_resource_that_the_network_lacks_is_named_in_one_line():
    if "MPI_Comm_split_type" not in exported_functions(LIBRARY):
        pytest.skip("MPI 3 has no names of resources")
    job = run(4, "pencils", 8, env={**preloaded(LIBRARY), "CUBEFOLD_GRID": "ring:4"})
    complaint = "resource 'axis/1' of ring:4 is not node, slot, axis/K or plane/K-L with axes K < L below 1"
    assert lines_of_library(job.err)[0] == f"cubefold: MPI_Comm_split_type: {complaint}", job.err
    assert job.status == 2


@pytest.mark.parametrize("handler, goes_on", [("return", True), ("own", True), ("fatal", False)])
def test_a_failed_exchange_calls_the_error_handler_of_the_programs_communicator(handler, goes_on):
    job = run(4, "failing_program", handler, env={**preloaded(LIBRARY), **ON_A_RING})
    assert any(line.startswith("cubefold: MPI_Alltoall: ") for line in lines_of_library(job.err)), job.err
    assert job.out.splitlines()[:1] == (["the program goes on, as MPI says"] if goes_on else []), job.err  # UCX warns
    assert (job.status == 0) == goes_on


def messages_of(rank, calls, *form):
    """Returns how often a process calls MPI_Isend in a program that exchanges mostly empty blocks."""
    job = run(8, "sparse_program", calls, *form, wrapper=with_preloaded("libfail_mpi.so", "libpreload_calling_mpi.so"),
              env={"CUBEFOLD_GRID": "ring:8", "CUBEFOLD_ALLTOALL": "linear", "CUBEFOLD_PROGRESS_THREAD": "1",
                   "CUBEFOLD_FAIL_MPI": f"{rank}:0:MPI_Isend"})
    assert (job.status, job.out) == (0, ""), job.err
    assert f" {calls} of {calls} MPI_{'Ialltoallv' if form else 'Alltoallv'}" in job.err
    return int(re.search(r"calls that count: (\d+)", job.err)[1])


# Processes agree in the calls 4 and 8, and not between them.
@pytest.mark.parametrize("form", [[], ["non-blocking"]])
@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_mostly_empty_blocks_are_one_message_for_each_that_is_not_empty(blocks, form):
    assert messages_of(3 + blocks, 7, *form) - messages_of(3 + blocks, 4, *form) == 3 * blocks


def run_with_sessions(*arguments, library=LIBRARY, **environment):
    """Returns the library's lines."""
    job = run(4, "session_program", *arguments, env={**preloaded(library), **environment})
    if "no sessions" in job.out:
        pytest.skip("MPI 3 has no sessions")
    assert (job.status, job.out) == (0, "0 wrong numbers\n"), job.err
    return lines_of_library(job.err)


@pytest.mark.parametrize("arguments, environment, calls, communicators", [
    ([], {}, "3 of 3 MPI_Alltoall", 3),
    (["self"], {}, "3 of 4 MPI_Alltoall", 3),
    (["init"], {}, "3 of 3 MPI_Alltoall", 3),
    (["init", "rows"], {}, "4 of 4 MPI_Alltoall", 4),
    (["threads"], {"CUBEFOLD_PROGRESS_THREAD": "1"}, "3 of 3 MPI_Ialltoall", 3)])
def test_calls_on_communicators_of_sessions_are_replaced_and_counted(arguments, environment, calls, communicators):
    assert run_with_sessions(*arguments, **ON_A_RING, **environment) == [
        f"cubefold: {calls} by cubefold; {communicators} communicators, {communicators} of them on the grid"]


def test_without_a_network_calls_in_sessions_are_passed_on_and_the_line_says_why():
    [line] = run_with_sessions()
    assert line.endswith("passed on: nothing is known of the network")


def test_a_variable_turns_the_library_off_in_sessions():
    assert run_with_sessions(**ON_A_RING, CUBEFOLD="off") == []


def test_the_end_of_the_last_session_writes_the_summary_and_says_what_was_chosen(tmp_path):
    path = tmp_path / "summary.json"
    lines = run_with_sessions(**ON_A_RING, CUBEFOLD_SUMMARY=str(path), CUBEFOLD_VERBOSE="1")
    assert "cubefold: ring:4: blocks of 4 bytes: linear: CUBEFOLD_ALLTOALL says so" in lines
    summary = json.loads(path.read_text())
    assert [(each["name"], each["replaced"]) for each in summary["functions"]] == [("MPI_Alltoall", 3),
                                                                                  ("MPI_Allreduce", 0)]
    assert {each["nodes"] for each in summary["choices"]} >= {"ring:4"}


def test_the_profiling_library_lets_sessions_pass():
    assert run_with_sessions(library="libcubefold-profile.so") == []


def tool_saw(*libraries, **environment):
    job = run(4, "unchanged_program", env={**preloaded(*libraries), **environment})
    assert (job.status, job.out) == (0, "0 wrong numbers\n"), job.err
    [line] = [line for line in job.err.splitlines() if line.startswith("tool:")]
    return line, lines_of_library(job.err)


TOOL = "libcounting_tool.so"
SEEN = "tool: 1 MPI_Init, {} MPI_Alltoall, {} MPI_Alltoallv, 1 MPI_Allreduce, 0 others"


def test_a_tool_in_front_sees_the_calls_of_the_program_and_no_messages_of_the_library():
    line, [report] = tool_saw(TOOL, LIBRARY, **ON_A_RING)
    assert line == SEEN.format(2, 1)
    assert report.startswith("cubefold: 2 of 2 MPI_Alltoall, 1 of 1 MPI_Alltoallv by cubefold; ")


def test_a_tool_behind_sees_the_calls_that_are_passed_on_and_no_messages_of_the_library():
    line, [report] = tool_saw(LIBRARY, TOOL, **ON_A_RING)
    assert line == SEEN.format(0, 0)
    assert report.startswith("cubefold: 2 of 2 MPI_Alltoall, 1 of 1 MPI_Alltoallv by cubefold; ")
    line, [report] = tool_saw(LIBRARY, TOOL)
    assert line == SEEN.format(2, 1)
    assert report.startswith("cubefold: 0 of 2 MPI_Alltoall, 0 of 1 MPI_Alltoallv by cubefold; ")
    line, [report] = tool_saw(LIBRARY, TOOL, CUBEFOLD_GRID="ring:4")
    assert line == SEEN.format(2, 1)
    assert report.endswith("MPI's own exchange is the choice, as where all processes share one host")


def test_a_tool_behind_sees_all_calls_if_the_library_is_turned_off():
    assert tool_saw(LIBRARY, TOOL, CUBEFOLD="off") == (SEEN.format(2, 1), [])


FORTRAN = """\
program unchanged
{use}
{declarations}
integer :: ierr, r, p, i, wrong
integer, allocatable :: a(:), b(:)
call MPI_Init(ierr)
call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
allocate(a(p), b(p))
a = [(100 * r + i, i = 0, p - 1)]
call MPI_Alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
wrong = count(b /= [(100 * i + r, i = 0, p - 1)])
call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, a, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
wrong = wrong + count(a /= b)
call MPI_Cart_create(MPI_COMM_WORLD, 1, [p], [.true.], .false., cart, ierr)
if (wrong /= 0) stop 1
call MPI_Finalize(ierr)
end program
"""


OLD_WAYS = [("implicit none", "include 'mpif.h'\ninteger :: cart"), ("use mpi", "integer :: cart")]
NEW_WAY = "use mpi_f08", "type(MPI_Comm) :: cart"
WAYS_OF_FORTRAN = ["mpif.h", "mpi", "mpi_f08"]
IN_FORTRAN = pytest.mark.parametrize("use, declarations", [*(more(*way) for way in OLD_WAYS), NEW_WAY],
                                     ids=WAYS_OF_FORTRAN)


@needs_fortran
@pytest.mark.parametrize("use, declarations", [*OLD_WAYS, NEW_WAY], ids=WAYS_OF_FORTRAN)
def test_calls_of_fortran_are_seen_once(tmp_path, use, declarations):
    program = built(tmp_path, FORTRAN.format(use=use, declarations=declarations))
    expect_two_exchanges([program], ", 0 of 1 MPI_Cart_create")


NON_BLOCKING = """\
program non_blocking
{use}
{declarations}
integer :: ierr, r, p, i
integer, allocatable :: a(:), b(:)
call MPI_Init(ierr)
call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
allocate(a(p), b(p))
a = [(100 * r + i, i = 0, p - 1)]
call MPI_Ialltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
if (any(b /= [(100 * i + r, i = 0, p - 1)])) stop 1
call MPI_Finalize(ierr)
end program
"""


@needs_fortran
@IN_FORTRAN
def test_non_blocking_calls_of_fortran_are_replaced_if_threads_are_asked_for(tmp_path, use, declarations):
    request = "type(MPI_Request) :: request" if "f08" in use else "integer :: request"
    program = built(tmp_path, NON_BLOCKING.format(use=use, declarations=f"{declarations}\n{request}"))

    def lines(**environment):
        return lines_of_library(run_on(4, [program], **ON_A_RING, **environment).stderr)

    assert lines() == ["cubefold: 0 of 1 MPI_Ialltoall by cubefold; 0 communicators, 0 of them on the grid"]
    assert lines(CUBEFOLD_PROGRESS_THREAD="1") == [
        "cubefold: 1 of 1 MPI_Ialltoall by cubefold; 1 communicator, 1 of them on the grid"]


ON_OTHERS = """\
program on_others
{use}
{declarations}
integer :: ierr, r, p, i
integer, allocatable :: a(:), b(:)
call MPI_Init(ierr)
call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
call MPI_Comm_split(MPI_COMM_WORLD, 0, -r, made(1), ierr)
call MPI_Comm_dup(made(1), made(2), ierr)
call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .true.], .false., made(3), ierr)
call MPI_Cart_sub(made(3), [.true., .false.], made(4), ierr)
do i = 1, 4
  call MPI_Comm_size(made(i), p, ierr)
  call MPI_Comm_rank(made(i), r, ierr)
  a = [(100 * r + k, k = 0, p - 1)]
  b = a
  call MPI_Ialltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, made(i), request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  if (any(b /= [(100 * k + r, k = 0, p - 1)])) stop 1
  call MPI_Comm_free(made(i), ierr)
end do
call MPI_Finalize(ierr)
end program
"""


@needs_fortran
def test_non_blocking_calls_on_communicators_that_the_program_makes_are_replaced_if_threads_are_asked_for(tmp_path):
    declarations = "type(MPI_Comm) :: made(4)\ntype(MPI_Request) :: request\ninteger :: k"
    program = built(tmp_path, ON_OTHERS.format(use="use mpi_f08", declarations=declarations))
    [line] = lines_of_library(run_on(4, [program], **ON_A_RING, CUBEFOLD_PROGRESS_THREAD="1").stderr)
    assert line.startswith("cubefold: 4 of 4 MPI_Ialltoall, 0 of 1 MPI_Cart_create by cubefold; 4 communicators, ")


REORDERED = """\
program reordered
{use}
{declarations}
integer :: ierr, r, p, own
integer, allocatable :: ranks(:)
call MPI_Init(ierr)
call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
allocate(ranks(p))
call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, p / 2], [.false., .false.], .true., cart, ierr)
call MPI_Comm_rank(cart, own, ierr)
call MPI_Gather(own, 1, MPI_INTEGER, ranks, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
if (r == 0) print '(*(i0, 1x))', ranks
call MPI_Finalize(ierr)
end program
"""


@needs_fortran
@IN_FORTRAN
def test_a_cartesian_grid_of_fortran_is_folded_onto_the_network_if_a_variable_asks_for_it(tmp_path, use, declarations):
    program = built(tmp_path, REORDERED.format(use=use, declarations=declarations))

    def ranks(**environment):
        done = run_on(4, [program], CUBEFOLD_GRID="ring:4", **environment)
        return list(map(int, done.stdout.split())), lines_of_library(done.stderr)

    in_order = list(range(4))
    folded, [first, last] = ranks(CUBEFOLD_REORDER="on")
    assert folded != in_order and sorted(folded) == in_order
    assert first == ("cubefold: MPI_Cart_create gives processes new ranks, as CUBEFOLD_REORDER=on asks; "
                     "ranks of the communicator before it are others")
    assert last.startswith("cubefold: 1 of 1 MPI_Cart_create by cubefold; ")
    kept, [line] = ranks()
    assert kept == in_order
    assert line.startswith("cubefold: 0 of 1 MPI_Cart_create by cubefold; ")
    assert line.endswith("passed on: ranks stay as they are without CUBEFOLD_REORDER=on")


PYTHON = """\
import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD.Dup()
a = 100 * comm.rank + np.arange(comm.size)
b = np.empty_like(a)
comm.Alltoall(a, b)
assert (b == 100 * np.arange(comm.size) + comm.rank).all()
comm.Alltoall(MPI.IN_PLACE, a)
assert (a == b).all()
comm.Free()
"""


NEEDS_PYTHON = pytest.mark.skipif(not list(BUILD.glob("python/cubefold/_mpi*")),
                                  reason="built without mpi4py of the MPI of this build")


@NEEDS_PYTHON
def test_calls_of_python_are_replaced(tmp_path):
    (tmp_path / "program.py").write_text(PYTHON)
    expect_two_exchanges([sys.executable, tmp_path / "program.py"], "")


NEIGHBOURS_ON_A_RING = """\
import numpy as np
from mpi4py import MPI
world = MPI.COMM_WORLD
both = [(world.rank + 1) % world.size, (world.rank - 1) % world.size]
graph = world.Create_dist_graph_adjacent(both, both)
sent = 10 * world.rank + np.arange(3)
b, c = np.full(3, -1), np.full(2, -1)
requests = [graph.Ineighbor_alltoallv([sent, [1, 2]], [b, [2, 1]]), graph.Ineighbor_allgather(sent[:1], c)]
MPI.Request.Waitall(requests)
assert list(b) == [10 * both[0] + 1, 10 * both[0] + 2, 10 * both[1]]
assert list(c) == [10 * rank for rank in both]
graph.Free()
"""


@NEEDS_PYTHON
def test_non_blocking_calls_with_neighbours_are_replaced_if_threads_are_asked_for(tmp_path):
    (tmp_path / "program.py").write_text(NEIGHBOURS_ON_A_RING)

    def line(**environment):
        done = run_on(4, [sys.executable, tmp_path / "program.py"], **ON_A_RING, **environment)
        assert done.returncode == 0, done.stderr
        return lines_of_library(done.stderr)[-1]

    for is_ours in (0, 1):
        assert line(CUBEFOLD_NEIGHBORS="direct", CUBEFOLD_PROGRESS_THREAD=str(is_ours)).startswith(
            f"cubefold: {is_ours} of 1 MPI_Ineighbor_alltoallv, {is_ours} of 1 MPI_Ineighbor_allgather, ")


VECTORS_AND_NEIGHBOURS = """\
import numpy as np
from mpi4py import MPI
world = MPI.COMM_WORLD
both = [(world.rank + 1) % world.size, (world.rank - 1) % world.size]
freed, kept = [world.Create_dist_graph_adjacent(both, both) for graph in range(2)]
blocks = np.empty(2, dtype=np.int64)
freed.Neighbor_allgather(np.array([world.rank]), blocks)
freed.Free()
kept.Neighbor_alltoall(np.full(40, world.rank), np.empty(40, dtype=np.int64))
world.Allreduce(MPI.IN_PLACE, np.zeros(100))
assert list(blocks) == both
"""


@NEEDS_PYTHON
def test_the_json_has_choices_for_vectors_and_for_neighbours_on_communicators_that_are_freed(tmp_path):
    (tmp_path / "program.py").write_text(VECTORS_AND_NEIGHBOURS)
    done = run_on(4, [sys.executable, tmp_path / "program.py"], **ON_A_RING, CUBEFOLD_NEIGHBORS="direct",
                  CUBEFOLD_ALLREDUCE="bucket", CUBEFOLD_SUMMARY=str(tmp_path / "summary.json"))
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "summary.json").read_text())
    choices = {(each["calls"], each["bytes"]): each for each in summary["choices"]}
    assert {("neighbours", 15), ("neighbours", 255), ("allreduce", 800)} == set(choices)
    assert choices["neighbours", 15]["title"] == "neighbours with blocks of up to 15 bytes"
    assert choices["neighbours", 15]["choice"].startswith("direct: ")
    assert choices["allreduce", 800]["choice"].startswith("bucket")


TRANSFORM = """\
import sys
import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
shape = (12, 10, 8)
whole = np.random.default_rng(1).standard_normal(shape) + 1j * np.random.default_rng(2).standard_normal(shape)
plan = PFFT(MPI.COMM_WORLD, shape, dtype=np.complex128, **({"grid": (-1,)} if sys.argv[1] == "slab" else {}))
points, spectrum = newDistArray(plan, False), newDistArray(plan, True)
points[:] = whole[points.local_slice()]
for repetition in range(5):
    plan.forward(points, spectrum)
    assert np.allclose(spectrum, np.fft.fftn(whole, norm="forward")[spectrum.local_slice()])
    back = plan.backward(spectrum.copy(), np.empty_like(points))
    assert np.allclose(back, points)
"""


@NEEDS_PYTHON
@pytest.mark.skipif(importlib.util.find_spec("mpi4py_fft") is None, reason="mpi4py-fft is not installed")
@pytest.mark.parametrize("decomposition, among_several, communicators", [("slab", 10, 1), ("pencil", 20, 2)])
@pytest.mark.parametrize("method", ["direct", None])
def test_transforms_of_mpi4py_fft_are_right_and_their_exchanges_are_replaced(tmp_path, decomposition, among_several,
                                                                             communicators, method):
    (tmp_path / "program.py").write_text(TRANSFORM)
    environment = {"CUBEFOLD_GRID": "torus:2x2", **({"CUBEFOLD_ALLTOALL": method} if method else {})}
    done = run_on(4, [sys.executable, tmp_path / "program.py", decomposition], **environment)
    [line] = lines_of_library(done.stderr)
    ours = among_several if method else 0  # all processes are on one host
    assert f" {ours} of 20 MPI_Alltoallw" in line, line  # those of slabs among one process are passed on
    assert f"{communicators} communicator" in line, line


SUMS = """\
import hashlib
import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
x = np.random.default_rng(comm.rank).standard_normal(50_001)
y = np.empty_like(x)
digests = []
for call in range(3):
    comm.Allreduce(x, y)
    digests.append(hashlib.sha256(y.tobytes()).hexdigest())
seen = comm.gather(digests)
if comm.rank == 0:
    assert np.allclose(y, sum(np.random.default_rng(rank).standard_normal(50_001) for rank in range(comm.size)))
    print(*sorted({digest for each in seen for digest in each}))
"""


@NEEDS_PYTHON
@pytest.mark.parametrize("grid, method", [("torus:2x2", "bucket"), ("torus:2x2", "halving-cube"),
                                          ("torus:2x2", "halving-swing:2"), ("torus:2x2", "whole-cube"),
                                          ("ring:2", "bucket"), ("ring:2", "bucket:2")])
def test_sums_have_the_same_bits_on_all_ranks_in_all_calls_and_in_the_next_run(tmp_path, grid, method):
    (tmp_path / "program.py").write_text(SUMS)
    runs = [run_on(4, [sys.executable, tmp_path / "program.py"], CUBEFOLD_GRID=grid, CUBEFOLD_ALLREDUCE=method)
            for _ in range(2)]
    assert len(runs[0].stdout.split()) == 1 and runs[0].stdout == runs[1].stdout
    [line] = lines_of_library(runs[0].stderr)
    assert line.startswith("cubefold: 3 of 3 MPI_Allreduce by cubefold; "), line


STARTED_SUMS = """\
import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
x = np.random.default_rng(comm.rank).standard_normal(50_001)
blocking, started = np.empty_like(x), np.empty_like(x)
gathered = np.empty((comm.size, x.size))
requests = [comm.Iallreduce(x, started), comm.Iallgather(x, gathered)]
MPI.Request.Waitall(requests)
comm.Allreduce(x, blocking)
assert np.array_equal(started, blocking)
assert all(np.array_equal(gathered[rank], np.random.default_rng(rank).standard_normal(x.size))
           for rank in range(comm.size))
"""


@NEEDS_PYTHON
def test_threads_make_non_blocking_sums_with_the_bits_of_blocking_ones(tmp_path):
    (tmp_path / "program.py").write_text(STARTED_SUMS)
    done = run_on(4, [sys.executable, tmp_path / "program.py"], CUBEFOLD_GRID="torus:2x2", CUBEFOLD_ALLREDUCE="bucket",
                  CUBEFOLD_PROGRESS_THREAD="1")
    [line] = lines_of_library(done.stderr)
    assert line.startswith("cubefold: 1 of 1 MPI_Allreduce, 1 of 1 MPI_Iallreduce, 1 of 1 MPI_Iallgather by"), line


def run_on(processes, command, **environment):
    done = subprocess.run([os.environ["CUBEFOLD_MPIEXEC"], "-n", str(processes), *command], capture_output=True,
                          text=True, env={**os.environ, **preloaded(LIBRARY), **environment}, timeout=WATCHDOG_SECONDS)
    assert done.returncode == 0, done.stderr
    return done


def expect_two_exchanges(command, others):
    assert lines_of_library(run_on(4, command, **ON_A_RING).stderr) == [
        f"cubefold: 2 of 2 MPI_Alltoall{others} by cubefold; 1 communicator, 1 of them on the grid"]
