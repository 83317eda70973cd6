"""The web assistant: the studio and the table. Top of the house; nothing imports it."""
