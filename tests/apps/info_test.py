"""cubefold info says what a program finds that starts here."""

import json

from jobs import refused_with, run_alone, written

HOSTS = {"format_version": 1, "network": "torus:4x4", "source": "a test",
         "hosts": [{"name": f"n{node}", "at": [node % 4, node // 4]} for node in range(16)]}
JOB = {"SLURM_JOB_NODELIST": "n[0-3]", "SLURM_TASKS_PER_NODE": "3(x2),2(x2)"}


def info(*arguments, **env):
    return run_alone("cubefold", "info", *arguments, env=env)


def lines_of(**env):
    job = info(**env)
    assert (job.status, job.err) == (0, "")
    return dict(line.split(maxsplit=1) for line in job.out.splitlines())


def json_of(**env):
    job = info("--json", "-", **env)
    assert (job.status, job.err) == (0, "")
    return json.loads(job.out)


def test_says_that_nothing_is_known_and_why():
    lines = lines_of()
    assert (lines["network"], lines["hosts"], lines["placement"]) == ("unknown", "no job here", "identity")
    assert lines["source"].startswith("nothing found: SLURM_TOPOLOGY_ADDR is not set")
    assert (lines["machine"], lines["tuning"]) == ("none", "none")
    answer = json_of()
    assert [answer[key] for key in ("network", "part", "hosts", "ranks", "machine", "tuning")] == [None] * 6


def test_shows_the_job_the_part_of_the_network_and_the_ranks(tmp_path):
    hosts = str(written(tmp_path, "hosts.json", json.dumps(HOSTS)))
    lines = lines_of(CUBEFOLD_HOSTS=hosts, CUBEFOLD_PLACEMENT="xor", **JOB)
    assert lines == {
        "network": "ring:4 of torus:4x4", "source": f"the file '{hosts}' (a test)",
        "hosts": "4: n0 n1 n2 n3 (Slurm: SLURM_JOB_NODELIST=n[0-3], SLURM_TASKS_PER_NODE=3(x2),2(x2))",
        "ranks": "10, 3(x2),2(x2) on the hosts", "placement": "xor", "machine": "none", "tuning": "none"}
    answer = json_of(CUBEFOLD_HOSTS=hosts, **JOB)
    assert (answer["network"], answer["part"], answer["hosts"]) == ("torus:4x4", "ring:4", ["n0", "n1", "n2", "n3"])
    assert (answer["ranks"], answer["ranks_on_host"]) == (10, [3, 3, 2, 2])


def test_takes_a_named_grid_for_the_network():
    lines = lines_of(CUBEFOLD_GRID="torus:4x4", SLURM_JOB_NODELIST="n[0-15]", SLURM_NTASKS="64")
    assert (lines["network"], lines["source"], lines["ranks"]) == ("torus:4x4", "CUBEFOLD_GRID", "64, 4 a host")
    assert lines["hosts"].startswith("16: n0 n1 n2 n3 n4 n5 n6 n7 ... (Slurm: ")


def test_shows_why_a_file_does_not_serve(tmp_path):
    assert lines_of(CUBEFOLD_HOSTS="missing.json")["source"] == (
        "hosts file missing.json: cannot read: No such file or directory")
    lines = lines_of(CUBEFOLD_MACHINE="missing.json", CUBEFOLD_TUNING="new.json")
    assert "missing.json: cannot read" in lines["machine"]
    assert lines["tuning"] == "new.json, which the first job will make"
    tuning = {"grid": "torus:4x4", "choices": [{}, {}]}
    assert lines_of(CUBEFOLD_TUNING=str(written(tmp_path, "t.json", json.dumps(tuning))))["tuning"].endswith(
        "t.json, 2 choices for torus:4x4")


def test_refuses_a_job_whose_variables_contradict_each_other():
    refused_with(info(SLURM_NTASKS="8", **JOB), "SLURM_NTASKS=8 contradicts SLURM_TASKS_PER_NODE=3(x2),2(x2)")
