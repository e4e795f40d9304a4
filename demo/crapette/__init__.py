"""What both editions of Tonj share in the demo: piles in words and as a picture, how the players choose, and turns as a
spectator tells them. The events of each edition, and what goes wrong in it, stand in the edition's own package.
"""

from typing import TypeAlias

from majlis.v1 import tonj_house_pb2, tonj_pb2

View: TypeAlias = tonj_pb2.TonjView | tonj_house_pb2.TonjHouseView
