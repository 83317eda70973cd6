"""What it costs to activate a formation, and whether it can be done: points, guns, attachments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Literal

from rules.errors import RulesError
from rules.pack import Pack
from rules.ruling import Reason, Ruling
from rules.schema.command import Activation, Independents
from rules.schema.forces import classes_in
from rules.standing import Standing

Values = dict[str, str | int]
Kind = Literal["planned", "unplanned_reaction"]
Finding = tuple[Literal["refused", "unknown", "fine"], Reason]


@dataclass(frozen=True, slots=True)
class Order:
    """What a player wants to do with one formation.

    *held* are the points he has, *initiative* the printed value of the headquarters, *own_units*
    how many of its units are on the map: None where nobody said. *of_division* are independents
    of the formation's own division, *of_others* those of another.
    """

    side: str
    guns: int = 0
    kind: Kind = "planned"
    held: int | None = None
    initiative: int | None = None
    own_units: int | None = None
    independents: tuple[Standing, ...] = ()
    of_division: tuple[Standing, ...] = ()
    of_others: tuple[Standing, ...] = ()


def activation_cost(pack: Pack, order: Order) -> Ruling:
    """Return what a formation costs to activate, and whether it may be: allowed or refused."""
    if pack.command is None or pack.command.activation is None:
        missing = Reason("rules.activation.not_in_sources", {"game": pack.title})
        return Ruling("activation", "unknown", (missing,), (), {"cost": None}, missing=(missing,))
    if order.guns < 0:
        raise RulesError(f"there are no {order.guns} guns: give 0 or more")
    rules = pack.command.activation
    cost = _cost(rules, order)
    found = list(_findings(pack, rules, order, cost))
    verdicts = {verdict for verdict, _ in found}
    verdict = next((one for one in ("refused", "unknown") if one in verdicts), "allowed")
    values: Values = {"n": cost, "guns": order.guns, "side": pack.sides[order.side].title}
    cite = rules.free_for.get(order.side, rules.cite)
    reasons = (
        Reason(f"rules.activation.{verdict}", values, cite),
        *_told_cost(rules, order),
        *(reason for _, reason in found),
    )
    return Ruling(
        question="activation",
        verdict=verdict,
        reasons=reasons,
        cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
        working=_working(rules, order, cost),
        assumptions=pack.assumptions_about("command.activation.guns") if order.guns else (),
        missing=tuple(reason for verdict, reason in found if verdict == "unknown"),
    )


def _cost(rules: Activation, order: Order) -> int:
    if order.side in rules.free_for:
        return 0
    cost = rules.formation + ceil(Fraction(order.guns, rules.guns.for_a_point))
    return cost * (rules.unplanned.factor if order.kind == "unplanned_reaction" else 1)


def _told_cost(rules: Activation, order: Order) -> Iterator[Reason]:
    if order.side in rules.free_for:
        yield Reason("rules.activation.free", {}, rules.free_for[order.side])
        return
    yield Reason("rules.activation.formation", {"n": rules.formation}, rules.cite)
    if order.guns:
        guns = ceil(Fraction(order.guns, rules.guns.for_a_point))
        values: Values = {"n": guns, "guns": order.guns, "for": rules.guns.for_a_point}
        yield Reason("rules.activation.guns", values, rules.guns.cite)
    if order.kind == "unplanned_reaction" and rules.unplanned.allowed:
        factor: Values = {"factor": rules.unplanned.factor}
        yield Reason("rules.activation.unplanned", factor, rules.unplanned.cite)


def _findings(pack: Pack, rules: Activation, order: Order, cost: int) -> Iterator[Finding]:
    placement = pack.command.placement if pack.command else None
    if order.own_units == 0 and placement is not None:
        cite = placement.nobody_left_cite or placement.cite
        yield "refused", Reason("rules.activation.nobody_left", {}, cite)
    if order.kind == "unplanned_reaction" and not rules.unplanned.allowed:
        yield "refused", Reason("rules.activation.not_planned", {}, rules.unplanned.cite)
    yield from _gun_findings(rules, order)
    if order.held is not None and cost > order.held:
        values: Values = {"n": cost, "held": order.held}
        yield "refused", Reason("rules.activation.too_dear", values, rules.held_cite)
    yield from _independent_findings(pack, rules.independents, order)


def _gun_findings(rules: Activation, order: Order) -> Iterator[Finding]:
    most = rules.guns.most
    if most is not None and order.guns > most:
        cite = rules.guns.most_cite or rules.guns.cite
        yield "refused", Reason("rules.activation.too_many_guns", {"most": most}, cite)
    if order.guns and rules.guns.in_range:
        yield "fine", Reason("rules.activation.guns_in_range", {}, rules.guns.cite)
    unplanned = rules.unplanned
    if order.kind == "planned" or not order.guns or unplanned.guns_by is None:
        return
    if order.side in rules.free_for:
        return  # who pays nothing is not bound to what he paid before
    if order.initiative is None:
        yield "unknown", Reason("rules.activation.no_initiative", {}, unplanned.cite)
    elif order.guns > order.initiative:
        values: Values = {"most": order.initiative}
        yield "refused", Reason("rules.activation.too_many_guns", values, unplanned.cite)


def _independent_findings(pack: Pack, rules: Independents, order: Order) -> Iterator[Finding]:
    beyond = classes_in(rules.beyond, pack.classes)
    allowed = classes_in(rules.who, pack.classes) if rules.who else frozenset(pack.classes)
    loose = order.independents if rules.own_division else (*order.independents, *order.of_others)
    strangers = [unit.name for unit in loose if unit.class_ not in allowed]
    if rules.own_division:  # who belongs to a division goes with its formations alone
        strangers += [unit.name for unit in order.of_others]
    if strangers:
        yield (
            "refused",
            Reason("rules.activation.not_attached", {"names": ", ".join(strangers)}, rules.cite),
        )
    own = () if rules.own_division else order.of_division
    counted = [unit for unit in (*loose, *own) if unit.class_ not in beyond]
    low, high = _sized(pack, counted) if rules.by_size else (len(counted), len(counted))
    values: Values = {"n": low if low == high else f"{low}–{high}", "most": rules.most}
    if low > rules.most:
        yield "refused", Reason("rules.activation.too_many_independents", values, rules.cite)
    elif high > rules.most:
        yield "unknown", Reason("rules.activation.sizes_unknown", values, rules.cite)
    elif counted or order.independents or order.of_division:
        yield "fine", Reason("rules.activation.independents", values, rules.cite)


def _sized(pack: Pack, units: Sequence[Standing]) -> tuple[int, int]:
    """Return the least and the most units count by size: what nobody said may be large or small."""
    sizes = pack.stacking.sizes if pack.stacking else {}
    together = {name: size.together for name, size in sizes.items()} or {"": 1}
    small, large = max(together.values()), min(together.values())
    least: dict[int, int] = {}
    most: dict[int, int] = {}
    for unit in units:
        known = together.get(unit.unit.echelon) if unit.unit else None
        least[known or small] = least.get(known or small, 0) + 1
        most[known or large] = most.get(known or large, 0) + 1
    return _in_all(least), _in_all(most)


def _in_all(counts: dict[int, int]) -> int:
    return sum(ceil(Fraction(n, together)) for together, n in counts.items())


def _working(rules: Activation, order: Order, cost: int) -> dict[str, Any]:
    box = next((most for most in rules.boxes if order.guns <= most), None)
    return {
        "side": order.side,
        "guns": order.guns,
        "kind": order.kind,
        "cost": cost,
        "points": rules.points,
        "left": None if order.held is None else order.held - cost,
        "box": _box(rules.boxes, box),
    }


def _box(boxes: tuple[int, ...], most: int | None) -> str | None:
    """Return the box of the display as printed: 0, 1-5, 6-10."""
    if most is None:
        return None
    at = boxes.index(most)
    low = 0 if at == 0 else boxes[at - 1] + 1
    return str(most) if low == most else f"{low}-{most}"
