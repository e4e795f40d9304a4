"""A program that opens many streams, says so, and waits to be killed.

`deserter.py ADDRESS MATCH_ID COUNT`, and tokens on standard input.
"""

import asyncio
import sys

import grpc

from majlis.v1 import match_service_pb2, match_service_pb2_grpc

CONNECTIONS = 10


async def desert(address: str, match_id: str, count: int, tokens: list[str]) -> None:
    """Has so many streams open until it is killed."""
    # Else channels to one address share a connection.
    own = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(address, options=own) for _ in range(CONNECTIONS)]
    streams = []
    for number in range(count):
        stub = match_service_pb2_grpc.MatchServiceStub(channels[number % CONNECTIONS])
        metadata = (("authorization", f"Bearer {tokens[number % len(tokens)]}"),)
        streams.append(stub.WatchMatch(match_service_pb2.WatchMatchRequest(match_id=match_id), metadata=metadata))
    for stream in streams:
        await stream.read()
    print("open", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(desert(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.stdin.read().split()))
