"""Rules pack: Durchbruch – The Austro-German attack at Caporetto, October 1917."""
