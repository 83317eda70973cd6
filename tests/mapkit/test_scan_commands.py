"""The commands around a scanned map."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from PIL import Image

from mapkit.maps import load_map, save_map
from mapkit.model import Ground, HexMap, Picture, Provenance
from mapkit.numbering import Numbering
from tests.boards import board
from tests.mapkit.scan.painted import paint


def scanned(folder: Path, *, picture: bool) -> tuple[Path, HexMap]:
    painted = paint(lambda column, row: "lake" if column > 5 else "clear")
    path = folder / "map.png"
    Image.fromarray(painted.sheet.pixels).save(path)
    height, width = painted.sheet.pixels.shape[:2]
    shown = Picture(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), width, height)
    sure, unsure = Provenance("scan", 0.99, "lake"), Provenance("scan", 0.5, "lake")
    grounds = {
        hex_: Ground("clear", provenance={"terrain": unsure if word == "lake" else sure})
        for hex_, word in painted.terrain.items()
    }
    map_ = HexMap(
        painted.sheet.grid,
        Numbering(straight="rows"),
        grounds,
        picture=shown if picture else None,
    )
    map_ = replace(map_, kinds=map_.kinds.with_ids("terrain", iter(["clear", "lake"])))
    file = folder / "scanned.hexmap.json"
    save_map(file, map_)
    return file, map_


def test_doubts_are_listed_and_answered(mapkit_cli, tmp_path):
    file, map_ = scanned(tmp_path, picture=True)
    asked = json.loads(mapkit_cli("map", "doubts", file, "--count", "5", "--json").stdout)
    assert len(asked) == 5
    assert asked[0]["confidence"] == 0.5
    assert asked[0]["runner_up"] == "lake"
    told = mapkit_cli("map", "doubts", file, "--count", "1").stdout
    assert asked[0]["place"] in told
    answers = tmp_path / "answers.csv"
    rows = [f"{one['place']},terrain,lake" for one in asked]
    answers.write_text("\n".join(["place,what,value", *rows]), "utf-8")
    done = mapkit_cli("map", "review", file, "--answers", answers, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["again"]
    after = load_map(file)
    lakes = [hex_ for hex_, g in map_.hexes.items() if g.provenance["terrain"].confidence == 0.5]
    assert sum(after.hexes[hex_].terrain == "lake" for hex_ in lakes) > 0.9 * len(lakes)


def test_without_a_picture_only_the_answers_are_entered(mapkit_cli, tmp_path):
    file, map_ = scanned(tmp_path, picture=False)
    label = map_.label(next(iter(map_.hexes)))
    answers = tmp_path / "answers.csv"
    answers.write_text(f"place,what,value\n{label},terrain,quarry\n", "utf-8")
    done = mapkit_cli("map", "review", file, "--answers", answers)
    assert done.exit_code == 0
    assert load_map(file).hexes[map_.hex(label)].terrain == "quarry"
    assert done.stderr


def test_a_picture_that_is_gone_is_told_in_a_line(mapkit_cli, tmp_path):
    file, map_ = scanned(tmp_path, picture=True)
    (tmp_path / "map.png").unlink()
    answers = tmp_path / "answers.csv"
    label = map_.label(next(iter(map_.hexes)))
    answers.write_text(f"place,what,value\n{label},terrain,quarry\n", "utf-8")
    done = mapkit_cli("map", "review", file, "--answers", answers)
    assert done.exit_code == 1
    assert "the picture of the map is not there" in done.stderr
    assert load_map(file) == map_


def test_accuracy_is_told_and_given_as_data(mapkit_cli, tmp_path):
    one, other = tmp_path / "one.hexmap.json", tmp_path / "other.hexmap.json"
    save_map(one, board(". w", ". ."))
    save_map(other, board(". h", ". ."))
    data = json.loads(mapkit_cli("map", "accuracy", one, other, "--json").stdout)
    assert data["terrain"]["accuracy"] == 0.75
    assert data["terrain"]["confusion"] == [{"true": "hills", "read": "woods", "count": 1}]
    assert "75.0" in mapkit_cli("map", "accuracy", one, other).stdout


def test_what_could_not_be_written_is_refused_before_the_work(mapkit_cli, tmp_path):
    picture = tmp_path / "scan.png"
    Image.new("RGB", (400, 300), "white").save(picture)
    nowhere = mapkit_cli("map", "scan", picture, "-o", tmp_path / "none" / "a.hexmap.json")
    assert nowhere.exit_code == 1
    assert "there is no folder" in nowhere.stderr
    sheet = tmp_path / "none" / "sheet.png"
    stitched = mapkit_cli("map", "stitch", picture, picture, "-o", sheet)
    assert stitched.exit_code == 1
    assert "there is no folder" in stitched.stderr
    report = tmp_path / "report"
    report.mkdir()
    (report / "report.html").write_text("mine", "utf-8")
    out = tmp_path / "a.hexmap.json"
    taken = mapkit_cli("map", "scan", picture, "-o", out, "--report", report)
    assert taken.exit_code == 1
    assert "report.html exists" in taken.stderr
    blocked = mapkit_cli("map", "scan", picture, "-o", out, "--report", picture)
    assert blocked.exit_code == 1
    assert "cannot make the folder" in blocked.stderr
    assert not out.exists()
