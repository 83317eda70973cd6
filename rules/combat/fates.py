"""What becomes of units with those that belong to them, and what their counters show then."""

from collections.abc import Sequence
from dataclasses import replace

from rules.combat.losses import Blow, Occasion, Suffered, Target, step_rule, suffer
from rules.schema.forces import Classes, classes_in
from rules.schema.losses import Attached, InSteps, Losses

HOST = "attached_to"  # what has to be told of a unit attached to one of several
_GONE = ("eliminated", "surrendered", "routed", "captured")


def fates(
    losses: Losses,
    classes: Classes,
    targets: Sequence[Target],
    blow: Blow,
    occasion: Occasion,
) -> tuple[Suffered, ...]:
    """Return what a blow does to all units of one side, in their order; see `suffer`.

    Units that are attached to another take nothing themselves and share its fate.

    Raises:
        RulesError: the first of the occasion is none of the units.
    """
    rules = [_attached(losses, classes, target) for target in targets]
    fighters = [target for target, rule in zip(targets, rules, strict=True) if rule is None]
    attached = {target.name for target in targets} - {target.name for target in fighters}
    theirs = replace(occasion, first=None) if occasion.first in attached else occasion
    found = suffer(losses, classes, fighters or targets, blow, theirs)
    if not fighters:
        return found
    hosts = [
        _shown(step_rule(losses, target.nation, target.size), target, one)
        for target, one in zip(fighters, found, strict=True)
    ]
    in_order = iter(hosts)  # names may be alike
    return tuple(
        next(in_order) if rule is None else _with_its_host(rule, target, hosts, occasion.procedure)
        for target, rule in zip(targets, rules, strict=True)
    )


def _attached(losses: Losses, classes: Classes, target: Target) -> Attached | None:
    for rule in losses.attached:
        if target.class_ in classes_in(rule.units, classes):
            return rule
    return None


def _with_its_host(
    rule: Attached, target: Target, fighters: Sequence[Suffered], procedure: str
) -> Suffered:
    """Return the fate of an attached unit: that of the one it is with, or of the only other."""
    beside = [one for one in fighters if not target.beside or one.name == target.beside]
    host = beside[0] if len(beside) == 1 else None
    alone = Suffered(target.name, 0, target.steps, target.points, "stays", (rule.cite,))
    if host is None:
        return replace(alone, fate="look_up", to_read=(HOST,))
    hit = host.steps_lost and procedure in rule.procedures
    if hit or host.fate in _GONE:
        return replace(alone, fate="eliminated")
    if host.fate == "look_up":
        return replace(alone, fate="look_up", to_read=host.to_read)
    return alone


def _shown(rule: InSteps | None, target: Target, one: Suffered) -> Suffered:
    """Return the fate of a unit of many steps with what its counter shows afterwards."""
    if rule is None or not one.steps_lost or one.fate != "stays" or one.steps_left is None:
        return one
    cites = tuple(dict.fromkeys((*one.cites, rule.cite)))
    if one.steps_left == 1:
        return replace(one, shown="replaced", shown_as=rule.last, cites=cites)
    if target.whole is None:
        return one
    markers = target.whole - one.steps_left - 1
    if not markers:
        return replace(one, shown="turned", cites=cites)
    off = ", ".join(f"{word} -{n * markers}" for word, n in rule.marker.items())
    return replace(one, shown="marked", shown_as=off, cites=cites)
