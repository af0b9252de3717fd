"""A short form of ./dev kill: processes of programs are ended at random moments."""

import random_kills
from labs import REASON

# A busy machine may take long to end processes, and whether they end at all is what counts.
LIMIT_SECONDS = 60


def test_nothing_is_left_of_programs_that_are_ended_at_random(capsys):
    programs = [name for name in random_kills.programs("none") if not (REASON and name.startswith("cubefold-lab"))]
    options = [word for name in programs for word in ("--only", name)]
    defects = random_kills.main([str(2 * len(programs)), "--within", "1", "--limit", str(LIMIT_SECONDS), *options])
    assert defects == 0, capsys.readouterr().out


def test_a_file_that_is_not_whole_is_a_defect(tmp_path):
    program = random_kills.programs("none")["cubefold-fft"]
    (tmp_path / "report.json").write_text('{"seconds": 1')
    (tmp_path / "result.npy.123.part").write_bytes(b"")
    assert random_kills.left_over(tmp_path, program) == ["report.json is not whole", "result.npy.123.part is left"]
