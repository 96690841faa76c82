"""Arrays with their units: what a run and a history consist of."""

from __future__ import annotations

import csv
import io
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Table(Mapping[str, Array]):
    """Columns of one topic: ``table["position_x_m"]``, each an array of shape (rows,).

    ``units`` and ``descriptions`` have an entry for each column. A number that is absent is NaN.
    """

    units: Dict[str, str]  #: "m/s2"; "1": a count, a code or a ratio; "": words
    descriptions: Dict[str, str]

    def __init__(self, columns: Mapping[str, Array], units: Mapping[str, str], descriptions: Mapping[str, str]) -> None:
        self._columns = dict(columns)
        self.units = dict(units)
        self.descriptions = dict(descriptions)

    def __getitem__(self, name: str) -> Array:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name}; there are: {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()))) if self._columns else 0
        return f"<Table of {rows} rows: {', '.join(self._columns)}>"


def table(columns: Sequence[Tuple[str, str, str, Tuple[Any, Optional[List[str]]]]]) -> Table:
    """Of the compiled part's (name, unit, description, (values, words))."""
    arrays: Dict[str, Array] = {}
    for name, _, _, (values, words) in columns:
        if words is not None:
            arrays[name] = np.array(words)[values]
        else:
            arrays[name] = np.array(values, dtype=str) if isinstance(values, list) else values
    return Table(
        arrays, {name: unit for name, unit, _, _ in columns}, {name: text for name, _, text, _ in columns}
    )


def from_csv(text: str) -> Dict[str, Array]:
    """Columns of a CSV text: floats, or words where a cell is no number."""
    rows = list(csv.reader(io.StringIO(text)))
    columns: Dict[str, Array] = {}
    for index, name in enumerate(rows[0]):
        cells = [row[index] for row in rows[1:]]
        try:
            columns[name] = np.array([float(cell) if cell else np.nan for cell in cells], dtype=np.float64)
        except ValueError:
            columns[name] = np.array(cells)
    return columns
