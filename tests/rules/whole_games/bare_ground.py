"""Maps of questions: a game that has no clear ground has its plainest in the place of it."""

from collections.abc import Iterable

from rules.battlefield import Battlefield
from rules.case_maps import CaseMap
from rules.case_maps import case_field as drawn_field
from rules.pack import Pack

CLEAR = "clear"


def case_field(
    pack: Pack, case: CaseMap, named: Iterable[str], *, nothing_else: bool = False
) -> Battlefield:
    """Return the map of a case in the pack's own words."""
    if CLEAR not in pack.terrain:
        case = case.model_copy(
            update={
                "ground": _spoken(pack, case.ground),
                "hexes": {label: _spoken(pack, text) for label, text in case.hexes.items()},
            }
        )
    return drawn_field(pack, case, named, nothing_else=nothing_else)


def _spoken(pack: Pack, text: str) -> str:
    word, _, rest = text.partition(" ")
    return f"{next(iter(pack.terrain)) if word == CLEAR else word} {rest}"
