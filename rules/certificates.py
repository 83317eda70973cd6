"""Certificates: a ruling with all it was made from, so that anybody can come to it again.

    {"format": "mapkit-ruling/1", "mapkit": "0.1.0",
     "question": {"judge": "sight", "from": "4410", "to": "4213", "weather": null},
     "map": {"file": "alps.hexmap.json", "sha256": "…", "shapes_sha256": null},
     "pack": {"id": "…", "sha256": "…"}, "position": null,
     "binding": {…}, "policy": {…}, "zones": {…}, "ruling": {…}, "seal": "…"}

There is no clock in it, and reasons are keys, not sentences: the same question has the same bytes.
The seal is the SHA-256 of everything above it. It tells an accident from the original; a forger can
make a new one, which is why a certificate is verified and not believed.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel

from counters.model import Face, Unit, Value
from mapkit.errors import DocumentError
from mapkit.hexes import Hex
from mapkit.maps import read_map, shapes_path
from mapkit.model import Provenance
from mapkit.store.files import read_if_there, sha256
from mapkit.texts import Language
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.file_formats import refuse_newer
from rules.judges.zones import zone_of
from rules.pack import BOUND_GROUPS, Pack
from rules.positions.position import Marker
from rules.project import Project, bound_word
from rules.ruling import Evidence, Reason, Ruling
from rules.schema.counters import FRONT
from rules.schema.forces import classes_in
from rules.standing import Standing

FORMAT = "mapkit-ruling/1"
LANGUAGE: Language = "en"  # of the words in a certificate, whoever asks
PARTS = (
    "mapkit", "question", "map", "pack", "position", "binding", "policy", "zones", "ruling", "seal",
)  # fmt: skip

Data = Mapping[str, Any]


class UnsavedError(RulesError):
    """The map has edits that are not in its file."""


def certified(
    field: Battlefield,
    project: Project,
    question: Data,
    ruling: Ruling,
    *,
    which: str | None = None,
    markers: Iterable[Marker] = (),
) -> dict[str, Any]:
    """Return the certificate of a ruling.

    *question* is `{"judge": …}` with every input, hexes as labels and units as
    `standing_data` has them; *which* is the id of the map in a project with several, *markers*
    are those of a position that changed the ground.

    Raises:
        UnsavedError: the map has edits that are not saved: its file is not what was judged.
    """
    path = project.maps[which] if which else next(iter(project.maps.values()))
    loaded = read_map(path)
    if loaded.unsaved:
        raise UnsavedError(f"{path} has edits that are not saved; save it, then ask again")
    beside = read_if_there(shapes_path(loaded.path), what="shapes file")
    laid = [asdict(marker) for marker in markers]
    made = certified_by_game(field.pack, question, ruling)
    made |= {
        "map": {
            "file": path.relative_to(project.folder).as_posix(),
            "sha256": loaded.version,
            "shapes_sha256": None if beside is None else sha256(beside),
        },
        "position": {"markers": laid} if laid else None,  # its units stand in the question
        "binding": {
            group: {
                kind.id: bound_word(project, group, kind, field.pack)
                for kind in field.map.kinds.group(group)
            }
            for group in BOUND_GROUPS
        },
        "policy": policy_data(field.pack, str(question["judge"])),
        "zones": _zones(field, question),
    }
    return sealed(made)


def certified_by_game(pack: Pack, question: Data, ruling: Ruling) -> dict[str, Any]:
    """Return the certificate of a ruling that no map took part in: its map is null."""
    return sealed(
        {
            "format": FORMAT,
            "mapkit": version("mapkit"),
            "question": question,
            "map": None,
            "pack": {"id": pack.id, "sha256": pack_sha256(pack)},
            "position": None,
            "binding": {},
            "policy": {},
            "zones": {},
            "ruling": _ruling_data(ruling),
        }
    )


def ruling_of(certificate: Data) -> Ruling:
    """Return the ruling that a certificate holds: what was logged, not what would be said today."""
    data = dict(certificate["ruling"])
    asked, verdict = data.pop("question"), data.pop("verdict")
    reasons, missing = (
        tuple(Reason(one["key"], one["values"], one["cite"]) for one in data.pop(name))
        for name in ("reasons", "missing")
    )
    cites, assumptions = (tuple(data.pop(name)) for name in ("cites", "assumptions"))
    rests_on = tuple(
        Evidence(
            one["place"],
            one["value"],
            one["is"],
            Provenance(one["source"], one["confidence"], one["runner_up"]),
            one["doubtful"],
            one["flips"],
        )
        for one in data.pop("rests_on")
    )
    return Ruling(asked, verdict, reasons, cites, data, assumptions, rests_on, missing)


def question_data(field: Battlefield, judge: str, **asked: Any) -> dict[str, Any]:
    """Return a question as a certificate has it: hexes by their label, units by their data."""

    def told(value: Any) -> Any:
        if isinstance(value, Hex):
            return field.label(value)
        if isinstance(value, Standing):
            return standing_data(field, [value])[0]
        return [told(one) for one in value] if isinstance(value, (tuple, list)) else value

    return {"judge": judge, **{name.rstrip("_"): told(value) for name, value in asked.items()}}


def sealed(certificate: Data) -> dict[str, Any]:
    """Return a certificate with its seal, whatever seal it had before."""
    open_ = plain({name: value for name, value in certificate.items() if name != "seal"})
    return {**open_, "seal": seal_of(open_)}


def seal_of(certificate: Data) -> str:
    """Return the seal that is due to a certificate."""
    open_ = {name: value for name, value in certificate.items() if name != "seal"}
    text = json.dumps(open_, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode(errors="surrogatepass"))


def dump_certificate(certificate: Data) -> bytes:
    """Return the bytes of a certificate's file."""
    return (json.dumps(certificate, ensure_ascii=False, indent=1) + "\n").encode()


