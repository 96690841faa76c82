"""Runs as arrays, and their conclusion as a dict."""

import json
import os
import shutil
import tempfile
import unittest

import numpy as np
import topple

from topple_program import example, topple as run_topple


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.run_folder = os.path.join(cls.folder, "run")
        run_topple("run", example("b6l_sine.toml"), "--out", cls.run_folder)

    def test_the_arrays_are_those_of_the_export(self):
        out = os.path.join(self.folder, "csv")
        run_topple("export", self.run_folder, "--out", out)
        run = topple.read_run(self.run_folder)
        for name in ("setpoint", "feedback", "prediction", "timing"):
            table = getattr(run, name)
            csv = np.genfromtxt(
                os.path.join(out, name + ".csv"), delimiter=",", names=True, dtype=None, encoding="utf-8", deletechars=""
            )
            self.assertEqual(tuple(table), csv.dtype.names)
            for column in csv.dtype.names:
                np.testing.assert_array_equal(table[column], csv[column], column)
                self.assertEqual(table[column].shape, csv[column].shape)

    def test_time_counts_from_the_start_of_the_motion_and_units_are_there(self):
        run = topple.read_run(os.path.join(self.run_folder, "run.mcap"))
        kinds = run.events["kind"].tolist()
        self.assertEqual(run.events["time_s"][kinds.index("motion_start")], 0.0)
        self.assertLess(run.feedback["time_s"][0], 0.0)
        self.assertEqual(run.feedback.units["rotation_0_rad"], "rad")
        self.assertEqual(run.feedback.units["setpoint_velocity_x_m_s"], "m/s")
        self.assertIn("accelerometer", run.feedback.descriptions["accelerometer_x_m_s2"].lower())
        self.assertIn("running", run.feedback["state"])
        self.assertEqual(run.damage, [])
        self.assertTrue(run.data_whole)
        self.assertIn("B6L", run.documents["experiment.toml"])
        with self.assertRaisesRegex(KeyError, "position_x_m"):
            run.feedback["position"]

    def test_compare_concludes_what_the_run_concluded_and_writes_nothing(self):
        path = os.path.join(self.run_folder, "summary.json")
        with open(path, encoding="utf-8") as file:
            wanted = json.load(file)
        os.rename(path, path + ".aside")
        before = sorted(os.listdir(self.run_folder))
        got = topple.compare(self.run_folder)
        self.assertEqual(sorted(os.listdir(self.run_folder)), before)
        os.rename(path + ".aside", path)
        self.assertEqual({k: v for k, v in got.items() if k != "truth"}, {k: v for k, v in wanted.items() if k != "truth"})
        self.assertEqual(topple.compare(self.run_folder), wanted)

    def test_a_torn_run_is_read_as_far_as_it_goes(self):
        torn = os.path.join(self.folder, "torn")
        shutil.copytree(self.run_folder, torn)
        log = os.path.join(torn, "run.mcap")
        os.truncate(log, os.path.getsize(log) // 2)
        run = topple.read_run(torn)
        self.assertGreater(len(run.feedback["time_s"]), 500)
        self.assertNotEqual(run.damage, [])

    def test_what_is_no_run_is_refused(self):
        for call in (topple.read_run, topple.compare):
            with self.assertRaisesRegex(topple.InputError, "nowhere"):
                call("nowhere")


if __name__ == "__main__":
    unittest.main()
