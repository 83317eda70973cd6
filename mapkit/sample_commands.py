"""The command that hands out the sample maps."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, tell

sample_commands = noun("Take a sample map to try things on.")


@sample_commands.command(
    epilog=examples(
        "mapkit map sample",
        "mapkit map sample alpine -o alps.hexmap.json",
        "mapkit map sample valley -o valley.hexmap.json --numbered from-the-south",
    )
)
def sample(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Which; without it, a list.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Else NAME.hexmap.json.")
    ] = None,
    numbered: Annotated[
        str | None, typer.Option(metavar="WORD", help="Another way to number it.")
    ] = None,
    as_json: JsonFlag = False,
    force: ForceFlag = False,
) -> None:
    """List the sample maps, or write one to a file.

    Their lands are invented. A map that two games number differently can be had in both.
    """
    from mapkit.maps import SUFFIX, save_map
    from mapkit.samples import list_samples, sample_map

    if name is None:
        found = list_samples()
        data = [{"name": one.name, "title": one.title, "numbered": one.numbered} for one in found]
        print_json(data) if as_json else tell("\n".join(one.told() for one in found))
        return
    target = out or Path(f"{name}{SUFFIX}")
    save_map(target, sample_map(name, numbered), force=force)
    print_json({"file": str(target)}) if as_json else tell(str(target))
