"""Rocking blocks on a shaking table: predictions, outcome maps and runs, as the command ``topple`` computes them.

An *experiment* is the path of an experiment file (TOML), or a dict with the same keys::

    block = {"kind": "block", "width_m": 0.06, "height_m": 0.27, "mass_kg": 2.57,
             "restitution": {"model": "housner"}}
    sine = {"type": "sine", "amplitude_m_s2": 3.0, "frequency_hz": 4.0}
    topple.predict({"name": "B6L", "specimen": [block], "excitation": sine})["outcome"]

Units are SI and part of every name. Outcomes in arrays are codes, indices of ``OUTCOMES``; ``FAILED`` (-1) means that
there is no outcome. A wrong experiment or argument raises ``InputError``, a ``ValueError`` with the text that the
command would print. Long calls use all processors, let other threads run and end with Ctrl-C.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _toml
from ._arrays import Table, from_csv as _from_csv, table as _table
from ._core import InputError, OutputError
from ._toml import Experiment

__all__ = [
    "FAILED",
    "InputError",
    "MODELS",
    "OUTCOMES",
    "OutcomeMap",
    "OutputError",
    "Predictions",
    "Run",
    "Table",
    "compare",
    "ensemble",
    "experiment_text",
    "outcome_map",
    "outcome_names",
    "predict",
    "predict_many",
    "read_run",
]

__version__: str = _core.VERSION

OUTCOMES: Tuple[str, ...] = _core.OUTCOMES  #: words of the codes 0, 1, ...
MODELS: Tuple[str, ...] = _core.MODELS  #: equations that ``model`` may name
FAILED = -1  #: code of a point without outcome

InputError.__module__ = OutputError.__module__ = __name__

_THREADS_MAX = 1024
_MEMBERS_MAX = 1_000_000


def _whole(name: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise InputError(f"{name} = {value!r}; allowed: a whole number from {least} to {most}")
    return int(value)


def _threads(threads: int) -> int:
    return _whole("threads", threads, 0, _THREADS_MAX)


def _axis(name: str, values: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: must be numbers: {error}") from None
    if array.ndim > 1:
        raise InputError(f"{name}: has {array.ndim} dimensions; allowed: 1")
    return np.atleast_1d(array)


def experiment_text(experiment: Experiment) -> str:
    """The TOML document that stands for an experiment: of a dict what it becomes, of a file what is in it."""
    text, name, is_file = _toml.source(experiment)
    if not is_file:
        return text
    try:
        with open(name, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}: {error}") from None


def outcome_names(codes: ArrayLike) -> NDArray[np.str_]:
    """Words of outcome codes, in an array of the same shape; "failed" for ``FAILED``."""
    names = np.array(OUTCOMES + ("failed",))
    return np.asarray(names[np.asarray(codes, dtype=np.intp)])


def _predicted(
    experiment: Experiment,
    model: Optional[str],
    members: int = 0,
    seed: Optional[int] = None,
    threads: int = 0,
    after_validity: bool = False,
    history: bool = False,
) -> Dict[str, Any]:
    text, name, is_file = _toml.source(experiment)
    if seed is not None:
        seed = _whole("seed", seed, 0, 2**64 - 1)
    answer, histories = _core.predict(
        text, name, is_file, model or "", members, seed, _threads(threads), after_validity, history, True
    )
    result: Dict[str, Any] = json.loads(answer)
    if history:
        parts: List[Dict[str, Any]] = result.get("specimens", [result])
        for part, columns in zip(parts, histories):
            part["history"] = _from_csv(columns)
    return result


def predict(
    experiment: Experiment, model: Optional[str] = None, history: bool = False, *, after_validity: bool = False
) -> Dict[str, Any]:
    """What the experiment's specimens do on the planned motion.

    Returns the document of ``topple predict --json --all-impacts`` as a dict (docs/commands.md): ``outcome`` (one of
    ``OUTCOMES``, or None if the solution failed: see ``status``), ``direction``, ``overturn_time_s``,
    ``settled_time_s``, ``peak_rotation_rad`` (per block), ``impacts``, ``turning_points``; of several specimens in
    ``specimens``.

    model: one of ``MODELS``; default: the experiment's, or "full".
    history: adds ``history`` for each specimen, a dict of arrays of shape (samples,): ``time_s`` (s),
        ``base_acceleration_m_s2``, ``rotation_<i>_rad``, ``rotation_rate_<i>_rad_s`` and ``support_<i>`` (words) of
        block i from the bottom.
    after_validity: where the full model leaves its validity, go on by contact dynamics.

    Raises InputError.
    """
    return _predicted(experiment, model, history=history, after_validity=after_validity)


def ensemble(
    experiment: Experiment,
    members: int = 200,
    seed: Optional[int] = None,
    model: Optional[str] = None,
    threads: int = 0,
) -> Dict[str, Any]:
    """The same with random samples of what is uncertain, as ``topple predict --ensemble`` draws them.

    The result has ``probability`` (shares of the outcomes) and ``ensemble`` (outcome and direction of every member,
    quantiles of peaks and impact times). It does not depend on ``threads`` (0: one per processor).

    members: 1 to 1,000,000. seed: default: the experiment's, or 1. Raises InputError.
    """
    return _predicted(experiment, model, _whole("members", members, 1, _MEMBERS_MAX), seed, threads)


@dataclass(frozen=True)
class OutcomeMap:
    """Outcomes over two axes; every array has the shape (len(x), len(y))."""

    x: NDArray[np.float64]  #: values of the first axis
    y: NDArray[np.float64]  #: values of the second axis
    x_name: str  #: "frequency_ratio", or the key of the file
    y_name: str  #: "amplitude_ratio", or the key of the file
    outcome: NDArray[np.int8]  #: codes: indices of OUTCOMES, FAILED where there is none
    direction: NDArray[np.int8]  #: of the first block that overturns: -1 left, +1 right, 0 none
    blocks_overturned: Optional[NDArray[np.int8]]  #: number of them; None for a map over keys
    impacts_before_overturning: Optional[NDArray[np.uint16]]  #: at most 65535; None for a map over keys
    frequency_parameter_rad_s: float  #: p of the frequency axis; NaN for a map over keys
    amplitude_unit_m_s2: float  #: acceleration at amplitude ratio 1; NaN for a map over keys
    refused: NDArray[np.bool_]  #: points that are no experiment; they have no outcome
    first_refusal: str  #: why the first of them is none; "" if all are experiments

    @property
    def outcome_name(self) -> NDArray[np.str_]:
        """Words instead of codes."""
        return outcome_names(self.outcome)


Axis = Tuple[str, ArrayLike]


def outcome_map(
    experiment: Experiment,
    frequency_ratio: Optional[ArrayLike] = None,
    amplitude_ratio: Optional[ArrayLike] = None,
    *,
    x: Optional[Axis] = None,
    y: Optional[Axis] = None,
    amplitude_by: str = "tan",
    initial_rotation_rad: Optional[float] = None,
    model: Optional[str] = None,
    specimen: int = 0,
    threads: int = 0,
) -> OutcomeMap:
    """Outcome over frequency and amplitude of the experiment's wave, or over any two numbers of the experiment.

    frequency_ratio, amplitude_ratio: values of omega/p (0.001 to 1000) and a0/(g tan alpha) (0 to 1000), shapes (n,)
        and (m,), in any order. amplitude_by="alpha": a0/(alpha g) instead. As ``topple map``.
    x, y: instead, two pairs of a key and its values: ``x=("excitation.frequency_hz", np.linspace(1, 5, 50))``; keys and
        derived axes as of ``topple map --x``.
    initial_rotation_rad: of a single block, released at t = 0 (not with x and y).
    specimen: which one, from 0. threads: 0: one per processor.

    At most 25 million points. Raises InputError.
    """
    text, name, is_file = _toml.source(experiment)
    specimen = _whole("specimen", specimen, 0, 2**31)
    if (x is None) != (y is None) or (frequency_ratio is None) != (amplitude_ratio is None):
        raise InputError("outcome_map: both axes are needed: frequency_ratio and amplitude_ratio, or x and y")
    if (x is None) == (frequency_ratio is None):
        raise InputError("outcome_map: give frequency_ratio and amplitude_ratio, or x and y")
    if amplitude_by not in ("tan", "alpha"):
        raise InputError(f"amplitude_by = {amplitude_by!r}; allowed: 'tan', 'alpha'")
    if x is not None and y is not None:
        if initial_rotation_rad is not None or amplitude_by != "tan":
            raise InputError("outcome_map: initial_rotation_rad and amplitude_by are not for a map over x and y")
        return _key_map(experiment, x, y, model, specimen, threads)
    frequencies = _axis("frequency_ratio", frequency_ratio if frequency_ratio is not None else [])
    amplitudes = _axis("amplitude_ratio", amplitude_ratio if amplitude_ratio is not None else [])
    cells = _core.outcome_map(
        text,
        name,
        is_file,
        frequencies,
        amplitudes,
        amplitude_by == "alpha",
        initial_rotation_rad,
        model or "",
        specimen,
        _threads(threads),
    )
    return OutcomeMap(
        x=frequencies,
        y=amplitudes,
        x_name="frequency_ratio",
        y_name="amplitude_ratio",
        refused=np.zeros(cells["outcome"].shape, dtype=np.bool_),
        first_refusal="",
        **cells,
    )


def _key_map(
    experiment: Experiment, x: Axis, y: Axis, model: Optional[str], specimen: int, threads: int
) -> OutcomeMap:
    (x_key, x_values), (y_key, y_values) = (x[0], _axis(x[0], x[1])), (y[0], _axis(y[0], y[1]))
    x_grid, y_grid = np.meshgrid(x_values, y_values, indexing="ij")
    if x_key == y_key:
        raise InputError(f"outcome_map: x and y are the same: {x_key}")
    many = predict_many(
        experiment,
        {x_key: x_grid.ravel(), y_key: y_grid.ravel()},
        model=model,
        specimen=specimen,
        outcome_only=True,
        threads=threads,
    )
    return OutcomeMap(
        x=x_values,
        y=y_values,
        x_name=x_key,
        y_name=y_key,
        outcome=many.outcome.reshape(x_grid.shape),
        direction=many.direction.reshape(x_grid.shape),
        blocks_overturned=None,
        impacts_before_overturning=None,
        frequency_parameter_rad_s=float("nan"),
        amplitude_unit_m_s2=float("nan"),
        refused=many.refused.reshape(x_grid.shape),
        first_refusal=many.first_refusal,
    )


@dataclass(frozen=True)
class Predictions:
    """Answers of ``predict_many``; arrays of shape (n,), one element for each point."""

    outcome: NDArray[np.int8]  #: codes: indices of OUTCOMES, FAILED where there is none
    direction: NDArray[np.int8]  #: of the first block that overturns: -1 left, +1 right, 0 none
    peak_rotation_rad: NDArray[np.float64]  #: absolute values, shape (n, blocks); NaN: not followed
    overturn_time_s: NDArray[np.float64]  #: first |theta| = pi/2; NaN: it does not overturn, or not followed
    settled_time_s: NDArray[np.float64]  #: all at rest; NaN: it does not come to rest, or not followed
    refused: NDArray[np.bool_]  #: points that are no experiment; they have no outcome
    first_refusal: str  #: why the first of them is none; "" if all are experiments

    @property
    def outcome_name(self) -> NDArray[np.str_]:
        """Words instead of codes."""
        return outcome_names(self.outcome)


def predict_many(
    experiment: Experiment,
    values: Mapping[str, ArrayLike],
    *,
    model: Optional[str] = None,
    specimen: int = 0,
    outcome_only: bool = False,
    threads: int = 0,
) -> Predictions:
    """Predictions of one experiment with some of its numbers replaced: 100,000 in one call, on all processors.

    values: keys of the experiment ("excitation.amplitude_m_s2", "specimen.width_m"; every key and derived axis that
        ``topple map --x`` takes; the experiment must have the key), each with an array of shape (n,) or one number for
        all points.
    outcome_only: only ``outcome`` and ``direction``: several times faster; the other arrays are NaN or cover the time
        until the outcome was certain.
    specimen: which one, from 0. threads: 0: one per processor.

    Every point is what ``predict`` says of the experiment with these numbers. A point that the experiment's reader
    refuses has no outcome: see ``refused``. Raises InputError.
    """
    text, name, is_file = _toml.source(experiment)
    if not values:
        raise InputError("predict_many: no values to vary")
    keys = list(values)
    arrays = [_axis(key, values[key]) for key in keys]
    try:
        arrays = [np.ascontiguousarray(one) for one in np.broadcast_arrays(*arrays)]
    except ValueError:
        lengths = ", ".join(f"{key}: {len(one)}" for key, one in zip(keys, arrays))
        raise InputError(f"predict_many: arrays of different lengths: {lengths}") from None
    answers = _core.predict_many(
        text,
        name,
        is_file,
        keys,
        arrays,
        model or "",
        _whole("specimen", specimen, 0, 2**31),
        outcome_only,
        _threads(threads),
    )
    return Predictions(**answers)


@dataclass(frozen=True)
class Run:
    """A run folder's log, as tables of arrays. In every table ``time_s`` counts from the start of the motion."""

    setpoint: Table  #: what the host sent to the table
    feedback: Table  #: what the table reported, every device period: positions, accelerations, rotations, state
    prediction: Table  #: the live forecast
    events: Table  #: marks: kind and text
    timing: Table  #: cycles of the host
    metadata: Dict[str, str]  #: what the log says of the run: versions, seeds, hashes, scales
    documents: Dict[str, str]  #: texts of the folder: "experiment.toml", "prediction.json", "summary.json", ...
    prediction_sha256: str  #: of the blind prediction, from the log's first record
    damage: List[str]  #: what of the log could not be read; empty for a sound one
    data_whole: bool  #: no record is known or feared to be missing


def read_run(run: Union[str, "os.PathLike[str]"]) -> Run:
    """Reads a run folder, or its run.mcap, also of a run that was interrupted (see ``damage``).

    The columns are those of ``topple export`` (docs/export.md): ``run.feedback["rotation_0_rad"]`` with
    ``run.feedback.units["rotation_0_rad"] == "rad"``. Raises InputError.
    """
    parts = _core.read_run(os.fspath(run))
    tables = {name: _table(columns) for name, columns in parts.pop("tables").items()}
    return Run(**tables, **parts)


def compare(folder: Union[str, "os.PathLike[str]"]) -> Dict[str, Any]:
    """What was predicted, what was measured, whether they agree, and why: the document summary.json as a dict.

    It is concluded anew from the run folder; no file is written. Keys: docs/report.md. Raises InputError.
    """
    result: Dict[str, Any] = json.loads(_core.summary(os.fspath(folder)))
    return result
