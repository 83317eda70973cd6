"""The offline page: map, sight and rules of a project in one HTML file that needs no network."""
