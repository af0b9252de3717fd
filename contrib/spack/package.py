# This recipe was parsed and never built. Copy it to repos/spack_repo/builtin/packages/cubefold/package.py of
# spack-packages, and set `git` to the place of the sources.
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Cubefold(CMakePackage):
    """All-to-alls, FFTs and placements of ranks for clusters whose network is a torus, a mesh or a hypercube."""

    git = "file:///path/to/cubefold"

    # The owner of the project chooses its homepage.
    license("BSD-3-Clause", when="~fft")
    license("GPL-2.0-or-later", when="+fft")

    version("main", branch="main")

    variant("mpi", default=True, description="Exchanges over MPI")
    variant("fft", default=True, description="Transforms, which use FFTW and with it the GPL")
    variant("programs", default=True, description="The programs")
    variant("fortran", default=True, description="The Fortran modules")
    variant("python", default=False, description="The Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@9:")
    depends_on("libyaml")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("cli11@2.1:", type="build", when="+programs")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("fftw@3.3: precision=float,double", when="+fft")
    extends("python", when="+python")
    depends_on("python@3.8:", type=("build", "run"), when="+python")
    depends_on("python@3.8:", type="run", when="+programs+mpi")
    depends_on("py-pybind11@2.10:", type="build", when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")
    depends_on("py-mpi4py", type=("build", "run"), when="+python+mpi")

    conflicts("%gcc@:11", msg="C++20 of GCC 12 or later")
    conflicts("%clang@:13", msg="C++20 of clang 14 or later")
    conflicts("+fft", when="~mpi")
    conflicts("+fortran", when="~mpi")

    def cmake_args(self):
        options = ["mpi", "fft", "programs", "fortran", "python"]
        return [self.define("CUBEFOLD_TESTS", False),
                *[self.define_from_variant(f"CUBEFOLD_{name.upper()}", name) for name in options]]
