"""The page's own words, in three languages."""

from exporters.page.phrases import Phrases

_OURS = (
    "hex", "find", "turn", "tables", "rules", "no_game", "no_sight", "find_hint", "find_none",
    "rules_hint", "level", "level_unknown", "hexsides", "roads", "toward", "profile",
    "compared", "cites", "language", "map", "no_turn", "no_tables", "no_rules", "on_card", "roll",
    "shifts", "drms", "distance_one", "distance_many", "tap_hex", "too_far", "english_only",
    "see_also", "not_found", "hide", "show", "note", "terrain", "in_cards",
    "look_from_here", "tab_sight", "tab_field", "map_keys", "not_told", "turn_english",
)  # fmt: skip
_TABLE = (
    "field", "sight", "weather", "tap_observer", "tap_target", "clear_all",
    "open_points", "we_assume", "rests_on", "missing", "smaller", "larger", "show_all",
)  # fmt: skip

_SLOTS = {slot: f"{{{slot}}}" for slot in ("n", "hex", "card")}  # the page fills them in


def page_words(phrases: Phrases) -> dict[str, int]:
    """Return every word the page says by itself; those of the table in the browser are the same."""
    ours = {word: phrases.say(f"exporters.page.word.{word}", **_SLOTS) for word in _OURS}
    ours["unknown"] = phrases.say("exporters.page.unknown")
    return ours | {word: phrases.say(f"rules.assistant.{word}") for word in _TABLE}
