#!/usr/bin/env python3
"""`octavo render` as its users run it: pictures of runs, interrupted, continued, with frames broken or missing."""

import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import client

OCTAVO = str(client.OCTAVO)

SCENE = """
title = "A small plume"
[domain]
size = [1.0, 1.0, 1.0]
[walls]
default = "open"
[grid]
min_level = 2
max_level = 5
[smoke]
lift = 3.0
[[source]]
shape = { sphere = { center = [0.5, 0.5, 0.2], radius = 0.12 } }
density = 1.0
temperature = 1.0
[[obstacle]]
shape = { sphere = { center = [0.62, 0.4, 0.6], radius = 0.1 } }
[output]
frames = [1, 6]
[camera]
resolution = [96, 64]
[render]
samples = 4
"""

PLANE = """
[domain]
size = [1.0, 1.0]
[grid]
max_level = 6
[smoke]
lift = 3.0
[[source]]
shape = { sphere = { center = [0.5, 0.2], radius = 0.1 } }
density = 1.0
temperature = 1.0
[output]
frames = [1, 3]
[camera]
resolution = [128, 128]
"""

WATER = """
[domain]
size = [1.0, 1.0, 1.0]
[grid]
min_level = 2
max_level = 4
[water]
[[initial]]
shape = { box = { low = [-1.0, -1.0, -1.0], high = [0.5, 2.0, 0.6] } }
liquid = 1
[output]
frames = [1, 2]
picture = ["surface"]
[camera]
resolution = [96, 64]
[render]
samples = 2
"""


def octavo(*words, code=0, **options):
    done = subprocess.run([OCTAVO, *map(str, words)], capture_output=True, text=True, **options)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}, not {code}: {words}\n{done.stdout}{done.stderr}")
    return done


def header(picture):
    """Width, height and bits of a PNG file."""
    data = Path(picture).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", picture
    return struct.unpack(">IIB", data[16:25])


def tetrahedron(path, size):
    """Three times as high as it is wide."""
    corners = [(0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, 3 * size)]
    path.write_text(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n"
        "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
        + "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in corners)
        + "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")
    return path


def events(run, name):
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [line for line in lines if line["event"] == name]


def contents(folder):
    return {p.name: p.read_bytes() for p in sorted(Path(folder).glob("*.0*.png"))}


