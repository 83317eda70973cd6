"""The turn keeper: where the turn stands, what is due, and what comes next. It never forces."""
