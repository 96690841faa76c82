"""Exported runs read back by h5py and scipy, against the run's own log read by a reader that is not Topple's."""

import json
import os
import resource
import shutil
import signal
import tempfile
import unittest

import h5py
import numpy as np
import scipy.io

from read_mcap import read_topics
from topple_program import EXAMPLES, SOURCE, example, topple

AXES = "xy"


def column(messages, value):
    return np.array([value(m) for m in messages], dtype=float)


def at(index, field):
    """Element of a repeated field; NaN where there is none."""
    return lambda m: getattr(m, field)[index] if index < len(getattr(m, field)) else np.nan


def optional(field):
    return lambda m: getattr(m, field) if m.HasField(field) else np.nan


def expected_columns(topics, kinds):
    """What every exported column must hold, from the log's messages; `kinds`: words of the enumerations."""
    start = next(e.device_time_us for e in topics["/event"] if e.kind == 3)
    expected = {}

    def add(table, name, value):
        expected[table, name] = column(topics[table], value)

    for table in topics:
        add(table, "device_time_us", lambda m: m.device_time_us)
        add(table, "time_s", lambda m: (m.device_time_us - start) / 1e6)
    for i in range(max(len(m.encoder_count) for m in topics["/feedback"])):
        axis = AXES[i]
        add("/feedback", f"encoder_{axis}_count", at(i, "encoder_count"))
        add("/feedback", f"position_{axis}_m", at(i, "position_m"))
        for quantity, unit in (("position", "m"), ("velocity", "m_s"), ("acceleration", "m_s2")):
            add("/feedback", f"setpoint_{quantity}_{axis}_{unit}", at(i, f"setpoint_{quantity}_{unit}"))
            add("/setpoint", f"{quantity}_{axis}_{unit}", at(i, f"{quantity}_{unit}"))
    add("/feedback", "accelerometer_x_m_s2", optional("acceleration_x_m_s2"))
    add("/feedback", "accelerometer_y_m_s2", optional("acceleration_y_m_s2"))
    for i in range(max(len(m.rotation_rad) for m in topics["/feedback"])):
        add("/feedback", f"rotation_{i}_rad", at(i, "rotation_rad"))
    for name in ("state", "fault_code", "queue_level", "motion_done"):
        add("/feedback", name, lambda m, name=name: getattr(m, name))
    add("/feedback", "trigger", optional("trigger"))
    add("/setpoint", "final", lambda m: m.final)
    for name in ("age_us", "specimen"):
        add("/prediction", name, lambda m, name=name: getattr(m, name))
    for name in ("cycle", "deadline_ns", "wake_late_ns", "busy_ns", "cycles_missed", "queue_level"):
        add("/timing", name, lambda m, name=name: getattr(m, name))
    return expected


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.runs = {name: cls.make_run(name) for name in ("b6l_sine.toml", "two_axes.toml")}
        with open(example("b6l_sine.toml"), encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(cls.runs["b6l_sine.toml"], "machine.toml"), encoding="utf-8") as file:
            machine = file.read()
        machine += '[[aux]]\nname = "Kraft µ"\nunit = "N"\nscale = 100.0\noffset = 3.0\n'
        cls.write("aux_machine.toml", machine)
        cls.write("aux.toml", text.replace('"quanser-st-iii"', '"aux_machine.toml"\ntrigger = true'))
        cls.runs["aux"] = cls.make_run("aux", os.path.join(cls.folder, "aux.toml"))

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    @classmethod
    def make_run(cls, name, file=None):
        run = os.path.join(cls.folder, "run_" + name.split(".")[0])
        topple("run", file or example(name), "--out", run)
        return run

    def out(self, name):
        return os.path.join(self.folder, self.id().rsplit(".", 1)[-1] + name)

    def same(self, got, wanted, where):
        np.testing.assert_allclose(np.ravel(got).astype(float), wanted, rtol=1e-12, atol=0, err_msg=str(where))

    def test_hdf5_holds_every_sample_of_the_log(self):
        for name, run in self.runs.items():
            file = self.out(name + ".h5")
            topple("export", run, "--format", "hdf5", "--out", file)
            topics = read_topics(os.path.join(run, "run.mcap"))
            with h5py.File(file) as got:
                for (topic, column_name), wanted in expected_columns(topics, None).items():
                    table = {"/event": "events"}.get(topic, topic[1:])
                    self.same(got[table][column_name][()], wanted, (name, topic, column_name))
                self.assertEqual(
                    [text.decode() for text in got["events/text"][()]], [e.text for e in topics["/event"]]
                )
                states = h5py.check_enum_dtype(got["feedback/state"].dtype)
                self.assertEqual(states["running"], 4)
                outcomes = h5py.check_enum_dtype(got["prediction/outcome"].dtype)
                words = {code: word for word, code in outcomes.items()}
                self.assertEqual(
                    [words[code] for code in got["prediction/outcome"][()]],
                    [o.lower() for o in self.outcome_words(topics["/prediction"])],
                )

    @staticmethod
    def outcome_words(messages):
        kind = messages[0].DESCRIPTOR.fields_by_name["outcome"].enum_type
        return [kind.values_by_number[m.outcome].name for m in messages]

    def test_every_dataset_says_what_it_is(self):
        file = self.out(".h5")
        topple("export", self.runs["aux"], "--format", "hdf5", "--out", file)
        with h5py.File(file) as got:
            for table in ("setpoint", "feedback", "prediction", "events", "timing"):
                for name, dataset in got[table].items():
                    self.assertTrue(dataset.attrs["description"], (table, name))
                    if dataset.dtype.kind == "f":
                        self.assertTrue(dataset.attrs["unit"], (table, name))
            force = next(name for name in got["feedback"] if name.startswith("aux_"))
            self.assertEqual(got["feedback"][force].attrs["unit"], "N")
            self.assertIn("Kraft µ", got["feedback"][force].attrs["description"])
            self.assertEqual(got["feedback/position_x_m"].attrs["unit"], "m")
            volts = column(read_topics(os.path.join(self.runs["aux"], "run.mcap"))["/feedback"], at(0, "aux_v"))
            self.same(got["feedback"][force][()], 3.0 + 100.0 * volts, force)
            with open(os.path.join(self.runs["aux"], "experiment.toml"), encoding="utf-8") as text:
                self.assertEqual(got["documents/experiment.toml"][()].decode(), text.read())
            self.assertEqual(len(got.attrs["prediction_sha256"]), 64)
            self.assertEqual(got.attrs["data_whole"], "true")

    def test_matlab_file_holds_every_sample_of_the_log(self):
        for name, run in self.runs.items():
            file = self.out(name + ".mat")
            topple("export", run, "--format", "mat", "--out", file)
            got = scipy.io.loadmat(file, squeeze_me=False, struct_as_record=False)["run"][0, 0]
            topics = read_topics(os.path.join(run, "run.mcap"))
            for (topic, column_name), wanted in expected_columns(topics, None).items():
                table = getattr(got, {"/event": "events"}.get(topic, topic[1:]))[0, 0]
                values = getattr(table, column_name)
                self.assertEqual(values.shape, (len(wanted), 1), (name, topic, column_name))
                self.assertEqual(values.dtype, np.float64)
                self.same(values, wanted, (name, topic, column_name))

    def test_matlab_structures_read_naturally(self):
        file = self.out(".mat")
        run = self.runs["aux"]
        topple("export", run, "--format", "mat", "--out", file)
        got = scipy.io.loadmat(file, squeeze_me=True, struct_as_record=False)["run"]
        self.assertEqual(got.units.feedback.position_x_m, "m")
        self.assertEqual(got.units.prediction.rocking_probability, "1")
        force = next(name for name in got.feedback._fieldnames if name.startswith("aux_"))
        self.assertIn("Kraft µ", getattr(got.descriptions.feedback, force))
        words = got.words.feedback.state
        self.assertEqual(words[int(got.feedback.state[0])], "ready")
        with open(os.path.join(run, "summary.json"), encoding="utf-8") as text:
            summary = json.load(text)
        self.assertEqual(got.summary.verdict, summary["verdict"])
        self.assertEqual(got.summary.measured.outcome, summary["measured"]["outcome"])
        with open(os.path.join(run, "prediction.json"), encoding="utf-8") as text:
            blind = json.load(text)
        self.assertEqual(got.blind_prediction.probability.rocking, blind["probability"]["rocking"])
        self.same(got.blind_prediction.peak_rotation_rad, blind["peak_rotation_rad"], "peak")
        with open(os.path.join(run, "experiment.toml"), encoding="utf-8") as text:
            self.assertEqual(got.experiment, text.read())

    def test_all_formats_hold_the_same_numbers(self):
        run = self.runs["two_axes.toml"]
        for form, name in (("csv", "csv"), ("hdf5", "run.h5"), ("mat", "run.mat")):
            self.assertEqual(topple("export", run, "--format", form).stdout.strip(), os.path.join(run, name))
        got = scipy.io.loadmat(os.path.join(run, "run.mat"), squeeze_me=True, struct_as_record=False)["run"]
        with h5py.File(os.path.join(run, "run.h5")) as hdf5:
            for table in ("setpoint", "feedback", "prediction", "timing"):
                path = os.path.join(run, "csv", table + ".csv")
                csv = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8", deletechars="")
                for name in csv.dtype.names:
                    if csv.dtype[name].kind == "U":
                        continue
                    wanted = csv[name].astype(float)
                    if name == "trigger" and np.all(wanted == -1):
                        wanted[:] = np.nan
                    np.testing.assert_array_equal(hdf5[table][name][()].astype(float), wanted, name)
                    np.testing.assert_array_equal(getattr(getattr(got, table), name), wanted, name)

    def test_a_torn_log_is_exported_as_far_as_it_goes(self):
        torn = self.out("")
        shutil.copytree(self.runs["b6l_sine.toml"], torn)
        log = os.path.join(torn, "run.mcap")
        os.truncate(log, os.path.getsize(log) // 2)
        whole = len(read_topics(log)["/feedback"])
        self.assertGreater(whole, 500)
        for form, name in (("hdf5", "run.h5"), ("mat", "run.mat")):
            self.assertIn("the log is damaged", topple("export", torn, "--format", form).stderr)
        with h5py.File(os.path.join(torn, "run.h5")) as got:
            self.assertEqual(got["feedback/time_s"].shape, (whole,))
            self.assertIn("damage", got.attrs)
        got = scipy.io.loadmat(os.path.join(torn, "run.mat"), squeeze_me=True, struct_as_record=False)["run"]
        self.assertEqual(got.feedback.time_s.shape, (whole,))
        self.assertTrue(len(np.atleast_1d(got.damage)))

    def test_a_log_alone_without_a_folder_is_exported(self):
        alone = self.out("")
        os.mkdir(alone)
        log = shutil.copy(os.path.join(self.runs["b6l_sine.toml"], "run.mcap"), alone)
        topple("export", log, "--format", "hdf5")
        topple("export", log, "--format", "mat")
        with h5py.File(os.path.join(alone, "run.h5")) as got:
            self.assertEqual(len(got["documents"]), 0)
            self.assertTrue(np.isfinite(got["feedback/position_x_m"][()]).all())

    def test_nothing_is_overwritten_and_nothing_half_done_is_left(self):
        run = self.runs["b6l_sine.toml"]
        folder = self.out("")
        os.mkdir(folder)
        for form in ("hdf5", "mat"):
            file = os.path.join(folder, form)
            with open(file, "w", encoding="utf-8") as there:
                there.write("mine")
            self.assertIn("not overwritten", topple("export", run, "--format", form, "--out", file, code=2).stderr)
            with open(file, encoding="utf-8") as there:
                self.assertEqual(there.read(), "mine")
            topple("export", run, "--format", form, "--out", file, "--force")
            self.assertGreater(os.path.getsize(file), 10_000)
            topple("export", run, "--format", form, "--out", folder, code=2)
            topple("export", run, "--format", form, "--out", "/dev/null", code=2)
            topple("export", run, "--format", form, "--out", os.path.join(file, "in_a_file"), code=1)
        topple("export", run, "--format", "csv", "--force", "--out", os.path.join(folder, "csv"), code=2)
        self.assertEqual(sorted(os.listdir(folder)), ["hdf5", "mat"])

    def test_a_full_disk_leaves_no_file(self):
        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        folder = self.out("")
        os.mkdir(folder)
        for form in ("hdf5", "mat"):
            done = topple(
                "export", self.runs["b6l_sine.toml"], "--format", form, "--out", os.path.join(folder, form), code=1,
                preexec_fn=small_files_only,
            )
            self.assertIn("cannot be written", done.stderr)
        self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
