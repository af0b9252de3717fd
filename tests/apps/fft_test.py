"""Tests of cubefold-fft from outside, with files that NumPy writes and reads."""

import json
from math import prod

import numpy as np
import pytest

from jobs import expect_help, preloaded, run, run_alone, skip_without_fftw_mpi
from signals import random_signal, relative_error
from sweeps import more


def transform(folder, processes, signal, *options):
    """Returns the program's output for the signal, which the program also checks itself."""
    np.save(folder / "in.npy", signal)
    job = run(processes, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", "--check", *options, cwd=folder)
    assert job.status == 0, job.out + job.err
    assert ": right" in job.out
    assert sorted(p.name for p in folder.iterdir()) == ["in.npy", "out.npy"]
    return np.load(folder / "out.npy")


RESULTS = {"float32": "complex64", "float64": "complex128", "complex64": "complex64", "complex128": "complex128"}
ERRORS = {"complex64": 2e-6, "complex128": 1e-14}


@pytest.mark.parametrize("processes, shape, kind",
                         [(1, (1,), "float64"), more(1, (1024,), "complex64"), (3, (60,), "float32"),
                          more(4, (4096,), "complex128"), more(4, (5, 7), "float32"), (4, (5, 7), "complex64"),
                          more(8, (8,), "complex128"), (8, (8, 12, 10), "float64")])
def test_is_the_transform_of_numpy(tmp_path, processes, shape, kind):
    signal = random_signal(shape, kind)
    spectrum = transform(tmp_path, processes, signal)
    assert spectrum.dtype == RESULTS[kind]
    assert spectrum.shape == shape
    assert relative_error(spectrum, np.fft.fftn(signal.astype("complex128"))) < ERRORS[RESULTS[kind]]


DISTRIBUTIONS = ["block", "cyclic", "scrambled"]


# Every distribution is read once and written once. With --all every pair of them is tried with one of the numbers of
# points, and each number with every distribution.
@pytest.mark.parametrize("input, output, processes, count", [
    ("block", "cyclic", 4, 1024), ("cyclic", "scrambled", 3, 360), ("scrambled", "block", 4, 97),
    *(more(before, after, *[(3, 360), (4, 97), (8, 1024)][(b + a) % 3])
      for b, before in enumerate(DISTRIBUTIONS) for a, after in enumerate(DISTRIBUTIONS))])
def test_files_are_in_natural_order_whatever_the_distribution(tmp_path, input, output, processes, count):
    signal = random_signal(count, "complex128")
    spectrum = transform(tmp_path, processes, signal, "--distribution", f"{input},{output}")
    assert relative_error(spectrum, np.fft.fft(signal)) < 1e-14


@pytest.mark.parametrize("processes, count, distribution",
                         [more(1, 15, "cyclic"), (3, 360, "scrambled"), (4, 97, "block"), more(4, 97, "scrambled"),
                          more(8, 1024, "cyclic")])
def test_real_transforms_are_those_of_numpy_and_lead_back(tmp_path, processes, count, distribution):
    signal = random_signal(count, "float64")
    there, back = tmp_path / "there", tmp_path / "back"
    there.mkdir()
    back.mkdir()
    spectrum = transform(there, processes, signal, "--real", "--distribution", distribution)
    assert spectrum.shape == (count // 2 + 1,)
    assert relative_error(spectrum, np.fft.rfft(signal)) < 1e-14
    odd = ["--odd"] if count % 2 else []
    again = transform(back, processes, spectrum, "--real", "--inverse", *odd, "--distribution", distribution)
    assert again.dtype == np.float64
    assert relative_error(again, signal) < 1e-14


@pytest.mark.parametrize("grid, cut, shape, transposed", [
    more("ring:3", "slab", (6, 5), []), ("ring:4", "slab", (3, 8, 7), ["--transposed"]),
    ("torus:2x2", "pencil", (7, 9, 8), []), more("torus:3x2", "pencil", (7, 9, 8), []),
    more("torus:3x2", "pencil", (7, 9, 8), ["--transposed"])])
def test_arrays_are_transformed_as_numpy_does_and_lead_back(tmp_path, grid, cut, shape, transposed):
    processes = prod(map(int, grid.partition(":")[2].split("x")))
    options = ["--grid", grid, "--decomposition", cut, *transposed]
    signal = random_signal(shape, "complex128")
    assert relative_error(transform(tmp_path, processes, signal, *options), np.fft.fftn(signal)) < 1e-14
    assert relative_error(transform(tmp_path, processes, signal, *options, "--inverse"), np.fft.ifftn(signal)) < 1e-14
    real = signal.real.copy()
    half = transform(tmp_path, processes, real, *options, "--real")
    assert relative_error(half, np.fft.rfftn(real)) < 1e-14
    odd = ["--odd"] if shape[-1] % 2 else []
    assert relative_error(transform(tmp_path, processes, half, *options, "--real", "--inverse", *odd), real) < 1e-14


@pytest.mark.parametrize("processes, shape, boxes, options", [
    (4, (7, 9, 8), "2x1x2", []), (3, (61,), "3", []), more(4, (5, 6), "1x4", ["--transposed"]),
    (4, (7, 9, 8), "2x2x1", ["--transposed", "--threads", "2", "--process-grid", "2x2"]),
    more(8, (7, 9, 8), "2x2x2", ["--process-grid", "0x2"])])
def test_bricks_are_transformed_as_numpy_does_and_lead_back(tmp_path, processes, shape, boxes, options):
    options = ["--boxes", boxes, *options]
    signal = random_signal(shape, "complex128")
    assert relative_error(transform(tmp_path, processes, signal, *options), np.fft.fftn(signal)) < 1e-14
    assert relative_error(transform(tmp_path, processes, signal, *options, "--inverse"), np.fft.ifftn(signal)) < 1e-14
    half = transform(tmp_path, processes, signal.real.copy(), *options, "--real")
    assert relative_error(half, np.fft.rfftn(signal.real)) < 1e-14


@pytest.mark.parametrize("options", [["--repeat", "2"], ["--real", "--transposed", "--threads", "2"]])
def test_checks_all_arrays_of_a_batch(tmp_path, options):
    job = run(2, "cubefold-fft", "--lengths", "6x8x5", "--batch", "3", "--check", "--json", "report.json", *options,
              cwd=tmp_path)
    assert job.status == 0, job.out + job.err
    assert "transform of 3 arrays of 6 x 8 x 5 points" in job.out and ": right" in job.out
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["batch"] == 3 and "batch 3" in report["options"]


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_norms_are_those_of_numpy(tmp_path, norm):
    signal = random_signal((6, 8), "complex128")
    assert relative_error(transform(tmp_path, 2, signal, "--norm", norm), np.fft.fftn(signal, norm=norm)) < 1e-14
    assert relative_error(transform(tmp_path, 2, signal, "--norm", norm, "--inverse"),
                          np.fft.ifftn(signal, norm=norm)) < 1e-14


def test_cosines_keep_real_numbers_real_and_lead_back(tmp_path):
    signal = random_signal((6, 8, 5), "float32")
    lines = ["--real", "--lines", "redft10,rodft00,redft01"]
    spectrum = transform(tmp_path, 3, signal, *lines)
    assert spectrum.dtype == np.float32 and spectrum.shape == signal.shape
    assert relative_error(transform(tmp_path, 3, spectrum, *lines, "--inverse"), signal) < 1e-6
    plane = random_signal((6, 8), "float64")
    half = np.fft.rfft(plane)
    # A cosine sum is the Fourier sum of the numbers and their mirror image, shifted by half a number.
    shift = np.exp(-1j * np.pi * np.arange(6) / 12)[:, None]
    expected = shift * np.fft.fft(np.concatenate([half, half[::-1]]), axis=0)[:6]
    assert relative_error(transform(tmp_path, 3, plane, "--real", "--lines", "redft10,fourier"), expected) < 1e-14


@pytest.mark.parametrize("processes, count, name",
                         [more(1, 64, "block-cyclic"), (4, 1024, "block_cyclic"), more(8, 2048, "block-cyclic")])
def test_block_cyclic_transforms_are_those_of_numpy(tmp_path, processes, count, name):
    signal = random_signal(count, "complex128")
    spectrum = transform(tmp_path, processes, signal, "--distribution", name)
    assert relative_error(spectrum, np.fft.fft(signal)) < 1e-14


@pytest.mark.parametrize("shape", [more((9, 20)), more((4, 1, 6)), (5, 6, 7)])
def test_reads_arrays_in_fortran_order(tmp_path, shape):
    signal = np.asfortranarray(random_signal(shape, "float64"))
    spectrum = transform(tmp_path, 4, signal)
    assert np.load(tmp_path / "in.npy").flags.f_contiguous
    assert relative_error(spectrum, np.fft.fftn(signal)) < 1e-14
    assert relative_error(transform(tmp_path, 3, signal, "--real"), np.fft.rfftn(signal)) < 1e-14


@pytest.mark.parametrize("algorithm", ["transposed", "bluestein"])
def test_takes_the_algorithm_that_is_asked_for(tmp_path, algorithm):
    signal = random_signal(240, "complex128")
    assert relative_error(transform(tmp_path, 4, signal, "--algorithm", algorithm), np.fft.fft(signal)) < 1e-14


def test_inverse_is_that_of_numpy(tmp_path):
    spectrum = random_signal(4096, "complex128")
    np.save(tmp_path / "in.npy", spectrum)
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", "--inverse", "--check", cwd=tmp_path)
    assert job.status == 0, job.err
    assert relative_error(np.load(tmp_path / "out.npy"), np.fft.ifft(spectrum)) < 1e-14


@pytest.mark.parametrize("grid, placement", [("ring:4", "xor"), ("hypercube:2", "standard,bits=cyclic"),
                                             more("torus:4x2", "xor"), more("mesh:2x4", "standard,bits=cyclic"),
                                             more("hypercube:3", "gray"), more("line:8", "by-weight")])
def test_gives_the_same_on_every_grid(tmp_path, grid, placement):
    signal = random_signal(4096, "float64")
    np.save(tmp_path / "in.npy", signal)
    processes = 4 if (grid, placement) in [("ring:4", "xor"), ("hypercube:2", "standard,bits=cyclic")] else 8
    job = run(processes, "cubefold-fft", "--grid", grid, "--placement", placement, "--input", "in.npy", "--output",
              "out.npy", "--check", cwd=tmp_path)
    assert job.status == 0, job.err
    assert f"grid {grid}, placement {placement}" in job.out
    assert ": right" in job.out
    assert relative_error(np.load(tmp_path / "out.npy"), np.fft.fft(signal)) < 1e-14


def test_may_write_over_its_own_input(tmp_path):
    signal = random_signal(1024, "complex128")
    np.save(tmp_path / "data.npy", signal)
    assert run(2, "cubefold-fft", "--input", "data.npy", "--output", "data.npy", cwd=tmp_path).status == 0
    assert relative_error(np.load(tmp_path / "data.npy"), np.fft.fft(signal)) < 1e-14


@pytest.mark.parametrize("version", [more((1, 0)), (2, 0), (3, 0)])
def test_reads_every_version_of_the_format(tmp_path, version):
    signal = random_signal(1024, "float64")
    with open(tmp_path / "in.npy", "wb") as file:
        np.lib.format.write_array(file, signal, version=version)
    assert run_alone("cubefold-fft", "--input", "in.npy", "--output", "out.npy", cwd=tmp_path).status == 0
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
    job = run(4, "cubefold-fft", "--input", "in.npy", "--check", cwd=tmp_path,
              env={**preloaded("libcorrupt_messages.so"), "CUBEFOLD_ALLTOALL": "direct"})
    assert job.status == 1
    assert "WRONG" in job.out


def test_neither_nan_nor_huge_numbers_upset_the_report(tmp_path):
    np.save(tmp_path / "nan.npy", np.array([0.0, np.nan, 0, 0]))
    job = run(2, "cubefold-fft", "--input", "nan.npy", cwd=tmp_path)
    assert job.status == 0, job.err
    assert job.out.count("(nan)") == 4
    np.save(tmp_path / "huge.npy", 1e200 * random_signal(64, "float64"))
    job = run(2, "cubefold-fft", "--input", "huge.npy", "--check", cwd=tmp_path)
    assert job.status == 0, job.out
    assert ": right" in job.out


def test_follows_a_symbolic_link_to_its_output(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(64))
    (tmp_path / "real.npy").touch()
    (tmp_path / "link.npy").symlink_to("real.npy")
    assert run_alone("cubefold-fft", "--input", "in.npy", "--output", "link.npy", cwd=tmp_path).status == 0
    assert (tmp_path / "link.npy").is_symlink()
    assert np.load(tmp_path / "real.npy").shape == (64,)


@pytest.mark.parametrize("precision, signal, lengths, kind", [
    ("single", "tones", "2^10", []), more("double", "random", "2^10", []),
    more("single", "tones", "12x10", ["--real"]), ("double", "random", "12x10", ["--real"]),
    ("single", "tones", "6x5x9", ["--real", "--inverse"]), more("double", "random", "6x5x9", ["--real", "--inverse"]),
    more("single", "tones", "12x10", ["--inverse"]), ("double", "random", "12x10", ["--inverse"])])
def test_transforms_a_signal_of_its_own_too(tmp_path, precision, signal, lengths, kind):
    job = run(4, "cubefold-fft", "--lengths", lengths, *kind, "--precision", precision, "--signal", signal,
              "--check", "--json", "report.json", "--repeat", 2, cwd=tmp_path)
    assert job.status == 0, job.out + job.err
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["precision"] == precision
    assert len(report["transform"]["seconds"]) == 2
    assert report["energy_difference"] < (1e-5 if precision == "single" else 1e-13)


@pytest.fixture(scope="module")
def needs_fftw_mpi():
    skip_without_fftw_mpi(run_alone("cubefold-fft", "--lengths", "8", "--compare", "fftw"))


@pytest.mark.parametrize("options", [more(["--lengths", "4096"]),
                                     ["--lengths", "4096", "--distribution", "scrambled"],
                                     more(["--lengths", "4096", "--distribution", "cyclic", "--inverse"]),
                                     more(["--lengths", "4096", "--distribution", "scrambled", "--inverse"]),
                                     ["--lengths", "97", "--precision", "single"],
                                     more(["--lengths", "1000", "--real"]), more(["--lengths", "12x10"]),
                                     ["--lengths", "12x10", "--real", "--transposed"],
                                     ["--lengths", "5x6x7", "--real", "--inverse", "--precision", "single"],
                                     more(["--lengths", "16x8x4", "--inverse", "--transposed"])])
def test_agrees_with_fftw_mpi(needs_fftw_mpi, tmp_path, options):
    job = run(4, "cubefold-fft", *options, "--compare", "fftw", "--repeat", 3, "--json", "report.json", cwd=tmp_path)
    assert job.status == 0, job.out + job.err
    assert "they agree" in job.out
    report = json.loads((tmp_path / "report.json").read_text())
    assert len(report["compare"]["seconds"]) == 3
    assert report["compare"]["agrees"]


def test_agrees_with_fftw_mpi_on_one_process(needs_fftw_mpi):
    job = run_alone("cubefold-fft", "--lengths", "12x10", "--compare", "fftw")
    assert job.status == 0, job.out + job.err
    assert "they agree" in job.out


def test_comparison_notices_a_wrong_result(needs_fftw_mpi, tmp_path):
    job = run(4, "cubefold-fft", "--lengths", "4096", "--compare", "fftw", cwd=tmp_path,
              env={**preloaded("libcorrupt_messages.so"), "CUBEFOLD_ALLTOALL": "direct"})
    assert job.status == 1
    assert "they do NOT agree" in job.out


def test_explains_its_plan_without_transforming(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(4096))
    job = run(4, "cubefold-fft", "--input", "in.npy", "--distribution", "cyclic", "--explain", "--output", "out.npy",
              "--json", "plan.json", cwd=tmp_path)
    assert job.status == 0, job.err
    assert "exchange" in job.out
    assert "Gflop" not in job.out
    assert "exchange" in json.loads((tmp_path / "plan.json").read_text())["plan"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.npy", "plan.json"]


@pytest.mark.parametrize("algorithm, distribution", [("half-exchange", "cyclic"), ("binary-exchange", "block,cyclic")])
def test_transforms_by_butterflies(algorithm, distribution, tmp_path):
    signal = np.random.default_rng(5).random(4096) + 0j
    np.save(tmp_path / "in.npy", signal)
    job = run(4, "cubefold-fft", "--input", "in.npy", "--output", "out.npy", "--distribution", distribution,
              "--algorithm", algorithm, cwd=tmp_path)
    assert job.status == 0, job.err
    np.testing.assert_allclose(np.load(tmp_path / "out.npy"), np.fft.fft(signal), atol=1e-10)


def test_refuses_butterflies_that_do_not_fit(tmp_path):
    job = run(2, "cubefold-fft", "--lengths", "4096", "--algorithm", "half-exchange", cwd=tmp_path)
    assert job.status == 2
    assert len(job.complaints) == 1, job.err
    assert "no half-exchange of 4096 points on 2 processes from block to block" in job.err


def test_keeps_wisdom(tmp_path):
    for _ in range(2):
        job = run(2, "cubefold-fft", "--lengths", "4096", "--rigor", "measure", "--wisdom", "wisdom",
                  "--check", cwd=tmp_path)
        assert job.status == 0, job.err
        assert "fftw" in (tmp_path / "wisdom").read_text()
    (tmp_path / "wisdom").write_text("nonsense")
    job = run(2, "cubefold-fft", "--lengths", "4096", "--wisdom", "wisdom", cwd=tmp_path)
    assert job.status == 2
    assert len(job.complaints) == 1, job.err


def test_help_is_printed_once():
    expect_help("cubefold-fft")


@pytest.mark.parametrize("processes, grid, shape", [(4, "line:2", (8, 5, 4)), more(8, "torus:2x2", (60,)),
                                                    more(8, "torus:2x2", (8, 5, 4))])
def test_transforms_over_nodes_with_several_processes(tmp_path, monkeypatch, processes, grid, shape):
    monkeypatch.setenv("CUBEFOLD_ALLTOALL", "nodes:direct")
    signal = random_signal(shape, "complex128")
    spectrum = transform(tmp_path, processes, signal, "--grid", grid)
    assert relative_error(spectrum, np.fft.fftn(signal)) < 1e-14
    assert relative_error(transform(tmp_path, processes, spectrum, "--grid", grid, "--inverse"), signal) < 1e-14
