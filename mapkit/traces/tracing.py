"""Ask for a trace: the way to a source, or the obstacles to blame."""

from collections.abc import Iterable, Mapping

from mapkit.bitboards import Bits
from mapkit.hexes import Hex
from mapkit.traces.answers import Trace
from mapkit.traces.culprits import find_culprits
from mapkit.traces.obstacles import Blockade
from mapkit.traces.search import FindPath, path_finder


def trace(blockade: Blockade, start: Hex, sources: Bits) -> Trace:
    """Return the trace from one hex to any of the sources: its path, or its culprits."""
    return trace_from_any(blockade, blockade.route.board.bit(start), sources)


def trace_from_any(blockade: Blockade, starts: Bits, sources: Bits) -> Trace:
    """Return the trace from whichever of several hexes has the best."""
    return _trace(blockade, starts, sources, path_finder(blockade, sources))


def trace_each(blockade: Blockade, starts: Iterable[Hex], sources: Bits) -> Mapping[Hex, Trace]:
    """Return the trace of each of these hexes; cheaper than one by one."""
    bit, find = blockade.route.board.bit, path_finder(blockade, sources)
    return {start: _trace(blockade, bit(start), sources, find) for start in starts}


def _trace(blockade: Blockade, starts: Bits, sources: Bits, find: FindPath) -> Trace:
    if path := find(starts):
        return Trace("open", path)
    culprits = find_culprits(blockade, starts, sources)
    return Trace("cut", culprits=culprits) if culprits else Trace("no_way")
