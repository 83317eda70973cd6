"""How long a user waits for `mapkit --help` and `import mapkit`, beside a bare Python.

The machine's mood cancels out in the last column: each is measured in turn
with `python -c pass`, and its best of five is told as a multiple of that.
"""

import os
import subprocess
import sys
import time

RUNS = 5
# A user's Python keeps what it compiled; a machine for tests may be told not to.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
BARE = ["-c", "pass"]
# What, its command line, the goal in seconds, and whether a bare start is taken off it.
MEASURED = [
    ("mapkit --help", ["-m", "mapkit.main", "--help"], 0.300, False),
    ("mapkit map --help", ["-m", "mapkit.main", "map", "--help"], 0.300, False),
    ("import mapkit", ["-c", "import mapkit"], 0.150, True),
]


def seconds(args: list[str]) -> float:
    """Return how long a fresh Python takes for *args*."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *args], stdout=subprocess.DEVNULL, env=ENV, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print the table."""
    print(f"{'what':<20}{'best of 5':>12}{'goal':>10}{'bare python':>14}{'multiple':>10}")
    for what, args, goal_s, take_off_start in MEASURED:
        seconds(args)  # compiles
        pairs = [(seconds(BARE), seconds(args)) for _ in range(RUNS)]
        bare_s = min(bare for bare, _ in pairs)
        whole_s = min(whole for _, whole in pairs)
        best_s = max(whole_s - bare_s, 0.0) if take_off_start else whole_s
        row = f"{what:<20}{best_s * 1000:>9.0f} ms{goal_s * 1000:>7.0f} ms{bare_s * 1000:>11.0f} ms"
        print(f"{row}{whole_s / bare_s:>10.1f}  {'ok' if best_s <= goal_s else 'OVER'}")


if __name__ == "__main__":
    main()
