"""Who stands where. For now the ad-hoc board: counters named on the spot to ask one question."""

from dataclasses import dataclass

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.errors import RulesError


@dataclass(frozen=True, slots=True)
class Standing:
    """A unit, or an anonymous counter, in a hex. *class_* is "" where nobody said."""

    name: str
    side: str
    hex: Hex
    class_: str = ""


def named_on_the_spot(field: Battlefield, side: str, texts: list[str]) -> tuple[Standing, ...]:
    """Return the counters written as `1534` or `1534:artillery`.

    Raises:
        RulesError: the class is none of the game's.
    """
    found: list[Standing] = []
    for text in texts:
        place, _, class_ = text.partition(":")
        if class_ and class_ not in field.pack.groups:
            raise RulesError(
                f"{field.pack.title} has no units '{class_}'; "
                f"there is: {', '.join(sorted(field.pack.groups))}"
            )
        hex_ = field.hex(place)
        name, taken = field.label(hex_), {one.name for one in found}
        if name in taken and class_:
            name = f"{name}:{class_}"
        while name in taken:  # the second counter of a stack needs a name of its own
            name += "+"
        found.append(Standing(name, side, hex_, class_))
    return tuple(found)
