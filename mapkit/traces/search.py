"""One path: the best way of a trace to a source, with its running cost.

Which path is best is settled to the last tie, so that two people get the same one:

1. the first leg as short as can be, then the second, and so on: short in points and then in
   hexes where the leg limits points, else in hexes;
2. among equals the path that takes the lower direction where they first part (see `hexes`);
3. of several starts the one with the lowest bit.
"""

from collections.abc import Callable
from fractions import Fraction

from mapkit.bitboards import Bits
from mapkit.traces import labels
from mapkit.traces.answers import Path, Step
from mapkit.traces.charts import Chart, Walk, is_plain
from mapkit.traces.network import board_steps
from mapkit.traces.obstacles import Blockade

FindPath = Callable[[Bits], Path | None]


def find_path(blockade: Blockade, starts: Bits, sources: Bits) -> Path | None:
    """Return the best path from any of the starts to any of the sources."""
    return path_finder(blockade, sources)(starts)


def path_finder(blockade: Blockade, sources: Bits) -> FindPath:
    """Return a function that finds the best path from any starts, to ask for many units."""
    if is_plain(blockade):
        best_walk = Chart(blockade, sources).best_walk
    else:

        def best_walk(starts: Bits) -> Walk | None:
            return labels.best_walk(blockade, starts, sources)

    def find(starts: Bits) -> Path | None:
        walk = best_walk(starts)
        return walk and _told(blockade, walk)

    return find


def _told(blockade: Blockade, walk: Walk) -> Path:
    """Walk a path again, writing down what each step cost."""
    route = blockade.route
    offsets = board_steps(route.board)
    (here,) = route.board.hexes(1 << walk.start)
    legs = [leg for _, leg in walk.steps] or [len(route.legs) - 1]
    told = [Step(here, route.legs[legs[0]].name)]
    at = walk.start
    for direction, number in walk.steps:
        leg, ground, before = route.legs[number], blockade.grounds[number], told[-1]
        network = leg.first_step if len(told) == 1 else leg.network
        cost = Fraction(network.price(at, direction) or 0, network.parts)
        at += offsets[direction]
        goes_on = before.leg == leg.name
        told.append(
            Step(
                before.hex.step(direction),
                leg.name,
                cost,
                (before.leg_hexes if goes_on else 0) + 1,
                (before.leg_points if goes_on else 0) + cost,
                before.points + cost,
                before.zones + (ground.zone >> at & 1),
            )
        )
    return Path(tuple(told))
