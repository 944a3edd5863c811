"""Runs scenes, opens what they write with the readers of others, and reads what they say.

    /usr/bin/python3 runs.py PATH_OF_OCTAVO [TESTS]
"""

import csv
import json
import math
import re

import pyopenvdb
import vtk

import client
from client import SCENES
from run_client import RunClient


class Runs(RunClient):
    def test_volumes_open_in_openvdb(self):
        self.run_scene("out", "--frames", "1:4", "--set", "title=A test", "--set", "grid.max_leaves=0",
                       "--set", "grid.max_level=5")
        with open(self.folder / "out/probe/points.csv") as file:
            rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
        self.assertEqual(len(rows), 12)
        for frame in (1, 4):
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
        unbounded = ("--set", "grid.max_leaves=0", "--set", "output.frames=[1, 4]")
        predicted = json.loads(self.octavo("check", self.scene, "--json", *unbounded).stdout)
        self.run_scene("out", *unbounded)
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
