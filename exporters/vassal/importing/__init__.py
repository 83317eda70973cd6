"""An author's module as a project: boards as maps, pieces as units, set-ups as tables."""
