"""Pieces become units and markers: what the module tells of them, and no more."""

import json
from fractions import Fraction

import pytest

from counters.counter_files import parse_counters
from counters.model import Marker, Unit
from exporters.model import ExportError
from exporters.vassal.importing.module_import import import_module
from exporters.vassal.saves.pieces import read_piece
from exporters.vassal.sequence import TAB, join, nest
from mapkit.kinds import UNKNOWN
from tests.exporters.vassal.authored import (
    board,
    drawn,
    folder,
    given,
    hex_grid,
    palette,
    prototype,
    roster,
    slot,
    tag,
    window,
)

MAP = window(board(hex_grid({}, dx=52, dy=60)))
IMAGES = {
    "images/red.png": drawn((40, 40)),
    "images/red2.png": drawn((40, 40), "#804040"),
    "images/back.png": drawn((40, 40), "#202020"),
    "images/dot.png": drawn((10, 10)),
}
LAYER = (
    "emb2;Flip;2;F;;2;;;2;;;;1;false;0;0;{images};{names};true;{layer};;;false;;1;1;false;"
    "70,130;;;;1.0;;true"
)


def piece(name, *traits, image="red.png", gpid="1"):
    """The text of a slot; traits are a type, or a type and a state, the outermost first."""
    pairs = [(one, "") if isinstance(one, str) else one for one in traits]
    pairs.append((f"piece;;;{image};{name}", f"null;0;0;{gpid};0"))
    types, states = (nest(TAB, [pair[n] for pair in pairs]) for n in (0, 1))
    return join("/", ["+", "null", types, states])


def marked(**values):
    return f"mark;{','.join(values)}", ",".join(values.values())


def layer(images, names="", layer_name="Step"):
    return LAYER.format(images=images, names=names, layer=layer_name), "1"


def imported(*inside, files=IMAGES, sides=()):
    return import_module(given(MAP, *inside, files=files), sides=sides)


def counters_of(found):
    """The counters as they are read back from the tables that were written."""
    tables = {one.path: one.data for one in found.files if one.path.endswith(".csv")}
    names = [name for name in ("units.csv", "markers.csv") if name in tables]
    return {one.id: one for name in names for one in parse_counters(tables[name], source=name)}


def units_of(*inside, **words):
    return counters_of(imported(*inside, **words))


def file_of(found, path):
    return next(one.data for one in found.files if one.path == path)


def test_a_unit_has_what_its_piece_tells():
    text = piece(
        "1st Guards",
        layer("red.png,red2.png", ",+ (reduced)"),
        marked(Combat="4", Move="5.0", Half="1/2", Type="Inf", Class="infantry", Nation="x"),
        "prototype;Red",
    )
    (unit,) = units_of(
        roster("Red", "Blue"),
        prototype("Red", piece("", marked(Echelon="brigade", Steps="2"), image="")),
        palette(folder("Corps", folder("Guards", slot(text, gpid="1")))),
    ).values()
    assert (unit.id, unit.name, unit.side) == ("1st-guards", "1st Guards", "Red")
    assert (unit.class_, unit.echelon, unit.steps) == ("infantry", "brigade", 2)
    front, reduced = unit.faces
    assert front.known == {"combat": 4, "move": 5, "half": Fraction(1, 2)}
    assert (front.picture, reduced.picture) == ("pictures/red.png", "pictures/red2.png")
    assert (front.name, reduced.name) == ("front", "reduced")


@pytest.mark.parametrize(
    ("inside", "side"),
    [
        pytest.param(folder("All", slot(piece("a", marked(Side="Green")))), "Green", id="a mark"),
        pytest.param(folder("All", slot(piece("a", marked(Army="blue")))), "Blue", id="a value"),
        pytest.param(
            folder("All", slot(piece("a", "prototype;Blue unit"))), "Blue", id="prototype"
        ),
        pytest.param(folder("BLUE", slot(piece("a"))), "Blue", id="palette"),
        pytest.param(folder("Blue Army", slot(piece("a"))), "Blue", id="palette's word"),
        pytest.param(folder("Bluebells", slot(piece("a"))), UNKNOWN, id="no word"),
        pytest.param(folder("Red and Blue", slot(piece("a"))), UNKNOWN, id="two"),
        pytest.param(folder("Others", slot(piece("a"))), UNKNOWN, id="not told"),
        pytest.param(folder("Huns", slot(piece("a"))), "Red", id="told by the user"),
    ],
)
def test_a_side_is_only_what_is_told(inside, side):
    (unit,) = units_of(roster("Red", "Blue"), palette(inside), sides=["Huns=Red"]).values()
    assert unit.side == side


def test_what_the_game_calls_its_sides_tells_whose_a_piece_is():
    inside = [folder(word, slot(piece(word))) for word in ("Italian", "AH", "Austro-Hungarian")]
    modules = given(MAP, roster("Italian", "AH"), palette(*inside), files=IMAGES)
    found = import_module(modules, game="strafexpedition")
    assert [one.side for one in counters_of(found).values()] == ["it", "ah", "ah"]
    assert found.hints == ()
    assert found.sides == ("it", "ah")


