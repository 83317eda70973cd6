"""Do the units and sheets of a project hang together, and have its scenarios all their counters?"""

from collections.abc import Iterator

from counters.checking import check_files
from counters.drawing import games_with_style, load_counter_style
from mapkit.errors import MapkitError
from mapkit.texts import say
from rules.errors import RulesError
from rules.findings import Finding
from rules.pack import Pack
from rules.project import Project
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.unit_tables import unit_counters
from rules.unit_files import entered_units

LISTED = 5  # ids of units without a counter that are told


def counter_findings(project: Project) -> Iterator[Finding]:
    """Yield what is wrong with the tables of units and the sheets of a project."""
    for path in project.units:
        if path.exists():
            try:
                entered_units(path)
            except MapkitError as error:
                yield Finding("error", path.name, str(error))
    game = project.game or ""
    style = load_counter_style(game) if game in games_with_style() else None
    for path in project.sheets:
        if path.exists() and (report := check_files([path], style=style)).problems:
            yield Finding(
                "error" if report.errors else "warning",
                path.name,
                say(
                    "rules.project.counter_problems",
                    errors=report.errors,
                    warnings=report.warnings,
                    file=path.relative_to(project.folder).as_posix(),
                ),
            )


def scenario_findings(project: Project, pack: Pack) -> Iterator[Finding]:
    """Yield, for each scenario that a project names, the units that none of its tables has."""
    if not project.units or not all(path.exists() for path in project.units):
        return  # a project without units of its own draws those of the game
    try:
        have = {unit.id for path in project.units for unit in entered_units(path)}
        scenarios = scenarios_of(pack)
    except MapkitError:
        return  # told of already
    for name in project.scenarios:
        if not any(name in (one.id, str(one.file.number)) for one in scenarios.scenarios):
            continue  # a file of the owner's own
        try:
            lacking = [unit for unit in unit_counters(scenarios, name) if unit.id not in have]
        except RulesError:
            continue  # our sources list no units of it
        if lacking:
            ids = ", ".join(unit.id for unit in lacking[:LISTED])
            text = say("rules.project.no_counters", n=len(lacking), ids=ids, scenario=name)
            yield Finding("warning", name, text)
