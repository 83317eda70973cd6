"""What the engine evaluates when somebody asks who sees whom: flat, without inner brackets.

The engine's language has no variables and doubles its work with every bracket inside a bracket, so
every value is written out wherever it is needed. `GetString` takes a property or message as a text;
a bare name would paste a whole row into the program.
"""

from exporters.vassal.sight_rows import BLOCKED, FAR, SEEN, UNKNOWN
from mapkit.texts import say

FROM, TABLE = "SightFrom", "SightTable"
"""Properties of the module: the observer's hex, and how the names of his table's rows begin."""

_OBSERVER = f'GetString("{FROM}")'
_ROW = f'GetString(GetString("{TABLE}")+{_OBSERVER})'


def state_expression() -> str:
    """Return the letter that a piece's own hex has in the observer's table; "?" without one."""
    target = _target('GetString("LocationName")')
    return f'{_ROW}==""||{target}==""?"?":{_far(target)}?"{FAR}":""+{_letter(target)}'


def text_expression(state: str) -> str:
    """Return the verdict in words, from a property that holds the letter."""
    told = "".join(
        f'{state}=="{letter}"?{_said(key)}:'
        for letter, key in (
            (SEEN, "seen"),
            (BLOCKED, "blocked"),
            (FAR, "far"),
            (UNKNOWN, "unknown"),
        )
    )
    return f'{_OBSERVER}==""?{_quoted(say("exporters.vassal.sight.nobody"))}:{told}' + _said("none")


def hover_expression(terrain: str, table: str) -> str:
    """Return what the mouse shows: label, what lies there, and whether the observer sees it.

    *table* begins the names of this map's rows; an observer on another map says nothing here.
    """
    label = "LocationName.toString()"
    target = _target(label)
    ground = f'{label}+"  "+GetString("{terrain}"+{label})'
    here = f'GetString("{TABLE}").startsWith("{table}")'
    verdicts = (
        f"{_far(target)}?{ground}+{_told('far')}:"
        f"{_letter(target)}=='{SEEN}'?{ground}+{_told('seen')}:"
        f"{_letter(target)}=='{UNKNOWN}'?{ground}+{_told('unknown')}:"
        f"{_letter(target)}=='{FAR}'?{ground}+{_told('far')}:{ground}+{_told('blocked')}"
    )
    return f'{_OBSERVER}==""||{_ROW}==""||{target}==""?{ground}:{here}?{verdicts}:{ground}'


def layer_expression(table: str, position: int, length: int) -> str:
    """Return which of the 127 strips shows a stretch of the row of the piece's own hex."""
    row = f'GetString("{table}"+GetString("LocationName"))'
    bits = f'{row}.substring({position},{position + length}).replace("{FAR}","0")'
    bits += f'.replace("{UNKNOWN}","0")'
    return f'{row}==""?0:{2 ** (7 - length)}*Integer.parseInt({bits},2)'


def _target(label: str) -> str:
    return f'GetString(GetString("{TABLE}")+{label})'


def _number(row: str, first: int, end: int) -> str:
    return f"Integer.parseInt({row}.substring({first},{end}))"


def _far(target: str) -> str:
    reach = _number(_ROW, 6, 8)
    line = f"{_number(target, 0, 3)}-{_number(_ROW, 0, 3)}"
    along = f"{_number(target, 3, 6)}-{_number(_ROW, 3, 6)}"
    return f"Math.abs({line})>{reach}||Math.abs({along})>{reach}"


def _letter(target: str) -> str:
    width, centre = _number(_ROW, 8, 11), _number(_ROW, 11, 15)
    lines = f"{width}*{_number(target, 0, 3)}-{width}*{_number(_ROW, 0, 3)}"
    along = f"{_number(target, 3, 6)}-{_number(_ROW, 3, 6)}"
    return f"{_ROW}.charAt({centre}+{lines}+{along})"


def _said(key: str) -> str:
    return f"{_quoted(say(f'exporters.vassal.sight.{key}'))}+{_OBSERVER}"


def _told(key: str) -> str:
    return f"{_quoted(' · ' + say(f'exporters.vassal.sight.{key}'))}+{_OBSERVER}"


def _quoted(words: str) -> str:
    return '"' + words.replace("\\", "").replace('"', "'") + '"'
