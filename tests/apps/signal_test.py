"""NumPy reads the files of cubefold-signal."""

import subprocess

import numpy as np

from jobs import BUILD

SIGNAL = str(BUILD / "bin" / "cubefold-signal")


def test_writes_tones_at_the_bins_that_are_asked_for(tmp_path):
    path = tmp_path / "signal.npy"
    subprocess.run([SIGNAL, "--points", "4096", "--tones", "100,300", "--noise", "0", "--output", str(path)],
                   check=True)
    spectrum = np.abs(np.fft.fft(np.load(path)))
    assert set(np.argsort(spectrum)[-4:]) == {100, 300, 4096 - 100, 4096 - 300}
    np.testing.assert_allclose([spectrum[100], spectrum[300]], [2048, 1024], rtol=1e-12)


def test_writes_the_same_noise_every_time(tmp_path):
    for name in ["a.npy", "b.npy"]:
        subprocess.run([SIGNAL, "--points", "1000", "--output", str(tmp_path / name)], check=True)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def refused(*arguments):
    job = subprocess.run([SIGNAL, *arguments], capture_output=True, text=True, check=False)
    assert job.returncode == 2
    return job.stderr


def test_refuses_what_does_not_fit_in_one_line(tmp_path):
    assert refused() == "cubefold-signal: --output is required (see cubefold-signal --help)\n"
    missing = tmp_path / "no" / "signal.npy"
    assert refused("--output", str(missing)) == (
        f"cubefold-signal: {missing}: cannot create: No such file or directory\n")
    assert refused("--points", "0", "--output", "x").count("\n") == 1
    assert refused("--points", "1000000000000", "--output", "x").count("\n") == 1
    assert refused("--output", "/dev/full") == "cubefold-signal: /dev/full: cannot write: No space left on device\n"


def test_leaves_nothing_half_written_when_the_disk_is_full(tmp_path):
    job = subprocess.run(["sh", "-c", f'ulimit -f 100; exec "{SIGNAL}" --output out.npy'], cwd=tmp_path,
                         capture_output=True, text=True, check=False)
    assert job.returncode == 2
    assert job.stderr == "cubefold-signal: out.npy: cannot write 524416 bytes: File too large\n"
    assert list(tmp_path.iterdir()) == []
