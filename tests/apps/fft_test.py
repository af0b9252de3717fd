"""cubefold-fft as its users meet it, with NumPy as the other end of the files."""

import json
import os

import numpy as np
import pytest

from jobs import expect_help, expect_refused, preloaded, run


def random_signal(count, kind):
    generator = np.random.default_rng(count)
    signal = generator.uniform(-0.5, 0.5, count)
    return signal + 1j * generator.uniform(-0.5, 0.5, count) if kind == "complex128" else signal


def relative_error(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


@pytest.mark.parametrize("kind", ["float64", "complex128"])
@pytest.mark.parametrize("processes, count", [(1, 1), (1, 1024), (2, 2), (2, 2048), (4, 4096), (8, 32), (16, 16),
                                              (16, 65536)])
def test_is_the_transform_of_numpy(tmp_path, processes, count, kind):
    signal = random_signal(count, kind)
    np.save(tmp_path / "signal.npy", signal)
    job = run(processes, "cubefold-fft", "--input", "signal.npy", "--output", "spectrum.npy", cwd=tmp_path)
    assert job.status == 0, job.err
    spectrum = np.load(tmp_path / "spectrum.npy")
    assert spectrum.dtype == np.complex128
    assert relative_error(spectrum, np.fft.fft(signal)) < 1e-14
    assert sorted(p.name for p in tmp_path.iterdir()) == ["signal.npy", "spectrum.npy"]


def test_inverse_is_that_of_numpy(tmp_path):
    spectrum = random_signal(4096, "complex128")
    np.save(tmp_path / "in.npy", spectrum)
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", "--inverse", "--check", cwd=tmp_path)
    assert job.status == 0, job.err
    assert relative_error(np.load(tmp_path / "out.npy"), np.fft.ifft(spectrum)) < 1e-14


@pytest.mark.parametrize("grid, placement", [("torus:4x4", "xor"), ("mesh:2x8", "standard,bits=cyclic"),
                                             ("hypercube:4", "gray"), ("line:16", "by-weight")])
def test_gives_the_same_on_every_grid(tmp_path, grid, placement):
    signal = random_signal(4096, "float64")
    np.save(tmp_path / "in.npy", signal)
    job = run(16, "cubefold-fft", "--grid", grid, "--placement", placement, "--input", "in.npy", "--output", "out.npy",
              "--check", cwd=tmp_path)
    assert job.status == 0, job.err
    assert f"grid {grid}, placement {placement}" in job.out
    assert ": right" in job.out
    assert relative_error(np.load(tmp_path / "out.npy"), np.fft.fft(signal)) < 1e-14


def test_may_write_over_its_own_input(tmp_path):
    signal = random_signal(1024, "complex128")
    np.save(tmp_path / "data.npy", signal)
    assert run(4, "cubefold-fft", "--input", "data.npy", "--output", "data.npy", cwd=tmp_path).status == 0
    assert relative_error(np.load(tmp_path / "data.npy"), np.fft.fft(signal)) < 1e-14


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_reads_every_version_of_the_format(tmp_path, version):
    signal = random_signal(1024, "float64")
    with open(tmp_path / "in.npy", "wb") as file:
        np.lib.format.write_array(file, signal, version=version)
    assert run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path).status == 0
    assert relative_error(np.load(tmp_path / "out.npy"), np.fft.fft(signal)) < 1e-14


def test_reports_times_error_and_the_strongest_bins(tmp_path):
    time = np.arange(4096) / 4096
    np.save(tmp_path / "in.npy", np.cos(2 * np.pi * 300 * time) + 0.25 * np.cos(2 * np.pi * 1000 * time))
    job = run(4, "cubefold-fft", "--input", "in.npy", "--check", "--json", "report.json", cwd=tmp_path)
    assert job.status == 0, job.err
    for label in ["read", "transform", "energy", "check", "strongest"]:
        assert f"\n{label} " in job.out
    report = json.loads((tmp_path / "report.json").read_text())
    assert {row["index"] for row in report["strongest"][:2]} == {300, 4096 - 300}
    assert report["strongest"][0]["magnitude"] == pytest.approx(2048)
    assert report["relative_error"] < 1e-15
    assert report["energy_difference"] < 1e-13


