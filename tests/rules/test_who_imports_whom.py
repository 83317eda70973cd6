"""Rooms of the rules that must not look back at those built upon them."""

import ast
from pathlib import Path

import pytest

import rules

HOUSE = Path(rules.__file__).parent
BELOW = [
    ("scenarios", "rules.positions", "positions are begun from scenarios"),
    ("scenarios", "rules.judges", "judges read scenarios"),
    ("judges", "rules.turns", "the turn keeper asks the judges"),
    ("positions", "rules.turns", "the turn keeper changes positions"),
    ("certificates.py", "rules.ruling_page", "pages are made of certificates"),
]


@pytest.mark.parametrize(("room", "above", "why"), BELOW)
def test_nothing_looks_back(room, above, why):
    place = HOUSE / room
    for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                named = [node.module or "", *(f"{node.module}.{one.name}" for one in node.names)]
            elif isinstance(node, ast.Import):
                named = [one.name for one in node.names]
            else:
                continue
            back = [name for name in named if f"{name}.".startswith(f"{above}.")]
            assert not back, f"{path.name} imports {back[0]}: {why}"
