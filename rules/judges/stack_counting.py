"""Counting a stack: every way its units may count, and what the limit says to each.

Nobody may have said of what class, size or mode a unit is. Then it may count in several ways, and
a stack has as many readings as its units have ways together; only where all readings agree is
there a verdict.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from math import ceil
from typing import Literal

from rules.pack import Pack
from rules.ruling import Reason
from rules.schema.counters import FRONT
from rules.schema.forces import classes_in
from rules.schema.retreat import InMode
from rules.schema.stacking import InState, Stacking
from rules.standing import Standing

Points = int | Fraction
_IsOf = Callable[[tuple[str, ...]], bool]
Verdict = Literal["within", "over", "unknown"]
ANY: Literal["any"] = "any"
_MOST_READINGS = 20_000  # a heap of unknown counters has more: nobody can tell then
_RANK: dict[Verdict, int] = {"within": 0, "unknown": 1, "over": 2}


@dataclass(frozen=True, slots=True)
class Share:
    """One way a unit may count: in a pool, or nowhere where *pool* is "".

    *points* None is a printed value nobody knows; a *size* is counted with its like.
    """

    pool: str
    cite: str
    points: Points | None = 1
    size: str = ""
    free_by: str = ""
    of_no_regiment: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """The limit of a pool in a hex and its rule; *most* None is not in our sources.

    With *in_units* it counts units, whatever they count elsewhere.
    """

    most: int | Literal["any"] | None
    cite: str
    in_units: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """One reading of a stack: what each pool comes to, who is free, and the verdict.

    *shares* and *free* are by the places of the units in the stack; *regiment* is set where only
    the rule about one regiment lets it stand.
    """

    verdict: Verdict
    counts: Mapping[str, Points]
    bounds: Mapping[str, Bound]
    shares: tuple[Share, ...]
    free: frozenset[int] = frozenset()
    regiment: str = ""

    def too_many(self, pool: str) -> Points:
        """Return by how much a pool is over its limit."""
        most = self.bounds[pool].most
        return max(self.counts[pool] - most, 0) if isinstance(most, int) else 0


@dataclass(frozen=True, slots=True)
class Stack:
    """The units of one side in a hex, counted in every way they may be read.

    *read* is None where there are more readings than anybody could go through; *apart* tells
    which of them may not stand together, however few they are.
    """

    side: str
    units: tuple[Standing, ...]
    ways: tuple[tuple[Share, ...], ...]
    read: tuple[Counted, ...] | None
    apart: Reason | None = None

    @property
    def verdict(self) -> Verdict:
        """What all readings agree on, or unknown; over where they may not stand together."""
        return "over" if self.apart is not None else self.counted

    @property
    def counted(self) -> Verdict:
        """What the count alone tells."""
        if self.read is None:
            return "unknown"
        found = {one.verdict for one in self.read}
        return found.pop() if len(found) == 1 else "unknown"

    def named(self, places: Iterable[int]) -> str:
        """Return the names of some of its units."""
        return ", ".join(self.units[at].name for at in sorted(places))

    def span(self, pool: str) -> tuple[Points, Points]:
        """Return the least and the most a pool may come to."""
        found = [one.counts[pool] for one in self.read or ()]
        return (min(found), max(found)) if found else (0, 0)


def ways_to_count(pack: Pack, rules: Stacking, unit: Standing) -> tuple[Share, ...]:
    """Return every way a unit may count; one that is fully known counts in one way."""
    known = sorted(possible_classes(pack, unit))
    found = (_class_ways(pack, rules, unit, class_) for class_ in known)
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def possible_classes(pack: Pack, unit: Standing) -> frozenset[str]:
    """Return the classes a unit may be of: those of the group that was named, or all.

    A class that is the name of a group too is that class: infantry is no mountain infantry.
    """
    if unit.class_ in pack.classes:
        return frozenset({unit.class_})
    return classes_in((unit.class_,), pack.classes) if unit.class_ else frozenset(pack.classes)


def readings(
    rules: Stacking,
    units: Sequence[Standing],
    ways: Sequence[tuple[Share, ...]],
    bounds: Mapping[str, tuple[Bound, ...]],
) -> list[Counted] | None:
    """Return the stack counted in every way it may be read; None where there are too many.

    *bounds* holds more than one limit of a pool where the ground of the hex is not known.
    """
    alike: dict[tuple[tuple[Share, ...], str], list[int]] = {}
    for at, unit in enumerate(units):
        alike.setdefault((ways[at], regiment_of(unit)), []).append(at)
    choices = [
        list(combinations_with_replacement(shares, len(group)))
        for (shares, _), group in alike.items()
    ]
    limits = [dict(zip(bounds, each, strict=True)) for each in product(*bounds.values())]
    total = len(limits)
    for choice in choices:
        total *= len(choice)
    if total > _MOST_READINGS:
        return None
    order = list(chain.from_iterable(alike.values()))
    regiments = [regiment_of(unit) for unit in units]
    found = []
    for chosen in product(*choices):
        by_place = dict(zip(order, chain.from_iterable(chosen), strict=True))
        shares = tuple(by_place[at] for at in range(len(units)))
        found += [_count(rules, regiments, shares, limit) for limit in limits]
    return found


def in_state(asked: InState | InMode, unit: Standing) -> bool | None:
    """Tell whether a unit is in the state that is asked for; None where nobody said.

    The front of a counter named on the spot tells nothing: it was never looked at.
    """
    for statuses, answer in ((asked.statuses, True), (asked.else_statuses, False)):
        if not unit.statuses.keys().isdisjoint(statuses):
            return answer
    if unit.unit is not None or unit.face != FRONT:
        for faces, answer in ((asked.faces, True), (asked.else_faces, False)):
            if unit.face in faces:
                return answer
    return None


def regiment_of(unit: Standing) -> str:
    """Return the regiment of a unit, as its name tells it: 87/II is of 87; "" where it does not."""
    name = unit.unit.name if unit.unit else unit.name
    regiment, slash, _ = name.rpartition("/")
    return f"{unit.formation} {regiment}".strip() if slash else ""


def _class_ways(pack: Pack, rules: Stacking, unit: Standing, class_: str) -> Iterator[Share]:
    def is_of(groups: tuple[str, ...]) -> bool:
        return class_ in classes_in(groups, pack.classes)

    for group, cite in rules.never.items():
        if is_of((group,)):
            yield Share("", cite)
            return
    for pool in _pools_of(rules, unit, is_of):
        lone = any(is_of((group,)) for group in rules.one_each)
        for size, cite in _sizes_of(rules, unit, is_of):
            free = next(
                (
                    name
                    for name, one in rules.free.items()
                    if is_of(one.who) and (not one.sizes or size in one.sizes)
                ),
                "",
            )
            points = _points(rules, unit) if rules.measure == "printed" else 1
            yield Share(pool, cite or rules.pools[pool].cite, points, size, free, lone)


def _pools_of(rules: Stacking, unit: Standing, is_of: _IsOf) -> Iterator[str]:
    for name, pool in rules.pools.items():
        if pool.who and not is_of(pool.who):
            continue
        is_in = in_state(pool, unit) if pool.by_state else True
        if is_in is not False:
            yield name
        if is_in:
            return


def _sizes_of(rules: Stacking, unit: Standing, is_of: _IsOf) -> Iterator[tuple[str, str]]:
    """Yield the sizes a unit may have with their cite; "" counts one whatever the size."""
    if rules.measure != "sizes":
        yield "", ""
        return
    for group, cite in rules.one_each.items():
        if is_of((group,)):
            yield "", cite
            return
    for group, of_size in rules.of_size.items():
        if is_of((group,)):
            yield of_size.size, of_size.cite
            return
    echelon = unit.unit.echelon if unit.unit else ""
    for size, entry in rules.sizes.items():
        if echelon == size or echelon not in rules.sizes:
            yield size, entry.cite


def _points(rules: Stacking, unit: Standing) -> Points | None:
    return unit.value(rules.printed) if rules.printed else None


def _count(
    rules: Stacking, regiments: list[str], shares: tuple[Share, ...], bounds: Mapping[str, Bound]
) -> Counted:
    """Count one reading; of the units that may be free, those are whose leave helps most."""
    best: Counted | None = None
    for free in _choices_of_free(rules, shares):
        one = _counted(rules, regiments, shares, bounds, free)
        if best is None or _rank(one) < _rank(best):
            best = one
    if best is None:
        raise AssertionError("nobody free is a choice too")
    return best


def _choices_of_free(rules: Stacking, shares: tuple[Share, ...]) -> Iterator[frozenset[int]]:
    sets = []
    for name, free in rules.free.items():
        able = [at for at, share in enumerate(shares) if share.free_by == name]
        sets.append(list(combinations(able, min(free.most, len(able)))))
    for chosen in product(*sets):
        yield frozenset(chain.from_iterable(chosen))


def _counted(
    rules: Stacking,
    regiments: list[str],
    shares: tuple[Share, ...],
    bounds: Mapping[str, Bound],
    free: frozenset[int],
) -> Counted:
    counts: dict[str, Points] = {}
    verdict: Verdict = "within"
    excused = ""
    for pool, bound in bounds.items():
        inside = [at for at, share in enumerate(shares) if share.pool == pool and at not in free]
        counts[pool], complete = (
            (len(inside), True) if bound.in_units else _sum(rules, [shares[at] for at in inside])
        )
        here = _verdict(counts[pool], bound, complete=complete)
        if here != "within" and rules.one_regiment and rules.one_regiment.pool == pool:
            here, excused = _as_one_regiment(here, [(regiments[at], shares[at]) for at in inside])
        verdict = max(verdict, here, key=_RANK.__getitem__)
    return Counted(verdict, counts, bounds, shares, free, excused)


def _as_one_regiment(verdict: Verdict, inside: list[tuple[str, Share]]) -> tuple[Verdict, str]:
    """Return the verdict if units of one regiment may stand together, and the regiment."""
    known = {regiment for regiment, _ in inside if regiment}
    if len(known) > 1 or any(share.of_no_regiment for _, share in inside):
        return verdict, ""
    if all(regiment for regiment, _ in inside):
        return "within", known.pop()
    return "unknown", ""


def _sum(rules: Stacking, shares: list[Share]) -> tuple[Points, bool]:
    """Return what units count together, and whether all their values are known."""
    total: Points = sum(share.points or 0 for share in shares if not share.size)
    for size, entry in rules.sizes.items():
        total += ceil(Fraction(sum(share.size == size for share in shares), entry.together))
    return total, all(share.points is not None for share in shares)


def _verdict(count: Points, bound: Bound, *, complete: bool) -> Verdict:
    if bound.most == ANY or (complete and not count):
        return "within"
    if bound.most is None:
        return "unknown"
    if count > bound.most:
        return "over"
    return "within" if complete else "unknown"


def _rank(counted: Counted) -> tuple[int, Points]:
    return _RANK[counted.verdict], sum(map(counted.too_many, counted.counts))
