"""The parts of a scan's report as HTML: figures with legends, tables, samples, doubts."""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import TypeAlias

from lxml import etree, html
from lxml.html.builder import E

from mapkit.drawing.svg import plain
from mapkit.model import HexMap
from mapkit.scan.doubts import DOUBTFUL, SURE, Doubt, ReadValue, Tally
from mapkit.scan.questions import percent
from mapkit.scan.report_figures import Figure, Shown, title_of
from mapkit.scan.report_pictures import as_address, crop
from mapkit.scan.sheet import FlatSheet, Pixels
from mapkit.scan.teaching import WHATS, What
from mapkit.texts import language, say

_TYPICAL = 6  # samples of each kind: spread over how sure the scan is,
_LEAST_SURE = 6  # and the least sure
_SAMPLE_PX = 96
_DOUBT_PX = 168
_BINS = 10
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file: data:"

Part: TypeAlias = etree._Element


def as_page(title: str, head: Part, sections: Iterable[Part]) -> bytes:
    """Return a whole page that needs no script and nothing from the network."""
    page = E.html(
        E.head(
            E.meta(charset="utf-8"),
            E.meta({"http-equiv": "Content-Security-Policy", "content": _POLICY}),
            E.meta(name="viewport", content="width=device-width, initial-scale=1"),
            E.title(title),
            E.style((files("mapkit.scan") / "report.css").read_text("utf-8")),
        ),
        E.body(head, E.main(*sections)),
        lang=language(),
    )
    written: bytes = html.tostring(page, encoding="utf-8", doctype="<!DOCTYPE html>")
    return written + b"\n"


def said(key: str, **values: object) -> str:
    """Return a text of the report; a number and its percent sign stay on one line."""
    text = say(f"mapkit.scan.report.{key}", **values)
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def classed(tag: str, name: str, *parts: Part | str) -> Part:
    """Return an element with a class, which the stylesheet knows."""
    return E(tag, {"class": name}, *parts)


def section(name: str, title: str, *parts: Part) -> Part:
    """Return a section of the page that can be linked to by its name."""
    return E.section({"id": name}, E.h2(plain(title)), *parts)


def facts(cards: Iterable[tuple[str, str]]) -> Part:
    """Return facts as a list: each a figure in large letters, and what it is."""
    return classed(
        "dl", "facts", *(E.div(E.dt(plain(name)), E.dd(plain(value))) for name, value in cards)
    )


def summary(counted: Sequence[Tally]) -> Part:
    """Return how sure the scan is of every sort of value, as a table."""
    heads = ["what", "values", "unsure", "doubtful"]
    if any(one.looked_at for one in counted):
        heads.append("looked_at")
    rows = [
        [told_what(one.what), *(str(getattr(one, head)) for head in heads[1:])] for one in counted
    ]
    return classed(
        "table",
        "summary",
        E.thead(E.tr(*(E.th(said(f"head.{head}")) for head in heads))),
        E.tbody(*(E.tr(E.th(row[0]), *map(E.td, row[1:])) for row in rows)),
    )


def figure(one: Figure) -> Part:
    """Return a figure with its legend; the picture links to itself, to be seen at full size."""
    address = f"{one.name}.jpg"
    height, width = one.picture.shape[:2]
    picture = E.img(
        src=address, alt=plain(one.title), width=str(width), height=str(height), loading="lazy"
    )
    parts = [E.a({"href": address, "title": said("enlarge")}, picture)]
    if one.legend:
        parts.append(_legend(one.legend))
    return section(one.name, one.title, E.figure(*parts, E.figcaption(plain(one.caption))))


def samples(shown: Sequence[Shown], sheet: FlatSheet, map_: HexMap) -> list[Part]:
    """Return hexes of every kind, the least sure last: what does not belong is seen at once."""
    parts = []
    for what in WHATS:
        kinds = [one for one in shown if one.what == what and one.values]
        if kinds:
            parts.append(E.h3(told_what(what)))
            parts += [_samples_of(one, sheet, map_) for one in kinds]
    return parts


