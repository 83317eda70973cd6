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
from rules.errors import RulesError
from rules.judges.sight import SightJudge
from rules.judges.supply import SupplyJudge
from rules.ruling import Ruling
from rules.standing import named_on_the_spot
from rules.told import told_ruling

Question = Mapping[str, list[str]]  # what the page asks: each word with its values

_HEX_PX = 56.0
_WORDS = (
    "sight", "supply", "side", "weather", "usual_weather", "tap_observer", "tap_target",
    "tap_unit", "tap_enemy", "enemy", "clear_all", "offline", "hint_sight", "hint_supply",
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
            "sides": {name: side.title for name, side in pack.sides.items()},
            "weather": {name: one.title for name, one in pack.weather.items()},
            "judges": [name for name in _JUDGES if getattr(pack, name) is not None],
            "words": {word: say(f"rules.assistant.{word}") for word in _WORDS},
        }

    def ask(self, judge: str, question: Question) -> dict[str, Any]:
        """Return a ruling as JSON-able data, with its text as a calm referee says it.

        Raises:
            RulesError: there is no such judge, or the question lacks something.
        """
        if judge not in _JUDGES:
            raise RulesError(f"there is no judge '{judge}'; there is: {', '.join(_JUDGES)}")
        ruling = _JUDGES[judge](self.field, question)
        return {**ruling.as_data(), "told": told_ruling(self.field.pack, ruling)}


def open_table(path: Path, game: str | None = None, which: str | None = None) -> Table:
    """Return the table of a project, or of a map with a game."""
    return Table(load_battlefield(path, game, which))


def _sight(field: Battlefield, question: Question) -> Ruling:
    judge = SightJudge(field, _maybe(question, "weather"))
    return judge.rule(field.hex(_one(question, "a")), field.hex(_one(question, "b")))


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


_JUDGES: Mapping[str, Callable[[Battlefield, Question], Ruling]] = {
    "sight": _sight,
    "supply": _supply,
}


def _one(question: Question, word: str) -> str:
    values = question.get(word, [])
    if len(values) != 1:
        raise RulesError(f"the question needs one '{word}', not {len(values)}")
    return values[0]


def _maybe(question: Question, word: str) -> str | None:
    return _one(question, word) if question.get(word, [""])[0] else None


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)
