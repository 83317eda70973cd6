"""The order of battle: for every scenario and side a page of its counters by formation.

Below each counter stands its hex; who may be placed or comes later stands under the words that say
where and when. It is what a table is laid out by, beside a screen or without one.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from PIL import Image

from counters.drawing.file_names import file_stems
from exporters.model import OutFile
from exporters.vassal.elements import Element, add
from exporters.vassal.tray_drawing import draw_tray
from exporters.vassal.trays import Box, Column, Group, Tray, lay_out
from exporters.vassal.waiting import told_placement, told_side
from mapkit.drawing import rasterise
from mapkit.texts import say
from rules.positions.places import format_place
from rules.positions.position import Piece, Position
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.scenarios.scenario_words import told_turn

_WIDGET = "build.widget"
_COLOURS = 256  # a page is paper, ink and flat grounds: a third of the bytes, and no eye sees it


@dataclass(frozen=True)
class Page:
    """The counters of one side in a scenario: the side's title, and where each counter lies."""

    side: str
    board: Tray


@dataclass
class OrderOfBattle:
    """The window in the making: *fronts* are the pictures of counters by id."""

    scenarios: Scenarios
    formations: Mapping[str, str]
    fronts: Mapping[str, bytes]
    counter_px: int
    pages: dict[str, tuple[str, list[Page]]] = field(default_factory=dict)

    def add(self, scenario: Scenario, title: str, position: Position) -> None:
        """Add the pages of a scenario, in the order in which its sides set up."""
        sides: dict[str, list[str]] = {one: [] for one in scenario.file.order.sides}
        for id_, piece in position.pieces.items():
            if id_ in self.fronts:
                sides.setdefault(piece.unit.side, []).append(id_)
        made = [
            Page(told, self._board(scenario, title, told, position, ids))
            for side, ids in sides.items()
            if ids and (told := told_side(self.scenarios.pack, side))
        ]
        if made:
            self.pages[scenario.id] = (title, made)

    def add_to(self, root: Element) -> list[OutFile]:
        """Add the window, if any scenario has units; return its pictures."""
        if not self.pages:
            return []
        name = say("exporters.vassal.order.window")
        tip = say("exporters.vassal.order.tip")
        window = add(root, "build.module.ChartWindow", name=name, text=name, tooltip=tip)
        tabs = add(window, f"{_WIDGET}.TabWidget", entryName=name)
        stems = file_stems(self.pages)
        images: list[OutFile] = []
        for id_, (title, pages) in self.pages.items():
            own = add(tabs, f"{_WIDGET}.TabWidget", entryName=title)
            for number, page in enumerate(pages, start=1):
                file = f"order-{stems[id_]}-{number}.png"
                add(own, f"{_WIDGET}.Chart", chartName=page.side, fileName=file)
                images.append(OutFile(f"images/{file}", draw_order(page.board, self.fronts)))
        return images

    def _board(
        self, scenario: Scenario, title: str, side: str, position: Position, ids: Sequence[str]
    ) -> Tray:
        formations: dict[str, list[str]] = {}
        for id_ in ids:
            formations.setdefault(position.pieces[id_].unit.formation, []).append(id_)
        boxes = tuple(
            Box(
                f"{side}: {formation}",
                self.formations.get(formation, formation) or say("exporters.vassal.independent"),
                tuple(self._groups(scenario, {id_: position.pieces[id_] for id_ in members})),
            )
            for formation, members in formations.items()
        )
        return lay_out(side, title, (Column(side, boxes),), self.counter_px)

    def _groups(self, scenario: Scenario, members: Mapping[str, Piece]) -> Iterator[Group]:
        """Yield the members of a formation: those in hexes, then the rest by where and when."""
        standing = {id_: _at(one) for id_, one in members.items() if one.place.kind == "hex"}
        if standing:
            yield Group(tuple(standing), captions=tuple(standing.values()))
        waiting: dict[str, list[str]] = {}
        for id_, piece in members.items():
            if id_ not in standing:
                waiting.setdefault(self._told(scenario, piece), []).append(id_)
        for words, ids in waiting.items():
            yield Group(tuple(ids), words)

    def _told(self, scenario: Scenario, piece: Piece) -> str:
        if piece.place.kind == "unplaced":
            return told_placement(self.scenarios, scenario, piece.placement)
        if piece.place.kind == "off_map" and piece.due:
            where = told_placement(self.scenarios, scenario, piece.placement)
            turn = told_turn(scenario, piece.due)
            return say("exporters.vassal.order.arrives", turn=turn, where=where)
        return format_place(piece.place)


def _at(piece: Piece) -> str:
    """Return the hex of a unit, with the steps it has lost before the first turn."""
    return f"{piece.place.at} -{piece.steps_lost}" if piece.steps_lost else piece.place.at


def draw_order(board: Tray, fronts: Mapping[str, bytes]) -> bytes:
    """Return a page with its counters as a picture."""
    sheet = Image.open(io.BytesIO(rasterise(draw_tray(board)))).convert("RGB")
    for id_, (x, y) in board.spots.items():
        face = Image.open(io.BytesIO(fronts[id_])).convert("RGBA")
        sheet.paste(face, (x - face.width // 2, y - face.height // 2), face)
    out = io.BytesIO()
    sheet.quantize(_COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