def doubts_table(questions: Sequence[Doubt], sheet: FlatSheet, map_: HexMap) -> Part:
    """Return the doubts with a crop of each place."""
    heads = [say(f"mapkit.scan.doubts.{name}") for name in ("place", "what", "read", "sure")]
    heads = [said("head.picture"), *heads, say("mapkit.scan.doubts.other")]
    return classed(
        "table",
        "doubts",
        E.thead(E.tr(*map(E.th, heads))),
        E.tbody(*(_doubt(one, heads, sheet, map_) for one in questions)),
    )


def histograms(values: Iterable[ReadValue]) -> Part:
    """Return for every sort of value how many the scan is how sure of, in steps of 10 %."""
    counts: dict[What, list[int]] = {what: [0] * _BINS for what in WHATS}
    for one in values:
        if one.is_open:
            counts[one.what][min(int(one.confidence * _BINS + 1e-9), _BINS - 1)] += 1
    return classed(
        "div", "histograms", *(_histogram(what, bins) for what, bins in counts.items() if any(bins))
    )


def told_what(what: What) -> str:
    """Return the word for a sort of value."""
    return said(f"what.{what}")


def _legend(shown: Sequence[Shown]) -> Part:
    sorts = list(dict.fromkeys(one.what for one in shown))
    lists = []
    for what in sorts:
        if len(sorts) > 1:
            lists.append(E.p(told_what(what)))
        lists.append(classed("ul", "legend", *(_entry(o) for o in shown if o.what == what)))
    return classed("div", "legends", *lists)


def _entry(one: Shown) -> Part:
    parts = [_chip(one.colour), E.span(plain(one.title)), E.b(str(len(one.values)))]
    if doubtful := one.below(DOUBTFUL):
        parts.append(E.small(said("entry_doubtful", n=doubtful)))
    return E.li(*parts)


def _chip(colour: str) -> Part:
    return E.i({"class": "chip", "style": f"background:{colour}"})


def _samples_of(one: Shown, sheet: FlatSheet, map_: HexMap) -> Part:
    head = E.h4(
        _chip(one.colour),
        plain(one.title),
        " ",
        E.small(said("samples_of", n=len(one.values), unsure=one.below(SURE))),
    )
    few = max(0, len(one.values) - _LEAST_SURE)
    step = max(1, -(-few // _TYPICAL))
    crops = [_sample(value, sheet, map_, last=False) for value in one.values[:few:step]]
    crops += [_sample(value, sheet, map_, last=True) for value in one.values[few:]]
    return classed("div", "samples", head, E.ul(*crops))


def _sample(value: ReadValue, sheet: FlatSheet, map_: HexMap, *, last: bool) -> Part:
    pitches = 1.5 if value.what in ("hexside", "link") else 1.25
    place = map_.label_place(value.place)
    picture = _picture(crop(sheet, value.place, pitches=pitches, side_px=_SAMPLE_PX), place)
    unsure = last and value.confidence < SURE
    told = E.small(E.span(plain(place)), E.span(percent(value.confidence)))
    return E.li({"class": "unsure" if unsure else "sure"}, picture, told)


def _picture(pixels: Pixels, place: str) -> Part:
    side = str(pixels.shape[0])
    return E.img(src=as_address(pixels), alt=plain(place), width=side, height=side)


def _doubt(one: Doubt, heads: list[str], sheet: FlatSheet, map_: HexMap) -> Part:
    place = map_.label_place(one.place)
    other = "" if one.runner_up is None else title_of(map_, one.what, one.runner_up)
    words = (
        place,
        told_what(one.what),
        title_of(map_, one.what, one.value),
        percent(one.confidence),
        other,
    )
    picture = _picture(crop(sheet, one.place, pitches=2.4, side_px=_DOUBT_PX), place)
    cells = [
        E.td({"data-head": head}, plain(word)) for head, word in zip(heads[1:], words, strict=True)
    ]
    return E.tr(E.td(picture), *cells)


def _histogram(what: What, bins: list[int]) -> Part:
    whole = sum(bins)
    bars = [
        E.li(
            E.span(f"{100 * place // _BINS}–{100 * (place + 1) // _BINS}\N{NO-BREAK SPACE}%"),
            E.i(E.i({"style": f"width:{100 * count / whole:.2f}%"})),
            E.b(str(count)),
        )
        for place, count in reversed(list(enumerate(bins)))
    ]
    return E.div(E.h3(told_what(what)), E.ol(*bars))
