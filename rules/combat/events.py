"""Events: what a roll on an events table brings, and markers drawn from a cup without looking."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from rules.combat.modifiers import Said, Sum, add_up
from rules.combat.odds import Face, faces
from rules.errors import RulesError
from rules.schema.events import Cup, Event, Events


@dataclass(frozen=True, slots=True)
class Drawn:
    """A marker from a cup; *left* is what the cup still holds, *returns* whether it goes back."""

    marker: str
    returns: bool
    left: dict[str, int]


def event_faces(events: Events, table: str, said: Said) -> tuple[tuple[Face, ...] | None, Sum]:
    """Return the event of each total, and the modifiers of the roll; None while one is unread.

    Raises:
        RulesError: the game has no such table.
    """
    if table not in events.tables:
        raise RulesError(f"no table of events '{table}'; there is: {', '.join(events.tables)}")
    one = events.tables[table]
    drms = add_up(one.drms, said, groups={}, cap=None)
    return None if drms.unread else faces(one.die, one.rows, drms.total), drms


def what_it_does(event: Event, times: int = 1) -> str:
    """Return what an event says when it comes for the nth time.

    An event that counts its times says nothing more after the last of them.
    """
    if event.times:
        return event.times[times - 1] if times <= len(event.times) else ""
    return event.says


def in_the_cup(cup: Cup, gone: Sequence[str] = ()) -> dict[str, int]:
    """Return the markers in a cup; *gone* are those out of it, once for each.

    Raises:
        RulesError: how many there are is not in our sources, or more are gone than there were.
    """
    left = Counter[str]()
    for name, marker in cup.markers.items():
        if marker.count is None:
            raise RulesError(
                f"{cup.title}: how many markers '{name}' there are is not in our sources; "
                "count them in the printed game and enter it"
            )
        left[name] = marker.count
    left.subtract(gone)
    for name, count in left.items():
        if name not in cup.markers or count < 0:
            raise RulesError(f"{cup.title}: more markers '{name}' are gone than the cup held")
    return dict(left)


def draw(cup: Cup, gone: Sequence[str], seed: int) -> Drawn:
    """Draw a marker; the same seed and cup draw the same.

    Raises:
        RulesError: the cup is empty, or nobody knows what it holds.
    """
    left = in_the_cup(cup, gone)
    markers = [name for name, count in sorted(left.items()) for _ in range(count)]
    if not markers:
        raise RulesError(f"{cup.title} is empty")
    name = Random(seed).choice(markers)
    left[name] -= 1
    return Drawn(name, cup.markers[name].returns, left)


def cup_odds(cup: Cup, gone: Sequence[str] = ()) -> dict[str, Fraction]:
    """Return the chance of each marker at the next draw."""
    left = in_the_cup(cup, gone)
    total = sum(left.values())
    return {name: Fraction(count, total) for name, count in left.items() if count}
