"""An experiment given as a dict, as the TOML document that a file would hold."""

from __future__ import annotations

import math
import os
import re
from typing import Any, List, Mapping, Sequence, Tuple, Union

import numpy as np

from ._core import InputError

Experiment = Union[str, "os.PathLike[str]", Mapping[str, Any]]

_LINE_LONG = 200  # a list that is longer takes several lines
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _string(text: str) -> str:
    escaped = (
        _ESCAPES.get(c, f"\\u{ord(c):04X}" if ord(c) < 0x20 or ord(c) == 0x7F else c) for c in text
    )
    return '"' + "".join(escaped) + '"'


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"experiment: {path}{key!r} is not allowed as a key: must be a string")
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: Any, path: str) -> str:
    """A value in one line; tables in it are inline."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    elif isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return _string(os.fspath(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k, path + '.')} = {_value(v, f'{path}.{k}')}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        elements = [_value(v, f"{path}[{i}]") for i, v in enumerate(value)]
        is_long = sum(map(len, elements)) > _LINE_LONG
        return "[" + (",\n  " if is_long else ", ").join(elements) + "]"
    raise InputError(
        f"experiment: {path} = {value!r} is not allowed: must be a number, a string, a boolean, a list or a dict"
    )


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def _write(table: Mapping[str, Any], head: str, path: str, lines: List[str]) -> None:
    later: List[Tuple[str, str, Any]] = []
    for key, value in table.items():
        name, here = _key(key, path), f"{path}{key}"
        if isinstance(value, Mapping) or _is_tables(value):
            later.append((f"{head}.{name}" if head else name, here, value))
        else:
            lines.append(f"{name} = {_value(value, here)}")
    for full, here, value in later:
        if isinstance(value, Mapping):
            lines.append(f"[{full}]")
            _write(value, full, here + ".", lines)
        else:
            for i, element in enumerate(value):
                lines.append(f"[[{full}]]")
                _write(element, full, f"{here}[{i}].", lines)


def document(experiment: Mapping[str, Any]) -> str:
    """The TOML document of a dict: dicts become tables, lists of dicts arrays of tables."""
    lines: List[str] = []
    _write(experiment, "", "", lines)
    return "\n".join(lines) + "\n"


def source(experiment: Experiment) -> Tuple[str, str, bool]:
    """(text, name, is_file) of an experiment as the compiled part takes it."""
    if isinstance(experiment, Mapping):
        return document(experiment), "experiment", False
    return "", os.fspath(experiment), True
