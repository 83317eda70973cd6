"""What a check of a project found, one thing at a time."""

from dataclasses import dataclass

from rules.layout_check import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found, spoken in the language in use."""

    severity: Severity
    place: str
    text: str

    def as_data(self) -> dict[str, str]:
        """Return the finding as JSON-able data."""
        return {"severity": self.severity, "place": self.place, "text": self.text}
