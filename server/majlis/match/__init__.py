"""The words of a match's life: seats, status, the catalogue of refusals.

Pure: no I/O, no clock, no chance, and no hidden card. What the cards allow is decided in Rust (`majlis._core`);
how a match is stored (`store`), driven (`runtime`) or sent (`api`) is told there.
"""
