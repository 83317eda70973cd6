"""The judge of losses: what a result does to units, and what disorganization takes off them."""

from collections.abc import Iterator, Sequence

from rules.combat.fates import HOST, fates
from rules.combat.losses import Blow, Occasion, Suffered, Target, weakened, weakening
from rules.combat.reasons import told_number
from rules.errors import RulesError
from rules.pack import Pack
from rules.ruling import Reason, Ruling
from rules.schema.losses import Losses, RoutTrace


def rule_losses(
    pack: Pack,
    targets: Sequence[Target],
    blow: Blow,
    occasion: Occasion,
) -> Ruling:
    """Return what becomes of some units; the verdict is the fate of each, in their order.

    Raises:
        RulesError: the pack has no rules of losses.
    """
    losses = _losses(pack)
    found = fates(losses, pack.classes, targets, blow, occasion)
    reasons = [reason for one in found for reason in fate_reasons(one, losses.rout)]
    if len(losses.order) > 1:
        order = "steps_first" if losses.order[0] == "steps" else "points_first"
        reasons.append(Reason(f"rules.combat.{order}", {}, losses.order_cite))
    cites = [cite for one in found for cite in one.cites]
    return Ruling(
        question="losses",
        verdict=", ".join(one.fate for one in found),
        reasons=tuple(reasons),
        cites=tuple(dict.fromkeys([*cites, losses.order_cite])),
        working={one.name: suffered_data(one) for one in found},
        assumptions=pack.assumptions_about(*_leans_on(losses, found)),
        missing=tuple(fate_reason(one) for one in found if one.to_read),
    )


def rule_weakened(pack: Pack, class_: str, value: str, printed: int, points: int) -> Ruling:
    """Return what is left of a printed value with some points of disorganization.

    Raises:
        RulesError: the pack has no rules of losses, or no such class.
    """
    losses = _losses(pack)
    if class_ not in pack.classes:
        raise RulesError(
            f"{pack.title} has no units '{class_}'; there is: {', '.join(pack.classes)}"
        )
    left = weakened(losses, pack.classes, class_, value, printed, points)
    cites = [rule.cite for rule in weakening(losses, pack.classes, class_, value)]
    cite = cites[0] if cites else losses.order_cite
    values: dict[str, str | int] = {"title": value, "becomes": told_number(left)}
    return Ruling(
        question="value",
        verdict=told_number(left),
        reasons=(Reason("rules.combat.change", values, cite),),
        cites=tuple(cites) or (cite,),
        working={"printed": printed, "points": points, "value": str(left)},
    )


def fate_reason(one: Suffered) -> Reason:
    """Return what became of a unit as a reason."""
    values: dict[str, str | int] = {
        "name": one.name,
        "lost": one.steps_lost,
        "left": "?" if one.steps_left is None else one.steps_left,
        "points": one.points,
        "what": ", ".join(value.replace("_", " ") for value in one.to_read),
    }
    key = "no_host" if HOST in one.to_read else one.fate
    return Reason(f"rules.combat.{key}", values, ", ".join(one.cites))


def fate_reasons(one: Suffered, rout: RoutTrace | None = None) -> Iterator[Reason]:
    """Yield what became of a unit, and what is done with its counter where a rule says so.

    Where a rule asks more of a unit that *routs*, that is told too: only a map can answer it.
    """
    yield fate_reason(one)
    if one.fate == "routed" and rout is not None:
        yield Reason("rules.combat.rout_trace", {"name": one.name}, rout.cite)
    if one.shown:
        values: dict[str, str | int] = {
            "name": one.name,
            "what": one.shown_as.replace("_", " "),
        }
        yield Reason(f"rules.combat.shown_{one.shown}", values, one.cites[-1])


def suffered_data(one: Suffered) -> dict[str, object]:
    """Return what became of a unit as JSON-able data."""
    return {
        "fate": one.fate,
        "steps_lost": one.steps_lost,
        "steps_left": one.steps_left,
        "points": one.points,
        "held": one.held,
        **({"to_read": list(one.to_read)} if one.to_read else {}),
        **({"shown": one.shown, "shown_as": one.shown_as} if one.shown else {}),
        "cites": list(one.cites),
    }


def _leans_on(losses: Losses, found: Sequence[Suffered]) -> Iterator[str]:
    """The parts of the rules of losses: that of routs only where somebody routed."""
    yield from (f"losses.{part}" for part in Losses.model_fields if part != "rout")
    if any(one.fate == "routed" for one in found) and losses.rout is not None:
        yield "losses.rout"


def _losses(pack: Pack) -> Losses:
    if pack.losses is None:
        raise RulesError(f"the pack of {pack.title} holds no rules of losses yet")
    return pack.losses
