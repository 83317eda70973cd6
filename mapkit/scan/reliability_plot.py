"""How sure a scan was beside how often it was right, drawn: one plot for every sort of value."""

from collections.abc import Iterator, Mapping
from typing import Literal

from lxml.html.builder import E

from mapkit.drawing.svg import plain
from mapkit.scan.questions import percent
from mapkit.scan.reliability import Bin, Reliability
from mapkit.scan.report_parts import Part, classed, said, told_what
from mapkit.scan.teaching import What

Against = Literal["right", "alike"]  # known to be right, or said by a second reading too

_WIDTH, _HEIGHT = 340, 300
_LEFT, _TOP, _SIDE = 46, 12, 230  # of the square that the shares lie in; its width is _WIDE
_WIDE = 280
_DOTS = (3.0, 8.0)  # the radius of a bin with few values, and of one that has them all
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def plots(tables: Mapping[What, Reliability], *, against: Against = "right") -> Part:
    """Return a plot and a table for every sort of value that was compared."""
    return classed("div", "plots", *(_plot(what, one, against) for what, one in tables.items()))


def told_reliability(one: Reliability, *, against: Against = "right") -> str:
    """Return in a sentence or two how far the confidences of one sort of value are true."""
    off = f"{100 * one.off:.1f}\N{NO-BREAK SPACE}%"
    text = said(f"plot.told_{against}", n=one.count, wrong=one.wrong, off=off)
    if not one.wrong:
        return text
    return f"{text} {said(f'plot.doubted_{against}', share=percent(one.doubted / one.wrong))}"


def told_bin(one: Bin) -> str:
    """Return what a bin spans: `60–70 %`."""
    return f"{round(100 * one.low)}–{round(100 * one.high)}\N{NO-BREAK SPACE}%"


def _plot(what: What, table: Reliability, against: Against) -> Part:
    title, told = told_what(what), told_reliability(table, against=against)
    label = plain(f"{title}: {told}")
    drawn = E(
        "svg",
        {"viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "role": "img", "aria-label": label},
        *_frame(against),
        *(part for one in table.bins for part in _bin(one, table.count)),
    )
    return E.figure(
        E.h4(title),
        drawn,
        E.figcaption(plain(told)),
        E.details(E.summary(said("plot.table")), _rows(table, against)),
    )


def _rows(table: Reliability, against: Against) -> Part:
    """The same as a table: what the plot shows can be read aloud."""
    heads = [said(f"plot.{key}") for key in ("called", "said", against, "count")]
    return E.table(
        E.thead(E.tr(*(E.th(head, scope="col") for head in heads))),
        E.tbody(
            *(
                E.tr(
                    E.th(told_bin(one), scope="row"),
                    *map(E.td, (percent(one.said), percent(one.share), str(one.count))),
                )
                for one in reversed(table.bins)
            )
        ),
    )


def _frame(against: Against) -> Iterator[Part]:
    """The axes, their words, and the line on which confidence and share are the same."""
    for tick in _TICKS:
        yield _line("grid", (0, tick), (1, tick))
        yield _text(f"{round(100 * tick)}", _LEFT - 6, _y(tick) + 4, anchor="end")
        yield _text(f"{round(100 * tick)}", _x(tick), _TOP + _SIDE + 15)
    yield _line("even", (0, 0), (1, 1))
    yield _text(said("plot.x_axis"), _LEFT + _WIDE / 2, _HEIGHT - 6)
    turned = f"rotate(-90 12 {_TOP + _SIDE / 2:g})"
    yield _text(said(f"plot.y_{against}"), 12, _TOP + _SIDE / 2, transform=turned)


def _bin(one: Bin, whole: int) -> Iterator[Part]:
    """A dot, the larger the more values, and how far it may be off by chance alone."""
    low, high = one.margin
    yield _line("margin", (one.said, low), (one.said, high))
    radius = _DOTS[0] + (_DOTS[1] - _DOTS[0]) * (one.count / whole) ** 0.5
    told = said(
        "plot.dot", bin=told_bin(one), share=percent(one.share), part=one.right, n=one.count
    )
    at = {"cx": f"{_x(one.said):.1f}", "cy": f"{_y(one.share):.1f}", "r": f"{radius:.1f}"}
    yield E("circle", at, E.title(told))
    middle = _x((one.low + one.high) / 2)
    yield _text(str(one.count), middle, _TOP + _SIDE + 33, name="count")


def _line(name: str, start: tuple[float, float], end: tuple[float, float]) -> Part:
    ends = zip(("x1", "y1", "x2", "y2"), (*start, *end), strict=True)
    places = {key: f"{(_x if key[0] == 'x' else _y)(share):.1f}" for key, share in ends}
    return E("line", {"class": name, **places})


def _text(
    text: str, x: float, y: float, *, anchor: str = "middle", name: str = "", transform: str = ""
) -> Part:
    words = {"class": name, "transform": transform}
    shown = {key: value for key, value in words.items() if value}
    return E("text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, **shown}, text)


def _x(share: float) -> float:
    return _LEFT + _WIDE * share


def _y(share: float) -> float:
    return _TOP + _SIDE * (1 - share)
