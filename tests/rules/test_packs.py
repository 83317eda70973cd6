"""Every pack, by registry: it reads, its layout answers its own question, strangers may add."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from mapkit.hexes import are_neighbours
from rules.errors import PackError
from rules.registry import find_pack, pack_names

OURS = ("caporetto-1917", "caporetto-front", "custoza", "durchbruch", "strafexpedition")


def test_the_five_games_are_there():
    assert set(OURS) <= set(pack_names())


GAMES = ("strafexpedition", "caporetto", "custoza", "durchbruch")
SHOWN = {"demo_steps.py"}  # the tour plays a game: it has to name one


def texts_in_code(path: Path) -> Iterator[str]:
    """Yield all names and texts of a module, but for docstrings and examples of commands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""  # a docstring: it tells, and decides nothing
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield "" if node.value.startswith("mapkit ") else node.value
        elif isinstance(node, ast.Name | ast.arg):
            yield node.id if isinstance(node, ast.Name) else node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def test_no_code_knows_a_game_by_its_name():
    house = Path(rules.__file__).parents[1]
    rooms = ("mapkit", "counters", "exporters", "rules")
    code = [path for room in rooms for path in sorted((house / room).rglob("*.py"))]
    assert len(code) > 100
    for path in code:
        written = path.read_text(encoding="utf-8").casefold()
        if "packs" in path.parts or path.name in SHOWN or not any(map(written.count, GAMES)):
            continue
        for text in texts_in_code(path):
            assert not any(game in text.casefold() for game in GAMES), f"{path}: {text}"


@pytest.mark.parametrize("name", pack_names())
def test_the_layout_answers_its_own_question(name):
    layout = find_pack(name).layout
    numbering = layout.numbering()
    assert layout.confirmed or layout.ask is not None
    if numbering is not None and layout.ask is not None:
        one, other = map(numbering.parse_label, (layout.ask.hex, layout.ask.touches))
        assert are_neighbours(one, other)


def test_a_game_nobody_has():
    with pytest.raises(PackError, match="no rules pack 'chess'; there is: caporetto-1917, "):
        find_pack("chess")


@pytest.fixture
def own_packs(tmp_path, monkeypatch):
    monkeypatch.setenv("MAPKIT_PACKS", str(tmp_path))
    yield tmp_path
    find_pack.cache_clear()


PACK = """
id = "skirmish"
title = "Skirmish at the Ford"
[layout]
order = "CCRR"
straight = "columns"
shoved = "even"
columns_run = "E"
rows_run = "S"
confirmed = true
cite = "2.1"
[terrain]
forest = {{ cite = "{cite}" }}
"""


def test_a_sixth_game_is_a_folder(own_packs):
    (own_packs / "skirmish").mkdir()
    (own_packs / "skirmish" / "pack.toml").write_text(PACK.format(cite="4.3"), encoding="utf-8")
    assert "skirmish" in pack_names()
    assert find_pack("skirmish").words("terrain") == {"forest"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PACK.format(cite="my guess"), "terrain.forest.cite: "),
        (PACK.format(cite="4.3").replace('id = "skirmish"', 'id = "other"'), "registered as"),
        (PACK.format(cite="4.3") + "colour = 3", "terrain.colour: "),
        ("id = ", "broken TOML"),
        ("id = " + "1" * 5000, "broken TOML"),
        (PACK.format(cite="4.3").replace('rows_run = "S"', 'rows_run = "E"'), "right angles"),
    ],
)
def test_a_pack_that_does_not_read_says_where(own_packs, text, message):
    (own_packs / "skirmish").mkdir()
    (own_packs / "skirmish" / "pack.toml").write_text(text, encoding="utf-8")
    with pytest.raises(PackError, match=message):
        find_pack("skirmish")


def test_a_folder_may_not_replace_a_pack_of_ours(own_packs):
    (own_packs / "custoza").mkdir()
    (own_packs / "custoza" / "pack.toml").write_text("nonsense", encoding="utf-8")
    assert find_pack("custoza").title.startswith("Custoza")
