"""The owner file: what the owner of a game read off the printed one, and how they read its rules.

    format = "mapkit-owner/1"
    game = "strafexpedition"

    [assumptions]              # another answer to a question the rules leave open
    sight-beyond-six = "ten"

    [values]                   # what our sources lack, under the pack's own keys
    levels.lowest = 1

    [tables]                   # printed tables as spreadsheets beside this file
    assault = "assault.csv"

It fills what is empty and never changes what the sources state. Every fault is found before the
file is refused.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from mapkit.errors import Fault
from mapkit.store.files import read_file
from rules.errors import FaultsError, PackError
from rules.owner_tables import table_values
from rules.pack import Pack, load_pack
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.answer_check import told_misfits
from rules.scenarios.scenario_files import scenarios_of

FORMAT = "mapkit-owner/1"
SUFFIX = ".owner.toml"

# New words may be added to the game's vocabulary; a word it has is stated by the sources.
_VOCABULARIES = ("terrain", "features", "hexsides", "links", "weather", "classes")
# What a look at the map settles where the sources do not force the layout.
_UNCONFIRMED = ("layout.confirmed", "layout.straight", "layout.shoved", "layout.toward")
_PARTS = ("format", "game", "assumptions", "values", "tables")
# What a table may be given more of, for no list of ours is complete.
_MODIFIERS = ("shifts", "drms")


class OwnerError(FaultsError):
    """An owner file does not fit its game."""


@dataclass(frozen=True, slots=True)
class OwnerFile:
    """What an owner entered: answers by question, values by their dotted key in the pack."""

    source: str
    game: str
    assumptions: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnerCheck:
    """All that is wrong with an owner file; and what it leaves as it was.

    *without_effect* are questions whose chosen answer has no value in the pack to change yet,
    *still_empty* the keys that wait for a value.
    """

    owner: OwnerFile
    faults: tuple[Fault, ...]
    without_effect: tuple[str, ...] = ()
    still_empty: tuple[str, ...] = ()


def load_owner(path: Path) -> OwnerFile:
    """Return the owner file at *path*; whether it fits its game, `pack_with_owner` tells.

    Raises:
        OwnerError: it is no owner file; the message lists every reason.
    """
    return parse_owner(read_file(path, what="owner file"), str(path), path.parent)


def parse_owner(data: bytes, source: str, folder: Path | None = None) -> OwnerFile:
    """Return the owner file in some bytes; *source* names the file in messages.

    *folder* is where the spreadsheets of its tables lie.
    """
    owner, faults = _parse(data, source, folder)
    if faults:
        raise OwnerError.listing(source, faults)
    return owner


def pack_with_owner(game: str, owner: OwnerFile) -> Pack:
    """Return the pack of a game as its owner reads and completes it.

    An assumption that the owner answered otherwise then says the owner's answer.

    Raises:
        OwnerError: the file is for another game, or does not fit it; all faults are listed.
    """
    pack, faults = _fitted(game, owner)
    if pack is None or faults:
        raise OwnerError.listing(owner.source, faults)
    return pack


def check_owner(path: Path) -> OwnerCheck:
    """Return everything that is wrong with an owner file, without giving up at the first part.

    Raises:
        OwnerError: it is not TOML, or no owner file at all.
    """
    owner, faults = _parse(read_file(path, what="owner file"), str(path), path.parent)
    pack, misfits = _fitted(owner.game, owner)
    faults += misfits
    if pack is not None and not faults:
        faults += _scenario_faults(pack)
    if pack is None or faults:
        return OwnerCheck(owner, tuple(faults))
    idle = (
        name
        for name, answer in owner.assumptions.items()
        if not pack.assumptions[name].alternatives[answer].has_values
    )
    empty = (key for key in _wanted(pack) if is_empty(pack, key))
    return OwnerCheck(owner, (), tuple(idle), tuple(empty))


def is_empty(pack: Pack, key: str) -> bool:
    """Tell whether a key of a pack waits for the owner: no value, or a layout nobody confirmed."""
    if key in _UNCONFIRMED:
        return not pack.layout.confirmed
    return _value(pack, key)[0] is None


def key_type(key: str) -> Any:
    """Return the type that the schema of packs has under a dotted key, None where it has none."""
    here: Any = Pack
    for part in key.split("."):
        here = _plain_type(here)
        if isinstance(here, type) and issubclass(here, BaseModel):
            known = here.model_fields.get(part)
            here = None if known is None else known.annotation
        elif get_origin(here) is dict:
            here = get_args(here)[1]
        elif get_origin(here) is tuple and part.isdecimal():
            here = get_args(here)[0]
        else:
            return None
    return _plain_type(here)


def members_of(key: str) -> tuple[list[str], list[str]] | None:
    """Return what each member of the list under a dotted key must and may say; None: no list."""
    kind = key_type(key)
    of = get_args(kind)[0] if get_origin(kind) is tuple else None
    if not (isinstance(of, type) and issubclass(of, BaseModel)):
        return None
    fields = of.model_fields.items()
    must = [name for name, one in fields if one.is_required()]
    return must, [name for name, one in fields if not one.is_required()]


def _plain_type(annotation: Any) -> Any:
    """The type behind `Annotated` and `| None`."""
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        return _plain_type(kinds[0]) if len(kinds) == 1 else annotation
    return annotation


def _parse(data: bytes, source: str, folder: Path | None) -> tuple[OwnerFile, list[Fault]]:
    content = _content(data, source)
    faults = [
        Fault(key, "an owner file has no such part", f"there is: {', '.join(_PARTS)}")
        for key in content
        if key not in _PARTS
    ]
    game = content.get("game")
    if not isinstance(game, str):
        faults.append(Fault("game", "it names no game", f'write game = "{pack_names()[0]}"'))
        game = ""
    answers: dict[str, str] = {}
    for key, value in _table(content, "assumptions", faults).items():
        if isinstance(value, str):
            answers[key] = value
        else:
            problem, remedy = "an answer is a word in quotes", "`mapkit rules assumptions` has them"
            faults.append(Fault(f"assumptions.{key}", problem, remedy))
    values: dict[str, Any] = {}
    for key, value in _leaves(_table(content, "values", faults)):
        if key in values:
            faults.append(Fault(f"values.{key}", "it stands twice", "take one out"))
        values[key] = value
    files = _table(content, "tables", faults)
    if files and game in pack_names():
        entered, wrong = table_values(find_pack(game), files, folder)
        faults += wrong
        for key, value in entered.items():
            if any(_lies_in(one, key) for one in values):
                faults.append(Fault(f"values.{key}", "[tables] has it too", "take one out"))
            values[key] = value
    return OwnerFile(source, game, answers, values), faults


def _content(data: bytes, source: str) -> dict[str, Any]:
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise OwnerError(f"{source}: not UTF-8 text; save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise OwnerError(f"{source}: broken TOML: {error}; mend that line") from None
    version = content.get("format")
    if version != FORMAT:
        raise OwnerError(
            f"{source}: its format is {version!r}, this Mapkit reads '{FORMAT}'; correct it, or "
            "let `mapkit rules missing GAME --template FILE` write a new one"
        )
    return content


def _table(content: Mapping[str, Any], name: str, faults: list[Fault]) -> dict[str, Any]:
    table = content.get(name, {})
    if isinstance(table, dict):
        return table
    faults.append(Fault(name, "it is no table", f"write [{name}] on a line of its own"))
    return {}


def _leaves(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value with its dotted key, nested tables and quoted dots alike."""
    for name, value in table.items():
        key = f"{above}{name}"
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{key}.")
        else:
            yield key, value


