"""What a scan of a game's map needs to know, told by its pack."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from mapkit.drawing.style import Looks, load_style
from mapkit.kinds import GROUPS, Group, Kind, Kinds, known_word
from mapkit.numbering import Parity, Straight, Toward
from mapkit.profile import NumberingCandidate, Profile
from rules.pack import KindEntry, Pack
from rules.schema.layout import Layout

_USUAL = "plain"  # the style whose flat colours stand for what maps usually print


def map_profile(pack: Pack) -> Profile:
    """Return the profile of a pack's map; the likely numbering comes first."""
    kinds = Kinds(
        **{
            group: tuple(_kind(pack, group, word) for word in sorted(pack.words(group)))
            for group in GROUPS
        }
    )
    levels = pack.levels
    return Profile(
        title=pack.title,
        kinds=_coloured(kinds),
        lowest_level=levels.lowest if levels else None,
        highest_level=levels.highest if levels else None,
        numberings=tuple(_numberings(pack.layout)),
    )


def _kind(pack: Pack, group: Group, word: str) -> Kind:
    """Return a word of the game as a kind: by the pack's role for it, or the word's own."""
    kind = known_word(group, word)
    entry: KindEntry = getattr(pack, group)[word]
    return replace(kind, title=word.replace("_", " "), role=entry.role or kind.role)


def _coloured(kinds: Kinds) -> Kinds:
    """Give every kind that mapmakers know its usual colour; the others have none."""
    looks = Looks(load_style(_USUAL), kinds)

    def colour(group: Group, kind: Kind) -> str | None:
        if kind.role is None:
            return None
        match group:
            case "terrain":
                return looks.terrain(kind.id).fill
            case "features":
                return looks.feature(kind.id).fill
            case "hexsides":
                return looks.hexside(kind.id).colour
            case "links":
                return looks.link(kind.id).colour
            case "areas":
                return looks.area(kind.id).colour

    return Kinds(
        **{
            group: tuple(replace(kind, colour=colour(group, kind)) for kind in kinds.group(group))
            for group in GROUPS
        }
    )


def _numberings(layout: Layout) -> Iterator[NumberingCandidate]:
    """Yield every numbering the sources allow: one where they force it, else all eight."""
    likely = layout.numbering()
    if likely is not None:
        yield NumberingCandidate(numbering=likely, likely=True)
    if layout.confirmed:
        return
    straights: tuple[Straight, ...] = ("columns", "rows")
    parities: tuple[Parity, ...] = ("odd", "even")
    ways: tuple[Toward, ...] = ("higher", "lower")
    seen = {likely}
    for straight, shoved, toward in product(straights, parities, ways):
        changed = layout.model_copy(
            update={"straight": straight, "shoved": shoved, "toward": toward}
        )
        numbering = changed.any_numbering()
        if numbering not in seen:
            seen.add(numbering)
            yield NumberingCandidate(numbering=numbering)
