"""Tests of cubefold-exchange from outside."""

import csv
import json
import math
import os
import pty
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from jobs import (ALGORITHMS, BUILD, MPI_LIBRARY, expect_help, expect_refused, expect_wrong_byte_noticed, preloaded,
                  refused_with, run, run_alone)
from sweeps import more
from traffic import bytes_on_links, links_of, loaded, monitored, sent_between_nodes


ALL_METHODS = ["--algorithm", "all", "--ports", "all", "--block", "8,70000"]
BY_CLOCK = ["--sync", "clock"]


@pytest.mark.parametrize("processes, grid, placement, options", [
    (1, "hypercube:0", "xor", ALL_METHODS), more(1, "hypercube:0", "xor", []), (2, "ring:2", "xor", ALL_METHODS),
    (3, "ring:3", "nodes=2-0-1", ALL_METHODS),
    (4, "hypercube:2", "standard,bits=cyclic", ALL_METHODS), (4, "line:4", "nodes=3-1-0-2", BY_CLOCK),
    more(5, "line:5", "nodes=4-2-0-1-3", ALL_METHODS), more(5, "line:5", "nodes=4-2-0-1-3", BY_CLOCK),
    more(6, "mesh:3x2", "identity", ALL_METHODS), more(7, "ring:7", "identity", []),
    more(7, "ring:7", "identity", BY_CLOCK), more(8, "mesh:4x2", "standard,bits=cyclic", ALL_METHODS),
    more(12, "grid:3wx4", "identity", ALL_METHODS), more(16, "torus:4x4", "xor", []),
    more(16, "hypercube:4", "gray,order=3-2-1-0", ALL_METHODS)])
def test_exchanges_on_any_grid(processes, grid, placement, options):
    job = run(processes, "cubefold-exchange", "--grid", grid, "--placement", placement, "--block", "8,1KiB",
              "--repetitions", 1, *options)
    assert job.status == 0, job.err
    assert f"on {grid}, placement {placement}" in job.out
    assert "every byte of every repetition was checked: all right" in job.out


