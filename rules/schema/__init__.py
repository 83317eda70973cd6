"""The schema of rules packs, one module for each part of the rules."""
