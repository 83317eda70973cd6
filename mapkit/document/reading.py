"""The map document from bytes to model, with every fault found before giving up.

`parse_map` is the inverse of `dump_map` in `writing`. Each fault names its place in the file and
the remedy; the error shows the first, `mapkit map check` lists them all.
"""

import gc
import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import ValidationError

from mapkit.document.fileformat import AreaEntry, FeatureEntry, HexEntry, MapFile
from mapkit.document.writing import FORMAT
from mapkit.errors import DocumentError, Fault, MapkitError
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import GROUPS, ROLES
from mapkit.model import NOTHING_STATED, Area, Feature, Ground, HexMap
from mapkit.notation import Labels, format_hex, parse_hex, parse_hexside, parse_link
from mapkit.numbering import AnyNumbering, SheetNumbering

_Side = TypeVar("_Side", Hexside, Link)
_OTHER_FILES = {
    b"PK": "a workbook or archive, not a map (`mapkit map from-table` reads workbooks)",
    b"\x89PNG": "a picture, not a map",
    b"\xff\xd8\xff": "a picture, not a map",
    b"%PDF": "a PDF, not a map",
}
_ONCE = ("hexes", "numbering", "grid", "kinds")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


def parse_map(data: bytes, source: str) -> HexMap:
    """Return the map in a file's bytes; *source* names the file in messages.

    Raises:
        DocumentError: it is not a map document we can read; `faults` lists every reason.
    """
    for magic, what in _OTHER_FILES.items():
        if data.startswith(magic):
            raise DocumentError(f"{source}: {what}; give a *.hexmap.json file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{source}: not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None
    with _no_collection():
        return _parse_text(text, source)


def _parse_text(text: str, source: str) -> HexMap:
    try:
        file = MapFile.model_validate_json(text)
    except ValidationError as error:
        raise _explain(text, source, error) from None
    _require_once(text, source)
    reader = _Reader(file)
    map_ = reader.read()
    if map_ is None or reader.faults:
        raise DocumentError.listing(source, reader.faults)
    return map_


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector: tens of thousands of entries are made and none is garbage."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def ground_from(entry: HexEntry, labels: Labels) -> Ground:
    """Return what an entry says of its hex: the inverse of `hex_entry`."""
    return Ground(
        entry.terrain,
        entry.level,
        features_from(entry.features, labels) if entry.features else (),
        entry.name,
        entry.note,
        entry.provenance or NOTHING_STATED,
    )


def features_from(entries: Sequence[FeatureEntry], labels: Labels) -> tuple[Feature, ...]:
    """Return the features that some entries describe."""
    return tuple(
        Feature(
            kind=entry.kind,
            value=entry.value,
            owner=entry.owner,
            state=entry.state,
            facing=None if entry.facing is None else parse_hex(entry.facing, labels),
            name=entry.name,
            note=entry.note,
            provenance=entry.provenance,
        )
        for entry in entries
    )


def area_from(entry: AreaEntry, labels: Labels) -> Area:
    """Return the area that an entry describes."""
    return Area(
        name=entry.name,
        kind=entry.kind,
        hexes=tuple(parse_hex(label, labels) for label in entry.hexes),
        hexsides=tuple(parse_hexside(text, labels) for text in entry.hexsides),
        note=entry.note,
    )


def ground_fault(ground: Ground) -> str | None:
    """Say what no hex may hold, or None."""
    if any(feature.facing is not None for feature in ground.features):
        return "a feature in a hex faces no other hex"
    return None


def side_fault(
    side: Hexside | Link, features: Sequence[Feature], hexes: Container[Hex]
) -> str | None:
    """Say what no hexside and no link may be, or None."""
    if side.a not in hexes and side.b not in hexes:
        return "neither hex is on the map"
    if any(feature.facing is not None and feature.facing not in side for feature in features):
        return "a feature faces a hex elsewhere"
    return None


class _Remembered:
    """A numbering that need not work out again the labels that stand in the file."""

    def __init__(self, numbering: AnyNumbering, hexes: Mapping[str, Hex]) -> None:
        self._numbering = numbering
        self._hexes = hexes

    def format_label(self, hex_: Hex) -> str:
        return self._numbering.format_label(hex_)

    def parse_label(self, text: str) -> Hex:
        return self._hexes.get(text) or self._numbering.parse_label(text)


class _Reader:
    """Builds the map from a file of the right form and collects what cannot be."""

    def __init__(self, file: MapFile) -> None:
        self.faults: list[Fault] = []
        self._file = file

    def read(self) -> HexMap | None:
        numbering = self._read_numbering()
        if numbering is None:
            return None
        file = self._file
        hexes = self._read_hexes(numbering)
        labels = _Remembered(
            numbering, {entry.label: Hex(entry.q, entry.r) for entry in file.hexes}
        )
        self._check_picture()
        self._check_kinds()
        sides = ((entry.hexside, entry.features) for entry in file.hexsides)
        links = ((entry.link, entry.features) for entry in file.links)
        return HexMap(
            grid=file.grid,
            numbering=numbering,
            hexes=hexes,
            kinds=file.kinds,
            hexsides=self._read_sides("hexside", sides, parse_hexside, hexes, labels),
            links=self._read_sides("link", links, parse_link, hexes, labels),
            areas=tuple(self._read_areas(hexes, labels)),
            title=file.title,
            notes=tuple(file.notes),
            picture=file.picture,
            provenance=file.provenance,
        )

    def _fault(self, place: str, problem: str, remedy: str) -> None:
        self.faults.append(Fault(place, problem, remedy))

    def _read_numbering(self) -> AnyNumbering | None:
        file = self._file
        if (file.numbering is None) == (not file.sheets):
            self._fault("numbering", "neither or twice given", "give numbering or sheets, not both")
            return None
        try:
            numbering = file.numbering or SheetNumbering(tuple(file.sheets))
        except MapkitError as error:
            self._fault("sheets", str(error), "correct the sheets")
            return None
        if numbering.orientation != file.grid.orientation:
            self._fault(
                "grid",
                f"a {file.grid.orientation}-top grid cannot carry this numbering",
                "flat-top hexes stand in straight columns, pointy-top ones in straight rows",
            )
            return None
        return numbering

    def _read_hexes(self, numbering: AnyNumbering) -> dict[Hex, Ground]:
        hexes: dict[Hex, Ground] = {}
        labels: set[str] = set()
        for entry in self._file.hexes:
            hex_ = Hex(entry.q, entry.r)
            due = format_hex(hex_, numbering)
            place = f"hex {entry.label}"
            if entry.label in labels:
                self._fault(place, "two hexes have this label", "correct one of them")
            elif entry.label != due:
                self._fault(
                    place,
                    f"the numbering calls ({entry.q},{entry.r}) {due}",
                    "correct the label, the coordinates or the numbering",
                )
            labels.add(entry.label)
            try:
                hexes[hex_] = ground = ground_from(entry, numbering)
            except MapkitError as error:
                self._fault(place, str(error), "correct or remove that place")
                continue
            if fault := ground_fault(ground):
                self._fault(place, fault, "remove 'facing'")
        return hexes

    def _check_picture(self) -> None:
        """A hex lies off the grid when its centre is more than a hex outside the picture."""
        picture, grid = self._file.picture, self._file.grid
        if picture is None:
            return
        for entry in self._file.hexes:
            hex_ = Hex(entry.q, entry.r)
            try:
                x, y = grid.centre(hex_)
                margin = grid.pitch_px(hex_)
            except MapkitError:
                x = y = margin = float("nan")
            if not (
                -margin <= x <= picture.width_px + margin
                and -margin <= y <= picture.height_px + margin
            ):
                self._fault(
                    f"hex {entry.label}",
                    f"lies off the grid: outside the picture {picture.path}",
                    "correct q and r, or the grid's homography",
                )

    def _check_kinds(self) -> None:
        for group in GROUPS:
            seen: set[str] = set()
            for kind in self._file.kinds.group(group):
                place = f"kinds.{group} '{kind.id}'"
                if kind.id in seen or not kind.id:
                    self._fault(place, "declared twice, or without a name", "keep one")
                if kind.role is not None and kind.role not in ROLES[group]:
                    roles = ", ".join(ROLES[group])
                    self._fault(place, f"no role is called '{kind.role}'", f"take one of: {roles}")
                if kind.colour is not None and not _COLOUR.fullmatch(kind.colour):
                    self._fault(place, f"'{kind.colour}' is no colour", "write it as #rrggbb")
                seen.add(kind.id)

    def _read_sides(
        self,
        what: str,
        entries: Iterator[tuple[str, list[FeatureEntry]]],
        parse: Callable[[str, Labels], _Side],
        hexes: Mapping[Hex, Ground],
        labels: Labels,
    ) -> dict[_Side, tuple[Feature, ...]]:
        found: dict[_Side, tuple[Feature, ...]] = {}
        for text, entry_features in entries:
            place = f"{what} {text}"
            try:
                side = parse(text, labels)
                features = features_from(entry_features, labels)
            except MapkitError as error:
                self._fault(place, str(error), "name two neighbouring hexes of this map")
                continue
            if side in found:
                self._fault(place, "stands twice in the file", "put its features in one entry")
            elif fault := side_fault(side, features, hexes):
                self._fault(place, fault, "correct or remove it")
            found[side] = features
        return found

    def _read_areas(self, hexes: Mapping[Hex, Ground], labels: Labels) -> Iterator[Area]:
        seen: set[str] = set()
        for entry in self._file.areas:
            if entry.name in seen:
                self._fault(f"area '{entry.name}'", "stands twice in the file", "rename one")
            seen.add(entry.name)
            try:
                area = area_from(entry, labels)
            except MapkitError as error:
                self._fault(f"area '{entry.name}'", str(error), "correct or remove that place")
                continue
            for hex_ in area.hexes:
                if hex_ not in hexes:
                    label = format_hex(hex_, labels)
                    self._fault(f"area '{entry.name}'", f"{label} is not on the map", "remove it")
            yield area


def _require_once(text: str, source: str) -> None:
    """Refuse a key that stands twice at the top: JSON would silently take the last."""
    if all(text.count(f'"{key}"') <= 1 for key in _ONCE):
        return  # so it is nearly always, and nothing more to read

    def keys_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs) and "format" in found:
            twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
            fault = Fault(f'"{twice}"', "stands twice in the document", "merge or remove one")
            raise DocumentError.listing(source, [fault])
        return found

    json.loads(text, object_pairs_hook=keys_once)


