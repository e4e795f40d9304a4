"""What the operator offers at tables, as the lobby uses it: options whole and judged, once, before anything is served.

How a table is written stands in `majlis.ops.tables`, what its options may be in the rules. Who waits where is not here.
"""

import dataclasses
import types
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor

from majlis import _core
from majlis.match.seats import Visibility
from majlis.ops.tables import Table
from majlis.v1 import match_pb2


class BadTable(Exception):
    """A table that cannot be offered; one line with its id and the option at fault."""


@dataclasses.dataclass(frozen=True, slots=True)
class Offer:
    """A table that players can join."""

    table_id: str
    name: str
    name_ar: str
    game: int
    """Of `majlis.v1.Game`."""
    options: bytes
    """A `GameOptions`, defaults filled in."""
    visibility: int
    """Of `majlis.v1.Visibility`."""


Offers: TypeAlias = Mapping[str, Offer]
"""By table id, in the operator's order; it cannot be changed."""


def offers(tables: Iterable[Table]) -> Offers:
    """The operator's tables, judged.

    Raises:
        BadTable: the first option that is unknown, of the wrong type or out of bounds.
    """
    return types.MappingProxyType({table.id: _offer(table) for table in tables})


def _offer(table: Table) -> Offer:
    game = match_pb2.Game.Value(f"GAME_{table.game.upper()}")
    options = match_pb2.GameOptions()
    chosen = getattr(options, table.game)
    chosen.SetInParent()
    fields = chosen.DESCRIPTOR.fields_by_name
    for name, value in table.options.items():
        if name not in fields:
            raise _bad(table, name, f"there is no such option; there are {', '.join(fields)}")
        field = fields[name]
        # ParseDict reads numbers of an enum, too, and takes 1.5 and true for such.
        is_enum = field.type == FieldDescriptor.TYPE_ENUM
        if is_enum and not (isinstance(value, str) and value in field.enum_type.values_by_name):
            raise _bad(table, name, f"must be {_wanted(field)}")
        try:
            json_format.ParseDict({name: value}, chosen)
        except json_format.ParseError:
            raise _bad(table, name, f"must be {_wanted(field)}") from None
    try:
        judged = _core.options(game, options.SerializeToString())
    except _core.Malformed as error:
        path, fault = error.fields[0]
        raise _bad(table, path.rpartition(".")[2], fault) from None
    visibility = Visibility[table.visibility.upper()]
    return Offer(table.id, table.name, table.name_ar or table.name, game, judged, visibility)


def _wanted(field: Any) -> str:
    if field.type == FieldDescriptor.TYPE_BOOL:
        return "true or false"
    if field.type == FieldDescriptor.TYPE_ENUM:
        return "one of " + ", ".join(value.name for value in field.enum_type.values)
    return "a whole number that is not negative"


def _bad(table: Table, option: str, fault: str) -> BadTable:
    return BadTable(f"table {table.id!r}: options.{option}: {fault}")
