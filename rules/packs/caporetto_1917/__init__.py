"""Rules pack: Caporetto 1917 – La Grande Guerra III."""
