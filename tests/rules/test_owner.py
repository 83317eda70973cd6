"""Owner files: what they may fill and choose, and every fault at once."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.errors import StoreError
from mapkit.texts import LANGUAGES, use
from rules.owner import (
    OwnerError,
    OwnerFile,
    check_owner,
    key_type,
    load_owner,
    pack_with_owner,
    parse_owner,
)
from rules.owner_told import owner_template
from rules.project import load_project
from rules.registry import find_pack, pack_names

GAME = "strafexpedition"
HEAD = f'format = "mapkit-owner/1"\ngame = "{GAME}"\n'


def owner(**parts):
    return OwnerFile("mine", GAME, **parts)


def faults_of(**parts):
    with pytest.raises(OwnerError) as caught:
        pack_with_owner(GAME, owner(**parts))
    return {fault.place: str(fault) for fault in caught.value.faults}


@pytest.fixture
def written(tmp_path):
    def write(text, name="mine.owner.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


# What is read


def test_values_are_read_nested_or_dotted(written):
    nested = load_owner(written(HEAD + "[values.levels]\nlowest = 1\nhighest = 9\n"))
    dotted = load_owner(written(HEAD + "[values]\nlevels.lowest = 1\n'levels.highest' = 9\n"))
    assert nested.values == dotted.values == {"levels.lowest": 1, "levels.highest": 9}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = \n", "broken TOML: .*line 1.*; mend that line"),
        ('format = "mapkit-owner/2"', r"its format is 'mapkit-owner/2', this Mapkit reads"),
        ("game = 3", "its format is None"),
        (HEAD + "colour = 3", "colour: an owner file has no such part; there is: format, game"),
        ('format = "mapkit-owner/1"', 'game: it names no game; write game = "caporetto-1917"'),
        (HEAD + "values = 3", r"values: it is no table; write \[values\]"),
        (HEAD + "[assumptions]\nfoza = 3768", "assumptions.foza: an answer is a word in quotes"),
        (HEAD + "[values]\na.b = 1\n'a.b' = 2", "values.a.b: it stands twice; take one out"),
    ],
)
def test_what_is_no_owner_file_says_so(written, text, message):
    with pytest.raises(OwnerError, match=message):
        load_owner(written(text))


def test_a_file_in_another_encoding_or_missing(tmp_path):
    path = tmp_path / "mine.owner.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(OwnerError, match="not UTF-8 text"):
        load_owner(path)
    with pytest.raises(StoreError, match="owner file"):
        load_owner(tmp_path / "none.owner.toml")


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: (HEAD + text).encode()))
def test_any_bytes_are_read_or_refused_in_words(data):
    with suppress(OwnerError):
        pack_with_owner(GAME, parse_owner(data, "mine"))


def dotted_keys(data, above=""):
    """Every key of a pack, with a stranger beside each."""
    for name, value in data.items():
        yield from (f"{above}{name}", f"{above}snow")
        if isinstance(value, dict):
            yield from dotted_keys(value, f"{above}{name}.")


EVERY_KEY = sorted({*dotted_keys(find_pack(GAME).model_dump()), "supply.legs.1.limit", "", "."})
KEYS = st.tuples(st.sampled_from(EVERY_KEY), st.sampled_from(["", ".cite", ".title", ".0"])).map(
    "".join
)
VALUES = st.sampled_from([None, True, -1, 9.5, "TEC", "even", [], [1], {}, [{"cite": "TEC"}]])


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_any_values_fit_or_are_refused_in_words_and_no_stated_value_changes(values):
    plain = find_pack(GAME)
    try:
        pack = pack_with_owner(GAME, owner(values=values))
    except OwnerError:
        return
    assert (pack.supply, pack.zones, pack.sides) == (plain.supply, plain.zones, plain.sides)
    assert plain.sight is not None
    assert pack.sight is not None
    assert pack.sight.reach == plain.sight.reach
    for name, reach in plain.sight.weather.items():
        assert pack.sight.weather[name] == reach
    assert pack.terrain.items() >= plain.terrain.items()


# What may be filled in


def test_what_is_empty_may_be_filled():
    pack = pack_with_owner(GAME, owner(values={"levels.lowest": 1, "levels.highest": 9}))
    assert pack.levels is not None
    assert (pack.levels.lowest, pack.levels.high_mountain, pack.levels.highest) == (1, 8, 9)
    plain = find_pack(GAME)
    assert plain.levels is not None
    assert plain.levels.lowest is None, "the pack itself stays as it is"


def test_what_the_card_tells_may_be_filled():
    values = {"levels.lowest": 1, "levels.high_mountain": 7, "classes.cavalry.steps": 1}
    pack = pack_with_owner("caporetto-1917", OwnerFile("mine", "caporetto-1917", values=values))
    assert pack.levels is not None
    assert pack.levels.high_mountain == 7
    assert pack.classes["cavalry"].steps == 1


def test_a_further_weather_and_how_far_one_sees_in_it():
    values = {
        "weather.snow.title": "Snow",
        "weather.snow.cite": "Turn Record Track",
        "sight.weather.snow.hexes": 1,
        "sight.weather.snow.cite": "Turn Record Track",
    }
    pack = pack_with_owner(GAME, owner(values=values))
    assert pack.sight is not None
    assert pack.sight.policy("snow").reach.hexes == 1


def test_a_look_at_the_map_settles_the_layout():
    confirmed = pack_with_owner(GAME, owner(values={"layout.confirmed": True}))
    assert confirmed.layout.confirmed
    other = {"layout.confirmed": True, "layout.straight": "columns", "layout.shoved": "even"}
    assert pack_with_owner(GAME, owner(values=other)).layout.straight == "columns"
    assert find_pack("caporetto-front").layout.confirmed, "else the next lines prove nothing"
    with pytest.raises(OwnerError, match=r"values.layout.shoved: our sources state it \["):
        pack_with_owner(
            "caporetto-front",
            OwnerFile("mine", "caporetto-front", values={"layout.shoved": "even"}),
        )


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("levels.high_mountain", r"our sources state it \[12.2\]: 8; take it out"),
        ("sight.reach.hexes", r"our sources state it \[13.2.2\]: 6"),
        ("zones.effects.on_entry", r"our sources state it \[11.1.1\]: go_on"),
        ("sight.adjacent_clear", r"our sources state it \[13.2.2\]: true"),
        ("terrain.woods.cite", r"our sources state it \[13.2.3\]: 13.2.3"),
        ("weather.rain.title", r"our sources state it \[9.1\]: Rain"),
        ("layout.order", r"our sources state it \[Set-up\]: RRCC"),
        ("supply.legs", r"our sources state it \[10.2\]; take it out"),
        ("id", "our sources state it: strafexpedition"),
    ],
)
def test_what_the_sources_state_is_not_overwritten(key, message):
    with pytest.raises(OwnerError, match=rf"values\.{key}: {message}"):
        pack_with_owner(GAME, owner(values={key: 1}))


@pytest.mark.parametrize(
    "key", ["sight.reach.cap", "supply.legs.1.limit", "sight.weather.clear.hexes"]
)
def test_what_is_empty_on_purpose_stays_empty(key):
    """No cap and no limit are what the rule says; other readings are chosen as assumptions."""
    (told,) = faults_of(values={key: 3}).values()
    assert "it is empty on purpose [" in told
    assert "`mapkit rules missing strafexpedition` lists what can be entered" in told


def test_every_fault_is_told_at_once():
    told = faults_of(
        assumptions={"sight-beyond-sixx": "six", "foza": "hex-1", "sommo": "elsewhere"},
        values={"levels.lowset": 1, "levels.high_mountain": 9, "no.such.key": 1},
    )
    assert told == {
        "assumptions.sight-beyond-sixx": "assumptions.sight-beyond-sixx: there is no such "
        "question; did you mean 'sight-beyond-six'?",
        "assumptions.foza": "assumptions.foza: the question has no answer 'hex-1'; "
        "there is: hex-3768",
        "assumptions.sommo": "assumptions.sommo: the question has no answer 'elsewhere'; "
        "take it out: there is only ours",
        "values.levels.lowset": "values.levels.lowset: a pack has no such key; "
        "did you mean 'levels.lowest'?",
        "values.levels.high_mountain": "values.levels.high_mountain: our sources state it [12.2]: "
        "8; take it out; another reading is chosen under [assumptions]",
        "values.no.such.key": "values.no.such.key: a pack has no such key; "
        "correct it or take it out",
    }


def test_values_of_the_wrong_kind_are_told_at_once():
    values = {"levels.lowest": "deep", "levels.highest": 9.5, "classes.guides.title": "Guides"}
    told = faults_of(values=values)
    assert set(told) == {
        "values.levels.lowest",
        "values.levels.highest",
        "values.classes.guides.cite",
    }
    assert told["values.classes.guides.cite"].endswith("cite: field required; add it")


def test_a_value_and_a_part_of_it_are_not_both_entered():
    told = faults_of(values={"terrain.bog": 3, "terrain.bog.cite": "TEC"})
    assert "'terrain.bog' has a value itself" in told["values.terrain.bog.cite"]


def test_a_word_that_nobody_defines_is_told():
    values = {
        "weather.snow.title": "Snow",
        "weather.snow.cite": "Map",
        "weather.snow.ground": ["ice"],
    }
    assert "the pack has no word 'ice'" in faults_of(values=values)["values"]


def test_the_file_of_another_game_is_refused():
    with pytest.raises(OwnerError, match="for 'strafexpedition', the game played is 'custoza'"):
        pack_with_owner("custoza", owner())


def test_two_answers_may_not_pull_a_value_both_ways(own_game):
    parts = {"near": "two", "far": "three"}
    with pytest.raises(OwnerError, match=r"assumptions.far: it and 'near' give sight.reach.hexes"):
        pack_with_owner("skirmish", OwnerFile("mine", "skirmish", parts))
    pack = pack_with_owner("skirmish", OwnerFile("mine", "skirmish", {"near": "two"}))
    assert pack.sight is not None
    assert pack.sight.reach.hexes == 2


@pytest.fixture
def own_game(tmp_path, monkeypatch):
    folder = tmp_path / "packs" / "skirmish"
    folder.mkdir(parents=True)
    monkeypatch.setenv("MAPKIT_PACKS", str(folder.parent))
    (folder / "pack.toml").write_text(
        'id = "skirmish"\ntitle = "Skirmish"\n[layout]\norder = "CCRR"\nstraight = "columns"\n'
        'shoved = "even"\ncolumns_run = "E"\nrows_run = "S"\nconfirmed = true\ncite = "2.1"\n'
        '[sight]\nalong_cite = "4.1"\ncite = "4.1"\nreach = { hexes = 9, cite = "4.1" }\n',
        encoding="utf-8",
    )
    question = '[assumptions.{0}]\ncites = ["4.1"]\nquestion = "How?"\nwe_assume = "So."\n'
    answer = (
        '[assumptions.{0}.alternatives.{1}]\nsays = "Else."\n'
        'set = {{ "sight.reach.hexes" = {2} }}\n'
    )
    (folder / "open_points.toml").write_text(
        (question + answer).format("near", "two", 2)
        + (question + answer).format("far", "three", 3),
        encoding="utf-8",
    )
    yield folder
    find_pack.cache_clear()


# The pack of a project


def test_a_project_plays_by_its_owner_file(tmp_path):
    (tmp_path / "project.toml").write_text(
        f'format = "mapkit-project/1"\nname = "Alps"\ngame = "{GAME}"\nowner = "a.owner.toml"\n',
        encoding="utf-8",
    )
    file = tmp_path / "a.owner.toml"
    file.write_text(HEAD + '[assumptions]\nsight-beyond-six = "six"\n', encoding="utf-8")
    pack = load_project(tmp_path).pack
    assert pack is not None
    assert pack.sight is not None
    assert pack.sight.reach.cap == 6
    file.write_text(HEAD + "[values]\nlevels.high_mountain = 3\n", encoding="utf-8")
    with pytest.raises(OwnerError, match=r"a\.owner\.toml: values.levels.high_mountain"):
        _ = load_project(tmp_path).pack


# The file to fill in


@pytest.mark.parametrize("game", pack_names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_to_fill_in_is_valid_as_it_is(game, language):
    use(language)
    try:
        text = owner_template(find_pack(game))
    finally:
        use(None)
    blank = parse_owner(text.encode(), "mine")
    assert (blank.assumptions, blank.values) == ({}, {})
    assert pack_with_owner(game, blank) == find_pack(game)


SAMPLES = {int: "1", bool: "true", str: '"TEC"', key_type("terrain.x.costs.y"): '"1/2"'}


def sample(pack, key):
    """An invented value for a key; tables get columns that fit what is known of them."""
    parent, _, last = key.rpartition(".")
    if last not in ("columns", "rows", "by_value"):
        return SAMPLES[key_type(key)]
    if last == "by_value":
        return '{ "<=2" = -1, "3+" = -2 }'
    table = pack.tables[parent.split(".")[1]]
    columns = list(table.known.columns) if table.known else ["1-3", "4+"]
    cell = "- | -" if table.two_sided else "-"
    return json.dumps(columns) if last == "columns" else f'{{ "1-6" = {[cell] * len(columns)} }}'


@pytest.mark.parametrize("game", [GAME, "caporetto-1917"])
def test_the_file_to_fill_in_works_when_all_is_filled_in(game):
    pack = find_pack(game)
    lines = []
    answered = set()
    for line in owner_template(pack).splitlines():
        shown = line.removeprefix("# ")
        key, equals, _ = shown.partition(" =")
        if shown == line or not equals:
            lines.append(line)
        elif key_type(key) is not None:
            lines.append(f"{key} = {sample(pack, key)}")
        elif key in pack.assumptions and key not in answered:
            lines.append(shown)
            answered.add(key)
    filled = parse_owner("\n".join(lines).encode(), "mine")
    assert set(filled.assumptions) == {
        name for name, one in pack.assumptions.items() if one.alternatives
    }
    asked = {key for one in pack.missing.values() for key in one.keys}
    assert {parent_of(key, asked) for key in filled.values} == asked
    played = pack_with_owner(game, filled)
    assert played.layout.confirmed
    assert played != pack


def parent_of(key, asked):
    """The key asked for that an entered one lies in: the rows of a table hold many."""
    return next(one for one in asked if key == one or key.startswith(f"{one}."))


# The commands


def test_missing_tells_what_and_where(mapkit_cli):
    ran = mapkit_cli("rules", "missing", GAME)
    assert ran.exit_code == 0
    assert "weather-calendar: The weather of each day" in ran.stdout
    assert "printed on: Turn Record Track, on the map" in ran.stdout
    data = json.loads(mapkit_cli("rules", "missing", GAME, "--json").stdout)
    levels = next(one for one in data if one["id"] == "levels")
    assert levels["keys"] == ["levels.lowest", "levels.highest"]


def test_missing_writes_a_file_once(mapkit_cli, tmp_path):
    file = tmp_path / "mine.owner.toml"
    assert mapkit_cli("rules", "missing", GAME, "--template", str(file)).exit_code == 0
    assert load_owner(file).game == GAME
    ran = mapkit_cli("rules", "missing", GAME, "--template", str(file))
    assert (ran.exit_code, "exists; give --force" in ran.stderr) == (1, True)
    assert mapkit_cli("rules", "missing", GAME, "--template", str(file), "--force").exit_code == 0


@pytest.mark.parametrize("text", ["", "\n \n", ";;\n"], ids=["no byte", "blank", "no cell"])
def test_an_empty_table_is_one_clear_line(mapkit_cli, tmp_path, text):
    (tmp_path / "assault.csv").write_text(text, encoding="utf-8")
    file = tmp_path / "mine.owner.toml"
    head = f'format = "mapkit-owner/1"\ngame = "{GAME}"\n'
    file.write_text(f'{head}[tables]\nassault = "assault.csv"\n', encoding="utf-8")
    ran = mapkit_cli("rules", "pack", "check", file)
    assert ran.exit_code == 1
    _, *faults = ran.stdout.splitlines()
    assert len(faults) == 1
    assert "assault.csv, line 1: there is no table" in faults[0]


def test_the_file_to_fill_in_tells_of_fractions_and_groups():
    text = owner_template(find_pack(GAME))
    assert '"1/2"' in text
    assert "holds for all its classes" in " ".join(text.replace("#", " ").split())


def test_a_game_without_open_points_says_so(mapkit_cli, own_game):
    (own_game / "open_points.toml").unlink()
    assert "nothing is missing" in mapkit_cli("rules", "missing", "skirmish").stdout
    assert "no question open" in mapkit_cli("rules", "assumptions", "skirmish").stdout


def test_assumptions_tells_question_answer_and_others(mapkit_cli):
    ran = mapkit_cli("rules", "assumptions", GAME)
    assert "sight-beyond-six [3.0, 13.2.2]\n  Can one see further than six hexes?" in ran.stdout
    assert "six: Six hexes are the most in any case; height adds nothing.\n" in ran.stdout
    data = json.loads(mapkit_cli("rules", "assumptions", GAME, "--json").stdout)
    assert len(data) == len(find_pack("strafexpedition").assumptions)
    assert data[1]["alternatives"][0]["changes"] == {"sight.reach.cap": 6}


def test_a_good_file_is_told_with_what_is_still_empty(mapkit_cli, written):
    answers = '[assumptions]\nsight-beyond-six = "ten"\nregiments-223-and-224 = "bari"\n'
    file = written(HEAD + answers + "[values]\nlevels.lowest = 1\n")
    ran = mapkit_cli("rules", "pack", "check", str(file))
    assert ran.exit_code == 0
    assert "fits Strafexpedition 1916" in ran.stdout
    assert "2 answers chosen" in ran.stdout
    assert "'regiments-223-and-224' is kept, but the pack has no value yet" in ran.stdout
    assert "still empty: layout.confirmed, levels.highest" in ran.stdout
    data = json.loads(mapkit_cli("rules", "pack", "check", str(file), "--json").stdout)
    assert (data["without_effect"], data["values"]) == (
        ["regiments-223-and-224"],
        ["levels.lowest"],
    )


def test_a_bad_file_is_told_with_every_fault(mapkit_cli, written):
    """Faults of the file, of the answers, of the keys and of the values: none hides another."""
    bad = (
        HEAD + 'colour = 3\n[assumptions]\nfoza = 1\nsommo = "x"\n'
        '[values]\nlevels.lowest = "deep"\nlevels.high_mountain = 9\n'
    )
    ran = mapkit_cli("rules", "pack", "check", str(written(bad)), "--json")
    assert ran.exit_code == 1
    assert [one["place"] for one in json.loads(ran.stdout)["faults"]] == [
        "colour",
        "assumptions.foza",
        "assumptions.sommo",
        "values.levels.high_mountain",
        "values.levels.lowest",
    ]
    told = mapkit_cli("rules", "pack", "check", str(written(bad))).stdout
    assert "5 faults" in told
    assert "colour: an owner file has no such part" in told


def test_a_file_for_a_game_nobody_has(written):
    check = check_owner(written('format = "mapkit-owner/1"\ngame = "chess"\n'))
    assert [str(fault).partition(";")[0] for fault in check.faults] == [
        "game: no rules pack 'chess'"
    ]
