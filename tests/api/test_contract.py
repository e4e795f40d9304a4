"""The contract as it is served: every method of the descriptors, for whom, and what tells clients of it."""

from typing import Any

import grpc
import prometheus_client
import pytest
from google.protobuf import descriptor_database, descriptor_pb2, descriptor_pool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

import majlis
from majlis import _core
from majlis.api import methods, server
from majlis.api.admission import Room, StreamRoom
from majlis.api.caller import Role
from majlis.api.calls import Calls
from majlis.api.identity import Identity, Issuer
from majlis.api.lobby_service import LobbyService
from majlis.api.match_service import MatchService
from majlis.api.matchmaking_service import MatchmakingService
from majlis.api.stake_service import StakeService
from majlis.ops.call_metrics import CallMetrics
from majlis.v1 import lobby_service_pb2, match_service_pb2, matchmaking_service_pb2, stake_service_pb2
from tests.api.clients import PATIENCE
from tests.api.refused import refused
from tests.api.serving import Served

FILES = [file.DESCRIPTOR for file in (match_service_pb2, lobby_service_pb2, matchmaking_service_pb2, stake_service_pb2)]
SERVICES = [service for file in FILES for service in file.services_by_name.values()]
METHODS = {f"/{service.full_name}/{method.name}": method for service in SERVICES for method in service.methods}
PROTECTED = [path for path, roles in methods.ROLES.items() if roles is not methods.OPEN]


async def call(served: Served, path: str, request: bytes = b"", *metadata: tuple[str, str]) -> list[bytes]:
    """Calls any method with raw bytes, and reads all it answers."""
    if METHODS[path].client_streaming:
        speak: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = served.channel.stream_stream(path)
        return [answer async for answer in speak(iter([request]), metadata=metadata, timeout=PATIENCE)]
    if METHODS[path].server_streaming:
        watch: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = served.channel.unary_stream(path)
        return [answer async for answer in watch(request, metadata=metadata, timeout=PATIENCE)]
    ask: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = served.channel.unary_unary(path)
    return [await ask(request, metadata=metadata, timeout=PATIENCE)]


def test_the_table_names_every_method_of_the_contract_and_no_other() -> None:
    assert methods.ROLES.keys() == METHODS.keys()
    assert {service.full_name for service in SERVICES} == set(server.SERVICES)


def test_only_the_server_info_is_open() -> None:
    assert [path for path, roles in methods.ROLES.items() if roles is methods.OPEN] == [
        "/majlis.v1.MatchService/GetServerInfo"
    ]
    assert all(methods.ROLES[path] for path in PROTECTED)


def handlers() -> dict[str, Any]:
    calls = Calls(
        Identity(Issuer("nobody", "", {}), lambda: 0),
        Room(1),
        StreamRoom(1, 1),
        CallMetrics(prometheus_client.CollectorRegistry()),
        lambda: 0,
        stall_seconds=1.0,
    )
    nothing: Any = None
    services: dict[str, server.Service] = {
        methods.MATCH_SERVICE: MatchService(nothing),
        methods.LOBBY_SERVICE: LobbyService(nothing, nothing, nothing),
        methods.MATCHMAKING_SERVICE: MatchmakingService(nothing),
        methods.STAKE_SERVICE: StakeService(nothing),
    }
    return {
        f"/{name}/{method}": handler
        for name, service in services.items()
        for method, handler in service.handlers(calls).items()
    }


def test_every_method_is_served_in_its_shape_and_with_raw_bytes() -> None:
    served = handlers()
    assert served.keys() == METHODS.keys()
    for path, handler in served.items():
        assert handler.request_streaming == METHODS[path].client_streaming
        assert handler.response_streaming == METHODS[path].server_streaming
        assert handler.request_deserializer is None
        assert handler.response_serializer is None


def test_a_method_that_nobody_was_let_into_cannot_be_served(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/majlis.v1.MatchService/GetMatch"
    monkeypatch.setattr(methods, "ROLES", {other: roles for other, roles in methods.ROLES.items() if other != path})
    with pytest.raises(KeyError, match="GetMatch"):
        handlers()


@pytest.mark.parametrize("path", PROTECTED)
async def test_a_protected_method_asks_for_a_token(served: Served, path: str) -> None:
    with refused("TOKEN_MISSING") as told:
        await call(served, path)
    assert told.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("path", PROTECTED)
@pytest.mark.parametrize("role", list(Role))
async def test_a_method_serves_its_roles_only(served: Served, path: str, role: Role) -> None:
    client = served.player("someone", role)
    let_in = role in (methods.ROLES[path] or ())
    if let_in and path.endswith(("ListMyMatches", "ListTables")):
        (answer,) = await call(served, path, b"", *client.metadata)
        assert bool(answer) == path.endswith("ListTables")
    else:
        # Those who are let in are told that an empty request lacks what it must have.
        with refused("MALFORMED_REQUEST" if let_in else "ROLE_REQUIRED") as told:
            await call(served, path, b"", *client.metadata)
        assert (told.code is grpc.StatusCode.PERMISSION_DENIED) == (not let_in)


async def test_the_server_info_needs_no_token(served: Served) -> None:
    info = await served.nobody.get_server_info()
    assert info.version == majlis.__version__
    assert tuple(info.rules_versions) == _core.RULES_VERSIONS
    assert info.server_time.seconds > 1_700_000_000
    assert info.oldest_supported_client


async def test_an_unknown_method_is_unimplemented(served: Served) -> None:
    cheat: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
    cheat = served.channel.unary_unary(f"/{methods.MATCH_SERVICE}/Cheat")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await cheat(b"", timeout=PATIENCE)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("service", [server.WHOLE_SERVER, *server.SERVICES])
async def test_health_is_serving(served: Served, service: str) -> None:
    health: Any = health_pb2_grpc.HealthStub(served.channel)
    answer = await health.Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_reflection_tells_the_services_and_their_descriptors(served: Served) -> None:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub
    reflection = stub(served.channel)

    async def ask(**fields: Any) -> reflection_pb2.ServerReflectionResponse:
        request = reflection_pb2.ServerReflectionRequest(**fields)
        stream = reflection.ServerReflectionInfo(iter([request]), timeout=PATIENCE)
        answer: reflection_pb2.ServerReflectionResponse
        async for answer in stream:
            return answer
        raise AssertionError("no answer")

    listed = await ask(list_services="")
    names = {service.name for service in listed.list_services_response.service}
    assert names == {
        *server.SERVICES,
        "grpc.health.v1.Health",
        "grpc.reflection.v1alpha.ServerReflection",
    }
    # A client that knows nothing builds the whole contract from what it is told.
    told = descriptor_database.DescriptorDatabase()
    wanted = [file.name for file in FILES]
    known: set[str] = set()
    while wanted:
        name = wanted.pop()
        answer = await ask(file_by_filename=name)
        for text in answer.file_descriptor_response.file_descriptor_proto:
            file = descriptor_pb2.FileDescriptorProto.FromString(text)
            if file.name not in known:
                known.add(file.name)
                told.Add(file)
                wanted.extend(file.dependency)
    pool = descriptor_pool.DescriptorPool(told)
    for path, method in METHODS.items():
        service, name = path[1:].split("/")
        assert (
            pool.FindServiceByName(service).FindMethodByName(name).input_type.full_name == method.input_type.full_name
        )
