"""Rules pack: Strafexpedition 1916."""
