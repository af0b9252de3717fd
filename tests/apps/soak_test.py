"""The program of ./dev soak notices wrong numbers and memory that grows."""

from jobs import preloaded, run


def test_a_wrong_number_ends_all_processes():
    job = run(2, "soak", env=preloaded("libcorrupt_messages.so"))
    assert job.status != 0
    assert any("from rank" in line and "is wrong" in line for line in job.complaints), job.err


def test_memory_beyond_the_limit_is_an_error():
    job = run(2, "soak", "--exchanges", 3000, "--growth", -1000)
    assert job.status != 0
    assert len(job.complaints) == 1 and "MiB more than after a quarter of the run" in job.complaints[0], job.err


def test_a_table_tells_the_progress():
    job = run(2, "soak", "--exchanges", 2000, "--growth", 1000)  # sanitizers keep freed memory
    assert job.status == 0, job.err
    lines = [line.split() for line in job.out.splitlines()]
    assert lines[0][:2] == ["exchanges", "handles"]
    assert [line[:2] for line in lines[1:]] == [["0", "3"], ["2000", "7"]]
