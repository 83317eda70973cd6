"""Answers of the judges on the command line: told, drawn, saved to verify later, declared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mapkit.command_line import print_json, talk, tell

if TYPE_CHECKING:
    from mapkit.drawing import Drawing
    from rules.battlefield import Battlefield
    from rules.pack import Pack
    from rules.ruling import Ruling
    from rules.scene import Scene


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a player wants the answer: as words or data, drawn, saved, declared."""

    as_json: bool = False
    picture: Path | None = None
    save: Path | None = None
    declare: Path | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was asked: the judge and every input, as the judge had them.

    *scene* is None where no map took part; *source* is the map or project that was named, with
    the id of its map.
    """

    pack: "Pack"
    question: Mapping[str, Any]
    scene: "Scene | None" = None
    source: tuple[Path, str | None] | None = None

    def certificate(self, ruling: "Ruling") -> dict[str, Any]:
        """Return the certificate of the ruling on it, the same in every language."""
        from rules.certificates import certified, certified_by_game, plain, question_data
        from rules.project import load_project
        from rules.questions import read_game_question, read_question

        if self.scene is None or self.source is None:
            asking = read_game_question(self.pack, plain(self.question))
            return certified_by_game(self.pack, self.question, _as_certified(ruling, asking))
        field, (path, which) = self.scene.field, self.source
        asked = question_data(field, **self.question)
        project, markers = load_project(path), self.scene.markers
        told = _as_certified(ruling, read_question(field, plain(asked)))
        return certified(field, project, asked, told, which=which, markers=markers)


def _as_certified(ruling: "Ruling", asking: "Callable[[], Ruling] | None") -> "Ruling":
    """Return a ruling in the language of certificates: some reasons quote what they rest on."""
    from mapkit.texts import language, speaking
    from rules.certificates import LANGUAGE

    if asking is None or language() == LANGUAGE:
        return ruling
    with speaking(LANGUAGE):
        return asking()


def answer(
    asked: Asked,
    ruling: "Ruling",
    wanted: Wanted,
    draw: "Callable[[], Drawing] | None" = None,
    told: "Callable[[Pack, Ruling], str] | None" = None,
) -> None:
    """Give a ruling as it is wanted; where it was declared before, the one that stands.

    *draw* is None for what has no picture, *told* puts it into words of its own.
    """
    answer_all([(asked, ruling)], wanted, draw, told)


def answer_all(
    rulings: "Sequence[tuple[Asked, Ruling]]",
    wanted: Wanted,
    draw: "Callable[[], Drawing] | None" = None,
    told: "Callable[[Pack, Ruling], str] | None" = None,
) -> None:
    """Give the rulings on several questions at once; as data, several are a list.

    Raises:
        RulesError: several are to be saved in one file.
    """
    from rules.errors import RulesError
    from rules.told import told_ruling

    if wanted.save is not None and len(rulings) > 1:
        raise RulesError(f"{wanted.save} holds one ruling, and these are {len(rulings)}; ask again")
    if wanted.picture is not None and draw is not None:
        from mapkit.drawing.drawing_files import write_drawing

        write_drawing(draw(), wanted.picture, force=wanted.force)
    stand = [(asked, kept(asked, ruling, wanted, draw)) for asked, ruling in rulings]
    if wanted.as_json:
        data = [ruling.as_data() for _, ruling in stand]
        print_json(data[0] if len(data) == 1 else data)
    else:
        words = told or told_ruling
        tell("\n\n".join(words(one.pack, narrowed(one, ruling)) for one, ruling in stand))


def narrowed(asked: Asked, ruling: "Ruling") -> "Ruling":
    """Return a ruling with just those open points that another answer could change it by."""
    from rules.bearing import Bearing
    from rules.certificates import question_data
    from rules.questions import read_question

    if asked.scene is None or not ruling.assumptions:
        return ruling
    question = question_data(asked.scene.field, **asked.question)

    def ask(field: "Battlefield") -> "Ruling":
        asking = read_question(field, question)
        return ruling if asking is None else asking()

    found = Bearing(asked.scene.field).of(ruling, ask)
    return replace(ruling, assumptions=tuple(name for name, by in found.items() if by != ()))


def kept(
    asked: Asked, ruling: "Ruling", wanted: Wanted, draw: "Callable[[], Drawing] | None" = None
) -> "Ruling":
    """Save and declare a ruling as it is wanted, and return the one that stands."""
    if wanted.save is None and wanted.declare is None:
        return ruling
    from mapkit.texts import say
    from rules.certificates import ruling_of
    from rules.protocol import declare, load_protocol
    from rules.ruling_page import save_ruling

    certificate, stands = asked.certificate(ruling), ruling
    if (log := wanted.declare) is not None:
        entry, is_new = declare(log, certificate)
        values = {"number": entry.number, "file": log, "end": load_protocol(log).end}
        talk(say(f"rules.protocol.{'declared' if is_new else 'stands'}", **values))
        certificate = dict(entry.certificate)
        stands = ruling if is_new else ruling_of(certificate)
    if (page := wanted.save) is not None:
        drawing = draw() if draw is not None and page.suffix.lower() == ".html" else None
        save_ruling(page, certificate, drawing, force=wanted.force)
        talk(say("rules.page.saved", file=page))
    return stands
