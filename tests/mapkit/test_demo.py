"""The demo's frame: order, its own folder, failures, the closing list."""

from dataclasses import replace

import pytest

from mapkit.demo import MARKER, DemoError, DemoFile, DemoStep, installed_steps, run_demo
from mapkit.errors import MissingExtraError, StoreError

TITLE = "mapkit.demo.what"


def step(order, name="file.txt", run=None):
    def write(folder, on_progress):
        path = folder / name
        path.write_text(name, encoding="utf-8")
        return [DemoFile(path, "a text", "any editor")]

    return DemoStep(order, TITLE, run or write)


def failing(error):
    def run(folder, on_progress):
        raise error

    return DemoStep(2, TITLE, run)


@pytest.fixture(autouse=True)
def no_title_to_fill(monkeypatch):
    monkeypatch.setattr("mapkit.demo.say", lambda key, **values: f"{key} {values}")


def test_steps_run_in_order_with_progress(tmp_path):
    heard = []
    steps = [step(1, "a.txt"), step(2, "b.txt")]
    result = run_demo(tmp_path / "new" / "demo", steps, on_progress=lambda *at: heard.append(at[0]))
    assert [file.path.name for file in result.files] == ["a.txt", "b.txt"]
    assert heard == [0.0, 0.5, 1.0]


def test_a_long_step_has_a_long_share_of_the_progress(tmp_path):
    heard = []
    steps = [replace(step(1, "a.txt"), weight=3.0), step(2, "b.txt")]
    run_demo(tmp_path / "demo", steps, on_progress=lambda *at: heard.append(at[0]))
    assert heard == [0.0, 0.75, 1.0]


def test_a_step_tells_its_own_progress(tmp_path):
    def run(folder, on_progress):
        on_progress(0.5, "half way")
        return []

    heard = []
    run_demo(
        tmp_path / "demo", [step(1), step(2, run=run)], on_progress=lambda *at: heard.append(at)
    )
    assert (0.75, "half way") in heard


def test_installed_steps_are_sorted_by_their_number(install_plugin):
    code = (
        "from mapkit.demo import DemoStep\n"
        "late = DemoStep(900_002, 'x', lambda folder, on_progress: [])\n"
        "early = DemoStep(900_001, 'x', lambda folder, on_progress: [])\n"
    )
    install_plugin("mapkit.demo", "a = stranger_code:late\nb = stranger_code:early", code)
    assert [step.order for step in installed_steps()][-2:] == [900_001, 900_002]


def test_a_stranger_that_is_no_step_is_named(mapkit_cli, install_plugin):
    install_plugin("mapkit.demo", "odd = stranger_code:odd", "odd = 'a string'")
    ran = mapkit_cli("demo")
    assert ran.exit_code == 1
    assert "'odd' of package stranger does not load (it is a str, not a DemoStep)" in ran.stderr


def test_the_demo_clears_its_own_folder_and_runs_again(tmp_path):
    (outside := tmp_path / "outside").mkdir()
    (outside / "precious.txt").write_text("keep me")
    folder = tmp_path / "demo"
    run_demo(folder, [step(1, "old.txt")])
    (folder / "deep" / "deeper").mkdir(parents=True)
    (folder / "link").symlink_to(outside, target_is_directory=True)
    run_demo(folder, [step(1, "new.txt")])
    assert sorted(path.name for path in folder.iterdir()) == [MARKER, "new.txt"]
    assert (outside / "precious.txt").read_text() == "keep me"


def test_a_folder_of_somebody_else_is_refused_and_left_alone(mapkit_cli, tmp_path):
    (tmp_path / "letter.txt").write_text("dear diary")
    ran = mapkit_cli("demo", "--out", tmp_path)
    assert ran.exit_code == 1
    assert ran.stderr.startswith(f"mapkit: {tmp_path} is not empty and no demo made it")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_file_is_no_folder(tmp_path):
    (file := tmp_path / "demo").write_text("")
    with pytest.raises(StoreError, match="is a file; name a folder"):
        run_demo(file, [])


def test_a_folder_that_cannot_be_cleared_is_said(tmp_path, monkeypatch):
    run_demo(tmp_path, [step(1)])

    def held(self):
        raise PermissionError(13, "in use", str(self))

    monkeypatch.setattr("pathlib.Path.unlink", held)
    with pytest.raises(StoreError, match=r"cannot clear the demo's folder .* \(in use\)"):
        run_demo(tmp_path, [step(1)])


@pytest.mark.parametrize("error", [StoreError("disk full"), ZeroDivisionError("disk full")])
def test_a_failing_step_is_named_and_ends_the_demo(tmp_path, error):
    with pytest.raises(DemoError, match=r"mapkit.demo.failed .*'number': 2.*disk full"):
        run_demo(tmp_path, [step(1), failing(error), step(3, "never.txt")])
    assert not (tmp_path / "never.txt").exists()


def test_a_failing_step_exits_1_with_one_line(mapkit_cli, tmp_path, monkeypatch):
    steps = [failing(StoreError("disk full"))]
    monkeypatch.setattr("mapkit.demo.installed_steps", lambda: steps)
    ran = mapkit_cli("-q", "demo", "--out", tmp_path)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.startswith("mapkit: mapkit.demo.failed")


def test_a_step_whose_part_is_missing_is_left_out(tmp_path):
    missing = failing(MissingExtraError("scan", "reading a scan"))
    result = run_demo(tmp_path, [missing, step(3)])
    assert len(result.files) == 1
    assert "mapkit[scan]" in result.left_out[0].reason


def test_the_closing_list(mapkit_cli, tmp_path, monkeypatch):
    monkeypatch.undo()
    missing = failing(MissingExtraError("scan", "reading a scan"))
    titled = [DemoStep(s.order, "mapkit.demo.empty", s.run) for s in (step(1), missing)]
    monkeypatch.setattr("mapkit.demo.installed_steps", lambda: titled)
    ran = mapkit_cli("demo", "--out", tmp_path / "demo")
    assert ran.exit_code == 0
    path = tmp_path / "demo" / "file.txt"
    assert ran.stdout.startswith(
        f"The demo made 1 file in {tmp_path / 'demo'}:\n\n"
        f"{path}\n  what: a text\n  open: any editor\n\nleft out: "
    )
    assert "step 1 of 2" in ran.stderr
