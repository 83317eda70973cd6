"""Fronts paired with backs: every way to turn a sheet over is tried, and one is proven or none.

A back scan may show the sheet turned over by its columns or its rows, and the scan itself may lie
turned by quarters. Two of these eight put the same back behind each front and differ only in
which way up the pictures stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from counters.slicing.cut import CutSection
from counters.slicing.features import Features, features_of
from counters.slicing.likelihood import Evidence, evidence, turned
from counters.slicing.sections import Place
from counters.slicing.turns import TURNS, Behind, Match, Turn, matched_sections
from counters.slicing.upright import Numbers

_PROVEN = 5.0  # standard deviations above chance
_AHEAD = 3.5  # of the next in at least one comparison
_BEHIND = 2.0  # no comparison may speak for the next by more
_CHANCE = 2.6  # what is below looks like chance
_MOST_SURE = 0.99
_STRANGE = 4.0  # the best of several ways may reach this by chance
_NOTHING = 0.3  # mean likeness of figures that have nothing in common
_LEAST_PAIRS = 6
_INDIVIDUAL = 3.0  # shades: faces that differ less are all alike
_UPRIGHT_AHEAD = 2.5
_UPRIGHT = 0.15  # of likeness


class Verdict(StrEnum):
    """What can be said of a pairing."""

    PROVEN = "proven"
    TOLD = "told"  # nothing contradicts what somebody said
    UNPROVEN = "unproven"
    FOREIGN = "foreign"  # the back of another sheet


@dataclass(frozen=True)
class Hypothesis:
    """One way to turn the sheet over, and what speaks for it, section by section.

    *sections* names for each front section what lies behind it, or None where nothing fits.
    """

    turn: Turn
    sections: Match
    evidence: tuple[Evidence, ...] = ()

    @property
    def parts(self) -> tuple[float, ...]:
        """The comparisons over all sections."""
        above = np.maximum([one.parts for one in self.evidence] or [(0.0, 0.0, 0.0)], 0.0)
        return tuple(float(each) for each in np.sqrt((above**2).sum(axis=0)))

    @property
    def total(self) -> float:
        """All of it in one number."""
        return float(np.sqrt(sum(one**2 for one in self.parts)))

    @property
    def agree(self) -> float:
        """The mean likeness of figures over all pairs."""
        pairs = sum(one.pairs for one in self.evidence)
        return sum(one.agree * one.pairs for one in self.evidence) / max(pairs, 1)


@dataclass(frozen=True)
class SectionPairs:
    """The pairing of one section: its verdict, its back, and how sure each pair is.

    *begin* is the cell of the front, turned as it was, at which the back's section begins.
    """

    verdict: Verdict
    back: int | None
    confidence: float
    pairs: dict[Place, tuple[Place, float]] = field(default_factory=dict)
    begin: Place = (0, 0)


@dataclass(frozen=True)
class Pairing:
    """What was found out about two scans: a verdict, the best way to turn, all that were tried.

    *upright* tells whether it is proven which way up the backs stand. *reason* is a text key.
    """

    verdict: Verdict
    turn: Turn | None
    confidence: float
    upright: bool
    reason: str
    sections: tuple[SectionPairs, ...]
    tried: tuple[Hypothesis, ...]


def pair(
    fronts: Sequence[CutSection], backs: Sequence[CutSection], *, told: Turn | None = None
) -> Pairing:
    """Return which back belongs to which front, proven from the pictures, or not at all.

    *told* is how somebody says the sheet was turned: taken where nothing contradicts it.
    """
    tried = tuple(
        sorted(
            (
                _weighed(turn, match, fronts, backs)
                for turn in TURNS
                for match in matched_sections(turn, fronts, backs)
            ),
            key=lambda one: -one.total,
        )
    )
    fitting = [one for one in tried if any(index is not None for index in one.sections)]
    if not fitting:
        return _nothing(Verdict.FOREIGN, "layout", fronts, tried)
    best = fitting[0]
    rival = next((one for one in fitting if not _same_places(one, best, fronts)), None)
    verdict, reason, ahead = _judge(best, rival, fronts, backs)
    if told is not None and verdict is not Verdict.FOREIGN:
        best = next((one for one in fitting if one.turn == told), best)
        if best.turn != told or (
            verdict is Verdict.PROVEN and not _same_places(best, fitting[0], fronts)
        ):
            return _nothing(Verdict.UNPROVEN, "contradicted", fronts, tried)
        verdict = Verdict.PROVEN if verdict is Verdict.PROVEN else Verdict.TOLD
    if verdict in (Verdict.UNPROVEN, Verdict.FOREIGN):
        return _nothing(verdict, reason, fronts, tried)
    confidence = (
        0.5 if verdict is Verdict.TOLD else min(float(1 - np.exp(-(ahead**2) / 8)), _MOST_SURE)
    )
    upright = told is not None or _is_upright(best, fitting, fronts)
    if not upright:  # the scan that lies as it should is the likelier one
        same = [one for one in fitting if _same_places(one, best, fronts)]
        best = min(same, key=lambda one: one.turn.quarters)
    sections = tuple(
        _section_pairs(index, best, fronts, backs, verdict, confidence)
        for index in range(len(fronts))
    )
    if any(one.verdict is Verdict.FOREIGN for one in sections):
        reason = "one_section"
    shown = tuple(best if one.turn == best.turn else one for one in _best_of_each(tried))
    return Pairing(verdict, best.turn, confidence, upright, reason, sections, shown)


def _best_of_each(tried: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Return for every turn what speaks most for it, of the places at which a back may begin."""
    first: dict[Turn, Hypothesis] = {}
    for one in tried:
        first.setdefault(one.turn, one)
    return tuple(first.values())


