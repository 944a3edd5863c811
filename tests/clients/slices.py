"""Draws grids, checkpoints and runs as users do, and looks at the pictures.

    /usr/bin/python3 slices.py PATH_OF_OCTAVO [TESTS]
"""

import pathlib
import shutil
import subprocess
import tempfile

import vtk
from vtk.util.numpy_support import vtk_to_numpy

import client
from client import OCTAVO

# Smoke that rises past a ball, in two or three dimensions.
SCENE = """
title = "Past a ball"
[domain]
size = {size}
[walls]
default = "open"
[grid]
min_level = 2
max_level = 4
[[refine]]
by = "objects"
[[refine]]
by = "density_band"
range = [0.05, inf]
[smoke]
lift = 8.0
[[source]]
shape = {{ sphere = {{ center = {source}, radius = 0.12 }} }}
density = 1.0
temperature = 1.0
[[obstacle]]
shape = {{ sphere = {{ center = {ball}, radius = 0.15 }} }}
[output]
frames = [1, 4]
fps = 12
volume = []
grid = ["density", "velocity"]
checkpoint_every = 4
"""
GREY = (0x9A, 0x9A, 0x9E)
MARGIN = 16


class Picture:
    """Pixels by column and row, the upper left one first."""

    def __init__(self, path):
        reader = vtk.vtkPNGReader()
        reader.SetFileName(str(path))
        reader.Update()
        image = reader.GetOutput()
        self.width, self.height = image.GetDimensions()[:2]
        rows = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(self.height, self.width, -1)
        self.rows = rows[::-1]

    def at(self, x, y):
        """Parts of the way from left to right and from bottom to top, both below 1."""
        column, row = int(x * self.width), self.height - 1 - int(y * self.height)
        return tuple(int(c) for c in self.rows[row][column])

    def colors(self):
        return {tuple(int(c) for c in pixel) for row in self.rows for pixel in row}


