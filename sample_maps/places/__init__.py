"""The four lands, one module each."""