def _fitted(game: str, owner: OwnerFile) -> tuple[Pack | None, list[Fault]]:
    """The pack with all that fits, None where that is no pack; and the faults of the rest."""
    faults = list(_game_faults(owner, game))
    if faults:
        return None, faults
    faults += _faults(find_pack(game), owner)
    wrong = {fault.place for fault in faults}
    good = OwnerFile(
        owner.source,
        game,
        {key: one for key, one in owner.assumptions.items() if f"assumptions.{key}" not in wrong},
        {key: one for key, one in owner.values.items() if f"values.{key}" not in wrong},
    )
    try:
        return _filled(game, good), faults
    except ValidationError as error:
        return None, [*faults, *_told(error)]


def _scenario_faults(pack: Pack) -> tuple[Fault, ...]:
    """What the chosen answers break in the files of the scenarios."""
    try:
        scenarios_of(pack)
    except PackError as error:
        return told_misfits(error, "assumptions")
    return ()


def _game_faults(owner: OwnerFile, game: str) -> Iterator[Fault]:
    if owner.game != game:
        problem = f"the file is for '{owner.game}', the game played is '{game}'"
        yield Fault("game", problem, "take the owner file of that game")
    elif game not in pack_names():
        yield Fault("game", f"no rules pack '{game}'", f"there is: {', '.join(pack_names())}")


