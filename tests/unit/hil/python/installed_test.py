"""What `cmake --install` lays down is found by python3 and works by itself."""

import os
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop()


class Installed(unittest.TestCase):
    def test_the_package_is_where_python_looks_and_imports(self):
        for prefix in ("/usr", "/usr/local"):
            with tempfile.TemporaryDirectory() as root:
                subprocess.run(
                    ["cmake", "--install", BUILD, "--component", "python", "--prefix", prefix],
                    check=True,
                    capture_output=True,
                    env={**os.environ, "DESTDIR": root},
                )
                found = [path for path in sys.path if path and os.path.isdir(root + path + "/topple")]
                self.assertEqual(len(found), 1, sys.path)
                self.assertTrue(found[0].startswith(prefix + "/lib/"))
                self.assertIn("py.typed", os.listdir(root + found[0] + "/topple"))
                done = subprocess.run(
                    [sys.executable, "-c", "import topple; print(topple.__file__, topple.__version__)"],
                    check=True,
                    capture_output=True,
                    text=True,
                    cwd=root,
                    env={**os.environ, "PYTHONPATH": root + found[0]},
                )
                self.assertTrue(done.stdout.startswith(root), done.stdout)


if __name__ == "__main__":
    unittest.main()
