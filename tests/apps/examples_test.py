"""The example of the README does what the README says."""

from jobs import run


def test_readme_example_adds_up_the_ranks():
    job = run(8, "readme_example", env={"CUBEFOLD_GRID": "torus:4x2"})
    assert job.status == 0, job.err
    assert job.out == "the ranks of 8 processes add up to 28\n"


def test_readme_example_says_what_is_wrong():
    job = run(2, "readme_example", env={"CUBEFOLD_GRID": "torus:4x2"})
    assert job.status == 2
    assert "cubefold_comm_create: grid 'torus:4x2' has 8 nodes, but there are 2 processes" in job.err
