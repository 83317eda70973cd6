"""Withdrawals of Custoza (12.1), the trace of a rout (13.5) and Peschiera's height (22.3.5).

No other game of ours has them: `withdrawal`, `rout` and `raised` are tested here alone.
"""

import pytest

from rules.case_maps import CaseMap, case_field
from rules.case_units import placed_units
from rules.combat.losses import Blow, Occasion, Target
from rules.errors import RulesError
from rules.judges.losses import rule_losses
from rules.judges.retreat_ways import MOST_WAYS
from rules.judges.rout import RoutJudge
from rules.judges.sight import SightJudge
from rules.judges.withdrawal import WithdrawalJudge
from rules.owner import OwnerFile, pack_with_owner
from rules.pack import Pack
from rules.registry import find_pack
from rules.schema.losses import Losses
from rules.schema.retreat import Retreat
from rules.verifier import verify
from tests.boards import board, field
from tests.rules.custoza.test_custoza_retreat import COSTS, FRIENDS, GAME, LIMIT, OPEN, ZONES
from tests.rules.protocol.certified_boards import certificate_of, saved

HERE = "2713"  # an odd column: its neighbours are 2712 2714 2613 2614 2813 2814
BEHIND = ["2614", "2714", "2814"]
SIGHT = {
    "sight.obstacles.hill": {"when": ["level > higher_end"], "cite": "8"},
    "sight.reach": {"hexes": 9, "cite": "8"},
    "sight.along_cite": "8",
    "sight.cite": "8",
}


def pack_of(values=(), answers=()):
    return pack_with_owner(GAME, OwnerFile("x", GAME, dict(answers), {**OPEN, **dict(values)}))


def judge_of(values=(), unit="infantry", enemies=("2712:infantry",), friends=(), **about):
    answers, light = about.pop("answers", {}), about.pop("light", None)
    markers = about.pop("markers", ())
    ground = case_field(pack_of(values, answers), CaseMap(**about), (HERE, "2710", "2716", "2413"))
    (who,) = placed_units(ground, "it", [f"{HERE}:{unit}"])
    ours, theirs = placed_units(ground, "it", friends), placed_units(ground, "ah", enemies)
    laid = tuple(map(ground.hex, markers))
    return WithdrawalJudge(ground, who, ours, theirs, light, laid)


def keys(reasons):
    return {one.key.rpartition(".")[2] for one in reasons}


