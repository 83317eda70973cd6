"""The state of a whole map: every hex from which the trace is open, in a few floods."""

from mapkit.bitboards import Bits
from mapkit.traces.floods import Pace, flood_back
from mapkit.traces.obstacles import Blame, Blockade


def open_hexes(blockade: Blockade, sources: Bits, *, removed: Blame = 0) -> Bits:
    """Return the hexes from which a trace reaches any of the sources.

    It floods back from the sources, last leg first, so that one call answers for every unit on
    the map. Each hex is judged as the start of a trace: obstacles in the hex itself count only
    in legs whose start is not free. *removed* has bit *i* set to do without obstacle number *i*.
    """
    route = blockade.route
    grounds = blockade.grounds_without(removed) if removed else blockade.grounds
    seeds: tuple[Bits, ...] = (sources,)
    on_the_spot = sources  # hexes where a trace that starts there has no need of this leg
    starts = 0
    for leg, ground in zip(reversed(route.legs), reversed(grounds), strict=True):
        flooded = flood_back(Pace.of(leg, ground), ground, seeds, route.most_zones)
        starts = flooded.met | on_the_spot
        if not leg.start_is_free:
            starts &= ground.free
        on_the_spot = starts & leg.where_it_joins
        seeds = tuple(bits & leg.where_it_joins for bits in flooded.settled)
    return starts
