"""Every table of every pack, by registry; tables of other shapes; tables their owner enters."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from rules.combat.look_up import column_rows, look_up, look_up_check
from rules.combat.odds import odds
from rules.combat.result_words import parse_result
from rules.combat.table_check import halves
from rules.errors import RulesError
from rules.judges.combat import CombatJudge, Fight
from rules.judges.tables import Entry, TableJudge
from rules.owner import OwnerError, OwnerFile, load_owner, pack_with_owner
from rules.pack import Pack
from rules.registry import find_pack, pack_folder, pack_names
from rules.schema.cites import CITE
from rules.schema.dice import totals_of
from rules.schema.tables import Check, Table
from tests.rules.combat.invented import COLUMNS, ENTERED, FIRE_COLUMNS, ROWS, entered

TABLES = [
    pytest.param(game, name, id=f"{game}: {name}")
    for game in pack_names()
    for name in find_pack(game).tables
]
CHECKS = [
    pytest.param(game, name, id=f"{game}: {name}")
    for game in pack_names()
    for name in find_pack(game).checks
]
DOSSIER = Path(__file__).parents[4] / "shared" / "dossiers" / "data" / "tables.json"


# A contract over all packs


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_a_table_is_whole_or_asked_for(game, name):
    pack = find_pack(game)
    table = pack.tables[name]
    asked = {key for one in pack.missing.values() for key in one.keys}
    if table.is_complete:
        grammar = pack.results[table.results]
        for cells in table.rows.values():
            assert len(cells) == len(table.columns or ("",))
            for cell in cells:
                for half in halves(table, cell):
                    parse_result(grammar, half)
    else:
        parts = ("rows",) if table.kind == "single" else ("columns", "rows")
        assert {f"tables.{name}.{part}" for part in parts} <= asked
    for part in ("shifts", "drms"):
        for word, one in getattr(table, part).items():
            field = "by_value" if one.valued else "amount"
            key = f"tables.{name}.{part}.{word}.{field}"
            assert (getattr(one, field) is not None) == (key not in asked), key


@pytest.mark.parametrize(("game", "name"), CHECKS)
def test_a_check_answers_every_roll(game, name):
    check = find_pack(game).checks[name]
    by = next(iter(check.threshold.by), None) if check.threshold else None
    shown, _ = look_up_check(check, {}, number=3, by=by)
    assert [face.rolled for face in shown] == list(totals_of(check.die))
    assert sum(odds(shown).values()) == 1


@pytest.mark.parametrize("game", [name for name in pack_names() if find_pack(name).tables])
def test_every_cite_of_combat_is_a_rule_at_hand(game):
    text = (pack_folder(game) / "tables.toml").read_text("utf-8")
    numbers = set(
        re.findall(r'^number = "(.+)"', (pack_folder(game) / "rules.toml").read_text("utf-8"), re.M)
    )
    cites = set(re.findall(r'\b(?:\w+_)?cite = "([^"]+)"', text))
    assert all(re.fullmatch(CITE, cite) for cite in cites)
    assert sorted(cites - numbers) == []


def test_no_shift_is_invented():
    """The cards are not in our sources: a shift has an amount only where a rule gives it."""
    known = {
        (game, table, word)
        for game in ("strafexpedition", "caporetto-1917")
        for table, one in find_pack(game).tables.items()
        for word, shift in one.shifts.items()
        if (shift.by_value if shift.valued else shift.amount) is not None
    }
    assert known == {
        ("strafexpedition", "assault", "rain"),
        ("strafexpedition", "assault", "roana_bridge"),
        ("caporetto-1917", "assault", "blizzard"),
        ("caporetto-1917", "assault", "cavalry"),
        ("caporetto-1917", "assault", "flamethrower"),
        ("caporetto-1917", "fire", "fog"),
        ("caporetto-1917", "fire", "blizzard"),
        ("caporetto-1917", "fire", "cavalry"),
    }


# What the owner enters


def test_without_the_card_the_ruling_says_what_to_read_where():
    ruling = CombatJudge(find_pack("strafexpedition")).rule(assault(11, 3, rain=None, woods=None))
    told = " ".join(one.told() for one in ruling.missing)
    assert ruling.verdict == "unknown"
    assert "Defender in woods" in told
    assert "Assault Table, a card" in told
    assert ruling.working["shifts"]["to_read"] == ["woods"]
    assert "faces" not in ruling.working


def test_with_an_entered_table_the_ruling_is_whole():
    fight = assault(11, 3, rain=None, woods=None, trench=1, rolls=(6,))
    ruling = CombatJudge(entered()).rule(fight)
    assert ruling.verdict == "1:1.75"
    assert ruling.missing == ()
    assert [line["amount"] for line in ruling.working["shifts"]["lines"]] == [-1, -1, -1]
    assert ruling.working["column_before"]["name"] == "3.5:1"
    assert [face["result"] for face in ruling.working["faces"]] == [
        ROWS[str(roll)][COLUMNS.index("1:1.75")] for roll in range(1, 7)
    ]
    assert ruling.working["odds"]["D1R | -"] == "1/6"
    assert ruling.working["result"] == "- | D1R"
    assert [one["does"] for one in ruling.working["consequences"]] == [
        "disorganize",
        "retreat",
    ]


def test_look_ups_work_on_an_entered_table():
    judge = TableJudge(entered())
    ruling = judge.rule("assault", Entry(number=Fraction(2), said={"woods": None}, roll=4))
    assert ruling.verdict == "- | D1"
    fire = judge.rule(
        "fire", Entry(number=Fraction(5), said={"woods": None}, procedure="bombardment")
    )
    assert fire.verdict == "2-3"
    assert fire.working["odds"] == {"-": "2/6", "*": "2/6", "D1": "1/6", "1D1": "1/6"}
    assert fire.working["odds_after_rerolls"] == {"-": "3/6", "D1": "2/6", "1D1": "1/6"}


def test_a_star_waits_for_the_second_roll():
    judge = CombatJudge(entered())
    fire = Fight("bombardment", {"bombardment": Fraction(2)}, rolls=(3,))
    assert judge.rule(fire).working["roll_again"]
    again = Fight("bombardment", {"bombardment": Fraction(2)}, rolls=(3, 2))
    ruling = judge.rule(again)
    assert (ruling.working["result"], ruling.working["roll_again"]) == ("D1", False)


def test_a_trench_falls_only_where_the_rule_lets_it():
    judge = CombatJudge(entered())

    def does(procedure, **said):
        terms = {"bombardment": Fraction(8), "mg": Fraction(8)}
        given = {name: terms[name] for name in judge.procedure(procedure).attack}
        ruling = judge.rule(Fight(procedure, given, said=said, rolls=(6,)))
        assert ruling.working["result"].endswith("T")
        return [one["does"] for one in ruling.working["consequences"]]

    assert "lower" in does("bombardment")
    assert "lower" not in does("bombardment", mountain_guns_only=None)
    assert "lower" not in does("infiltration_fire")


@pytest.mark.parametrize(
    ("answers", "first"),
    [({}, "disorganize"), ({"order_of_losses": "steps-first"}, "lose_steps")],
)
def test_consequences_come_in_the_order_of_losses(answers, first):
    judge = CombatJudge(entered("caporetto-1917", {}, **answers))
    ruling = judge.rule(assault(1, 3))
    assert ruling.working["automatic"] == {"result": "D2R/1", "on": "attacker"}
    assert ruling.working["consequences"][0]["does"] == first
    assert "order-of-losses" in ruling.assumptions


def test_tables_are_entered_as_spreadsheets(tmp_path):
    lines = [",".join(("die", *COLUMNS)), *(",".join((row, *ROWS[row])) for row in ROWS)]
    (tmp_path / "assault.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    fire = [";".join(("", *FIRE_COLUMNS)), *(";".join((f"{n}", *["-"] * 4)) for n in range(1, 7))]
    (tmp_path / "fire.csv").write_text("\r\n".join(fire), encoding="utf-8")
    owner = tmp_path / "mine.owner.toml"
    owner.write_text(
        'format = "mapkit-owner/1"\ngame = "strafexpedition"\n'
        "[values]\ntables.assault.shifts.woods.amount = -1\n"
        '[tables]\nassault = "assault.csv"\nfire = "fire.csv"\n',
        encoding="utf-8",
    )
    pack = pack_with_owner("strafexpedition", load_owner(owner))
    assert pack.tables["assault"].columns == COLUMNS
    assert pack.tables["assault"].rows == {row: tuple(cells) for row, cells in ROWS.items()}
    assert CombatJudge(pack).rule(assault(5, 1, rolls=(6,))).working["result"] == "- | 2D3R"


@pytest.mark.parametrize(
    ("table", "text", "message"),
    [
        ("assault", "die,1:2,5:1\n1-6,-\n", "line 2: 1 cells are filled in, there are 2"),
        ("assault", "die,1:2\n1-3,-|-\n1-3,-|-\n", "line 3: the roll 1-3 stands twice"),
        ("assault", "", "there is no table"),
        ("assault", "die,1:2,1:1.75,3.5:1,5:1\n1-5" + ",- | -" * 4, "no row for a roll of 6"),
        ("assault", "die,1:2,1:1.75,3.5:1,5:1\n1-6" + ",-" * 4, "write attacker | defender"),
        ("assault", "die,1:2,1:1.75,3.5:1,5:1\n1-6" + ",- | Q" * 4, "'Q' is no result"),
        ("assault", "die,1:2,5:1\n1-6,- | -,- | -\n", "compare them with the card"),
        (
            "assault",
            "die,1:2,1:1.75,3:5,3.5:1,5:1\n1-6" + ",- | -" * 5,
            "'3:5' contradicts [13.4.3], by which 3:5 falls into the column 1:1.75",
        ),
        ("chess", "die,1:2\n1-6,-\n", "the game has no such table; there is: assault, fire"),
    ],
)
def test_a_spreadsheet_that_does_not_fit_says_why(tmp_path, table, text, message):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    owner = tmp_path / "mine.owner.toml"
    head = 'format = "mapkit-owner/1"\ngame = "strafexpedition"\n'
    owner.write_text(f'{head}[tables]\n{table} = "t.csv"\n', encoding="utf-8")
    with pytest.raises(OwnerError, match=re.escape(message)):
        pack_with_owner("strafexpedition", load_owner(owner))


def test_a_spreadsheet_that_is_not_there_is_a_fault(tmp_path):
    owner = tmp_path / "mine.owner.toml"
    head = 'format = "mapkit-owner/1"\ngame = "strafexpedition"\n'
    owner.write_text(f'{head}[tables]\nassault = "none.csv"\n', encoding="utf-8")
    with pytest.raises(OwnerError, match=r"tables\.assault: .*none\.csv"):
        load_owner(owner)


def test_an_owner_may_add_a_shift_but_not_change_one():
    new = {"tables.assault.shifts.swamp": {"title": "Swamp", "amount": -2, "cite": "TEC"}}
    pack = entered(values=ENTERED | new)
    assert CombatJudge(pack).rule(assault(5, 1, swamp=None)).verdict == "2:1"
    with pytest.raises(OwnerError, match=r"our sources state it \[9\.1\]: -1"):
        pack_with_owner(
            "strafexpedition",
            OwnerFile("mine", "strafexpedition", {}, {"tables.assault.shifts.rain.amount": -4}),
        )
    with pytest.raises(OwnerError, match=r"shifts\.rain\.group: it is empty on purpose \[9\.1\]"):
        pack_with_owner(
            "strafexpedition",
            OwnerFile("mine", "strafexpedition", {}, {"tables.assault.shifts.rain.group": "x"}),
        )


# Other games: the same schema holds their shapes without a change of the engine


BASE = find_pack("durchbruch").model_dump(include={"id", "title", "layout"})


def other_game(**parts):
    return Pack.model_validate(BASE | parts)


EFFECTS = {
    name: {"does": does, "title": name, "cite": "1.0", **more}
    for name, does, more in (
        ("attacker_steps", "lose_steps", {"on": "attacker"}),
        ("defender_steps", "lose_steps", {"on": "defender"}),
        ("scatter", "told", {}),
        ("minus", "told", {}),
        ("pin", "told", {}),
        ("reduced", "told", {}),
        ("morale", "check", {"check": "morale"}),
    )
}
RESULTS = {
    "combat": {
        "cite": "1.0",
        "forms": [{"form": "<attacker_steps>-<defender_steps>"}],
        "effects": EFFECTS,
    },
    "barrage": {
        "cite": "1.0",
        "forms": [
            {"form": "-"},
            {"form": "[S=scatter]M[<minus>]", "means": ["morale"]},
            {"form": "P-M<minus>", "means": ["pin", "morale"]},
            {"form": "X", "means": ["reduced"]},
        ],
        "effects": EFFECTS,
    },
}
MORALE = {
    "title": "Morale",
    "die": "2d6",
    "cite": "1.0",
    "threshold": {"passes": "at_least", "by": {"good": 5, "poor": 9}, "cite": "1.0"},
    "success": "holds",
    "failure": "runs",
    "drms": {
        "village": {"title": "Village", "amount": 1, "group": "once", "cite": "1.0"},
        "trench": {"title": "Trench", "amount": 1, "group": "once", "cite": "1.0"},
        "pinned": {"title": "Pinned", "amount": -1, "cite": "1.0"},
    },
    "groups": {"once": {"take": "highest", "cite": "1.0"}},
}


def test_a_check_tells_no_face_while_a_modifier_is_unread():
    unread = MORALE | {"drms": {"rain": {"title": "Rain", "cite": "1.0"}}}
    pack = other_game(checks={"morale": unread})
    assert look_up_check(pack.checks["morale"], {"rain": None}, by="good")[0] is None
    ruling = TableJudge(pack).rule("morale", Entry(said={"rain": None}, roll=7, by="good"))
    assert (ruling.verdict, "faces" in ruling.working) == ("unknown", False)
    assert [one.key for one in ruling.missing] == ["rules.combat.read_shifts"]
    dry = TableJudge(pack).rule("morale", Entry(roll=7, by="good"))
    assert (dry.verdict, dry.missing) == ("holds", ())


def combat_table(columns, rows, **more):
    return {
        "title": "Combat",
        "card": "a card",
        "die": "2d6",
        "kind": "ratio",
        "columns": columns,
        "rows": rows,
        "results": "combat",
        "below": {"result": "4-0", "on": "attacker", "cite": "1.0"},
        "shift_cap": {"most": 4, "cite": "1.0"},
        "drm_cap": {"most": 4, "cite": "1.0"},
        "groups": {"cover": {"take": "lowest", "cite": "1.0"}},
        "shifts": {
            "assault_units": {"title": "Assault units", "amount": 1, "cite": "1.0"},
            "village": {"title": "Village", "amount": -1, "group": "cover", "cite": "1.0"},
            "town": {"title": "Town", "amount": -2, "group": "cover", "cite": "1.0"},
            "level": {
                "title": "Level",
                "valued": True,
                "by_value": {"1": 0, "2": -1, "3": -2, "4": -3},
                "cite": "1.0",
            },
        },
        "drms": {
            "mg": {"title": "Machine guns", "amount": 1, "each": True, "cite": "1.0"},
            "enemy_mg": {"title": "Theirs", "amount": -1, "each": True, "cite": "1.0"},
        },
        "cite": "1.0",
    } | more


def procedure(**changes):
    return {
        "title": "Combat",
        "table": "combat",
        "attack": {"sp": {"value": "sp", "title": "Strength", "cite": "1.0"}},
        "defend": {"sp": {"value": "sp", "title": "Strength", "cite": "1.0"}},
        "changes_rounding": "once",
        "changes": {
            "river": {
                "title": "River",
                "of": ["sp"],
                "factor": "1/2",
                "rounding": "up",
                "cite": "1.0",
            },
            "ooc": {"title": "OOC", "of": ["sp"], "factor": "1/2", "rounding": "up", "cite": "1.0"},
        },
        "cite": "1.0",
    } | changes


def test_a_game_of_ratios_with_modifiers_on_two_dice():
    columns = ["1:2", "1:1", "2:1", "3:1", "4:1+"]
    rows = {
        str(n): [f"{max(0, 8 - n - c)}-{max(0, n + c - 8)}" for c in range(5)] for n in range(2, 13)
    }
    pack = other_game(
        tables={"combat": combat_table(columns, rows)},
        results=RESULTS,
        checks={"morale": MORALE},
        combat={"combat": procedure()},
    )
    judge = CombatJudge(pack)
    fight = Fight(
        "combat",
        {"sp": Fraction(13)},
        {"sp": Fraction(2)},
        {"village": None, "town": None, "level": 2, "assault_units": None, "mg": 3, "enemy_mg": 1},
        rolls=(7,),
    )
    ruling = judge.rule(fight)
    assert ruling.verdict == "2:1"  # 4:1+ less two for the town, one for the level, plus one
    assert ruling.working["shifts"]["net"] == -2
    assert ruling.working["drms"]["total"] == 2
    assert ruling.working["result"] == rows["9"][2]
    assert sum(Fraction(chance) for chance in ruling.working["odds"].values()) == 1
    halved = Fight(
        "combat", {"sp": Fraction(13)}, {"sp": Fraction(2)}, {"river": None, "ooc": None}
    )
    assert judge.rule(halved).working["attack_total"] == "4"  # a quarter of 13, rounded up once
    weak = Fight("combat", {"sp": Fraction(1)}, {"sp": Fraction(5)})
    assert judge.rule(weak).verdict == "automatic"
    with pytest.raises(RulesError, match="the defender's strength is 0"):
        judge.rule(Fight("combat", {"sp": Fraction(1)}, {"sp": Fraction(0)}))


def test_a_table_of_one_column_and_a_limit_on_the_die():
    given = {
        "title": "Weather",
        "card": "a card",
        "die": "1d6",
        "kind": "single",
        "rows": {"1-3": ["sun"], "4-6": ["rain"]},
        "drms": {"autumn": {"title": "Autumn", "amount": 5, "cite": "1.0"}},
        "drm_cap": {"most": 2, "cite": "1.0"},
        "cite": "1.0",
    }
    pack = other_game(tables={"weather": given})
    judge = TableJudge(pack)
    ruling = judge.rule("weather", Entry(said={"autumn": None}, roll=2))
    assert ruling.verdict == "rain"
    assert ruling.working["drms"]["total"] == 2
    assert ruling.working["odds"] == {"sun": "1/6", "rain": "5/6"}


def test_a_check_by_quality_with_a_group_that_counts_once():
    check = Check.model_validate(MORALE)
    said = {"village": None, "trench": None, "pinned": None}
    shown, drms = look_up_check(check, said, by="good")
    assert drms.total == 0
    assert odds(shown)["holds"] == Fraction(30, 36)
    with pytest.raises(RulesError, match="depends on one of: good, poor"):
        look_up_check(check, {}, by="splendid")


def test_a_check_by_turn():
    check = Check.model_validate(
        MORALE | {"threshold": {"passes": "at_most", "by": {"1": 2, "2-9": 5}, "cite": "1.0"}}
    )
    assert odds(look_up_check(check, {}, by="4")[0])["holds"] == Fraction(10, 36)


def test_a_cell_in_a_grammar_that_does_not_know_it_is_refused():
    rows = {"2-12": ["M", "-", "-", "-", "-"]}
    table = combat_table(["1:2", "1:1", "2:1", "3:1", "4:1+"], rows)
    with pytest.raises(ValueError, match=r"tables\.combat\.rows\.2-12: 'M' is no result"):
        other_game(tables={"combat": table}, results=RESULTS, checks={"morale": MORALE})


@pytest.fixture(scope="module")
def figures():
    if not DOSSIER.is_file():
        pytest.skip(f"{DOSSIER} is not on this machine")
    return json.loads(DOSSIER.read_text("utf-8"))


def test_the_tables_of_durchbruch_fit_the_schema(figures):
    told = figures["durchbruch"]
    combat = combat_table(told["combat"]["columns"], told["combat"]["rows"])
    barrage = {
        "title": "Barrage",
        "card": "a card",
        "die": told["barrage"]["die"],
        "kind": "factors",
        "columns": told["barrage"]["columns"],
        "rows": told["barrage"]["rows"],
        "results": "barrage",
        "cite": "1.0",
    }
    pack = other_game(
        tables={"combat": combat, "barrage": barrage},
        results=RESULTS,
        checks={"morale": MORALE},
        combat={"combat": procedure()},
    )
    for name, source in (("combat", told["combat"]), ("barrage", told["barrage"])):
        table = pack.tables[name]
        for index, column in enumerate(source["columns"]):
            cells = column_rows(table, column)
            assert cells == {row: line[index] for row, line in source["rows"].items()}
            found = look_up(table, column=column, said={})
            assert [face.result for face in found.faces] == [
                source["rows"][str(total)][index] for total in totals_of(source["die"])
            ]
    assert (
        CombatJudge(pack).rule(Fight("combat", {"sp": Fraction(1)}, {"sp": Fraction(4)})).verdict
        == "automatic"
    )


def test_the_small_rolls_of_the_front_fit_the_schema(figures):
    told = figures["caporetto-front"]["morale_table"]
    check = Check.model_validate({"title": "Morale", "die": "1d6", "outcomes": told, "cite": "1.0"})
    assert odds(look_up_check(check, {})[0]) == {
        "Panic": Fraction(1, 6),
        "Surrender": Fraction(1, 6),
        "Retreat": Fraction(4, 6),
    }
    support = figures["caporetto-front"]["support_employment"]
    drms = {
        f"m{n}": {"title": one["if"], "amount": one["drm"], "cite": "1.0"}
        for n, one in enumerate(support["drm"])
    }
    threshold = {"passes": "at_least", "number": support["success_min"], "cite": "1.0"}
    employed = Check.model_validate(
        {"title": "Support", "die": "1d6", "threshold": threshold, "drms": drms, "cite": "1.0"}
        | {"success": "comes", "failure": "does not"}
    )
    assert odds(look_up_check(employed, {"m1": None})[0])["comes"] == Fraction(2, 6)


def test_the_ratios_of_custoza_fit_the_schema(figures):
    seen = figures["custoza"]["fragments"]["assault_ratio_columns_seen"]
    columns = sorted(seen, key=lambda name: name.startswith("2"))
    table = Table.model_validate(
        {"title": "Assault", "card": "a card", "die": "2d6", "kind": "ratio", "cite": "1.0"}
        | {"columns": columns}
    )
    assert look_up(table, number=Fraction(3, 4), said={}).used == "1-1.5"


def assault(attack, defend, rolls=(), **said):
    return Fight(
        "assault", {"combat": Fraction(attack)}, {"combat": Fraction(defend)}, said, tuple(rolls)
    )
