"""Figure 3.25 of the thesis: where a slender block overturns, released from six initial rotations.

A block of 0.06 m x 0.27 m (slenderness 0.2187 rad) on a base that makes one sine of acceleration. Each panel is a map of
400 x 400 predictions over the sine's frequency and amplitude.

    python3 docs/examples/python/initial_rotation_maps.py maps.png
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import topple

BLOCK = {
    "kind": "block",
    "width_m": 0.06,
    "height_m": 0.27,
    "mass_kg": 2.5692,
    "restitution": {"model": "housner"},
}
EXPERIMENT = {
    "name": "B6L single sine",
    "specimen": [BLOCK],
    "excitation": {"type": "sine", "amplitude_m_s2": 3.0, "frequency_hz": 4.0, "cycles": 1},
}
INITIAL_ROTATIONS_RAD = (-0.05, -0.01, 0.0, 0.005, 0.01, 0.05)


def draw(path: str, points: int = 400) -> None:
    ratios = np.linspace(0.1, 10.0, points)  # of frequency and amplitude
    figure, panels = plt.subplots(3, 2, figsize=(8, 10), sharex=True, sharey=True, layout="constrained")
    for panel, rotation_rad in zip(panels.flat, INITIAL_ROTATIONS_RAD):
        outcomes = topple.outcome_map(EXPERIMENT, ratios, ratios, initial_rotation_rad=rotation_rad)
        overturns = outcomes.outcome == topple.OUTCOMES.index("overturning")
        sides = np.where(overturns, outcomes.direction, 0)
        panel.pcolormesh(ratios, ratios, sides.T, cmap="coolwarm", vmin=-1.5, vmax=1.5, rasterized=True)
        panel.axhline(1.0, color="black", linewidth=0.5, linestyle="dotted")
        panel.set_title(f"$\\theta_0$ = {rotation_rad:g} rad: {overturns.mean():.0%} overturn", fontsize=10)
    for panel in panels[-1]:
        panel.set_xlabel(r"frequency  $\omega / p$")
    for panel in panels[:, 0]:
        panel.set_ylabel(r"amplitude  $a_0 / (g \tan \alpha)$")
    figure.suptitle("Single sine: overturning to the left (blue) and to the right (red)")
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else "initial_rotation_maps.png")