def _explain(text: str, source: str, error: ValidationError) -> DocumentError:
    """Say in a reader's words why a text is not our format."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as broken:
        return DocumentError(
            f"{source}: broken JSON at line {broken.lineno}, column {broken.colno} "
            f"({broken.msg}); restore the file from a copy or mend that line"
        )
    except ValueError as broken:  # a number of thousands of digits
        return DocumentError(f"{source}: broken JSON: {broken}; mend that number")
    except RecursionError:
        return DocumentError(f"{source}: nested too deeply to be a map document")
    version = content.get("format") if isinstance(content, dict) else None
    if version != FORMAT:
        return _explain_version(source, version)
    faults = [_fault_from(detail, content) for detail in error.errors()]
    return DocumentError.listing(source, faults)


def _explain_version(source: str, version: object) -> DocumentError:
    newer = re.fullmatch(r"mapkit-map/(\d{1,6})", version) if isinstance(version, str) else None
    if newer:
        return DocumentError(
            f"{source}: written in format {version}, this Mapkit reads {FORMAT}; "
            f"install a Mapkit that reads {version}"
        )
    return DocumentError(
        f'{source}: not a Mapkit map document: it lacks "format": "{FORMAT}"; '
        "give a *.hexmap.json file"
    )


def _fault_from(detail: Any, content: Any) -> Fault:
    path = [str(part) for part in detail["loc"]]
    place = ".".join(path) or "the document"
    here = content
    for part in detail["loc"]:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            break
        if isinstance(here, dict):
            name = here.get("label") or here.get("hexside") or here.get("link")
            if isinstance(name, str):
                place = f"{name} ({'.'.join(path)})"
    problem = detail["msg"][:1].lower() + detail["msg"][1:]
    remedy = {
        "missing": "add it",
        "extra_forbidden": "remove it or correct its name",
        "unexpected_keyword_argument": "remove it or correct its name",
    }.get(detail["type"], "correct it")
    return Fault(place, problem, remedy)
