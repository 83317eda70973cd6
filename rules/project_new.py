"""Make a project folder: copy the maps in, write a project.toml that explains itself."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import tomlkit

from mapkit.files import write_whole
from mapkit.kinds import Group
from mapkit.maps import SUFFIX, load_map, shapes_path
from rules.errors import ProjectError
from rules.project import FILE, FORMAT, Project, load_project
from rules.project_check import unbound_words
from rules.registry import find_pack, pack_names


def new_project(
    folder: Path, *, name: str | None = None, game: str | None = None, maps: Sequence[Path] = ()
) -> Project:
    """Make a folder with a project.toml and copies of some maps, their shapes and pictures.

    Raises:
        ProjectError: there is a project already, or two maps of one name.
    """
    target = folder / FILE
    if folder.name.endswith(SUFFIX):
        raise ProjectError(f"{folder} is named like a map; choose a folder's name")
    if target.exists():
        raise ProjectError(f"{target} is there already; edit it, or choose another folder")
    if game is not None:
        find_pack(game)
    _require_different([path.name for path in maps])
    for path in maps:
        load_map(path)  # before anything is made: a map that does not read is said at once
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProjectError(f"cannot make the folder {folder}: {error.strerror}") from None
    for path in maps:
        _copy_map(path, folder)
    text = _project_text(name or folder.resolve().name, game, [path.name for path in maps])
    write_whole(target, text.encode(), what="project file")
    project = load_project(folder)
    if game is not None:
        write_whole(target, _with_binding(text, project).encode(), what="project file")
    return load_project(folder)


def _require_different(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ProjectError(f"two maps are called {name}; rename one of the files")
        if not name.endswith(SUFFIX):
            raise ProjectError(f"{name} is no map: give a *{SUFFIX} file")


def _copy_map(source: Path, folder: Path) -> None:
    target = folder / source.name
    if target.exists() and target.samefile(source):
        return
    picture = load_map(source).picture
    beside = [source, shapes_path(source), source.with_name(f"{source.name}.journal")]
    if picture is not None:
        beside.append(source.parent / picture.path)
    for path in beside:
        if path.is_file():
            copy = folder / path.relative_to(source.parent)
            if copy.exists():
                raise ProjectError(f"{copy} is there already; move it away first")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def _project_text(name: str, game: str | None, maps: list[str]) -> str:
    document = tomlkit.document()
    document.add(tomlkit.comment("A Mapkit project: all paths are relative to this file."))
    document["format"] = FORMAT
    document["name"] = name
    if game is None:
        document.add(tomlkit.comment(f'game = "…"  one of: {", ".join(pack_names())}'))
    else:
        document["game"] = game
    listed = tomlkit.aot()
    for file in maps:
        entry = tomlkit.table()
        entry["id"] = _map_id(file)
        entry["file"] = file
        listed.append(entry)
    if maps:
        document["maps"] = listed
    return tomlkit.dumps(document)


def _map_id(file: str) -> str:
    stem = file.removesuffix(SUFFIX)
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in stem) or "map"


def _with_binding(text: str, project: Project) -> str:
    """Add the words that the game does not know, each to be filled in by the user."""
    pack = project.pack
    if pack is None:
        return text
    open_words: dict[Group, list[str]] = {}
    for name in project.maps:
        for group, word in unbound_words(project, pack, project.map(name)):
            if word not in open_words.setdefault(group, []):
                open_words[group].append(word)
    lines = []
    for group, words in open_words.items():
        known = ", ".join(sorted(pack.words(group))) or "no word in our sources"
        lines += ["", f"[binding.{group}]  # the map's word = the game's: {known}"]
        lines += [f'# {tomlkit.string(word).as_string()} = ""' for word in words]
    return text + "\n".join(lines) + "\n" if lines else text
