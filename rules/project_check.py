"""Does a project hang together? Files, maps, joins, the binding of kinds, the numbering.

The map's own numbering wins over a pack's presumed layout; the check says whether it confirms
or contradicts it.
"""

from collections.abc import Iterator
from pathlib import Path

from mapkit.check import check_file
from mapkit.errors import MapkitError
from mapkit.kinds import Group
from mapkit.model import HexMap
from mapkit.sheets import join, offset_by_labels, offset_by_match
from mapkit.texts import say
from rules.findings import Finding
from rules.layout_check import Severity, compare_layout
from rules.pack import BOUND_GROUPS, Pack
from rules.project import Project, bound_word
from rules.project_counters import counter_findings, scenario_findings
from rules.registry import find_pack


def check_project(project: Project) -> tuple[Finding, ...]:
    """Return all that is wrong or worth knowing, errors first."""
    found = list(_missing_files(project))
    maps: dict[str, HexMap] = {}
    for name, path in project.maps.items():
        if path.exists():
            try:
                maps[name] = project.map(name)
                found += _map_problems(project, name)
            except MapkitError as error:
                found.append(Finding("error", name, str(error)))
    found += _join_problems(project, maps)
    found += counter_findings(project)
    found += _game_findings(project, maps)
    if not project.maps:
        found.append(Finding("warning", project.name, say("rules.project.no_maps")))
    order: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}
    return tuple(sorted(found, key=lambda finding: order[finding.severity]))


def unbound_of_all(project: Project) -> set[tuple[Group, str]]:
    """Return the words of all maps of a project that its game does not know."""
    if project.pack is None:
        return set()
    maps = (project.map(name) for name in project.maps)
    return {word for map_ in maps for word in unbound_words(project, project.pack, map_)}


def unbound_words(project: Project, pack: Pack, map_: HexMap) -> Iterator[tuple[Group, str]]:
    """Yield the group and the id of each kind of a map that the game has no word for."""
    for group in BOUND_GROUPS:
        for kind in map_.kinds.group(group):
            if bound_word(project, group, kind, pack) is None:
                yield group, kind.id


def _missing_files(project: Project) -> Iterator[Finding]:
    for path in project.files:
        if not path.exists():
            place = _inside(project, path)
            yield Finding("error", place, say("rules.project.missing", file=place))


def _map_problems(project: Project, name: str) -> Iterator[Finding]:
    report = check_file(project.maps[name])
    if report.was_read and report.problems:
        yield Finding(
            "error" if report.errors else "warning",
            name,
            say(
                "rules.project.map_problems",
                errors=report.errors,
                warnings=report.warnings,
                file=project.maps[name],
            ),
        )


def _join_problems(project: Project, maps: dict[str, HexMap]) -> Iterator[Finding]:
    for entry in project.joins:
        if entry.first not in maps or entry.second not in maps:
            continue
        first, second = maps[entry.first], maps[entry.second]
        try:
            if entry.match:
                one, _, other = entry.match.partition("=")
                offset = offset_by_match(first, second, (one, other))
            else:
                offset = offset_by_labels(first, second)
            join(first, second, offset, numbering="keep")
        except MapkitError as error:
            yield Finding("error", f"{entry.first}+{entry.second}", str(error))


def _game_findings(project: Project, maps: dict[str, HexMap]) -> Iterator[Finding]:
    if project.game is None:
        yield Finding("note", project.name, say("rules.project.no_game"))
        return
    try:
        pack = find_pack(project.game)
    except MapkitError as error:
        yield Finding("error", "game", str(error))
        return
    if project.owner is not None and project.owner.exists():
        try:
            pack = project.pack or pack
        except MapkitError as error:
            yield Finding("error", project.owner.name, str(error))
    yield from _binding_problems(project, pack)
    yield from scenario_findings(project, pack)
    for name, map_ in maps.items():
        for group, word in unbound_words(project, pack, map_):
            text = say("rules.project.unbound", word=word, group=group, game=pack.title)
            yield Finding("warning", name, text)
        severity, text = compare_layout(map_, pack)
        yield Finding(severity, name, text)
    yield from _words_of_no_map(project, maps)


def _words_of_no_map(project: Project, maps: dict[str, HexMap]) -> Iterator[Finding]:
    """A word that is bound but stands on no map is most often a slip of the pen."""
    if len(maps) < len(project.maps):
        return  # the map that does not read may hold it
    for group in BOUND_GROUPS:
        known = {kind.id for map_ in maps.values() for kind in map_.kinds.group(group)}
        for word in getattr(project.binding, group):
            if word not in known:
                text = say("rules.project.word_of_no_map", word=word, group=group)
                yield Finding("warning", f"binding.{group}", text)


def _binding_problems(project: Project, pack: Pack) -> Iterator[Finding]:
    for group in BOUND_GROUPS:
        table: dict[str, str] = getattr(project.binding, group)
        for word, bound in table.items():
            if bound and bound not in pack.words(group):
                known = ", ".join(sorted(pack.words(group))) or "–"
                text = say(
                    "rules.project.bad_binding",
                    word=word,
                    bound=bound,
                    known=known,
                    game=pack.title,
                )
                yield Finding("error", f"binding.{group}", text)


def _inside(project: Project, path: Path) -> str:
    return path.relative_to(project.folder).as_posix()
