"""Positions: who stands where, kept by the same store as maps."""
