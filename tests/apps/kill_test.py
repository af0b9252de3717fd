"""What ./dev kill counts as a defect."""

import random_kills


def test_a_file_that_is_not_whole_is_a_defect(tmp_path):
    program = random_kills.programs("none")["cubefold-fft"]
    (tmp_path / "report.json").write_text('{"seconds": 1')
    (tmp_path / "result.npy.123.part").write_bytes(b"")
    assert random_kills.left_over(tmp_path, program) == ["report.json is not whole", "result.npy.123.part is left"]
