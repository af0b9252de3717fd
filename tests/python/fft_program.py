"""Run by every process: the transforms of FFT, compared with numpy.fft."""

import numpy as np
from mpi4py import MPI

import cubefold

WORLD = MPI.COMM_WORLD
SHAPES = [(1,), (7,), (64,), (60,), (8, 8), (5, 6), (1, 9), (4, 4, 4), (6, 5, 7), (3, 2, 10)]
DTYPES = ["complex128", "complex64", "float64", "float32"]


def whole_array(shape, dtype):
    """Returns the same random numbers on every process."""
    random = np.random.default_rng(1)
    real = random.standard_normal(shape)
    return (real + 1j * random.standard_normal(shape) if dtype.startswith("c") else real).astype(dtype)


def spectrum_of(points):
    """numpy.fft computes in double precision."""
    return np.fft.fftn(points) if np.iscomplexobj(points) else np.fft.rfftn(points)


def slices_divide(fft, shape, forward_output):
    """Expects every point to be in the slices of exactly one process."""
    count = np.zeros(shape, int)
    count[fft.local_slice(forward_output)] = 1
    assert count[fft.local_slice(forward_output)].shape == fft.shape(forward_output)
    assert (WORLD.allreduce(count) == 1).all()


def transforms_equal_numpy(comm, shape, dtype):
    points = whole_array(shape, dtype)
    spectrum = spectrum_of(points)
    tolerance = 1e-5 if dtype in {"complex64", "float32"} else 1e-13
    with cubefold.FFT(comm, shape, dtype) as fft:
        slices_divide(fft, points.shape, False)
        slices_divide(fft, spectrum.shape, True)
        part = points[fft.local_slice(False)]
        own = fft.forward(part)
        assert own.dtype == np.result_type(dtype, "complex64")
        expected = spectrum[fft.local_slice()]
        assert np.abs(own - expected).max(initial=0) <= tolerance * np.abs(spectrum).max(), (shape, dtype)
        back = fft.backward(own)
        assert back.dtype == part.dtype and back.shape == part.shape
        assert np.abs(back - part).max(initial=0) <= tolerance * np.abs(points).max(), (shape, dtype)


def options_are_those_of_numpy(comm):
    """Compares axes, norms, batches and distributions with numpy.fft."""
    size = WORLD.size
    for dtype in DTYPES:
        tolerance = 1e-5 if dtype in {"complex64", "float32"} else 1e-13
        for shape, axes, options in [((3, 6, 8), (1, 2), {}), ((6, 8, 3), (0, 1), {"norm": "ortho"}),
                                     ((2, 3, 6, 8), (-2, -1), {"transposed_output": True, "threads": 2}),
                                     ((6, 5, 8), None, {"process_grid": (0, 1), "norm": "forward"}),
                                     ((6, 5, 8), (0, 1, 2), {"decomposition": "slab", "transposed_output": True})]:
            points = whole_array(shape, dtype)
            transform = np.fft.fftn if np.iscomplexobj(points) else np.fft.rfftn
            spectrum = transform(points, axes=axes, norm=options.get("norm"))
            with cubefold.FFT(comm, shape, dtype, axes, **options) as fft:
                slices_divide(fft, spectrum.shape, True)
                part = points[fft.local_slice(False)]
                own = fft.forward(part)
                expected = spectrum[fft.local_slice()]
                assert np.abs(own - expected).max(initial=0) <= tolerance * np.abs(spectrum).max(), (shape, options)
                out = np.empty_like(part)
                assert fft.backward(own, out=out) is out
                assert np.abs(out - part).max(initial=0) <= tolerance * np.abs(points).max(), (shape, options)
                strided = np.zeros(part.shape + (2,), part.dtype)[..., 0]  # a view that is not contiguous
                fft.backward(np.asfortranarray(own), out=strided)
                assert (strided == out).all()
    x, y = np.meshgrid(np.arange(6) + 0.5, np.arange(8) + 0.5, indexing="ij")
    wave = np.cos(np.pi * 2 * x / 6) * np.cos(np.pi * 3 * y / 8)  # redft10 has one value for it
    with cubefold.FFT(comm, (6, 8), "float64", line_transforms=("redft10", "redft10")) as fft:
        own = fft.forward(wave[fft.local_slice(False)])
        expected = np.zeros((6, 8))
        expected[2, 3] = 6 * 8
        assert own.dtype == np.float64 and np.allclose(own, expected[fft.local_slice()])
        assert np.allclose(fft.backward(own), wave[fft.local_slice(False)])
    points = whole_array((4, 6, 8), "complex128")
    with cubefold.FFT(comm, (6, 8), batch=4) as fft:
        own = fft.forward(points[fft.local_slice(False)])
        assert np.allclose(own, np.fft.fftn(points, axes=(1, 2))[fft.local_slice()])
    with cubefold.FFT(comm, (8 * size, 4, 4)) as fft:
        frozen = np.zeros(fft.shape(False), complex)
        frozen.flags.writeable = False
        refused_everywhere(lambda: fft.backward(np.zeros(fft.shape(), complex), out=frozen), "cannot be written to")
    for arguments, text in [({"norm": "none"}, "norm none is none of backward, ortho, forward"),
                            ({"decomposition": "brick"}, "decomposition brick is none of automatic, slab, pencil"),
                            ({"axes": (1, 0)}, "axes (1, 0) are not the first or the last ones of 3 in their order"),
                            ({"axes": (1,)}, "axes (1) are not the first or the last ones"),
                            ({"axes": (0,), "batch": 2}, "batch and axes exclude each other"),
                            ({"process_grid": (size + 1, 1)}, f"process_grid {size + 1}x1 is no grid of {size}"),
                            ({"line_transforms": ("dct",) * 3}, "line transform dct is none of fourier, redft00"),
                            ({"line_transforms": ("redft00",)}, "1 line_transforms for 3 axes"),
                            ({"threads": -1}, "threads -1 is negative")]:
        refused_everywhere(lambda given=arguments: cubefold.FFT(comm, (4, 4, 4), **given), text)


