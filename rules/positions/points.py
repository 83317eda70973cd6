"""The points that a position counts: under which words, and which words a game has."""

from collections.abc import Iterator, Mapping

from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.schema.scenario import Pool
from rules.schema.victory import MorePoints, Scoring


def points_word(pool: Pool) -> str:
    """Return the word under which a position counts a pool of points.

    >>> points_word(Pool(side="it", wing="left", name="Logistics Points", start=4, cite="7.1"))
    'logistics_points_left'
    """
    word = pool.name.casefold().replace(" ", "_").replace("-", "_")
    return f"{word}_{pool.wing}" if pool.wing else word


def points_words(scenarios: Scenarios, scenario: Scenario | None) -> Mapping[str, tuple[str, ...]]:
    """Return the words of points by side: a scenario's, or without one those of them all.

    Empty where the game names no points at all: then nobody can tell a slip from a word.
    """
    played = scenarios.scenarios if scenario is None else (scenario,)
    found: dict[str, dict[str, None]] = {}
    for one in played:
        for pool in one.file.points:
            found.setdefault(pool.side, {})[points_word(pool)] = None
    if scenarios.scoring is not None:
        for side, word in _by_hand(scenarios.scoring, scenarios, played):
            found.setdefault(side, {})[word] = None
    return {side: tuple(words) for side, words in found.items()}


def _by_hand(
    scoring: Scoring, scenarios: Scenarios, played: tuple[Scenario, ...]
) -> Iterator[tuple[str, str]]:
    """Yield what players count by hand: places, those of wings, and steps that surrendered."""
    yield scoring.side, scoring.by_hand
    for one in played:
        for outcome in one.file.victory.outcomes:
            if isinstance(outcome.when, MorePoints):
                yield outcome.when.side, f"{scoring.by_hand}_{outcome.when.wing}"
    if scoring.losses:
        yield from ((side, scoring.losses.by_hand) for side in scenarios.pack.sides)
