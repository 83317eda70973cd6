"""Short printed texts on small pictures: where they stand, and what they say.

The two networks come with rapidocr and are run by onnxruntime as they are: a quarter of the
memory and of the start-up time of the whole program, and what a label cannot hold is never read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mapkit.errors import MapkitError, MissingExtraError
from mapkit.scan.sheet import Pixels

Floats = npt.NDArray[np.float32]

LINE_PX = 48  # the height of a line of text that the network was trained on
_SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:·- "
_NARROWEST_PX, _WIDTH_STEP_PX = 64, 32
_BATCH = 8
_INK = 0.3  # from this on a pixel belongs to a text
_BLOCK_PX = 32  # the finder takes pictures whose sides are multiples of this
_MEAN = np.array((0.485, 0.456, 0.406), np.float32)
_SPREAD = np.array((0.229, 0.224, 0.225), np.float32)


class OcrError(MapkitError):
    """The networks that read are not where they should be."""


class Box(NamedTuple):
    """A rectangle on a picture that a text stands in, and how sure that is."""

    left: float
    top: float
    right: float
    bottom: float
    score: float


class Line(NamedTuple):
    """What a picture of one line of text says; *score* is from 0 to 1."""

    text: str
    score: float


def load_reader(signs: str = _SIGNS) -> "Reader":
    """Return a reader of texts made of *signs*; its networks are loaded when first needed.

    Raises:
        MissingExtraError: the optional part `ocr` is not installed.
        OcrError: it is, without its networks.
    """
    found = {module: find_spec(module) for module in ("onnxruntime", "rapidocr")}
    spec = found["rapidocr"]
    if not all(found.values()) or spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("ocr", "reading the printed numbers")
    models = Path(spec.submodule_search_locations[0]) / "models"
    return Reader(_model(models, "_det"), _model(models, "_rec"), signs)


@dataclass(frozen=True)
class Reader:
    """Two networks: one finds texts, one reads a line."""

    finder: Path
    recogniser: Path
    signs: str = _SIGNS

    def find(self, picture: Pixels) -> list[Box]:
        """Return where short texts stand on a picture, lying or standing, from the top down."""
        import cv2

        height, width = picture.shape[:2]
        whole = tuple(-(-side // _BLOCK_PX) * _BLOCK_PX for side in (height, width))
        padded = np.full((*whole, 3), 255, np.uint8)
        padded[:height, :width] = picture
        fed: Floats = ((padded.astype(np.float32) / 255 - _MEAN) / _SPREAD).astype(np.float32)
        ink = _run(self._finder, fed.transpose(2, 0, 1)[None])[0, 0, :height, :width]
        count, _, boxes, _ = cv2.connectedComponentsWithStats((ink > _INK).astype(np.uint8))
        found = []
        for left, top, wide, high, area in boxes[1:count].tolist():
            if min(wide, high) < 3:
                continue
            score = float(ink[top : top + high, left : left + wide].mean())
            # The network marks the core of a text: the rest of it lies around.
            rim = area * 1.5 / (2 * (wide + high))
            found.append(Box(left - rim, top - rim, left + wide + rim, top + high + rim, score))
        return found

    def read(self, lines: Sequence[Pixels]) -> list[Line]:
        """Return what each picture of one upright line of text says."""
        found = [Line("", 0.0)] * len(lines)
        for width, indices in _alike(lines):
            batch = np.zeros((len(indices), 3, LINE_PX, width), np.float32)
            for at, index in enumerate(indices):
                fitted = _fitted(lines[index], width)
                batch[at, :, :, : fitted.shape[1]] = fitted.transpose(2, 0, 1) / 127.5 - 1
            for index, shares in zip(indices, _run(self._recogniser, batch), strict=True):
                found[index] = self._decode(shares)
        return found

    def _decode(self, shares: Floats) -> Line:
        """Take the likeliest sign at each step; repeats and blanks fall away."""
        kept = shares[:, self._columns]
        best = kept.argmax(axis=1)
        text, scores, before = "", [], 0
        for step, sign in enumerate(best.tolist()):
            if sign and sign != before:
                text += self.signs[sign - 1]
                scores.append(float(kept[step, sign]))
            before = sign
        return Line(text.strip(), float(np.mean(scores)) if scores else 0.0)

    @cached_property
    def _finder(self) -> Any:
        return _session(self.finder)

    @cached_property
    def _recogniser(self) -> Any:
        return _session(self.recogniser)

    @cached_property
    def _columns(self) -> list[int]:
        """Where the blank and our signs stand among all that the network knows."""
        known = self._recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
        places = {sign: index for index, sign in enumerate([None, *known, " "])}
        return [0, *(places[sign] for sign in self.signs)]


def _model(folder: Path, kind: str) -> Path:
    found = sorted(folder.glob(f"*{kind}*.onnx"))
    if not found:
        raise OcrError(
            f"rapidocr brings no network *{kind}*.onnx in {folder}: "
            'install it again with pip install --force-reinstall "rapidocr>=3.4"'
        )
    return found[-1]


def _session(path: Path) -> Any:
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False  # it would keep the biggest batch for good
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _run(session: Any, fed: Floats) -> Floats:
    name = session.get_inputs()[0].name
    found: Floats = session.run(None, {name: np.ascontiguousarray(fed, np.float32)})[0]
    return found


def _alike(lines: Sequence[Pixels]) -> Iterator[tuple[int, list[int]]]:
    """Yield batches of lines that need the same width."""
    widths = [_width(line) for line in lines]
    for width in sorted(set(widths)):
        indices = [index for index, wide in enumerate(widths) if wide == width]
        for begin in range(0, len(indices), _BATCH):
            yield width, indices[begin : begin + _BATCH]


def _width(line: Pixels) -> int:
    wide = line.shape[1] / line.shape[0] * LINE_PX
    return max(_NARROWEST_PX, int(-(-wide // _WIDTH_STEP_PX) * _WIDTH_STEP_PX))


def _fitted(line: Pixels, width: int) -> Floats:
    import cv2

    wide = min(width, max(1, round(line.shape[1] / line.shape[0] * LINE_PX)))
    return cv2.resize(line, (wide, LINE_PX), interpolation=cv2.INTER_CUBIC).astype(np.float32)
