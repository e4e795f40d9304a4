"""`python -m majlis` is `majlis`."""

from majlis.cli import main

if __name__ == "__main__":
    main()
