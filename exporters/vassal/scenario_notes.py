"""What the notes of a set-up say: the scenario's frame, and its special rules by number."""

from exporters.vassal.sequence import TAB, join
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.scenarios.scenario_show import told_head

_LINE = "|"  # how the engine writes the end of a line


def notes_command(scenarios: Scenarios, scenario: Scenario) -> str:
    """Return the command that fills the public notes of a saved game."""
    return join(TAB, ["NOTES", ""]) + join(_LINE, told_head(scenarios, scenario))
