"""Units and counters: the model, sheets, symbols, drawing and print."""
