"""A window where units wait: a drawn board of boxes for each scenario."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from counters.drawing.file_names import file_stems
from exporters.model import OutFile
from exporters.vassal.elements import Element
from exporters.vassal.saves.pieces import Spot
from exporters.vassal.tray_drawing import draw_tray
from exporters.vassal.trays import Column, Tray, lay_out, tray_element
from exporters.vassal.windows import map_window
from mapkit.drawing import rasterise
from mapkit.texts import say


@dataclass
class WaitingRoom:
    """The window, the name its pictures begin with, and its boards by the scenario's id."""

    window: str
    file: str
    counter_px: int
    boards: dict[str, Tray] = field(default_factory=dict)

    def add(self, scenario: str, title: str, columns: Sequence[Column]) -> None:
        """Add the board of a scenario."""
        words = say("exporters.vassal.tray.head", window=self.window, scenario=title)
        self.boards[scenario] = lay_out(title, words, columns, self.counter_px)

    @property
    def is_needed(self) -> bool:
        """Whether anybody ever waits there."""
        return any(board.spots for board in self.boards.values())

    def spots(self, scenario: str) -> dict[str, Spot]:
        """Return where the units of a scenario lie here."""
        found = self.boards[scenario].spots.items()
        return {id_: Spot(self.window, x, y) for id_, (x, y) in found}

    def element(self) -> Element:
        """Return the window; a game without a scenario shows its empty board."""
        boards = [tray_element(board, file) for file, board in self._pictured()]
        return map_window(self.window, boards, docked=False)

    def images(self) -> Iterator[OutFile]:
        """Yield the pictures of its boards."""
        for file, board in self._pictured():
            yield OutFile(f"images/{file}", rasterise(draw_tray(board)))

    def _pictured(self) -> Iterator[tuple[str, Tray]]:
        words = say("exporters.vassal.tray.none")
        yield f"{self.file}.png", lay_out(words, words, (), self.counter_px)
        for id_, stem in file_stems(self.boards).items():
            yield f"{self.file}-{stem}.png", self.boards[id_]
