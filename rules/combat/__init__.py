"""Combat worked out: strengths, columns, shifts, dice, odds and losses, by what a pack says."""
