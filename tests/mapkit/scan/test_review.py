from dataclasses import replace

import pytest

from mapkit.errors import MapkitError
from mapkit.kinds import Kinds
from mapkit.model import CONFIRMED, CORRECTED, Feature, Ground, HexMap, Provenance
from mapkit.numbering import Numbering
from mapkit.scan.review import parse_answers, review, take_over
from mapkit.scan.teaching import TeachingError
from tests.boards import board
from tests.mapkit.scan.painted import paint


def answers(map_: HexMap, *rows: str):
    return parse_answers("\n".join(["place,what,value", *rows]).encode(), "a.csv", map_)


def test_an_answer_confirms_or_corrects():
    map_ = board(". w", ". .")
    new = review(
        map_, answers(map_, "0101,terrain,clear", "0201,terrain,bog", "0102,level,3"), None
    )
    assert new.hexes[new.hex("0101")].provenance["terrain"] == CONFIRMED
    bog = new.hexes[new.hex("0201")]
    assert (bog.terrain, bog.provenance["terrain"]) == ("bog", CORRECTED)
    assert "bog" in new.kinds.ids("terrain")
    assert new.hexes[new.hex("0102")].level == 3


def test_none_takes_away_what_the_scan_saw():
    map_ = board(". .")
    hex_ = map_.hex("0101")
    seen = Ground("clear", features=(Feature("fort", provenance=Provenance("scan", 0.6)),))
    map_ = replace(map_, hexes={**map_.hexes, hex_: seen})
    assert review(map_, answers(map_, "0101,feature,none"), None).hexes[hex_].features == ()
    kept = review(map_, answers(map_, "0101,feature,fort"), None).hexes[hex_].features
    assert kept == (Feature("fort", provenance=CONFIRMED),)


def test_hexsides_and_links_take_answers():
    map_ = board(". .")
    new = review(map_, answers(map_, "0101/0201,hexside,river", "0101-0201,link,road"), None)
    assert [f.kind for features in new.hexsides.values() for f in features] == ["river"]
    assert [f.kind for features in new.links.values() for f in features] == ["road"]
    assert review(new, answers(new, "0101/0201,hexside,none"), None).hexsides == new.hexsides


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("9999,terrain,woods", "there is no hex 9999"),
        ("0101,ground,woods", "there is no 'ground'"),
        ("0101,terrain,", "the value is missing"),
        ("0101,level,top", "a level is a whole number"),
        ("0101,terrain", "must have 3 cells"),
    ],
)
def test_a_bad_answer_is_one_clear_line(row: str, message: str):
    with pytest.raises(MapkitError, match=message):
        answers(board(". ."), row)


def test_the_table_must_have_its_columns():
    with pytest.raises(TeachingError, match="the first row must be place,what,value"):
        parse_answers(b"hex,value\n", "a.csv", board(". ."))


def test_answers_teach_the_rest_of_the_sheet():
    painted = paint(lambda column, row: "lake" if column > 6 else "woods" if row > 6 else "clear")
    # The scan took every lake for clear, and half knew it; the rest it was sure of.
    wrong = Provenance("scan", 0.5, "lake")
    sure = Provenance("scan", 0.99, "lake")
    grounds = {
        hex_: Ground("clear", provenance={"terrain": wrong})
        if word == "lake"
        else Ground(word, provenance={"terrain": sure})
        for hex_, word in painted.terrain.items()
    }
    map_ = HexMap(painted.sheet.grid, Numbering(straight="rows"), grounds, Kinds())
    lakes = [hex_ for hex_, word in painted.terrain.items() if word == "lake"]
    rows = [f"{map_.label(hex_)},terrain,lake" for hex_ in lakes[::10]]
    new = review(map_, answers(map_, *rows), painted.sheet)
    read = [new.hexes[hex_].terrain for hex_ in lakes]
    assert read.count("lake") > 0.9 * len(lakes)
    assert new.hexes[lakes[0]].provenance["terrain"] == CORRECTED
    kept = [h for h, word in painted.terrain.items() if word != "lake"]
    assert all(new.hexes[hex_] == grounds[hex_] for hex_ in kept)


def scanned(map_: HexMap, *levels: tuple[int, float]) -> HexMap:
    """Return a map whose hexes have these levels, each so sure, read by a scan."""
    read = {
        hex_: Ground("clear", level, provenance={"level": Provenance("scan", sure)})
        for hex_, (level, sure) in zip(map_.hexes, levels, strict=True)
    }
    return replace(map_, hexes=read)


def test_what_the_scan_was_sure_of_stays_and_doubts_are_read_anew():
    sure = [(1, 0.95)] * 10
    old = scanned(board(". " * 12), *sure, (2, 0.4), (3, 0.8))
    new = scanned(old, *sure[1:], (2, 0.99), (1, 0.6), (1, 0.7))
    read = take_over(old, new.hexes, {"level"})
    assert [ground.level for ground in read.hexes.values()] == [1] * 10 + [1, 3]
    assert take_over(old, new.hexes, {"terrain"}) == old


def test_a_reading_that_contradicts_what_was_sure_is_not_believed():
    old = scanned(board(". . . ."), (1, 0.95), (1, 0.95), (1, 0.95), (2, 0.4))
    astray = scanned(old, (1, 0.95), (2, 0.99), (2, 0.99), (1, 0.99))
    assert take_over(old, astray.hexes, {"level"}) == old
