"""The symbols of counters: our own drawing, as data."""

from counters.symbols.symbol import (
    HEIGHT,
    UNKNOWN,
    WEIGHT,
    WIDTH,
    Box,
    Echelon,
    Symbol,
    SymbolGroup,
    draw_echelon,
    draw_symbol,
    echelon_width,
    echelons,
    find_echelon,
    find_symbol,
    symbols,
)

__all__ = [
    "HEIGHT",
    "UNKNOWN",
    "WEIGHT",
    "WIDTH",
    "Box",
    "Echelon",
    "Symbol",
    "SymbolGroup",
    "draw_echelon",
    "draw_symbol",
    "echelon_width",
    "echelons",
    "find_echelon",
    "find_symbol",
    "symbols",
]
