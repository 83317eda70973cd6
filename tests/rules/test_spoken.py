"""The packs in German and Italian: their words, titles and open points."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pydantic import BaseModel

from mapkit.texts import Language, use
from rules.cases import load_cases, rule_case
from rules.errors import RulesError
from rules.owner import OwnerFile, pack_with_owner
from rules.pack import Pack
from rules.registry import find_pack, pack_folder, pack_names
from rules.ruling import Reason
from rules.spoken import spoken, told_data, told_open_point, told_reason
from rules.told import told_ruling

SPOKEN = pack_names()  # every game: a pack without its texts fails here
OTHERS: tuple[Language, ...] = ("de", "it")
TOLD = ("sight", "supply", "zones", "retreat", "withdrawal", "rout", "command")
# Titles that bring their own translations, or are told in English for now.
ELSEWHERE = ("tasks", "statuses", "markers", "events.events")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    use("en")
    yield
    use(None)


@pytest.fixture(params=OTHERS)
def language(request: pytest.FixtureRequest) -> Language:
    use(request.param)
    return request.param


def texts(name: str, language: Language) -> dict[str, dict[str, object]]:
    file = pack_folder(name) / "texts" / f"{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def titles(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Every title of a part of a pack, with where it stands."""
    if isinstance(value, BaseModel):
        for field in type(value).model_fields:
            inner = getattr(value, field)
            if field in ("title", "card") and isinstance(inner, str):
                yield f"{place}.{field}", inner
            else:
                yield from titles(inner, f"{place}.{field}")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from titles(inner, f"{place}.{key}")
    elif isinstance(value, tuple):
        for inner in value:
            yield from titles(inner, place)


def own_words(pack: Pack) -> set[tuple[str, str]]:
    """The words of a pack that rulings name, each with the slot it is told in."""
    found = {(word, "what") for group in ("terrain", "features", "hexsides", "links")
             for word in getattr(pack, group)}  # fmt: skip
    found |= {(word, "who") for word in pack.groups}
    found |= {(word, "box") for word in pack.boxes}
    if pack.sight is not None:
        found |= {(word, "what") for word in (*pack.sight.obstacles, *pack.sight.sides)}
    if pack.zones is not None:
        found |= {(word, "what") for word in pack.zones.exclusions}
    if pack.stacking is not None:
        found |= {(word, "what") for word in pack.stacking.pools}
    if pack.movement is not None:
        found |= {(word, "mode") for word in pack.movement.modes}
    return found


@pytest.mark.parametrize("name", SPOKEN)
def test_every_word_of_the_game_is_spoken(name: str, language: Language) -> None:
    pack = find_pack(name)
    # A word may be the same in both languages; then the file or the synonyms say so.
    said = {key.casefold().replace("_", " ") for key in texts(name, language)["words"]}
    synonyms = tomllib.loads((pack_folder(name) / "words.toml").read_text(encoding="utf-8"))
    said |= {key.replace("_", " ") for key, one in synonyms.items() if one.get(language)}
    silent = {
        word
        for word, slot in own_words(pack)
        if spoken(pack, word, slot) == word and word.replace("_", " ") not in said
    }
    assert silent == set()


@pytest.mark.parametrize("name", SPOKEN)
def test_every_title_is_spoken(name: str, language: Language) -> None:
    pack = find_pack(name)
    parts = ("sides", "classes", "weather", "tables", "results", "checks", "combat", "events")
    silent = [
        f"{place}: {title}"
        for part in parts
        for place, title in titles(getattr(pack, part), part)
        if title
        and not place.startswith(ELSEWHERE)
        and spoken(pack, title, part) == title
        and title.casefold() not in _same(name, language)
    ]
    assert silent == []


def _same(name: str, language: Language) -> set[str]:
    """Titles that are the same in both languages, by the pack's own word: Bersaglieri."""
    synonyms = tomllib.loads((pack_folder(name) / "words.toml").read_text(encoding="utf-8"))
    return {one[language][0].casefold() for one in synonyms.values() if one.get(language)}


@pytest.mark.parametrize("name", SPOKEN)
def test_no_translation_is_of_something_the_pack_lost(name: str, language: Language) -> None:
    said, pack = texts(name, language), find_pack(name)
    for id_, point in said["open"].items():
        assert isinstance(point, dict)
        known = {"question", "we_assume", *pack.assumptions[id_].alternatives}
        assert set(point) <= known, id_


@pytest.mark.parametrize("name", SPOKEN)
def test_every_open_point_is_translated_with_all_its_answers(name: str, language: Language) -> None:
    pack, said = find_pack(name), texts(name, language)["open"]
    wanted = {
        id_: {"question", "we_assume", *point.alternatives}
        for id_, point in pack.assumptions.items()
    }
    assert {id_: set(point) for id_, point in said.items()} == wanted
    for id_, point in pack.assumptions.items():
        assert told_open_point(pack, id_) == (said[id_]["question"], said[id_]["we_assume"])
        english = {"question": point.question, "we_assume": point.we_assume}
        english |= {answer: other.says for answer, other in point.alternatives.items()}
        for key, text in said[id_].items():
            assert text != english[key], f"{id_}.{key} is English"
            assert numbers(text) == numbers(english[key]), f"{id_}.{key} has other numbers"


