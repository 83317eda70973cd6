"""The verifier against the judges, and against forgers.

Agreement alone would prove little if both shared code: a test holds the verifier to the standard
library, and each tamper is one that a seal made anew would hide.
"""

import ast
import copy
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.hexes import Hex, Hexside
from mapkit.lines import LinePoint, hex_line, line_events
from mapkit.model import Feature
from rules import verifier
from rules.certificates import sealed
from rules.reproduction import put_to_test
from rules.standing import named_on_the_spot
from rules.verifier import verify
from rules.verifier.plain_line import meetings
from tests.boards import board
from tests.rules.judges.positions import CAPORETTO, PACKS, STRAFEXPEDITION
from tests.rules.protocol.certified_boards import (
    certificate_of,
    saved,
    sight_certificates,
    supply_certificates,
)

each_pack = pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)
FOLDER = Path(verifier.__file__).parent
small = st.integers(-12, 12)
thirds = st.builds(Fraction, st.integers(-20, 20), st.sampled_from((1, 2, 3, 6)))


def test_it_imports_nothing_but_itself_and_the_standard_library():
    names = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {one.name for one in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names.add(node.module)
    ours = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    assert all(name.startswith("rules.verifier") for name in ours)


@given(small, small, small, small)
def test_a_line_between_centres_meets_what_the_engine_says(aq, ar, bq, br):
    told = hex_line(Hex(aq, ar), Hex(bq, br))
    assert _met(told) == _found((Fraction(aq), Fraction(ar)), (Fraction(bq), Fraction(br)))


@given(thirds, thirds, small, small)
def test_a_line_from_anywhere_meets_what_the_engine_says(aq, ar, bq, br):
    end = Fraction(bq), Fraction(br)
    assert _met(line_events(LinePoint(aq, ar), LinePoint(*end))) == _found((aq, ar), end)


def _met(events):
    kinds = ("through", "along", "touch")
    return sorted(
        (event.kind, tuple(map(tuple, event.hexes)), event.start, event.end)
        for event in events
        if event.kind in kinds
    )


def _found(a, b):
    return sorted(tuple(met) for met in meetings(a, b))


@each_pack
def test_sight_on_boards_drawn_by_lot(pack, tmp_path):
    verdicts, quarrels = Counter(), []
    for seed in range(14):
        for path, certificate in sight_certificates(Random(seed), pack, tmp_path, 12):
            found = verify(certificate, (path.parent / "board.hexmap.json").read_bytes())
            verdicts[certificate["ruling"]["verdict"]] += 1
            if found.outcome != "verified":
                quarrels.append((seed, certificate["question"], found))
    assert quarrels == []
    assert min(verdicts[one] for one in ("clear", "blocked", "out_of_range", "unknown")) >= 8


@each_pack
def test_supply_on_boards_drawn_by_lot(pack, tmp_path):
    verdicts, quarrels = Counter(), []
    for seed in range(40):
        for path, certificate in supply_certificates(Random(seed), pack, tmp_path):
            found = verify(certificate, (path.parent / "board.hexmap.json").read_bytes())
            verdicts[certificate["ruling"]["verdict"]] += 1
            if found.outcome != "verified":
                quarrels.append((seed, certificate["question"], found))
    assert quarrels == []
    assert min(verdicts[one] for one in ("in_supply", "out_of_supply")) >= 20


ROWS = [".2 .2 .2 .2 .2", ".4 .2 w2 .2 .2", ".2 .2 .2 .S2 .2", ".2 .2 .2 .2 .2"]


@pytest.fixture
def table(tmp_path):
    """A board with a hill, a wood, a road and a source."""
    map_ = board(*ROWS, links={"road": "0202-0303-0403"})
    return (*saved(map_, STRAFEXPEDITION, tmp_path), tmp_path / "ruling.json")


@pytest.fixture
def blocked(table):
    project, field, _ = table
    ends = {"from": field.hex("0101"), "to": field.hex("0103"), "weather": None}
    return certificate_of(project, field, "sight", **ends)


def supply(table, hex_, *enemies):
    project, field, _ = table
    units = {"friends": (), "enemies": named_on_the_spot(field, "ah", list(enemies))}
    asked = {"hex": field.hex(hex_), "side": "it", "sources": (), "weather": None}
    return certificate_of(project, field, "supply", **asked, **units)


def forged(certificate, where, value):
    """Return a certificate with one value changed, and sealed anew as a forger would."""
    changed = copy.deepcopy(certificate)
    *parents, last = where.split(".")
    place = changed
    for step in parents:
        place = place[int(step) if isinstance(place, list) else step]
    old = place[int(last) if isinstance(place, list) else last]
    assert old != value, "this would be no forgery"
    place[int(last) if isinstance(place, list) else last] = value
    return sealed(changed)


def independent(certificate, table):
    """Return what the verifier alone says, without pack and judge."""
    return verify(certificate, (table[2].parent / "board.hexmap.json").read_bytes())


def test_untouched_certificates_are_verified(table, blocked):
    for certificate in (blocked, supply(table, "0101"), supply(table, "0101", "0402")):
        assert independent(certificate, table).outcome == "verified"
        tested = put_to_test(certificate, table[2])
        assert (tested.outcome, tested.asked_again) == ("verified", True)


@pytest.mark.parametrize(
    ("where", "value", "noticed"),
    [
        ("ruling.verdict", "clear", "verdict"),
        ("ruling.reasons.0.key", "rules.sight.clear", "reasons"),
        ("ruling.blocked_by", [], "blocked_by"),
        ("ruling.blocked_by.0", "0202", "blocked_by"),
        ("ruling.heights.0", "5", "heights"),
        ("ruling.compared.0.numbers", "level 2 > higher end 2", "compared"),
        ("ruling.compared.0.holds", False, "compared"),
        ("ruling.trace.0.to", "1/3", "trace"),
        ("ruling.trace.0.hexes.0", "0201", "trace"),
        ("ruling.distance", 3, "distance"),
        ("ruling.range", 9, "range"),
        ("ruling.rests_on.0.is", "9", "rests_on"),
        ("question.to", "0104", "distance"),
        ("policy.sight.obstacles.higher_ground.when.0", "level > observer", "compared"),
        ("policy.sight.reach.hexes", 9, "range"),
        ("policy.sight.reach.per_level", 0, None),
        ("binding.terrain.clear", "woods", "compared"),
    ],
)
def test_forged_sight_is_noticed(table, blocked, where, value, noticed):
    forgery = forged(blocked, where, value)
    if noticed is not None:  # the verifier alone sees it
        found = independent(forgery, table)
        assert found.outcome == "differs"
        assert any(place.startswith(noticed) for place, _, _ in found.differences)
    assert put_to_test(forgery, table[2]).outcome == "differs"


def test_a_forgery_of_verdict_and_working_together_is_noticed(table, blocked):
    forgery = forged(blocked, "ruling.verdict", "clear")
    forgery = forged(forgery, "ruling.blocked_by", [])
    forgery = forged(forgery, "ruling.reasons.0.key", "rules.sight.clear")
    forgery = forged(forgery, "ruling.compared.0.holds", False)
    forgery = forged(forgery, "ruling.compared.0.numbers", "level 2 > higher end 2")
    found = independent(forgery, table)
    assert {place for place, _, _ in found.differences} >= {"verdict", "blocked_by", "compared"}


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("ruling.verdict", "out_of_supply"),
        ("ruling.path.1.hex", "0104"),
        ("ruling.path.1.leg", "leg 2"),
        ("ruling.path.1.cost", 7),
        ("ruling.path", []),
        ("question.hex", "0504"),
        ("policy.supply.sources.features", ["town"]),
        ("policy.supply.legs.1.links", ["rail"]),
        ("binding.links.road", None),
    ],
)
def test_a_forged_line_of_supply_is_noticed(table, where, value):
    forgery = forged(supply(table, "0101"), where, value)
    assert independent(forgery, table).outcome == "differs"
    assert put_to_test(forgery, table[2]).outcome == "differs"


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("ruling.verdict", "in_supply"),
        ("ruling.culprits", [["0504"]]),
        ("ruling.culprits", []),
        ("question.enemies.0.hex", "0104"),
    ],
)
def test_forged_culprits_are_noticed(table, where, value):
    forgery = forged(supply(table, "0101", "0402"), where, value)
    assert independent(forgery, table).outcome == "differs"


