"""The map document as what `kill_child` edits: its areas hold the texts, each by its name."""

from mapkit.grid import Grid
from mapkit.maps import MAPS
from mapkit.model import Ground, HexMap
from mapkit.numbering import Numbering
from mapkit.store import Edit


class MapSubject:
    codec = MAPS

    def blank(self) -> HexMap:
        rule = Numbering(straight="columns")
        hexes = {rule.hex_at(column, row): Ground() for column in range(12) for row in range(12)}
        return HexMap(Grid.regular("flat", pitch_px=60), rule, hexes, title="killed")

    def change(self, label: str, text: str) -> Edit:
        return {"what": "area", "at": label, "entry": {"name": label, "kind": "a", "note": text}}

    def texts(self, value: HexMap) -> dict[str, str]:
        return {area.name: area.note for area in value.areas}


SUBJECT = MapSubject()
