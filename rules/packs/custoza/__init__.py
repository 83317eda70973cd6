"""Rules pack: Custoza – Fields of Doom."""
