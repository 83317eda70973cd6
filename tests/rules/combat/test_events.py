"""Events rolled on tables, and drawn from cups without looking."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.combat.events import cup_odds, draw, event_faces, in_the_cup, what_it_does
from rules.combat_questions import TableQuestion
from rules.errors import RulesError
from rules.judges.tables import Entry, TableJudge
from rules.pack import Pack
from rules.registry import find_pack
from rules.schema.events import Cup, Events

markers = st.dictionaries(
    st.sampled_from(["rain", "hunger", "none"]), st.integers(1, 4), min_size=1
)


def cup_of(counts, **more):
    return Cup.model_validate(
        {"title": "The cup", "cite": "1.0"}
        | {"markers": {name: {"count": count} | more for name, count in counts.items()}}
    )


@pytest.mark.parametrize(
    ("modifier", "roll", "event"),
    [
        (-1, 1, "italian_events"),
        (0, 1, "no_event"),
        (0, 4, "no_event"),
        (0, 5, "italian_events"),
        (0, 6, "austrian_events"),
        (1, 6, "russian_success"),
        (3, 6, "russian_success"),
    ],
)
def test_the_daily_event_of_strafexpedition(modifier, roll, event):
    events = find_pack("strafexpedition").events
    shown, _ = event_faces(events, events.start, {"turn_track": modifier})
    assert next(face.result for face in shown if face.rolled == roll) == event


def test_an_event_that_counts_its_times():
    event = find_pack("strafexpedition").events.events["russian_success"]
    told = [what_it_does(event, time) for time in (1, 2, 3, 4)]
    assert all(told[:3])
    assert len(set(told)) == 4
    assert told[3] == ""


@given(markers, st.integers(0, 10**6))
def test_a_cup_is_emptied_marker_by_marker(counts, seed):
    cup, gone = cup_of(counts), []
    for turn in range(sum(counts.values())):
        chances = cup_odds(cup, gone)
        drawn = draw(cup, gone, seed + turn)
        assert drawn == draw(cup, gone, seed + turn)
        assert chances[drawn.marker] > 0
        assert sum(chances.values()) == 1
        gone.append(drawn.marker)
        assert drawn.left == in_the_cup(cup, gone)
    assert Counter(gone) == Counter(counts)
    with pytest.raises(RulesError, match="The cup is empty"):
        draw(cup, gone, seed)


def test_every_marker_comes_up_as_often_as_it_lies_in_the_cup():
    cup = cup_of({"rain": 3, "hunger": 1})
    assert cup_odds(cup) == {"rain": Fraction(3, 4), "hunger": Fraction(1, 4)}
    drawn = Counter(draw(cup, (), seed).marker for seed in range(800))
    assert 520 < drawn["rain"] < 680


def test_a_cup_nobody_has_counted_is_not_guessed():
    with pytest.raises(RulesError, match="how many markers 'rain' there are is not in our sources"):
        draw(cup_of({"rain": None}), (), 1)
    with pytest.raises(RulesError, match="more markers 'rain' are gone than the cup held"):
        in_the_cup(cup_of({"rain": 1}), ("rain", "rain"))


def test_events_must_be_known():
    table = {"title": "x", "die": "1d6", "rows": {"1-6": "storm"}, "cite": "1.0"}
    with pytest.raises(ValueError, match="there is no event 'storm'"):
        Events.model_validate({"tables": {"daily": table}, "cite": "1.0"})
    with pytest.raises(RulesError, match="no table of events 'x'; there is: daily, italian, "):
        event_faces(find_pack("strafexpedition").events, "x", {})


def test_no_event_is_told_while_a_modifier_is_unread():
    pack = find_pack("strafexpedition")
    data = pack.model_dump(by_alias=True, exclude_unset=True)
    data["events"]["tables"]["daily"]["drms"]["turn_track"]["amount"] = None
    unread = Pack.model_validate(data)
    assert event_faces(unread.events, "daily", {"turn_track": 1})[0] is None
    ruling = TableJudge(unread).rule("daily", Entry(said={"turn_track": 1}, roll=6))
    assert (ruling.verdict, "faces" in ruling.working) == ("unknown", False)
    assert "rules.combat.read_shifts" in {one.key for one in ruling.missing}
    known = TableJudge(pack).rule("daily", Entry(said={"turn_track": 0}, roll=6))
    assert (known.verdict, known.working["side"]) == ("austrian_events", "ah")


def test_a_cup_tells_what_its_markers_do_and_when_it_is_drawn_from():
    judge = TableJudge(find_pack("caporetto-front"))
    assert {"a", "b"} <= set(judge.names())
    assert judge.die_of("a") is None
    cup = judge.rule("a", Entry())
    assert (cup.verdict, cup.working["turns"]) == ("unknown", "2–6")
    assert "count" in cup.missing[0].told()
    drawn = judge.rule("b", Entry(by="diaz_reforms"))
    assert (drawn.verdict, drawn.missing) == ("diaz_reforms", ())
    assert drawn.reasons[1].key == "rules.combat.marker_leaves"
    assert "Italian morale rises by one" in drawn.reasons[1].told()


def test_a_marker_is_looked_up_by_its_name_as_players_ask():
    ruling = TableQuestion("b", by="hunger").rule(find_pack("caporetto-front"))
    assert ruling.verdict == "hunger"


def test_a_marker_of_the_other_cup_is_refused():
    with pytest.raises(RulesError, match="no marker 'diaz_reforms'"):
        TableJudge(find_pack("caporetto-front")).rule("a", Entry(by="diaz_reforms"))
