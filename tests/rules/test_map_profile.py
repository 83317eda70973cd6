"""The profile of every pack: its words, its levels, every numbering the sources allow."""

from pathlib import Path

import pytest

from mapkit.kinds import GROUPS, ROLES
from mapkit.profile import load_profile, parse_profile
from rules.map_profile import map_profile
from rules.registry import find_pack, pack_names


@pytest.mark.parametrize("game", pack_names())
def test_a_profile_holds_what_its_pack_knows(game: str) -> None:
    pack = find_pack(game)
    profile = map_profile(pack)
    assert parse_profile(profile.dump(), game) == profile
    for group in GROUPS:
        kinds = profile.kinds.group(group)
        assert {kind.id for kind in kinds} == pack.words(group)
        for kind in kinds:
            assert kind.role is None or kind.role in ROLES[group]
            assert (kind.colour is None) == (kind.role is None)


@pytest.mark.parametrize("game", pack_names())
def test_a_numbering_stands_alone_only_where_the_sources_force_it(game: str) -> None:
    pack = find_pack(game)
    numberings = map_profile(pack).numberings
    assert len({repr(one.numbering) for one in numberings}) == len(numberings)
    assert (len(numberings) == 1) == pack.layout.confirmed
    likely = [one for one in numberings if one.likely]
    if pack.layout.shoved is None:
        assert not likely
    else:
        assert likely == [numberings[0]]
        assert numberings[0].numbering == pack.layout.numbering()


def test_the_command_prints_or_writes_it(mapkit_cli, tmp_path: Path) -> None:
    file = tmp_path / "alps.profile.json"
    printed = mapkit_cli("rules", "profile", "strafexpedition")
    written = mapkit_cli("rules", "profile", "strafexpedition", "-o", file)
    assert (printed.exit_code, written.exit_code) == (0, 0)
    assert parse_profile(printed.stdout.encode(), "stdout") == load_profile(file)
    assert mapkit_cli("rules", "profile", "strafexpedition", "-o", file).exit_code == 1
