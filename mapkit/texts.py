"""What Mapkit says, in English, German and Italian.

A package that speaks has a folder `texts/` with `en.toml`, `de.toml` and
`it.toml`: the same keys, the same {placeholders}. A key starts with the name
of its package: "mapkit.demo.done" is `done` in the table `[demo]` of mapkit's
catalogue. A text with two forms, "{n} hex|{n} hexes", takes the first where
n is 1.
"""

import locale
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import Literal, get_args

Language = Literal["en", "de", "it"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_NAMES: Mapping[str, Language] = {"english": "en", "german": "de", "italian": "it"}
_chosen: Language | None = None


def say(key: str, **values: object) -> str:
    """Return the text *key* in the language in use, its placeholders filled.

    An unknown key is shown as it is, so that a missing text costs a word and
    not the answer; where MAPKIT_STRICT_TEXTS is set, as in the tests, it raises.
    """
    text = _text(key)
    if text is None:
        if os.environ.get("MAPKIT_STRICT_TEXTS"):
            raise KeyError(f"no text '{key}' in the catalogues")
        return key
    one, bar, many = text.partition("|")
    return (many if bar and values["n"] != 1 else one).format_map(values)


def printable(text: str) -> str:
    """Return *text* with what would steer a terminal shown as its code; lines stay lines.

    Names and titles come from files: they must not clear a screen or turn a line around.

    >>> printable("Monte\\x1b[2J Orso")
    'Monte\\\\x1b[2J Orso'
    """
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else ascii(sign)[1:-1] for sign in text
    )


def one_line(text: str) -> str:
    """Return *text* as `printable` does, with its line breaks shown as codes too.

    >>> one_line("Monte\\nOrso")
    'Monte\\\\nOrso'
    """
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def use(language: Language | None) -> None:
    """Speak *language* from now on; None goes back to environment and locale."""
    global _chosen  # noqa: PLW0603 - the one choice a whole process makes
    _chosen = language


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Speak *language* for a while, and then again what was spoken before.

    >>> with speaking("it"):
    ...     language()
    'it'
    """
    before = _chosen
    use(language)
    try:
        yield
    finally:
        use(before)


def language() -> Language:
    """Return the language in use: chosen, else MAPKIT_LANG, else the locale, else English."""
    return _chosen or _known(os.environ.get("MAPKIT_LANG", "")) or _locale_language() or "en"


@cache
def catalogue(package: str, language: Language) -> Mapping[str, str]:
    """Return the texts of *package* by full key; empty when it has none.

    >>> catalogue("mapkit", "it")["mapkit.demo.what"]
    'cosa: {what}'
    """
    import tomllib

    path = resources.files(package) / "texts" / f"{language}.toml"
    if not path.is_file():
        return {}
    return dict(_flat(package, tomllib.loads(path.read_text(encoding="utf-8"))))


def _text(key: str) -> str | None:
    package = key.partition(".")[0]
    if not package.isidentifier():
        return None
    try:
        spoken = catalogue(package, language())
        return spoken.get(key) or catalogue(package, "en").get(key)
    except ModuleNotFoundError:
        return None


def _flat(prefix: str, table: Mapping[str, object]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{prefix}.{name}"
        found += _flat(key, value) if isinstance(value, dict) else [(key, str(value))]
    return found


def _locale_language() -> Language | None:
    # The order of POSIX: the first that is set decides, even if we do not speak it.
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return _known(value)
    try:
        return _known(locale.getlocale()[0] or "")
    except ValueError:  # macOS can hold a locale that Python cannot parse
        return None


def _known(name: str) -> Language | None:
    """Return the language of a locale name: `de_CH.UTF-8`, or Windows' `German_Germany`."""
    word = name.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return next((lang for lang in LANGUAGES if lang == word), _NAMES.get(word))
