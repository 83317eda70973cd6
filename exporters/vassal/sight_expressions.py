"""What the engine evaluates when somebody asks who sees whom: flat, without inner brackets.

The engine's language has no variables and doubles its work with every bracket inside a bracket, so
every value is written out wherever it is needed. `GetString` takes a property or message as a text;
a bare name would paste a whole row into the program.
"""

from exporters.vassal.places import MOUSE, PIECE
from exporters.vassal.sight_names import OWN, SightNames
from exporters.vassal.sight_rows import BLOCKED, FAR, SEEN, UNKNOWN
from exporters.vassal.terrain import hover_text
from mapkit.texts import say

NOBODY, NONE = "nobody", "?"
"""What the module says without an observer, and where no table knows the hex."""

SAYS = {
    SEEN: "seen",
    BLOCKED: "blocked",
    FAR: "far",
    UNKNOWN: "unknown",
    NONE: "none",
    NOBODY: "nobody",
}
"""The verdicts in words by their letters, as keys of our texts."""


def state_expression(names: SightNames = OWN) -> str:
    """Return the letter that a piece's own hex has in the observer's table; "?" without one."""
    row = _row(names)
    target = _target(names, 'GetString("LocationName")')
    nobody = f'{row}==""||{target}==""||!{_is_of(names, PIECE)}'
    return f'{nobody}?"{NONE}":{_far(row, target)}?"{FAR}":""+{_letter(names, row, target)}'


def text_expression(names: SightNames = OWN) -> str:
    """Return the verdict in words: the message of the letter, and of whose view it tells."""
    told = f'GetString("{names.says("")}"+{names.state})+{_observer(names)}'
    return f'{_observer(names)}==""?GetString("{names.says(NOBODY)}"):{told}'


def hover_expression(names: SightNames = OWN) -> str:
    """Return what the mouse shows: label, what lies there, and whether the observer sees it.

    An observer on another board says nothing here.
    """
    label = "LocationName.toString()"
    row, target = _row(names), _target(names, label)
    ground = hover_text(names.terrain)
    letter = _letter(names, row, target)
    verdicts = (
        f"{_far(row, target)}?{ground}+{_told(names, 'far')}:"
        f"{letter}=='{SEEN}'?{ground}+{_told(names, 'seen')}:"
        f"{letter}=='{UNKNOWN}'?{ground}+{_told(names, 'unknown')}:"
        f"{letter}=='{FAR}'?{ground}+{_told(names, 'far')}:{ground}+{_told(names, 'blocked')}"
    )
    nobody = f'{_observer(names)}==""||{row}==""||{target}==""'
    return f"{nobody}?{ground}:{_is_of(names, MOUSE)}?{verdicts}:{ground}"


def layer_expression(table: str, position: int, length: int) -> str:
    """Return which of the 127 strips shows a stretch of the row of the piece's own hex."""
    row = f'GetString("{table}"+{PIECE}+GetString("LocationName"))'
    bits = f'{row}.substring({position},{position + length}).replace("{FAR}","0")'
    bits += f'.replace("{UNKNOWN}","0")'
    return f'{row}==""?0:{2 ** (7 - length)}*Integer.parseInt({bits},2)'


def _is_of(names: SightNames, board: str) -> str:
    """Return whether the observer looks by the table of that board."""
    return f'GetString("{names.table}").endsWith("|"+{board})'


def _observer(names: SightNames) -> str:
    return f'GetString("{names.observer}")'


def _row(names: SightNames) -> str:
    return _target(names, _observer(names))


def _target(names: SightNames, label: str) -> str:
    return f'GetString(GetString("{names.table}")+{label})'


def _number(row: str, first: int, end: int) -> str:
    return f"Integer.parseInt({row}.substring({first},{end}))"


def _far(row: str, target: str) -> str:
    reach = _number(row, 6, 8)
    line = f"{_number(target, 0, 3)}-{_number(row, 0, 3)}"
    along = f"{_number(target, 3, 6)}-{_number(row, 3, 6)}"
    return f"Math.abs({line})>{reach}||Math.abs({along})>{reach}"


def _letter(names: SightNames, row: str, target: str) -> str:
    width, centre = _number(row, 8, 11), _number(row, 11, 15)
    lines = f"{width}*{_number(target, 0, 3)}-{width}*{_number(row, 0, 3)}"
    along = f"{_number(target, 3, 6)}-{_number(row, 3, 6)}"
    # Saved games whose observer looked by the first table may hold no shift.
    shift = f'Integer.parseInt("0"+GetString("{names.shift}"))'
    return f"{row}.charAt({shift}+{centre}+{lines}+{along})"


def _told(names: SightNames, key: str) -> str:
    return f"{_quoted(' · ' + say(f'exporters.vassal.sight.{key}'))}+{_observer(names)}"


def _quoted(words: str) -> str:
    return '"' + words.replace("\\", "").replace('"', "'") + '"'
