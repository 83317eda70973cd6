"""The cards of Durchbruch against their text: tables cell by cell, modifiers, chart and notes."""

import re
from pathlib import Path

import pytest

import rules.packs
from rules.combat.inputs import read_terms
from rules.combat.look_up import look_up_check
from rules.judges.tables import Entry, TableJudge
from rules.lookup.rulebook import load_rulebook
from rules.registry import find_pack, pack_folder

SEED = Path(__file__).parents[4] / "shared" / "seeds" / "durchbruch.txt"
PACK = find_pack("durchbruch")
BOOK = load_rulebook(pack_folder("durchbruch"))
MORALE = ("morale_barrage", "morale_passage", "morale_combat", "morale_surrender")

the_seed = pytest.mark.skipif(
    not SEED.is_file(), reason=f"the text of the cards is not beside this project: {SEED}"
)


def rows_of(heading: str) -> list[list[str]]:
    """Return the rows of a printed table, cell by cell, up to the next empty line."""
    lines = SEED.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(heading))
    end = next(i for i in range(start, len(lines)) if not lines[i])
    return [[cell.strip() for cell in line.split("\t")] for line in lines[start + 1 : end]]


@the_seed
@pytest.mark.parametrize(
    ("name", "heading"), [("barrage", "BARRAGE TABLE"), ("combat", "COMBAT TABLE")]
)
def test_every_cell_is_the_printed_one(name, heading):
    table = PACK.tables[name]
    printed = {row[0]: tuple(row[1:]) for row in rows_of(heading) if row[0].isdecimal()}
    assert printed == table.rows
    head = next(row for row in rows_of(heading) if row[-1].endswith("+"))
    assert tuple(cell.replace(" ", "") for cell in head[1:]) == table.columns


@the_seed
@pytest.mark.parametrize("check", MORALE)
def test_morale_passes_where_the_card_says_passed(check):
    printed = {
        row[0]: row[1:] for row in rows_of("MORALE Check Table") if re.match(r"\d+-\d+", row[0])
    }
    assert len(printed) == 5
    for spans, cells in printed.items():
        low, *_, high = map(int, spans.split("-"))
        for quality, cell in zip(("elite", "veteran", "normal", "rookie"), cells, strict=True):
            shown, _ = look_up_check(PACK.checks[check], {}, by=quality)
            for face in shown or ():
                if low <= face.rolled <= high:
                    assert face.result.startswith(cell.lower()), (quality, face.rolled)


@the_seed
def test_the_bridges_go_up_as_the_card_says():
    check = PACK.checks["blow_bridge"]
    for told, span in rows_of("BLOWING BRIDGE"):
        turns = re.findall(r"\d+", told)
        for turn in {turns[0], turns[-1]}:
            shown, _ = look_up_check(check, {}, by=turn)
            blown = [face.rolled for face in shown or () if face.result == "blown"]
            assert (blown[0], blown[-1]) == tuple(map(int, span.split("-")))


@the_seed
@pytest.mark.parametrize(
    ("heading", "amounts"),
    [
        ("Column Shifts:", PACK.tables["barrage"].shifts),
        ("Die Roll Modifier", PACK.tables["barrage"].drms),
        ("COLUMN MODIFIERS:", PACK.tables["combat"].shifts),
    ],
)
def test_every_printed_modifier_has_its_amount(heading, amounts):
    """The chart adds a few of its own; a line for village or trench is two of ours."""
    lines = [" ".join(row) for row in rows_of(heading)]
    found = [re.search(r"(?<![\w-])([+-]) ?(\d)(?!\d|-)", line) for line in lines]
    printed = sorted(int(one[1] + one[2]) for one in found if one and "MAXIMUM" not in one.string)
    ours = sorted(one.amount for one in amounts.values() if one.cite != "TEC")
    if heading == "Column Shifts:":
        printed = sorted([*printed, -1])
    assert printed == ours


@the_seed
def test_every_modifier_of_morale_has_its_amount():
    printed = [int(row[0].split()[1].rstrip(":")) for row in rows_of("DIE ROLL MODIFIERS:\t")]
    ours = {
        word: one.amount
        for check in MORALE
        for word, one in PACK.checks[check].drms.items()
        if one.cite == "Table 3"
    }
    del ours["town"], ours["own_trench"]  # one line with the village
    assert sorted(printed) == sorted(ours.values())


@the_seed
def test_the_defensive_values_of_terrain_are_told():
    (entry,) = BOOK.find("Table 1 Terrain defensive value")
    rows = [row for row in rows_of("TERRAIN DEFENSIVE VALUE") if "defense" in row[0]]
    assert len(rows) == 3
    for row in rows:
        assert ", ".join(row[1:]) in entry.summary