@pytest.mark.parametrize(
    ("state", "verdict"), [("", "in_supply"), ("blown", "out_of_supply")], ids=["whole", "blown"]
)
def test_a_blown_bridge_carries_no_road(tmp_path, state, verdict):
    row = " ".join([".2"] * 15 + [".S2"])
    road = "-".join(f"{column:02}01" for column in range(1, 17))
    map_ = board(row, links={"road": road})
    side = Hexside.between(map_.hex("1201"), map_.hex("1301"))
    map_ = replace(
        map_,
        kinds=map_.kinds.with_ids("hexsides", iter(["river", "bridge"])),
        hexsides={side: (Feature("river"), Feature("bridge", state=state))},
    )
    table = (*saved(map_, STRAFEXPEDITION, tmp_path), tmp_path / "ruling.json")
    certificate = supply(table, "0101")
    assert certificate["ruling"]["verdict"] == verdict
    assert independent(certificate, table).outcome == "verified"


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [((".5 .5", ".5 .5"), "unknown"), ((".3 .3", ".3 .3"), "clear")],
    ids=["may be high mountain", "never"],
)
def test_a_blizzard_that_nobody_knows_to_lie_there(tmp_path, rows, verdict):
    project, field = saved(board(*rows), CAPORETTO, tmp_path)
    a, b = map(field.hex, ("0101", "0102"))
    asked = {"from": a, "to": b, "weather": "blizzard"}
    certificate = certificate_of(project, field, "sight", **asked)
    assert certificate["ruling"]["verdict"] == verdict
    table = (project, field, tmp_path / "ruling.json")
    assert independent(certificate, table).outcome == "verified"


def test_forged_zones_are_noticed_by_the_judge(table):
    certificate = supply(table, "0101", "0504")
    (name,) = certificate["zones"]
    forgery = forged(certificate, f"zones.{name}", [])
    assert put_to_test(forgery, table[2]).outcome == "differs"


def test_words_that_the_verifier_does_not_read_are_noticed_by_the_judge(table, blocked):
    forgery = forged(blocked, "ruling.reasons.1.values.range", 9)
    tested = put_to_test(forgery, table[2])
    assert tested.outcome == "differs"
    assert tested.differences == (("ruling.reasons.1.values.range", 9, 6),)


def test_a_seal_that_is_not_due_is_noticed(table, blocked):
    broken = {**blocked, "ruling": {**blocked["ruling"], "margin": None}}
    tested = put_to_test(broken, table[2])
    assert (tested.outcome, tested.differences[0][0]) == ("differs", "seal")


def test_a_rule_beyond_the_verifier_is_not_guessed_at(table, blocked):
    wall = {"wall": {"ground": ["crags"], "cite": "1.1"}}
    changed = copy.deepcopy(blocked)
    changed["policy"]["sight"]["sides"] = wall
    found = independent(sealed(changed), table)
    assert (found.outcome, found.why) == ("not_verifiable", "policy")
    changed = copy.deepcopy(blocked)
    changed["question"]["judge"] = "tea leaves"
    assert independent(sealed(changed), table).outcome == "not_verifiable"
