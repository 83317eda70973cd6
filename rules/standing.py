"""A counter in a hex, as the judges see it: a unit of a position, or one named on the spot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from counters.model import Unit, Value
from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.schema.counters import FRONT


@dataclass(frozen=True, slots=True)
class Standing:
    """A unit, or an anonymous counter, in a hex. *class_* is "" where nobody said.

    *unit* is None for a counter named on the spot; *statuses* are the pack's words with points
    (1 where a status just holds), *face* is the face of the counter that is up.
    """

    name: str
    side: str
    hex: Hex
    class_: str = ""
    unit: Unit | None = None
    statuses: Mapping[str, int] = field(default_factory=dict)
    face: str = FRONT
    steps: int | None = None

    @property
    def formation(self) -> str:
        """The id of its formation; "" where nobody said."""
        return self.unit.formation if self.unit else ""

    def value(self, name: str) -> Value:
        """Return a value printed on the face that is up; None where nobody knows it."""
        return self.unit.value(name, self.face) if self.unit else None


def named_on_the_spot(field: Battlefield, side: str, texts: list[str]) -> tuple[Standing, ...]:
    """Return the counters written as `1534` or `1534:artillery`.

    Raises:
        RulesError: the class is none of the game's.
    """
    found = []
    for text in texts:
        place, _, class_ = text.partition(":")
        if class_ and class_ not in field.pack.groups:
            raise RulesError(
                f"{field.pack.title} has no units '{class_}'; "
                f"there is: {', '.join(sorted(field.pack.groups))}"
            )
        hex_ = field.hex(place)
        found.append(Standing(field.label(hex_), side, hex_, class_))
    return told_apart(found)


def told_apart(counters: Iterable[Standing]) -> tuple[Standing, ...]:
    """Return counters with a name each: the second of a stack needs one of its own."""
    found: dict[str, Standing] = {}
    for one in counters:
        name = one.name
        if name in found and one.class_:
            name = f"{name}:{one.class_}"
        while name in found:
            name += "+"
        found[name] = replace(one, name=name)
    return tuple(found.values())
