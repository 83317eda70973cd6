"""What a person's answers tell about a scan."""

from dataclasses import replace

from mapkit.hexes import Hexside
from mapkit.model import Feature, HexMap, Provenance
from mapkit.scan.reliability import Trial
from mapkit.scan.review import Answer, enter_answers
from mapkit.scan.trials import answered
from tests.boards import board


def read_map() -> HexMap:
    """Two hexes of woods and a river between them, all read by a scan."""
    map_ = board("w w")
    one, two = map_.hexes
    stated = {"terrain": Provenance("scan", 0.8, "clear")}
    river = (Feature("river", provenance=Provenance("scan", 0.7, "none")),)
    return replace(
        map_,
        hexes={hex_: replace(g, provenance=stated) for hex_, g in map_.hexes.items()},
        hexsides={Hexside.between(one, two): river},
    )


def test_answers_confirm_and_correct():
    first = read_map()
    one, two = first.hexes
    side = Hexside.between(one, two)
    answers = (
        Answer(one, "terrain", "woods"),
        Answer(two, "terrain", "hills"),
        Answer(side, "hexside", "none"),
    )
    assert sorted(answered(first, enter_answers(first, answers)), key=str) == [
        Trial("hexside", 0.7, False),
        Trial("terrain", 0.8, False),
        Trial("terrain", 0.8, True),
    ]


def test_a_line_confirmed_is_right():
    first = read_map()
    now = enter_answers(first, (Answer(Hexside.between(*first.hexes), "hexside", "river"),))
    assert list(answered(first, now)) == [Trial("hexside", 0.7, True)]


def test_what_nobody_spoke_of_tells_nothing():
    first = read_map()
    assert not list(answered(first, first))
    one = next(iter(first.hexes))
    again = replace(first.hexes[one], terrain="clear")  # read otherwise, and by the scan alone
    assert not list(answered(first, replace(first, hexes={**first.hexes, one: again})))