class TestWithdrawal:
    def test_it_is_told_with_its_rules(self):
        ruling = judge_of(ZONES).rule()
        assert (ruling.question, ruling.verdict) == ("withdrawal", "withdraws")
        assert ruling.working["to"] == BEHIND
        assert {"12.1", "12.2", "10.5", "10.5.4"} <= set(ruling.cites)
        assert {"facing", "like_retreat", "split", "worse_zone"} <= keys(ruling.reasons)
        assert ruling.assumptions == ("choice-of-the-way-out",)

    def test_who_reads_it_so_chooses_his_way_through_zones(self):
        free = {"choice-of-the-way-out": "as-one-likes"}
        ruling = judge_of(ZONES, answers=free).rule()
        assert ruling.verdict == "withdraws"
        assert set(BEHIND) < set(ruling.working["to"])
        assert {len(way) for way in ruling.working["ways"]} > {2}
        assert "as_one_likes" in keys(ruling.reasons)

    def test_very_many_ways_are_not_all_listed(self):
        free = {"choice-of-the-way-out": "as-one-likes"}
        about = ["2711:infantry", "2714:infantry", "2512:infantry", "2912:infantry"]
        ruling = judge_of(ZONES, answers=free, enemies=about).rule()
        assert len(ruling.working["ways"]) == MOST_WAYS
        assert "more_ways" in keys(ruling.reasons)
        assert "more_ways" not in keys(judge_of(ZONES).rule().reasons)

    def test_enemies_react_to_a_way_through_their_zones(self):
        marsh = dict.fromkeys(BEHIND, "marsh 1")
        ruling = judge_of({**ZONES, **COSTS}, hexes=marsh).rule()
        told = [one for one in ruling.reasons if one.key.endswith(".reaction")]
        assert {one.values["to"] for one in told} == {"2613", "2813"}
        assert {one.cite for one in told} == {"10.5.6"}

    @pytest.mark.parametrize(
        ("answer", "verdict"), [(None, "eliminated"), ("leaves-it", "withdraws")]
    )
    def test_a_square_cannot_move(self, answer, verdict):
        answers = {"square-that-has-to-withdraw": answer} if answer else {}
        ruling = judge_of(ZONES, unit="infantry:square=1", answers=answers).rule()
        assert ruling.verdict == verdict
        assert ("square-that-has-to-withdraw" in ruling.assumptions) == (answer is None)

    def test_a_square_out_of_all_zones_stays(self):
        ruling = judge_of(ZONES, unit="infantry:square=1", enemies=["2711:infantry"]).rule()
        assert (ruling.verdict, keys(ruling.reasons)) == ("stays", {"in_no_zone"})

    def test_nobody_has_to_react(self):
        square = judge_of(ZONES, unit="infantry:square=1")
        assert square.rule_reaction(square.field.hex("2712")).verdict == "stays"

    @pytest.mark.parametrize(
        ("answer", "verdict"), [(None, "eliminated"), ("through-zones", "withdraws")]
    )
    def test_at_night(self, answer, verdict):
        marsh = dict.fromkeys(BEHIND, "marsh 1")
        answers = {"withdrawal-at-night": answer} if answer else {}
        judge = judge_of({**ZONES, **COSTS}, hexes=marsh, light="night", answers=answers)
        assert judge.rule().verdict == verdict

    def test_at_night_zones_that_nobody_knows_leave_it_open(self):
        judge = judge_of(light="night")
        for ruling in (judge.rule(), judge.rule_after_check()):
            assert (ruling.verdict, keys(ruling.missing)) == ("unknown", {"printed_on"})

    def test_a_limit_that_nobody_entered_is_asked_for(self):
        ruling = judge_of(
            ZONES, unit=FRIENDS, friends=[f"{one}:{FRIENDS}" for one in BEHIND]
        ).rule()
        assert (ruling.verdict, keys(ruling.missing)) == ("unknown", {"doubt_room"})
        full = [f"{one}:{FRIENDS}" for one in BEHIND]
        passed = judge_of({**ZONES, **LIMIT}, unit=FRIENDS, friends=full).rule()
        assert passed.verdict == "withdraws"
        assert passed.working["passed"]
        assert "friends-passed-in-retreat" in passed.assumptions

    def test_a_road_over_a_blown_bridge_opens_no_marsh(self):
        """A second judge found that it did, in retreats too."""
        about = {
            "hexes": dict.fromkeys(("2613", "2614", "2714", "2813", "2814"), "marsh 1"),
            "links": {"road": (f"{HERE}-2714",)},
            "hexsides": {"river": (f"{HERE}/2714",), "bridge": (f"{HERE}/2714",)},
        }
        assert judge_of({**ZONES, **COSTS}, **about).rule().verdict == "withdraws"
        blown = judge_of({**ZONES, **COSTS}, **about, blown=(f"{HERE}/2714",))
        assert blown.rule().verdict == "eliminated"

    def test_who_breaks_off_is_an_open_question(self):
        about = "who-withdraws-after-a-failed-check"
        assert about in judge_of(ZONES).rule_after_check().assumptions
        assert about not in judge_of(ZONES).rule().assumptions

    def test_the_wrong_way_in_reaction_is_told_by_its_own_rule(self):
        judge = judge_of(ZONES)
        told = judge.rule_reaction(judge.field.hex("2712")).reasons
        assert {one.cite for one in told if one.key.endswith("not_away")} == {"11.5.5"}

    def test_what_is_refused(self):
        judge = judge_of(ZONES)
        with pytest.raises(RulesError, match="nobody reacts to an enemy in 2713"):
            judge.rule_reaction(judge.unit.hex)
        with pytest.raises(RulesError, match="has no class"):
            WithdrawalJudge(judge.field, placed_units(judge.field, "it", [HERE])[0])

    def test_other_games_have_no_such_rule(self):
        pack = find_pack("strafexpedition")
        ground = case_field(pack, CaseMap(), ("2020",))
        (unit,) = placed_units(ground, "it", ["2020:infantry"])
        ruling = WithdrawalJudge(ground, unit).rule()
        assert (ruling.verdict, ruling.cites) == ("unknown", ())
        assert RoutJudge(ground, unit).rule().verdict == "unknown"

    def test_it_needs_a_course(self):
        rules = find_pack(GAME).retreat.model_dump()
        kind = {"id": "1", "holds": "nobody", "cite": "1"}
        with pytest.raises(ValueError, match="it needs a course"):
            Retreat.model_validate({**rules, "course": None, "priorities": [kind]})


