"""Every store against one contract, and the SQLite store against what files, disks and kills do to it."""