def test_sides_that_the_game_does_not_have_are_told_with_those_it_has():
    inside = [folder(word, slot(piece(word))) for word in ("Rome", "AH")]
    modules = given(MAP, roster("Rome", "AH"), palette(*inside), files=IMAGES)
    (hint,) = import_module(modules, game="strafexpedition").hints
    assert hint.told.startswith("Rome is no side of Strafexpedition 1916; ")
    assert "--side WORD=SIDE" in hint.told
    assert hint.told.endswith("it (Italian), ah (Austro-Hungarian)")


def test_the_binding_knows_players_by_what_the_module_calls_them():
    modules = given(MAP, roster("Rome", "Wien"), palette(slot(piece("a"))), files=IMAGES)
    found = import_module(modules, sides=["Rome=it", "Wien=ah"])
    assert json.loads(file_of(found, "vassal.json"))["sides"] == {"Rome": "it", "Wien": "ah"}


def test_a_side_that_is_written_wrongly_is_told():
    with pytest.raises(ExportError, match="WORD=SIDE"):
        imported(palette(slot(piece("a"))), sides=["Huns"])


def test_markers_are_those_that_the_module_calls_so():
    found = units_of(
        roster("Red"),
        palette(folder("Markers", slot(piece("Turn"))), folder("Red", slot(piece("1st")))),
    )
    assert [type(one) for one in found.values()] == [Unit, Marker]


def test_formations_are_palettes_below_what_all_share_and_the_side():
    texts = [
        folder("Red", folder("Guards", slot(piece("a"))), folder("Line", slot(piece("b")))),
        folder("Blue", folder("Horse", folder("Heavy", slot(piece("c"))))),
    ]
    found = units_of(roster("Red", "Blue"), palette(folder("Counters", *texts)))
    assert {one.name: one.formation for one in found.values()} == {
        "a": "Guards", "b": "Line", "c": "Horse / Heavy",
    }  # fmt: skip


def test_copies_are_merged_and_others_kept_apart():
    alike = [slot(piece("Inf", marked(V="3"), gpid=str(n)), gpid=str(n)) for n in range(1, 4)]
    other = slot(piece("Inf", marked(V="4"), gpid="9"), gpid="9")
    at_start = tag("module.map.SetupStack", alike[0], alike[1], name="s", x=10, y=10)
    found = import_module(
        given(
            window(board(hex_grid({}, dx=52, dy=60)), inside=at_start),
            palette(folder("All", *alike, other)),
            files=IMAGES,
        )
    )
    counters = counters_of(found)
    assert {id_: one.copies for id_, one in counters.items()} == {"inf": 3, "inf-2": 1}
    binding = json.loads(file_of(found, "vassal.json"))
    assert binding["units"]["gpids"] == {"1": "inf", "2": "inf", "3": "inf", "9": "inf-2"}
    assert "names" not in binding["units"]  # the name alone would not tell which


def test_an_id_mark_is_taken_where_it_tells_pieces_apart():
    own = [slot(piece("a", marked(Id="x_1"))), slot(piece("b", marked(Id="x_2")))]
    assert list(units_of(palette(folder("All", *own)))) == ["x_1", "x_2"]
    same = [slot(piece("a", marked(Id="x"))), slot(piece("b", marked(Id="x")))]
    assert list(units_of(palette(folder("All", *same)))) == ["a", "b"]


def test_small_layers_are_listed_and_are_no_faces():
    text = piece(
        "a",
        layer("dot.png", "", "Hit"),
        layer("red2.png", "", "Flip"),
        ("obs;70,130;back.png;Hide", "null"),
    )
    found = imported(palette(slot(text)))
    (unit,) = counters_of(found).values()
    assert [face.name for face in unit.faces] == ["front", "back", "flip_1"]
    (told,) = json.loads(file_of(found, "module.json"))["pieces"]
    assert told["pictures"]["dot.png"] == "pictures/dot.png"
    assert [one["type"].partition(";")[0] for one in told["traits"]] == [
        "emb2", "emb2", "obs", "piece",
    ]  # fmt: skip


def test_a_piece_of_layers_alone_has_its_first_level_as_front():
    (unit,) = units_of(palette(slot(piece("a", layer("red.png,red2.png"), image="")))).values()
    assert [(face.name, face.picture) for face in unit.faces] == [
        ("front", "pictures/red.png"),
        ("step_2", "pictures/red2.png"),
    ]


