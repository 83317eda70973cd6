"""Two processes edit one document and are killed again and again; nothing acknowledged is lost."""

import mmap
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import mapkit
from mapkit.errors import MapkitError
from mapkit.store import open_session, read, save
from tests.mapkit.store import kill_child
from tests.mapkit.store.kill_child import Place, Subject, find_subject

NOTES = "tests.mapkit.store.disks:SUBJECT"
MAP = "tests.mapkit.store.kill_map:SUBJECT"
# The real map document, and a light one that gets more done between two kills.
CASES = ((MAP, 1916), (MAP, 1917), (NOTES, 1915), (NOTES, 1918))
KILLS = 52
EDITORS = 2

State = dict[str, str]


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "seed"), CASES)
def test_kills_lose_nothing_acknowledged(tmp_path: Path, subject: str, seed: int) -> None:
    tally = Killing(tmp_path, seed, subject=subject).run(KILLS)
    assert tally.faults == [], f"seed {seed}"
    assert tally.kills >= KILLS
    assert tally.acknowledged > tally.kills, "they got something done in between"
    assert tally.while_writing * 2 >= tally.kills, f"seed {seed}: {tally}"


def test_there_are_kills_enough() -> None:
    assert KILLS * len(CASES) >= 200


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hasty", "in_place"])
def test_the_kills_notice_a_fault(tmp_path: Path, fault: str) -> None:
    # Most kills miss the moment that matters: forty were once too few. It ends at the first fault.
    tally = Killing(tmp_path, 1848, fault=fault).run(400, stop_at_fault=True)
    assert tally.faults, f"in {tally}"


@dataclass
class Tally:
    """What came of it."""

    kills: int = 0
    while_writing: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Child:
    """A process to be killed, and the file it talks to."""

    name: str
    log: Path
    process: subprocess.Popen[str]
    slot: int = -1

    @property
    def ready(self) -> bool:
        """Whether it has had the document open."""
        return self.log.stat().st_size > 0

    def begin(self, slot: int) -> None:
        self.slot = slot
        print(slot, file=self.process.stdin, flush=True)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def lines(self) -> list[str]:
        """Return what it said, without a last line that was cut short."""
        return self.log.read_text().split("\n")[:-1]


class Killing:
    """Keeps two editors alive, kills one after the other, and looks at what is left."""

    def __init__(
        self, folder: Path, seed: int, *, subject: str = NOTES, fault: str = "none"
    ) -> None:
        self.folder = folder
        self.document = folder / "document.json"
        self.seed = seed
        self.chance = random.Random(seed)
        self.fault = fault
        self.subject_name = subject
        self.subject: Subject = find_subject(subject)
        self.tally = Tally()
        self.born = 0
        self.dead: State = {}  # the texts of all who were killed: nobody else changes them
        self.board_file = folder / "board"
        self.board_file.write_bytes(bytes(EDITORS))
        save(self.document, self.subject.blank(), self.subject.codec, replacing=None)

    def run(self, kills: int, *, stop_at_fault: bool = False) -> Tally:
        with self.board_file.open("r+b") as file, mmap.mmap(file.fileno(), 0) as board:
            children = [self.start() for _ in range(EDITORS + 1)]  # the last is to take over
            try:
                for slot in range(EDITORS):
                    children[slot].begin(slot)
                while self.tally.kills < kills and not (stop_at_fault and self.tally.faults):
                    victim = self.choose(children[:EDITORS], board)
                    self.kill(victim, board)
                    children[victim.slot] = children.pop()
                    children[victim.slot].begin(victim.slot)
                    children.append(self.start())
            finally:
                for child in children:
                    child.end()
        if not self.tally.faults:
            self.look_at_the_end()
        return self.tally

    def start(self) -> Child:
        self.born += 1
        name = f"child{self.seed}-{self.born}"
        log = self.folder / f"{name}.log"
        places = [Path(kill_child.__file__).parents[3], Path(mapkit.__file__).parents[1]]
        arguments = [self.document, self.board_file, name, self.subject_name, self.fault]
        with log.open("wb") as out, log.with_suffix(".err").open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, kill_child.__file__, *map(str, arguments)],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))},
            )
        return Child(name, log, process)

    def choose(self, children: list[Child], board: mmap.mmap) -> Child:
        """Wait until all are at work, and a random while; most often choose who has the lock."""
        deadline = time.monotonic() + 60
        while not all(child.ready or child.process.poll() is not None for child in children):
            assert time.monotonic() < deadline, "a child did not get to work"
            time.sleep(0.002)
        time.sleep(self.chance.uniform(0.0, 0.05))
        if self.chance.random() < 0.1:
            return self.chance.choice(children)
        for _ in range(1000):
            for child in children:
                if board[child.slot] != Place.WAITING:
                    return child
            time.sleep(0.001)
        return self.chance.choice(children)

    def kill(self, child: Child, board: mmap.mmap) -> None:
        if child.process.poll() is not None:
            said = child.log.with_suffix(".err").read_text()
            self.tally.faults.append(f"{child.name} stopped by itself: {said[-400:]}")
        child.end()
        self.tally.kills += 1
        self.tally.while_writing += board[child.slot] == Place.WRITING
        board[child.slot] = Place.WAITING
        self.look(child)

    def look(self, child: Child) -> None:
        """Read, while the other goes on editing, and hold it against what was acknowledged."""
        lines = child.lines()
        self.tally.acknowledged += sum(line.startswith("=") for line in lines)
        try:
            texts = self.subject.texts(read(self.document, self.subject.codec).value)
        except MapkitError as error:
            self.tally.faults.append(f"after {child.name}: {error}")
            return
        mine = {label: text for label, text in texts.items() if belongs(label, child.name)}
        allowed = states_allowed(lines)
        if mine not in allowed:
            self.tally.faults.append(f"{child.name}: {mine} found, {allowed} acknowledged")
        self.dead |= mine
        self.compare_the_dead(texts)

    def compare_the_dead(self, texts: State) -> None:
        names = {label.partition(".")[0] for label in self.dead}
        found = {label: text for label, text in texts.items() if label.partition(".")[0] in names}
        if found != self.dead:
            self.tally.faults.append(f"an older text changed: {found} found, was {self.dead}")

    def look_at_the_end(self) -> None:
        """Open as the next editor would: the same document, and nothing left lying about."""
        shown = read(self.document, self.subject.codec).value
        with open_session(self.document, self.subject.codec, wait_s=5) as session:
            assert session.value == shown
            session.save()
            self.compare_the_dead(self.subject.texts(session.value))
        assert read(self.document, self.subject.codec).value == shown
        assert not [entry for entry in self.folder.iterdir() if ".part-" in entry.name]
        assert not [entry for entry in self.folder.iterdir() if ".kept-" in entry.name]


def belongs(label: str, name: str) -> bool:
    return label.partition(".")[0] == name


def states_allowed(lines: list[str]) -> list[State]:
    """Return the texts that may be found: what was acknowledged, and with what was begun."""
    states, at = [State()], 0
    begun: tuple[list[State], int] | None = None
    for line in lines:
        match line.split():
            case ["open"]:
                states, at = [states[at]], 0
            case ["?", "edit", label, text]:
                begun = ([*states[: at + 1], {**states[at], label: text}], at + 1)
            case ["?", "undo"]:
                begun = (states, at - 1)
            case ["?", "redo"]:
                begun = (states, at + 1)
            case ["?", "save"]:
                begun = (states, at)
            case ["=", _] if begun is not None:
                (states, at), begun = begun, None
    return [states[at]] + ([] if begun is None else [begun[0][begun[1]]])
