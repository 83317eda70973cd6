"""One module per target engine: a project rendered to files, with what was lost."""
