"""Outcome maps from Python are those of the command line."""

import csv
import os
import tempfile
import unittest

import numpy as np
import topple

from topple_program import example, topple as run_topple

SINE = example("b6l_sine.toml")


def command_line(*arguments):
    """(x, y, outcome words, direction words), the last three of shape (x, y)."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "map.csv")
        run_topple("map", *arguments, "--csv", file)
        with open(file, encoding="utf-8", newline="") as text:
            rows = list(csv.reader(text))[1:]
    x, y = sorted({float(row[0]) for row in rows}), sorted({float(row[1]) for row in rows})
    shape = (len(x), len(y))
    words = [np.array([row[i] for row in rows]).reshape(shape) for i in (2, 3, 4)]
    return np.array(x), np.array(y), *words


def direction_words(codes):
    return np.array(["left", "", "right"])[codes + 1]


class Maps(unittest.TestCase):
    def same(self, got, outcome, direction):
        np.testing.assert_array_equal(got.outcome_name, outcome)
        np.testing.assert_array_equal(direction_words(got.direction), direction)

    def test_a_wave_map_is_that_of_the_command_line(self):
        for name, by in (("b6l_sine.toml", "tan"), ("b6l_cosine.toml", "alpha")):
            x, y, outcome, direction, impacts = command_line(
                example(name), "--frequency-ratio", "0.5:8:40", "--amplitude-ratio", "0.5:9:50", "--amplitude-by", by
            )
            for threads in (0, 1):
                got = topple.outcome_map(example(name), x, y, amplitude_by=by, threads=threads)
                self.same(got, outcome, direction)
            np.testing.assert_array_equal(got.impacts_before_overturning.astype(str), impacts)
            self.assertEqual(got.outcome.shape, (40, 50))
            self.assertGreater(len(np.unique(outcome)), 2)

    def test_axes_may_have_any_values_in_any_order(self):
        x, y = np.array([5.0, 1.0, 2.5]), np.array([3.0, 1.5, 8.0, 0.2])
        got = topple.outcome_map(SINE, x, y)
        for i, frequency in enumerate(x):
            for j, amplitude in enumerate(y):
                one = topple.outcome_map(SINE, frequency, amplitude)
                self.assertEqual(one.outcome[0, 0], got.outcome[i, j])
        self.assertEqual(topple.outcome_map(SINE, [], []).outcome.shape, (0, 0))

    def test_a_map_over_keys_is_that_of_the_command_line(self):
        x, y, outcome, direction, _ = command_line(
            SINE, "--x", "excitation.frequency_hz=2:5:9", "--y", "specimen.height_m=0.1:0.3:7"
        )
        got = topple.outcome_map(SINE, x=("excitation.frequency_hz", x), y=("specimen.height_m", y))
        self.same(got, outcome, direction)
        self.assertEqual((got.x_name, got.y_name), ("excitation.frequency_hz", "specimen.height_m"))

    def test_released_from_a_tilt_and_several_specimens(self):
        x, y, outcome, direction, _ = command_line(
            SINE, "--frequency-ratio", "1:5:9", "--amplitude-ratio", "1:5:9", "--initial-rotation", "0.1"
        )
        self.same(topple.outcome_map(SINE, x, y, initial_rotation_rad=0.1), outcome, direction)
        first, second = (topple.outcome_map(example("two_blocks.toml"), x, y, specimen=i) for i in (0, 1))
        self.assertGreater(first.frequency_parameter_rad_s, second.frequency_parameter_rad_s)
        self.assertGreater(first.amplitude_unit_m_s2, second.amplitude_unit_m_s2)

    def test_wrong_axes_are_refused_with_what_is_allowed(self):
        f, h = ("excitation.frequency_hz", [3.0]), ("specimen.height_m", [0.2])
        for call, words in (
            (lambda: topple.outcome_map(SINE), "give frequency_ratio"),
            (lambda: topple.outcome_map(SINE, [1.0]), "both axes"),
            (lambda: topple.outcome_map(SINE, [1.0], [1.0], x=f, y=h), "or x and y"),
            (lambda: topple.outcome_map(SINE, [0.0], [1.0]), "frequency_ratio.0. = 0; allowed: 0.001 to 1000"),
            (lambda: topple.outcome_map(SINE, [1.0], [1.0, -1.0]), "amplitude_ratio.1. = -1"),
            (lambda: topple.outcome_map(SINE, [1.0], [np.nan]), "amplitude_ratio.0. = nan"),
            (lambda: topple.outcome_map(SINE, [1.0], [1.0], amplitude_by="g"), "amplitude_by"),
            (lambda: topple.outcome_map(SINE, [1.0], [1.0], specimen=1), "specimen 1"),
            (lambda: topple.outcome_map(SINE, np.ones(6000), np.ones(6000)), "cells"),
            (lambda: topple.outcome_map(SINE, x=f, y=f), "the same"),
            (lambda: topple.outcome_map(SINE, x=("excitation.frequencyy", [1.0]), y=h), "frequencyy"),
            (lambda: topple.outcome_map(example("basin.toml"), [1.0], [1.0]), "assembly"),
            (lambda: topple.outcome_map(SINE, [1.0], [1.0], model="slide_rock"), "slide_rock|friction"),
        ):
            with self.assertRaisesRegex(topple.InputError, words):
                call()


if __name__ == "__main__":
    unittest.main()
