"""Yes, no, or nobody knows: how answers are put together when a map has gaps."""

Applies = bool | None


def both(one: Applies, other: Applies) -> Applies:
    """Return whether both apply, as far as is known."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def either(one: Applies, other: Applies) -> Applies:
    """Return whether one of the two applies, as far as is known."""
    if one or other:
        return True
    return None if one is None or other is None else False
