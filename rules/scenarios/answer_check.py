"""Do the answers that a pack offers fit its own files? Each one is tried, alone."""

from collections.abc import Iterator
from importlib.abc import Traversable

from mapkit.errors import Fault
from rules.errors import PackError
from rules.pack import Pack, load_pack
from rules.scenarios.scenario_answers import choosing
from rules.scenarios.scenario_files import load_scenarios


def faults_of_answers(folder: Traversable, pack: Pack) -> Iterator[Fault]:
    """Yield every fault of every answer to an open question of a pack."""
    for name, one in pack.assumptions.items():
        for id_, other in one.alternatives.items():
            try:
                if other.set:
                    load_pack(folder, pack.id, {name: id_})
                if other.touches_scenarios:
                    load_scenarios(folder, choosing(pack, [(name, id_)]))
            except PackError as error:
                yield from told_misfits(error, f"assumptions.{name}.alternatives.{id_}")


def told_misfits(error: PackError, place: str) -> tuple[Fault, ...]:
    """Return the faults that an error lists; where it lists none, what it says of a place."""
    return error.faults or (Fault(place, str(error), "correct its values"),)
