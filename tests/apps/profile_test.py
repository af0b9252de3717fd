"""The profiling library notes what an unchanged program sends, and the planner takes its file."""

import json

import pytest

from fortran_programs import built, needs_fortran
from jobs import REASON_WITHOUT_PRELOAD, exported_functions, run, run_alone, with_preloaded, written

pytestmark = pytest.mark.skipif(bool(REASON_WITHOUT_PRELOAD), reason=REASON_WITHOUT_PRELOAD)

WORLD = "among all 4 ranks"
FORTRAN = """\
program noted
use mpi
integer :: ierr, r, a(3), b(3)
call MPI_Init(ierr)
call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
a = r
call MPI_Sendrecv(a, 3, MPI_INTEGER, 1 - r, 0, b, 3, MPI_INTEGER, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
call MPI_Alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
call MPI_Finalize(ierr)
end program
"""


def profiled(path, **env):
    job = run(4, "profiled_program", env={"CUBEFOLD_PROFILE": str(path), **env}, cwd=path.parent,
              wrapper=with_preloaded("libcubefold-profile.so"))
    assert job.status == 0, job.err
    return job


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    """Returns the file that the library writes, and what the job writes to standard error."""
    path = tmp_path_factory.mktemp("profile") / "cg.json"
    return path, profiled(path).err


def sent_in(path):
    """Returns messages and bytes by phase, sender and receiver."""
    profile = json.loads(path.read_text())
    assert profile["ranks"] == 4
    sent = {}
    for phase, source, first, count, stride, messages, size in profile["sent"]:
        for i in range(count):
            key = (source, first + i * stride)
            assert key not in sent.setdefault(phase, {})
            sent[phase][key] = (messages, size)
    return sent


def test_all_that_is_sent_is_in_the_file(profile):
    path, written_by_job = profile
    assert written_by_job == ""
    sent = sent_in(path)
    pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
    # The sizes of all modes of sending are powers of two, so the sums say that each counts once.
    modes = {(r, (r + 2) % 4): (12, 4 * (2**12 - 1)) for r in range(4)}
    neighbours = [(a, b) for a, b in pairs if abs(a - b) == 1]
    assert sent == {
        f"messages {WORLD}": {**{(r, (r + 1) % 4): (5, 32 + 4 + 3 * 8) for r in range(4)}, **modes,
                              **{(r, (r + 3) % 4): (1, 24) for r in range(4)}},
        f"MPI_Alltoall {WORLD}": {pair: (7, 6 * 16 + 4) for pair in pairs},
        f"MPI_Alltoallv {WORLD}": {(a, b): (2, 16) if b == 1 else (3, 24) for a, b in pairs},
        f"MPI_Alltoallw {WORLD}": {pair: (1, 8) for pair in pairs},
        "MPI_Alltoall among 2 of 4 ranks, stride 2": {(a, (a + 2) % 4): (6, 6 * 16) for a in range(4)},
        f"MPI_Neighbor_alltoall {WORLD}": {pair: (2, 12) for pair in neighbours},
        f"MPI_Neighbor_alltoallv {WORLD}": {(a, b): (2, 8 if b < a else 16) for a, b in neighbours},
        f"MPI_Neighbor_allgather {WORLD}": {pair: (2 if pair == (1, 0) else 1, 8 if pair == (1, 0) else 4)
                                            for pair in {*neighbours, (2, 0), (3, 0)}},
        f"MPI_Allreduce {WORLD}": {(a, a ^ bit): (2, 412) for a in range(4) for bit in (1, 2)}}


def test_the_library_exports_what_it_notes_and_nothing_else():
    sends = [f"{form}{mode}" for form in ("", "I") for mode in ("Send", "Bsend", "Ssend", "Rsend")]
    starts = [f"{mode}_init" for mode in ("Send", "Bsend", "Ssend", "Rsend")] + ["Start", "Startall", "Request_free"]
    exchanges = ["Sendrecv", "Sendrecv_replace", "Alltoall", "Ialltoall", "Alltoallv", "Ialltoallv", "Alltoallw",
                 "Allreduce", "Iallreduce", *(f"{form}{name}" for form in ("Neighbor_", "Ineighbor_")
                                              for name in ("alltoall", "alltoallv", "allgather"))]
    expected = {name[0] + name[1:].lower() for name in sends} | {*starts, *exchanges, "Finalize"}
    assert exported_functions("libcubefold-profile.so") == {
        f"{prefix}_{name}" for name in expected for prefix in ("MPI", "PMPI")}


