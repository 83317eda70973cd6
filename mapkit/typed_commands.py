"""Commands as one types them, to be copied from what we print."""

import os
import shlex
import subprocess
from collections.abc import Sequence


def typed(words: Sequence[str]) -> str:
    """Return a command as the shell of this system takes it: names with blanks in quotes."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
