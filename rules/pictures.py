"""Rulings as pictures: the land about the question, what decided it, and the verdict."""

from collections.abc import Sequence
from itertools import pairwise
from textwrap import wrap

from mapkit.drawing import (
    ALL_LAYERS,
    Drawing,
    HexOverlay,
    LineOverlay,
    PathOverlay,
    ProfileOverlay,
    ProfilePoint,
    TextOverlay,
    draw_map,
    load_style,
)
from mapkit.drawing.overlays import Overlay
from mapkit.hexes import Hex, Hexside, disc
from mapkit.line_picture import land_around
from mapkit.sheets import crop
from mapkit.sight import profile
from rules.battlefield import Battlefield
from rules.judges.command import CommandJudge
from rules.judges.movement import MovementJudge
from rules.judges.observers import ObserverJudge
from rules.judges.retreat import RetreatJudge
from rules.judges.rout import RoutJudge
from rules.judges.sight import Looked, SightJudge
from rules.judges.supply import SupplyJudge
from rules.judges.withdrawal import WithdrawalJudge
from rules.judges.zones import ZoneJudge, zone_of
from rules.ruling import Ruling
from rules.spoken import told_reason
from rules.standing import Standing

_COLOURS = {"clear": "#2e7d32", "in_supply": "#2e7d32", "reached": "#2e7d32", "unknown": "#a86a00"}
_BLOCKED, _BESIDE, _SEEN = "#d7263d", "#d98a00", "#1b6ec2"
_ENEMY, _FRIEND = "#d7263d", "#1b6ec2"
_WIDTH = 64  # letters of a line in the box


