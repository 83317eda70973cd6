"""A page that shows what a scan has read: every stage, samples of each kind, doubts, how sure.

One HTML file with its pictures beside it and a table of answers to fill in. The page needs no
script and nothing from the network.
"""

from collections.abc import Sequence
from pathlib import Path

from lxml.html.builder import E

from mapkit.drawing.svg import plain
from mapkit.maps import SUFFIX
from mapkit.model import HexMap
from mapkit.scan.doubts import Doubt, tallies, values_of
from mapkit.scan.questions import answers_table, percent, questions_of_each
from mapkit.scan.reliability import Trial, reliability
from mapkit.scan.reliability_plot import Against, plots
from mapkit.scan.report_figures import Shown, all_shown, figures
from mapkit.scan.report_parts import (
    Part,
    as_page,
    classed,
    doubts_table,
    facts,
    figure,
    histograms,
    said,
    samples,
    section,
    summary,
)
from mapkit.scan.report_pictures import base_of, jpeg
from mapkit.scan.scan_files import PICTURE_SUFFIX
from mapkit.scan.scan_map import ScannedMap
from mapkit.scan.trials import answered
from mapkit.store.files import refusal, require_free, write_whole
from mapkit.texts import say
from mapkit.typed_commands import typed

ANSWERS = "answers.csv"
_QUESTIONS = 60


