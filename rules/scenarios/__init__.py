"""Scenarios as data: set-ups, arrivals, placements, victory, and the sequence of play."""
