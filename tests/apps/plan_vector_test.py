"""cubefold plan allreduce, reduce-scatter and allgather."""

import json

import pytest

from jobs import expect_refused, run_alone


def planned(collective, grid, *options):
    job = run_alone("cubefold", "plan", collective, grid, *options, "--table", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def test_the_plan_has_bounds_and_methods_in_the_order_of_their_times():
    plan = planned("allreduce", "torus:8x8", "--size", "1MiB", "--ports", "all")
    assert plan["vector_bytes"] == 2 ** 20 and plan["choice"] == plan["candidates"][0]["method"]
    seconds = [each["seconds"] for each in plan["candidates"]]
    assert seconds == sorted(seconds) and plan["bound"]["seconds"] <= seconds[0]
    busiest = {each["method"]: each["vectors"] for each in plan["candidates"]}
    assert busiest["bucket"] == pytest.approx(4 * busiest["bucket:4"]), "four channels use four links of a node"
    assert busiest["bucket:4"] == pytest.approx(plan["bound"]["vectors"])
    assert not {"whole-swing", "whole-ordered", "halving-ordered"} & set(busiest)


def test_an_allreduce_takes_what_scattering_and_gathering_take():
    parts = [planned(collective, "torus:4x4", "--size", "64KiB", "--algorithm", "halving-swing")["candidates"][0]
             for collective in ["reduce-scatter", "allgather", "allreduce"]]
    assert parts[2]["steps"] == parts[0]["steps"] + parts[1]["steps"]
    assert parts[2]["seconds"] == pytest.approx(parts[0]["seconds"] + parts[1]["seconds"])


def test_the_text_has_a_line_for_each_method():
    job = run_alone("cubefold", "plan", "allreduce", "ring:16", "--size", "64KiB", "--algorithm", "bucket,whole-swing")
    assert job.status == 0, job.err
    lines = [line.split()[0] for line in job.out.splitlines() if line.startswith(("bucket ", "whole-swing "))]
    assert sorted(lines) == ["bucket", "whole-swing"]


@pytest.mark.parametrize("arguments, rule", [
    (["ring:4"], "--size is required"),
    (["ring:4", "--size", "8", "--algorithm", "ring"], "'ring' is not bucket, direct, halving-cube"),
    (["ring:6", "--size", "8", "--algorithm", "halving-ordered:2"], "has more than the one channel of an order")])
def test_what_does_not_fit_is_refused_in_one_line(arguments, rule):
    job = run_alone("cubefold", "plan", "allreduce", *arguments)
    assert job.status == 2 and len(job.complaints) == 1 and rule in job.complaints[0], job.err


def simulated(collective, grid, *options):
    job = run_alone("cubefold", "simulate", collective, grid, *options, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


@pytest.mark.parametrize("collective", ["allreduce", "reduce-scatter", "allgather"])
@pytest.mark.parametrize("method", ["bucket:4", "halving-swing", "halving-cube:2"])
@pytest.mark.parametrize("ports", ["one", "all"])
def test_simulated_steps_carry_what_the_plan_counts(collective, method, ports):
    options = ["--size", "64KiB", "--algorithm", method, "--ports", ports, "--latency", "0us", "--placement", "xor"]
    plan = planned(collective, "torus:4x8", *options)
    run = simulated(collective, "torus:4x8", *options)
    counted = plan["candidates"][0]
    assert len(run["steps"]) == counted["steps"] and run["bound_seconds"] == pytest.approx(plan["bound"]["seconds"])
    assert run["total_seconds"] == pytest.approx(counted["vectors"] * 65536 * run["tau"][0])


@pytest.mark.parametrize("collective", ["allreduce", "reduce-scatter", "allgather"])
@pytest.mark.parametrize("method", ["bucket:4", "halving-swing", "bucket:3"])
def test_nodes_with_several_ranks_send_what_nodes_with_one_rank_send(collective, method):
    options = ["--size", "60KiB", "--algorithm", method, "--ports", "all", "--latency", "0us", "--gap", "0us"]
    alone = planned(collective, "torus:4x4", *options)["candidates"][0]
    shared = planned(collective, "torus:4x4", *options, "--per-node", "5")["candidates"][0]
    assert shared["node_steps"] == 6 and shared["steps"] == alone["steps"] + 6
    assert shared["vectors"] == pytest.approx(alone["vectors"]) and shared["seconds"] > alone["seconds"]
    run = simulated(collective, "torus:4x4", *options[:-2], "--per-node", "5")
    assert len(run["steps"]) == shared["steps"] and run["per_node"] == 5
    chunk_count = 3 if collective == "allreduce" else 3 * 5
    assert run["total_seconds"] == pytest.approx(shared["vectors"] * 61440 * run["tau"][0], rel=chunk_count / 100)


def test_a_plan_names_the_ranks_of_a_node():
    job = run_alone("cubefold", "plan", "allreduce", "torus:4x4", "--size", "1MiB", "--ports", "all", "--per-node", "4")
    assert job.status == 0, job.err
    assert job.out.startswith("allreduce of 1 MiB on torus:4x4 with 4 ranks on each node, placement identity"), job.out
    refused = run_alone("cubefold", "plan", "allreduce", "ring:4", "--size", "1MiB", "--per-node", "4", "--json", "-")
    expect_refused(refused, "plan: --json writes schedules of one rank on each node, without --per-node")


def test_a_simulated_vector_is_described_in_words():
    job = run_alone("cubefold", "simulate", "allgather", "ring:3", "--size", "10")
    assert job.out.startswith("allgather by bucket on ring:3, placement identity, one-port, balanced ties, a vector of "
                              "10 bytes in chunks of 4\n")
    assert "bound of any allgather" in job.out


def test_a_method_that_does_not_fit_is_not_simulated():
    job = run_alone("cubefold", "simulate", "allgather", "ring:4", "--size", "8", "--algorithm", "whole-cube")
    assert job.status == 2 and job.complaints == ["cubefold: vector_parts: whole-cube is no allgather"], job.err


def advised(grid, *options):
    job = run_alone("cubefold", "advise", grid, *options, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def test_advice_compares_the_plan_with_algorithms_of_mpi():
    options = ["--ports", "all", "--latency", "2us", "--rate", "80gbit"]
    advice = advised("torus:4x4", "--collective", "allreduce", "--size", "64KiB,16MiB", *options)
    for row in advice["rows"]:
        plan = planned("allreduce", "torus:4x4", "--size", str(row["vector_bytes"]), *options)
        assert (row["method"], row["cubefold_seconds"]) == (plan["choice"], plan["candidates"][0]["seconds"])
        assert row["gain"] == pytest.approx(row["mpi_seconds"] / row["cubefold_seconds"])
    # The ring of ranks on 4x4: 30 steps with a sixteenth of the vector, two messages on the link between rows, and the
    # time of copies for what is reduced.
    ring = 30 * 2e-6 + 30 * 2 ** 20 * 1e-10
    assert ring <= advice["rows"][1]["mpi_seconds"] <= 3 * ring


def test_advice_knows_nodes_with_several_ranks():
    options = ["--ports", "all", "--latency", "2us", "--rate", "80gbit", "--per-node", "4"]
    job = run_alone("cubefold", "advise", "torus:4x4", "--collective", "allreduce", *options)
    assert job.status == 0 and "16 nodes with 4 ranks each, all-port" in job.out, job.err
    advice = advised("torus:4x4", "--collective", "allreduce", "--size", "16MiB", *options)
    plan = planned("allreduce", "torus:4x4", "--size", "16MiB", *options)
    assert advice["per_node"] == 4
    assert advice["rows"][0]["cubefold_seconds"] == plan["candidates"][0]["seconds"]


def test_advice_says_where_calls_are_left_to_mpi():
    job = run_alone("cubefold", "advise", "ring:4", "--collective", "allgather", "--size", "8")
    assert job.status == 0 and "MPI's allgather is predicted to be as fast; calls are left to it" in job.out, job.err
    job = run_alone("cubefold", "advise", "torus:8x8", "--collective", "allreduce", "--ports", "all")
    assert "cubefold's allreduce is predicted to gain at" in job.out


@pytest.mark.parametrize("arguments, rule", [
    (["--collective", "scan"], "unknown collective 'scan'; known: allreduce, reduce-scatter, allgather"),
    (["--size", "8"], "--size requires --collective"),
    (["--collective", "allgather", "--block", "8"], "--block excludes --collective")])
def test_advice_that_does_not_fit_is_refused(arguments, rule):
    job = run_alone("cubefold", "advise", "ring:4", *arguments)
    assert job.status == 2 and rule in job.complaints[0], job.err
