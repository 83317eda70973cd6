"""Do counters hang together: ids, backs, values, the cells of their sheets, a scenario's units?"""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from counters.checking.pictures import check_pictures
from counters.checking.problems import CounterReport, error, warning
from counters.counter_files import load_counters
from counters.counter_sets import CounterSet, load_sets
from counters.drawing import CounterStyle, printed_names, printed_values
from counters.model import Counter, Sheet, Unit
from mapkit.check.problems import SEVERITIES, Problem
from mapkit.errors import DocumentError, Fault, MapkitError, TableError

_BACK = "back"


def check_files(
    paths: Sequence[Path], against: Sequence[Path] = (), *, style: CounterStyle | None = None
) -> CounterReport:
    """Check tables, sheets and folders of counters, against the units of some tables too.

    A *style*, that of a game, knows which faces and values a counter of each class prints.

    A file that does not read is a problem like any other, and the rest is checked all the same.
    """
    found: list[Problem] = []
    sets: list[CounterSet] = []
    for path in paths:
        try:
            sets += load_sets([path])
        except MapkitError as refused:
            found += _faults(path, refused)
    named = [(str(one.source), counter) for one in sets for counter in one.counters]
    found += check_counters(named, style)
    for one in sets:
        for counter in one.counters:
            found += check_pictures(counter, one.folder)
        if one.sheet is not None:
            found += check_sheet(one.sheet, one.counters, one.folder)
    units: list[Unit] = []
    for path in against:
        try:
            units += (one for one in load_counters(path) if isinstance(one, Unit))
        except MapkitError as refused:
            found += _faults(path, refused)
    if units:
        found += check_against((counter for _, counter in named), units)
    found.sort(key=lambda problem: SEVERITIES.index(problem.severity))
    return CounterReport(", ".join(map(str, paths)), len(named), tuple(found))


def check_counters(
    named: Iterable[tuple[str, Counter]], style: CounterStyle | None = None
) -> Iterator[Problem]:
    """Yield what is wrong with counters, each given with the file it stands in.

    Without a *style* a counter should have what others of its class have.
    """
    listed = list(named)
    yield from _duplicates(listed)
    counters = [counter for _, counter in listed]
    known = _known_values(counters)
    for counter in counters:
        if style is not None and isinstance(counter, Unit) and counter.class_:
            yield from _not_as_printed(counter, style)
            continue
        yield from _missing_faces(counter, known)
        yield from _blanks(counter, known)


def check_sheet(
    sheet: Sheet, counters: Iterable[Counter], folder: Path | None = None
) -> Iterator[Problem]:
    """Yield cells that name no counter, counters in no cell, and copies that do not add up."""
    by_id = {counter.id: counter for counter in counters}
    cells = Tally(id_ for section in sheet.sections for id_ in section.cells.values())
    for section in sheet.sections:
        for (row, column), id_ in sorted(section.cells.items()):
            if id_ not in by_id:
                place = f"{sheet.name} {section.name}"
                yield error("no_such_counter", place, id=id_, row=row + 1, column=column + 1)
    for id_, counter in by_id.items():
        if id_ not in cells:
            yield warning("in_no_cell", id_, sheet=sheet.name)
        elif cells[id_] != counter.copies:
            yield warning("copies", id_, copies=counter.copies, cells=cells[id_])
    for scan in filter(None, (sheet.front, sheet.back)):
        if folder is not None and not (folder / scan).exists():
            yield warning("scan_missing", sheet.name, scan=scan)


def check_against(counters: Iterable[Counter], units: Iterable[Unit]) -> Iterator[Problem]:
    """Yield units without a counter, and counters of units that are not among them."""
    have = {counter.id: counter for counter in counters}
    wanted = {unit.id: unit for unit in units}
    for id_, unit in wanted.items():
        if id_ not in have:
            yield error("no_counter", id_, name=unit.name)
    for id_, counter in have.items():
        if isinstance(counter, Unit) and id_ not in wanted:
            yield warning("no_unit", id_, name=counter.name)


def _faults(path: Path, refused: MapkitError) -> Iterator[Problem]:
    faults: Sequence[Fault] = ()
    if isinstance(refused, TableError):
        faults = refused.problems
    elif isinstance(refused, DocumentError):
        faults = refused.faults
    for fault in faults:
        yield error("fault", f"{path} {fault.place}", problem=fault.problem, remedy=fault.remedy)
    if not faults:
        problem, _, remedy = str(refused).removeprefix(f"{path}: ").partition("; ")
        told = {"problem": problem, "remedy": remedy}
        yield error("fault" if remedy else "not_read", str(path), **told)


def _duplicates(listed: Sequence[tuple[str, Counter]]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for file, counter in listed:
        if counter.id in first:
            yield error("duplicate", counter.id, file=file, other=first[counter.id])
        first.setdefault(counter.id, file)


def _not_as_printed(unit: Unit, style: CounterStyle) -> Iterator[Problem]:
    """Yield the faces and values that the game prints on such a counter, and that it lacks."""
    if not unit.faces:
        yield warning("no_face", unit.id)
        return
    names = {face.name for face in unit.faces}
    cut_back = (
        _BACK in names and len(names) == 2
    )  # a slicer knows no better word for the other side
    printed = printed_names(unit, style)
    if len(names) == 1 and len(printed) > 1:
        yield warning("no_back", unit.id, face=next(iter(names)))
    blank = []
    for name in printed:
        own = _BACK if cut_back and name not in names else name
        face = unit.face(own)
        known = face.known if face else {}
        if face is not None:
            values = printed_values(unit, name, style)
            blank += [f"{own}.{each[0]}" for each in values if not set(each) & known.keys()]
    if blank:
        yield warning("blank", unit.id, values=", ".join(dict.fromkeys(blank)))


_Known = Mapping[str, Mapping[str, frozenset[str]]]  # kind: face: values somebody knows


def _kind(counter: Counter) -> str:
    return counter.class_ if isinstance(counter, Unit) else "\0marker"


def _known_values(counters: Sequence[Counter]) -> _Known:
    found: dict[str, dict[str, frozenset[str]]] = {}
    for counter in counters:
        faces = found.setdefault(_kind(counter), {})
        for face in counter.faces:
            faces[face.name] = faces.get(face.name, frozenset()) | frozenset(face.known)
    return found


def _missing_faces(counter: Counter, known: _Known) -> Iterator[Problem]:
    """A unit has a back where it has two steps, or where its like has one; a marker need not."""
    if not isinstance(counter, Unit):
        return
    names = {face.name for face in counter.faces}
    if not names:
        yield warning("no_face", counter.id)
        return
    lacking = sorted(set(known[_kind(counter)]) - names) if counter.steps != 1 else []
    if len(names) == 1 and (lacking or (counter.steps or 0) > 1):
        yield warning("no_back", counter.id, face=next(iter(names)))


def _blanks(counter: Counter, known: _Known) -> Iterator[Problem]:
    """A value is blank where its like has it, or where nothing at all is known of the face."""
    blank: list[str] = []
    for face in counter.faces:
        likes = known[_kind(counter)].get(face.name, frozenset())
        blank += [f"{face.name}.{name}" for name in sorted(likes - set(face.known))]
        if not likes and not face.picture and face.values:
            blank.append(f"{face.name}.*")
    if blank:
        yield warning("blank", counter.id, values=", ".join(blank))
