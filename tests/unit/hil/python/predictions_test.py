"""Predictions from Python are those of the command line, number for number, and can be interrupted."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np
import topple

from topple_program import example, topple as run_topple

SINE = example("b6l_sine.toml")
INTERRUPTED = """
import os, signal, threading, time, topple
threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""


def command_line(*arguments):
    return json.loads(run_topple("predict", *arguments, "--json", "--all-impacts").stdout)


class Predictions(unittest.TestCase):
    def test_predict_gives_the_document_of_the_command_line(self):
        for name in ("b6l_sine.toml", "two_blocks.toml", "stack_db3m6m.toml", "basin.toml", "sliding_block.toml"):
            self.assertEqual(topple.predict(example(name)), command_line(example(name)), name)
        self.assertEqual(topple.predict(SINE, model="newmark"), command_line(SINE, "--model", "newmark"))

    def test_ensemble_gives_the_document_of_the_command_line(self):
        wanted = command_line(SINE, "--ensemble", "120", "--seed", "7")
        for threads in (0, 1):
            self.assertEqual(topple.ensemble(SINE, 120, seed=7, threads=threads), wanted)

    def test_history_holds_the_columns_of_the_command_line(self):
        for name in ("two_blocks.toml", "basin.toml"):
            answer = topple.predict(example(name), history=True)
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "history.csv")
                run_topple("predict", example(name), "--history", file)
                csv = np.genfromtxt(file, delimiter=",", names=True, dtype=None, encoding="utf-8", deletechars="")
            history = answer.get("specimens", [answer])[0]["history"]
            self.assertEqual(tuple(history), csv.dtype.names)
            for column in csv.dtype.names:
                np.testing.assert_array_equal(history[column], csv[column], column)
                self.assertEqual(history[column].ndim, 1)

    def test_many_predictions_are_those_of_the_single_ones(self):
        amplitudes, frequencies = np.linspace(1.0, 8.0, 23), np.linspace(2.0, 5.0, 23)
        many = topple.predict_many(
            SINE, {"excitation.amplitude_m_s2": amplitudes, "excitation.frequency_hz": frequencies}
        )
        with open(SINE, encoding="utf-8") as file:
            text = file.read()
        seen = set()
        for i in (0, 5, 11, 17, 22):
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write(
                    text.replace("amplitude_m_s2 = 3.0", f"amplitude_m_s2 = {float(amplitudes[i])!r}").replace(
                        "frequency_hz = 4.0", f"frequency_hz = {float(frequencies[i])!r}"
                    )
                )
                file.flush()
                one = command_line(file.name)
            seen.add(one["outcome"])
            self.assertEqual(many.outcome_name[i], one["outcome"])
            self.assertEqual(many.direction[i], {"left": -1, None: 0, "right": 1}[one["direction"]])
            self.assertEqual(many.peak_rotation_rad[i].tolist(), one["peak_rotation_rad"])
            for got, wanted in ((many.overturn_time_s, "overturn_time_s"), (many.settled_time_s, "settled_time_s")):
                np.testing.assert_equal(got[i], np.nan if one[wanted] is None else one[wanted])
        self.assertGreater(len(seen), 1)

    def test_a_hundred_thousand_predictions_in_one_call(self):
        count = 100_000
        many = topple.predict_many(
            SINE, {"excitation.amplitude_m_s2": np.linspace(0.5, 9.0, count)}, outcome_only=True
        )
        self.assertEqual(many.outcome.shape, (count,))
        counts = np.bincount(many.outcome, minlength=4)
        self.assertEqual(counts.sum(), count)
        self.assertGreater(counts[0], 1000)
        self.assertGreater(counts[3], 1000)

    def test_outcomes_alone_are_the_same_outcomes(self):
        values = {"excitation.amplitude_m_s2": np.linspace(1.0, 9.0, 200), "specimen.width_m": 0.055}
        full, alone = topple.predict_many(SINE, values), topple.predict_many(SINE, values, outcome_only=True)
        np.testing.assert_array_equal(full.outcome, alone.outcome)
        np.testing.assert_array_equal(full.direction, alone.direction)

    def test_stacks_have_a_peak_for_each_block_and_every_specimen_can_be_asked_for(self):
        stack = topple.predict_many(example("three_blocks_pulse.toml"), {"excitation.base_friction": [0.1, 0.2]})
        self.assertEqual(stack.peak_rotation_rad.shape, (2, 3))
        both = [
            topple.predict_many(example("two_blocks.toml"), {"excitation.displacement_m": [0.02]}, specimen=i)
            for i in (0, 1)
        ]
        wanted = topple.predict(example("two_blocks.toml"))["specimens"]
        for i in (0, 1):
            self.assertEqual(both[i].peak_rotation_rad[0].tolist(), wanted[i]["peak_rotation_rad"])
        with self.assertRaisesRegex(topple.InputError, "specimen 2"):
            topple.predict_many(example("two_blocks.toml"), {"excitation.displacement_m": [0.02]}, specimen=2)

    def test_points_that_are_no_experiment_are_refused_with_the_first_reason(self):
        many = topple.predict_many(SINE, {"specimen.width_m": [0.06, -1.0, np.nan, 0.05]})
        self.assertEqual(many.refused.tolist(), [False, True, True, False])
        self.assertEqual(many.outcome_name.tolist()[1:3], ["failed", "failed"])
        self.assertIn("point 1:", many.first_refusal)
        self.assertIn("width_m = -1", many.first_refusal)

    def test_wrong_arguments_are_refused_with_what_is_allowed(self):
        for call, words in (
            (lambda: topple.predict(SINE, model="magic"), "magic.*full"),
            (lambda: topple.ensemble(SINE, 0), "members = 0"),
            (lambda: topple.ensemble(SINE, 1.5), "members = 1.5"),
            (lambda: topple.ensemble(SINE, seed=-1), "seed = -1"),
            (lambda: topple.ensemble(SINE, threads=-1), "threads = -1"),
            (lambda: topple.predict_many(SINE, {}), "no values"),
            (lambda: topple.predict_many(SINE, {"excitation.amplitude": [1.0]}), "amplitude_m_s2"),
            (lambda: topple.predict_many(SINE, {"excitation.amplitude_m_s2": [[1.0]]}), "dimensions"),
            (lambda: topple.predict_many(SINE, {"excitation.amplitude_m_s2": ["x"]}), "must be numbers"),
            (
                lambda: topple.predict_many(
                    SINE, {"excitation.amplitude_m_s2": [1, 2], "excitation.frequency_hz": [1, 2, 3]}
                ),
                "different lengths",
            ),
        ):
            with self.assertRaisesRegex(topple.InputError, words):
                call()

    def test_a_key_with_brackets_is_answered_with_the_whole_key_as_it_is_written(self):
        for written, meant in (
            ("specimen[0].width_m", "specimen.0.width_m"),
            ("excitaton.frequency_hz", "excitation.frequency_hz"),
        ):
            with self.assertRaisesRegex(topple.InputError, f'did you mean "{meant}"'):
                topple.predict_many(SINE, {written: [0.05]})
        self.assertEqual(topple.predict_many(SINE, {"specimen.0.width_m": [0.05]}).first_refusal, "")

    def test_two_keys_that_set_the_same_number_are_refused(self):
        stack = example("stack_db3m6m.toml")
        for file, keys in (
            (SINE, ("excitation.amplitude_m_s2", "amplitude_ratio")),
            (SINE, ("excitation.frequency_hz", "excitation.angular_frequency_rad_s")),
            (SINE, ("slenderness", "specimen.width_m")),
            (SINE, ("specimen.width_m", "specimen.0.width_m")),
            (stack, ("specimen.blocks.height_m", "specimen.blocks.1.height_m")),
        ):
            with self.assertRaisesRegex(topple.InputError, "set the same number|is not in the file"):
                topple.predict_many(file, {key: [1.0] for key in keys})
        with self.assertRaisesRegex(topple.InputError, "set the same number"):
            topple.predict_many(SINE, {"slenderness": [4.5], "specimen.width_m": [0.05]})
        shapes = topple.predict_many(SINE, {"slenderness": [3.0, 6.0], "size_m": [0.2, 0.1]})
        self.assertEqual(shapes.first_refusal, "")

    def test_other_threads_run_during_a_long_call(self):
        stop, turns = threading.Event(), 0

        def count():
            nonlocal turns
            while not stop.is_set():
                turns += 1
                time.sleep(0.001)

        other = threading.Thread(target=count)
        other.start()
        try:
            before = turns
            topple.predict_many(SINE, {"excitation.amplitude_m_s2": np.linspace(1, 9, 4000)})
            self.assertGreater(turns - before, 5)
        finally:
            stop.set()
            other.join()

    def test_ctrl_c_ends_calls_that_would_take_many_minutes(self):
        for call in (
            f"topple.predict_many({SINE!r}, {{'excitation.amplitude_m_s2': [3.0] * 3_000_000}})",
            f"topple.ensemble({SINE!r}, 1_000_000, model='newmark')",
            f"topple.outcome_map({example('three_blocks_pulse.toml')!r}, [1.0] * 100_000, [5.0] * 20)",
        ):
            done = subprocess.run(
                [sys.executable, "-c", INTERRUPTED.format(call=call)], capture_output=True, text=True, timeout=120
            )
            self.assertEqual((done.returncode, done.stdout), (0, "interrupted\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
