"""Experiments as dicts: the same document as a file, and errors that name the key."""

import os
import tomllib
import unittest

import numpy as np
import topple

from topple_program import example

BLOCK = {
    "kind": "block",
    "width_m": 0.06,
    "height_m": 0.27,
    "mass_kg": 2.5692,
    "restitution": {"model": "improved", "k": 0.7306},
}
SINE = {"type": "sine", "amplitude_m_s2": 3.0, "frequency_hz": 4.0}
B6L = {"name": "B6L", "specimen": [BLOCK], "excitation": SINE}


def with_block(**changes):
    return {**B6L, "specimen": [{**BLOCK, **changes}]}


class Experiments(unittest.TestCase):
    def test_a_dict_becomes_a_document_that_reads_back_the_same(self):
        everything = {
            "name": 'quotes " and \\ and\nlines, µ and \x01',
            "notes": {"a key with spaces": "x", "dotted.key": "y"},
            "specimen": [BLOCK, {"kind": "stack", "blocks": [{"width_m": 1}, {"width_m": 2.5e-7}]}],
            "excitation": {"type": "none", "flags": [True, False], "nested": [[1, 2], [3.5, -4]], "empty": []},
            "long": list(np.linspace(0, 1, 1000)),
        }
        self.assertEqual(tomllib.loads(topple.experiment_text(everything)), everything)

    def test_every_example_survives_the_way_through_a_dict(self):
        for name in ("b6l_sine.toml", "stack_db3m6m.toml", "free_rocking.toml", "basin.toml", "two_blocks.toml"):
            with open(example(name), "rb") as file:
                document = tomllib.load(file)
            mine, theirs = topple.predict(document), topple.predict(example(name))
            for key in theirs:
                if key != "experiment_sha256":
                    self.assertEqual(mine[key], theirs[key], (name, key))

    def test_numbers_of_numpy_are_numbers(self):
        for number in (np.float64(0.06), np.float32(0.0625), np.array(0.06)):
            topple.predict(with_block(width_m=number))
        self.assertIn("cycles = 3", topple.experiment_text({"cycles": np.int32(3)}))
        self.assertIn("on = true", topple.experiment_text({"on": np.bool_(True)}))

    def test_errors_are_value_errors_that_name_the_key(self):
        for wrong, words in (
            (with_block(width_m=-0.06), ("specimen.width_m = -0.06", "must be")),
            (with_block(width_m=float("nan")), ("width_m",)),
            (with_block(width_m=True), ("width_m", "true")),
            (with_block(widht_m=1.0), ("widht_m", "width_m")),
            (with_block(width_m=None), ("specimen[0].width_m = None",)),
            (with_block(width_m={1: 2}), ("specimen[0].width_m.1", "string")),
            ({**B6L, "model": "magic"}, ("magic", "full")),
        ):
            with self.assertRaises(topple.InputError) as caught:
                topple.predict(wrong)
            self.assertIsInstance(caught.exception, ValueError)
            for word in words:
                self.assertIn(word, str(caught.exception))

    def test_a_file_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(topple.InputError, "not_there.toml"):
            topple.predict("not_there.toml")
        with self.assertRaisesRegex(topple.InputError, "not_there.toml"):
            topple.outcome_map("not_there.toml", [1.0], [1.0])
        with self.assertRaisesRegex(topple.InputError, "not_there.toml"):
            topple.experiment_text("not_there.toml")

    def test_files_that_a_dict_names_are_relative_to_the_working_directory(self):
        here = os.getcwd()
        os.chdir(os.path.dirname(example("b6l_sine.toml")))
        try:
            answer = topple.predict({**B6L, "specimen": [{"file": "specimens/b6l.toml"}]})
        finally:
            os.chdir(here)
        self.assertEqual(answer["outcome"], "rocking")


if __name__ == "__main__":
    unittest.main()
