from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

class InputError(ValueError): ...
class OutputError(OSError): ...

OUTCOMES: Tuple[str, ...]
MODELS: Tuple[str, ...]
VERSION: str

def predict(
    text: str,
    name: str,
    is_file: bool,
    model: str,
    ensemble: int,
    seed: Optional[int],
    threads: int,
    after_validity: bool,
    history: bool,
    all_impacts: bool,
) -> Tuple[str, List[str]]: ...
def outcome_map(
    text: str,
    name: str,
    is_file: bool,
    frequency_ratio: NDArray[np.float64],
    amplitude_ratio: NDArray[np.float64],
    by_angle: bool,
    initial_rotation_rad: Optional[float],
    model: str,
    specimen: int,
    threads: int,
) -> Dict[str, Any]: ...
def predict_many(
    text: str,
    name: str,
    is_file: bool,
    keys: Sequence[str],
    values: Sequence[NDArray[np.float64]],
    model: str,
    specimen: int,
    outcome_only: bool,
    threads: int,
) -> Dict[str, Any]: ...
def read_run(run: str) -> Dict[str, Any]: ...
def summary(folder: str) -> str: ...
