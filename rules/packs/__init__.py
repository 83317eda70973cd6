"""The games, one folder each: data only."""