def _weighed(
    turn: Turn, match: Match, fronts: Sequence[CutSection], backs: Sequence[CutSection]
) -> Hypothesis:
    found = tuple(
        Evidence() if behind is None else _evidence(front, behind, backs[behind.back], turn)
        for front, behind in zip(fronts, match, strict=True)
    )
    return Hypothesis(turn, match, found)


def _evidence(front: CutSection, behind: Behind, back: CutSection, turn: Turn) -> Evidence:
    there = {place: behind.place(turn, front, place) for place in front.cells}
    places = [place for place in front.cells if there[place] in back.cells]
    a = features_of([front.cells[place] for place in places])
    b = features_of([back.cells[there[place]] for place in places])
    return evidence(a, Features(b.grounds, turned(b.shapes, turn.quarters)))


def _same_places(a: Hypothesis, b: Hypothesis, fronts: Sequence[CutSection]) -> bool:
    """Say whether two ways put the same backs behind all fronts."""
    for front, one, other in zip(fronts, a.sections, b.sections, strict=True):
        if one is None or other is None:
            if one is not other:
                return False
        elif one.back != other.back or any(
            one.place(a.turn, front, place) != other.place(b.turn, front, place)
            for place in front.cells
        ):
            return False
    return True


def _judge(
    best: Hypothesis,
    rival: Hypothesis | None,
    fronts: Sequence[CutSection],
    backs: Sequence[CutSection],
) -> tuple[Verdict, str, float]:
    """Return the verdict, its reason, and how far ahead the best is."""
    pairs = sum(one.pairs for one in best.evidence)
    parts = rival.parts if rival else (0.0, 0.0, 0.0)
    leads = [a - b for a, b in zip(best.parts, parts, strict=True)]
    if not _individual(backs):
        return Verdict.UNPROVEN, "alike", 0.0
    if best.total >= _PROVEN and max(leads) >= _AHEAD and min(leads) >= -_BEHIND:
        return Verdict.PROVEN, "proven", max(leads)
    if pairs < _LEAST_PAIRS:
        return Verdict.UNPROVEN, "few", 0.0
    if _individual(fronts) and _is_strange(best):
        return Verdict.FOREIGN, "nothing_in_common", 0.0
    return Verdict.UNPROVEN, "tie" if best.total >= _PROVEN else "weak", 0.0


def _is_strange(best: Hypothesis) -> bool:
    """Say whether even the best way has figures and grounds that agree only by chance."""
    shape, colour, likes = best.parts
    agree = max((one.agree for one in best.evidence if one.pairs), default=0.0)
    return agree < _NOTHING and shape < _STRANGE and colour < _STRANGE and likes < 2 * _STRANGE


def _individual(sections: Sequence[CutSection]) -> bool:
    """Say whether the faces differ from each other, in figures or in grounds."""
    for section in sections:
        features = features_of(list(section.cells.values()))
        if features.individuality > _INDIVIDUAL:
            return True
        if _spread(list(section.cells), features.grounds) > _INDIVIDUAL:
            return True
    return False


