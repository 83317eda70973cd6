"""Stages of a scan that were done before and need not be done again.

Each stage is kept with the fingerprint of all it was made from. A scan that was stopped goes on
where it stood, one that is repeated with another legend begins at the legend; what was made from
anything else is made anew.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from mapkit.errors import StoreError
from mapkit.scan.load import LoadedScan
from mapkit.store.files import read_file, sha256, write_whole

T = TypeVar("T")


@dataclass(frozen=True)
class Stage(Generic[T]):
    """A stage whose result can be kept: as JSON values, and back again."""

    name: str
    dump: Callable[[T], Any]
    load: Callable[[Any], T]


class Keeper(Protocol):
    """Whoever keeps the results of stages."""

    def __call__(self, stage: Stage[T], made_from: object, make: Callable[[], T]) -> T:
        """Return the kept result, or make it."""
        ...


def keep_nothing(stage: Stage[T], made_from: object, make: Callable[[], T]) -> T:
    """Make every stage anew: the default of whoever may ask a keeper.

    The result is the same as if it had been kept, to the last digit.
    """
    return stage.load(json.loads(json.dumps(stage.dump(make()))))


@dataclass
class KeptStages:
    """A folder that keeps stages made from files with one *fingerprint*.

    *reused* fills with the names of the stages that were not made again.
    """

    folder: Path
    fingerprint: str
    anew: bool = False
    reused: list[str] = field(default_factory=list)

    def __call__(self, stage: Stage[T], made_from: object, make: Callable[[], T]) -> T:
        """Return a stage's result as it was kept, or make it and keep it."""
        key, path = self._key(stage.name, made_from), self.folder / f"{stage.name}.json"
        kept = None if self.anew else _read(path)
        if isinstance(kept, dict) and kept.get("made_from") == key:
            try:
                value = stage.load(kept["value"])
            except (ValueError, KeyError, TypeError, IndexError):
                pass  # spoilt: made anew
            else:
                self.reused.append(stage.name)
                return value
        data = stage.dump(make())
        text = json.dumps({"made_from": key, "value": data}, indent=1)
        self._write(path, text.encode())
        return stage.load(json.loads(text)["value"])

    def sheet(self, make: Callable[[], LoadedScan]) -> LoadedScan:
        """Return a joined sheet as it was kept, or make it and keep it as a picture."""
        picture = self.folder / "sheet.png"
        key, note = self._key("sheet", None), _read(self.folder / "sheet.json")
        if not self.anew and isinstance(note, dict) and note.get("made_from") == key:
            pixels = _picture(picture, str(note.get("sha256")))
            if pixels is not None:
                self.reused.append("sheet")
                return LoadedScan(pixels, note.get("dpi"))
        scan = make()
        data = _png(scan)
        self._write(picture, data)
        about = {"made_from": key, "sha256": sha256(data), "dpi": scan.dpi}
        self._write(self.folder / "sheet.json", json.dumps(about, indent=1).encode())
        return scan

    def _key(self, stage: str, made_from: object) -> str:
        said = json.dumps([version("mapkit"), stage, self.fingerprint, made_from], default=repr)
        return sha256(said.encode())

    def _write(self, path: Path, data: bytes) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{self.folder}: no folder can be made here ({error})") from error
        write_whole(path, data, what="stage of the scan")


def _read(path: Path) -> Any:
    try:
        return json.loads(read_file(path, what="stage of the scan"))
    except (StoreError, ValueError, RecursionError):
        return None  # not there, or spoilt: made anew


def _picture(path: Path, fingerprint: str) -> Any:
    import cv2

    try:
        data = read_file(path, what="stage of the scan")
    except StoreError:
        return None
    if sha256(data) != fingerprint:
        return None
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    return None if pixels is None else np.asarray(pixels, np.uint8)


def _png(scan: LoadedScan) -> bytes:
    from io import BytesIO

    from PIL import Image

    packed = BytesIO()
    Image.fromarray(scan.pixels).save(packed, "PNG", compress_level=1)
    return packed.getvalue()
