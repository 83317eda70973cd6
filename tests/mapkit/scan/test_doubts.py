from dataclasses import replace

from mapkit.model import CONFIRMED, Feature, Provenance
from mapkit.notation import parse_hexside
from mapkit.scan.doubts import doubts, next_questions
from tests.boards import board


def unsure(confidence: float, runner_up: str | int | None = None) -> Provenance:
    return Provenance("scan", confidence, runner_up)


def scanned():
    map_ = board(". w1", ". .")
    one, two, three, _ = map_.hexes
    grounds = dict(map_.hexes)
    grounds[one] = replace(grounds[one], provenance={"terrain": unsure(0.9, "woods")})
    grounds[two] = replace(
        grounds[two], provenance={"terrain": unsure(0.4, "clear"), "level": unsure(0.7, 2)}
    )
    grounds[three] = replace(
        grounds[three],
        provenance={"terrain": CONFIRMED},
        features=(Feature("fort", provenance=unsure(0.55, "none")),),
    )
    side = parse_hexside("0101/0201", map_.numbering)
    return replace(
        map_, hexes=grounds, hexsides={side: (Feature("river", provenance=unsure(0.6)),)}
    )


def test_the_most_doubtful_comes_first_and_people_are_not_doubted():
    map_ = scanned()
    found = [doubt.as_data(map_) for doubt in doubts(map_)]
    assert [(one["place"], one["what"], one["value"]) for one in found] == [
        ("0201", "terrain", "woods"),
        ("0102", "feature", "fort"),
        ("0101/0201", "hexside", "river"),
        ("0201", "level", 1),
        ("0101", "terrain", "clear"),
    ]
    assert found[3] == {
        "place": "0201",
        "what": "level",
        "value": 1,
        "confidence": 0.7,
        "runner_up": 2,
    }


def test_questions_come_a_few_at_a_time():
    assert next_questions(scanned(), count=2) == doubts(scanned())[:2]


def test_a_map_that_nobody_scanned_has_no_doubts():
    assert doubts(board(". w", "h .")) == ()
