"""What only shows under load, after hours, or by chance: `python -m soak`, or `make soak`. What and how: README.md.

Each scenario says what must hold, and fails when it does not. How fast things are is `bench`'s business.
"""
