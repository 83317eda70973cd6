"""The demo's steps on rules: a project that binds the sample map to a game, and a ruling."""

from pathlib import Path

from mapkit.demo import DemoFile, DemoStep
from mapkit.progress import OnProgress, part_of
from mapkit.texts import say


def _project(folder: Path, _: OnProgress) -> list[DemoFile]:
    from rules.project_check import check_project
    from rules.project_new import new_project
    from rules.project_show import told_findings

    project = new_project(
        folder / "project",
        name="Alta Vordana",
        game="strafexpedition",
        maps=[folder / "alpine.hexmap.json"],
    )
    report = folder / "project-check.txt"
    report.write_text(told_findings(project, check_project(project)) + "\n", "utf-8")
    show = say("rules.tour.open_project", command=f'mapkit project show "{project.folder}"')
    return [
        DemoFile(project.folder / "project.toml", say("rules.tour.project_what"), show),
        DemoFile(report, say("rules.tour.check_what"), say("rules.tour.open_text")),
    ]


PROJECT = DemoStep(60, "rules.tour.project", _project)


def _dispute(folder: Path, _: OnProgress) -> list[DemoFile]:
    """Settle the first dispute of docs/disputes.md: a line along the edge of woods."""
    from mapkit.drawing.drawing_files import write_drawing
    from rules.battlefield import battlefield
    from rules.judges.sight import SightJudge
    from rules.pictures import draw_sight
    from rules.project import load_project
    from rules.registry import find_pack
    from rules.told import told_ruling

    project = load_project(folder / "project")
    field = battlefield(project, project.map(), find_pack("strafexpedition"))
    judge = SightJudge(field)
    a, b = field.hex("5267"), field.hex("4867")
    ruling = judge.rule(a, b)
    report, picture = folder / "ruling.txt", folder / "ruling.png"
    report.write_text(told_ruling(field.pack, ruling) + "\n", "utf-8")
    write_drawing(draw_sight(judge, judge.look(a, b), ruling, hex_px=90.0), picture, force=True)
    return [
        DemoFile(report, say("rules.tour.ruling_what"), say("rules.tour.open_text")),
        DemoFile(picture, say("rules.tour.ruling_picture"), say("rules.tour.open_picture")),
    ]


DISPUTE = DemoStep(70, "rules.tour.dispute", _dispute)


def _counters(folder: Path, on_progress: OnProgress) -> list[DemoFile]:
    """Draw and print the counters of a scenario; what our sources lack stays an empty box."""
    from counters.drawing.draw_files import CONTACT_SHEET, draw_counters
    from counters.printing import parse_size
    from counters.printing.print_files import PrintSettings, print_counters
    from rules.unit_files import write_unit_table

    table, pages = folder / "counters.csv", folder / "counters.pdf"
    write_unit_table("strafexpedition", "s4", table, (), force=True)
    shown = folder / "counters" / CONTACT_SHEET
    draw_counters(
        table,
        shown.parent,
        style="strafexpedition",
        sizes=(150,),
        force=True,
        on_progress=part_of(on_progress, 0.0, 0.5),
    )
    print_counters(
        [table],
        pages,
        PrintSettings(size_mm=parse_size("1/2in")),
        style="strafexpedition",
        title="Strafexpedition 1916",
        force=True,
        on_progress=part_of(on_progress, 0.5, 1.0),
    )
    return [
        DemoFile(table, say("rules.tour.units_what"), say("rules.tour.open_table")),
        DemoFile(shown, say("rules.tour.counters_what"), say("rules.tour.open_picture")),
        DemoFile(pages, say("rules.tour.counter_pages_what"), say("rules.tour.open_pages")),
    ]


COUNTERS = DemoStep(80, "rules.tour.counters", _counters)
