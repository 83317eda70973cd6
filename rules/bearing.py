"""Which open points bear on a ruling: those to which another answer would change it.

A judge names every open point about the rules it read; most could not have changed this ruling.
Here each other answer is put into the pack and the same question asked again. An answer that the
pack has no value for cannot be tried: nobody can tell, and the point stays among those that may.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.pack import BOUND_GROUPS, Pack
from rules.ruling import Ruling
from rules.schema.open_points import Alternative

Ask = Callable[[Battlefield], Ruling]


@dataclass(frozen=True)
class Bearing:
    """Tries other answers over one battlefield; the packs it makes are kept for more questions."""

    field: Battlefield
    _tried: dict[tuple[str, str], Pack | None] = dataclasses.field(default_factory=dict)

    def of(self, ruling: Ruling, ask: Ask) -> dict[str, tuple[str, ...] | None]:
        """Return each open point of a ruling with the answers that would change it.

        None: not all of its answers can be tried, and none of those that can changes anything.
        """
        return {name: self._changing(name, ruling, ask) for name in ruling.assumptions}

    def _changing(self, name: str, ruling: Ruling, ask: Ask) -> tuple[str, ...] | None:
        others = self.field.pack.assumptions[name].alternatives
        changing, all_tried = [], bool(others)
        for id_, other in others.items():
            if other.says == self.field.pack.assumptions[name].we_assume:
                all_tried = False  # the owner chose this one; ours is no longer in the pack
                continue
            pack = self._with(name, id_, other)
            if pack is None:
                all_tried = False
            elif _differs(ruling, ask, replace(self.field, pack=pack)):
                changing.append(id_)
        return tuple(changing) if changing or all_tried else None

    def _with(self, name: str, id_: str, other: Alternative) -> Pack | None:
        """The pack with another answer in it; None where that says nothing a judge could read."""
        if (name, id_) not in self._tried:
            # The map was put into the pack's words once: an answer about those comes too late.
            words = any(key.partition(".")[0] in BOUND_GROUPS for key in other.set)
            fits = other.has_values and not words
            self._tried[name, id_] = _pack_with(self.field.pack, name, id_) if fits else None
        return self._tried[name, id_]


def _differs(ruling: Ruling, ask: Ask, field: Battlefield) -> bool:
    """Tell whether the same question over another field is answered otherwise."""
    try:
        again = ask(field)
    except RulesError:
        return True  # by the other answer one may not even ask
    return (again.verdict, again.reasons) != (ruling.verdict, ruling.reasons)


def _pack_with(pack: Pack, name: str, answer: str) -> Pack:
    data = pack.model_dump(by_alias=True)
    data["assumptions"][name]["chosen"] = answer
    for path, value in pack.assumptions[name].alternatives[answer].set.items():
        *parents, last = path.split(".")
        place: Any = data
        for step in parents:
            place = place[int(step)] if isinstance(place, list | tuple) else place[step]
        place[last] = value
    return Pack.model_validate(data)