class TestRout:
    WAY = dict.fromkeys(("2531", "2532", "2533"), "clear 1")

    def ruled(self, values=(), answers=(), **about):
        ground = case_field(
            pack_of(values, answers),
            CaseMap(hexes=self.WAY),
            ("2530", "2431", "2432", "2632"),
            nothing_else=True,
        )
        (unit,) = placed_units(ground, "it", ["2530:infantry"])
        ours = placed_units(ground, "it", about.get("friends", ()))
        return RoutJudge(ground, unit, ours, placed_units(ground, "ah", about["enemies"])).rule()

    @pytest.mark.parametrize(("answer", "verdict"), [(None, "eliminated"), ("zones-too", "routed")])
    def test_what_contests_a_zone(self, answer, verdict):
        """2432 is a friend whose zone covers 2531, 2532 and 2533."""
        answers = {"uncontested-zones": answer} if answer else {}
        about = {"enemies": ["2632:infantry"], "friends": ["2432:infantry"]}
        ruling = self.ruled(ZONES, answers, **about)
        assert ruling.verdict == verdict
        assert {"uncontested-zones", "supply-routes-of-a-rout"} <= set(ruling.assumptions)

    def test_why_it_is_lost_is_told(self):
        cut = self.ruled(
            enemies=["2532:infantry:march_movement=1", "2432:infantry:march_movement=1"]
        )
        assert (cut.verdict, keys(cut.reasons)) == ("eliminated", {"eliminated", "cut"})
        assert set(cut.cites) == {"13.5", "24.1.5"}

    def test_losses_tell_that_it_is_asked_for(self):
        pack = find_pack(GAME)
        for points, told in ((4, True), (1, False)):
            blow, units = Blow(points=points), [Target("a", "infantry", 5)]
            ruling = rule_losses(pack, units, blow, Occasion("assault"))
            assert ("rout_trace" in keys(ruling.reasons)) == told
            assert ("uncontested-zones" in ruling.assumptions) == told

    def test_no_way_saves_a_fortress(self):
        pack = find_pack(GAME)
        units = [Target("fort", "fortress", 5), Target("a", "infantry", 5)]
        ruling = rule_losses(pack, units, Blow(points=4), Occasion("assault"))
        assert ruling.verdict == "eliminated, routed"
        assert "22.3.3" in ruling.cites
        told = [one for one in ruling.reasons if one.key.endswith("rout_trace")]
        assert [one.values["name"] for one in told] == ["a"]

    def test_a_fortress_leans_on_no_reading_of_the_way(self):
        ground = case_field(pack_of(ZONES), CaseMap(), ("1705", "1004"))
        (fort,) = placed_units(ground, "it", ["1705:fortress"])
        ruling = RoutJudge(ground, fort).rule()
        assert (ruling.verdict, ruling.cites, ruling.assumptions) == (
            "eliminated",
            ("22.3.3",),
            (),
        )

    def test_whom_no_way_saves_is_a_word_of_the_pack(self):
        data = find_pack(GAME).model_dump(by_alias=True)
        data["losses"]["rout"]["never"] = {"castle": "22.3.3"}
        with pytest.raises(ValueError, match="castle"):
            Pack.model_validate(data)

    def test_it_is_asked_only_where_somebody_routs(self):
        rules = find_pack(GAME).losses.model_dump()
        with pytest.raises(ValueError, match="nobody routs"):
            Losses.model_validate({**rules, "surrender": None})


