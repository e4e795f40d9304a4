"""The parts of protobuf JSON that actions and options need: fields under either name, numbers, enums.

What the fields mean is not known here.
"""

import functools
import json
import re


class Malformed(ValueError):
    """A text that is no protobuf JSON of the expected message."""


def camel(name):
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


@functools.cache
def spellings(*names):
    """Each way to write the names of fields, and the snake_case name that it stands for."""
    return {spelling: name for name in names for spelling in (name, camel(name))}


def fields(value, *names):
    """The given fields of a message by their snake_case names; `null` counts as absent.

    Raises Malformed for anything but an object, for an unknown field, and for a field given under both its names.
    """
    if not isinstance(value, dict):
        raise Malformed(f"an object was expected, not {value!r}")
    known = spellings(*names)
    found = {}
    for spelling, content in value.items():
        if spelling not in known:
            raise Malformed(f"unknown field {spelling!r}")
        if content is None:
            continue
        if known[spelling] in found:
            raise Malformed(f"field {spelling!r} stands twice")
        found[known[spelling]] = content
    return found


def whole_number(value):
    """An integer out of a JSON number or a string of digits."""
    if isinstance(value, bool):
        raise Malformed(f"a number was expected, not {value!r}")
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch("[0-9]+", value, re.ASCII):
        return int(value)
    raise Malformed(f"a whole number was expected, not {value!r}")


def uint32(value):
    number = whole_number(value)
    if not 0 <= number < 1 << 32:
        raise Malformed(f"{value!r} is out of range")
    return number


def boolean(value):
    if not isinstance(value, bool):
        raise Malformed(f"true or false was expected, not {value!r}")
    return value


def enum(value, names):
    """The name of an enum value given by name or number; a number without a name stays a number."""
    if isinstance(value, str):
        if value not in names:
            raise Malformed(f"unknown name {value!r}")
        return value
    number = whole_number(value)
    if not -(1 << 31) <= number < 1 << 31:
        raise Malformed(f"{value!r} is out of range")
    return names[number] if 0 <= number < len(names) else number


def text(message):
    """Canonical JSON text: keys sorted, no spaces. Lists of actions are sorted by it."""
    return json.dumps(message, sort_keys=True, separators=(",", ":"))