def report_page(folder: Path, *, force: bool = False) -> Path:
    """Return the page in a folder that is made where it was not; refuse one that is there.

    Raises:
        StoreError: there is such a page, or no folder can be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal("make the folder", folder, error) from None
    page = folder / "report.html"
    require_free(page, force=force)
    require_free(folder / ANSWERS, force=force)
    return page


def write_report(
    folder: Path,
    scanned: ScannedMap,
    map_: HexMap,
    *,
    force: bool = False,
    map_file: Path | None = None,
) -> list[Path]:
    """Write the page, its pictures and a table of answers into a folder, and return the files.

    The page tells how to answer; where *map_file* is not given, the map is taken to lie, under
    the name that belongs to its picture, where that command is run.
    """
    page = report_page(folder, force=force)
    base = base_of(scanned.sheet)
    shown = all_shown(map_, base)
    stages = []
    written = []
    for one in figures(map_, base, shown):
        target = folder / f"{one.name}.jpg"
        write_whole(target, jpeg(one.picture), what="picture of the report")
        stages.append(figure(one))
        written.append(target)
    questions = questions_of_each(map_, count=_QUESTIONS)
    table = answers_table(questions, map_)
    write_whole(folder / ANSWERS, table.encode(), what="table of answers")
    command = _command(map_file or _map_file(map_), folder / ANSWERS)
    data = _page(scanned, map_, stages, shown, questions, command)
    write_whole(page, data, what="report")
    return [page, *written, folder / ANSWERS]


def told_scan(scanned: ScannedMap, map_: HexMap) -> list[str]:
    """Return what was read, in a few lines."""
    found = scanned.flattened.found
    lines = [
        say(
            "mapkit.scan.told.grid",
            n=len(map_.hexes),
            pitch=f"{found.pitch_px:.0f}",
            sure=f"{found.confidence:.0%}",
        )
    ]
    numbers = scanned.numbers
    if numbers is not None and not numbers.undecided:
        labels = sorted(map_.label(hex_) for hex_ in map_.hexes)
        share = f"{numbers.share:.0%}"
        lines.append(say("mapkit.scan.told.numbers", first=labels[0], last=labels[-1], share=share))
    lines += map_.notes
    lines.append(say("mapkit.scan.told.lines", sides=len(map_.hexsides), links=len(map_.links)))
    return lines


def _map_file(map_: HexMap) -> Path:
    picture = map_.picture.path if map_.picture else f"map{PICTURE_SUFFIX}"
    return Path(Path(picture).name.removesuffix(PICTURE_SUFFIX) + SUFFIX)


def _command(map_file: Path, answers: Path) -> str:
    words = ["mapkit", "map", "review", str(map_file), "--answers", str(answers)]
    return typed(words)


def _page(
    scanned: ScannedMap,
    map_: HexMap,
    stages: Sequence[Part],
    shown: Sequence[Shown],
    questions: Sequence[Doubt],
    command: str,
) -> bytes:
    title = plain(map_.title) or said("title")
    sections = [
        *stages,
        _samples(scanned, map_, shown),
        _doubts(scanned, map_, questions, command),
        _reliability(scanned, map_),
    ]
    return as_page(title, _head(scanned, map_, title, sections), sections)


def _head(scanned: ScannedMap, map_: HexMap, title: str, sections: Sequence[Part]) -> Part:
    """The title, the facts, what stayed open, how sure the scan is, and a table of contents."""
    scan = map_.picture.scan if map_.picture else ""
    lead = said("lead_of", scan=scan) if scan else said("lead")
    parts = [E.h1(title), classed("p", "lead", plain(lead)), facts(_facts(scanned, map_))]
    if map_.notes:
        parts.append(classed("ul", "notes", *(E.li(plain(note)) for note in map_.notes)))
    parts.append(summary(tallies(map_)))
    links = [E.li(E.a(one[0].text or "", href=f"#{one.get('id')}")) for one in sections]
    return E.header(*parts, E.nav(E.ul(*links)))


def _facts(scanned: ScannedMap, map_: HexMap) -> list[tuple[str, str]]:
    found, numbers = scanned.flattened.found, scanned.numbers
    cards = [
        ("hexes", str(len(map_.hexes))),
        ("pitch", f"{found.pitch_px:.0f}\N{NO-BREAK SPACE}px"),
        ("grid", percent(found.confidence)),
    ]
    if numbers is not None and not numbers.undecided:
        labels = sorted(map_.label(hex_) for hex_ in map_.hexes)
        cards += [("numbers", f"{labels[0]}–{labels[-1]}"), ("agree", percent(numbers.share))]
    cards += [
        ("hexsides", str(len(map_.hexsides))),
        ("links", str(len(map_.links))),
        ("features", str(sum(len(ground.features) for ground in map_.hexes.values()))),
    ]
    return [(said(f"fact.{key}"), value) for key, value in cards]


def _samples(scanned: ScannedMap, map_: HexMap, shown: Sequence[Shown]) -> Part:
    lead = E.p(said("samples_lead"))
    parts = samples(shown, scanned.sheet, map_)
    return section("samples", said("samples"), lead, *parts)


def _doubts(scanned: ScannedMap, map_: HexMap, questions: Sequence[Doubt], command: str) -> Part:
    title = said("doubts")
    unsure = sum(one.unsure for one in tallies(map_))
    if not questions:
        return section("doubts", title, E.p(said("no_doubts")))
    return section(
        "doubts",
        title,
        E.p(said("doubts_lead", n=unsure, shown=len(questions))),
        E.p(
            E.a(ANSWERS, href=ANSWERS),
            said("doubts_answer"),
        ),
        E.pre(E.code(plain(command))),
        doubts_table(questions, scanned.sheet, map_),
    )


def _reliability(scanned: ScannedMap, map_: HexMap) -> Part:
    """How sure the scan says it is, and whatever is known of how often it is right so."""
    tests: list[tuple[str, Against, tuple[Trial, ...]]] = [
        ("answers", "right", tuple(answered(scanned.map_, map_))),
        ("held_out", "right", scanned.self_test.held_out),
        ("agreeing", "alike", scanned.self_test.agreeing),
    ]
    parts = [E.p(said("reliability_lead"))]
    for key, against, trials in tests:
        if trials:
            parts.append(E.h3(said(f"tested.{key}")))
            parts.append(E.p(said(f"tested.{key}_lead", n=len(trials))))
            parts.append(plots(reliability(trials), against=against))
    parts += [E.h3(said("counts")), E.p(said("counts_lead")), histograms(values_of(map_))]
    return section("reliability", said("reliability"), *parts)
