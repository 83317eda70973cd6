"""Rules pack: Caporetto: The Italian Front 1917–18."""
