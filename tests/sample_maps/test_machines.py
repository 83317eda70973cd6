"""The generator gives the same bytes on other machines: what can be shown of that on one."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sample_maps
from sample_maps.catalogue import SAMPLES

HERE = Path(__file__).parent
PACKAGE = Path(sample_maps.__file__).parent
GENERATOR = sorted(
    [*PACKAGE.glob("places/*.py")]
    + [
        PACKAGE / f"{module}.py"
        for module in (
            "build", "catalogue", "curves", "dice", "fields", "fronts", "gazetteer", "land",
            "library", "make", "outlines", "rivers", "roads", "saddles", "steps", "tangles",
            "terrain", "towns",
        )
    ]
)  # fmt: skip

# Each of these takes one choice out of one operand, or rearranges: no rounding at all. Sums,
# products, quotients and square roots are rounded as IEEE 754 prescribes.
NUMPY = {
    "abs", "arange", "argmax", "argmin", "array", "bool_", "clip", "concatenate", "flatnonzero",
    "float64", "floor", "full", "full_like", "inf", "int64", "maximum", "minimum", "nonzero",
    "ones_like", "pad", "random", "repeat", "rint", "searchsorted", "sqrt", "uint64",
    "unravel_index", "where", "zeros", "zeros_like",
}  # fmt: skip
SUMMING = {"cumsum", "dot", "mean", "prod", "std", "sum", "trace", "var"}
OTHER_MATHS = {"cmath", "decimal", "random", "scipy", "shapely", "statistics", "time"}


def run(*command, **environment):
    """Run a child of its own, and return what it says."""
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def simd():
    """Return the processor features that numpy uses here beyond its least."""
    from numpy._core import _multiarray_umath as core

    return [name for name in core.__cpu_dispatch__ if core.__cpu_features__.get(name)]


def old_processor():
    """Return an environment in which numpy, BLAS and libm know no modern processor."""
    caps = ",".join(f"-{name}" for name in ("AVX2", "AVX2_Usable", "FMA", "FMA_Usable", "FMA4"))
    return {
        "NPY_DISABLE_CPU_FEATURES": " ".join(simd()),
        "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={caps}",
        "OPENBLAS_CORETYPE": "Prescott",
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }


CONDITIONS = [
    pytest.param(old_processor, id="an old processor"),
    pytest.param(
        lambda: {"PYTHONHASHSEED": "4242", "OMP_NUM_THREADS": "7", "OPENBLAS_NUM_THREADS": "7"},
        id="other hashes and threads",
    ),
    pytest.param(
        lambda: {"PYTHONHASHSEED": "99", "LC_ALL": "C", "TZ": "Asia/Kolkata", "MAPKIT_LANG": "de"},
        id="another place",
    ),
]


@pytest.mark.parametrize("environment", CONDITIONS)
def test_a_small_map_is_the_committed_one_in_other_surroundings(environment):
    run("-m", "sample_maps.make", "--check", "valley_guns", **environment())


@pytest.mark.slow
@pytest.mark.parametrize("environment", CONDITIONS[:2])
def test_all_maps_are_the_committed_ones_in_other_surroundings(environment):
    told = run("-m", "sample_maps.make", "--check", **environment())
    assert len(told.splitlines()) == 2 * len(SAMPLES)


def test_a_small_map_needs_no_function_that_machines_round_differently():
    assert len(run(str(HERE / "exact_run.py"), "valley_guns").splitlines()) == 2


@pytest.mark.slow
def test_no_map_needs_a_function_that_machines_round_differently():
    told = run(str(HERE / "exact_run.py"))
    assert len(told.splitlines()) == 2 * len(SAMPLES)


@pytest.mark.parametrize(
    "code",
    ["np.exp(np.ones(3))", "math.sin(0.5)", "np.dot([1.0], [2.0])", "sum([0.5, 0.25])",
     "np.linalg.inv(np.eye(2))", "math.pow(2.0, 0.5)", "np.power(np.ones(2), 0.5)"],
)  # fmt: skip
def test_the_bar_would_be_felt(code):
    lines = "import math, numpy as np, exact_run; exact_run.bar_all()"
    failed = subprocess.run(
        [sys.executable, "-c", f"{lines}\n{code}"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "AssertionError" in failed.stderr


def test_the_modules_of_the_generator_are_all_looked_at():
    code = (
        "import sys, sample_maps.make\n"
        "print(*(m for m in sys.modules if m.startswith('sample_maps.')))"
    )
    loaded = {name for name in run("-c", code).split() if name != "sample_maps.places"}
    looked_at = {
        ".".join(("sample_maps", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in GENERATOR
        if path.name != "__init__.py"
    }
    assert loaded == looked_at


@pytest.mark.parametrize("path", GENERATOR, ids=lambda path: path.stem)
def test_a_module_of_the_generator_uses_exact_arithmetic_only(path):
    assert list(inexact(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "code",
    ["np.exp(x)", "x ** 0.5", "x ** 2", "a @ b", "x.sum()", "import math\nmath.sin(1)",
     "from math import hypot", "import random", "np.linalg.inv(x)", "np.random.default_rng(1)"],
)  # fmt: skip
def test_inexact_arithmetic_would_be_found(code):
    assert list(inexact(ast.parse(code)))


def inexact(tree):
    """Yield what in a module may differ from machine to machine, as words with a line."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.Pow(), left=left) if not _is_two(left):
                yield f"{node.lineno}: a power"
            case ast.BinOp(op=ast.MatMult()):
                yield f"{node.lineno}: a matrix product"
            case ast.Attribute(value=ast.Name(id="np"), attr=name) if name not in NUMPY:
                yield f"{node.lineno}: np.{name}"
            case ast.Attribute(value=ast.Attribute(attr="random"), attr=name) if name != "PCG64":
                yield f"{node.lineno}: random.{name}"
            case ast.Call(func=ast.Attribute(attr=name)) if name in SUMMING:
                yield f"{node.lineno}: .{name}()"
            case ast.Import(names=names) if any(_is_other(n.name) for n in names):
                yield f"{node.lineno}: import {names[0].name}"
            case ast.ImportFrom(module=str(module), names=names) if _is_other(module) and [
                n.name for n in names
            ] != ["fsum"]:
                yield f"{node.lineno}: from {module}"


def _is_two(node):
    return isinstance(node, ast.Constant) and node.value == 2 and isinstance(node.value, int)


def _is_other(module):
    return module.split(".")[0] in OTHER_MATHS | {"math"}


def test_a_field_is_rounded_before_it_decides():
    """Even if a last bit differed, no hex would change: what decides lies on a coarse grain."""
    from sample_maps.fields import GRAIN, settled

    field = np.arange(4000.0) * 0.00173 - 3
    nudged = np.nextafter(field, np.inf)
    middle = np.abs(field / GRAIN - np.floor(field / GRAIN) - 0.5) > 1e-6
    assert middle.sum() > 3900
    assert (settled(field) == settled(nudged))[middle].all()