@the_seed
def test_every_line_and_note_of_the_terrain_chart_has_an_entry():
    lines = SEED.read_text(encoding="utf-8").splitlines()
    chart = lines[lines.index("Terrain effects chart") : lines.index("BLOWING BRIDGE\t")]
    start = next(i for i, line in enumerate(chart) if line.startswith("Terrain Type"))
    rows = [line for line in chart[start + 1 :] if "\t" in line]
    notes = [line for line in chart[start + 1 :] if line.strip() and "\t" not in line]
    terms = [entry.term for entry in BOOK.find("TEC") if entry.term]
    assert len([term for term in terms if not term.startswith("Note")]) == len(rows) == 16
    assert [term.removeprefix("Note ") for term in terms if term.startswith("Note")] == [
        note.split()[0].replace("\\", "") for note in notes
    ]


@pytest.mark.parametrize(
    ("group", "word", "class_", "price"),
    [
        ("terrain", "plain", "foot", 1),
        ("terrain", "hill", "foot", 2),
        ("terrain", "mountain", "foot", 3),
        ("terrain", "mountain", "mountain", 2),
        ("terrain", "mountain", "assault", 2),
        ("terrain", "rocky", "mountain", 3),
        ("terrain", "rocky", "infantry", "never"),
        ("terrain", "rocky", "artillery", "never"),
        ("features", "village", "foot", 1),
        ("features", "town", "foot", 1),
        ("hexsides", "pontoon_bridge", "foot", 1),
        ("hexsides", "pontoon_bridge", "artillery", "never"),
        ("hexsides", "bridge", "foot", 0),
        ("hexsides", "bridge", "artillery", 0),
    ],
)
def test_the_prices_of_the_chart(group, word, class_, price):
    assert getattr(PACK, group)[word].costs[class_] == price


@pytest.mark.parametrize(("water", "price"), [("stream", 1), ("isonzo", 3)])
def test_foot_wades_at_the_price_of_the_chart_and_guns_never(water, price):
    rule = PACK.movement.sides[water]
    assert (rule.only, rule.cost, rule.opened_by) == (
        ("foot",),
        price,
        ("bridge", "pontoon_bridge"),
    )
    assert rule.closed_to == {"pontoon_bridge": ("artillery",)}


def test_a_bare_number_is_for_those_who_are_neither_halved_nor_quartered():
    combat = PACK.combat["combat"]
    assert read_terms(combat, "attack", ["8"]) == {"strength": 8}
    assert read_terms(combat, "defend", ["3", "halved=2"]) == {"strength": 3, "halved": 2}


def test_roads_cost_half_a_point_and_trails_to_mountain_infantry():
    assert {str(price) for price in PACK.links["road"].costs.values()} == {"1/2"}
    assert {class_: str(price) for class_, price in PACK.links["trail"].costs.items()} == {
        "mountain_infantry": "1/2",
        "foot": "1",
        "artillery": "1",
    }


@pytest.mark.parametrize(
    ("table", "by", "said", "roll", "verdict"),
    [
        pytest.param("morale_barrage", "veteran", ["ooc1"], 6, "failed", id="D-H9"),
        pytest.param("blow_bridge", "3", [], 4, "blown", id="D-H10"),
        ("blow_bridge", "1", [], 3, "it stands"),
        ("blow_bridge", "10", [], 5, "blown"),
        ("morale_barrage", "veteran", [], 6, "passed"),
        ("morale_barrage", "elite", ["m2"], 5, "failed"),
        ("morale_barrage", "normal", ["village", "own_trench"], 7, "passed"),
        ("morale_barrage", "rookie", ["village", "own_trench"], 8, "failed"),
        ("morale_passage", "normal", ["infantry_at_task"], 9, "failed"),
        ("morale_passage", "normal", ["engineers_at_task"], 9, "passed"),
        ("morale_combat", "veteran", ["no_mountain_unit", "pinned"], 7, "failed"),
        ("morale_surrender", "rookie", ["ooc2", "hq"], 10, "failed"),
        ("morale_surrender", "rookie", ["ooc2", "hq"], 11, "passed"),
    ],
)
def test_checks_by_class_or_turn(table, by, said, roll, verdict):
    entry = Entry(said=dict.fromkeys(said), roll=roll, by=by)
    assert TableJudge(PACK).rule(table, entry).verdict.startswith(verdict)


@pytest.mark.parametrize("check", MORALE)
def test_the_four_occasions_share_one_table(check):
    ours, first = PACK.checks[check], PACK.checks[MORALE[0]]
    assert ours.threshold == first.threshold
    shared = set(ours.drms) & set(first.drms)
    assert len(shared) == 8 if check != MORALE[0] else 10
    assert {word: ours.drms[word] for word in shared} == {word: first.drms[word] for word in shared}


def test_every_tag_is_a_word_of_the_pack_or_explained_on_top():
    head = (Path(rules.packs.__file__).parent / "durchbruch" / "rules.toml").read_text("utf-8")
    listed = set(re.findall(r"\w+", head.split("[[rule]]")[0]))
    ground = PACK.words("terrain") | PACK.words("features") | PACK.words("links")
    for entry in BOOK.rules:
        assert set(entry.units) <= PACK.groups & listed, entry.id
        assert set(entry.terrain) <= ground, entry.id
        assert set(entry.hexsides) <= PACK.words("hexsides"), entry.id
        assert set(entry.tables) <= {"Table 1", "Table 2", "Table 3", "Table 4", "TEC", "Set-up"}
