"""The demonstration turns the JSON of programs into bars, sentences and pictures. Where it cannot emulate a network, it
predicts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
sys.path.insert(0, str(SOURCE / "tools/demo"))

import demo  # noqa: E402
import summary  # noqa: E402

from jobs import WATCHDOG_SECONDS

EXCHANGE = {"results": [{"algorithm": "cubefold_alltoall", "choice": "direct", "seconds": [1.0, 1.5]},
                        {"algorithm": "MPI_Alltoall", "seconds": [5.0, 5.0]},
                        {"algorithm": "MPI pairwise", "seconds": [2.0, 2.5]}]}


def test_an_exchange_is_compared_with_the_first_and_the_fastest_baseline_and_with_the_links():
    comparison = summary.exchange_comparison("title", EXCHANGE, 1.0)
    assert [(bar.name, bar.seconds) for bar in comparison.bars] == [
        ("MPI_Alltoall", 5.0), ("MPI pairwise", 2.25), ("cubefold", 1.25), ("the links allow", 1.0)]
    assert summary.sentence(comparison) == ("cubefold is 4.0 times as fast as MPI_Alltoall, 1.8 times as fast as MPI "
                                            "pairwise, 80 % of what the links allow")


def test_a_transform_is_compared_with_fftw():
    report = {"transform": {"median_seconds": 2.0}, "compare": {"median_seconds": 5.2}}
    assert summary.sentence(summary.transform_comparison("title", report)) == (
        "cubefold is 2.6 times as fast as FFTW MPI")


def test_an_order_is_compared_with_the_order_of_ranks():
    report = {"results": [{"seconds": [0.4, 0.4, 0.8]}, {"seconds": [0.1, 0.2, 0.3]}]}
    assert summary.sentence(summary.orders_comparison("title", report)) == (
        "cubefold is 2.0 times as fast as ranks in order")


def test_a_lab_that_starts_no_job_is_taken_down_and_says_why(tmp_path, monkeypatch, capsys):
    lab = tmp_path / "cubefold-lab"
    monkeypatch.setattr(demo, "in_simulation", lambda tools: "predicted")
    lab.write_text("#!/bin/sh\necho $1 >>log\n[ $1 != run ] || { echo '-----\nno ssh\nmore' >&2; exit 1; }\n")
    lab.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert demo.demonstrate(demo.Tools(tmp_path, tmp_path), simulate=False) == "predicted"
    assert "No network can be emulated (no ssh)." in capsys.readouterr().out
    assert (tmp_path / "log").read_text().split() == ["up", "run", "down"]


@pytest.mark.parametrize("ratio, words", [(1.0, "as fast as"), (1.04, "as fast as"), (0.96, "as fast as"),
                                          (2.64, "2.6 times as fast as"), (0.5, "2.0 times slower than")])
def test_times_within_five_percent_are_equal(ratio, words):
    assert summary.times(ratio) == words


def test_bars_are_as_long_as_their_times():
    text = summary.bars_text(summary.exchange_comparison("title", EXCHANGE, 1.0), width=20)
    assert [line.count("#") for line in text.splitlines()] == [20, 9, 5, 4]
    assert text.splitlines()[2] == "  cubefold          1250 ms  #####"


def test_the_bar_chart_is_a_picture_of_800_pixels_that_holds_all_texts():
    picture = ElementTree.fromstring(summary.bars_svg("a < b", [summary.exchange_comparison("title", EXCHANGE, 1.0)]))
    height = int(picture.get("height"))
    texts = [element for element in picture if element.tag.endswith("text")]
    assert texts[0].text == "a < b"
    assert all(0 < float(text.get("y")) < height for text in texts)
    # A character of 13 pixels is at most 7 pixels wide on average.
    assert all(float(text.get("x")) + 7 * len(text.text) <= 800 for text in texts if text.get("text-anchor") is None)


def test_where_no_network_can_be_emulated_the_demonstration_predicts(tmp_path):
    done = subprocess.run([sys.executable, "-B", SOURCE / "tools/demo/demo.py", "--simulate", "--programs",
                           Path(os.environ["CUBEFOLD_BUILD"]) / "bin", "--output", tmp_path / "demo"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "The times below are predicted, not measured." in done.stdout
    assert "% of what the links allow" in done.stdout
    for name in ("times.svg", "loads.svg"):
        assert ElementTree.parse(tmp_path / "demo" / name).getroot().tag.endswith("svg")


def test_a_signal_ends_a_program_that_nobody_waits_for_yet():
    with subprocess.Popen(["sleep", "1000000"]) as program:
        with pytest.raises(SystemExit, match="ended by a signal"):
            demo.end()
        assert program.wait(WATCHDOG_SECONDS) == -signal.SIGKILL


def test_a_demonstration_that_is_ended_takes_its_lab_down(tmp_path):
    """Programs of the same names stand for the lab and the planner. The lab writes down its commands, and what runs in
    it never ends. The planner says that an order was found."""
    log = tmp_path / "log"
    log.touch()
    for name, body in [("cubefold-lab", f"echo $1 >> '{log}'\ntest $1 != run || exec sleep 1000000"),
                       ("cubefold", """echo '{"placement": "xor"}' > order.json""")]:
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
    with subprocess.Popen([sys.executable, "-B", SOURCE / "tools/demo/demo.py", "--programs", tmp_path, "--output",
                           tmp_path / "out"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as job:
        while "run" not in log.read_text().split():
            assert job.poll() is None
            time.sleep(0.01)
        job.terminate()
        assert job.communicate(timeout=WATCHDOG_SECONDS)[1] == "demo: ended by a signal\n"
    assert log.read_text().split() == ["up", "run", "down"]
