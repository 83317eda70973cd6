"""Scanned counter sheets: the cut grid found, counters cut out, fronts paired with backs."""
