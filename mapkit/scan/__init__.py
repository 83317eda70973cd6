"""From a scan or a photo of a printed map to a map document, stage by stage."""
