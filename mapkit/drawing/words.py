"""The words that Mapkit itself puts on a sheet: legend, scale bar, compass, marks of a print.

A map's own titles and names stay as the map has them.
"""

from mapkit.texts import Language, catalogue


def printed(key: str, language: Language, **values: object) -> str:
    """Return a text of the catalogue in the language of the sheet.

    That need not be the language in use: a picture that is compared with another says which
    it wants.

    >>> printed("mapkit.drawing.levels", "de", low=1, high=8)
    'Stufen 1 bis 8'
    """
    return catalogue("mapkit", language)[key].format_map(values)
