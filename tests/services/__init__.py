"""What the tests need beside the project: a PostgreSQL of their own, thrown away after them."""
