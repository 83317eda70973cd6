"""Rules packs, projects, positions and the judges."""