class Slices(client.Client):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, values in (
            ("two", dict(size="[1.0, 2.0]", source="[0.5, 0.4]", ball="[0.5, 1.0]")),
            ("three", dict(size="[1.0, 1.0, 2.0]", source="[0.5, 0.5, 0.4]", ball="[0.5, 0.5, 1.0]")),
        ):
            (cls.folder / f"{name}.toml").write_text(SCENE.format(**values))
            run = subprocess.run(
                [OCTAVO, "run", f"{name}.toml", "-o", name], cwd=cls.folder, capture_output=True, text=True, timeout=600
            )
            assert run.returncode == 0, run.stderr

    def setUp(self):
        """All tests look at the same runs."""

    def octavo(self, *arguments, code=0):
        result = super().octavo("slice", *arguments, code=code)
        if code != 0:
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result

    def picture(self, *arguments):
        self.octavo(*arguments, "--pixels", 256, "-o", "picture.png")
        return Picture(self.folder / "picture.png")

    def test_density_of_a_run(self):
        for run in ("two", "three"):
            empty = self.picture(run, "--field", "density", "--bare", "--no-lines", "--frame", 1)
            picture = self.picture(run, "--field", "density", "--bare", "--no-lines")
            self.assertEqual((picture.width, picture.height), (128, 256))
            self.assertEqual(picture.at(0.05, 0.95), (0x44, 0x01, 0x54))  # no smoke
            red, green, blue = picture.at(0.5, 0.2)  # in the source
            self.assertGreater(green, 180)
            self.assertEqual(picture.at(0.5, 0.5), GREY)  # the ball
            self.assertEqual(picture.at(0.5, 0.44), GREY)
            self.assertNotEqual(picture.at(0.5, 0.40), GREY)
            # It rises.
            self.assertGreater(picture.at(0.5, 0.31)[1], empty.at(0.5, 0.31)[1])

    def test_levels(self):
        picture = self.picture("three/grid/three.0004.htg", "--range", "2:4", "--bare", "--no-lines")
        self.assertIn(picture.at(0.02, 0.98), ((0xFD, 0xE7, 0x25), (0x23, 0x90, 0x8C)))  # 2 or 3
        self.assertEqual(picture.at(0.5, 0.2), (0x44, 0x01, 0x54))  # 4
        with_lines = self.picture("three", "--range", "2:4", "--bare")
        self.assertGreater(len(with_lines.colors()), len(picture.colors()))

    def test_checkpoints_are_smooth(self):
        checkpoint = "two/checkpoint/two.0004.h5"
        leaves = self.picture("two", "--field", "density", "--bare", "--no-lines")
        nodes = self.picture(checkpoint, "--field", "density", "--bare", "--no-lines")
        self.assertEqual((leaves.width, leaves.height), (nodes.width, nodes.height))
        self.assertGreater(len(nodes.colors()), 3 * len(leaves.colors()))
        for field in ("temperature", "pressure", "velocity_y", "level"):
            self.assertGreater(len(self.picture(checkpoint, "--field", field).colors()), 3, field)
        # What is in no grid is taken from the checkpoint of that frame.
        self.assertEqual(
            self.picture("two", "--field", "temperature").colors(),
            self.picture(checkpoint, "--field", "temperature").colors(),
        )

    def test_a_checkpoint_alone(self):
        shutil.copy(self.folder / "three/checkpoint/three.0004.h5", self.folder / "alone.h5")
        picture = self.picture("alone.h5", "--field", "density", "--bare", "--no-lines")
        self.assertNotEqual(picture.at(0.5, 0.5), GREY)  # where the ball is, only the scene knows
        self.assertGreater(picture.at(0.5, 0.2)[1], 180)

    def test_signed_fields(self):
        for run, field in (("two", "velocity_y"), ("three", "velocity_z")):
            picture = self.picture(run, "--field", field, "--bare", "--no-lines")
            red, green, blue = picture.at(0.5, 0.22)
            self.assertGreater(red, blue + 20)  # upwards
            white = self.picture(run, "--field", field, "--bare", "--no-lines", "--range=-1e6:1e6")
            self.assertEqual(white.at(0.5, 0.2), (0xF3, 0xF3, 0xF3))

    def test_smoke(self):
        picture = self.picture("two", "--field", "density", "--colors", "smoke", "--bare")
        self.assertEqual(picture.at(0.02, 0.98), (0x15, 0x18, 0x1E))
        self.assertGreater(min(picture.at(0.5, 0.2)), 150)

    def test_cutaways(self):
        whole = self.picture("three", "--cutaway")
        half = self.picture("three", "--cutaway", "--axis", "z", "--at", "0.5")
        self.assertLess(half.height, whole.height)  # three quarters of it are gone
        for picture in (whole, half):
            self.assertEqual(picture.at(0, 0), (255, 255, 255))
            self.assertGreater(len(picture.colors()), 20)
        field = self.picture("three", "--cutaway", "--field", "density", "--axis", "y", "--bare", "--no-lines")
        self.assertTrue(any(green > 180 and blue < 120 for _, green, blue in field.colors()))

    def test_legends_stand_beside(self):
        bare = self.picture("two", "--field", "density", "--bare")
        whole = self.picture("two", "--field", "density")
        self.assertEqual(whole.height, bare.height + 2 * MARGIN)
        self.assertGreater(whole.width, bare.width + 2 * MARGIN + 28)
        inner = whole.rows[MARGIN:-MARGIN, MARGIN : MARGIN + bare.width]
        self.assertTrue((inner == bare.rows).all())

    def test_mistakes(self):
        (self.folder / "empty").mkdir(exist_ok=True)
        (self.folder / "a.txt").write_text("nothing")
        (self.folder / "a.htg").write_text("nothing")
        (self.folder / "a.h5").write_text("nothing")
        (self.folder / "cut.htg").write_bytes((self.folder / "three/grid/three.0004.htg").read_bytes()[:3000])
        for arguments, says in (
            (["nowhere"], "does not exist"),
            (["empty"], "a list of fields as output.grid"),
            (["a.txt"], "is no grid (.htg), checkpoint (.h5) or run folder"),
            (["a.htg"], "is not a grid file of this program"),
            (["cut.htg"], "cut short"),
            (["a.h5"], "a.h5"),
            (["three", "--frame", "9"], "there are those of 1 .. 4"),
            (["three/grid/three.0004.htg", "--frame", "4"], "--frame is for run folders"),
            (["three", "--field", "densty", "--frame", "2"], "level, density, velocity_x, velocity_y, velocity_z"),
            (["three", "--field", "densty", "--frame", "2"], "did you mean 'density'?"),
            (["three/checkpoint/three.0004.h5", "--field", "soot"], "density, temperature, pressure, velocity_x"),
            (["three", "--at", "1.5"], "outside the domain"),
            (["three", "--at", "nan"], "outside the domain"),
            (["three", "--cutaway", "--at", "-0.5"], "outside the domain, which goes from 0 to 1 m along y"),
            (["three", "--cutaway", "--at", "7"], "outside the domain, which goes from 0 to 1 m along y"),
            (["three", "--cutaway", "--axis", "z", "--at", "7"], "from 0 to 2 m along z"),
            (["three", "--frame", "-1"], "--frame takes the number of a frame"),
            (["three", "--frame", "1.5"], "--frame takes the number of a frame"),
            (["three", "--feild", "density"], "there is no option '--feild'; did you mean '--field'?"),
            (["three", "two"], "'two' is one word too many"),
            (["two", "--axis", "x"], "this grid has two"),
            (["two", "--cutaway"], "this grid has two"),
            (["two", "--field", "density", "--range", "1"], "--range takes two numbers"),
            (["two", "--field", "density", "--range", "2:1"], "must be below"),
            (["two", "--field", "density", "--range", "0:inf"], "colours cannot go"),
            (["two", "--range", "0.5:3"], "whole numbers"),
            (["two", "--range", "3:40"], "a level is between 0 and 16"),
            (["two", "--colors", "smoke"], "--colors is for fields"),
        ):
            with self.subTest(arguments):
                self.assertIn(says, self.octavo(*arguments, "-o", "none.png", code=2).stderr)
        self.assertFalse((self.folder / "none.png").exists())

    def test_frames_may_have_zeros_before_them(self):
        self.assertIn("three.0004.htg", self.octavo("three", "--frame", "0004", "-o", "picture.png").stdout)
        self.assertIn("there is no grid or checkpoint of frame 10", self.octavo("three", "--frame", "0010", code=2).stderr)


if __name__ == "__main__":
    client.main()
