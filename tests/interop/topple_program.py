"""The program `topple` as the tests in Python call it; TOPPLE names it."""

import os
import subprocess

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(SOURCE, "docs", "examples")


def example(name):
    return os.path.join(EXAMPLES, name)


def topple(*arguments, code=0, **how):
    """The finished program, with its texts in stdout and stderr; its exit code must be `code`."""
    done = subprocess.run([os.environ["TOPPLE"], *map(str, arguments)], capture_output=True, text=True, **how)
    if done.returncode != code:
        raise AssertionError(f"topple {arguments}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done
