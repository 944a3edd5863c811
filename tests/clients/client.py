"""What the tests of the program share: where it is, how it is called, and how long each test takes.

    /usr/bin/python3 CLIENT.py PATH_OF_OCTAVO [TESTS]

With OCTAVO_TEST_TIMES=FILE the seconds of each test are written there, in the form of JUnit.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from xml.sax.saxutils import quoteattr

OCTAVO = pathlib.Path(sys.argv.pop(1)).resolve()
SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


class Client(unittest.TestCase):
    """A test with a folder of its own, in which the program is called."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def octavo(self, *arguments, code=0, **options):
        options = {"cwd": self.folder, "timeout": 600, **options}
        result = subprocess.run([OCTAVO, *map(str, arguments)], capture_output=True, text=True, **options)
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stderr}{result.stdout}")
        return result

    def start(self, *arguments):
        """Goes on in the background."""
        return subprocess.Popen(
            [OCTAVO, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def wait_for(self, condition, what):
        for _ in range(6000):
            if condition():
                return
            time.sleep(0.01)
        self.fail(f"no {what} after a minute")

    def events(self, run, name=None):
        """The lines of a run's log."""
        lines = [json.loads(line) for line in (self.folder / run / "log.jsonl").read_text().splitlines()]
        return [line for line in lines if name in (None, line["event"])]


class TimedResult(unittest.TextTestResult):
    times = []

    def startTest(self, test):
        self.begin = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        kind, name = test.id().split(".")[-2:]
        self.times.append((kind, name, time.monotonic() - self.begin))
        super().stopTest(test)


def main():
    runner = unittest.TextTestRunner(resultclass=TimedResult)
    tests = unittest.main(testRunner=runner, exit=False)
    if "OCTAVO_TEST_TIMES" in os.environ:
        path = pathlib.Path(os.environ["OCTAVO_TEST_TIMES"])
        path.parent.mkdir(parents=True, exist_ok=True)
        cases = "".join(
            f"<testcase classname={quoteattr(kind)} name={quoteattr(name)} time=\"{seconds:.3f}\"/>\n"
            for kind, name, seconds in TimedResult.times
        )
        path.write_text(f"<testsuite>\n{cases}</testsuite>\n")
    sys.exit(0 if tests.result.wasSuccessful() else 1)
