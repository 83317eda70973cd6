"""Make sample maps in a process where every function that machines round differently is barred.

`python exact_run.py NAME …` prints the SHA-256 of each file, as `python -m sample_maps.make`
does, or fails at the first call of such a function. IEEE 754 prescribes the result of + - * /,
of the square root and of rounding to whole numbers to the last bit; it does not for sines,
exponentials, powers, nor for sums whose order is the library's choice.
"""

import builtins
import math
import sys

import numpy as np

# Exact, or rounded correctly by the standard; fsum rounds once, whatever the order.
EXACT_MATH = {"ceil", "comb", "copysign", "fabs", "floor", "fmod", "frexp", "fsum", "gcd"}
EXACT_MATH |= {"isfinite", "isinf", "isnan", "isqrt", "ldexp", "modf", "sqrt", "trunc"}
OF_NOUGHT = {"cos", "sin", "radians"}  # of 0 they are exact everywhere: a grid that is not turned
EXACT_UFUNCS = {
    "absolute", "add", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "ceil",
    "conjugate", "copysign", "divide", "equal", "floor", "floor_divide", "greater",
    "greater_equal", "invert", "isfinite", "isinf", "isnan", "left_shift", "less", "less_equal",
    "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply",
    "negative", "not_equal", "positive", "remainder", "right_shift", "rint", "sign", "sqrt",
    "subtract", "true_divide", "trunc",
}  # fmt: skip
SUMS = ("average", "convolve", "cross", "cumsum", "dot", "einsum", "gradient", "inner", "interp")
SUMS += ("linspace", "mean", "nansum", "outer", "prod", "std", "sum", "tensordot", "trapezoid")
SUMS += ("var", "vdot")


def barred(name, allowed=None):
    """Return a function that fails when it is called, save where *allowed* lets it pass."""

    def call(*arguments, **options):
        if allowed is not None and arguments and arguments[0] == 0:
            return allowed(*arguments, **options)
        raise AssertionError(f"{name} is not the same on every machine")

    return call


def bar_all():
    """Bar everything that may round differently elsewhere."""
    for name, function in vars(math).copy().items():
        if callable(function) and name not in EXACT_MATH and not name.startswith("_"):
            setattr(math, name, barred(f"math.{name}", function if name in OF_NOUGHT else None))
    for name, function in vars(np).copy().items():
        if (isinstance(function, np.ufunc) and function.__name__ not in EXACT_UFUNCS) or (
            name in SUMS and callable(function)
        ):
            setattr(np, name, barred(f"numpy.{name}"))
    for module in (np.fft, np.linalg):
        for name in module.__all__:
            setattr(module, name, barred(f"{module.__name__}.{name}"))
    plain_sum = builtins.sum

    def sum_of_whole_numbers(values, start=0):
        values = list(values)
        if any(isinstance(value, float) for value in values):
            raise AssertionError("sum() of floats is not the same in every Python")
        return plain_sum(values, start)

    builtins.sum = sum_of_whole_numbers


if __name__ == "__main__":
    from sample_maps import make  # what is imported while nothing is barred stays as it is

    bar_all()
    sys.exit(make.main(["--check", "--jobs", "1", *sys.argv[1:]]))