def test_transforms_zeros_to_zeros(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(64))
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", "--check", cwd=tmp_path)
    assert job.status == 0, job.err
    assert not np.load(tmp_path / "out.npy").any()


def test_check_notices_a_wrong_result(tmp_path):
    np.save(tmp_path / "in.npy", random_signal(4096, "float64"))
    job = run(4, "cubefold-fft", "--input", "in.npy", "--check", cwd=tmp_path, env=preloaded("libcorrupt_messages.so"))
    assert job.status == 1
    assert "WRONG" in job.out


def header(text, version=b"\x01\x00"):
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text


def description(descr="<f8", order="False", shape="(64,)"):
    return f"{{'descr': {descr!r}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()


def test_takes_headers_as_others_write_them(tmp_path):
    signal = random_signal(64, "float64")
    for text in [b"{'shape': (64L,), 'descr': '<f8', 'fortran_order': False}\n",
                 b'{"descr" : "<f8", "fortran_order": True, "shape" : (64 , )}\n']:
        (tmp_path / "in.npy").write_bytes(header(text) + signal.tobytes())
        job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path)
        assert job.status == 0, job.err
        assert relative_error(np.load(tmp_path / "out.npy"), np.fft.fft(signal)) < 1e-14


def test_neither_nan_nor_huge_numbers_upset_the_report(tmp_path):
    np.save(tmp_path / "nan.npy", np.array([0.0, np.nan, 0, 0]))
    job = run(4, "cubefold-fft", "--input", "nan.npy", cwd=tmp_path)
    assert job.status == 0, job.err
    assert job.out.count("(nan)") == 4
    np.save(tmp_path / "huge.npy", 1e200 * random_signal(64, "float64"))
    job = run(4, "cubefold-fft", "--input", "huge.npy", "--check", cwd=tmp_path)
    assert job.status == 0, job.out
    assert ": right" in job.out


def test_follows_a_symbolic_link_to_its_output(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(64))
    (tmp_path / "real.npy").touch()
    (tmp_path / "link.npy").symlink_to("real.npy")
    assert run(4, "cubefold-fft", "--input", "in.npy", "--output", "link.npy", cwd=tmp_path).status == 0
    assert (tmp_path / "link.npy").is_symlink()
    assert np.load(tmp_path / "real.npy").shape == (64,)


def test_ends_when_one_process_alone_has_no_memory(tmp_path):
    if "asan" in os.environ["CUBEFOLD_BUILD"]:
        pytest.skip("sanitizers take more address space than any limit")
    np.save(tmp_path / "in.npy", np.zeros(1 << 22, dtype=complex))
    starved = ["sh", "-c", '[ "$OMPI_COMM_WORLD_RANK" = 2 ] && ulimit -v 250000; exec "$0" "$@"']
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path, wrapper=starved)
    assert job.status != 0
    assert [p.name for p in tmp_path.iterdir() if not p.name.endswith(".part")] == ["in.npy"]


