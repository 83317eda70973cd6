"""Every kind of combat of every pack, with any factors and circumstances: no crash, no nonsense."""

import re
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rules.combat.picks import pick_of
from rules.combat.told import told_combat
from rules.errors import RulesError
from rules.judges.combat import CombatJudge, Fight
from rules.registry import find_pack, pack_names
from rules.schema.dice import totals_of
from tests.rules.combat.invented import entered

BARE = {name: find_pack(name) for name in pack_names()}
FULL = {name: entered(name) for name in ("strafexpedition",)}
KINDS = [
    (packs, name, kind)
    for packs in ("bare", "full")
    for name, pack in (BARE if packs == "bare" else FULL).items()
    for kind in pack.combat
]
kinds = st.sampled_from(KINDS)
full_kinds = st.sampled_from([one for one in KINDS if one[0] == "full"])
# What no table has a line for: a trench of level 9, a morale of -2, a defender without strength.
REFUSED = re.compile(
    r"is told for .*, not for|needs a number: --with|strength is 0: give --defend"
    r"|do not (fire|attack) \["
)


def chosen(which):
    packs, name, kind = which
    return (BARE if packs == "bare" else FULL)[name], kind


def any_fight(pack, kind, data):
    procedure = pack.combat[kind]
    factors = st.fractions(0, 40, max_denominator=2)
    die = pack.tables[procedure.table].die
    totals = totals_of(die) if die else ()
    words = sorted(CombatJudge(pack).words(kind))
    numbers = st.integers(-2, 9)
    said = data.draw(
        st.dictionaries(st.sampled_from(words), numbers, max_size=5) if words else st.just({})
    )
    fight = Fight(
        kind,
        {name: data.draw(factors) for name in procedure.attack},
        {name: data.draw(factors) for name in procedure.defend},
        said,
        (data.draw(st.sampled_from(totals)), data.draw(st.integers(1, 6))) if totals else (),
    )
    pick = pick_of(procedure, said)
    aside = pick.dice - 1 if pick and totals else 0
    return replace(fight, aside=tuple(data.draw(st.sampled_from(totals)) for _ in range(aside)))


def ruled(pack, fight):
    """The ruling, or None for what no table has a line for."""
    try:
        return CombatJudge(pack).rule(fight)
    except RulesError as refusal:
        if REFUSED.search(str(refusal)) is None:
            raise
        return None


@given(kinds, st.data())
def test_a_ruling_holds_together(which, data):
    pack, kind = chosen(which)
    fight = any_fight(pack, kind, data)
    table = pack.tables[pack.combat[kind].table]
    ruling = ruled(pack, fight)
    if ruling is None:
        return
    names = table.columns or (table.known.columns if table.known else ())
    assert ruling.verdict in {*names, "automatic", "unknown"}
    assert (ruling.verdict == "unknown") <= bool(ruling.missing)
    assert ruling.cites
    assert told_combat(pack, ruling)
    working = ruling.working
    shifts = working["shifts"]
    assert shifts["against"] <= 0 <= shifts["in_favour"]
    assert shifts["against"] + shifts["in_favour"] == shifts["net"]
    if table.shift_cap is not None and not table.shift_cap.lifted_by:
        assert abs(shifts["total"]) <= table.shift_cap.most
    if "faces" in working:
        assert sum(Fraction(chance) for chance in working["odds"].values()) == 1
        assert working["result"] != "" or ruling.verdict == "automatic"


@given(full_kinds, st.data())
def test_more_attackers_never_make_the_column_worse(which, data):
    pack, kind = chosen(which)
    fight = any_fight(pack, kind, data)
    table = pack.tables[pack.combat[kind].table]
    stronger = {name: number + 1 for name, number in fight.attack.items()}
    weak = ruled(pack, fight)
    strong = ruled(pack, Fight(kind, stronger, fight.defend, fight.said))
    if weak is None or strong is None:
        return
    rank = {"automatic": -1} | {name: index for index, name in enumerate(table.columns)}
    if "unknown" not in (weak.verdict, strong.verdict):
        assert rank[weak.verdict] <= rank[strong.verdict]


def test_friendly_fire_on_a_six():
    judge = CombatJudge(find_pack("caporetto-1917"))

    def told(roll, **said):
        fight = Fight("bombardment", {"bombardment": Fraction(6)}, said=said, rolls=(roll,))
        return any("friendly fire" in reason.told() for reason in judge.rule(fight).reasons)

    assert told(6)
    assert not told(5)
    for word in ("direct_sight", "support_fire", "first_turn"):
        assert not told(6, **{word: None})
