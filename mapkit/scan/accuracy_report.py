"""The comparison of a map with the truth, as lines to read."""

from collections.abc import Iterator

from mapkit.scan.accuracy import Accuracy, Score
from mapkit.scan.reliability import Reliability
from mapkit.scan.teaching import What
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
    for sort, table in found.reliability.items():
        yield from _reliability(sort, table)


def _score(what: str, score: Score) -> Iterator[str]:
    if score.share is None:
        return
    percent = f"{100 * score.share:.1f}"
    yield say(f"mapkit.scan.{what}", percent=percent, right=score.right, total=score.total)
    for one in score.as_data()["confusion"][:10]:
        yield "  " + say("mapkit.scan.mistake", **one)


def _reliability(what: What, table: Reliability) -> Iterator[str]:
    """How sure the scan was beside how often it was right, in steps of 10 %."""
    off = f"{100 * table.off:.1f}"
    word = say(f"mapkit.scan.report.what.{what}")
    yield say("mapkit.scan.sure_of", what=word, n=table.count, wrong=table.wrong, off=off)
    if table.wrong:
        share = f"{100 * table.doubted / table.wrong:.0f}"
        yield "  " + say("mapkit.scan.sure_doubted", share=share)
    for one in reversed(table.bins):
        span = f"{round(100 * one.low)}–{round(100 * one.high)}"
        told_ = {"said": f"{100 * one.said:.0f}", "share": f"{100 * one.share:.0f}"}
        yield "  " + say("mapkit.scan.sure_bin", bin=span, right=one.right, n=one.count, **told_)