def draw_sight(judge: SightJudge, looked: Looked, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a ruling on sight."""
    seen = looked.sight
    met = [hex_ for event in seen.events if event.kind == "through" for hex_ in event.hexes]
    beside = [hex_ for event in seen.events if event.kind == "along" for hex_ in event.hexes]
    blocking = [hex_ for place in seen.blocked_by for hex_ in _hexes(place)]
    overlays: list[Overlay] = [
        HexOverlay(tuple(dict.fromkeys([*met, *beside])), colour=_SEEN, opacity=0.15),
        HexOverlay(_beside(looked), colour=_BESIDE, opacity=0.3),
        HexOverlay(tuple(dict.fromkeys(blocking)), colour=_BLOCKED, opacity=0.4),
        LineOverlay(seen.observer, seen.target, colour=_colour(ruling)),
        TextOverlay(_lines(judge.field, ruling), "below"),
    ]
    points = _profile(judge, looked)
    if points:
        overlays.append(ProfileOverlay(points, sight=_sight_line(judge, looked), corner="below"))
    return _draw({seen.observer, seen.target, *met}, judge.field, overlays, hex_px)


def draw_field(judge: SightJudge, hex_: Hex, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a field of view: what is seen, and what nobody can tell."""
    field = judge.field
    seen = tuple(map(field.hex, ruling.working.get("sees", ())))
    unknown = tuple(map(field.hex, ruling.working.get("unknown", ())))
    overlays: list[Overlay] = [
        HexOverlay(seen, colour=_COLOURS["clear"], opacity=0.3),
        HexOverlay(unknown, colour=_COLOURS["unknown"], opacity=0.3),
        HexOverlay((hex_,), colour=_SEEN, opacity=0.6),
        TextOverlay(_lines(field, ruling), "below"),
    ]
    return _draw({hex_, *seen, *unknown}, field, overlays, hex_px)


def draw_supply(judge: SupplyJudge, hex_: Hex, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a ruling on supply."""
    field = judge.field
    path = [field.hex(step["hex"]) for step in ruling.working["path"]]
    costs = tuple(str(step["cost"]) for step in ruling.working["path"])
    enemies = tuple(unit.hex for unit in judge.enemies)
    zones = tuple(sorted({one for unit in judge.enemies for one in zone_of(field, unit)}))
    overlays: list[Overlay] = [
        HexOverlay(zones, colour=_ENEMY, opacity=0.15),
        HexOverlay(enemies, colour=_ENEMY, opacity=0.5),
        HexOverlay(tuple(unit.hex for unit in judge.friends), colour=_FRIEND, opacity=0.4),
        HexOverlay((hex_,), colour=_colour(ruling), opacity=0.5),
        TextOverlay(_lines(field, ruling), "below"),
    ]
    if len(path) > 1:
        overlays.insert(3, PathOverlay(tuple(path), costs, colour=_colour(ruling)))
    return _draw({hex_, *path, *enemies}, field, overlays, hex_px)


def draw_reach(judge: MovementJudge, to: Hex | None, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a ruling on movement: each hex with what it costs to come there."""
    here, arrivals = judge.unit.hex, judge.reach.arrivals()
    overlays: list[Overlay] = [
        HexOverlay((one.hex,), colour=_SEEN, opacity=0.25, label=str(one.spent))
        for one in arrivals
        if one.hex != here
    ]
    enemies = tuple(unit.hex for unit in judge.enemies)
    overlays.append(HexOverlay(enemies, colour=_ENEMY, opacity=0.5))
    overlays.append(HexOverlay((here,), colour=_COLOURS["clear"], opacity=0.5))
    way = judge.way(to) if to is not None else ()
    if way:
        overlays.append(PathOverlay(way, colour=_COLOURS["clear"]))
    overlays.append(TextOverlay(_lines(judge.field, ruling), "below"))
    hexes = {here, *enemies, *(one.hex for one in arrivals)}
    return _draw(hexes, judge.field, overlays, hex_px)


def draw_command(
    judge: CommandJudge, units: Sequence[Hex], rulings: Sequence[Ruling], *, hex_px: float
) -> Drawing:
    """Return the picture of a command range: what it covers, what a die decides, the ways."""
    field, ways = judge.field, judge.covered
    sure = tuple(hex_ for hex_, way in ways.items() if not way.rolls)
    rolled = tuple(hex_ for hex_, way in ways.items() if way.rolls)
    at_stake = {hex_ for way in ways.values() for hex_ in way.rolls}
    enemies = tuple(unit.hex for unit in judge.enemies)
    overlays: list[Overlay] = [
        HexOverlay(sure, colour=_COLOURS["clear"], opacity=0.25),
        HexOverlay(rolled, colour=_COLOURS["unknown"], opacity=0.25),
        *(HexOverlay((one,), colour=_BESIDE, opacity=0.35, label="?") for one in sorted(at_stake)),
        HexOverlay(enemies, colour=_ENEMY, opacity=0.5),
        HexOverlay(tuple(unit.hex for unit in judge.friends), colour=_FRIEND, opacity=0.4),
        HexOverlay((judge.headquarters,), colour=_SEEN, opacity=0.6, label="HQ"),
        *(HexOverlay((hex_,), colour=_FRIEND, opacity=0.5) for hex_ in units),
    ]
    for hex_ in units:
        way = ways.get(hex_)
        if way is not None and len(way.path) > 1:
            colour = _COLOURS["unknown"] if way.rolls else _COLOURS["clear"]
            overlays.append(PathOverlay(way.path, colour=colour))
    verdicts = (told_reason(field.pack, one.reasons[0]) for one in rulings)
    lines = [line for verdict in verdicts for line in wrap(verdict, _WIDTH)]
    overlays.append(TextOverlay(tuple(lines), "below"))
    return _draw({judge.headquarters, *ways, *enemies, *units}, field, overlays, hex_px)


def draw_retreat(judge: RetreatJudge, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a retreat: the hexes open to it by kind, and those that are not."""
    field = judge.field
    here = field.hex(ruling.working["hex"])
    to_ = ruling.working.get("to")
    to = [field.hex(label) for label in _listed(to_)]
    escapes = [(field.hex(one["hex"]), one) for one in ruling.working.get("escapes", ())]
    given = ruling.working.get("ways") or [[ruling.working["hex"], hex_] for hex_ in _listed(to_)]
    ways = [tuple(map(field.hex, way)) for way in given]
    ends = [way[-1] for way in ways if "ways" in ruling.working]
    overlays: list[Overlay] = [
        HexOverlay(tuple(unit.hex for unit in judge.friends), colour=_FRIEND, opacity=0.3),
        HexOverlay(tuple(unit.hex for unit in judge.enemies), colour=_ENEMY, opacity=0.4),
        HexOverlay(tuple(dict.fromkeys(ends)), colour=_COLOURS["clear"], opacity=0.35),
        HexOverlay((*judge.origins, *judge.others), colour=_BLOCKED, opacity=0.25, label="!"),
        *(
            HexOverlay(
                (hex_,),
                colour=_COLOURS["clear"] if hex_ in to else _BESIDE,
                opacity=0.35,
                label=one["priority"] + ("*" if one["fire"] else ""),
            )
            for hex_, one in escapes
        ),
        HexOverlay((here,), colour=_SEEN, opacity=0.6),
        *_steps(ways, _COLOURS["clear"]),
        TextOverlay(_lines(field, ruling), "below"),
    ]
    about = {hex_ for hex_ in disc(here, 2) if hex_ in field.map}.union(*ways)
    return _draw(about, field, overlays, hex_px)


def draw_withdrawal(judge: WithdrawalJudge, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a withdrawal: enemy zones, the ways out of them, and their ends."""
    field, here = judge.field, judge.unit.hex
    ways = [tuple(map(field.hex, way)) for way in ruling.working.get("ways", ())]
    zones = {hex_ for unit in judge.enemies for hex_ in zone_of(field, unit, judge.weather)}
    overlays: list[Overlay] = [
        HexOverlay(tuple(sorted(zones)), colour=_ENEMY, opacity=0.15),
        HexOverlay(tuple(unit.hex for unit in judge.friends), colour=_FRIEND, opacity=0.3),
        HexOverlay(tuple(unit.hex for unit in judge.enemies), colour=_ENEMY, opacity=0.4),
        HexOverlay(
            tuple(dict.fromkeys(way[-1] for way in ways)), colour=_COLOURS["clear"], opacity=0.35
        ),
        HexOverlay(judge.markers, colour=_BLOCKED, opacity=0.25, label="!"),
        HexOverlay((here,), colour=_SEEN, opacity=0.6),
        *_steps(ways, _COLOURS["clear"]),
        TextOverlay(_lines(field, ruling), "below"),
    ]
    about = {hex_ for hex_ in disc(here, 2) if hex_ in field.map}.union(*ways)
    return _draw(about, field, overlays, hex_px)


def draw_rout(judge: RoutJudge, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a rout: enemy zones, the sources, and the span to one of them."""
    field, here = judge.field, judge.unit.hex
    path = tuple(map(field.hex, ruling.working.get("path", ())))
    sources = tuple(map(field.hex, ruling.working.get("sources", ())))
    zones = {hex_ for unit in judge.enemies for hex_ in zone_of(field, unit, judge.weather)}
    overlays: list[Overlay] = [
        HexOverlay(tuple(sorted(zones)), colour=_ENEMY, opacity=0.15),
        HexOverlay(tuple(unit.hex for unit in judge.friends), colour=_FRIEND, opacity=0.3),
        HexOverlay(tuple(unit.hex for unit in judge.enemies), colour=_ENEMY, opacity=0.5),
        HexOverlay(sources, colour=_COLOURS["clear"], opacity=0.4),
        HexOverlay((here,), colour=_SEEN, opacity=0.6),
        *_steps([path], _COLOURS["clear"]),
        TextOverlay(_lines(field, ruling), "below"),
    ]
    enemies = (unit.hex for unit in judge.enemies)
    return _draw({here, *path, *sources, *enemies}, field, overlays, hex_px)


def _steps(ways: Sequence[Sequence[Hex]], colour: str) -> list[LineOverlay]:
    """The steps of ways, each drawn once however many ways share it."""
    found = dict.fromkeys(step for way in ways for step in pairwise(way))
    return [LineOverlay(one, other, colour=colour) for one, other in found]


def _listed(value: object) -> list[str]:
    """The hexes of a working that may be one or several."""
    return [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []


def draw_observers(judge: ObserverJudge, target: Hex, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of who may observe a target, who only sees it, and where the enemy is."""
    field = judge.field
    posts: dict[str, list[Hex]] = {}
    for one in ruling.working["posts"]:
        posts.setdefault(one["may"], []).append(field.hex(one["hex"]))
    enemies = tuple(unit.hex for unit in judge.enemies)
    overlays: list[Overlay] = [
        HexOverlay(tuple(posts.get("no", ())), colour=_BESIDE, opacity=0.2),
        HexOverlay(tuple(posts.get("unknown", ())), colour=_COLOURS["unknown"], opacity=0.4),
        HexOverlay(tuple(posts.get("after_roll", ())), colour=_COLOURS["unknown"], opacity=0.4),
        HexOverlay(tuple(posts.get("yes", ())), colour=_COLOURS["clear"], opacity=0.4),
        HexOverlay(enemies, colour=_ENEMY, opacity=0.5),
        HexOverlay(tuple(unit.hex for unit in judge.friends), colour=_FRIEND, opacity=0.4),
        HexOverlay((target,), colour=_BLOCKED, opacity=0.7),
        TextOverlay(_lines(field, ruling), "below"),
    ]
    if judge.headquarters is not None:
        overlays.append(HexOverlay((judge.headquarters,), colour=_SEEN, opacity=0.6))
    shown = {target, *enemies, *(hex_ for found in posts.values() for hex_ in found)}
    return _draw(shown, field, overlays, hex_px)


def draw_zone(judge: ZoneJudge, unit: Standing, ruling: Ruling, *, hex_px: float) -> Drawing:
    """Return the picture of a zone of control, and of the hexes it is kept out of."""
    field = judge.field
    zone = tuple(map(field.hex, ruling.working["zone"]))
    kept = tuple(field.hex(one["hex"]) for one in ruling.working["kept_out"])
    overlays: list[Overlay] = [
        HexOverlay(zone, colour=_ENEMY, opacity=0.3),
        HexOverlay(kept, colour=_BESIDE, opacity=0.3),
        HexOverlay((unit.hex,), colour=_SEEN, opacity=0.6),
        TextOverlay(_lines(field, ruling), "below"),
    ]
    return _draw({unit.hex, *zone, *kept}, field, overlays, hex_px)


def _draw(hexes: set[Hex], field: Battlefield, overlays: list[Overlay], hex_px: float) -> Drawing:
    return draw_map(
        crop(field.map, land_around(field.map, hexes)),
        load_style("plain"),
        layers=ALL_LAYERS - {"title", "legend", "scale", "compass"},
        overlays=overlays,
        hex_px=hex_px,
    )


def _colour(ruling: Ruling) -> str:
    return _COLOURS.get(ruling.verdict, _BLOCKED)


def _hexes(place: Hex | Hexside) -> tuple[Hex, ...]:
    return (place,) if isinstance(place, Hex) else tuple(place)


def _lines(field: Battlefield, ruling: Ruling) -> tuple[str, ...]:
    """The ruling in the box: each reason on lines that are not too long."""
    told = (told_reason(field.pack, reason) for reason in ruling.reasons)
    return tuple(line for text in told for line in wrap(text, _WIDTH))


def _beside(looked: Looked) -> tuple[Hex, ...]:
    """The hexes that would block, but let the line pass on their other side."""
    return tuple(
        finding.place
        for passed in looked.sight.passed
        if passed.shut is False
        for finding in passed.findings
        if finding.holds and finding.obstacle.hinders is None and isinstance(finding.place, Hex)
    )


def _sight_line(judge: SightJudge, looked: Looked) -> tuple[float, float] | None:
    """The line of the profile by the rule applied: a slope where the rule has one, else level."""
    observer, target = looked.sight.heights
    if observer is None or target is None:
        return None
    if judge.ground.policy.is_sloping:
        return float(observer), float(target)
    return (float(max(observer, target)),) * 2


def _profile(judge: SightJudge, looked: Looked) -> tuple[ProfilePoint, ...]:
    points: list[ProfilePoint] = []
    for step in profile(judge.ground, looked.sight):
        if step.top is None:
            return ()
        label = judge.field.label(step.hexes[0]) if len(step.hexes) == 1 else ""
        middle = float((step.start + step.end) / 2)
        for along, name in ((float(step.start), ""), (middle, label), (float(step.end), "")):
            points.append(ProfilePoint(along, float(step.top), name, step.blocks))
    return tuple(points)