def numbers(text: str) -> list[str]:
    """The numbers of a text that no language writes out: hexes, rules, odds."""
    return sorted(set(re.findall(r"\d{2,}(?:\.\d+)*|\d+:\d+|\d\.\d", text)))


@pytest.mark.parametrize("name", SPOKEN)
def test_what_checks_bring_and_tasks_note_is_spoken(name: str, language: Language) -> None:
    pack = find_pack(name)
    said = [note.says for task in pack.tasks.values() for note in task.notes]
    for check in pack.checks.values():
        said += [check.success, check.failure, *check.outcomes.values()]
        said += [roll.result for roll in check.natural]
    for point in pack.assumptions.values():
        for other in point.alternatives.values():
            said += [one for key, one in other.set.items() if key.endswith((".says", ".result"))]
    printed = re.compile(r"[A-Z0-9-]*")  # D1 is so on every card
    assert [one for one in said if spoken(pack, one) == one and not printed.fullmatch(one)] == []


@pytest.mark.parametrize("name", SPOKEN)
def test_rulings_on_sight_and_supply_hold_no_english(name: str, language: Language) -> None:
    pack = find_pack(name)
    english = re.compile(
        r"\b(the|of|and|is|are|not|hex|hexes|level|end|unit|woods|crags|Italian|points?)\b"
    )
    for case in load_cases(pack_folder(name)):
        if case.judge in TOLD:
            try:
                ruling = rule_case(pack, case)
            except RulesError:
                continue  # a case may want to be refused
            for line in told_ruling(pack, replace(ruling, assumptions=())).splitlines():
                told = line.replace(pack.title, "")  # the name of the game is its own
                assert not english.search(told), (case.id, line)


def test_the_data_of_a_ruling_is_the_same_in_every_language() -> None:
    pack = find_pack("strafexpedition")
    case = next(one for one in load_cases(pack_folder(pack.id)) if one.judge == "sight")
    told = {}
    for spoken_in in ("en", "de", "it"):
        use(spoken_in)  # type: ignore[arg-type]  # a literal in a loop
        data = told_data(pack, rule_case(pack, case))
        told[spoken_in] = [reason.pop("text") for reason in data["reasons"]], data.pop("missing")
        told[f"{spoken_in} data"] = json.dumps(data, sort_keys=True)
    assert told["en data"] == told["de data"] == told["it data"]
    assert told["en"] != told["de"] != told["it"]


def test_an_answer_the_owner_chose_is_translated_too() -> None:
    use("de")
    owner = OwnerFile("test", "strafexpedition", {"sight-beyond-six": "six"})
    question, answer = told_open_point(
        pack_with_owner("strafexpedition", owner), "sight-beyond-six"
    )
    assert question == "Kann man weiter als sechs Hexfelder sehen?"
    assert answer.startswith("Sechs Hexfelder")


def test_an_open_point_without_translation_says_that_it_is_english() -> None:
    """As that of a pack of one's own may be."""
    use("it")
    pack = find_pack("strafexpedition")
    new = pack.assumptions["foza"].model_copy(update={"question": "Is it hex 3772?"})
    pack = pack.model_copy(update={"assumptions": {"new": new}})
    question, answer = told_open_point(pack, "new")
    assert (question, answer[:4]) == ("(in inglese) Is it hex 3772?", "3772")


@pytest.mark.parametrize(
    ("slot", "text", "german"),
    [
        ("who", "combat", "Kampfeinheiten"),
        ("value", "combat", "Kampfwert"),
        ("weather", "Clear", "klar"),
        ("what", "clear", "offenes Gelände"),
        ("what", "woods, crags", "Wald, Felsen"),
        ("what", "woods, frogs", "woods, frogs"),
        ("what", "steps lost by that side in all: 2", "Stufenverluste dieser Seite insgesamt: 2"),
        ("what", "an der Hexseite: bridge", "an der Hexseite: Brücke"),
        ("when", "end_of_movement", "Ende der Bewegung"),
        ("what", "", ""),
    ],
)
def test_words_are_told_apart_by_their_slot(slot: str, text: str, german: str) -> None:
    pack = find_pack("strafexpedition")
    assert spoken(pack, text, slot) == text
    use("de")
    assert spoken(pack, text, slot) == german


def test_names_stay_as_players_wrote_them() -> None:
    use("de")
    pack = find_pack("strafexpedition")
    reason = Reason("rules.zones.kept_out", {"hex": "0101", "what": "woods"}, "3.0")
    assert "Wald" in told_reason(pack, reason)
    named = Reason("rules.supply.culprits", {"names": "woods"}, "3.0")
    assert "woods" in told_reason(pack, named)


@pytest.mark.parametrize("spoken_in", ["de", "it"])
def test_what_is_compared_is_said_in_words(spoken_in: Language) -> None:
    use(spoken_in)
    pack = find_pack("strafexpedition")
    values = {"place": "0101", "what": "woods", "compared": "level 2 = higher end 2"}
    told = told_reason(pack, Reason("rules.sight.blocks", values, "13.2.3"))
    assert not re.search("level|higher|woods", told)
    assert told.count("2") >= 2
