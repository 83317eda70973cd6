"""Make a project folder: copy the maps in, write a project.toml that explains itself."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import tomlkit

from mapkit.kinds import Group
from mapkit.maps import SUFFIX, load_map, shapes_path
from mapkit.store.files import write_whole
from rules.errors import ProjectError
from rules.project import FILE, FORMAT, Project, inside, load_project, parse_project
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
    name = name or folder.resolve().name
    _require_writable(name, *(path.name for path in maps))
    _require_different([path.name for path in maps])
    copies = [copy for path in maps for copy in _copies(path, folder)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source, copy in copies:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    except OSError as error:
        raise ProjectError(f"cannot fill the folder {folder}: {error.strerror}") from None
    text = project_text(name, game, [path.name for path in maps])
    project = parse_project(text.encode(), target)
    write_whole(target, _with_binding(text, project).encode(), what="project file")
    return load_project(folder)


def _require_writable(*names: str) -> None:
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise ProjectError(
                f"the name {name!r} has letters that no text file holds; rename it"
            ) from None


def _require_different(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ProjectError(f"two maps are called {name}; rename one of the files")
        if not name.endswith(SUFFIX):
            raise ProjectError(f"{name} is no map: give a *{SUFFIX} file")


def _copies(source: Path, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield what is to be copied for one map, and to where; nothing there may be in the way.

    Also a file that the map does not have must not wait there: it would become part of it.
    """
    target = folder / source.name
    picture = load_map(source).picture  # a map that does not read is said before anything is made
    if target.exists() and target.samefile(source):
        return
    names = [source.name, shapes_path(source).name, f"{source.name}.journal"]
    if picture is not None:
        inside(source.parent, picture.path, f"{source}: picture")
        names.append(picture.path)
    for name in names:
        if (folder / name).exists():
            raise ProjectError(f"{folder / name} is there already; move it away first")
        if (source.parent / name).is_file():
            yield source.parent / name, folder / name


def project_text(
    name: str,
    game: str | None,
    maps: Sequence[str],
    *,
    units: Sequence[str] = (),
    positions: Sequence[str] = (),
) -> str:
    """Return a project.toml; maps, units and positions are files beside it."""
    document = tomlkit.document()
    document.add(tomlkit.comment("A Mapkit project: all paths are relative to this file."))
    document["format"] = FORMAT
    document["name"] = name
    if game is None:
        document.add(tomlkit.comment(f'game = "…"  one of: {", ".join(pack_names())}'))
    else:
        document["game"] = game
    for key, files in (("units", units), ("positions", positions)):
        if files:
            document[key] = list(files)
    listed = tomlkit.aot()
    for file, map_id in zip(maps, _map_ids(maps), strict=True):
        entry = tomlkit.table()
        entry["id"] = map_id
        entry["file"] = file
        listed.append(entry)
    if maps:
        document["maps"] = listed
    return tomlkit.dumps(document)


def _map_ids(files: Sequence[str]) -> list[str]:
    """Ids that commands can take: plain letters, no two alike."""
    ids: list[str] = []
    for file in files:
        stem = file.removesuffix(SUFFIX)
        plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in stem)
        number = 1
        while (fresh := plain if number == 1 else f"{plain}-{number}") in ids or not fresh:
            number, plain = number + 1, plain or "map"
        ids.append(fresh)
    return ids


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