def _faults(pack: Pack, owner: OwnerFile) -> Iterator[Fault]:
    """What can be told before the values are put in: answers nobody offers, values not missing."""
    set_by: dict[str, tuple[str, Any]] = {}
    for name, answer in owner.assumptions.items():
        place = f"assumptions.{name}"
        if name not in pack.assumptions:
            yield Fault(place, "there is no such question", _nearest(name, pack.assumptions))
        elif answer not in pack.assumptions[name].alternatives:
            known = pack.assumptions[name].alternatives
            remedy = f"there is: {', '.join(known)}" if known else "take it out: there is only ours"
            yield Fault(place, f"the question has no answer '{answer}'", remedy)
        else:
            for key, value in pack.assumptions[name].alternatives[answer].values():
                other, theirs = set_by.setdefault(key, (name, value))
                if theirs != value:
                    problem = f"it and '{other}' give {key} different values"
                    yield Fault(place, problem, "keep one of the two")
    for key in owner.values:
        above = next((one for one in owner.values if one != key and _lies_in(key, one)), None)
        if above is None:
            yield from _value_faults(pack, key)
        else:
            yield Fault(f"values.{key}", f"'{above}' has a value itself", "take one of them out")


def _value_faults(pack: Pack, key: str) -> Iterator[Fault]:
    place = f"values.{key}"
    if key_type(key) is None:
        yield Fault(place, "a pack has no such key", _nearest(key, _wanted(pack)))
        return
    value, cite = _value(pack, key)
    if key in _UNCONFIRMED:
        if pack.layout.confirmed:
            yield _stated(place, value, cite)
    elif value is not None:
        yield _stated(place, value, cite)
    elif not (_is_new_word(pack, key) or any(_lies_in(key, one) for one in _wanted(pack))):
        problem = "it is empty on purpose" + (f" [{cite}]" if cite else "") + ": nothing is missing"
        remedy = f"take it out; `mapkit rules missing {pack.id}` lists what can be entered"
        yield Fault(place, problem, remedy)


def _stated(place: str, value: Any, cite: str) -> Fault:
    problem = f"our sources state it [{cite}]" if cite else "our sources state it"
    if isinstance(value, str | int):
        problem += f": {str(value).lower() if isinstance(value, bool) else value}"
    return Fault(place, problem, "take it out; another reading is chosen under [assumptions]")


def _value(pack: Pack, key: str) -> tuple[Any, str]:
    """The value under a key, None where it is empty or absent; and the cite that covers it."""
    here: Any = pack
    cite = ""
    for part in key.split("."):
        if isinstance(here, BaseModel):
            cite = str(getattr(here, f"{part}_cite", None) or getattr(here, "cite", cite))
            here = getattr(here, part, None)
        elif isinstance(here, Mapping):
            here = here.get(part)
        elif isinstance(here, tuple) and part.isdecimal() and int(part) < len(here):
            here = here[int(part)]
        else:
            return None, cite
    return here, cite


def _is_new_word(pack: Pack, key: str) -> bool:
    """Whether a key adds a word to the vocabulary, a modifier to a table, sight in new weather."""
    first, _, rest = key.partition(".")
    word = rest.partition(".")[0]
    if first in _VOCABULARIES:
        return word not in getattr(pack, first)
    if key.startswith("sight.weather."):
        return key.split(".")[2] not in pack.weather
    parts = key.split(".")
    if first == "tables" and word in pack.tables and len(parts) > 3 and parts[2] in _MODIFIERS:
        return parts[3] not in getattr(pack.tables[word], parts[2])
    return False


def _wanted(pack: Pack) -> list[str]:
    return [key for one in pack.missing.values() for key in one.keys]


def _lies_in(key: str, part: str) -> bool:
    return key == part or key.startswith(f"{part}.")


def _nearest(word: str, known: Sequence[str] | Mapping[str, object]) -> str:
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean '{close[0]}'?" if close else "correct it or take it out"


def _filled(game: str, owner: OwnerFile) -> Pack:
    pack = load_pack(pack_folder(game), game, owner.assumptions)
    data = pack.model_dump(by_alias=True)
    for name, answer in owner.assumptions.items():
        says = pack.assumptions[name].alternatives[answer].says
        data["assumptions"][name]["we_assume"] = says
    for key, value in owner.values.items():
        *parents, last = key.split(".")
        here = data
        for part in parents:
            if here.get(part) is None:
                here[part] = {}
            here = here[part]
        here[last] = value
    return Pack.model_validate(data)


def _told(error: ValidationError) -> Iterator[Fault]:
    remedies = {"missing": "add it", "extra_forbidden": "remove it or correct its name"}
    for detail in error.errors():
        place = ".".join(("values", *map(str, detail["loc"])))
        problem = detail["msg"][:1].lower() + detail["msg"][1:]
        yield Fault(place, problem, remedies.get(detail["type"], "correct it"))