def rows_of(job):
    """Returns (block, algorithm, numbers) of every row of the table."""
    row = re.compile(r"^ *(\d+ (?:B|KiB|MiB))  (\S.*?) {2,}([\d. ]+)$")
    return [(m[1], m[2], [float(number) for number in m[3].split()]) for m in map(row.match, job.out.splitlines()) if m]


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Compares two exchanges with three of MPI, and returns the job and the folder of its file."""
    folder = tmp_path_factory.mktemp("compared")
    job = run(4, "cubefold-exchange", "--grid", "torus:2x2", "--placement", "xor", "--algorithm", "cc-cube,plan",
              "--compare", "ialltoall,bruck,bruck,default", "--block", "8,1KiB,1MiB,1000", "--repetitions", 3,
              "--seed", 5, "--json", "times.json", cwd=folder)
    assert job.status == 0, job.err
    return job, folder


COMPARED = ["cc-cube", "plan", "MPI_Alltoall", "MPI bruck", "MPI_Ialltoall"]


def test_prints_a_row_for_every_block_size_and_algorithm_with_aligned_columns(compared):
    job, _ = compared
    assert [(size, name.split(": ")[0]) for size, name, _ in rows_of(job)] == [
        (size, name) for size in ["8 B", "1 KiB", "1 MiB", "1000 B"] for name in COMPARED]
    assert len({len(line) for line in job.out.splitlines() if re.match(" *[0-9]+ [BKM]", line)}) == 1


def test_says_what_the_planner_chose_and_runs_that_alone_if_nothing_is_said():
    job = run(4, "cubefold-exchange", "--grid", "torus:2x2", "--placement", "xor", "--block", "8,1MiB",
              "--repetitions", 1)
    names = [name for _, name, _ in rows_of(job)]
    assert [name for name in names if name == "MPI_Alltoall"] == names[1::2]
    assert [name.split(": ")[0] for name in names[::2]] == ["plan", "plan"]
    # A port carries each block at least once, and start-ups are negligible for a MiB.
    assert names[2] in ["plan: direct", "plan: axis-rotated", "plan: linear"]


def test_runs_every_method_that_fits_the_grid_once(tmp_path):
    def methods(processes, grid, names):
        path = tmp_path / "times.json"
        job = run(processes, "cubefold-exchange", "--grid", grid, "--algorithm", names, "--block", 8,
                  "--repetitions", 1, "--compare", "none", "--json", path)
        assert job.status == 0, job.err
        return [row["algorithm"] for row in json.loads(path.read_text())["results"]]

    def planned(grid):
        table = run_alone("cubefold", "plan", "exchange", grid, "--block", 8, "--algorithm", "all").out.split("\n\n")[1]
        names = [row.split()[0] for row in table.splitlines()[1:]]
        return sorted(name for name in names if not name.startswith("cc-cube:"))

    fitting = methods(4, "mesh:2x2", "all")
    assert sorted(fitting) == planned("mesh:2x2")
    assert methods(4, "mesh:2x2", "linear,plan,all,shifted,linear") == [
        "linear", "plan", *[name for name in fitting if name != "linear"], "shifted"]
    assert sorted(methods(3, "ring:3", "all")) == planned("ring:3")


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """Writes a machine file of a ring of four, in which a start-up takes 100 us, a byte 1 us and a barrier 1 ms."""
    path = tmp_path_factory.mktemp("machine") / "machine.json"
    job = run(4, "cubefold-calibrate", "--grid", "ring:4", "--quick", "--without-exchanges", "--output", path)
    assert job.status == 0, job.err
    constants = {"alpha_seconds": 1e-4, "gap_seconds": 1e-4, "tau_seconds_per_byte": [1e-6], "barrier_seconds": 1e-3,
                 "ports": "one"}
    path.write_text(json.dumps({**json.loads(path.read_text()), **constants}))
    return path


# Three messages of 1000 bytes are sent one after another; the bound for four nodes has at least two start-ups.
@pytest.mark.parametrize("sync, kept, predicted", [("auto", "data", 3.3e-3), more("data", "data", 3.3e-3),
                                                     ("clock", "clock", 4.3e-3)])
def test_predicts_from_the_machine_file_and_the_synchronisation(tmp_path, machine, sync, kept, predicted):
    path = tmp_path / "times.json"
    job = run(4, "cubefold-exchange", "--grid", "ring:4", "--algorithm", "direct", "--machine", machine,
              "--sync", sync, "--block", 1000, "--repetitions", 1, "--json", path)
    assert job.status == 0, job.err
    assert (f"model: links of 8 Mbit/s (tau 1e-06 s/B), latency 100 us (alpha), gap 100 us, barrier 1 ms, one-port, "
            f"from {machine}") in job.out
    ours, baseline = json.loads(path.read_text())["results"]
    assert ours["sync"] == kept
    assert ours["predicted_seconds"] == pytest.approx(predicted)
    assert ours["bound_seconds"] == baseline["bound_seconds"] == pytest.approx(3.2e-3)
    assert "predicted_seconds" not in baseline
    (_, _, numbers), (_, _, numbers_of_mpi) = rows_of(job)
    assert numbers[-2:] == pytest.approx([predicted * 1e3, ours["median_seconds"] / 3.2e-3], abs=0.006)
    assert numbers_of_mpi[-1] == pytest.approx(baseline["median_seconds"] / 3.2e-3, abs=0.006)


    # The exchange has to wait for two of the three steps.
    assert sync != "clock" or ours["min_seconds"] >= 2 * 1.1e-3


@pytest.mark.parametrize("ports, bound", [more("one", 3.2e-3), ("all", 2.2e-3)])
def test_takes_the_machine_file_from_the_environment_and_ports_from_the_command_line(tmp_path, machine, ports, bound):
    path = tmp_path / "times.json"
    job = run(4, "cubefold-exchange", "--grid", "ring:4", "--ports", ports, "--block", 1000, "--repetitions", 1,
              "--json", path, env={"CUBEFOLD_MACHINE": str(machine)})
    assert job.status == 0, job.err
    written = json.loads(path.read_text())
    assert written["model"] == {"rate_bits_per_second": [8e6], "latency_seconds": 1e-4, "gap_seconds": 1e-4,
                                "barrier_seconds": 1e-3, "alpha": 1e-4, "tau": [1e-6], "ports": ports,
                                "tie": "balanced", "machine_file": str(machine)}
    assert written["results"][0]["bound_seconds"] == pytest.approx(bound)


@pytest.fixture(scope="module")
def on_unknown_network(tmp_path_factory):
    """Returns a job of which as little is said as possible, and its file."""
    path = tmp_path_factory.mktemp("plain") / "times.json"
    job = run(2, "cubefold-exchange", "--block", 8, "--repetitions", 1, "--json", path)
    assert job.status == 0, job.err
    return job, path


def test_says_that_its_constants_are_defaults_without_a_machine_file(on_unknown_network):
    job, _ = on_unknown_network
    assert ("model: links of 100 Gbit/s (tau 8e-11 s/B), latency 1.5 us (alpha), gap 1.5 us, barrier 0 us, one-port, "
            "by default: there is no machine file to predict from") in job.out
    assert "predicted" not in job.out and "/ bound" not in job.out


def test_refuses_a_machine_file_of_another_grid(machine):
    expect_refused(run_alone("cubefold-exchange", "--grid", "line:1", "--machine", machine),
                   f"machine file {machine}: made for ring:4, not line:1")


@pytest.mark.parametrize("processes, grid, placement, cube", [
    (4, "line:4", "identity", "2 dimensions; partners are 1 2 hops away"),
    more(16, "ring:16", "xor", "4 dimensions; partners are 1 2 4 4 hops away")])
def test_names_the_hops_of_every_stage(processes, grid, placement, cube):
    job = run(processes, "cubefold-exchange", "--grid", grid, "--placement", placement, "--block", "8",
              "--repetitions", 1)
    assert f"ranks form a hypercube of {cube}\n" in job.out


def test_writes_its_results_as_json(compared):
    _, folder = compared
    result = json.loads((folder / "times.json").read_text())
    assert (result["grid"], result["placement"], result["processes"]) == ("torus:2x2", "xor", 4)
    assert [row["algorithm"] for row in result["results"]] == 4 * COMPARED
    assert [row.get("method") for row in result["results"]][:3] == ["cc-cube", result["results"][1]["method"], None]
    for row in result["results"]:
        assert len(row["seconds"]) == 3
        assert row["min_seconds"] <= row["median_seconds"] <= row["max_seconds"]
        assert row["bytes_per_second"] == pytest.approx(3 * row["block_bytes"] / row["median_seconds"])
    assert [path.name for path in folder.iterdir()] == ["times.json"]


def cases_in_order(path):
    """Returns (algorithm, block size) of the warm-ups and of all timed runs."""
    result = json.loads(path.read_text())
    cases = [(row["algorithm"], row["block_bytes"]) for row in result["results"]]
    return cases + [cases[i] for i in result["order"]]


def alltoalls_that_ran(job):
    """Returns (algorithm, block size) of every call of MPI_Alltoall, as Open MPI chose it or as MPICH is told."""
    lines = [line.split() for line in job.err.splitlines() if line.startswith("alltoall:")]
    if not lines:
        pytest.skip("neither Open MPI 4.1 nor MPICH: the algorithms have other names")
    return [(algorithm, int(size)) for _, algorithm, size in lines]


FORCED = ["linear", "pairwise", "bruck", "linear-sync"]  # tables call them MPI linear, and so on


@pytest.mark.skipif(not MPI_LIBRARY.startswith("Open MPI"), reason="these are the algorithms of Open MPI")
@pytest.mark.parametrize("processes", [2, more(16)])
def test_forces_each_algorithm_where_it_says_so_and_leaves_the_default_alone(tmp_path, processes):
    path = tmp_path / "times.json"

    def compared(names):
        job = run(processes, "cubefold-exchange", "--algorithm", "plan", "--compare", names, "--block", "8,256,4KiB",
                  "--repetitions", 3, "--json", path, env=preloaded("libreport_alltoall.so"))
        assert job.status == 0, job.err
        said = [case for case in cases_in_order(path) if case[0] not in ["plan", "MPI_Ialltoall"]]
        return list(zip(said, alltoalls_that_ran(job), strict=True))

    untouched = dict(compared("default"))
    assert len(set(algorithm for algorithm, _ in untouched.values())) >= 2
    ran = compared(",".join(["default", *FORCED, "ialltoall"]))
    assert len(ran) == 5 * 3 * (3 + 1)
    for (said, size), really in ran:
        forced = said.removeprefix("MPI ")
        assert really == ((forced, size) if forced in FORCED else untouched["MPI_Alltoall", size])


@pytest.mark.skipif(not MPI_LIBRARY.startswith("MPICH"), reason="these are the algorithms of MPICH")
def test_forces_each_algorithm_of_mpich_in_its_own_calls_only(tmp_path):
    path = tmp_path / "times.json"

    def compared(names, **environment):
        job = run(3, "cubefold-exchange", "--algorithm", "linear", "--compare", names, "--block", "8,4KiB",
                  "--repetitions", 2, "--json", path, env={**preloaded("libreport_alltoall.so"), **environment})
        assert job.status == 0, job.err
        said = [name for name, _ in cases_in_order(path) if name not in ["linear", "MPI_Ialltoall"]]
        return list(zip(said, (number for number, _ in alltoalls_that_ran(job)), strict=True))

    def number_of(name):
        [number] = {number for _, number in compared("default", MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=name)}
        return number

    numbers = {"MPI_Alltoall": number_of("auto"), "MPI bruck": number_of("brucks"),
               "MPI pairwise": number_of("pairwise"), "MPI scattered": number_of("scattered")}
    assert len(set(numbers.values())) == 4
    ran = compared("default,ialltoall,bruck,pairwise,scattered")
    assert len(ran) == 4 * 2 * (2 + 1)
    for said, number in ran:
        assert number == numbers[said]


def test_all_baselines_are_those_that_this_mpi_has(tmp_path):
    path = tmp_path / "times.json"
    job = run(2, "cubefold-exchange", "--algorithm", "linear", "--compare", "all", "--block", 8, "--repetitions", 1,
              "--json", path)
    assert job.status == 0, job.err
    algorithms = {row["algorithm"] for row in json.loads(path.read_text())["results"]}
    assert {"MPI_Alltoall", "MPI pairwise", "MPI bruck", "MPI by axis"} < algorithms
    assert ("MPI linear" in algorithms) == MPI_LIBRARY.startswith("Open MPI")
    assert ("MPI scattered" in algorithms) == MPI_LIBRARY.startswith("MPICH")


@pytest.mark.parametrize("processes, grid", [more(1, "ring:1"), more(2, "ring:2"), (3, "ring:3"), (4, "mesh:2x2"),
                                             more(5, "ring:5"), more(6, "mesh:3x2"), more(8, "hypercube:3"),
                                             more(12, "grid:3wx2x2")])
def test_compares_with_exchanges_axis_by_axis(processes, grid):
    job = run(processes, "cubefold-exchange", "--grid", grid, "--compare", "by-axis", "--block", "1,24,4KiB",
              "--repetitions", 2)
    assert job.status == 0, job.err
    assert job.out.count("MPI by axis") == 3
    assert "every byte of every repetition was checked: all right" in job.out


def test_runs_alone_if_nothing_is_to_be_compared():
    job = run(2, "cubefold-exchange", "--grid", "ring:2", "--compare", "none", "--block", "8", "--repetitions", 2)
    assert job.status == 0, job.err
    assert "plan: " in job.out and "MPI_" not in job.out
    assert "every byte of every repetition was checked: all right" in job.out


def test_compares_with_what_is_asked_for_in_one_order_whatever_the_order_of_asking(compared):
    result = json.loads((compared[1] / "times.json").read_text())
    assert [row["algorithm"] for row in result["results"]] == 4 * COMPARED
    assert result["seed"] == 5
    assert sorted(result["order"]) == sorted(3 * list(range(4 * len(COMPARED))))
    assert result["order"] != sorted(result["order"])


def test_says_that_this_mpi_cannot_be_forced():
    job = run(2, "cubefold-exchange", "--compare", "linear", env={"OMPI_MCA_coll": "^tuned"})
    assert job.status == 2
    assert len(job.complaints) == 1
    assert "cannot force algorithms of MPI: control variable coll_tuned_alltoall_algorithm of " in job.err
    assert job.complaints[0].endswith(" does not exist")


METHODS = "plan,direct,axis-rotated,store-and-forward,bruck:2,linear"
ON_CUBES = f"{METHODS},cc-cube,hybrid:2"


# Each network has a route of equal length in both directions, or none.
@pytest.mark.parametrize("grid, extents, wrapped, placement, tie, algorithms, ports", [
    ("ring:4", [4], True, "standard", "balanced", ON_CUBES, "one"),
    ("torus:2x4", [2, 4], True, "gray,order=2-0-1", "positive", f"{ON_CUBES},hybrid:4", "all"),
    more("ring:8", [8], True, "standard", "balanced", f"{ON_CUBES},hybrid:4", "one"),
    more("ring:8", [8], True, "standard", "positive", f"{ON_CUBES},hybrid:4", "all"),
    more("ring:8", [8], True, "xor", "balanced", f"{ON_CUBES},hybrid:4", "all"),
    more("mesh:4x2", [4, 2], False, "standard,bits=cyclic", "balanced", f"{ON_CUBES},hybrid:4", "one"),
    more("ring:6", [6], True, "identity", "balanced", METHODS, "all"),
    more("mesh:3x2", [3, 2], False, "identity", "balanced", METHODS, "one")])
def test_predicts_the_bytes_that_its_messages_put_on_every_link(tmp_path, grid, extents, wrapped, placement, tie,
                                                                algorithms, ports):
    path = tmp_path / "times.json"
    job = run(math.prod(extents), "cubefold-exchange", "--grid", grid, "--placement", placement, "--block", "24",
              "--repetitions", 2, "--tie", tie, "--algorithm", algorithms, "--ports", ports, "--json", path,
              env=monitored(tmp_path))
    assert job.status == 0, job.err
    runs = 3
    sent = {pair: size // runs for pair, (_, size) in sent_between_nodes(tmp_path).items()}
    *ours, of_mpi = json.loads(path.read_text())["results"]
    predicted = sum((Counter(links_of(row)) for row in ours), Counter())
    assert loaded(predicted) == bytes_on_links(sent, extents, wrapped, tie)
    assert "links" not in of_mpi


def test_steps_by_the_clock_need_messages_without_bytes_beside_the_blocks(tmp_path):
    def sent(sync):
        folder = tmp_path / sync
        folder.mkdir()
        job = run(4, "cubefold-exchange", "--grid", "ring:4", "--algorithm", "direct", "--sync", sync, "--block", 24,
                  "--repetitions", 2, "--compare", "none", env=monitored(folder))
        assert job.status == 0, job.err
        pairs = sent_between_nodes(folder).values()
        return sum(messages for messages, _ in pairs), sum(size for _, size in pairs)

    blocks = 3 * 4 * 3
    assert sent("data") == (blocks, blocks * 24)
    # The processes begin together, by messages that may have no bytes.
    messages, size = sent("clock")
    assert messages > blocks and size == blocks * 24


def test_takes_grid_and_placement_from_the_environment():
    job = run(4, "cubefold-exchange", "--block", "8", "--repetitions", 1,
              env={"CUBEFOLD_GRID": "mesh:2x2", "CUBEFOLD_PLACEMENT": "gray"})
    assert "4 processes on hypercube:2, placement gray" in job.out


def test_assumes_no_network_when_nothing_is_said(on_unknown_network):
    job, _ = on_unknown_network
    assert "2 processes on unknown network, placement identity" in job.out
    assert "cubefold_alltoall" in job.out


@pytest.mark.parametrize("grid, dimensions, method", [
    ("ring:2", "0 1", "nodes:direct"), more("torus:2x2", "0 1 1", "nodes:direct"),
    more("torus:2x2", "0 1 1", "nodes:axes"), more("torus:2x2", "0 1 1", "linear"), more("torus:2x2", "0 1 1", "mpi")])
def test_exchanges_between_nodes_with_several_processes(tmp_path, grid, dimensions, method):
    processes = 2 ** len(dimensions.split())
    job = run(processes, "cubefold-exchange", "--grid", grid, "--placement", "xor", "--block", "3,5000",
              "--repetitions", 2, "--json", tmp_path / "times.json", env={"CUBEFOLD_ALLTOALL": method})
    assert f"{processes} processes on 2 ranks on each node of {grid}, placement xor" in job.out
    assert f"; partners are {dimensions} hops away" in job.out
    assert "every byte of every repetition was checked: all right" in job.out
    written = json.loads((tmp_path / "times.json").read_text())
    assert (written["grid"], written["nodes"]) == (grid, f"2 ranks on each node of {grid}")


# The one refusal that all processes agree on: it is written once.
def test_refuses_a_method_that_does_not_fit_the_number_of_processes():
    expect_refused(run(3, "cubefold-exchange", "--algorithm", "plan,cc-cube"),
                   "exchange method 'cc-cube': line:3 has 3 nodes; a hypercube needs a power of two")


@pytest.mark.parametrize("arguments, line", [
    (["--grid", "torus:8x8"], "grid 'torus:8x8' has 64 nodes, but there is 1 process"),
    (["--grid", "torus:4x0"], "grid 'torus:4x0': extent 0 of axis 1 is not positive"),
    (["--placement", "xor,order=0-0"], "placement 'xor,order=0-0': "),
    (["--block", "3GiB"], "a message of 1 x 3221225472 bytes is above the limit of 2147483647 bytes"),
    (["--compare", "linaer"], "--compare: unknown baseline 'linaer'; did you mean 'linear'? known: all, none, "),
    (["--algorithm", "fast"], f"--algorithm: unknown algorithm 'fast'; known: plan, alltoall, all, {ALGORITHMS} "),
    (["--algorithm", "hybrid:x"], "--algorithm: exchange method 'hybrid:x': 'x' is no list of numbers as 4-2 "),
    (["--sync", "drum"], "--sync: unknown synchronisation 'drum'; known: auto, data, clock"),
    (["--ports", "two"], "--ports: unknown ports 'two'; known: one, all "),
    (["--format", "ous"], "--format: unknown format 'ous'; did you mean 'osu'? known: csv, osu, table "),
    (["--machine", "missing.json"], "machine file missing.json: cannot read: No such file or directory"),
    (["--block", "-1"], "(see cubefold-exchange --help)"), (["--repetitions", "0"], "(see cubefold-exchange --help)"),
    (["--bolck", "8"], "(see cubefold-exchange --help)"), (["extra"], "(see cubefold-exchange --help)"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    refused_with(run_alone("cubefold-exchange", *arguments), line)


def test_finds_out_at_once_that_the_json_file_cannot_be_written(tmp_path):
    path = tmp_path / "missing" / "times.json"
    expect_refused(run(4, "cubefold-exchange", "--json", path), f"{path}: cannot create: No such file or directory")


def test_notices_a_single_wrong_byte():
    expect_wrong_byte_noticed("cubefold-exchange", "--algorithm", "cc-cube", where="cc-cube: wrong data: byte ")


def test_help_and_version_are_printed_once_whatever_the_number_of_processes():
    expect_help("cubefold-exchange", processes=3)
    version, notes = run_alone("cubefold-exchange", "--version").out.splitlines()
    assert version == "cubefold-exchange 0.1.0"
    assert notes.startswith(f"{MPI_LIBRARY}, compiled by ")


def test_shows_progress_on_a_terminal_when_a_run_is_long():
    terminal, end = pty.openpty()
    with subprocess.Popen([str(BUILD / "bin" / "cubefold-exchange"), "--block", "1MiB", "--repetitions", "1000000"],
                          stdout=subprocess.DEVNULL, stderr=end, env=os.environ) as process:
        os.close(end)
        seen = b""
        while b"run " not in seen:
            try:
                more = os.read(terminal, 1000)
            except OSError:  # the other end is closed
                break
            seen += more
        process.terminate()
    assert b"block of 1048576 bytes, " in seen


def test_prints_tables_as_osu_does():
    job = run(4, "cubefold-exchange", "--algorithm", "direct", "--block", "8,1KiB", "--repetitions", 2,
              "--format", "osu")
    tables = job.out.split("\n\n")
    assert len(tables) == 2
    for table, algorithm in zip(tables, ["direct", "MPI_Alltoall"]):
        lines = table.splitlines()
        assert lines[0].endswith(f"All-to-All Personalized Exchange Latency Test: {algorithm}")
        assert re.fullmatch(r"# Size +Avg Latency\(us\) +Min Latency\(us\) +Max Latency\(us\) +Iterations", lines[2])
        numbers = [list(map(float, line.split())) for line in lines if not line.startswith("#")]
        assert [row[0] for row in numbers] == [8, 1024]
        for _, mean, least, most, repetitions in numbers:
            assert least <= mean <= most
            assert repetitions == 2


def test_prints_comma_separated_values(tmp_path):
    path = tmp_path / "times.json"
    job = run(4, "cubefold-exchange", "--algorithm", "direct", "--block", "8,1KiB", "--repetitions", 2,
              "--format", "csv", "--json", path)
    rows = list(csv.DictReader(job.out.splitlines()))
    for row, result in zip(rows, json.loads(path.read_text())["results"], strict=True):
        assert (row["block_bytes"], row["algorithm"], row["method"]) == (
            str(result["block_bytes"]), result["algorithm"], result.get("method", ""))
        assert float(row["median_seconds"]) == pytest.approx(result["median_seconds"], rel=1e-8)


def test_json_says_where_its_numbers_come_from(on_unknown_network):
    _, path = on_unknown_network
    facts = json.loads(path.read_text())
    assert facts["command"][1:] == ["--block", "8", "--repetitions", "1", "--json", str(path)]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", facts["date"])
    assert re.search(r"\d+\.\d+", facts["compiler"])
    assert set(facts["units"]) >= {key for key in facts["model"] if key in ("alpha", "tau")}


def test_every_exchange_of_mpi_is_known_to_the_program():
    """./dev bench asks for algorithms by their names."""
    sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
    from report import exchange, other_networks, switches
    groups = [*exchange.SMALL, *exchange.LARGE, *exchange.SHORT, *other_networks.GROUPS, *other_networks.WITHOUT_AXES,
              *other_networks.SHORT, *switches.GROUPS]
    names = {name for _, _, compared, _ in groups for name in compared.split(",")}
    known = set(re.findall(r"[\w-]+", run_alone("cubefold-exchange", "--help").out))
    assert len(names) >= 4 and names <= known
