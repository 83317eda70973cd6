"""Games of the engine and positions of a project: each read as the other."""
