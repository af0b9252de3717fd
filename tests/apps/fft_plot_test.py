"""Tests of the pictures of cubefold-fft."""

import re
from xml.etree import ElementTree

import numpy as np

from jobs import run
from signals import random_signal


def plot(folder, processes, *options):
    job = run(processes, "cubefold-fft", *options, "--plot", "out.svg", cwd=folder)
    assert job.status == 0, job.err
    return ElementTree.parse(folder / "out.svg").getroot()


SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [t.text for t in svg.iter(f"{SVG}text")]


def curve_tops(svg):
    """Returns the heights of the columns, from the path M x V y H x V y H x ... Z."""
    [path] = [p for p in svg.iter(f"{SVG}path") if p.get("class") == "curve"]
    heights = [float(y) for y in re.findall(r"V([\d.]+)H", path.get("d"))]
    bottom = float(re.match(r"M[\d.]+ ([\d.]+)", path.get("d")).group(1))
    return [bottom - height for height in heights]


def test_draws_every_peak_of_a_long_spectrum(tmp_path):
    count = 36000
    signal = np.ones(count, dtype=complex)
    signal += 0.01 * np.exp(2j * np.pi * np.arange(count) / count * 12345)
    np.save(tmp_path / "in.npy", signal + 1e-6 * random_signal(count, "complex128"))
    svg = plot(tmp_path, 3, "--input", "in.npy", "--distribution", "cyclic")
    tops = curve_tops(svg)
    assert len(tops) == 720
    assert sorted(range(720), key=lambda i: -tops[i])[:2] == [0, 12345 * 720 // count]
    assert "Spectrum of in.npy" in texts(svg)
    assert "frequency" in texts(svg)


def test_draws_planes_as_heat_maps(tmp_path):
    array = np.zeros((3, 40, 300), dtype=complex)
    array[1, 20, 150] = 1
    np.save(tmp_path / "in.npy", np.fft.fftn(array))
    levels = {}
    for slice in [0, 1]:
        svg = plot(tmp_path, 2, "--input", "in.npy", "--inverse", "--slice", slice)
        assert any(f"plane {slice} of 3" in t for t in texts(svg))
        levels[slice] = {p.get("class") for p in svg.iter(f"{SVG}path")}
    assert "level-15" in levels[1]
    path = [p for p in svg.iter(f"{SVG}path") if p.get("class") == "level-15"]
    assert path[0].get("d") == f"M{150 * 128 // 300} 20h1v1h-1z"


def test_draws_zeros(tmp_path):
    np.save(tmp_path / "in.npy", np.zeros(64))
    assert max(curve_tops(plot(tmp_path, 1, "--input", "in.npy"))) == 0
