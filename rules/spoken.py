"""A game's own words and open points in the language in use.

A pack is written in English. Its `texts/de.toml` and `texts/it.toml` say under [words] what its
words and titles are there, under [open] what its open points are. What they lack is the first
phrase of the pack's `words.toml`; what that lacks too stays English. Values of reasons are
translated only when they are spoken, so that a ruling is the same data in every language.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from mapkit.texts import Language, catalogue, language, say
from rules.errors import PackError
from rules.pack import Pack
from rules.pack_files import read_toml
from rules.registry import pack_folder
from rules.ruling import Reason, Ruling

# What players and maps name themselves is nobody's to translate.
_NAMES = frozenset(
    {"name", "names", "gun", "unit", "place", "hex", "hexes", "entry", "game", "word"}
)
_NUMBER = re.compile(r"([a-z][a-z ]*[a-z]) (?=[-\d?])")
_COUNTED = re.compile(r"(.*\D)(\d+)")  # "steps lost: 2" is told by "steps lost: #"


def spoken(pack: Pack, text: str, slot: str = "") -> str:
    """Return a word, a title, or a list of words of a pack in the language in use.

    *slot* tells apart what English calls by one word: the weather `clear` and the ground, a value
    `combat` and units of combat. What has no translation comes back as it is.
    """
    if language() == "en" or not text:
        return text
    if whole := _word(pack, slot, text):
        return whole
    if counted := _COUNTED.fullmatch(text):
        pattern = _word(pack, slot, f"{counted[1]}#")
        return text if pattern is None else pattern.replace("#", counted[2])
    head, colon, tail = text.rpartition(": ")  # "on the hexside: bridge, footbridge"
    words = [_word(pack, slot, one) for one in tail.split(", ")]
    return text if None in words else head + colon + ", ".join(map(str, words))


def told_reason(pack: Pack, reason: Reason) -> str:
    """Return a reason as a sentence, the game's words in it in the language in use."""
    if language() == "en":
        return reason.told()
    values = {slot: _value(pack, slot, value) for slot, value in reason.values.items()}
    return replace(reason, values=values).told()


def told_data(pack: Pack, ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as data, its sentences wholly in the language in use."""
    data = ruling.as_data()
    for entry, reason in zip(data["reasons"], ruling.reasons, strict=True):
        entry["text"] = told_reason(pack, reason)
    data["missing"] = [told_reason(pack, reason) for reason in ruling.missing]
    return data


def told_open_point(pack: Pack, name: str) -> tuple[str, str]:
    """Return the question of an open point and the answer that holds; both in one language.

    An owner may have chosen another answer than ours: where only ours is translated, the whole
    is told in English, and says so.
    """
    point = pack.assumptions[name]
    texts = _texts(pack.id, language()).get("open", {}).get(name, {})
    chosen = (id_ for id_, one in point.alternatives.items() if one.says == point.we_assume)
    question, answer = texts.get("question"), texts.get(next(chosen, "we_assume"))
    if question and answer:
        return question, answer
    if language() == "en":
        return point.question, point.we_assume
    return say("rules.ruling.in_english", text=point.question), point.we_assume


def told_other_answer(pack: Pack, name: str, answer: str) -> str:
    """Return another answer one may choose to an open point, in the language in use if it can."""
    point, texts = pack.assumptions[name], _texts(pack.id, language()).get("open", {})
    return str(texts.get(name, {}).get(answer, point.alternatives[answer].says))


def told_decimal(number: float) -> str:
    """Return a number with the decimal sign of the language in use."""
    return str(number) if language() == "en" else str(number).replace(".", ",")


def _value(pack: Pack, slot: str, value: str | int) -> str | int:
    if isinstance(value, int) or slot in _NAMES:
        return value
    if slot == "compared":
        return _NUMBER.sub(lambda found: f"{_quantity(found[1])} ", value)
    return spoken(pack, value, slot)


def _quantity(words: str) -> str:
    """What is compared in a line of sight: `higher end` is a height that every game has."""
    return say(f"rules.compared.{words.replace(' ', '_')}")


def _word(pack: Pack, slot: str, text: str) -> str | None:
    """One word or title: the game's for this slot, the game's, or one that the judges bring."""
    plain, words = _plain(text), _words(pack.id, language())
    own = f"rules.words.{plain.replace(' ', '_')}"
    found = words.get(f"{slot}.{plain}") or words.get(plain)
    return found or catalogue("rules", language()).get(own)


@cache
def _words(pack: str, spoken_in: Language) -> Mapping[str, str]:
    """The words of a pack in another language than English, by the English ones."""
    found: dict[str, str] = {}
    for word, phrases in _files(pack, "words.toml").items():
        for english in (word, *phrases.get("en", ())[:1]):
            if phrases.get(spoken_in):
                found.setdefault(_plain(english), phrases[spoken_in][0])
    titles = _texts(pack, spoken_in).get("words", {})
    return found | {_plain(english): title for english, title in titles.items()}


@cache
def _texts(pack: str, spoken_in: Language) -> Mapping[str, Any]:
    return {} if spoken_in == "en" else _files(pack, "texts", f"{spoken_in}.toml")


def _files(pack: str, *path: str) -> Mapping[str, Any]:
    try:
        folder = pack_folder(pack)
    except PackError:
        return {}  # a pack that is not installed has no files to look into
    return read_toml(folder.joinpath(*path)) or {}


def _plain(text: str) -> str:
    return text.replace("_", " ").casefold()
