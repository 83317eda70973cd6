"""A page that shows a sliced sheet: where the cuts lie, the pairing, the counters, what was read.

One HTML file with two pictures beside it; no script, nothing from the network.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from lxml import html
from lxml.html.builder import E

from counters.slicing.contact_sheet import cuts_picture, told_turn
from counters.slicing.reading import ReadText
from counters.slicing.sheet_data import Naming
from counters.slicing.slice_sheet import Sliced
from counters.slicing.told import told_verdict
from mapkit.drawing.svg import plain
from mapkit.scan.report_parts import Part, classed, facts, section
from mapkit.scan.report_pictures import jpeg
from mapkit.texts import language, say

PAGE = "report.html"
UNITS = "units.csv"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file: data:"
_SURE = 0.75
_MOST_READ = 80


def report_files(
    sliced: Sliced,
    naming: Naming,
    texts: Mapping[tuple[int, str], Sequence[ReadText]],
    *,
    name: str,
    sources: tuple[str, str],
    dpi: float | None,
) -> dict[str, bytes]:
    """Return the files of the report by their names: the page and its pictures."""
    sides = ["front", *(["back"] if sliced.back else [])]
    made = {f"cuts-{side}.jpg": jpeg(cuts_picture(sliced, side)) for side in sides}
    parts = [_cuts(sides)]
    if sliced.pairing is not None:
        parts.append(_turns(sliced))
    parts.append(_counters(sliced, naming))
    if texts:
        parts.append(_read(sliced, naming, texts))
    title = said("title", name=name)
    page = E.html(
        E.head(
            E.meta(charset="utf-8"),
            E.meta({"http-equiv": "Content-Security-Policy", "content": _POLICY}),
            E.meta(name="viewport", content="width=device-width, initial-scale=1"),
            E.title(plain(title)),
            E.style(_style()),
        ),
        E.body(_head(sliced, title, sources, dpi, parts), E.main(*parts)),
        lang=language(),
    )
    data: bytes = html.tostring(page, encoding="utf-8", doctype="<!DOCTYPE html>")
    return {PAGE: data + b"\n", **made}


def _style() -> str:
    sheets = (("mapkit.scan", "report.css"), ("counters.slicing", "slice_report.css"))
    return "".join((files(package) / name).read_text("utf-8") for package, name in sheets)


def said(key: str, **values: object) -> str:
    """Return a text of the page; a number and its percent sign stay on one line."""
    text = say(f"counters.slice.report.{key}", **values)
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _head(
    sliced: Sliced,
    title: str,
    sources: tuple[str, str],
    dpi: float | None,
    parts: Sequence[Part],
) -> Part:
    front, back = sources
    lead = said("lead", front=front, back=back) if back else said("lead_front", front=front)
    cards = [
        (said("counters"), str(len(sliced.kinds))),
        (said("cells"), str(len(sliced.cells))),
        (said("sections"), str(len(sliced.fronts))),
        (said("cuts"), f"{sliced.front.confidence:.0%}"),
    ]
    if dpi:
        cards.append((said("resolution"), f"{dpi:.0f} dpi"))
    links = [E.li(E.a(one[0].text or "", href=f"#{one.get('id')}")) for one in parts]
    verdict, lines = told_verdict(sliced)
    told = [E.p(plain(line)) for line in lines]
    return E.header(
        E.h1(plain(title)),
        classed("p", "lead", plain(lead)),
        facts(cards),
        E.div({"class": f"verdict {verdict}"}, *told),
        E.nav(E.ul(*links)),
    )


def _cuts(sides: Sequence[str]) -> Part:
    figures = [
        E.figure(E.img(src=f"cuts-{side}.jpg", alt=said(side)), E.figcaption(said(side)))
        for side in sides
    ]
    return section("cuts", said("grid"), E.p(said("grid_lead")), classed("div", "cuts", *figures))


def _turns(sliced: Sliced) -> Part:
    pairing = sliced.pairing
    assert pairing is not None  # the caller asked
    heads = [E.th(said(key)) for key in ("way", "shapes", "grounds", "likes")]
    rows = []
    for one in pairing.tried:
        flip = say(f"counters.slice.{one.turn.flip.value}")
        way = f"{flip}, {90 * one.turn.quarters}°"
        fits = any(index is not None for index in one.sections)
        numbers = [E.td(f"{value:.1f}" if fits else "–") for value in one.parts]
        rows.append(
            E.tr({"class": "best" if one.turn == pairing.turn else ""}, E.th(way), *numbers)
        )
    table = classed("table", "turns", E.thead(E.tr(*heads)), E.tbody(*rows))
    lead = [E.p(said("turns_lead"))]
    if pairing.turn:
        lead.insert(0, E.p(told_turn(sliced)))
    return section("turns", said("turns"), *lead, classed("div", "scroll", table))


def _counters(sliced: Sliced, naming: Naming) -> Part:
    parts = [E.p(said("pairs_lead"))] if sliced.is_paired else []
    for number, name in enumerate(sliced.names):
        found = sliced.fronts[number].found
        head = E.h3(f"{name} ", E.small(f"{found.rows} × {found.columns}"))
        shown = [i for i in sliced.kinds if sliced.cells[i].section == number]
        parts += [head, classed("ul", "counters", *(_counter(sliced, naming, i) for i in shown))]
    return section("counters", said("pairs"), *parts)


def _counter(sliced: Sliced, naming: Naming, index: int) -> Part:
    cell = sliced.cells[index]
    id_ = plain(naming.ids[index])
    images = [E.img(src=naming.picture(index, "front"), alt=f"{id_} {said('front')}")]
    if cell.back is not None:
        images.append(E.img(src=naming.picture(index, "back"), alt=f"{id_} {said('back')}"))
    copies = sliced.copies(index)
    label = [E.span(id_), *([E.b(f"× {copies}")] if copies > 1 else [])]
    unsure = sliced.is_paired and cell.confidence < _SURE
    return E.li({"class": "unsure" if unsure else "sure"}, *images, E.small(*label))


def _read(
    sliced: Sliced, naming: Naming, texts: Mapping[tuple[int, str], Sequence[ReadText]]
) -> Part:
    rows = [
        (text.confidence, index, face, text.text)
        for (index, face), read in texts.items()
        for text in read
    ]
    heads = ["picture", "place", "face", "text", "sure"]
    lines = []
    for sure, index, face, text in sorted(rows)[:_MOST_READ]:
        image = E.img(src=naming.picture(index, face), alt="")
        words = (naming.ids[index], said(face), text, f"{sure:.0%}")
        cells = [
            E.td({"data-head": said(head)}, plain(word))
            for head, word in zip(heads[1:], words, strict=True)
        ]
        lines.append(E.tr(E.td(image), *cells))
    table = E.table(
        {"class": "doubts read"},
        E.thead(E.tr(*(E.th(said(head)) for head in heads))),
        E.tbody(*lines),
    )
    return section("read", said("review"), E.p(said("review_lead", table=UNITS)), table)
