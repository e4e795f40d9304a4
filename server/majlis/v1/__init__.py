"""Generated from `proto/majlis/v1` by `make protos`: messages (`*_pb2`) and services (`*_pb2_grpc`).

Nothing here is written by hand but this line. For the api, for clients and for tests; the layers below the api work
on bytes.
"""
