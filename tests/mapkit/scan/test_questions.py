from dataclasses import replace

from mapkit.model import Provenance
from mapkit.scan.questions import answers_table, percent, questions_of_each, told_doubts
from tests.boards import board
from tests.mapkit.scan.test_doubts import scanned


def many(columns: int):
    """A row of hexes whose terrain is ever surer, and of whose levels one is not sure."""
    map_ = board(" ".join(["w2"] * columns))
    grounds = {
        hex_: replace(
            ground,
            provenance={
                "terrain": Provenance("scan", 0.2 + 0.01 * place, "clear"),
                "level": Provenance("scan", 0.85 if place == 3 else 0.95, 1),
            },
        )
        for place, (hex_, ground) in enumerate(map_.hexes.items())
    }
    return replace(map_, hexes=grounds)


def test_every_sort_of_value_gets_its_turn():
    map_ = many(30)
    asked = questions_of_each(map_, count=10)
    assert [one.what for one in asked] == ["terrain"] * 9 + ["level"]
    assert [map_.label(one.place) for one in asked if one.what == "level"] == ["0401"]
    sure = [one.confidence for one in asked[:9]]
    assert sure == sorted(sure)
    assert sure[0] == 0.2


def test_what_is_sure_is_no_question():
    assert {one.confidence < 0.9 for one in questions_of_each(many(5), count=60)} == {True}
    assert len(questions_of_each(many(5), count=60)) == 6


def test_answers_are_prefilled_with_what_was_read():
    map_ = scanned()
    table = answers_table(questions_of_each(map_, count=3), map_)
    assert table == "place,what,value\n0201,terrain,woods\n0201,level,1\n0102,feature,fort\n"


def test_doubts_are_told_as_a_table():
    assert told_doubts(scanned()).splitlines() == [
        "5 values were read and nobody has looked at them yet; below 90 % sure: 4, below 70 %: 3",
        "",
        "place      what     read as  sure  else",
        "0201       terrain  woods    40 %  clear",
        "0102       feature  fort     55 %  none",
        "0101/0201  hexside  river    60 %  none",
        "0201       level    1        70 %  2",
        "0101       terrain  clear    90 %  woods",
    ]


def test_a_long_table_ends_after_twenty_and_says_so():
    lines = told_doubts(many(30)).splitlines()
    assert len(lines) == 3 + 20 + 2
    assert "the 20 most doubtful" in lines[-1]
    assert len(told_doubts(many(30), count=25).splitlines()) == 3 + 25
    assert "nothing that a scan read is open" in told_doubts(board(". ."))


def test_what_is_not_wholly_sure_is_never_a_hundred_percent():
    assert [percent(share).split("\N{NO-BREAK SPACE}")[0] for share in (1.0, 0.9999, 0.29, 0)] == [
        "100",
        "99",
        "29",
        "0",
    ]
