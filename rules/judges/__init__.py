"""The judges: pure functions from map, pack and question to a ruling."""
