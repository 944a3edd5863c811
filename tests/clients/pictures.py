"""Plots what logs say and compares pictures, as users do.

    /usr/bin/python3 pictures.py PATH_OF_OCTAVO [TESTS]
"""

import json
import math
import os
import shutil
import signal
import struct
import subprocess
import time
import xml.etree.ElementTree
import zlib

import client
from client import OCTAVO

SCENE = """
domain.size = [1.0, 1.0]
grid.max_level = 5
[[refine]]
by = "density_band"
range = [0.05, inf]
[[source]]
shape = { sphere = { center = [0.5, 0.2], radius = 0.1 } }
density = 1.0
temperature = 1.0
[output]
frames = [1, 4]
fps = 12
"""

PLOTS = ["divergence", "energy", "iterations", "leaves", "mass", "memory", "seconds"]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(path, width, height, grey):
    """A picture of grey(x, y), 0 .. 255."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in (grey(x, y),) * 3) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    return struct.unpack(">II", data[16:24])


def frame_count(movie):
    command = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0"]
    command += ["-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", str(movie)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


class Pictures(client.Client):
    def refused(self, *arguments, says):
        """Exit code 2, one sentence, nothing written."""
        before = sorted(self.folder.rglob("*"))
        result = self.octavo(*arguments, code=2)
        for part in says:
            self.assertIn(part, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def run_scene(self, out, *arguments):
        (self.folder / "smoke.toml").write_text(SCENE)
        self.octavo("run", "smoke.toml", "-o", out, "--quiet", *arguments)

    def series(self, run, frames, grey, name="view", size=(48, 32)):
        for frame in frames:
            path = self.folder / run / f"image/{name}.{frame:04}.png"
            write_png(path, *size, lambda x, y: grey(frame, x, y))

    # Why a grid is as it is.

    def test_explained_refinement(self):
        (self.folder / "smoke.toml").write_text(SCENE + '[view]\ntau = 1.0\nfinest_pixels = 4\n')
        said = self.octavo("run", "smoke.toml", "-o", "out", "--explain-refinement", "3").stderr
        events = [json.loads(line) for line in (self.folder / "out/log.jsonl").read_text().splitlines()]
        (event,) = [e for e in events if e["event"] == "refinement"]
        (step,) = [e for e in events if e["event"] == "frame" and e["frame"] == 3]
        self.assertEqual(event["frame"], 3)
        self.assertEqual(sum(c["set"] for c in event["criteria"]), step["leaves"])
        for criterion in event["criteria"]:
            self.assertRegex(said, f"(?m)^{criterion['criterion']} +{criterion['asked']} +{criterion['set']}$")
        self.assertGreater(png_size(self.folder / "out/image/smoke.refinement.0003.png")[0], 100)
        self.refused("run", "smoke.toml", "-o", "late", "--explain-refinement", "9", says=["frame 9", "1 to frame 4"])
        self.refused("run", "smoke.toml", "-o", "none", "--explain-refinement", "x", says=["--explain-refinement"])

    # Plots.

    def test_plots_of_a_run(self):
        self.run_scene("out")
        said = self.octavo("plot", "out").stdout
        for name in PLOTS:
            self.assertIn(f"out/plot/{name}.png", said)
            self.assertEqual(png_size(self.folder / f"out/plot/{name}.png"), (1280, 800))
        report = json.loads(self.octavo("plot", "out", "--svg", "-o", "drawings", "--json").stdout)
        self.assertEqual(sorted(report["files"]), [f"drawings/{name}.svg" for name in PLOTS])
        leaves = [json.loads(line) for line in (self.folder / "out/log.jsonl").read_text().splitlines()]
        leaves = [e["leaves"] for e in leaves if e["event"] == "frame"]
        svg = xml.etree.ElementTree.parse(self.folder / "drawings/leaves.svg")
        curves = [p.get("d") for p in svg.iter("{http://www.w3.org/2000/svg}path") if p.get("stroke-width") == "2"]
        heights = [float(p.split()[1]) for p in curves[0][1:].split("L")]
        self.assertEqual(len(heights), 4)  # a point for each frame, lower on the page for fewer leaves
        for i in range(4):
            for j in range(4):
                if leaves[i] < leaves[j]:
                    self.assertGreater(heights[i], heights[j] - 0.1)
        self.octavo("plot", "out", "-o", "sheets/all.png")
        self.assertEqual(png_size(self.folder / "sheets/all.png")[0], 16 + 2 * (1280 + 16))

    def test_plots_of_several_runs_and_of_a_resumed_one(self):
        self.run_scene("whole")
        self.run_scene("parts", "--frames", "1:2")
        self.run_scene("parts", "--frames", "1:4", "--resume", "--force")
        with open(self.folder / "parts/log.jsonl", "a") as log:
            log.write('{"event":"step","fra')  # as it looks while it is written
        self.octavo("plot", "whole", "parts", "--svg")
        svg = xml.etree.ElementTree.parse(self.folder / "plot/mass.svg")
        curves = [p.get("d") for p in svg.iter("{http://www.w3.org/2000/svg}path") if p.get("stroke-width") == "2"]
        self.assertEqual(len(curves), 2)
        self.assertEqual(curves[0], curves[1])
        text = (self.folder / "plot/mass.svg").read_text()
        self.assertIn(">whole<", text)
        self.assertIn(">parts<", text)

    def test_names_of_runs(self):
        self.run_scene("one/run", "--frames", "1:1")
        shutil.copytree(self.folder / "one", self.folder / "other")
        shutil.copytree(self.folder / "one/run", self.folder / "last")
        (self.folder / "begun").mkdir()
        (self.folder / "begun/log.jsonl").write_text('{"event":"start","frame":0,"time":0}\n')
        for arguments, names in (
            (["one/run/", "last/"], ["run", "last"]),
            (["one/run/", "last", "other/run"], ["one/run", "last", "other/run"]),
            (["one/run", "other/run", "--name", "a b", "--name", "c"], ["a b", "c"]),
        ):
            with self.subTest(arguments):
                self.octavo("plot", *arguments, "--svg")
                svg = xml.etree.ElementTree.parse(self.folder / "plot/mass.svg")
                texts = [t.text for t in svg.iter("{http://www.w3.org/2000/svg}text")]
                self.assertEqual([t for t in texts if t in names], names)
        # One that has nothing to show yet is said to be left out.
        result = self.octavo("plot", "last", "begun", "--svg")
        self.assertIn("no step in 'begun' is done yet", result.stderr)
        self.assertNotIn("begun", (self.folder / "plot/mass.svg").read_text())

    def test_plot_mistakes(self):
        (self.folder / "empty").mkdir()
        (self.folder / "begun").mkdir()
        (self.folder / "begun/log.jsonl").write_text('{"event":"start","frame":0,"time":0}\n')
        self.refused("plot", "none", says=["there is no folder 'none'"])
        self.refused("plot", "empty", says=["'empty' is a folder without a run"])
        self.refused("plot", "begun", says=["nothing to plot yet"])
        self.refused("plot", "begun", "none", says=["'none'"])
        self.refused("plot", "begun", "begun", "--name", "a", says=["--name is given 1 times for 2 runs"])
        self.refused("plot", "begun", "--svg", "--png", says=["only one of them"])
        self.refused("plot", "begun", "-o", "all.svg", says=["--output takes a folder"])
        self.octavo("plot", code=2)

    # Comparisons.

    def test_two_runs(self):
        self.run_scene("one", "--frames", "1:2")
        self.series("one", [1, 2, 3, 5, 6, 7], lambda f, x, y: 100 + x)
        self.series("other", [2, 3, 5, 9], lambda f, x, y: 100 + x + 2 * (f - 2), name="front")
        said = self.octavo("compare", "one", "other").stdout
        squares = [0, 4, 36]  # of the differences in frames 2, 3 and 5
        self.assertRegex(said, r"frame +2 +equal\n")
        for frame, square in ((3, 4), (5, 36)):
            self.assertRegex(said, rf"frame +{frame} +{10 * math.log10(255**2 / square):.2f} dB\n")
        everything = 10 * math.log10(255**2 / (sum(squares) / 3))
        self.assertIn(f"{everything:.2f} dB; worst: frame 5", said)
        self.assertIn("only in one: frames 1, 6, 7", said)
        self.assertIn("only in other: frame 9", said)
        files = sorted(p.name for p in (self.folder / "compare").iterdir())
        frames = [f"compare.{f:04}.png" for f in (2, 3, 5)]
        self.assertEqual(files, frames + ["movie.mp4", "psnr.png"])
        self.assertEqual(len({png_size(self.folder / "compare" / name) for name in frames}), 1)
        self.assertEqual(frame_count(self.folder / "compare/movie.mp4"), 3)

        report = json.loads(self.octavo("compare", "one", "other", "-o", "it's here", "--json").stdout)
        self.assertEqual([f["frame"] for f in report["frames"]], [2, 3, 5])
        self.assertEqual(report["frames"][0]["psnr"], "equal")
        self.assertAlmostEqual(report["frames"][1]["psnr"], 10 * math.log10(255**2 / 4))
        self.assertAlmostEqual(report["psnr"], everything)
        self.assertEqual(report["worst_frame"], 5)
        self.assertEqual((report["only_in_one"], report["only_in_other"]), ([1, 6, 7], [9]))
        for name in report["files"]:
            self.assertTrue((self.folder / name).is_file())

    def test_two_pictures(self):
        write_png(self.folder / "a b.png", 33, 21, lambda x, y: 50)
        write_png(self.folder / "c.png", 33, 21, lambda x, y: 60)
        result = self.octavo("compare", "a b.png", "c.png")
        self.assertIn("28.13 dB", result.stdout)
        self.assertEqual([p.name for p in (self.folder / "compare").iterdir()], ["compare.png"])
        self.assertIn("equal", self.octavo("compare", "c.png", "c.png").stdout)
        self.assertEqual(json.loads(self.octavo("compare", "c.png", "c.png", "--json").stdout)["psnr"], "equal")

    def test_names_in_comparisons(self):
        for place in ("a/run", "b/run", "c/longer"):
            self.series(place, [1], lambda f, x, y: x)

        def compared(*arguments):
            self.octavo("compare", *arguments)
            return (self.folder / "compare/compare.0001.png").read_bytes()

        # The last parts of paths unless they are the same; or what is asked for.
        self.assertEqual(compared("a/run", "c/longer/"), compared("b/run/", "c/../c/longer"))
        self.assertNotEqual(compared("a/run", "b/run"), compared("b/run", "a/run"))
        self.assertEqual(
            compared("a/run", "b/run", "--name", "x", "--name", "y"),
            compared("b/run", "c/longer", "--name", "x", "--name", "y"),
        )

    def test_one_frame_makes_no_movie(self):
        self.series("one", [4], lambda f, x, y: x)
        self.series("other", [4], lambda f, x, y: y)
        self.octavo("compare", "one", "other/image")  # the folder itself will do
        self.assertEqual([p.name for p in (self.folder / "compare").iterdir()], ["compare.0004.png"])

    def test_compare_mistakes(self):
        self.run_scene("one", "--frames", "1:1")
        self.run_scene("other", "--frames", "1:1")
        both = ["no pictures", "'one' and 'other'", "octavo render one", "octavo render other"]
        self.refused("compare", "one", "other", says=both)
        (self.folder / "empty").mkdir()
        self.refused("compare", "one", "empty", says=["no pictures", "no volumes to make them of in 'empty'"])
        self.series("one", [1, 2], lambda f, x, y: x)
        self.refused("compare", "one", "other", says=["in 'other'; to make them: octavo render other"])
        self.series("other", [3], lambda f, x, y: x)
        self.refused("compare", "one", "other", says=["no frame in common", "octavo render"])
        self.series("other", [2], lambda f, x, y: x, size=(48, 34))
        self.refused("compare", "one", "other", says=["48 x 32", "48 x 34", "one size", "octavo render"])
        self.series("one", [2], lambda f, x, y: x, size=(48, 34))
        self.series("other", [1], lambda f, x, y: x)
        self.refused("compare", "one", "other", says=["a movie has one size"])
        self.series("one", [1], lambda f, x, y: x, name="a")
        self.series("other", [1], lambda f, x, y: x, name="a")
        self.refused("compare", "one", "other", says=["which pictures", "a, view"])
        self.refused("compare", "one", "one/log.jsonl", says=["'one' is a folder", "is none"])
        self.refused("compare", "none.png", "none.png", says=["there is no file or folder 'none.png'"])
        self.refused("compare", "one", "nowhere", says=["there is no file or folder 'nowhere'"])
        self.refused("compare", "nowhere", "one", says=["there is no file or folder 'nowhere'"])
        self.series("a", [1, 2], lambda f, x, y: x)
        self.refused("compare", "a", "a", "--name", "once", says=["--name is given 1 times"])
        self.refused("compare", "a", "a", "-o", "smoke.toml/out", says=["smoke.toml' is not a folder"])
        self.refused("compare", "smoke.toml", "smoke.toml", says=["only .png and .exr"])
        (self.folder / "text.png").write_text("no picture")
        self.refused("compare", "text.png", "text.png", says=["cannot read the picture 'text.png'"])
        self.octavo("compare", "one", code=2)

    def test_without_ffmpeg(self):
        self.series("one", [1, 2], lambda f, x, y: x)
        self.series("other", [1, 2], lambda f, x, y: y)
        result = self.octavo("compare", "one", "other", code=1, env={"PATH": "/nowhere"})
        self.assertIn("apt install ffmpeg", result.stderr)
        self.assertRegex(result.stdout, r"frame +2 ")  # what could be said was said
        names = sorted(p.name for p in (self.folder / "compare").iterdir())
        self.assertEqual(names, ["compare.0001.png", "compare.0002.png", "psnr.png"])

    def test_ctrl_c_leaves_nothing_unfinished(self):
        self.series("one", range(1, 41), lambda f, x, y: (x * f) % 256, size=(160, 120))
        self.series("other", range(1, 41), lambda f, x, y: (y * f) % 256, size=(160, 120))
        for delay in (0.05, 0.3, 0.8, 1.5):
            process = subprocess.Popen(
                [OCTAVO, "compare", "one", "other"], cwd=self.folder, stdout=subprocess.DEVNULL, start_new_session=True
            )
            time.sleep(delay)
            os.killpg(process.pid, signal.SIGINT)
            self.assertIn(process.wait(timeout=60), (0, 3, -signal.SIGINT))
            self.assertEqual(list(self.folder.rglob("*.tmp-*")), [])
            movie = self.folder / "compare/movie.mp4"
            if movie.exists():
                self.assertEqual(frame_count(movie), 40)


if __name__ == "__main__":
    client.main()
