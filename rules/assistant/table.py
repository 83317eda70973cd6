"""The table: a project's map with its game, asked for rulings. It knows no web and no page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from mapkit.drawing import ALL_LAYERS, Drawing, draw_map, load_style
from mapkit.drawing.raster import rasterise
from mapkit.texts import language, say
from rules.battlefield import Battlefield, load_battlefield
from rules.bearing import Bearing
from rules.errors import RulesError
from rules.judges.sight import SightJudge
from rules.judges.supply import SupplyJudge
from rules.pack import Pack
from rules.ruling import Ruling
from rules.spoken import spoken, told_data, told_open_point, told_other_answer
from rules.standing import named_on_the_spot

Question = Mapping[str, list[str]]  # what the page asks: each word with its values

_HEX_PX = 56.0
_WORDS = (
    "sight", "field", "supply", "side", "weather", "usual_weather", "tap_observer", "tap_target",
    "tap_unit", "tap_enemy", "tap_friend", "enemy", "friend", "class", "any_unit", "clear_all",
    "offline", "refused", "hint_sight", "hint_supply", "missing", "open_points", "we_assume",
    "would_change", "changes_nothing", "rests_on", "flips", "smaller", "larger", "show_all",
)  # fmt: skip


@dataclass(frozen=True)
class Table:
    """One map of one game, laid out for a browser."""

    field: Battlefield

    @cached_property
    def drawing(self) -> Drawing:
        """The map as it lies on the page."""
        layers = ALL_LAYERS - {"title", "legend", "scale", "compass"}
        return draw_map(self.field.map, load_style("textured"), layers=layers, hex_px=_HEX_PX)

    @cached_property
    def picture(self) -> bytes:
        """The map as WebP: a quarter of the PNG, for a phone on a weak network."""
        from PIL import Image

        packed = BytesIO()
        Image.open(BytesIO(rasterise(self.drawing))).convert("RGB").save(packed, "WEBP", quality=85)
        return packed.getvalue()

    def draw(self) -> None:
        """Draw the map now, so that nobody waits for it later."""
        _ = self.picture

    def page_data(self) -> dict[str, Any]:
        """Return all the page needs to know before it asks: hexes, sides, weather, words."""
        grid, map_, pack = self.drawing.grid, self.field.map, self.field.pack
        centres = {map_.label(hex_): _rounded(grid.centre(hex_)) for hex_ in map_.hexes}
        return {
            "title": map_.title or map_.named,
            "game": pack.title,
            "language": language(),
            "width": self.drawing.width_px,
            "height": self.drawing.height_px,
            "orientation": map_.grid.orientation,
            "pitch": _HEX_PX,
            "hexes": centres,
            "sides": {id_: spoken(pack, one.title) for id_, one in pack.sides.items()},
            "classes": {id_: spoken(pack, one.title) for id_, one in pack.classes.items()},
            "weather": {
                id_: spoken(pack, one.title, "weather") for id_, one in pack.weather.items()
            },
            "judges": [name for name, judge in _JUDGES.items() if getattr(pack, judge.part)],
            "values": self._values_of_the_map(),
            "assumptions": {id_: _open_point(pack, id_) for id_ in pack.assumptions},
            "words": {word: say(f"rules.assistant.{word}") for word in _WORDS},
        }

    def _values_of_the_map(self) -> dict[str, str]:
        """What a ruling rests on, in the language in use: `level`, and each kind of terrain."""
        kinds = (kind.id for kind in self.field.map.kinds.terrain)
        return {word: spoken(self.field.pack, word) for word in ("level", "terrain", *kinds)}

    def ask(self, judge: str, question: Question) -> dict[str, Any]:
        """Return a ruling as JSON-able data, its sentences in the language in use.

        Raises:
            RulesError: there is no such judge, or the question lacks something.
        """
        return told_data(self.field.pack, _judge(judge).rule(self.field, question))

    def bearing(self, judge: str, question: Question) -> dict[str, Any]:
        """Return the open points of a ruling, each with the answers that would change it.

        It asks the same question once for each other answer, so it takes longer than `ask`.
        """
        rule = _judge(judge).rule
        ruling = rule(self.field, question)
        found = self._bearing.of(ruling, lambda field: rule(field, question))
        return {name: None if ids is None else list(ids) for name, ids in found.items()}

    @cached_property
    def _bearing(self) -> Bearing:
        return Bearing(self.field)


def open_table(path: Path, game: str | None = None, which: str | None = None) -> Table:
    """Return the table of a project, or of a map with a game."""
    return Table(load_battlefield(path, game, which))


def _sight(field: Battlefield, question: Question) -> Ruling:
    judge = SightJudge(field, _maybe(question, "weather"))
    return judge.rule(field.hex(_one(question, "a")), field.hex(_one(question, "b")))


def _field(field: Battlefield, question: Question) -> Ruling:
    return SightJudge(field, _maybe(question, "weather")).rule_field(field.hex(_one(question, "a")))


def _supply(field: Battlefield, question: Question) -> Ruling:
    side = field.side(_one(question, "side"))
    theirs = field.pack.enemy_of(side)
    judge = SupplyJudge(
        field,
        side,
        named_on_the_spot(field, side, question.get("friend", [])),
        named_on_the_spot(field, theirs, question.get("enemy", [])),
        weather=_maybe(question, "weather"),
    )
    return judge.rule(field.hex(_one(question, "a")))


@dataclass(frozen=True, slots=True)
class _Judge:
    """A judge the page offers, and the part of a pack that it rules by."""

    part: str
    rule: Callable[[Battlefield, Question], Ruling]


_JUDGES: Mapping[str, _Judge] = {
    "sight": _Judge("sight", _sight),
    "field": _Judge("sight", _field),
    "supply": _Judge("supply", _supply),
}


def _judge(name: str) -> _Judge:
    if name not in _JUDGES:
        raise RulesError(f"there is no judge '{name}'; there is: {', '.join(_JUDGES)}")
    return _JUDGES[name]


def _open_point(pack: Pack, name: str) -> dict[str, Any]:
    question, answer = told_open_point(pack, name)
    ids = pack.assumptions[name].alternatives
    others = {id_: told_other_answer(pack, name, id_) for id_ in ids}
    return {"question": question, "answer": answer, "others": others}


def _one(question: Question, word: str) -> str:
    values = question.get(word, [])
    if len(values) != 1:
        raise RulesError(f"the question needs one '{word}', not {len(values)}")
    return values[0]


def _maybe(question: Question, word: str) -> str | None:
    return _one(question, word) if question.get(word, [""])[0] else None


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)
