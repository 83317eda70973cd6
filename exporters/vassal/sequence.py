"""How the engine joins texts into one and parts them again: its SequenceEncoder.

Tokens are joined by a delimiter; one inside a token is escaped by a backslash, a backslash itself
is not. A token that begins with a backslash, or is quoted already, is put into quotes. Nested
sequences are escaped once more at every level: always built from the inside out. A token that
ends with a backslash does not come back: the engine has no way to write it.
"""

from collections.abc import Iterable, Iterator

TAB = "\t"
ESC = "\x1b"


def join(delimiter: str, tokens: Iterable[str]) -> str:
    """Return the tokens as one text: the inverse of `split`.

    >>> join(",", ["A", "B,C"]), join(";", ["\\\\x"]), join(",", ["", "reduced"])
    ('A,B\\\\,C', "'\\\\x'", ',reduced')
    """
    return delimiter.join(_escaped(delimiter, token) for token in tokens)


def split(delimiter: str, text: str) -> list[str]:
    """Return the tokens of a sequence; an empty text holds one empty token."""
    return [_unquoted(token) for token in _parts(delimiter, text)]


def nest(delimiter: str, tokens: list[str]) -> str:
    """Return tokens nested pair by pair, the outermost first, as traits are.

    >>> nest("/", ["a", "b", "c"])
    'a/b\\\\/c'
    """
    text = tokens[-1]
    for token in reversed(tokens[:-1]):
        text = join(delimiter, [token, text])
    return text


def unnest(delimiter: str, text: str, most: int | None = None) -> list[str]:
    """Return the tokens that `nest` joined; the innermost one must not hold the delimiter.

    With *most* there are no more than so many, and then it may.
    """
    tokens: list[str] = []
    while len(tokens) + 1 != most and len(parts := list(_parts(delimiter, text))) > 1:
        tokens.append(_unquoted(parts[0]))
        # More than a pair is the work of another hand: what follows the first is taken as is.
        text = _unquoted(parts[1]) if len(parts) == 2 else text.partition(delimiter)[2]
    return [*tokens, text]


def _escaped(delimiter: str, token: str) -> str:
    needs_quotes = token.startswith("\\") or (token.startswith("'") and token.endswith("'"))
    quoted = f"'{token}'" if needs_quotes else token
    return quoted.replace(delimiter, f"\\{delimiter}")


def _unquoted(token: str) -> str:
    if len(token) >= 2 and token.startswith("'") and token.endswith("'"):
        return token[1:-1]
    return token


def _parts(delimiter: str, text: str) -> Iterator[str]:
    """Yield what lies between bare delimiters, with one backslash off each escaped one."""
    part: list[str] = []
    for piece in text.split(delimiter):
        if piece.endswith("\\"):  # the delimiter after it is escaped
            part += [piece[:-1], delimiter]
        else:
            yield "".join([*part, piece])
            part = []
    if part:  # a backslash at the very end escapes nothing
        yield "".join(part[:-1]) + "\\"