class Render(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = Path(tempfile.mkdtemp())
        (cls.base / "plume.toml").write_text(SCENE)
        (cls.base / "plane.toml").write_text(PLANE)
        octavo("run", cls.base / "plume.toml", "-o", cls.base / "plume", "--quiet")
        octavo("run", cls.base / "plane.toml", "-o", cls.base / "plane", "--quiet")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.base)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=self.base))

    def copy(self, name="plume"):
        run = self.folder / name
        shutil.copytree(self.base / name, run)
        return run

    def test_pictures_movie_and_sheet(self):
        run = self.copy()
        done = octavo("render", run)
        lines = octavo("render", run, "--json", "--overwrite").stdout.splitlines()
        self.assertEqual([json.loads(line)["frame"] for line in lines], [1, 2, 3, 4, 5, 6])
        pictures = contents(run / "image")
        self.assertEqual(list(pictures), [f"plume.{i:04}.png" for i in range(1, 7)])
        self.assertEqual(len(set(pictures.values())), 6)
        for name in pictures:
            self.assertEqual(header(run / "image" / name), (96, 64, 8))
        self.assertIn("frame 6 of 6", done.stderr)
        self.assertIn("left", done.stderr)
        counted = subprocess.run(
            ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,r_frame_rate",
             "-of", "json", run / "movie.mp4"], capture_output=True, text=True, check=True)
        stream = json.loads(counted.stdout)["streams"][0]
        self.assertEqual((stream["nb_read_frames"], stream["r_frame_rate"]), ("6", "24/1"))
        self.assertGreater(header(run / "sheet.png")[0], 96)

    def test_what_is_there_is_left_alone(self):
        run = self.copy()
        octavo("render", run, "--frames", "2:4", "--no-movie", "--quiet")
        before = {p: p.stat().st_mtime_ns for p in (run / "image").glob("*.png")}
        self.assertEqual(len(before), 3)
        self.assertFalse((run / "movie.mp4").exists())
        done = octavo("render", run)
        self.assertIn("3 pictures were there already", done.stderr)
        for path, when in before.items():
            self.assertEqual(path.stat().st_mtime_ns, when)
        self.assertEqual(len(contents(run / "image")), 6)

    def test_other_settings_are_not_mixed(self):
        run = self.copy()
        octavo("render", run, "--frames", "1:2", "--quiet")
        done = octavo("render", run, "--set", "camera.field_of_view=30", code=2)
        self.assertIn("camera.field_of_view is 30", done.stderr)
        self.assertIn("--overwrite", done.stderr)
        before = contents(run / "image")
        done = octavo("render", run, "--set", "camera.field_of_view=30", "--frames", "2:3", "--overwrite", code=2)
        self.assertIn("1 more picture", done.stderr)
        self.assertEqual(contents(run / "image"), before)
        octavo("render", run, "--set", "camera.field_of_view=30", "--frames", "1:3", "--overwrite", "--quiet")
        self.assertEqual(len(contents(run / "image")), 3)
        self.assertNotEqual(contents(run / "image")["plume.0001.png"], before["plume.0001.png"])

    def test_files_of_others_are_left_alone(self):
        run, other = self.copy(), self.folder / "other"
        other.mkdir()
        (other / "plume.0001.png").write_text("a holiday")
        self.assertIn("by something else", octavo("render", run, "-o", other, code=2).stderr)
        (other / "plume.0001.png").unlink()
        (other / "movie.mp4").write_text("a film")
        self.assertIn("would be overwritten", octavo("render", run, "-o", other, code=2).stderr)
        self.assertEqual((other / "movie.mp4").read_text(), "a film")
        volume = run / "volume/plume.0001.vdb"
        before = volume.read_bytes()
        for words, says in ((["-o", volume], "ends with .png"), (["-o", self.folder], "ends with .png"),
                            (["-o", self.folder / "a.jpg"], "ends with .png"),
                            (["-o", self.folder / "none/a.png"], "no folder"),
                            (["--format", "exr", "-o", self.folder / "a.png"], "ends with .exr")):
            self.assertIn(says, octavo("render", volume, *words, code=2).stderr)
        (self.folder / "plume.0001.png").write_text("mine")
        self.assertIn("is there already", octavo("render", volume, cwd=self.folder, code=2).stderr)
        octavo("render", volume, "--overwrite", "--quiet", cwd=self.folder)
        self.assertEqual(volume.read_bytes(), before)
        self.assertEqual(header(self.folder / "plume.0001.png"), (96, 64, 8))

    def test_same_bytes_for_any_number_of_threads(self):
        run = self.copy()
        octavo("render", run, "-o", self.folder / "one", "--threads", 1, "--quiet")
        octavo("render", run, "-o", self.folder / "two", "--threads", 2, "--quiet")
        self.assertEqual(contents(self.folder / "one"), contents(self.folder / "two"))

    def test_interrupted_and_continued(self):
        run = self.copy()
        octavo("render", run, "-o", self.folder / "whole", "--resolution", "320x200", "--quiet")
        words = [OCTAVO, "render", str(run), "--resolution", "320x200"]
        process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        while len(list((run / "image").glob("*.png"))) < 2 and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
        self.assertEqual(process.returncode, 3, said)
        self.assertIn("to continue: " + " ".join(words), said)
        self.assertLess(len(contents(run / "image")), 6)
        self.assertFalse((run / "movie.mp4").exists())
        self.assertEqual([p for p in run.rglob("*") if ".tmp-" in p.name], [])
        octavo(*words[1:])
        self.assertEqual(contents(run / "image"), contents(self.folder / "whole"))
        self.assertTrue((run / "movie.mp4").exists())

    def test_broken_and_missing_frames(self):
        run = self.copy()
        broken, missing = run / "volume/plume.0002.vdb", run / "volume/plume.0004.vdb"
        broken.write_bytes(broken.read_bytes()[:-100])
        missing.unlink()
        done = octavo("render", run, code=1)
        self.assertIn("frame 2 cannot be rendered: the volume file", done.stderr)
        self.assertIn("frames without a volume: 4", done.stderr)
        self.assertIn("frames that could not be rendered: 2", done.stderr)
        self.assertEqual([int(n[6:10]) for n in contents(run / "image")], [1, 3, 5, 6])

    def test_formats(self):
        run = self.copy()
        octavo("render", run, "--frames", "3:3", "--format", "png16", "-o", self.folder / "deep", "--quiet")
        self.assertEqual(header(self.folder / "deep/plume.0003.png"), (96, 64, 16))
        octavo("render", run, "--frames", "3:3", "--format", "exr", "-o", self.folder / "exr", "--quiet")
        self.assertEqual((self.folder / "exr/plume.0003.exr").read_bytes()[:4], b"\x76\x2f\x31\x01")

    def test_grid_over_the_smoke(self):
        run = self.folder / "run"
        octavo("run", self.base / "plume.toml", "-o", run, "--frames", "1:2", "--set", 'output.grid=["density"]', "--quiet")
        octavo("render", run, "-o", self.folder / "with", "--grid", "--quiet")
        octavo("render", run, "-o", self.folder / "without", "--quiet")
        lined, plain = contents(self.folder / "with"), contents(self.folder / "without")
        self.assertEqual(lined.keys(), plain.keys())
        self.assertNotEqual(lined, plain)
        (run / "grid/plume.0002.htg").unlink()
        done = octavo("render", run, "--grid", code=1)
        self.assertIn("frame 2 cannot be rendered: the grid file", done.stderr)

    def test_preview_and_turntable(self):
        run = self.copy()
        octavo("render", run, "--preview", "--quiet", "--resolution", "960x540")
        self.assertEqual(header(run / "preview/plume.0001.png"), (480, 270, 8))
        octavo("render", run, "--turntable", 90, "-o", self.folder / "turned", "--quiet")
        octavo("render", run, "-o", self.folder / "straight", "--quiet")
        turned, straight = contents(self.folder / "turned"), contents(self.folder / "straight")
        self.assertEqual(turned["plume.0001.png"], straight["plume.0001.png"])
        self.assertNotEqual(turned["plume.0006.png"], straight["plume.0006.png"])

    # Whatever frames are rendered at once, all of them make one way around.
    def test_turntable_goes_by_the_whole_run(self):
        run = self.copy()
        octavo("render", run, "--turntable", 90, "--no-movie", "-o", self.folder / "whole", "--quiet")
        octavo("render", run, "--turntable", 90, "--no-movie", "-o", self.folder / "part", "--quiet", "--frames", "4:5")
        whole, part = contents(self.folder / "whole"), contents(self.folder / "part")
        self.assertEqual(part, {name: whole[name] for name in ("plume.0004.png", "plume.0005.png")})
        octavo("render", run, "--turntable", 90, "--no-movie", "-o", self.folder / "part", "--quiet")
        self.assertEqual(contents(self.folder / "part"), whole)

    def test_another_look(self):
        run, look = self.copy(), self.folder / "look.toml"
        look.write_text("[camera]\nresolution = [80, 60]\nfield_of_view = 25\n[render]\nsamples = 4\nground = false\n")
        words = ["--frames", "6:6", "--no-movie", "--quiet"]
        octavo("render", run, "--scene", look, "-o", self.folder / "look", *words)
        octavo("render", run, "--resolution", "80x60", "--set", "camera.field_of_view=25", "--set", "render.ground=false",
               "-o", self.folder / "set", *words)
        self.assertEqual(contents(self.folder / "look"), contents(self.folder / "set"))
        look.write_text("[camera]\nfield_of_view = 500\n")
        self.assertIn(f"{look}:2:17: 'camera.field_of_view'", octavo("render", run, "--scene", look, code=2).stderr)
        self.assertIn("does not exist", octavo("render", run, "--scene", self.folder / "no.toml", code=2).stderr)
        self.assertFalse((run / "image").exists())

    # Only what is seen is needed: neither what the smoke began with nor where it came from.
    def test_without_the_files_that_it_began_with(self):
        shutil.copy(self.base / "plume/volume/plume.0006.vdb", self.folder / "begin.vdb")
        scene, run = self.folder / "scene.toml", self.folder / "run"
        scene.write_text(SCENE.replace("[output]", '[[initial]]\nvolume = "begin.vdb"\n[output]'))
        octavo("run", scene, "-o", run, "--quiet", "--frames", "1:2", "--set", 'output.grid=["density"]')
        octavo("render", run, "-o", self.folder / "before", "--quiet")
        (self.folder / "begin.vdb").unlink()
        octavo("render", run, "-o", self.folder / "after", "--quiet")
        self.assertEqual(contents(self.folder / "before"), contents(self.folder / "after"))
        octavo("render", run / "volume/scene.0002.vdb", "-o", self.folder / "one.png", "--quiet")
        self.assertEqual((self.folder / "one.png").read_bytes(), contents(self.folder / "after")["scene.0002.png"])
        done = octavo("slice", run, "-o", self.folder / "slice.png")
        self.assertNotIn("not drawn", done.stderr)

    def test_single_files(self):
        run = self.copy()
        octavo("render", run / "volume/plume.0006.vdb", "-o", self.folder / "a.png", "--quiet")
        octavo("render", run / "checkpoint/plume.0006.h5", "-o", self.folder / "b.png", "--quiet")
        octavo("render", run, "--frames", "6:6", "--quiet", "--no-movie")
        self.assertEqual((self.folder / "a.png").read_bytes(), (run / "image/plume.0006.png").read_bytes())

        # Voxels have the values at their centres and not at the nodes, so thin smoke is a little smoother in a
        # volume: nearly the same picture.
        said = octavo("compare", self.folder / "a.png", self.folder / "b.png", "-o", self.folder / "both", "--json")
        self.assertGreater(json.loads(said.stdout.splitlines()[0])["psnr"], 36)

        lone = self.folder / "alone.vdb"
        shutil.copy(run / "volume/plume.0006.vdb", lone)
        octavo("render", lone, "--quiet", "--frames", "1:3", "--resolution", "96x64", cwd=self.folder)
        self.assertEqual(sorted(p.name for p in self.folder.glob("alone*")),
                         ["alone.0001.png", "alone.0002.png", "alone.0003.png", "alone.mp4", "alone.vdb"])

    def test_single_files_obey_all_options(self):
        volume = self.copy() / "volume/plume.0006.vdb"
        shutil.copy(volume, self.folder / "LONE.VDB")
        octavo("render", "LONE.VDB", "--frames", 3, "--set", "output.fps=10", "--resolution", "64x48", "--quiet",
               cwd=self.folder)
        rate = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=r_frame_rate", "-of", "csv=p=0",
                               self.folder / "LONE.mp4"], capture_output=True, text=True, check=True)
        self.assertEqual(rate.stdout.strip(), "10/1")
        self.assertEqual(header(self.folder / "LONE.0003.png"), (64, 48, 8))
        octavo("render", volume, "--frames", 2, "--no-movie", "-o", self.folder / "a.png", "--quiet")
        self.assertFalse((self.folder / "a.mp4").exists())
        checkpoint = volume.parents[1] / "checkpoint/plume.0006.h5"
        (self.folder / "grid.htg").write_text("")
        for file, words, says in (
            (volume, ["--material", "glass"], "for a mesh"),
            (checkpoint, ["--texture", "plain"], "for a mesh"),
            (volume, ["--turntable", 90], "needs --frames"),
            (volume, ["--no-movie"], "needs --frames"),
            (volume, ["--frames", "3:5"], "how many pictures"),
            (volume, ["--grid"], "octavo slice"),
            (self.folder / "grid.htg", [], "octavo slice"),
        ):
            self.assertIn(says, octavo("render", file, *words, code=2, cwd=self.folder).stderr)

    def test_single_files_are_continued(self):
        shutil.copy(self.base / "plume/volume/plume.0006.vdb", self.folder / "lone.vdb")
        words = ["render", "lone.vdb", "--frames", "8", "--resolution", "96x64"]
        octavo(*words, "-o", "whole.png", "--quiet", cwd=self.folder)
        process = subprocess.Popen([OCTAVO, *words], stderr=subprocess.PIPE, text=True, cwd=self.folder)
        while not (self.folder / "lone.0002.png").exists() and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
        self.assertEqual(process.returncode, 3, said)
        self.assertIn("to continue: " + " ".join([OCTAVO, *words]), said)
        self.assertIn("there already", octavo(*words, cwd=self.folder).stderr)
        for i in range(1, 9):
            self.assertEqual((self.folder / f"lone.{i:04}.png").read_bytes(),
                             (self.folder / f"whole.{i:04}.png").read_bytes())
        self.assertTrue((self.folder / "lone.mp4").exists())
        done = octavo(*words, "--set", "camera.field_of_view=20", cwd=self.folder, code=2)
        self.assertIn("camera.field_of_view is 20.0, was 40.0", done.stderr)

    def test_meshes_of_any_size(self):
        for name, size in (("one", 1.0), ("tiny", 1e-6), ("large", 1e6)):
            octavo("render", tetrahedron(self.folder / f"{name}.ply", size), "-o", self.folder / f"{name}.png",
                   "--resolution", "60x90", "--samples", 16, "--quiet")
        for other in ("tiny", "large"):
            said = octavo("compare", self.folder / "one.png", self.folder / f"{other}.png", "-o", self.folder / other,
                          "--json")
            psnr = json.loads(said.stdout.splitlines()[0])["psnr"]
            self.assertTrue(psnr == "equal" or psnr > 45, psnr)

    def test_meshes(self):
        mesh = self.folder / "tetra.ply"
        mesh.write_text(
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
            "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 4\n"
            "property list uchar int vertex_indices\nend_header\n"
            "0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 0 0 255\n0 0 1 255 255 0\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")
        seen = set()
        for words in ([], ["--texture", "checker"], ["--texture", "plain"], ["--material", "glass"],
                      ["--material", "water"]):
            octavo("render", mesh, "-o", self.folder / "mesh.png", "--resolution", "64x48", "--samples", 4, "--quiet",
                   *words)
            seen.add((self.folder / "mesh.png").read_bytes())
        self.assertEqual(len(seen), 5)

    def test_plane(self):
        run = self.copy("plane")
        for words in (["--format", "exr"], ["--grid"], ["--turntable", 90]):
            self.assertIn("2D runs", octavo("render", run, *words, code=2).stderr)
        octavo("render", run, "--quiet")
        self.assertEqual(header(run / "image/plane.0003.png"), (128, 128, 8))
        self.assertEqual(len(set(contents(run / "image").values())), 3)
        done = octavo("render", run / "checkpoint/plane.0003.h5", code=2)
        self.assertIn("octavo slice", done.stderr)
        self.assertIn("one voxel thick", octavo("render", run / "volume/plane.0003.vdb", code=2).stderr)
        for size in ((200, 80), (31, 57), (8, 8)):
            resolution = "{}x{}".format(*size)
            octavo("render", run, "-o", self.folder / resolution, "--resolution", resolution, "--no-movie", "--quiet")
            self.assertEqual(header(self.folder / resolution / "plane.0003.png"), (*size, 8))
        scene = self.base / "plane.toml"
        octavo("run", scene, "-o", self.folder / "drawn", "--frames", "1:1", "--set", 'output.picture=["smoke"]', "--set",
               "camera.resolution=[200, 80]", "--quiet")
        self.assertEqual(header(self.folder / "drawn/image/plane.0001.png"), (200, 80, 8))

    def test_pictures_while_it_runs(self):
        scene, run = self.base / "plume.toml", self.folder / "run"
        octavo("run", scene, "-o", run, "--quiet", "--set", 'output.picture=["smoke", "level", "density", "velocity"]',
               "--frames", "1:2")
        names = ["plume.0001.png", "plume.0002.png"]
        for what in ("density", "level", "velocity"):
            names += [f"plume.{what}.0001.png", f"plume.{what}.0002.png"]
        self.assertEqual(sorted(contents(run / "image")), sorted(names))
        self.assertEqual(header(run / "image/plume.0001.png"), (96, 64, 8))
        done = octavo("render", run)
        self.assertIn("2 pictures were there already", done.stderr)
        plane = self.folder / "plane"
        octavo("run", self.base / "plane.toml", "-o", plane, "--quiet", "--set", 'output.picture=["smoke", "level"]')
        self.assertEqual(len(contents(plane / "image")), 6)

    # Pictures of what is no more.

    def simulate(self, run, *words, **options):
        return octavo("run", self.base / "plume.toml", "-o", run, "--quiet", "--set", "grid.max_level=4", "--set",
                      "output.checkpoints=0", "--set", "output.checkpoint_every=1", *words, **options)

    def test_pictures_of_an_earlier_run(self):
        run, other = self.folder / "run", self.folder / "other"
        self.simulate(run, "--frames", "1:3")
        for words in ([], ["--preview"], ["-o", other]):
            octavo("render", run, "--quiet", *words)
        small, before = contents(run / "preview"), contents(other)
        for name in ("notes.png", "plume.png"):
            (run / "preview" / name).write_text("mine")
        self.simulate(run, "--frames", "1:2", "--overwrite", "--set", "source[0].density=5")
        self.assertEqual([p.name for p in run.rglob("*.png")] + [p.name for p in run.rglob("*.mp4")],
                         ["notes.png", "plume.png"])
        for words in ([], ["--preview"]):
            self.assertNotIn("already", octavo("render", run, *words).stderr)
        said = octavo("render", run, "-o", other).stderr
        self.assertIn("2 pictures showed what has been replaced since then", said)
        octavo("render", run, "-o", self.folder / "fresh", "--quiet")
        fresh = contents(self.folder / "fresh")
        self.assertTrue(contents(run / "image") == fresh)
        self.assertTrue(contents(run / "preview")["plume.0001.png"] != small["plume.0001.png"])
        self.assertTrue(contents(other) == {**fresh, "plume.0003.png": before["plume.0003.png"]})
        for made in ("movie.mp4", "sheet.png"):  # of two pictures
            self.assertTrue((other / made).read_bytes() == (self.folder / "fresh" / made).read_bytes())
        self.assertIn("2 pictures were there already", octavo("render", run, "-o", other).stderr)

    def test_films_of_others_stay(self):
        run = self.folder / "run"
        self.simulate(run, "--frames", "1:2", "--set", 'output.picture=["smoke"]')
        (run / "movie.mp4").write_text("a film")
        self.assertIn("would be overwritten", octavo("render", run, code=2).stderr)
        octavo("render", run, "--quiet", "--no-movie")
        self.simulate(run, "--frames", "1:2", "--overwrite")
        self.assertEqual((run / "movie.mp4").read_text(), "a film")
        self.assertFalse((run / "image/plume.0001.png").exists())

    def test_pictures_of_frames_that_were_simulated_anew(self):
        run, other = self.folder / "run", self.folder / "other"

        def go_back(*words):
            for frame in (3, 4):
                (run / f"checkpoint/plume.{frame:04}.h5").unlink()
            self.simulate(run, "--resume", "--frames", "1:4", *words)

        self.simulate(run, "--frames", "1:4")
        for words in ([], ["-o", other]):
            octavo("render", run, "--quiet", *words)
        before = contents(run / "image")
        go_back()  # the same scene: the same frames
        self.assertIn("4 pictures were there already", octavo("render", run).stderr)
        go_back("--force", "--set", "source[0].density=5")
        for words in ([], ["-o", other]):
            said = octavo("render", run, *words).stderr
            self.assertIn("2 pictures showed what has been replaced since then", said)
            self.assertIn("2 pictures were there already", said)
        after = contents(run / "image")
        self.assertTrue(contents(other) == after)
        self.assertEqual([n for n in after if after[n] != before[n]], ["plume.0003.png", "plume.0004.png"])
        (run / "log.jsonl").unlink()
        self.assertIn("4 pictures were there already", octavo("render", run).stderr)
        go_back("--force", "--set", 'output.picture=["smoke"]', "--set", "source[0].density=3")
        self.assertIn("4 pictures were there already", octavo("render", run).stderr)

    def test_pictures_of_another_run_are_not_replaced(self):
        one, two, pictures = self.folder / "one", self.folder / "two", self.folder / "pictures"
        for run in (one, two):
            self.simulate(run, "--frames", "1:2")
        octavo("render", one, "-o", pictures, "--quiet")
        said = octavo("render", two, "-o", pictures, code=2).stderr
        self.assertIn(f"were of something else ('{one}')", said)
        one.rename(self.folder / "moved")
        self.assertIn("2 pictures were there already", octavo("render", self.folder / "moved", "-o", pictures).stderr)

    def test_pictures_of_a_file_that_is_another_one_now(self):
        lone = self.folder / "lone.vdb"
        words = ["render", lone, "--frames", 2, "--resolution", "64x48", "--no-movie", "-o", self.folder / "a.png"]
        shutil.copy(self.base / "plume/volume/plume.0002.vdb", lone)
        octavo(*words, "--quiet")
        before = (self.folder / "a.0001.png").read_bytes()
        self.assertIn("2 pictures were there already", octavo(*words).stderr)
        shutil.copy(self.base / "plume/volume/plume.0006.vdb", lone)
        self.assertIn("2 pictures showed what has been replaced since then", octavo(*words).stderr)
        self.assertTrue((self.folder / "a.0001.png").read_bytes() != before)

    # A scene file is a text of UTF-8; a folder may have any name.
    def test_folders_that_are_not_utf8(self):
        folder = self.folder / os.fsdecode(b"b\xe9ton")
        folder.mkdir()
        tetrahedron(folder / "stone.ply", 0.1)
        scene = folder / "plume.toml"
        mesh = '[[obstacle]]\nshape = { mesh = { file = "stone.ply" }, move = [0.4, 0.4, 0.5] }\n'
        scene.write_text(SCENE.replace("[output]", mesh + "[output]").replace("max_level = 5", "max_level = 4"))
        words = ["run", scene, "--frames", "1:1", "--quiet", "-o"]
        octavo(*words, folder / "run", errors="surrogateescape")
        octavo("render", folder / "run", "--quiet", errors="surrogateescape")
        self.assertEqual(len(contents(folder / "run/image")), 1)
        octavo("run", scene, "--frames", "1:2", "--quiet", "-o", folder / "run", "--resume", errors="surrogateescape")
        octavo("render", folder / "run", "-o", folder / "more", "--quiet", errors="surrogateescape")
        said = octavo("render", folder / "run", "-o", folder / "more", errors="surrogateescape").stderr
        self.assertIn("2 pictures were there already", said)
        said = octavo(*words, self.folder / "elsewhere", errors="surrogateescape", code=2).stderr
        self.assertIn("is not valid UTF-8", said)
        self.assertFalse((self.folder / "elsewhere").exists())

    # The simulation is worth more than its pictures.
    def test_pictures_that_fail_do_not_end_a_run(self):
        run = self.folder / "run"
        run.mkdir()
        (run / "image").write_text("in the way")
        done = octavo("run", self.base / "plume.toml", "-o", run, "--set", 'output.picture=["smoke", "level"]')
        self.assertEqual(done.stderr.count("the run goes on"), 1)
        self.assertIn(f"12 pictures could not be made; to make them later: octavo render {run}, octavo slice {run}\n",
                      done.stderr)
        self.assertEqual([e["frame"] for e in events(run, "no_picture")], [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
        for volume in (self.base / "plume/volume").iterdir():
            self.assertEqual(volume.read_bytes(), (run / "volume" / volume.name).read_bytes())
        (run / "image").unlink()
        octavo("render", run, "--quiet")
        self.assertEqual(len(contents(run / "image")), 6)

    def test_liquids(self):
        scene, run = self.folder / "dam.toml", self.folder / "dam"
        scene.write_text(WATER)
        self.assertIn("pictures of surface in 2 frames", octavo("check", scene, "--seconds", 0.5).stdout)
        octavo("run", scene, "-o", run, "--quiet")
        self.assertIn("2 pictures were there already", octavo("render", run).stderr)
        self.assertEqual(json.loads(octavo("info", run, "--json").stdout)["mesh"]["files"], 2)
        for liquid in ("water", "glass", "matte"):
            octavo("render", run, "--set", f"render.liquid={liquid}", "-o", self.folder / liquid, "--quiet", "--no-movie")
        seen = {contents(self.folder / liquid)["dam.0002.png"] for liquid in ("water", "glass", "matte")}
        self.assertEqual(len(seen), 3)
        (run / "mesh/dam.surface.0001.ply").unlink()
        done = octavo("render", run, "--preview", "--frames", "1:2", code=1)
        self.assertIn("frames without a surface: 1", done.stderr)
        plane = self.folder / "plane"
        flat = WATER.replace("[1.0, 1.0, 1.0]", "[1.0, 1.0]").replace("low = [-1.0, -1.0, -1.0], high = [0.5, 2.0, 0.6]",
                                                                      "low = [-1.0, -1.0], high = [0.5, 0.6]")
        scene.write_text(flat)
        octavo("run", scene, "-o", plane, "--quiet")
        self.assertIn("2 pictures were there already", octavo("render", plane).stderr)
        self.assertEqual(header(plane / "image/dam.0002.png"), (96, 64, 8))

    def test_check_and_info_know_of_pictures(self):
        scene = self.base / "plume.toml"
        done = octavo("check", scene, "--set", 'output.picture=["smoke", "level"]', "--set", "output.every=2", "--seconds", 1)
        self.assertIn("pictures of smoke, level in 3 frames, 96 x 64 pixels\n", done.stdout)
        self.assertIn("of it for pictures", done.stdout)
        self.assertNotIn("pictures", octavo("check", scene, "--seconds", 1).stdout)
        run = self.folder / "run"
        octavo("run", scene, "-o", run, "--quiet", "--set", 'output.picture=["level"]')
        octavo("render", run, "--quiet", "--frames", "2:5")
        info = json.loads(octavo("info", run, "--json").stdout)
        self.assertEqual({name: of["files"] for name, of in info["image"].items()}, {"plume": 4, "plume.level": 6})
        self.assertEqual(info["movie.mp4"]["bytes"], (run / "movie.mp4").stat().st_size)

    # What pictures need and the run has not written is said before anything is made.
    def test_what_the_run_has_not_written(self):
        for fields, words, says in (
            ('["temperature"]', [], "there is no density"),
            ('["density"]', ["--set", "render.glow={}"], "there is no temperature"),
            ('["density"]', ["--grid"], "there are none"),
        ):
            run = Path(tempfile.mkdtemp(dir=self.folder))
            octavo("run", self.base / "plume.toml", "-o", run, "--quiet", "--frames", "1:1", "--set",
                   f"output.volume={fields}")
            self.assertIn(says, octavo("render", run, *words, code=2).stderr)
            self.assertFalse((run / "image").exists())
            if words != ["--grid"]:
                single = octavo("render", run / "volume/plume.0001.vdb", *words, code=2, cwd=self.folder)
                self.assertIn(says, single.stderr)

    def test_bad_options(self):
        run = self.copy()
        for words, says in (
            ([self.folder / "nothing"], "does not exist"),
            ([self.folder], "no run folder"),
            ([run, "--resolution", "12"], "like 1280x720"),
            ([run, "--frames", "5:2"], "must not be above"),
            ([run, "--frames", "50:60"], "it has those from 1 to 6"),
            ([run, "--set", "camera.position=[0, 0]"], "camera.position"),
            ([run, "--set", "camera.position=[0.5, 0.5, 0.5]"], "in the middle of the box"),
            ([run, "--set", "render.nonsense=1"], "nonsense"),
            ([run, "--material", "glass"], "for a mesh"),
            ([run, "--format", "jpg"], "jpg"),
            ([run / "scene.toml"], "cannot"),
        ):
            done = octavo("render", *words, code=2)
            self.assertIn(says, done.stderr, words)
        self.assertFalse((run / "image").exists())
        (run / "image").write_text("in the way")
        self.assertIn("cannot be made", octavo("render", run, code=2).stderr)


if __name__ == "__main__":
    client.main()