def boxes_are_those_of_the_program(comm):
    """Points come from columns of the array, and the last process gets the whole spectrum."""
    size, rank = WORLD.size, WORLD.rank
    for dtype in DTYPES:
        points = whole_array((3, 6, 2 * size), dtype)
        transform = np.fft.fftn if np.iscomplexobj(points) else np.fft.rfftn
        spectrum = transform(points, axes=(1, 2))
        columns = np.s_[:, :, 2 * rank : 2 * rank + 2]
        whole = np.s_[:, :, :] if rank == size - 1 else np.s_[:, :0, :]
        with cubefold.FFT(comm, points.shape, dtype, (1, 2), input_box=columns, output_box=whole) as fft:
            assert fft.local_slice(False) == tuple(slice(*s.indices(n)) for s, n in zip(columns, points.shape))
            part = points[columns]
            own = fft.forward(part)
            tolerance = 1e-5 if dtype in {"complex64", "float32"} else 1e-13
            assert own.shape == spectrum[whole].shape
            assert np.abs(own - spectrum[whole]).max(initial=0) <= tolerance * np.abs(spectrum).max()
            assert np.abs(fft.backward(own) - part).max(initial=0) <= tolerance * np.abs(points).max()
    no_slices = "is no tuple of 3 slices with steps of 1 that take batches whole"
    for box in [np.s_[:, :], np.s_[:, :, ::2], np.s_[:, :, 3], np.s_[:1, :, :], [slice(None)] * 3]:
        refused_everywhere(lambda b=box: cubefold.FFT(comm, (3, 6, 8), axes=(1, 2), input_box=b), no_slices)
    refused_everywhere(lambda: cubefold.FFT(comm, (6, 8), output_box=np.s_[:5, :] if rank == 0 else np.s_[:0, :]),
                       "output boxes have every point of the array once, but no box has point (5, 0)")


def refused_everywhere(call, text):
    """Expects an error with this text on all processes."""
    try:
        call()
    except (ValueError, RuntimeError) as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no error: {text}")


def mistakes_are_refused(comm):
    for shape, dtype, text in [((8,), "int32", "dtype int32 is none of float32"), ((8,), "none", "dtype none is none"),
                               ((8, 0), "complex128", "length 0 is not positive"),
                               ((-8,), "complex128", "length -8 is not positive"),
                               ((), "complex128", "0 dimensions are not 1 to 32"),
                               ((1,) * 33, "complex128", "33 dimensions are not 1 to 32")]:
        refused_everywhere(lambda s=shape, d=dtype: cubefold.FFT(comm, s, d), "cubefold_fft_create: ")
        refused_everywhere(lambda s=shape, d=dtype: cubefold.FFT(comm, s, d), text)
    with cubefold.FFT(comm, (16, 8)) as fft:
        right = np.zeros(fft.shape(), complex)
        refused_everywhere(lambda: fft.forward(np.zeros(3, complex)), "the array has the shape (3,), not (")
        refused_everywhere(lambda: fft.forward(right.real), "the array is float64, this plan takes complex128")
        mistaken = np.zeros((1, 1), complex) if comm.rank == 0 else right  # a mistake of one process
        refused_everywhere(lambda: fft.backward(mistaken), "the array has the shape (1, 1), not (")
        assert (fft.forward(right) == 0).all()
        assert fft.explain()
    refused_everywhere(lambda: fft.forward(right), "the cubefold_fft is NULL")


def main():
    grid = "torus:4x2" if WORLD.size == 8 else f"ring:{WORLD.size}"
    with cubefold.Comm(WORLD, grid) as comm:
        for shape in SHAPES:
            for dtype in DTYPES:
                transforms_equal_numpy(comm, shape, dtype)
        options_are_those_of_numpy(comm)
        boxes_are_those_of_the_program(comm)
        mistakes_are_refused(comm)
    if WORLD.allreduce(1) == WORLD.size and WORLD.rank == 0:
        print("right")


main()
