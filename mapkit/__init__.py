"""Hexes, grids, numbering and the map document: the centre of the house. Knows no game."""
