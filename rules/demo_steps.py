"""The demo's steps on rules: a project that binds the sample map to a game."""

from pathlib import Path

from mapkit.demo import DemoFile, DemoStep
from mapkit.texts import say


def _project(folder: Path) -> list[DemoFile]:
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
