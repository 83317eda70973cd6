"""Where styles of counters come from: those that come with Mapkit, a game's pack, or a file."""

import tomllib
from functools import cache
from importlib import resources
from importlib.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from counters.drawing.style import CounterStyle
from counters.errors import CounterStyleError
from mapkit import plugins

PACK_FILE = "counters.toml"
"""The style of a game, in the folder of its pack."""

FORMATIONS_FILE = "formations.toml"
"""Beside it: the formations of the game, of which the style takes the titles."""

_LIMIT_BYTES = 1_000_000
_PACKS = "mapkit.packs"
_FACE_WORDS = frozenset({"value", "row", "text", "badge", "sign"})


@cache
def style_names() -> tuple[str, ...]:
    """Return the names of the styles that come with Mapkit.

    >>> style_names()
    ('battalion', 'classic', 'cohesion')
    """
    entries = resources.files("counters.drawing").joinpath("styles").iterdir()
    return tuple(sorted(entry.name[:-5] for entry in entries if entry.name.endswith(".toml")))


def games_with_style() -> tuple[str, ...]:
    """Return the ids of the packs that say how their counters look."""
    return tuple(sorted(name for name in plugins.found(_PACKS) if _pack_file(name) is not None))


def load_counter_style(name: str) -> CounterStyle:
    """Return a style by its name, by the id of a game, or from a TOML file.

    Raises:
        CounterStyleError: there is none of that name, or it does not read.
    """
    if name in style_names():
        return parse_counter_style(_bundled_text(name), f"{name}.toml")
    pack_file = _pack_file(name)
    if pack_file is not None:
        beside = _pack_file(name, FORMATIONS_FILE)
        titles = beside.read_text(encoding="utf-8") if beside else ""
        text = pack_file.read_text(encoding="utf-8")
        return parse_counter_style(text, f"{name}/{PACK_FILE}", formations=titles)
    path = Path(name)
    if path.suffix.lower() != ".toml":
        there = ", ".join((*style_names(), *games_with_style()))
        raise CounterStyleError(
            f"no style of counters '{name}'; there is: {there}; or give a file that ends in .toml"
        )
    beside = path.parent / FORMATIONS_FILE
    is_pack = path.name == PACK_FILE and beside.is_file()
    return parse_counter_style(_read(path), str(path), formations=_read(beside) if is_pack else "")


def parse_counter_style(text: str, source: str, *, formations: str = "") -> CounterStyle:
    """Return the style that a TOML text describes; *source* names it in messages.

    *formations* is the text of a pack's formations: one that the style names nothing has its title.
    """
    try:
        return CounterStyle.model_validate(_with_titles(_data(text, source), formations, source))
    except ValidationError as error:
        first = error.errors()[0]
        # The kind of a slot stands in the path as well; it is no key of the file.
        keys = [str(key) for key in first["loc"] if key not in _FACE_WORDS]
        problem = first["msg"].removeprefix("Value error, ")
        raise CounterStyleError(f"{source}: {'.'.join(keys) or 'the style'}: {problem}") from None


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LIMIT_BYTES + 1)
        if len(data) > _LIMIT_BYTES:
            raise CounterStyleError(f"the style {path} is bigger than any style; name another file")
        return data.decode("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CounterStyleError(f"cannot read the style {path}: {reason}") from None


def _with_titles(data: dict[str, Any], formations: str, source: str) -> dict[str, Any]:
    """Name formations by their titles where the style has no shorter name for them."""
    named = dict(data.get("formations", {}))
    beside = str(Path(source).with_name(FORMATIONS_FILE))
    for id_, formation in (_data(formations, beside) if formations else {}).items():
        title = formation.get("title") if isinstance(formation, dict) else None
        if isinstance(title, str) and isinstance(named.get(id_, {}), dict):
            named[id_] = {"title": title} | named.get(id_, {})
    return data | ({"formations": named} if named else {})


def _pack_file(game: str, name: str = PACK_FILE) -> Traversable | None:
    """Return a file in a pack's folder, its style; the pack itself is neither read nor run."""
    entry = plugins.found(_PACKS).get(game)
    if entry is None:
        return None
    try:
        file = resources.files(entry.value).joinpath(name)
    except ModuleNotFoundError:
        return None  # a stranger's leftover
    return file if file.is_file() else None


def _bundled_text(name: str) -> str:
    folder = resources.files("counters.drawing").joinpath("styles")
    return folder.joinpath(f"{name}.toml").read_text(encoding="utf-8")


def _data(text: str, source: str) -> dict[str, Any]:
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise CounterStyleError(f"{source}: not TOML: {error}") from None
    basis = data.pop("extends", None)
    if basis is None:
        return data
    if basis not in style_names():
        raise CounterStyleError(
            f"{source}: extends: no style '{basis}' comes with Mapkit; "
            f"there is: {', '.join(style_names())}"
        )
    return _laid_over(_data(_bundled_text(basis), f"{basis}.toml"), data)


def _laid_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Lay tables over each other; a layout that says `instead = true` replaces the whole one."""
    merged = dict(below)
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            replaced = value.get("instead") is True
            rest = {name: one for name, one in value.items() if name != "instead"}
            merged[key] = rest if replaced else _laid_over(merged[key], rest)
        elif isinstance(value, dict):
            merged[key] = {name: one for name, one in value.items() if name != "instead"}
        else:
            merged[key] = value
    return merged
