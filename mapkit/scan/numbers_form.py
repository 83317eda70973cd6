"""What labels look like: how a text that was read comes apart into its two numbers.

A reader takes O for 0 and I for 1. So a text may be several labels, and two texts are held to be
the same when they differ in such signs only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from mapkit.numbering import ALPHABET, Axis, Letters

_LIKE = {
    "O": "0", "Q": "0", "D": "0", "I": "1", "L": "1", "Z": "2", "A": "4", "S": "5", "G": "6",
    "T": "7", "B": "8",
}  # fmt: skip
_LETTERS_LIKE = {"0": "ODQ", "1": "IL", "2": "Z", "4": "A", "5": "S", "6": "G", "7": "T", "8": "B"}
_MOST_LETTERS, _MOST_DIGITS = 3, 3
SEPARATORS = ".,:·"
_ALPHABETS = tuple("".join(s for s in ALPHABET if s not in left) for left in ("", "I", "O", "IO"))


def skeleton(text: str) -> str:
    """Return what is left of a text when signs that look alike are made the same.

    >>> skeleton("I.o5"), skeleton("1.05")
    ('105', '105')
    """
    return "".join(_LIKE.get(sign, sign) for sign in text.upper() if sign.isalnum())


def is_near(text: str, label: str) -> bool:
    """Tell whether a text is a label of four signs or more with one of them misread or lost.

    >>> is_near("20te", "2018"), is_near("2o17", "2018"), is_near("218", "2018")
    (False, True, True)
    """
    one, two = skeleton(text), skeleton(label)
    if len(two) < 4 or abs(len(one) - len(two)) > 1 or one == two:
        return False
    if len(one) == len(two):
        return sum(a != b for a, b in zip(one, two, strict=True)) == 1
    short, long = sorted((one, two), key=len)
    return any(short == long[:cut] + long[cut + 1 :] for cut in range(len(long)))


def may_be_label(text: str) -> bool:
    """Tell whether a text is a label on some map: two to six signs, one of them a digit."""
    return any(form.split(text) for form in FORMS)


@dataclass(frozen=True, slots=True)
class Part:
    """One half of a label: so many digits, or letters; 0 digits are as many as it takes."""

    digits: int = 0
    letters: Letters | None = None
    alphabet: str = ALPHABET

    @property
    def modulus(self) -> int | None:
        """After how many numbers they begin again, where their width is fixed."""
        return int(10**self.digits) if self.digits > 1 else None

    def numbers(self, text: str) -> Iterator[int]:
        """Yield the numbers that a text may stand for."""
        if not self.letters:
            digits = "".join(_LIKE.get(sign, sign) for sign in text)
            if digits.isdecimal() and len(digits) <= _MOST_DIGITS:
                yield int(digits)
            return
        if len(text) > _MOST_LETTERS or (self.letters == "AA BB" and len(set(text)) > 1):
            return
        axis = Axis(letters=self.letters, alphabet=self.alphabet)
        each = text[:1] if self.letters == "AA BB" else text
        for signs in product(*(_LETTERS_LIKE.get(sign, sign) for sign in each)):
            letters = "".join(signs) * (len(text) // len(each))
            if all(sign in self.alphabet for sign in letters):
                yield axis.parse_part(letters) + 1

    def axis(self, first: int, step: int, wrap_from: int | None, *, padded: bool) -> Axis:
        """Return the axis of a numbering that counts so."""
        return Axis(
            first=first,
            step=1 if step == 1 else -1,
            digits=self.digits or (2 if padded else 1),
            letters=self.letters,
            alphabet=self.alphabet,
            wrap_from=wrap_from,
        )


@dataclass(frozen=True, slots=True)
class Form:
    """How labels of one map look: two parts, and whether a sign stands between them."""

    first: Part
    second: Part
    parted: bool = False

    def split(self, text: str) -> tuple[str, str] | None:
        """Return the two parts of a text that looks exactly so."""
        match = _compiled(self).fullmatch(text.upper().replace(" ", ""))
        return (match[1], match[2]) if match else None

    def pairs(self, text: str) -> set[tuple[int, int]]:
        """Return every two numbers that a text may stand for, misread signs forgiven."""
        signs = "".join(sign for sign in text.upper() if sign.isalnum())
        found: set[tuple[int, int]] = set()
        exact = self.split(text)
        for cut in [len(exact[0])] if exact and self.parted else range(1, len(signs)):
            one, two = signs[:cut], signs[cut:]
            if self._fits(one, two):
                found |= set(product(self.first.numbers(one), self.second.numbers(two)))
        return found

    def _fits(self, one: str, two: str) -> bool:
        return all(
            part.digits in (0, len(text)) for part, text in ((self.first, one), (self.second, two))
        )


@cache
def _compiled(form: Form) -> re.Pattern[str]:
    between = f"[{SEPARATORS}]" if form.parted else ""
    return re.compile(f"({_pattern(form.first)}){between}({_pattern(form.second)})", re.ASCII)


def _pattern(part: Part) -> str:
    if part.letters == "AA BB":
        return "|".join(f"{sign}{{1,{_MOST_LETTERS}}}" for sign in part.alphabet)
    if part.letters:
        return f"[{part.alphabet}]{{1,{_MOST_LETTERS}}}"
    return rf"\d{{{part.digits}}}" if part.digits else rf"\d{{1,{_MOST_DIGITS}}}"


def _forms() -> Iterator[Form]:
    """Yield what is printed on maps, the usual before the rare."""
    for one, two in ((2, 2), (1, 2), (2, 1), (1, 1), (2, 3), (3, 2), (3, 3)):
        yield Form(Part(one), Part(two))
    yield Form(Part(), Part(), parted=True)
    letters: Letters
    for alphabet in _ALPHABETS:
        for letters in ("AA BB", "AA AB"):
            yield Form(Part(letters=letters, alphabet=alphabet), Part())
            yield Form(Part(), Part(letters=letters, alphabet=alphabet))


FORMS = tuple(_forms())
