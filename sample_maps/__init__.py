"""Invented sample maps with known truth, and the generator that makes them."""

from sample_maps.library import load, names

__all__ = ["load", "names"]
