"""A certificate speaks no language: saved in German, it is verified in English."""

import json
from pathlib import Path

from mapkit.document.writing import dump_map
from tests.boards import board


def test_a_ruling_saved_in_german_is_verified_in_english(mapkit_cli, tmp_path: Path) -> None:
    # A village means nothing to the game: the ruling has to say so, and says it in words.
    land = board("S1 1 1 1", "1 V1 1 1", "1 1 1 1", layout="pointy", links={"road": "0101-0201"})
    file, saved = tmp_path / "land.hexmap.json", tmp_path / "ruling.json"
    file.write_bytes(dump_map(land))
    asked = ("supply", file, "0303", "--side", "it", "--game", "strafexpedition", "--save", saved)
    assert mapkit_cli("--lang", "de", "rules", *asked).exit_code == 0
    assert "village" in json.dumps(json.loads(saved.read_text("utf-8"))["ruling"])
    verified = mapkit_cli("--lang", "en", "rules", "verify", saved)
    assert verified.exit_code == 0, verified.stdout


def test_reasons_that_quote_are_saved_alike_in_every_language(mapkit_cli, tmp_path: Path) -> None:
    may = ("may", "caporetto-1917", "lower_trench", "--side", "it", "--class", "infantry")
    saved = {}
    for language in ("en", "de", "it"):
        file = tmp_path / f"{language}.json"
        asked = ("rules", *may, "--with", "trench=2", "--save", file)
        told = mapkit_cli("--lang", language, *asked)
        assert told.exit_code == 0
        saved[language] = file.read_bytes()
        assert mapkit_cli("--lang", "de", "rules", "verify", file).exit_code == 0
    assert "Graben" in mapkit_cli("--lang", "de", "rules", *may, "--with", "trench=2").stdout
    assert saved["en"] == saved["de"] == saved["it"]
