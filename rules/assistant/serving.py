"""Serving the table: a port of this machine, its address, and a server until it is stopped."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO

from rules.assistant.app import table_app
from rules.assistant.table import Table
from rules.errors import RulesError

_LOCAL = "127.0.0.1"
_ANYWHERE = "0.0.0.0"
# An address of the documentation range: nothing is sent, the system only says which way it lies.
_OUT_THERE = ("192.0.2.1", 9)


@dataclass(frozen=True, slots=True)
class ServingPlace:
    """An open port, and the name the table goes by there."""

    socket: socket.socket
    host: str
    port: int

    @property
    def address(self) -> str:
        """The address to open."""
        return f"http://{self.host}:{self.port}/"


@contextmanager
def open_port(port: int, *, lan: bool) -> Iterator[ServingPlace]:
    """Open a port for as long as it is needed.

    Raises:
        RulesError: another program has it.
    """
    with socket.socket() as opened:
        try:
            opened.bind((_ANYWHERE if lan else _LOCAL, port))
            opened.listen()  # whoever opens the address at once waits instead of being refused
        except OSError as error:
            raise RulesError(
                f"port {port} cannot be used ({error.strerror}); give another with --port"
            ) from None
        yield ServingPlace(opened, _own_address() if lan else _LOCAL, opened.getsockname()[1])


def serve_until_stopped(table: Table, place: ServingPlace) -> None:
    """Serve a table until the user stops it."""
    import uvicorn

    app = table_app(table, (place.host, _LOCAL, "localhost"))
    config = uvicorn.Config(app, log_level="warning", lifespan="off")
    uvicorn.Server(config).run(sockets=[place.socket])


def qr_code(address: str) -> str:
    """Return an address as a QR code for a terminal, so that a phone need not type it."""
    import segno

    drawn = StringIO()
    segno.make(address, error="m").terminal(drawn, compact=True)
    return drawn.getvalue()


def _own_address() -> str:
    """Return this machine's address in its network; its own where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUT_THERE)
        except OSError:
            return _LOCAL
        return str(probe.getsockname()[0])
