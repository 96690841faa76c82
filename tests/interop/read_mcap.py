"""A reader of run.mcap that shares nothing with Topple: the MCAP specification and Google's protobuf for Python."""

import importlib
import os
import struct
import subprocess
import sys
import tempfile

from topple_program import SOURCE

SCHEMA, CHANNEL, MESSAGE, CHUNK = 3, 4, 5, 6


def log_messages():
    """The module that protoc makes of log.proto."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["protoc", f"--python_out={folder}", f"-I{SOURCE}/hil/run_log", f"{SOURCE}/hil/run_log/log.proto"],
            check=True,
        )
        sys.path.insert(0, folder)
        try:
            return importlib.import_module("log_pb2")
        finally:
            sys.path.remove(folder)


def _text(data, at):
    (size,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + size].decode(), at + 4 + size


def _records(data, at):
    while at + 9 <= len(data):
        kind, size = struct.unpack_from("<BQ", data, at)
        if at + 9 + size > len(data):
            return
        yield kind, data[at + 9 : at + 9 + size]
        at += 9 + size


def read_topics(path):
    """Messages by topic, in the order of the file; of a torn file what is whole."""
    types = log_messages()
    with open(path, "rb") as file:
        data = file.read()
    schemas, channels, topics = {}, {}, {}

    def take(kind, body):
        if kind == SCHEMA:
            (number,) = struct.unpack_from("<H", body)
            schemas[number] = getattr(types, _text(body, 2)[0].rsplit(".", 1)[-1])
        elif kind == CHANNEL:
            number, schema = struct.unpack_from("<HH", body)
            channels[number] = (_text(body, 4)[0], schemas[schema])
        elif kind == MESSAGE:
            (number,) = struct.unpack_from("<H", body)
            topic, schema = channels[number]
            topics.setdefault(topic, []).append(schema.FromString(body[22:]))
        elif kind == CHUNK:
            compression, at = _text(body, 28)
            assert compression == "", compression
            for inner in _records(body, at + 8):
                take(*inner)

    for kind, body in _records(data, 8):
        take(kind, body)
    return topics