def parse_certificate(data: bytes | str, source: str) -> dict[str, Any]:
    """Return the certificate in some bytes; *source* names the file in messages."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise DocumentError(
            f"{source}: broken or half written JSON; save the ruling again"
        ) from None
    return require_certificate(found, source)


def require_certificate(found: object, source: str) -> dict[str, Any]:
    """Return what was read if it has the parts of a certificate.

    Raises:
        DocumentError: it has another format, or lacks a part.
    """
    is_ = found.get("format") if isinstance(found, dict) else None
    refuse_newer(is_, FORMAT, source)
    if not isinstance(found, dict) or is_ != FORMAT:
        raise DocumentError(
            f"{source}: its format is {is_!r:.60}, not '{FORMAT}'; give a saved ruling"
        )
    lacking = [part for part in PARTS if part not in found]
    if lacking:
        raise DocumentError(f"{source}: it lacks {', '.join(lacking)}; save the ruling again")
    return found


def standing_data(field: Battlefield, units: Iterable[Standing]) -> list[dict[str, Any]]:
    """Return some counters as a question names them."""
    return [
        {
            "name": unit.name,
            "side": unit.side,
            "hex": field.label(unit.hex),
            "class": unit.class_,
            **({"statuses": dict(unit.statuses)} if unit.statuses else {}),
            **({"face": unit.face} if unit.face != FRONT else {}),
            **({"steps": unit.steps} if unit.steps is not None else {}),
            **({"unit": _unit_data(unit.unit)} if unit.unit is not None else {}),
        }
        for unit in units
    ]


def pack_sha256(pack: Pack) -> str:
    """Return the SHA-256 of a pack's canonical JSON, as its owner reads and completes it.

    What a pack leaves at its default is left out: a new part of the format changes no pack.
    """
    canonical = json.dumps(_dump(pack), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(canonical.encode())


def policy_data(pack: Pack, judge: str) -> dict[str, Any]:
    """Return the part of a pack that a judge goes by, for a verifier that has no packs."""
    policy: dict[str, Any] = {
        "granted": {
            "all_round": _said(pack.terrain, "all_round"),
            "crossed_by": _said(pack.hexsides, "crossed_by"),
            "bridge": _said(pack.links, "bridge"),
        },
    }
    if judge in ("sight", "field"):
        policy["sight"] = _dump(pack.sight, without={"observers", "fire"})
        policy["no_sight"] = "sight" in pack.no_rule
        policy["levels"] = _dump(pack.levels)
        dark = {word: one.sees_to for word, one in pack.weather.items() if one.sees_to is not None}
        policy |= {"sees_to": dark} if dark and pack.sight is None else {}
    if judge == "supply":
        policy["supply"] = _dump(pack.supply, without={"interdiction", "effect"})
        guns = None if pack.supply is None else pack.supply.interdiction
        cut = frozenset() if guns is None else classes_in(guns.line_of, pack.classes)
        policy["interdicted"] = sorted(cut)
        policy["classes"] = {name: list(one.groups) for name, one in pack.classes.items()}
        policy["sides"] = {
            name: [word.casefold() for word in (name, one.title, *one.codes, *one.nationalities)]
            for name, one in pack.sides.items()
        }
    return policy


def _said(kinds: Mapping[str, BaseModel], name: str) -> dict[str, Any]:
    return {word: value for word, kind in kinds.items() if (value := getattr(kind, name))}


def _zones(field: Battlefield, question: Data) -> dict[str, list[str]]:
    """The zone of each enemy, by name."""
    return {
        str(enemy["name"]): sorted(
            field.label(hex_)
            for hex_ in zone_of(field, standing(field, enemy), question.get("weather"))
        )
        for enemy in question.get("enemies", ())
    }


def standing(field: Battlefield, unit: Data) -> Standing:
    """Return the counter that a question names: the inverse of `standing_data`.

    Raises:
        LookupError, TypeError, ValueError, AttributeError: it is no such data.
    """
    side, class_ = must_be(unit["side"], str), must_be(unit["class"], str)
    counter = None
    if "unit" in unit:
        told = dict(unit["unit"])
        faces = tuple(
            Face(name, {word: value_of(value) for word, value in values.items()})
            for name, values in told.pop("faces").items()
        )
        must_be(told["steps"], int, type(None))
        if not all(isinstance(told[word], str) for word in told if word != "steps"):
            raise TypeError("a counter with what is no text")
        counter = Unit(side=side, class_=class_, faces=faces, **told)
    return Standing(
        must_be(unit["name"], str),
        side,
        field.hex(must_be(unit["hex"], str)),
        class_,
        counter,
        {word: must_be(n, int) for word, n in unit.get("statuses", {}).items()},
        must_be(unit.get("face", FRONT), str),
        must_be(unit.get("steps"), int, type(None)),
    )


def must_be(value: Any, *kinds: type) -> Any:
    """Return a value of a certificate if it is of one of these kinds, exactly.

    Raises:
        TypeError: it is of another: nobody can ask a judge with it.
    """
    if type(value) not in kinds:
        raise TypeError(f"{value!r:.40} is no {kinds[0].__name__}")
    return value


def value_of(value: Any) -> Value:
    """Return a number as a certificate has it: a fraction is a text, `7/2`.

    Raises:
        TypeError, ValueError: it is none.
    """
    if isinstance(value, str):
        return Fraction(value)
    known: int | None = must_be(value, int, type(None))
    return known


def _unit_data(unit: Unit) -> dict[str, Any]:
    """What a counter prints; its side and class stand beside it."""
    words = ("id", "name", "nationality", "formation", "echelon", "steps")
    faces = {face.name: plain(dict(face.values)) for face in unit.faces}
    return {**{word: getattr(unit, word) for word in words}, "faces": faces}


def _ruling_data(ruling: Ruling) -> dict[str, Any]:
    """A ruling without sentences: they are spoken when they are read, in any language."""

    def keys(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
        return [{"key": one.key, "values": dict(one.values), "cite": one.cite} for one in reasons]

    return {
        **ruling.as_data(),
        "reasons": keys(ruling.reasons),
        "missing": keys(ruling.missing),
    }


def _dump(model: BaseModel | None, without: set[str] | None = None) -> Any:
    if model is None:
        return None
    return plain(model.model_dump(exclude_defaults=True, exclude=without))


def plain(value: Any) -> Any:
    """Return data as JSON would give it back: fractions as text, tuples as lists."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value))
    return str(value) if isinstance(value, Fraction) else value
