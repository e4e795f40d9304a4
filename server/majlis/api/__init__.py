"""The gRPC surface: thin servicers, what surrounds each call, handlers' bytes and statuses.

Who calls is found out here, and every refusal is mapped to its status here. Rules, order and durability are not:
a servicer finds the match and the seat, and hands over to `runtime`.
"""
