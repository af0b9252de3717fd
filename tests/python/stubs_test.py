"""The type stubs of the Python package have the functions and parameters that the package has."""

import ast
import os
import re
import sys
from pathlib import Path

import pytest

PACKAGE = Path(os.environ["CUBEFOLD_BUILD"]) / "python"
sys.path.insert(0, str(PACKAGE))
import cubefold  # noqa: E402


def functions_of(tree):
    """Yields the class or None, the name and the parameters of each function of the stubs."""
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef):
                yield (node.name if part is not node else None, part.name,
                       [word.arg for word in part.args.args if word.arg != "self"])


def parameters(function):
    """Returns the names of parameters in the first line of a docstring that pybind11 writes."""
    words = re.match(r"\w+\((.*)\) -> ", function.__doc__)[1]
    return [name for name in re.findall(r"(?:^|, )(\w+): ", words) if name != "self"]


STUBS = list(functions_of(ast.parse((PACKAGE / "cubefold/__init__.pyi").read_text())))


@pytest.mark.parametrize("owner, name, names", STUBS, ids=lambda value: str(value))
def test_a_function_of_the_stubs_is_one_of_the_package(owner, name, names):
    try:
        place = getattr(cubefold, owner) if owner else cubefold
    except ImportError:
        pytest.skip("the package was built without MPI")
    found = getattr(place, name)
    if not isinstance(found, property) and name not in ("__enter__", "__exit__"):
        assert parameters(found) == names


def test_the_stubs_have_all_names_of_the_package():
    stubs = {name for owner, name, _ in STUBS if owner is None} | {owner for owner, _, _ in STUBS if owner}
    assert stubs == set(cubefold.__all__)
