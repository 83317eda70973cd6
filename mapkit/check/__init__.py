"""What is wrong with a map: every problem with its place, its weight and its remedy."""

from mapkit.check.document import Report, check_file, check_map
from mapkit.check.problems import Problem, Severity

__all__ = ["Problem", "Report", "Severity", "check_file", "check_map"]
