"""The map document: its format, read and written, edited, corrected, described."""
