"""Saved games and logs of the engine: read without what is secret in them, and written."""