def _spread(places: Sequence[Place], grounds: Numbers) -> float:
    """Return by how many shades grounds differ from what light alone does over a sheet."""
    if len(places) <= 2 * _LEAST_PAIRS:
        return float(grounds.std(axis=0).max()) if len(places) else 0.0
    row, column = np.array(places, float).T
    terms = np.column_stack(
        [np.ones(len(places)), row, column, row * row, column * column, row * column]
    )
    left = grounds - terms @ np.linalg.lstsq(terms, grounds, rcond=None)[0]
    return float(left.std(axis=0).max())


def _section_pairs(
    index: int,
    best: Hypothesis,
    fronts: Sequence[CutSection],
    backs: Sequence[CutSection],
    verdict: Verdict,
    confidence: float,
) -> SectionPairs:
    """Return the pairs of one section; one that contradicts the others is of another sheet."""
    behind = best.sections[index]
    if behind is None:
        return SectionPairs(Verdict.FOREIGN, None, 0.0)
    back = behind.back
    if _is_foreign(index, best, backs[back]):
        return SectionPairs(Verdict.FOREIGN, back, 0.0)
    front, other = fronts[index], backs[back]
    own = best.evidence[index].total
    sure = confidence if own >= _PROVEN else confidence * 0.9  # it follows from the other sections
    pairs = {}
    for place in front.cells:
        there = behind.place(best.turn, front, place)
        if there in other.cells:
            pairs[place] = (there, sure)
    odd = _odd_grounds(front, other, pairs)
    pairs = {
        place: (there, sure * (0.6 if place in odd else 1.0))
        for place, (there, sure) in pairs.items()
    }
    return SectionPairs(verdict, back, sure, pairs, (behind.row, behind.column))


def _is_foreign(index: int, best: Hypothesis, back: CutSection) -> bool:
    """Say whether a section has nothing in common where the others have much."""
    others = [one for other, one in enumerate(best.evidence) if other != index and one.pairs]
    mine = best.evidence[index]
    usual = float(np.median([one.agree for one in others])) if others else 0.0
    if usual < 0.2 or mine.pairs < 3 or not _individual([back]):
        return False
    return mine.agree < 0.3 * usual and mine.shape < _CHANCE


def _odd_grounds(
    front: CutSection, back: CutSection, pairs: dict[Place, tuple[Place, float]]
) -> set[Place]:
    """Return the pairs whose back has another ground than the backs of like fronts."""
    places = list(pairs)
    if len(places) < _LEAST_PAIRS:
        return set()
    a = features_of([front.cells[place] for place in places]).grounds
    b = features_of([back.cells[pairs[place][0]] for place in places]).grounds
    odd = set()
    for index, place in enumerate(places):
        like = np.linalg.norm(a - a[index], axis=1) < 12
        usual = np.median(b[like], axis=0)
        if like.sum() >= 3 and np.linalg.norm(b[index] - usual) > 36:
            odd.add(place)
    return odd


def _is_upright(
    best: Hypothesis, fitting: Sequence[Hypothesis], fronts: Sequence[CutSection]
) -> bool:
    """Say whether the pictures prove which way up the backs stand."""
    others = [one for one in fitting if one is not best and _same_places(one, best, fronts)]
    return all(
        best.parts[0] - other.parts[0] >= _UPRIGHT_AHEAD or best.agree - other.agree >= _UPRIGHT
        for other in others
    )


def _nothing(
    verdict: Verdict,
    reason: str,
    fronts: Sequence[CutSection],
    tried: tuple[Hypothesis, ...],
) -> Pairing:
    none = tuple(SectionPairs(verdict, None, 0.0) for _ in fronts)
    return Pairing(verdict, None, 0.0, False, reason, none, _best_of_each(tried))


def unmirrored(fronts: Sequence[CutSection], backs: Sequence[CutSection]) -> bool:
    """Say whether the back is the front once more, scanned twice or under a wrong name."""
    found: list[Evidence] = []
    for front, back in zip(fronts, backs, strict=False):
        if front.cells.keys() != back.cells.keys() or not front.cells:
            return False
        places = list(front.cells)
        a, b = (features_of([one.cells[place] for place in places]) for one in (front, back))
        found.append(evidence(a, b))
    return bool(found) and all(one.agree > 0.75 for one in found)
