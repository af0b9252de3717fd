"""The recipes of packages agree with the version and the SONAMEs of the build, and can be parsed."""

import ast
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
VERSION = re.search(r"project\(cubefold VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]
SONAME = ".".join(VERSION.split(".")[:2])
MODULECMD = next(iter(Path("/usr/lib").glob("*/modulecmd.tcl")), None)


def test_debian_packages_have_the_version_and_the_sonames_of_the_build():
    assert (SOURCE / "debian/changelog").read_text().startswith(f"cubefold ({VERSION}) ")
    packages = re.findall(r"^Package: (\S+)", (SOURCE / "debian/control").read_text(), re.MULTILINE)
    libraries = [name for name in packages if name.startswith("libcubefold-") and not name.endswith("-dev")]
    assert libraries != []
    for name in libraries:
        assert name.endswith(SONAME) and not name.removesuffix(SONAME)[-1].isdigit(), name
        module = name.removeprefix("libcubefold-").removesuffix(SONAME).replace("-", "_")
        assert f"libcubefold_{module}.so.*" in (SOURCE / f"debian/{name}.install").read_text()


def test_every_file_that_debian_installs_belongs_to_a_package():
    packages = re.findall(r"^Package: (\S+)", (SOURCE / "debian/control").read_text(), re.MULTILINE)
    assert {path.stem for path in (SOURCE / "debian").glob("*.install")} == set(packages)


def test_every_library_of_mpi_has_a_debian_package_for_both_flavours():
    libraries = set(re.findall(r"^Package: libcubefold-(\S+)0", (SOURCE / "debian/control").read_text(), re.MULTILINE))
    flavoured = {name.removesuffix("-mpich") for name in libraries if name.endswith("-mpich")}
    assert {"mpi", "fft", "fortran", "fft-fortran"} <= flavoured
    assert libraries == {"core"} | flavoured | {f"{name}-mpich" for name in flavoured}


def test_development_packages_of_both_flavours_have_the_same_files():
    files, for_mpich = [(SOURCE / f"debian/libcubefold{flavour}-dev.install").read_text() for flavour in ["", "-mpich"]]
    assert "mpich" not in files
    assert for_mpich.replace("_mpich", "").replace("-mpich", "") == files
    assert all("mpich" in line for line in for_mpich.splitlines())


def test_the_bare_debian_checks_all_programs_and_both_flavours():
    checks = (SOURCE / "tools/packages/checks.sh").read_text()
    programs = re.search(r"for program in cubefold cubefold-\{([\w,]+)\}", checks)[1].split(",")
    installed = re.findall(r"usr/bin/cubefold-(\S+)", "".join(
        path.read_text() for path in (SOURCE / "debian").glob("*.install")))
    assert sorted(programs) == sorted(installed)
    assert {'check_development MPICH mpich ""', 'check_development "Open MPI" "" ""'} <= {
        line.rpartition(' "mp')[0] for line in checks.splitlines()}


def test_recipes_are_python_that_says_that_it_was_only_parsed():
    recipes = [SOURCE / "contrib/spack/package.py", SOURCE / f"contrib/easybuild/cubefold-{VERSION}-foss-2023b.eb"]
    for recipe in recipes:
        text = recipe.read_text()
        assert text.startswith("# This recipe was parsed and never built."), recipe
        ast.parse(text)
    assert f"version = '{VERSION}'" in recipes[1].read_text()


def test_options_of_the_spack_recipe_are_those_of_the_build():
    known = "\n".join(path.read_text() for path in [SOURCE / "CMakeLists.txt", *(SOURCE / "cmake").glob("*.cmake")])
    names = re.search(r"options = (\[.*\])", (SOURCE / "contrib/spack/package.py").read_text())[1]
    for name in ast.literal_eval(names):
        assert f"option(CUBEFOLD_{name.upper()} " in known


@pytest.mark.skipif(MODULECMD is None, reason="environment-modules is not installed")
def test_the_module_file_finds_the_installation_that_it_lies_in(tmp_path):
    built = Path(os.environ["CUBEFOLD_BUILD"]) / "modulefile"
    folder = tmp_path / "share/cubefold/modulefiles/cubefold"
    folder.mkdir(parents=True)
    shutil.copy(built, folder / VERSION)
    done = subprocess.run([MODULECMD, "sh", "load", f"cubefold/{VERSION}"], capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "MODULEPATH": str(folder.parent)})
    assert done.returncode == 0, done.stderr
    settings = dict(re.findall(r"^(\w+)=([^;]*);", done.stdout, re.MULTILINE))
    assert settings["PATH"].split(":")[0].replace("\\:", ":") == f"{tmp_path}/bin"
    assert re.fullmatch(rf"{tmp_path}/lib/python3[.\d]*/(dist|site)-packages", settings["PYTHONPATH"])
    assert settings["PKG_CONFIG_PATH"].endswith("/pkgconfig")
