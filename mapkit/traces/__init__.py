"""Traces over hexes and links: supply and command lines, who cuts them, and movement."""

from mapkit.traces.answers import Culprits, Path, Step, Trace
from mapkit.traces.culprits import find_culprits
from mapkit.traces.legs import Leg, Route
from mapkit.traces.movement import Movement, Toll, Way
from mapkit.traces.moves import Move, moves_to
from mapkit.traces.network import WHOLE, Network, NoWay, map_edge
from mapkit.traces.obstacles import Block, Blockade, Obstacle, zone_around
from mapkit.traces.reach import Arrival, Reach, movement_reach
from mapkit.traces.refusals import Refusal, Why, refused, why_not
from mapkit.traces.search import find_path, path_finder
from mapkit.traces.tracing import trace, trace_each, trace_from_any
from mapkit.traces.whole_map import open_hexes

__all__ = [
    "WHOLE",
    "Arrival",
    "Block",
    "Blockade",
    "Culprits",
    "Leg",
    "Move",
    "Movement",
    "Network",
    "NoWay",
    "Obstacle",
    "Path",
    "Reach",
    "Refusal",
    "Route",
    "Step",
    "Toll",
    "Trace",
    "Way",
    "Why",
    "find_culprits",
    "find_path",
    "map_edge",
    "movement_reach",
    "moves_to",
    "open_hexes",
    "path_finder",
    "refused",
    "trace",
    "trace_each",
    "trace_from_any",
    "why_not",
    "zone_around",
]
