"""What lies in each hex, as the page shows it when a finger rests on it."""

from collections.abc import Callable, Iterator
from typing import Any

from exporters.page.phrases import Phrases
from mapkit.check.document import THRESHOLD
from mapkit.grid import Grid
from mapkit.hexes import Hex, neighbours
from mapkit.kinds import UNKNOWN, Group
from mapkit.model import Feature, HexMap, Provenance
from mapkit.texts import say
from rules.pack import Pack
from rules.spoken import spoken

Data = dict[str, Any]


def grid_data(grid: Grid, factor: float) -> Data:
    """Return where hexes lie, in pixels of the biggest level of tiles."""
    (a, b, c), (d, e, f), last = grid.homography
    matrix = [a * factor, b * factor, c * factor, d * factor, e * factor, f * factor, *last]
    return {"matrix": matrix}


class GroundWords:
    """Tells the hexes of one map in the page's phrases."""

    def __init__(self, map_: HexMap, pack: Pack | None, phrases: Phrases) -> None:
        self._map, self._pack, self._phrases = map_, pack, phrases
        self._titles: dict[tuple[str, str], int] = {}

    def hexes(self) -> list[Data]:
        """Return every hex: place, label, and all that the map knows of it."""
        return [self._hex(hex_) for hex_ in self._map.hexes]

    def between(self) -> list[list[Any]]:
        """Return hexsides and roads: two labels, whether it is a road, and what is there."""
        label = self._map.label
        rows: list[list[Any]] = []
        for side, features in self._map.hexsides.items():
            rows.append(
                [*map(label, side), 0, [self._feature("hexsides", one) for one in features]]
            )
        for link, features in self._map.links.items():
            rows.append([*map(label, link), 1, [self._feature("links", one) for one in features]])
        return rows

    def outside(self) -> dict[str, str]:
        """Return the labels of the hexes around the map: a line may run along its edge."""
        around = {one for hex_ in self._map.hexes for one in neighbours(hex_)}
        beside = sorted(around - set(self._map.hexes))
        return {f"{one.q},{one.r}": self._map.label(one) for one in beside}

    def _hex(self, hex_: Hex) -> Data:
        ground = self._map[hex_]
        data: Data = {
            "at": [hex_.q, hex_.r],
            "label": self._map.label(hex_),
            "terrain": self._title("terrain", ground.terrain),
            "level": ground.level,
        }
        if ground.name:
            data["name"] = ground.name
        if ground.note:
            data["note"] = ground.note
        if ground.features:
            data["features"] = [self._feature("features", one) for one in ground.features]
        sure = list(self._sureness(hex_))
        if sure:
            data["sure"] = sure
        return data

    def _sureness(self, hex_: Hex) -> Iterator[list[Any]]:
        """How sure a scan was of terrain and level: phrase, whether that is doubtful."""
        values: tuple[Any, ...] = ("terrain", "level")
        for value in values:
            provenance = self._map.provenance_of(hex_, value)
            if provenance.source == "scan":
                doubtful = (provenance.confidence or 0) < THRESHOLD
                yield [self._phrases.add(self._told_scan(value, provenance)), int(doubtful)]

    def _told_scan(self, value: str, provenance: Provenance) -> Callable[[], str]:
        percent = "?" if provenance.confidence is None else round(100 * provenance.confidence)
        return lambda: say(f"exporters.page.scanned_{value}", percent=percent)

    def _feature(self, group: Group, feature: Feature) -> list[Any]:
        """A feature: its kind, and what else is known of it: value, name, state."""
        more = [str(feature.value)] if feature.value is not None else []
        more += [text for text in (feature.name, feature.state, feature.owner) if text]
        return [self._title(group, feature.kind), " ".join(more)]

    def _title(self, group: Group, id_: str) -> int:
        if (group, id_) not in self._titles:
            kind = next((one for one in self._map.kinds.group(group) if one.id == id_), None)
            title = (kind.title if kind else "") or id_.replace("_", " ")
            self._titles[group, id_] = self._phrases.add(self._told_kind(id_, title))
        return self._titles[group, id_]

    def _told_kind(self, id_: str, title: str) -> Callable[[], str]:
        def told() -> str:
            if id_ == UNKNOWN:
                return say("exporters.page.unknown")
            if self._pack is None:
                return title
            by_id = spoken(self._pack, id_.replace("_", " "))
            return by_id if by_id != id_.replace("_", " ") else spoken(self._pack, title)

        return told
