"""What programs do when one process alone has no memory left, at each of its allocations in turn."""

from jobs import run
from memory import counted, failing_allocation


def test_allocations_of_one_process_are_counted_and_fail():
    counting = run(2, "cubefold-exchange", "--block", "8", env=failing_allocation(1, 0))
    assert counting.status == 0, counting.err
    assert counted(counting.err) > 100
    assert counted(run(2, "cubefold-exchange", "--block", "8", env=failing_allocation(1, 0, 1 << 30)).err) == 0
    assert run(2, "cubefold-exchange", "--block", "8", env=failing_allocation(1, 1)).status != 0
    assert run(2, "cubefold-exchange", "--block", "8", env=failing_allocation(2, 1)).status == 0
