"""A project in words, and as data."""

from collections.abc import Iterator, Sequence

from mapkit.kinds import Group
from mapkit.model import HexMap
from mapkit.texts import say
from rules.findings import Finding
from rules.pack import BOUND_GROUPS, Pack
from rules.project import Project, bound_word


def describe_project(project: Project) -> str:
    """Return what a project holds, as lines."""
    pack = project.pack
    game = pack.title if pack else say("rules.show.no_game")
    lines = [say("rules.show.project", name=project.name, game=game)]
    for name in project.maps:
        map_ = project.map(name)
        file = project.maps[name].relative_to(project.folder).as_posix()
        lines.append(say("rules.show.map", name=name, file=file, n=len(map_.hexes)))
        if pack is not None:
            lines += [f"  {line}" for line in _binding_lines(project, pack, map_)]
    for entry in project.joins:
        match = entry.match or "–"
        lines.append(say("rules.show.join", first=entry.first, second=entry.second, match=match))
    others = [path for path in project.files if path not in project.maps.values()]
    lines += [path.relative_to(project.folder).as_posix() for path in others]
    return "\n".join(lines)


def project_data(project: Project) -> dict[str, object]:
    """Return what a project holds as JSON-able data."""
    pack = project.pack
    maps = []
    for name, path in project.maps.items():
        map_ = project.map(name)
        entry: dict[str, object] = {
            "id": name,
            "file": path.relative_to(project.folder).as_posix(),
            "title": map_.title,
            "hexes": len(map_.hexes),
        }
        if pack is not None:
            entry["binding"] = {
                group: {word: bound for word, bound, _ in _bindings(project, pack, map_, group)}
                for group in BOUND_GROUPS
            }
        maps.append(entry)
    return {
        "name": project.name,
        "game": project.game,
        "maps": maps,
        "joins": [entry.model_dump() for entry in project.joins],
        "files": [path.relative_to(project.folder).as_posix() for path in project.files],
    }


def told_findings(project: Project, found: Sequence[Finding]) -> str:
    """Return the verdict of a check, then every finding."""
    errors = sum(finding.severity == "error" for finding in found)
    warnings = sum(finding.severity == "warning" for finding in found)
    verdict = say("rules.show.verdict", name=project.name, errors=errors, warnings=warnings)
    lines = [f"{_sign(finding)} {finding.place}: {finding.text}" for finding in found]
    return "\n".join([verdict, *lines])


def findings_data(project: Project, found: Sequence[Finding]) -> dict[str, object]:
    """Return the findings of a check as JSON-able data."""
    return {"project": project.name, "findings": [finding.as_data() for finding in found]}


def _binding_lines(project: Project, pack: Pack, map_: HexMap) -> Iterator[str]:
    for group in BOUND_GROUPS:
        told = [
            f"{word} → {bound or '–'}" if stated else (word if bound else f"{word} → ?")
            for word, bound, stated in _bindings(project, pack, map_, group)
        ]
        if told:
            yield say("rules.show.bound", group=_word(group), told=", ".join(told))


def _bindings(
    project: Project, pack: Pack, map_: HexMap, group: Group
) -> Iterator[tuple[str, str | None, bool]]:
    """Each word of a map, the game's word for it, and whether the project states that."""
    for kind in map_.kinds.group(group):
        stated = kind.id in getattr(project.binding, group)
        yield kind.id, bound_word(project, group, kind, pack), stated


def _word(group: Group) -> str:
    return {
        "terrain": say("rules.show.terrain"),
        "features": say("rules.show.features"),
        "hexsides": say("rules.show.hexsides"),
        "links": say("rules.show.links"),
        "areas": say("rules.show.areas"),
    }[group]


def _sign(finding: Finding) -> str:
    return {
        "error": say("rules.show.error"),
        "warning": say("rules.show.warning"),
        "note": say("rules.show.note"),
    }[finding.severity]
