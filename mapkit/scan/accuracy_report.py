"""The comparison of a map with the truth, as lines to read."""

from collections.abc import Iterator

from mapkit.scan.accuracy import Accuracy, Score
from mapkit.texts import say


def told(found: Accuracy) -> str:
    """Return the comparison as text: shares, the commonest mistakes, and what was found."""
    return "\n".join(_lines(found))


def _lines(found: Accuracy) -> Iterator[str]:
    yield say("mapkit.scan.matched", hexes=found.hexes, unmatched=found.unmatched)
    for what, score in (("terrain", found.terrain), ("level", found.level)):
        yield from _score(what, score)
    for kinds in (found.features, found.hexsides, found.links):
        for kind, one in kinds.items():
            values = {
                name: "–" if value is None else f"{value:.3f}"
                for name, value in (
                    ("precision", one.precision),
                    ("recall", one.recall),
                    ("f1", one.f1),
                )
            }
            yield say("mapkit.scan.found", kind=kind, **values)


def _score(what: str, score: Score) -> Iterator[str]:
    if score.share is None:
        return
    percent = f"{100 * score.share:.1f}"
    yield say(f"mapkit.scan.{what}", percent=percent, right=score.right, total=score.total)
    for one in score.as_data()["confusion"][:10]:
        yield "  " + say("mapkit.scan.mistake", **one)