def test_ranks_that_get_the_same_share_a_row(profile):
    rows = json.loads(profile[0].read_text())["sent"]
    assert [row[1:] for row in rows if row[0] == f"MPI_Alltoall {WORLD}"] == [
        [0, 1, 3, 1, 7, 100], [1, 0, 2, 2, 7, 100], [1, 3, 1, 1, 7, 100], [2, 0, 2, 1, 7, 100], [2, 3, 1, 1, 7, 100],
        [3, 0, 3, 1, 7, 100]]


@needs_fortran
def test_calls_of_fortran_are_noted_once(tmp_path):
    program = built(tmp_path, FORTRAN)
    job = run(2, program, env={"CUBEFOLD_PROFILE": "cg.json"}, cwd=tmp_path,
              wrapper=with_preloaded("libcubefold-profile.so"))
    assert job.status == 0, job.err
    rows = json.loads((tmp_path / "cg.json").read_text())["sent"]
    assert sorted(rows) == [["MPI_Alltoall among all 2 ranks", r, 1 - r, 1, 1, 1, 4] for r in (0, 1)] + [
        ["messages among all 2 ranks", r, 1 - r, 1, 1, 1, 12] for r in (0, 1)]


def test_without_a_name_the_file_is_in_the_working_directory(tmp_path):
    profiled(tmp_path / "cubefold-profile.json", CUBEFOLD_PROFILE="")
    assert len(sent_in(tmp_path / "cubefold-profile.json")) == 9


def test_a_file_that_cannot_be_written_is_named_in_one_line(tmp_path):
    job = profiled(tmp_path / "cg.json", CUBEFOLD_PROFILE="/no/such/folder/cg.json")
    [line] = [line for line in job.err.splitlines() if "cubefold" in line]
    assert line.startswith("cubefold: no profile is written: ") and "/no/such/folder/cg.json" in line


def test_the_planner_places_the_ranks_for_all_phases(profile, tmp_path):
    path, _ = profile
    found = run_alone("cubefold", "map", "ring:4", "--phase", f"profile:{path}", "--json", "map.json", cwd=tmp_path)
    assert found.status == 0, found.err
    phases = json.loads((tmp_path / "map.json").read_text())["phases"]
    assert {phase["name"]: {(a, b): size for a, b, size in phase["traffic"]} for phase in phases} == {
        f"profile:{name}": {pair: size for pair, (_, size) in sent.items()}
        for name, sent in sent_in(path).items()}
    assert run_alone("cubefold", "verify", "map.json", cwd=tmp_path).status == 0


@pytest.mark.parametrize("phase", ["profile:", "profile:*2", "matrix:"])
def test_a_phase_without_its_file_is_refused(phase):
    job = run_alone("cubefold", "map", "ring:4", "--phase", phase)
    assert (job.status, job.complaints) == (2, [f"cubefold: phase '{phase}' names no file"])


@pytest.mark.parametrize("text, line", [
    ("{}", "file has no 'ranks'"),
    ('{"ranks": 6, "sent": []}', "ranks is 6, and 4 ranks are on the network"),
    ('{"ranks": 4, "sent": [["a", 0, 1]]}',
     "sent[0] is not [phase, from, first, count, stride, messages, bytes]"),
    ('{"ranks": 4, "sent": [["a", 4, 1, 1, 1, 1, 8]]}', "sent[0][1] rank 4 is not below 4"),
    ('{"ranks": 4, "sent": [["a", 0, 1, 2, 2, 1, 8], ["a", 1, 2, 2, 2, 1, 8]]}', "sent[1] rank 4 is not below 4"),
    ('{"ranks": 4, "sent": [["a", 0, 1, 5, 1, 1, 8]]}', "sent[0][3] is not between 1 and 4"),
    ('{"ranks": 4, "sent": [["a", 0, 1, 1, 0, 1, 8]]}', "sent[0][4] is not between 1 and 4"),
    ('{"ranks": 4, "sent": [["a", 1, 1, 1, 1, 1, 8]]}', "sent[0] lets rank 1 send to itself"),
    ('{"ranks": 4, "sent": [["a", 1, 0, 1, 1, 1, -8]]}', "sent[0][6]"),
    ('{"ranks": 4, "sent": []}', "names no messages"),
    ('{"ranks": 4, "sent": [], "more": 1}', "more")])
def test_a_wrong_profile_is_refused_with_its_place(tmp_path, text, line):
    job = run_alone("cubefold", "map", "ring:4", "--phase", f"profile:{written(tmp_path, 'cg.json', text)}")
    assert (job.status, job.out) == (2, "")
    assert len(job.complaints) == 1 and "cg.json: " in job.complaints[0]
    assert line in job.complaints[0]
