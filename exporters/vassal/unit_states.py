"""What a unit can be in, as layers of its counter: steps, statuses, the way it faces.

What all counters of a class share stands in a prototype of that class; a counter's own text holds
only what shows its own faces. States that hold by themselves need no layer: they follow from
others. Each badge lies at the same place on all counters.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from counters.drawing.badge import BADGE_GROUNDS
from counters.model import Unit
from exporters.vassal.badges import BadgeBox, Spot
from exporters.vassal.layers import Order, stepped, switched
from exporters.vassal.standing import FACING, STATUS, STEPS, STEPS_FACE, Turns
from exporters.vassal.traits import Trait, command, sub_menu, trait
from mapkit.texts import say
from rules.pack import Pack
from rules.positions.position import Piece
from rules.positions.states import can_be
from rules.schema.counters import FRONT
from rules.schema.forces import classes_in

MOST_POINTS = 20
"""How many points a badge counts: no game names a highest number."""

MOST_STEPS = 9
"""How many lost steps a badge counts where nobody knows how many a unit has."""

TURN_OVER = "70,130"  # Ctrl+F
_TURN_BACK = "70,195"  # Ctrl+Shift+F
_RIGHT, _LEFT = "93,130", "91,130"  # Ctrl+], Ctrl+[
_STEPS_GROUND = "#1a1a1a"


@dataclass
class UnitStates:
    """The states of a game's units. *turns* tells how counters turn on the board."""

    pack: Pack
    badges: BadgeBox
    turns: Turns = 6
    _places: Mapping[str, Spot] = field(init=False)

    def __post_init__(self) -> None:
        statuses = self.pack.statuses
        counted = [word for word, entry in statuses.items() if entry.counted]
        plain = [word for word, entry in statuses.items() if not entry.counted]
        together = [{STEPS, *self._words(class_)} for class_ in ("", *self.pack.classes)]
        self._places = self.badges.places([*counted, STEPS, *plain], together)

    def shared(self, class_: str) -> list[Trait]:
        """Return the badges that all counters of a class have, and the menus they are laid by."""
        words = [word for word in self._words(class_) if not self._is_side(word)]
        counted = [word for word in words if self.pack.statuses[word].counted]
        plain = [word for word in words if word not in counted]
        layers = [self._points(word) for word in counted] + [self._switch(word) for word in plain]
        entries = [self._title(word) for word in plain]
        menus = [sub_menu(self._title(word), _counting(self._title(word))) for word in counted]
        if entries:
            menus.append(sub_menu(say("exporters.vassal.state.states"), entries))
        return [*menus, *layers]

    def facing(self, class_: str) -> list[Trait]:
        """Return what turns a counter in its hex, where the game's units face a way."""
        facing = self.pack.facing
        if facing is None or class_ not in classes_in(facing.groups, self.pack.classes):
            return []
        words = [say(f"exporters.vassal.state.{key}") for key in ("right", "left", "front")]
        right, left, front = words
        arrow = self.badges.arrow("facing", _STEPS_GROUND)
        turn = [self.turns, _RIGHT, _LEFT, right, left, "", "", FACING, "", "", "", "", True]
        return [
            sub_menu(say("exporters.vassal.state.facing"), words),
            trait("rotate", *turn, state="0"),
            switched(FACING, arrow, Order(front, command(FACING)), self.badges.at(0, -0.42)),
        ]

    def own(self, unit: Unit, faces: Mapping[str, str]) -> list[Trait]:
        """Return the traits that show a counter's own faces; *faces* names each one's picture.

        A face that no state of the game turns up is there all the same: somebody described it.
        """
        sides = [word for word in self._words(unit.class_) if self._is_side(word)]
        by_steps = {self._steps_of(word): word for word in self._step_words(unit.class_)}
        told = {self.pack.statuses[word].face for word in [*sides, *by_steps.values()]}
        front, *others = faces
        further = {face: faces[face] for face in [front, *others] if face not in told}
        return [
            *self._steps(unit, by_steps, faces),
            *(self._side(word, faces, only=len(sides) == 1) for word in sides),
            *face_layer(further),
        ]

    def _steps(
        self, unit: Unit, by_steps: Mapping[int, str], faces: Mapping[str, str]
    ) -> list[Trait]:
        """Return the layers of lost steps: the face that is up, and a number where none tells."""
        unknown = MOST_STEPS if by_steps else 0
        most = unknown if unit.steps is None else unit.steps - 1
        if most < 1:
            return []
        levels = [self._lost(lost, by_steps, faces) for lost in range(1, most + 1)]
        shown, numbers, names = (["", *level] for level in zip(*levels, strict=True))
        more = Order(say("exporters.vassal.state.lose"), TURN_OVER)
        less = Order(say("exporters.vassal.state.regain"), _TURN_BACK)
        if not any(numbers):
            return [stepped(STEPS, shown, names, more=more, less=less)]
        told = stepped(STEPS, numbers, names, self._places[STEPS], more=more, less=less)
        if not any(shown):
            return [told]
        # The same keys, and as many levels: the two go on together.
        with_it = stepped(STEPS_FACE, shown, more=Order(key=more.key), less=Order(key=less.key))
        return [told, with_it]

    def _lost(
        self, lost: int, by_steps: Mapping[int, str], faces: Mapping[str, str]
    ) -> tuple[str, str, str]:
        """Return what shows so many lost steps: a face's picture, a badge, words for the name."""
        reached = [n for n in by_steps if n <= lost]
        word = by_steps[max(reached)] if reached else None
        face = faces.get(self.pack.statuses[word].face or "", "") if word else ""
        if word and face and lost in by_steps:
            return face, "", self._title(word)
        return face, self.badges.badge(f"steps-{lost}", f"-{lost}", _STEPS_GROUND), f"-{lost}"

    def _side(self, word: str, faces: Mapping[str, str], *, only: bool) -> Trait:
        """Return the layer of a state that turns the counter: the face itself, else a badge."""
        name, title = STATUS + word, self._title(word)
        face = faces.get(self.pack.statuses[word].face or "")
        flip = Order(say("exporters.vassal.flip"), TURN_OVER)
        order = flip if only else Order(title, command(name))
        if face is None:
            return switched(name, self._sign(word), order, self._places[word], words=title)
        return switched(name, face, order, words=title)

    def _points(self, word: str) -> Trait:
        """Return the layer of a state that has points: nothing, then a badge for each number."""
        badges = [self._sign(word, n) for n in range(1, MOST_POINTS + 1)]
        more, less, none = _counting(self._title(word))
        name = STATUS + word
        return stepped(
            name,
            ["", *badges],
            at=self._places[word],
            more=Order(more, command(f"{name}_more")),
            less=Order(less, command(f"{name}_less")),
            first=Order(none, command(f"{name}_none")),
        )

    def _switch(self, word: str) -> Trait:
        name = STATUS + word
        order = Order(self._title(word), command(name))
        return switched(name, self._sign(word), order, self._places[word])

    def _words(self, class_: str) -> list[str]:
        """Return the states that a unit of a class can be put in, in the pack's order."""
        piece = Piece(Unit("", "", "", class_=class_))
        return [
            word
            for word, entry in self.pack.statuses.items()
            if not entry.unless and entry.steps_lost is None and can_be(piece, word, self.pack)
        ]

    def _step_words(self, class_: str) -> list[str]:
        piece = Piece(Unit("", "", "", class_=class_))
        statuses = self.pack.statuses
        return [w for w, one in statuses.items() if one.steps_lost and can_be(piece, w, self.pack)]

    def _steps_of(self, word: str) -> int:
        return self.pack.statuses[word].steps_lost or 0

    def _is_side(self, word: str) -> bool:
        """Tell whether a state turns the counter to another face."""
        return self.pack.statuses[word].face not in (None, FRONT)

    def _sign(self, word: str, n: int | None = None) -> str:
        """Return the picture of a state's badge; one that no drawing has room for gets a letter."""
        entry = self.pack.statuses[word]
        sign = entry.sign or self._title(word)[:1].upper()
        ground = BADGE_GROUNDS[list(self.pack.statuses).index(word) % len(BADGE_GROUNDS)]
        if n is None:
            return self.badges.badge(f"status-{word}", sign, ground)
        return self.badges.badge(f"status-{word}-{n}", f"{sign}{n}", ground)

    def _title(self, word: str) -> str:
        return self.pack.statuses[word].told()


def face_layer(faces: Mapping[str, str]) -> list[Trait]:
    """Return faces as levels of a layer that is always there; one key turns them over."""
    if len(faces) < 2:
        return []
    flip = Order(say("exporters.vassal.flip"), TURN_OVER)
    names = ["", *list(faces)[1:]]
    return [stepped("Face", list(faces.values()), names, more=flip, loop=True)]


def _counting(title: str) -> list[str]:
    """Return the entries of the menu that counts a state's points."""
    return [say(f"exporters.vassal.state.{key}", state=title) for key in ("more", "less", "none")]
