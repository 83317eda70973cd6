"""VASSAL: modules, saves and extensions for the engine of that name, version 3.7."""
