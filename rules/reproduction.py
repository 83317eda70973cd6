"""A saved ruling put to the test: by the verifier, by today's pack, by the judge asked again."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from mapkit.errors import DocumentError, MapkitError
from mapkit.maps import shapes_path
from mapkit.store.files import read_file, read_if_there, sha256
from mapkit.texts import speaking
from rules.battlefield import Battlefield, battlefield
from rules.certificates import (
    LANGUAGE,
    Data,
    UnsavedError,
    certified,
    certified_by_game,
    must_be,
    pack_sha256,
    seal_of,
)
from rules.errors import PackError, ProjectError
from rules.pack import Pack
from rules.positions.on_the_map import field_with_markers
from rules.positions.position import Marker, Position
from rules.project import FILE, BindingEntry, Project, inside, load_project
from rules.questions import read_game_question, read_question
from rules.registry import find_pack
from rules.ruling import Ruling
from rules.verifier import verify
from rules.verifier.verdicts import Outcome

Difference = tuple[str, Any, Any]  # where, what the certificate says, what was found
_BROKEN = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
_MOST_DIFFERENCES = 20
_NOT_COMPARED = ("mapkit", "seal")


@dataclass(frozen=True, slots=True)
class Tested:
    """How a certificate stood the test.

    *changed* are the map, shapes or pack where they changed since. *why* says what kept it from
    being verified independently; *asked_again* whether the judge was asked and said the same.
    """

    outcome: Outcome
    differences: tuple[Difference, ...] = ()
    changed: tuple[str, ...] = ()
    why: str = ""
    asked_again: bool = False

    def as_data(self) -> dict[str, Any]:
        """Return the outcome as JSON-able data."""
        return {
            "outcome": self.outcome,
            "differences": [
                {"where": where, "certificate": said, "found": found}
                for where, said, found in self.differences
            ],
            "changed": list(self.changed),
            "why": self.why,
            "asked_again": self.asked_again,
        }


def put_to_test(certificate: Data, source: Path, map_file: Path | None = None) -> Tested:
    """Return whether a ruling is verified, differs, is stale, or cannot be verified.

    *source* is the file of the certificate: its map is looked for beside it, unless *map_file*
    names the map or its project.

    Raises:
        MapkitError: the map is not found or not read, or the certificate is broken inside.
    """
    if certificate["map"] is None:
        return _tested_by_game(certificate, source, map_file)
    with _reading(source):
        basis = _Basis.of(certificate)
    project, which = _project(basis, source, map_file)
    if project.game is None:  # a bare map binds nothing: the words are those of the certificate
        with _reading(source):
            project = replace(project, binding=_binding(certificate["binding"]))
    data = read_file(project.maps[which], what="map")
    with _reading(source):
        found = verify(certificate, data)
        due = seal_of(certificate)
    if certificate["seal"] != due:
        return Tested("differs", (("seal", certificate["seal"], due), *found.differences))
    if found.outcome == "differs":
        return Tested("differs", found.differences)
    changed = tuple(_changed(basis, project, which))
    if found.outcome == "stale" or changed:
        stale = ("map",) if found.outcome == "stale" else ()
        return Tested("stale", found.differences, (*stale, *changed), found.why)
    differences = _asked_again(certificate, basis, project, which, source)
    if differences:
        return Tested("differs", tuple(differences))
    return Tested(found.outcome, why=found.why, asked_again=differences is not None)


def asked(field: Battlefield, question: Data) -> Ruling | None:
    """Put a certificate's question to its judge again; None where nobody here knows it.

    Raises:
        MapkitError: the question names what the map or the game does not have.
    """
    asking = read_question(field, question)
    return None if asking is None else asking()


def _tested_by_game(certificate: Data, source: Path, project_file: Path | None) -> Tested:
    """Test a ruling that no map took part in: by its seal, its pack, and the judge asked again."""
    with _reading(source):
        told = certificate["pack"]
        name, sha, due = (
            must_be(told["id"], str),
            must_be(told["sha256"], str),
            seal_of(certificate),
        )
    if certificate["seal"] != due:
        return Tested("differs", (("seal", certificate["seal"], due),))
    pack = _game_beside(name, source, project_file)
    if pack is not None and pack_sha256(pack) != sha:
        return Tested("stale", changed=("pack",))
    differences = None if pack is None else _asked_by_game(certificate, pack, source)
    if differences:
        return Tested("differs", tuple(differences))
    return Tested("not_verifiable", why="judge", asked_again=differences is not None)


def _asked_by_game(certificate: Data, pack: Pack, source: Path) -> list[Difference] | None:
    """What the judge says otherwise of a question without a map; None: he cannot be asked."""
    question = certificate["question"]
    try:
        with _reading(source):
            asking = read_game_question(pack, question)
        if asking is None:
            return None
        with speaking(LANGUAGE):
            return _what_differs(certificate, certified_by_game(pack, question, asking()))
    except _BrokenError:
        raise
    except MapkitError as error:
        return [("question", question["judge"], str(error))]


def _game_beside(name: str, source: Path, project_file: Path | None) -> Pack | None:
    """The game as the owner beside a certificate completed it, else as it is installed."""
    beside = source.parent / FILE
    path = project_file or (beside if beside.is_file() else None)
    project = None if path is None else load_project(path)
    try:
        return project.pack if project is not None and project.game == name else find_pack(name)
    except PackError:
        return None


class _BrokenError(DocumentError):
    """A certificate that does not read."""


@contextmanager
def _reading(source: Path) -> Iterator[None]:
    """Tell what goes wrong while a certificate is read as its fault; never what judges do."""
    try:
        yield
    except _BROKEN as error:
        raise _BrokenError(
            f"{source}: a broken certificate ({type(error).__name__}: {error!s:.80}); "
            "save the ruling again"
        ) from None


@dataclass(frozen=True, slots=True)
class _Basis:
    """What a certificate says it was made from."""

    map_file: str
    shapes_sha256: str | None
    pack: str
    pack_sha256: str

    @classmethod
    def of(cls, certificate: Data) -> "_Basis":
        map_, pack = certificate["map"], certificate["pack"]
        return cls(
            must_be(map_["file"], str),
            must_be(map_["shapes_sha256"], str, type(None)),
            must_be(pack["id"], str),
            must_be(pack["sha256"], str),
        )


def _project(basis: _Basis, source: Path, map_file: Path | None) -> tuple[Project, str]:
    """The project or bare map that a certificate speaks of, and the id of its map."""
    name = basis.map_file
    if map_file is not None:
        project = load_project(map_file)
        same = [one for one, path in project.maps.items() if path == project.folder / name]
        return project, (same or list(project.maps) or [""])[0]
    for folder in dict.fromkeys((source.parent, Path())):
        path = inside(folder, name, f"{source}: map")
        if path.is_file():
            if (folder / FILE).is_file():
                project = load_project(folder)
                for one, there in project.maps.items():
                    if there == path:
                        return project, one
            project = load_project(path)
            return project, next(iter(project.maps))
    raise ProjectError(f"{source}: its map {name} is not beside it; name it with --map")


def _binding(words: Data) -> BindingEntry:
    """The binding that a certificate was made with, as a project would state it."""
    return BindingEntry(
        **{
            group: {
                must_be(kind, str): must_be(word, str)
                for kind, word in table.items()
                if word is not None
            }
            for group, table in words.items()
        }
    )


def _markers(position: Data | None) -> tuple[Marker, ...]:
    """The markers that had changed the ground."""
    return tuple(
        Marker(
            must_be(one["kind"], str),
            must_be(one["at"], str),
            must_be(one["map"], str),
            must_be(one["side"], str),
            must_be(one["n"], int, type(None)),
        )
        for one in (position or {}).get("markers", ())
    )


def _pack(basis: _Basis, project: Project) -> Pack | None:
    """The game as it is installed and as the owner reads it today; None: not installed."""
    try:
        return project.pack if project.game == basis.pack else find_pack(basis.pack)
    except PackError:
        return None


def _changed(basis: _Basis, project: Project, which: str) -> Iterator[str]:
    """What changed since, beside the map itself."""
    beside = read_if_there(shapes_path(project.maps[which]), what="shapes file")
    if basis.shapes_sha256 != (None if beside is None else sha256(beside)):
        yield "shapes"
    pack = _pack(basis, project)
    if pack is not None and pack_sha256(pack) != basis.pack_sha256:
        yield "pack"


def _asked_again(
    certificate: Data, basis: _Basis, project: Project, which: str, source: Path
) -> list[Difference] | None:
    """What the judge says otherwise today; None where he cannot be asked."""
    pack = _pack(basis, project)
    if pack is None:
        return None
    question = certificate["question"]
    field = battlefield(project, project.map(which), pack)
    try:
        with _reading(source):
            markers = _markers(certificate["position"])
            field = field_with_markers(field, Position(pack.id, markers=markers))
            asking = read_question(field, question)
        if asking is None:
            return None
        with speaking(LANGUAGE):
            ruling = asking()
        fresh = certified(field, project, question, ruling, which=which, markers=markers)
    except (UnsavedError, _BrokenError):
        raise
    except MapkitError as error:
        return [("question", question["judge"], str(error))]
    fresh["map"]["file"] = certificate["map"]["file"]  # the same map may lie elsewhere
    return _what_differs(certificate, fresh)


def _what_differs(certificate: Data, fresh: Data) -> list[Difference]:
    """What a certificate made anew says otherwise; the first few of it."""
    found = (one for one in _differences(certificate, fresh, "") if one[0] not in _NOT_COMPARED)
    return list(islice(found, _MOST_DIFFERENCES))


def _differences(said: Any, found: Any, where: str) -> Iterator[Difference]:
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        for name in dict.fromkeys((*said, *found)):
            place = f"{where}.{name}" if where else str(name)
            yield from _differences(said.get(name), found.get(name), place)
    elif isinstance(said, list) and isinstance(found, list) and len(said) == len(found):
        for number, (one, other) in enumerate(zip(said, found, strict=True)):
            yield from _differences(one, other, f"{where}.{number}")
    elif said != found:
        yield where, said, found