def test_old_layers_are_read():
    old = "emb;A;Activate;U;Up;D;Down;0;0;red.png,whole;red2.png,(cadre)"
    (unit,) = units_of(palette(slot(piece("a", old, image="")))).values()
    assert [face.name for face in unit.faces] == ["front", "cadre"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "adds no piece", id="empty"),
        pytest.param("+/null/mark;Side/Red", "no basic piece", id="no core"),
        pytest.param("hello", "adds no piece", id="words"),
        pytest.param("+/null/piece;;;a;b/Main;x;y;1;0", "no place", id="nowhere"),
        pytest.param("+/" + "a" * 1_000_001, "more than any piece", id="endless"),
    ],
)
def test_a_broken_piece_is_told_and_the_others_are_kept(text, why):
    found = imported(palette(slot(text, name="Bad"), slot(piece("good"))))
    assert list(counters_of(found)) == ["good"]
    (lost,) = found.lost
    assert lost.key == "exporters.import.lost.piece"
    assert "Bad" in lost.told
    assert why in lost.told
    assert json.loads(file_of(found, "module.json"))["lost"] == [lost.told]


@pytest.mark.parametrize(
    "trait", ["emb2", "emb2;", "emb;", "mark;", "obs;", ";", "'", "prototype;"]
)
def test_traits_that_break_off_do_no_harm(trait):
    (unit,) = units_of(palette(slot(piece("a", trait)))).values()
    assert unit.name == "a"


def test_a_thousand_traits_in_each_other_are_read():
    deep = [f"mark;M{n}" for n in range(300)]
    (unit,) = units_of(palette(slot(piece("a", *deep)))).values()
    assert unit.name == "a"
    assert len(read_piece(piece("a", *deep)).traits) == 301


def test_prototypes_that_hold_each_other_end():
    inside = piece("", "prototype;Loop", marked(Combat="3"), image="")
    (unit,) = units_of(
        prototype("Loop", inside), palette(slot(piece("a", "prototype;Loop")))
    ).values()
    assert unit.faces[0].known == {"combat": 3}


def test_prototypes_that_unfold_without_end_cost_one_piece():
    """Forty, each of which holds the next one twice, would be a million million traits."""
    chain = [
        tag("module.PrototypeDefinition", piece("", *[f"prototype;P{n + 1}"] * 2), name=f"P{n}")
        for n in range(40)
    ]
    bomb, good = slot(piece("bomb", "prototype;P0"), gpid="1"), slot(piece("good"), gpid="2")
    found = imported(tag("module.PrototypesContainer", *chain), palette(bomb, good))
    assert list(counters_of(found)) == ["good"]
    assert [one.told for one in found.lost] == [
        "piece : its prototypes unfold to more than 5000 traits"
    ]


def test_more_pieces_than_any_module_holds_are_refused():
    slots = [slot(piece("a"))] * 100_001
    with pytest.raises(ExportError, match="100001 pieces"):
        imported(palette(*slots))


@pytest.mark.parametrize(
    "name", ["../../evil.png", "/etc/passwd", "C:\\evil.png", "a\\..\\b.png", "con.png", "ü.png"]
)
def test_pictures_lie_in_their_folder_whatever_their_names_say(name):
    found = imported(
        palette(slot(piece("a", image=name))), files={f"images/{name}": drawn((30, 30))}
    )
    kept = [one.path for one in found.files if one.path.startswith("pictures")]
    assert all(".." not in path and ":" not in path and "\\" not in path for path in kept)
    assert len(kept) == (0 if name.startswith("/") else 1)


def test_a_missing_picture_is_told_and_the_unit_kept():
    found = imported(palette(slot(piece("a", image="gone.png"))))
    assert list(counters_of(found)) == ["a"]
    assert "gone.png" in found.lost[0].told


def test_names_that_are_no_names_are_kept_apart():
    names = ["第一", "", "=cmd()", "A/B;C,D", "1"]
    slots = [slot(piece(name, marked(V=str(n)))) for n, name in enumerate(names)]
    found = units_of(palette(folder("All", *slots)))
    assert list(found) == ["piece", "piece-2", "cmd", "a-b", "1"]


def test_cards_and_decks_are_counters_of_their_deck():
    deck = tag(
        "module.map.DrawPile", slot(piece("Ace"), kind="widget.CardSlot", gpid="4"), name="Fate"
    )
    found = import_module(
        given(window(board(hex_grid({}, dx=52, dy=60)), inside=deck), files=IMAGES)
    )
    (card,) = counters_of(found).values()
    assert (card.name, card.formation) == ("Ace", "Fate")
    assert found.setups == ()


def test_layers_that_order_pieces_are_no_values():
    order = tag("module.map.LayeredPieceCollection", property="Height", layerOrder="1,2")
    (unit,) = counters_of(
        import_module(
            given(
                window(board(hex_grid({}, dx=52, dy=60)), inside=order),
                palette(slot(piece("a", marked(Height="2", Combat="3")))),
                files=IMAGES,
            )
        )
    ).values()
    assert unit.faces[0].known == {"combat": 3}


def test_a_module_without_pieces_has_no_tables():
    found = imported()
    assert not [one.path for one in found.files if one.path.endswith(".csv")]
    assert b"units" not in file_of(found, "project.toml")
