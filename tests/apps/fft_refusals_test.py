"""Errors of cubefold-fft: one line for all processes together, and no file. Most refusals are tested without mpirun,
and one of each kind shows that several processes refuse together."""

import functools
import os

import numpy as np
import pytest

from jobs import expect_refused, run, run_alone, skip_without_fftw_mpi
from signals import random_signal, relative_error


def header(text, version=b"\x01\x00"):
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text


def description(descr="<f8", order="False", shape="(64,)"):
    return f"{{'descr': {descr!r}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()


def test_takes_headers_as_others_write_them(tmp_path):
    signal = random_signal(64, "float64")
    for text in [b"{'shape': (64L,), 'descr': '<f8', 'fortran_order': False}\n",
                 b'{"descr" : "<f8", "fortran_order": True, "shape" : (64 , )}\n']:
        (tmp_path / "in.npy").write_bytes(header(text) + signal.tobytes())
        job = run_alone("cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path)
        assert job.status == 0, job.err
        assert relative_error(np.load(tmp_path / "out.npy"), np.fft.fft(signal)) < 1e-14


ELEMENTS = "float32 ('<f4'), float64 ('<f8'), complex64 ('<c8') or complex128 ('<c16')"

BAD_FILES = {
    "not a .npy file: it ends within the header": b"\x93NUM",
    "not a .npy file: it does not begin with \\x93NUMPY": b"RIFF" + bytes(100),
    "unknown .npy format version 9": b"\x93NUMPY\x09\x00" + bytes(100),
    f"element type '>f8' is not {ELEMENTS}": header(description(">f8")) + bytes(512),
    f"element type '<i4' is not {ELEMENTS}": header(description("<i4")) + bytes(512),
    f"element type 'a?b' is not {ELEMENTS}": header(b"{'descr': 'a\nb', 'shape': (64,)}"),
    "shape (2, 2, 4, 4) is not that of an array with one to three axes":
        header(description(shape="(2, 2, 4, 4)")) + bytes(512),
    "shape (99999999999999999999,) is not that of an array with one to three axes":
        header(description(shape="(99999999999999999999,)")) + bytes(512),
    "shape (                                        ...) is not that of an array with one to three axes":
        b"\x93NUMPY\x02\x00" + (900000).to_bytes(4, "little")
        + b"{'descr': '<f8', 'shape': (" .ljust(899990) + b")}".ljust(10) + bytes(512),
    "shape () is not that of an array with one to three axes": header(description(shape="()")) + bytes(512),
    "shape (8 8) is not that of an array with one to three axes": header(description(shape="(8 8)")) + bytes(512),
    "shape (4294967296, 4294967296) has 2^64 points or more":
        header(description(shape="(4294967296, 4294967296)")) + bytes(512),
    "not a .npy file of plain numbers: its header has no readable 'descr'": header(b"{'shape': (64,)}\n") + bytes(512),
    "truncated: 64 numbers of 8 bytes are promised, 511 bytes are there": header(description()) + bytes(511),
    "truncated: 80 numbers of 8 bytes are promised, 512 bytes are there":
        header(description(shape="(10, 8)")) + bytes(512),
    "truncated: 18446744073709551615 numbers of 8 bytes are promised, 512 bytes are there":
        header(description(shape="(18446744073709551615,)")) + bytes(512),
}


@pytest.mark.parametrize("reason", BAD_FILES)
def test_refuses_files_that_it_cannot_transform_and_writes_nothing(tmp_path, reason):
    (tmp_path / "in.npy").write_bytes(BAD_FILES[reason])
    job = run_alone("cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path)
    expect_refused(job, f"in.npy: {reason}")
    assert [p.name for p in tmp_path.iterdir()] == ["in.npy"]


def test_processes_refuse_a_file_together_and_say_so_once(tmp_path):
    reason, content = list(BAD_FILES.items())[-1]
    (tmp_path / "in.npy").write_bytes(content)
    job = run(3, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path)
    expect_refused(job, f"in.npy: {reason}")
    assert [p.name for p in tmp_path.iterdir()] == ["in.npy"]


def test_refuses_inputs_that_are_not_there_or_no_files(tmp_path):
    expect_refused(run_alone("cubefold-fft", "--input", "no.npy", cwd=tmp_path),
                   "no.npy: cannot read: No such file or directory")
    expect_refused(run_alone("cubefold-fft", "--input", ".", cwd=tmp_path), ".: is not a regular file")
    os.mkfifo(tmp_path / "pipe")
    expect_refused(run_alone("cubefold-fft", "--input", "pipe", cwd=tmp_path), "pipe: is not a regular file")


def test_refuses_outputs_that_cannot_be_written(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(64))
    expect_refused(run(2, "cubefold-fft", "--input", "in.npy", "--output", "no/out.npy", cwd=tmp_path),
                   "no/out.npy: cannot create: No such file or directory")
    expect_refused(run_alone("cubefold-fft", "--input", "in.npy", "--output", ".", cwd=tmp_path),
                   ".: cannot write: Is a directory")
    expect_refused(run_alone("cubefold-fft", "--input", "in.npy", "--output", "/dev/full", cwd=tmp_path),
                   "/dev/full: cannot write: No space left on device")
    expect_refused(run_alone("cubefold-fft", "--input", "in.npy", "--output", "x", "--json", "x", cwd=tmp_path),
                   "--output and --json both name x")


def test_leaves_the_old_output_and_nothing_else_when_the_disk_is_full(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(65536))
    (tmp_path / "out.npy").write_text("old")
    # A limit on the file size stands for a full disk. Shared memory segments are files too, so messages use TCP over
    # the loopback device, which every machine has.
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path,
              wrapper=["sh", "-c", 'ulimit -f 300; exec "$0" "$@"'],
              env={"OMPI_MCA_btl": "self,tcp", "OMPI_MCA_btl_tcp_if_include": "lo", "UCX_TLS": "self,tcp"})
    expect_refused(job, "out.npy: cannot write 1048704 bytes: File too large")
    assert (tmp_path / "out.npy").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.npy", "out.npy"]


BAD_OPTIONS = {
    "--input has lengths of its own: --lengths is for runs without a file": ["--input", "real.npy", "--lengths", "8"],
    "--signal requires --lengths (see cubefold-fft --help)": ["--input", "real.npy", "--signal", "tones"],
    "--precision requires --lengths (see cubefold-fft --help)": ["--input", "real.npy", "--precision", "single"],
    "--plot x.png: pictures are SVG, and their names end in .svg": ["--lengths", "8", "--plot", "x.png"],
    "--lengths: '8x' is not one to three lengths, as 2^20 or 128x128x128 (see cubefold-fft --help)":
        ["--lengths", "8x"],
    "--lengths: '2x2x2x2' is not one to three lengths, as 2^20 or 128x128x128 (see cubefold-fft --help)":
        ["--lengths", "2x2x2x2"],
    "--lengths: '2^65' is not one to three lengths, as 2^20 or 128x128x128 (see cubefold-fft --help)":
        ["--lengths", "2^65"],
    "complex.npy: complex128 is not real, as --real wants it": ["--input", "complex.npy", "--real"],
    "one.npy: one frequency is the spectrum of one number, an odd length: see --odd":
        ["--input", "one.npy", "--inverse", "--real"],
    "--odd goes with --inverse --real only": ["--lengths", "9", "--real", "--odd"],
    "--odd says that the last length is odd, and --lengths that it is 16":
        ["--lengths", "9x16", "--inverse", "--real", "--odd"],
    "--slice 5: the result has 4": ["--lengths", "4x2x2", "--slice", "5"],
    "--boxes 1x2 is no grid of 1 bricks in 2 dimensions": ["--lengths", "4x4", "--boxes", "1x2"],
    "--boxes 1 is no grid of 1 bricks in 2 dimensions": ["--lengths", "4x4", "--boxes", "1"],
    "fft::Plan: input boxes and the distribution cyclic exclude each other":
        ["--lengths", "16", "--boxes", "1", "--distribution", "cyclic"],
    "--process-grid: 2 is no grid of two numbers, such as 2x4 (see cubefold-fft --help)":
        ["--lengths", "4x4x4", "--process-grid", "2"],
    "fft::Plan: process_grid 2x4 is no grid of 1 processes": ["--lengths", "4x4x4", "--process-grid", "2x4"],
    "--lines: unknown line transform 'dct'; known: fourier, redft00, redft01, redft10, redft11, rodft00, rodft01, "
    "rodft10, rodft11 (see cubefold-fft --help)": ["--lengths", "4x4", "--lines", "dct,dct"],
    "fft::Plan: 1 line transforms for 2 dimensions": ["--lengths", "4x4", "--lines", "redft00"],
    "fft::Plan: real points with redft00 in the last dimension have no fourier dimension":
        ["--lengths", "4x4", "--real", "--lines", "fourier,redft00"],
    "--compare fftw is for Fourier transforms, without --lines":
        ["--lengths", "4x4", "--lines", "redft00,fourier", "--compare", "fftw"],
    "--batch times and checks: --output, --plot and --compare take one array":
        ["--lengths", "4x4", "--batch", "2", "--compare", "fftw"],
    "--json and --plot both name x.svg": ["--lengths", "4", "--json", "x.svg", "--plot", "x.svg"],
}


@pytest.mark.parametrize("line", BAD_OPTIONS)
def test_refuses_options_that_do_not_fit_and_writes_nothing(tmp_path, line):
    np.save(tmp_path / "real.npy", np.zeros(64))
    np.save(tmp_path / "complex.npy", np.zeros(64, dtype=complex))
    np.save(tmp_path / "one.npy", np.zeros(1, dtype=complex))
    expect_refused_options(tmp_path, BAD_OPTIONS[line], line)


@pytest.mark.parametrize("grid, name", [(["--grid", "ring:4"], "ring:4"), ([], "unknown network")])
def test_refuses_pencils_together_where_the_network_has_no_two_axes(tmp_path, grid, name):
    job = run(4, "cubefold-fft", "--lengths", "4x8x8", "--decomposition", "pencil", *grid, cwd=tmp_path)
    expect_refused(job, "fft::Plan: decomposition pencil needs a network with two axes of several nodes, but the 4 "
                        f"processes are on: {name}")


def test_refuses_a_comparison_with_a_transform_that_fftw_mpi_does_not_have(tmp_path):
    options = ["--lengths", "64", "--inverse", "--real", "--compare", "fftw"]
    skip_without_fftw_mpi(run_alone("cubefold-fft", *options))
    expect_refused_options(tmp_path, options, "--compare fftw: FFTW MPI has no real transform of one dimension")


def expect_refused_options(folder, options, line):
    before = sorted(p.name for p in folder.iterdir())
    given = [*options, "--output", "out.npy", *([] if "--plot" in options else ["--plot", "out.svg"])]
    expect_refused(run_alone("cubefold-fft", *given, cwd=folder), line)
    assert sorted(p.name for p in folder.iterdir()) == before


def test_refuses_a_slice_where_nothing_is_drawn():
    expect_refused(run_alone("cubefold-fft", "--lengths", "4x4x4", "--slice", "1"),
                   "--slice requires --plot (see cubefold-fft --help)")


def test_refuses_distributions_that_do_not_fit(tmp_path):
    for start, distribution in [(run_alone, "blok"), (run_alone, "block,,cyclic"),
                                (functools.partial(run, 2), "block_cyclic")]:
        job = start("cubefold-fft", "--lengths", "60", "--distribution", distribution, "--output", "out.npy",
                    cwd=tmp_path)
        assert job.status == 2
        assert len(job.complaints) == 1, job.err
        assert list(tmp_path.iterdir()) == []
    job = run_alone("cubefold-fft", "--lengths", "8x8", "--distribution", "cyclic", cwd=tmp_path)
    assert job.status == 2
    assert len(job.complaints) == 1, job.err


def test_refuses_arrays_without_points(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros((4, 0)))
    job = run_alone("cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path)
    assert job.status == 2
    assert len(job.complaints) == 1, job.err
    assert [p.name for p in tmp_path.iterdir()] == ["in.npy"]


def test_without_arguments_says_what_is_needed():
    expect_refused(run(3, "cubefold-fft"), "either --input or --lengths is required (see cubefold-fft --help)")
