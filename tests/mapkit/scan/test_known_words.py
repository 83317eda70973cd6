from pathlib import Path

from mapkit.kinds import ROLES

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "scan.md"


def test_the_words_that_drawings_know_stand_in_the_how_to():
    lines = HOW_TO.read_text(encoding="utf-8").splitlines()
    for group, words in ROLES.items():
        assert f"- {group}: {', '.join(words)}" in lines
