"""Features as one cell of a table writes them: `town; fort:2@Italy; trench:2>1534`.

    kind :value @owner !state >facing "name" [note]

Only the kind is needed. Features are parted by semicolons or line breaks. Whatever holds one
of these signs, or spaces at its ends, stands in quotes, and a quote inside is doubled:
`"A;B":2`. The curly quotes that spreadsheets like to make are read as well.
"""

import re
from collections.abc import Sequence

from mapkit.errors import NotationError
from mapkit.hexes import Hex
from mapkit.model import Feature
from mapkit.notation import Labels, format_hex, parse_hex

EXAMPLE = "town; fort:2@Italy; trench:2>1534"

_QUOTES = '"“”„«»'
_SIGNS = ":@!>"
_SPECIAL = re.escape(";\r\n[]" + _QUOTES)
_QUOTED = re.compile(r'"((?:[^"]|"")*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»')
_BARE = re.compile(rf"[^{_SPECIAL}{_SIGNS}]+")
# A label may hold a colon (A:0305), so what a feature faces comes after its value.
_BARE_LABEL = re.compile(rf"[^{_SPECIAL}@!>]+")
_BARE_NOTE = re.compile(rf"[^\r\n\[\]{_QUOTES}]+")
_WHOLE = re.compile(r"[+-]?\d{1,15}", re.ASCII)
_GAP = re.compile(r"[^\S\r\n]*")
_PARTING = re.compile(r"[\s;]*")


def format_features(features: Sequence[Feature], labels: Labels) -> str:
    """Return the text of one cell."""
    return "; ".join(format_feature(feature, labels) for feature in features)


def parse_features(text: str, labels: Labels) -> tuple[Feature, ...]:
    """Return the features in one cell: the inverse of `format_features`.

    Raises:
        NotationError: the text does not read.
        NumberingError: a feature faces a hex that has no such label.
    """
    return tuple(_Scanner(text, labels).features())


def format_feature(feature: Feature, labels: Labels) -> str:
    """Return how a feature is written; its provenance is not."""
    text = format_word(feature.kind)
    if feature.value is not None:
        text += f":{feature.value}"
    if feature.owner:
        text += f"@{format_word(feature.owner)}"
    if feature.state:
        text += f"!{format_word(feature.state)}"
    if feature.facing is not None:
        text += f">{_written(format_hex(feature.facing, labels), _BARE_LABEL)}"
    if feature.name:
        text += f" {_quoted(feature.name)}"
    if feature.note:
        text += f" [{_written(feature.note, _BARE_NOTE)}]"
    return text


def parse_feature(text: str, labels: Labels) -> Feature:
    """Return the one feature that is written so: the inverse of `format_feature`."""
    features = parse_features(text, labels)
    if len(features) != 1:
        raise NotationError(f"'{text}' is {len(features)} features, not one")
    return features[0]


def format_word(word: str) -> str:
    """Return a word as it is, or in quotes where it would be misread."""
    return _written(word, _BARE)


def parse_word(text: str) -> str:
    """Return the word that is written so: the inverse of `format_word`.

    Signs in a word that stands alone do no harm and are kept.
    """
    text = text.strip()
    match = _QUOTED.fullmatch(text)
    return _unquoted(match) if match else text


def _written(text: str, bare: re.Pattern[str]) -> str:
    return text if bare.fullmatch(text) and text == text.strip() else _quoted(text)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _unquoted(match: re.Match[str]) -> str:
    straight = match[1]
    if straight is not None:
        return straight.replace('""', '"')
    return match[2] or match[3] or match[4] or ""


class _Scanner:
    """Reads a cell from left to right."""

    def __init__(self, text: str, labels: Labels) -> None:
        self._text = text
        self._at = 0
        self._labels = labels

    def features(self) -> list[Feature]:
        found: list[Feature] = []
        self._skip(_PARTING)
        while self._at < len(self._text):
            found.append(self._feature())
            self._skip(_PARTING)
        return found

    def _feature(self) -> Feature:
        kind = self._word(_BARE)
        if not kind:
            raise self._wrong("a feature begins with its kind")
        seen: set[str] = set()
        value: int | None = None
        facing: Hex | None = None
        words = dict.fromkeys('@!"[', "")
        while sign := self._next_sign():
            if sign in seen:
                raise self._wrong(f"a feature has one {_MEANS[sign]}")
            seen.add(sign)
            if sign == ":":
                value = self._whole_number()
            elif sign == ">":
                facing = parse_hex(self._word(_BARE_LABEL), self._labels)
            else:
                words[sign] = self._note() if sign == "[" else self._word(_BARE)
        return Feature(kind, value, words["@"], words["!"], facing, words['"'], words["["])

    def _next_sign(self) -> str:
        """Return the sign that follows, stepped over; a name's opening quote stays."""
        self._skip(_GAP)
        sign = self._text[self._at : self._at + 1]
        if sign in ";\r\n":
            return ""
        if sign in _QUOTES:
            return '"'
        if sign not in _MEANS:
            raise self._wrong("another feature begins after a semicolon")
        self._at += 1
        return sign

    def _word(self, bare: re.Pattern[str]) -> str:
        self._skip(_GAP)
        quoted = _QUOTED.match(self._text, self._at)
        match = quoted or bare.match(self._text, self._at)
        if match is None:
            raise self._wrong("a word is missing, or a quote is not closed")
        self._at = match.end()
        return _unquoted(match) if quoted else match[0].strip()

    def _whole_number(self) -> int:
        text = self._word(_BARE).replace("−", "-")
        if not _WHOLE.fullmatch(text):
            raise self._wrong(f"after a colon stands a whole number, not '{text}'")
        return int(text)

    def _note(self) -> str:
        note = self._word(_BARE_NOTE)
        self._skip(_GAP)
        if self._text[self._at : self._at + 1] != "]":
            raise self._wrong("a note ends with ]")
        self._at += 1
        return note

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _wrong(self, why: str) -> NotationError:
        shown = self._text if len(self._text) <= 60 else self._text[:57] + "…"
        return NotationError(f"'{shown}', at character {self._at + 1}: {why}")


_MEANS = {":": "value", "@": "owner", "!": "state", ">": "facing", '"': "name", "[": "note"}
