"""The engine's expressions, as far as ours need them: values of pieces in, a text out."""

import re

_TOKEN = re.compile(r'\s*("[^"]*"|\'.\'|\d+|[A-Za-z_]\w*|\|\||==|[-+*>!?:.,()])')
_BINDS = {"||": 2, "==": 3, ">": 4, "+": 5, "-": 5, "*": 6}
_METHODS = {
    "charAt": lambda text, at: text[at],
    "endsWith": str.endswith,
    "replace": str.replace,
    "substring": lambda text, first, end: text[first:end],
    "toString": str,
}


def evaluate(expression, properties, handed=()):
    """Return what an expression says; *handed* names the values that `GetString` cannot see."""
    return _Reader(expression, properties, set(handed)).whole()


class _Reader:
    """Reads by precedence; what is not chosen by a `?` is read over and not worked out."""

    def __init__(self, text, properties, handed):
        self.tokens = _TOKEN.findall(text)
        assert "".join(self.tokens) == text
        self.at, self.properties, self.handed = 0, properties, handed

    def whole(self):
        value = self.ternary(True)
        assert self.at == len(self.tokens)
        return value

    def ternary(self, live):
        test = self.binary(2, live)
        if not self.took("?"):
            return test
        first = self.ternary(live and test is True)
        assert self.took(":")
        other = self.ternary(live and test is False)
        return first if test is True else other

    def binary(self, least, live):
        value = self.unary(live)
        while (sign := self.peek()) in _BINDS and _BINDS[sign] >= least:
            self.at += 1
            other = self.binary(_BINDS[sign] + 1, live and not (sign == "||" and value is True))
            value = _worked(sign, value, other) if live else None
        return value

    def unary(self, live):
        if self.took("!"):
            value = self.unary(live)
            return not value if live else None
        value = self.primary(live)
        while self.took("."):
            name, given = self.word(), self.arguments(live)
            value = _METHODS[name](value, *given) if live else None
        return value

    def primary(self, live):
        token = self.word()
        if token[0] in "\"'":
            return token[1:-1]
        if token.isdigit():
            return int(token)
        if token in ("Integer", "Math"):
            assert self.took(".")
            method, given = self.word(), self.arguments(live)
            return {"parseInt": int, "abs": abs}[method](*given) if live else None
        if token == "GetString":
            (name,) = self.arguments(live)
            return self.properties.get(name, "") if live and name not in self.handed else ""
        return self.properties.get(token, "")

    def arguments(self, live):
        assert self.took("(")
        given = []
        while not self.took(")"):
            given.append(self.ternary(live))
            self.took(",")
        return given

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def word(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def took(self, sign):
        found = self.peek() == sign
        self.at += found
        return found


def _worked(sign, one, other):
    if sign == "+":
        texts = isinstance(one, str) or isinstance(other, str)
        return f"{one}{other}" if texts else one + other
    return {
        "||": lambda: one is True or other is True,
        "==": lambda: one == other,
        ">": lambda: one > other,
        "-": lambda: one - other,
        "*": lambda: one * other,
    }[sign]()
