"""The package's types: stubs agree with what is there, and programs that use it are checked against them."""

import ast
import os
import re
import subprocess
import sys
import tempfile
import unittest

import topple

from topple_program import SOURCE

PACKAGE_FOLDER = os.path.dirname(os.path.dirname(topple.__file__))


def mypy(*arguments, module="mypy"):
    with tempfile.TemporaryDirectory() as cache:
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "MYPYPATH": PACKAGE_FOLDER, "MYPY_CACHE_DIR": cache},
            cwd=cache,
        )


class Typing(unittest.TestCase):
    def test_the_stub_of_the_compiled_part_agrees_with_it(self):
        done = mypy("topple._core", module="mypy.stubtest")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_parameters_of_the_stub_are_those_of_the_compiled_part(self):
        with open(os.path.join(PACKAGE_FOLDER, "topple", "_core.pyi"), encoding="utf-8") as file:
            functions = [node for node in ast.parse(file.read()).body if isinstance(node, ast.FunctionDef)]
        self.assertGreater(len(functions), 4)
        for function in functions:  # pybind11 writes the signature into the first line of the docstring
            signature = getattr(topple._core, function.name).__doc__.splitlines()[0]
            self.assertEqual(re.findall(r"(\w+): ", signature), [one.arg for one in function.args.args])

    def test_the_package_and_its_examples_pass_the_strict_checks(self):
        examples = os.path.join(SOURCE, "docs", "examples", "python")
        files = [os.path.join(examples, name) for name in sorted(os.listdir(examples)) if name.endswith(".py")]
        done = mypy("--strict", "--ignore-missing-imports", *files)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_wrong_use_is_noticed(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write('import topple\ntopple.predict("a.toml", histroy=True)\ntopple.outcome_map("a.toml", threads="x")\n')
            file.flush()
            done = mypy("--strict", file.name)
        self.assertIn("histroy", done.stdout)
        self.assertIn('Argument "threads"', done.stdout)

    def test_every_function_says_what_it_gives(self):
        for name in topple.__all__:
            thing = getattr(topple, name)
            if callable(thing) and name not in ("InputError", "OutputError"):
                self.assertGreater(len(thing.__doc__ or ""), 40, name)


if __name__ == "__main__":
    unittest.main()
