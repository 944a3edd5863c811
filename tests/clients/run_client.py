"""What the tests of runs share: a scene with a little of everything, and runs of it."""

import os
import pathlib
import shutil
import tempfile

import client

# With sanitizers all takes many times as long.
FINEST = 3 if os.environ.get("OCTAVO_SANITIZE") else 4

# Rising smoke past a ball: small, but it adapts, takes several steps a frame and has a moving obstacle,
# noise, a further scalar and a bound on leaves.
SCENE = f"""
[domain]
size = [1.0, 1.0, 1.5]
[walls]
default = "open"
bottom = "closed"
[grid]
min_level = 2
max_level = {FINEST}
max_leaves = 2500
[[refine]]
by = "objects"
[[refine]]
by = "density_band"
range = [0.05, inf]
[[refine]]
by = "vorticity"
above = 2.0
[smoke]
lift = 8.0
cfl = 1.5
confinement = 0.2
[[scalar]]
name = "color"
[[source]]
shape = {{ sphere = {{ center = [0.5, 0.5, 0.2], radius = 0.12 }} }}
density = 1.0
temperature = 1.0
scalars = {{ color = 2.0 }}
noise = {{ amount = 0.5, size = 0.1, period = 0.2 }}
[[obstacle]]
shape = {{ sphere = {{ center = [0.5, 0.5, 0.8], radius = 0.15 }} }}
motion = {{ oscillate = {{ move = [0.2, 0.0, 0.0], frequency = 2.0 }} }}
[[probe]]
name = "points"
points = [[0.5078125, 0.4921875, 0.3046875], [0.4453125, 0.5546875, 0.4140625], [0.5234375, 0.3984375, 0.3515625]]
fields = ["density", "temperature", "velocity", "color", "pressure"]
[output]
frames = [1, 6]
fps = 12
volume = ["density", "temperature", "velocity", "color"]
checkpoint_every = 1
"""


class RunClient(client.Client):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.kept = pathlib.Path(folder.name)

    def setUp(self):
        super().setUp()
        self.scene = self.folder / "smoke.toml"
        self.scene.write_text(SCENE)

    def whole(self):
        """The run that nothing happened to, made once for all tests."""
        if not (self.kept / "whole").exists():
            self.run_scene(self.kept / "whole")
        shutil.copytree(self.kept / "whole", self.folder / "whole")

    def run_scene(self, out, *arguments, code=0, **options):
        return self.octavo("run", self.scene, "-o", out, *arguments, code=code, **options)

    def start(self, out, *arguments):
        return super().start("run", self.scene, "-o", out, *arguments)

    def files(self, out):
        """What must be the same whatever happened: volumes, grids and probes."""
        root = self.folder / out
        return {
            str(p.relative_to(root)): p.read_bytes()
            for kind in ("volume", "grid", "probe")
            for p in sorted(root.glob(f"{kind}/*"))
        }

    def assert_same_files(self, one, other):
        a, b = self.files(one), self.files(other)
        self.assertEqual(sorted(a), sorted(b))
        self.assertGreater(len(a), 3)
        for name in a:
            self.assertEqual(a[name], b[name], f"{name} differs")