BAD_FILES = {
    "not a .npy file: it ends within the header": b"\x93NUM",
    "not a .npy file: it does not begin with \\x93NUMPY": b"RIFF" + bytes(100),
    "unknown .npy format version 9": b"\x93NUMPY\x09\x00" + bytes(100),
    "element type '>f8' is not float64 ('<f8') or complex128 ('<c16')": header(description(">f8")) + bytes(512),
    "element type '<f4' is not float64 ('<f8') or complex128 ('<c16')": header(description("<f4")) + bytes(512),
    "shape (8, 8) does not have one axis": header(description(shape="(8, 8)")) + bytes(512),
    "shape (99999999999999999999,) does not have one axis":
        header(description(shape="(99999999999999999999,)")) + bytes(512),
    "shape (                                        ...) does not have one axis":
        b"\x93NUMPY\x02\x00" + (900000).to_bytes(4, "little")
        + b"{'descr': '<f8', 'shape': (" .ljust(899990) + b")}".ljust(10) + bytes(512),
    "element type 'a?b' is not float64 ('<f8') or complex128 ('<c16')": header(b"{'descr': 'a\nb', 'shape': (64,)}"),
    "shape () does not have one axis": header(description(shape="()")) + bytes(512),
    "not a .npy file of plain numbers: its header has no readable 'descr'": header(b"{'shape': (64,)}\n") + bytes(512),
    "truncated: 64 numbers of 8 bytes are promised, 511 bytes are there": header(description()) + bytes(511),
    "truncated: 18446744073709551615 numbers of 8 bytes are promised, 512 bytes are there":
        header(description(shape="(18446744073709551615,)")) + bytes(512),
    "60 points on 4 processes: the block-cyclic distribution needs processes times a power of four; the nearest are 16 "
    "and 64": header(description(shape="(60,)")) + bytes(512),
    "2 points on 4 processes: the block-cyclic distribution needs processes times a power of four; the smallest is 4":
        header(description(shape="(2,)")) + bytes(512),
    "0 points on 4 processes: the block-cyclic distribution needs processes times a power of four; the smallest is 4":
        header(description(shape="(0,)")) + bytes(512),
}


@pytest.mark.parametrize("reason", BAD_FILES)
def test_refuses_files_that_it_cannot_transform_and_writes_nothing(tmp_path, reason):
    (tmp_path / "in.npy").write_bytes(BAD_FILES[reason])
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path)
    expect_refused(job, reason if " points on " in reason else f"in.npy: {reason}")
    assert [p.name for p in tmp_path.iterdir()] == ["in.npy"]


def test_refuses_inputs_that_are_not_there_or_no_files(tmp_path):
    expect_refused(run(2, "cubefold-fft", "--input", "no.npy", cwd=tmp_path),
                   "no.npy: cannot read: No such file or directory")
    expect_refused(run(2, "cubefold-fft", "--input", ".", cwd=tmp_path), ".: is not a regular file")
    os.mkfifo(tmp_path / "pipe")
    expect_refused(run(2, "cubefold-fft", "--input", "pipe", cwd=tmp_path), "pipe: is not a regular file")


def test_refuses_outputs_that_cannot_be_written(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(64))
    expect_refused(run(4, "cubefold-fft", "--input", "in.npy", "--output", "no/out.npy", cwd=tmp_path),
                   "no/out.npy: cannot create: No such file or directory")
    expect_refused(run(4, "cubefold-fft", "--input", "in.npy", "--output", ".", cwd=tmp_path),
                   ".: exists and is not a regular file")
    expect_refused(run(4, "cubefold-fft", "--input", "in.npy", "--output", "/dev/full", cwd=tmp_path),
                   "/dev/full: exists and is not a regular file")
    expect_refused(run(4, "cubefold-fft", "--input", "in.npy", "--output", "x", "--json", "x", cwd=tmp_path),
                   "--output and --json both name x")


def test_leaves_the_old_output_and_nothing_else_when_the_disk_is_full(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(65536))
    (tmp_path / "out.npy").write_text("old")
    # A limit on the file size stands for the disk; shared memory segments are files too, so messages go by TCP.
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path,
              wrapper=["sh", "-c", 'ulimit -f 300; exec "$0" "$@"'], env={"OMPI_MCA_btl": "self,tcp"})
    expect_refused(job, "out.npy: cannot write 1048704 bytes: File too large")
    assert (tmp_path / "out.npy").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.npy", "out.npy"]


def test_refuses_numbers_of_processes_that_are_no_power_of_two(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(48))
    expect_refused(run(3, "cubefold-fft", "--input", "in.npy", cwd=tmp_path),
                   "3 processes: the block-cyclic distribution needs a power of two")


def test_without_arguments_says_what_is_needed():
    expect_refused(run(3, "cubefold-fft"), "--input is required (see cubefold-fft --help)")


def test_help_is_printed_once():
    expect_help("cubefold-fft")
