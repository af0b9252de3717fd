"""Signals for tests of transforms, and the error of a result against NumPy's."""

import numpy as np


def random_signal(shape, kind):
    generator = np.random.default_rng(np.prod(shape))
    signal = generator.uniform(-0.5, 0.5, shape)
    if kind.startswith("complex"):
        signal = signal + 1j * generator.uniform(-0.5, 0.5, shape)
    return signal.astype(kind)


def relative_error(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)
