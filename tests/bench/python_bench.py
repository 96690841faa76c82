"""outcome_map from Python beside the same map in C++, in pairs that alternate, and 100,000 predictions in one call.

    PYTHONPATH=build/release/hil/python python3 tests/bench/python_bench.py build/release/tests/map_seconds
"""

import os
import statistics
import subprocess
import sys
import time

import numpy as np
import topple

SINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples", "b6l_sine.toml")
POINTS, PAIRS, MANY = 1000, 25, 100_000


def timed(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main():
    ratios = np.linspace(0.1, 10.0, POINTS)
    cpp = subprocess.Popen(
        [sys.argv[1], SINE, str(POINTS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def cpp_seconds():
        cpp.stdin.write("\n")
        cpp.stdin.flush()
        return float(cpp.stdout.readline().split()[0])

    python_seconds = lambda: timed(lambda: topple.outcome_map(SINE, ratios, ratios))
    cpp_seconds(), python_seconds()  # neither pays for the first touch
    pairs = []
    for pair in range(PAIRS):
        first, second = (cpp_seconds, python_seconds) if pair % 2 else (python_seconds, cpp_seconds)
        took = first(), second()
        pairs.append(took if pair % 2 else took[::-1])  # (C++, Python)
    cpp.stdin.close()
    cpp.wait()
    print(f"map of {POINTS} x {POINTS}: C++ {statistics.median(c for c, _ in pairs):.3f} s, ", end="")
    print(f"Python {statistics.median(p for _, p in pairs):.3f} s, ", end="")
    print(f"median ratio of {PAIRS} pairs {statistics.median(p / c for c, p in pairs):.3f}")

    values = {"excitation.amplitude_m_s2": np.linspace(1, 9, MANY), "excitation.frequency_hz": 4.0}
    full = timed(lambda: topple.predict_many(SINE, values))
    alone = timed(lambda: topple.predict_many(SINE, values, outcome_only=True))
    print(f"{MANY} predictions in one call: {full:.1f} s with peaks and times, {alone:.1f} s outcomes alone")


if __name__ == "__main__":
    main()
