"""Runs scenes as users do: stops them, kills them, breaks their files, and opens what they write.

    /usr/bin/python3 runs.py PATH_OF_OCTAVO [TESTS]
"""

import csv
import json
import math
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

import pyopenvdb
import vtk

import client
from client import OCTAVO, SCENES

# Rising smoke past a ball: small, but it adapts, takes several steps a frame and has a moving obstacle,
# noise, a further scalar and a bound on leaves.
SCENE = """
[domain]
size = [1.0, 1.0, 1.5]
[walls]
default = "open"
bottom = "closed"
[grid]
min_level = 2
max_level = 5
max_leaves = 9000
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
shape = { sphere = { center = [0.5, 0.5, 0.2], radius = 0.12 } }
density = 1.0
temperature = 1.0
scalars = { color = 2.0 }
noise = { amount = 0.5, size = 0.1, period = 0.2 }
[[obstacle]]
shape = { sphere = { center = [0.5, 0.5, 0.8], radius = 0.15 } }
motion = { oscillate = { move = [0.2, 0.0, 0.0], frequency = 2.0 } }
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


def limit_file_size():
    """As a shell's ulimit: Python ignores the signal, and what it starts would, too."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


class Runs(client.Client):
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

    # What other programs find in the files.

    def test_volumes_open_in_openvdb(self):
        self.run_scene("out", "--set", "title=A test", "--set", "grid.max_leaves=0")
        with open(self.folder / "out/probe/points.csv") as file:
            rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
        self.assertEqual(len(rows), 18)
        for frame in (1, 6):
            path = self.folder / f"out/volume/smoke.{frame:04}.vdb"
            grids = {g.name: g for g in pyopenvdb.readAll(str(path))[0]}
            self.assertEqual(sorted(grids), ["color", "density", "temperature", "vel"])
            metadata = pyopenvdb.readMetadata(str(path))
            self.assertEqual(metadata["frame"], frame)
            self.assertEqual(metadata["fps"], 12)
            self.assertAlmostEqual(metadata["time"], frame / 12)
            self.assertEqual(metadata["up_axis"], "z")
            self.assertEqual(metadata["title"], "A test")
            self.assertIn("octavo", metadata["creator"])
            size = 1.0 / 2 / 2**5  # two root cells along a metre
            for name, grid in grids.items():
                for length in grid.transform.voxelSize():
                    self.assertAlmostEqual(length, size)
                self.assertEqual(grid.gridClass, "unknown" if name == "vel" else "fog volume")
            for row in rows:
                if row["frame"] != frame:
                    continue
                self.compare_at(row, grids, size)

    def compare_at(self, row, grids, size):
        """Probes are in the middle of voxels: there the volume has the simulator's own values, rounded."""
        index = tuple(int(row[axis] // size) for axis in "xyz")
        for name in ("density", "temperature", "color"):
            largest = max(abs(v) for v in grids[name].evalMinMax())
            value = grids[name].getConstAccessor().getValue(index)
            self.assertAlmostEqual(value, row[name], delta=largest / 2048 + abs(row[name]) / 2048)
        velocity = [row[f"velocity_{axis}"] for axis in "xyz"]
        speed = max(map(abs, velocity))
        for value, expected in zip(grids["vel"].getConstAccessor().getValue(index), velocity):
            self.assertAlmostEqual(value, expected, delta=0.002 * max(speed, 1))

    def test_volumes_of_either_names_are_a_beginning(self):
        energies = []
        for names in ("houdini", "blender"):
            self.run_scene(names, "--frames", "1:2", "--grid-names", names)
            (self.folder / "still.toml").write_text(
                f'domain.size = [1.0, 1.0, 1.5]\ngrid.max_level = 4\noutput.frames = [1, 1]\n'
                f'[[initial]]\nvolume = "{names}/volume/smoke.0002.vdb"\n'
            )
            self.octavo("run", "still.toml", "-o", f"{names}-again")
            energies.append(self.events(f"{names}-again")[1]["kinetic_energy"])
        self.assertGreater(energies[0], 1e-6)
        self.assertEqual(energies[0], energies[1])
        wrong = 'initial=[{volume="houdini/volume/smoke.0002.vdb", density_grid="vel"}]'
        result = self.octavo("check", "still.toml", "--seconds", 0, "--set", wrong, code=2)
        self.assertIn("has vectors, not numbers", result.stderr)

    def test_grids_open_in_vtk(self):
        self.run_scene("out", "--set", 'output.grid=["density", "velocity", "pressure"]', "--frames", "1:3")
        frames = [e for e in self.events("out") if e["event"] == "frame"]
        self.assertEqual([e["frame"] for e in frames], [1, 2, 3])
        series = (self.folder / "out/grid/smoke.pvd").read_text()
        for event in frames:
            name = f"smoke.{event['frame']:04}.htg"
            self.assertIn(name, series)
            reader = vtk.vtkXMLHyperTreeGridReader()
            reader.SetFileName(str(self.folder / "out/grid" / name))
            reader.Update()
            grid = reader.GetOutput()
            self.assertEqual(grid.GetNumberOfLeaves(), event["leaves"])
            data = grid.GetCellData()
            names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
            self.assertEqual(names, ["level", "density", "velocity_x", "velocity_y", "velocity_z", "pressure"])
            self.assertGreater(data.GetArray("velocity_z").GetRange()[1], 0.1)
            low, high = data.GetArray("density").GetRange()
            self.assertGreater(high, 0.3)
            self.assertGreaterEqual(low, 0)

    # Interruptions.

    def test_ctrl_c_and_resume(self):
        self.whole()
        for name, threads in (("same", 2), ("other", 1)):
            process = self.start(name, "--threads", threads)
            log = self.folder / name / "log.jsonl"
            self.wait_for(lambda: log.exists() and log.read_text().count('"step"') > 4, "steps")
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=300)[1]
            self.assertEqual(process.returncode, 3, said)
            self.assertIn("--resume", said)
            self.assertEqual(self.events(name)[-1]["event"], "interrupted")
            self.run_scene(name, "--resume", "--threads", 2)
            self.assert_same_files("whole", name)

    def test_killed_at_random_moments(self):
        small = ("--set", "grid.max_level=4", "--frames", "1:4")
        begin = time.time()
        self.run_scene("whole", *small)
        length = time.time() - begin
        moments = random.Random(1)
        kills = 0
        while kills < 20:
            process = self.start("killed", "--resume", "--threads", 1 + kills % 2, *small)
            time.sleep(moments.uniform(0, 1.2 * length))
            process.kill()
            said = process.communicate()[1]
            if process.returncode == 0:  # it was done before: begin again
                self.assert_same_files("whole", "killed")
                shutil.rmtree(self.folder / "killed")
                continue
            self.assertEqual(process.returncode, -signal.SIGKILL, said)
            kills += 1
        self.run_scene("killed", "--resume", *small)
        self.assert_same_files("whole", "killed")
        self.assertEqual(list((self.folder / "killed").rglob("*.tmp-*")), [])

    def test_damaged_checkpoints(self):
        self.whole()
        for damage in ("cut", "flip", "empty"):
            self.run_scene(damage, "--frames", "1:4")
            newest = self.folder / damage / "checkpoint/smoke.0004.h5"
            data = bytearray(newest.read_bytes())
            if damage == "cut":
                data = data[: len(data) // 2]
            elif damage == "flip":
                data[len(data) // 2] ^= 1
            else:
                data = b""
            newest.write_bytes(data)
            result = self.run_scene(damage, "--resume")
            self.assertIn("smoke.0004.h5", result.stderr)
            self.assertIn("the checkpoint before it", result.stderr)
            start = [e for e in self.events(damage) if e["event"] == "start"][-1]
            self.assertEqual(start["frame"], 3)
            self.assert_same_files("whole", damage)

    def test_no_checkpoint_can_be_used(self):
        self.whole()
        self.run_scene("out", "--frames", "1:3")
        for checkpoint in (self.folder / "out/checkpoint").glob("*.h5"):
            checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
        result = self.run_scene("out", "--resume")
        self.assertIn("starting from the beginning", result.stderr)
        self.assert_same_files("whole", "out")

    def test_changed_scenes(self):
        self.run_scene("out", "--frames", "1:2")
        before = self.files("out")
        result = self.run_scene("out", "--resume", "--set", "smoke.lift=3", "--set", "grid.max_level=4", code=2)
        self.assertIn("smoke.lift is 3.0, was 8.0", result.stderr)
        self.assertIn("grid.max_level is 4, was 5", result.stderr)
        self.assertEqual(self.files("out"), before)
        self.run_scene("out", "--resume", "--set", "output.half=false", "--frames", "1:3")  # harmless
        self.assertTrue((self.folder / "out/volume/smoke.0003.vdb").exists())
        self.run_scene("out", "--resume", "--force", "--set", "smoke.lift=3", "--frames", "1:4")
        self.assertTrue((self.folder / "out/volume/smoke.0004.vdb").exists())

    def test_the_camera_counts_where_there_is_a_view(self):
        small = ("--set", "grid.max_level=4")
        changed = ("--set", "camera.field_of_view=25", "--set", "render.extinction=9")
        self.run_scene("out", *small, "--frames", "1:1")
        self.run_scene("out", "--resume", *small, *changed, "--frames", "1:2")
        view = (*small, "--set", "view.finest_pixels=1")
        self.run_scene("seen", *view, "--frames", "1:1")
        result = self.run_scene("seen", "--resume", *view, *changed, code=2)
        self.assertIn("camera.field_of_view is 25.0, was 40.0", result.stderr)
        self.assertIn("render.extinction is 9.0, was not there", result.stderr)
        self.run_scene("seen", "--resume", *view, "--set", "render.exposure=1", "--frames", "1:2")

    def test_without_a_log(self):
        small = ("--set", "grid.max_level=4")
        self.run_scene("whole", *small, "--frames", "1:4")
        self.run_scene("out", *small, "--frames", "1:2")
        (self.folder / "out/log.jsonl").unlink()
        self.assertIn("holds a run already", self.run_scene("out", *small, code=2).stderr)
        self.run_scene("out", "--resume", *small, "--frames", "1:4")
        self.assertEqual(self.events("out")[0]["frame"], 2)
        self.assert_same_files("whole", "out")

    def test_branches(self):
        self.whole()
        self.run_scene("branch", "--from", "whole@5")
        self.assertEqual(sorted(self.files("branch")), ["probe/points.csv", "volume/smoke.0006.vdb"])
        last = "volume/smoke.0006.vdb"
        self.assertEqual(self.files("branch")[last], self.files("whole")[last])
        self.run_scene("other", "--from", "whole@5", "--set", "smoke.lift=20")
        self.assertNotEqual(self.files("other")[last], self.files("whole")[last])
        result = self.run_scene("none", "--from", "whole@1", code=2)
        self.assertIn("there is no checkpoint of frame 1", result.stderr)
        self.run_scene("none", "--from", "whole@5", "--set", "domain.size=[1,1,1]", code=2)
        self.assertFalse((self.folder / "none").exists())

    def test_a_branch_killed_at_once(self):
        self.whole()
        process = self.start("branch", "--from", "whole@5", "--set", "output.checkpoint_every=0")
        log = self.folder / "branch/log.jsonl"
        self.wait_for(lambda: log.exists() and '"step"' in log.read_text(), "step")
        process.kill()
        process.communicate()
        self.run_scene("branch", "--resume", "--set", "output.checkpoint_every=0")
        last = "volume/smoke.0006.vdb"
        self.assertEqual(self.files("branch")[last], self.files("whole")[last])

    def test_checkpoints_that_it_went_back_behind(self):
        self.whole()
        self.run_scene("out")
        for checkpoint in (self.folder / "out/checkpoint").glob("*.h5"):
            checkpoint.write_bytes(b"damaged")
        process = self.start("out", "--resume")
        first = self.folder / "out/checkpoint/smoke.0001.h5"
        self.wait_for(lambda: first.exists(), "checkpoint")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)
        self.assertEqual(process.returncode, 3)
        left = sorted(p.name for p in (self.folder / "out/checkpoint").glob("*.h5"))
        self.assertNotIn("smoke.0006.h5", left)
        result = self.run_scene("out", "--resume")
        self.assertNotIn("beginning", result.stderr)
        self.assert_same_files("whole", "out")

    def test_without_a_checkpoint_the_scene_must_be_the_same(self):
        self.run_scene("out", "--frames", "1:2")
        shutil.rmtree(self.folder / "out/checkpoint")
        result = self.run_scene("out", "--resume", "--set", "smoke.lift=3", code=2)
        self.assertIn("smoke.lift is 3.0, was 8.0", result.stderr)
        self.assertIn("starting from the beginning", self.run_scene("out", "--resume", "--frames", "1:2").stderr)

    def test_a_run_has_one_name(self):
        self.run_scene("out", "--frames", "1:2")
        self.octavo("run", "out/scene.toml", "-o", "out", "--resume", "--frames", "1:3")
        names = [p.name for p in sorted((self.folder / "out/volume").iterdir())]
        self.assertEqual(names, ["smoke.0001.vdb", "smoke.0002.vdb", "smoke.0003.vdb"])
        self.scene.rename(self.folder / "other.toml")
        self.octavo("run", "other.toml", "-o", "out", "--resume", "--frames", "1:4", code=2)
        shutil.copy(self.folder / "other.toml", self.folder / "a&b <c>.toml")
        self.octavo("run", "a&b <c>.toml", "-o", "signs", "--frames", "1:1")
        self.assertTrue((self.folder / "signs/volume/a_b__c_.0001.vdb").exists())

    def test_probes_keep_what_they_have(self):
        self.run_scene("out", "--frames", "1:2")
        before = (self.folder / "out/probe/points.csv").read_bytes()
        result = self.run_scene("out", "--resume", "--set", 'probe[0].fields=["density"]', code=2)
        self.assertIn("other columns", result.stderr)
        self.assertEqual((self.folder / "out/probe/points.csv").read_bytes(), before)

    def test_frames_that_were_not_written(self):
        self.run_scene("out", "--frames", "3:4")
        result = self.run_scene("out", "--resume", "--frames", "1:4")
        self.assertIn("frame 4 has been reached already", result.stderr)
        self.assertIn("2 of the frames up to 4 have no volume", result.stderr)

    # Folders and disks.

    def test_what_is_not_of_a_run_stays(self):
        (self.folder / "mine").mkdir()
        shutil.copy(self.scene, self.folder / "mine/scene.toml")
        for option in ((), ("--overwrite",), ("--resume",)):
            result = self.octavo("run", "mine/scene.toml", "-o", "mine", *option, code=2)
            self.assertIn("scene.toml", result.stderr)
        self.assertEqual((self.folder / "mine/scene.toml").read_text(), SCENE)
        self.run_scene("out", "--frames", "1:1")
        for name in ("volume/mine.vdb", "probe/mine.csv", "notes.txt"):
            (self.folder / "out" / name).write_text("mine")
        initial = 'initial=[{volume="out/volume/smoke.0001.vdb"}]'
        result = self.run_scene("out", "--overwrite", "--set", initial, code=2)
        self.assertIn("--overwrite replaces", result.stderr)
        self.run_scene("out", "--overwrite", "--frames", "1:1")
        for name in ("volume/mine.vdb", "probe/mine.csv", "notes.txt"):
            self.assertEqual((self.folder / "out" / name).read_text(), "mine")

    def test_nobody_reads_what_it_says(self):
        shell = f"{OCTAVO} run {self.scene} --frames 1:3 -o out"
        for name, command in (
            ("pipe", f"{shell}-pipe 2>&1 | head -n 1"),
            ("json", f"{shell}-json --json | head -n 1"),
            ("closed", f"{shell}-closed >&- 2>&-"),
        ):
            subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, timeout=600)
            events = self.events(f"out-{name}")
            self.assertEqual(events[-1]["event"], "done")
            self.assertEqual(events[-1]["frame"], 3)

    def test_a_folder_belongs_to_one_run(self):
        self.run_scene("out", "--frames", "1:1")
        self.assertIn("holds a run", self.run_scene("out", code=2).stderr)
        self.run_scene("out", "--overwrite", "--frames", "1:2")
        process = self.start("busy")
        self.wait_for((self.folder / "busy/log.jsonl").exists, "log")
        self.assertIn("another run", self.run_scene("busy", "--resume", code=2).stderr)
        process.kill()
        process.communicate()

    def test_folders_that_cannot_be_had(self):
        (self.folder / "file").write_text("")
        for out in ("file", "file/out", "/proc/nothing"):
            self.assertIn("cannot be made", self.run_scene(out, code=2).stderr)

    def test_a_full_disk(self):
        self.run_scene("out", "--frames", "1:2")
        before = self.files("out")
        result = self.run_scene("out", "--resume", code=1, preexec_fn=limit_file_size)
        self.assertIn("cannot write", result.stderr)
        self.assertIn("--resume", result.stderr)
        self.assertEqual({n: d for n, d in self.files("out").items() if n in before and "csv" not in n},
                         {n: d for n, d in before.items() if "csv" not in n})
        self.whole()
        self.run_scene("out", "--resume")
        self.assert_same_files("whole", "out")

    def on_a_disk_of(self, size, script):
        """Runs a shell script where `disk` is a disk of so many bytes that is gone afterwards."""
        apart = ["unshare", "--mount", "--map-root-user"]
        if shutil.which("unshare") is None or subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
            self.skipTest("there may be no disks of one's own here")
        (self.folder / "disk").mkdir(exist_ok=True)
        script = f"""
            mount -t tmpfs -o size={size} disk disk
            run() {{ {OCTAVO} run {self.scene} -o disk/out $@; echo $?; }}
            {script}"""
        result = subprocess.run(
            [*apart, "sh", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=600
        )
        return result.stdout.split(), result.stderr

    def test_a_disk_that_fills_up(self):
        self.whole()
        size = sum(p.stat().st_size for p in (self.folder / "whole").rglob("*") if p.is_file())
        for part in (0.3, 0.5, 0.7):
            free = int(part * size)
            codes, said = self.on_a_disk_of(3 * size + (1 << 20), f"""
                head -c {2 * size + (1 << 20) + size - free} /dev/zero > disk/ballast
                run --ignore-limits
                find disk -name '*.tmp-*'
                for file in disk/out/volume/*.vdb disk/out/checkpoint/*.h5; do
                  {OCTAVO} info $file >/dev/null || echo bad $file
                done
                rm disk/ballast
                run --resume
                cp -r disk/out out-{free}""")
            self.assertEqual(codes, ["1", "0"], said)
            self.assertIn("No space left on device", said)
            self.assertIn("to continue from it", said)
            self.assert_same_files("whole", f"out-{free}")

    def test_a_disk_that_is_read_only(self):
        codes, said = self.on_a_disk_of("50m", f"""
            run --frames 1:3
            cp -r disk/out before
            mount -o remount,ro disk
            run --resume
            {OCTAVO} run {self.scene} -o disk/new; echo $?
            cp -r disk/out after""")
        self.assertEqual(codes, ["0", "2", "2"], said)
        self.assertIn("'disk/out' cannot be written to: Read-only file system", said)
        self.assertIn("'disk/new' cannot be made: Read-only file system", said)
        self.assert_same_files("before", "after")

    def test_a_folder_that_is_removed(self):
        process = self.start("out")
        log = self.folder / "out/log.jsonl"
        self.wait_for(lambda: log.exists() and '"step"' in log.read_text(), "step")
        shutil.rmtree(self.folder / "out")
        said = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn("cannot write", said)

    # What it says.

    def test_log_and_json(self):
        result = self.run_scene("out", "--json", "--frames", "1:2")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(lines, self.events("out"))
        self.assertEqual(lines[0]["event"], "start")
        self.assertEqual(lines[-1]["event"], "done")
        frame = next(e for e in lines if e["event"] == "frame")
        for key in ("leaves", "substeps", "iterations", "largest_divergence", "total_density", "seconds", "bytes"):
            self.assertIn(key, frame)
        self.assertEqual(self.run_scene("quiet", "--quiet", "--frames", "1:1").stderr, "")
        self.assertIn("frame 1 of 1", self.run_scene("plain", "--frames", "1:1").stderr)

    def test_steps_that_are_not_what_was_asked_for(self):
        small = ("--set", "grid.max_level=4", "--frames", "1:3")
        self.assertNotIn("warning", self.run_scene("good", *small).stderr)
        said = self.run_scene("inexact", *small, "--quiet", "--set", "smoke.max_iterations=1").stderr
        self.assertEqual(said.count("a step of frame 1 ended at smoke.max_iterations = 1"), 1)
        steps = self.events("inexact", "step")
        count = sum(not step["converged"] for step in steps)
        self.assertIn(f"warning: {count} of {len(steps)} steps ended at smoke.max_iterations\n", said)
        self.assertEqual(said.count("warning"), 2)
        said = self.run_scene("long", *small, "--quiet", "--set", "smoke.max_substeps=1", "--set", "smoke.cfl=0.2").stderr
        self.assertEqual(said.count("more than smoke.cfl = 0.2"), 1)
        self.assertIn("warning: 3 of 3 frames had steps that may pass more leaves than smoke.cfl\n", said)
        self.assertEqual(said.count("warning"), 2)

    def test_info(self):
        self.run_scene("out", "--frames", "1:2", "--set", 'output.grid=["density"]')
        info = lambda path: json.loads(self.octavo("info", path, "--json").stdout)
        self.assertEqual(info("out")["frame"], 2)
        self.assertEqual(info("out")["state"], "done")
        self.assertEqual(info("out")["last_frame"], 2)
        grids = info("out/volume/smoke.0002.vdb")["grids"]
        self.assertEqual(sorted(g["name"] for g in grids), ["color", "density", "temperature", "vel"])
        self.assertEqual([f["name"] for f in info("out/grid/smoke.0002.htg")["fields"]], ["level", "density"])
        checkpoint = info("out/checkpoint/smoke.0002.h5")
        self.assertEqual(checkpoint["frame"], 2)
        self.assertEqual(info(SCENES / "starter/knot.obj")["triangles"], 2400)
        self.octavo("info", "out")
        for wrong in ("nothing.vdb", self.folder):
            self.octavo("info", wrong, code=2)
        for ending in ("vdb", "htg", "h5", "obj"):
            (self.folder / f"bad.{ending}").write_bytes(b"this is none")
            self.octavo("info", f"bad.{ending}", code=2)

    def test_check_predicts(self):
        predicted = json.loads(self.octavo("check", self.scene, "--json", "--set", "grid.max_leaves=0").stdout)
        self.run_scene("out", "--set", "grid.max_leaves=0")
        leaves = max(e["leaves"] for e in self.events("out") if e["event"] == "step")
        self.assertLess(0.6, predicted["leaves"] / leaves)
        self.assertLess(predicted["leaves"] / leaves, 1.6)
        disk = sum(p.stat().st_size for p in (self.folder / "out").rglob("*") if p.is_file())
        self.assertLess(0.5, predicted["disk_bytes"] / disk)
        self.assertLess(predicted["disk_bytes"] / disk, 2)
        self.assertIn("no mistakes", self.octavo("check", self.scene, "--seconds", 0).stdout)

    def test_every_scene_runs(self):
        """Each is checked as it is, and run with as many levels as make a small grid, never more than it has."""
        scenes = sorted(SCENES.rglob("*.toml"))
        for scene in scenes:
            with self.subTest(scene.stem):
                summary = self.octavo("check", scene, "--seconds", 0).stdout
                finest = self.levels_for(summary, most=400_000 / len(scenes))
                out = self.folder / scene.stem
                self.octavo("run", scene, "-o", out, "--frames", "1:2", "--set", f"grid.max_level={finest}",
                            "--set", f"grid.min_level={max(0, finest - 2)}", "--set", "grid.max_leaves=0")
                volume = next(out.glob("volume/*.0002.vdb"))
                self.assertGreater(len(pyopenvdb.readAll(str(volume))[0]), 0)

    def levels_for(self, summary, most):
        """The finest level, of those that the scene has, with which no more than so many leaves fill its box."""
        level, cells = re.search(r"finest level (\d+): effective ([\d x]+)", summary).groups()
        sides = [int(n) for n in cells.split(" x ")]
        level, leaves = int(level), math.prod(sides)
        while level > 0 and leaves > most:
            level, leaves = level - 1, leaves / 2 ** len(sides)
        return level

    def test_same_files_for_any_number_of_threads(self):
        for threads in (1, 2, 5):
            self.run_scene(str(threads), "--frames", "1:3", "--threads", threads)
        self.assert_same_files("1", "2")
        self.assert_same_files("1", "5")

    def test_volumes_are_a_beginning(self):
        self.run_scene("out", "--frames", "1:3")
        (self.folder / "next.toml").write_text(
            '[domain]\nsize = [1.0, 1.0, 1.5]\n[grid]\nmax_level = 5\n[[initial]]\n'
            'volume = "out/volume/smoke.0003.vdb"\n[output]\nframes = [0, 1]\n'
        )
        self.octavo("run", "next.toml", "-o", "next")

        def total(path):
            grid = pyopenvdb.read(str(path), "density")
            return sum(v.value * v.count for v in grid.citerOnValues()) * grid.transform.voxelSize()[0] ** 3

        before = total(self.folder / "out/volume/smoke.0003.vdb")
        after = total(self.folder / "next/volume/next.0000.vdb")
        self.assertLess(abs(after / before - 1), 0.05)

    def test_help(self):
        self.assertIn("max_level", self.octavo("help", "scene", "grid").stdout)
        self.assertIn("source", self.octavo("help", "scene").stdout)
        self.assertIn("--resume", self.octavo("help", "run").stdout)
        self.assertIn("did you mean", self.octavo("help", "scene", "sorce", code=2).stderr)

    def test_bad_options(self):
        for arguments, says in (
            (["nothing.toml"], "does not exist"),
            ([self.scene, "--frames", "a"], "--frames"),
            ([self.scene, "--frames", "5:1"], "the first frame must not be above the last"),
            ([self.scene, "--set", "grid.max_levl=3"], "did you mean 'max_level'?"),
            ([self.scene, "--from", "nowhere"], "--from"),
            ([self.scene, "--from", "nowhere@3"], "there are no checkpoints"),
            ([self.scene, "--resume", "--overwrite"], "only one of them"),
        ):
            self.assertIn(says, self.octavo("run", *arguments, "-o", "out", code=2).stderr)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    client.main()
