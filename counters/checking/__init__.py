"""What is wrong with counters: every problem with its place, its weight and its remedy."""

from counters.checking.check import check_against, check_counters, check_files, check_sheet
from counters.checking.pictures import LEAST_PX, check_pictures
from counters.checking.problems import CounterReport

__all__ = [
    "LEAST_PX",
    "CounterReport",
    "check_against",
    "check_counters",
    "check_files",
    "check_pictures",
    "check_sheet",
]
