"""The server as its clients meet it: real servers, real gRPC, the embedded store in a directory of its own."""