class TestPeschiera:
    def ruled(self, a="1703", b="1707", answers=(), values=SIGHT, light=None, **hexes):
        case = CaseMap(hexes={label.removeprefix("x"): ground for label, ground in hexes.items()})
        ground = case_field(pack_of(values, answers), case, (a, b))
        return SightJudge(ground, light).rule(ground.hex(a), ground.hex(b))

    def test_it_is_told_with_the_levels_it_rests_on(self):
        ruling = self.ruled()
        assert (ruling.verdict, ruling.working["blocked_by"]) == ("blocked", ["1705"])
        (told,) = (one for one in ruling.reasons if one.key.endswith(".raised"))
        assert (told.values["level"], told.cite) == (2, "22.3.5")
        levels = {one.place for one in ruling.rests_on if one.value == "level"}
        assert {"1606", "1605", "1805", "1806"} <= levels
        assert "height-of-peschiera" in ruling.assumptions
        assert "height-of-peschiera" not in self.ruled("1903", "1907").assumptions

    def test_an_unknown_neighbour_leaves_it_open(self):
        ruling = self.ruled(x1606="clear ?")
        assert ruling.verdict == "unknown"
        assert "raised_unknown" in keys(ruling.reasons)

    def test_above_its_own_level_if_one_reads_it_so(self):
        own = {"height-of-peschiera": "above-its-own"}
        assert self.ruled(x1606="clear 3", answers=own).working["blocked_by"] == ["1705"]
        high = {"x1703": "clear 3", "x1707": "clear 3", "x1606": "clear 3"}
        assert self.ruled(**high).verdict == "blocked"
        ruling = self.ruled(**high, answers=own)
        assert (ruling.verdict, "raised_itself" in keys(ruling.reasons)) == ("clear", True)

    def test_it_is_told_without_a_rule_of_sight_too(self):
        ruling = self.ruled("1705", "1707", values={})
        assert (ruling.verdict, ruling.cites) == ("unknown", ("22.3.5",))
        assert ruling.assumptions == ("height-of-peschiera",)

    def test_dim_light_shortens_whatever_rule_of_sight_the_owner_enters(self):
        high = {"sight.reach": {"hexes": 2, "per_level": 9, "cite": "8"}}
        far = {"sight.reach": {"hexes": None, "cite": "8"}}
        for values in ({**SIGHT, **high}, {**SIGHT, **far}):
            for b, verdict in (("1708", "clear"), ("1709", "out_of_range")):
                ruling = self.ruled("1705", b, values=values, light="dawn")
                assert (ruling.verdict, "22.4" in ruling.cites) == (verdict, True)
            assert self.ruled("1705", "1709", values=values).verdict == "clear"

    def test_a_reach_entered_for_dim_light_takes_its_place(self):
        own = {**SIGHT, "sight.weather.dawn": {"hexes": 4, "cite": "8"}}
        assert self.ruled("1705", "1709", values=own, light="dawn").verdict == "clear"


@pytest.mark.parametrize("levels", [".1", "."], ids=["levels known", "none known"])
@pytest.mark.parametrize("light", [None, "dawn"])
def test_the_verifier_comes_to_the_same(tmp_path, levels, light):
    """On a board where 0303 is lifted as Peschiera is, by a rule of sight and by none."""
    raised = {"hexes": ["0303"], "by": 1, "above": "neighbours", "cite": "22.3.5"}
    verdicts = set()
    for values in (SIGHT, {}):
        pack = pack_of(values)
        lifted = pack.levels.model_validate({**pack.levels.model_dump(), "raised": [raised]})
        project, ground = saved(
            board(*field(5, 5, word=levels)), pack.model_copy(update={"levels": lifted}), tmp_path
        )
        data = next(iter(project.maps.values())).read_bytes()
        ends = {"from": ground.hex("0301"), "to": ground.hex("0305"), "weather": light}
        certificate = certificate_of(project, ground, "sight", **ends)
        verdicts.add(certificate["ruling"]["verdict"])
        assert verify(certificate, data).outcome == "verified"
        forged = {**certificate, "ruling": {**certificate["ruling"], "verdict": "clear"}}
        assert verify(forged, data).outcome == "differs"
        if values:
            seen = {"from": ground.hex("0301"), "weather": light}
            whole = certificate_of(project, ground, "field", **seen)
            assert verify(whole, data).outcome == "verified"
    known = {"blocked"} if levels == ".1" else {"unknown"}
    assert verdicts == (known | {"unknown"} if light is None else {"out_of_range"})
