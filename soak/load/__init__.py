"""Many callers at one server: many matches, a reader that stalls, disconnects by the thousand, more than it can take.

Each scenario is a coroutine that is given a server and says what it found; that one is fast is not asked here.
"""
