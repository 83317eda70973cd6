"""Rules at hand: our summaries, the owner's notes and books, found under any name."""
