"""A drawn map laid on a table: labels in, labels out."""

from mapkit.bitboards import Board
from mapkit.hexes import Hexside
from mapkit.traces import Block, Network, Obstacle, zone_around
from tests.boards import board


class Table:
    """A map with its board, its links by kind and the enemies one puts on it."""

    def __init__(self, *rows, **kinds):
        self.map = board(*rows, **kinds)
        self.board = Board.of_map(self.map)
        self.open = Network.open(self.board)

    def hex(self, label):
        return self.map.hex(label)

    def bits(self, labels):
        return self.board.of_labels(labels.split(), self.map)

    def links(self, *kinds):
        wanted = set(kinds)
        found = self.map.links.items()
        return [link for link, on in found if wanted & {feature.kind for feature in on}]

    def has(self, kind, here, there):
        features = self.map.hexsides.get(Hexside.between(here, there), ())
        return any(feature.kind == kind for feature in features)

    def unit(self, label, *, id_="", within=None, **block):
        """An enemy that occupies its hex and controls the six around it."""
        zone = zone_around(self.board, self.hex(label), within=within)
        return Obstacle(id_ or label, (Block(self.bits(label), zone, **block),))

    def path(self, found):
        return " ".join(map(self.map.label, found.hexes)) if found else None
