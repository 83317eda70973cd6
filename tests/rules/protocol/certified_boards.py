"""Small boards drawn by lot, saved to disk, with questions put to the judges and certified."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from mapkit.hexes import Hex, distance
from mapkit.kinds import UNKNOWN
from mapkit.maps import save_map
from mapkit.model import HexMap
from rules.battlefield import Battlefield, battlefield
from rules.certificates import certified, question_data
from rules.pack import Pack
from rules.project import Project, load_project
from rules.reproduction import asked
from tests.rules.judges.positions import Lot, random_field, random_scene

HILLS = Lot((8, 12), (6, 9), levels=(1, 5), rivers=0, crags=5, crags_hexes=8, roads=(0, 1))


def saved(map_: HexMap, pack: Pack, folder: Path) -> tuple[Project, Battlefield]:
    """Return a map as it comes back from the disk, and the game's view of it."""
    path = folder / "board.hexmap.json"
    save_map(path, map_, force=True)
    project = load_project(path)
    return project, battlefield(project, project.map(), pack)


def certificate_of(project: Project, field: Battlefield, judge: str, **inputs: object) -> dict:
    """Put a question to its judge and return the certificate of the answer."""
    question = question_data(field, judge, **inputs)
    ruling = asked(field, question)
    assert ruling is not None
    return certified(field, project, question, ruling)


def sight_certificates(
    rng: Random, pack: Pack, folder: Path, questions: int
) -> Iterator[tuple[Path, dict]]:
    """Yield certificates of sight on one board, some of whose hexes were never read."""
    drawn = random_field(rng, pack, HILLS)
    gaps = {
        hex_: replace(ground, level=None)
        if rng.random() < 0.6
        else replace(ground, terrain=UNKNOWN)
        for hex_, ground in drawn.map.hexes.items()
        if rng.random() < 0.05
    }
    project, field = saved(replace(drawn.map, hexes={**drawn.map.hexes, **gaps}), pack, folder)
    hexes = sorted(field.map.hexes)
    for _ in range(questions):
        a = rng.choice(hexes)
        b = rng.choice([hex_ for hex_ in hexes if distance(a, hex_) <= 7])
        weather = rng.choice((None, None, *pack.weather))
        yield (
            folder / "ruling.json",
            certificate_of(project, field, "sight", **{"from": a, "to": b, "weather": weather}),
        )


def supply_certificates(rng: Random, pack: Pack, folder: Path) -> Iterator[tuple[Path, dict]]:
    """Yield certificates of supply on one board with units of both sides."""
    scene = random_scene(rng, pack, spelt_out=rng.random() < 0.5)
    project, field = saved(scene.field.map, pack, folder)
    for hex_ in scene.asked:
        yield (
            folder / "ruling.json",
            certificate_of(
                project,
                field,
                "supply",
                hex=hex_,
                side=scene.side,
                friends=scene.friends,
                enemies=scene.enemies,
                sources=_more_sources(rng, field),
                weather=scene.weather,
            ),
        )


def _more_sources(rng: Random, field: Battlefield) -> tuple[Hex, ...]:
    return (rng.choice(sorted(field.map.hexes)),) if rng.random() < 0.15 else ()
