"""Runs the octavo program as its users do, with good and with bad input.

    /usr/bin/python3 command_line.py PATH_OF_OCTAVO

The files it writes are opened with their real readers.
"""

import itertools
import json
import math
import resource
import signal
import subprocess
import xml.etree.ElementTree

import vtk

import client
from client import OCTAVO

TETRAHEDRON = """v 0 0 0
v 2 0 0
v 0 2 0
v 0 0 2
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


BALL = """
domain.size = [1, 1, 1]
grid = { min_level = 2, max_level = 10 }
smoke.lift = 4
[[refine]]
by = "sources"
[[source]]
shape = { sphere = { center = [0.5, 0.5, 0.2], radius = 0.1 } }
density = 1
temperature = 1
[output]
frames = [1, 2]
"""


class CommandLine(client.Client):
    def refused(self, *arguments, says):
        """Exit code 2, one clear sentence, nothing written."""
        before = sorted(self.folder.rglob("*"))
        result = self.octavo(*arguments, code=2)
        self.assertIn(says, result.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def open_grid(self, path):
        reader = vtk.vtkXMLHyperTreeGridReader()
        reader.SetFileName(str(path))
        reader.Update()
        return reader.GetOutput()

    def test_report_and_files_agree(self):
        for dim in (2, 3):
            out = self.folder / str(dim)
            arguments = ["tree", "--dim", dim, "--max-level", 6, "--validate", "--json", "-o", out]
            report = json.loads(self.octavo(*arguments).stdout)
            self.assertEqual(report["deepest_level"], 6)
            self.assertIn(report["march"], ("portable", "native"))
            self.assertGreater(report["nodes"], report["leaves"])
            self.assertGreater(report["faces"], dim * report["leaves"])
            self.assertGreater(report["octree_bytes"], 8 * report["leaves"])
            grid = self.open_grid(out / "tree.htg")
            self.assertEqual(grid.GetNumberOfLeaves(), report["leaves"])
            picture = vtk.vtkPNGReader()
            picture.SetFileName(str(out / "slice.png"))
            picture.Update()
            self.assertGreater(picture.GetOutput().GetDimensions()[0], 500)

    def test_same_bytes_for_any_number_of_threads(self):
        for threads in (1, 2, 5):
            self.octavo("tree", "--threads", threads, "--quiet", "-o", threads)
        for name in ("tree.htg", "slice.png"):
            first = (self.folder / "1" / name).read_bytes()
            for other in ("2", "5"):
                self.assertEqual((self.folder / other / name).read_bytes(), first, name)

    def test_every_shape_and_root_box(self):
        for shape in ("sphere", "box", "torus"):
            result = self.octavo("tree", "--shape", shape, "--roots", "3,2,2", "--max-level", 5, "-o", shape)
            self.assertIn("leaves", result.stdout)
            grid = self.open_grid(self.folder / shape / "tree.htg")
            self.assertEqual(grid.GetMaxNumberOfTrees(), 12)

    def test_a_triangle_mesh(self):
        (self.folder / "shape.obj").write_text(TETRAHEDRON)
        self.octavo("tree", "--shape", "shape.obj", "--max-level", 6, "--validate", "-o", "out")
        bounds = self.open_grid(self.folder / "out/tree.htg").GetBounds()
        for axis in range(3):
            self.assertAlmostEqual(bounds[2 * axis], -0.2)
            self.assertAlmostEqual(bounds[2 * axis + 1], 2.2)

    def test_grading(self):
        free, graded = (
            json.loads(self.octavo("tree", "--grading", limit, "--json", "-o", limit).stdout)
            for limit in (0, 1)
        )
        self.assertGreater(free["largest_jump"], 1)
        self.assertEqual(graded["largest_jump"], 1)
        self.assertGreater(graded["leaves"], free["leaves"])

    def test_frames(self):
        self.octavo("tree", "--dim", 2, "--frames", 5, "--max-level", 6, "--quiet", "-o", "out")
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertEqual(names, [f"slice.{i:04}.png" for i in range(1, 6)] + ["tree.htg"])

    def test_bad_input(self):
        (self.folder / "empty.obj").write_text("v 0 0 0\n")
        (self.folder / "garbage.ply").write_text("not a mesh")
        self.refused("tree", "--shape", "missing.obj", says="missing.obj")
        self.refused("tree", "--shape", "empty.obj", says="empty.obj")
        self.refused("tree", "--shape", "garbage.ply", says="garbage.ply")
        self.refused("tree", "--shape", "circle", "--dim", 2, says="circle")
        self.refused("tree", "--max-level", 17, says="max-level")
        self.refused("tree", "--max-level", "many", says="max-level")
        self.refused("tree", "--min-level", 5, "--max-level", 4, says="--min-level 5")
        self.refused("tree", "--roots", "1,2", says="--roots takes 3")
        self.refused("tree", "--roots", "0,1,1", says="roots")
        self.refused("tree", "--roots", "32768,2,1", says="root cells")
        self.refused("tree", "--at", 7, says="7")
        self.refused("tree", "--at", "nan", says="nan")
        self.refused("tree", "--dim", 2, "--at", 0.5, says="--at")
        self.refused("tree", "--band", "nan", says="band")
        self.refused("tree", "-o", "", says="output folder")
        self.refused("tree", "--threads", -1, says="threads")
        self.refused("tree", "--no-such-option", says="no-such-option")
        self.refused("plant", says="plant")
        self.refused(says="subcommand")

    def test_a_tree_that_does_not_fit_is_refused_at_once(self):
        self.refused("tree", "--max-level", 16, "--band", 8, says="Choose a smaller --max-level")
        self.refused("tree", "--min-level", 12, "--max-level", 12, says="Choose a smaller --min-level")
        self.refused("tree", "--dim", 2, "--min-level", 16, "--max-level", 16, says="--min-level")
        self.refused("tree", "--roots", "32,32,31", "--min-level", 8, "--max-level", 9, says="--roots")

    def test_runs_that_do_not_fit_are_refused(self):
        (self.folder / "big.toml").write_text(BALL)
        uniform = ["big.toml", "--set", "grid.min_level=10"]
        self.refused("run", *uniform, says="GB of memory, and ")
        self.refused("check", *uniform, says="--ignore-limits")
        self.refused("check", *uniform, "--seconds", 0, says="the run needs at least")
        report = json.loads(self.octavo("check", *uniform, "--ignore-limits", "--json").stdout)
        self.assertEqual(report["leaves"], 8**10)
        self.assertGreater(report["bytes"], 8**10 * 250)

    def test_refinement_that_does_not_fit_is_refused(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

        (self.folder / "big.toml").write_text(BALL)
        result = self.octavo("run", "big.toml", "--set", "grid.max_level=14", "--threads", 2, code=2, preexec_fn=limit)
        self.assertIn("do not fit into", result.stderr)
        bounded = ["run", "big.toml", "--set", "grid.max_level=14", "--set", "grid.max_leaves=20000", "--threads", 2]
        self.octavo(*bounded, preexec_fn=limit)
        self.assertLess(max(step["peak_bytes"] for step in self.events("runs/big", "step")), 200e6)

    def test_checks_agree(self):
        (self.folder / "ball.toml").write_text(BALL)
        first, second = (
            json.loads(self.octavo("check", "ball.toml", "--seconds", 1, "--json", "--threads", threads).stdout)
            for threads in (1, 3)
        )
        for key in "trial_level", "trial_frames", "leaves", "leaf_steps", "bytes", "disk_bytes":
            self.assertEqual(first[key], second[key], key)

    def test_unwritable_output(self):
        (self.folder / "file").write_text("in the way")
        self.refused("tree", "--max-level", 4, "-o", "file", says="'file' cannot be made")
        self.refused("tree", "--max-level", 4, "-o", "file/below", says="cannot be made")
        self.assertEqual((self.folder / "file").read_text(), "in the way")

    def test_a_report_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w") as full:
            command = [OCTAVO, "tree", "--max-level", "3", "--json", "-o", "out"]
            result = subprocess.run(command, cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output", result.stderr)

    def test_interruption_leaves_whole_frames(self):
        process = subprocess.Popen(
            [OCTAVO, "tree", "--max-level", "7", "--frames", "2000", "-o", "out"],
            cwd=self.folder, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3):
            process.stderr.readline()
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 3, message)
        self.assertIn("interrupted", message)
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertTrue(all(name.startswith("slice.") and name.endswith(".png") for name in names), names)

    def cases(self, *arguments):
        return [json.loads(line) for line in self.octavo(*arguments, "--json").stdout.splitlines()]

    def test_reproduce_losasso_table_1(self):
        series = {}
        for case in self.cases("reproduce", "losasso-table-1", "--levels", 3):
            keys = ["scheme", "delta", "leaves", "p_l1", "p_linf", "grad_l1", "grad_linf"]
            self.assertEqual(list(case), keys)
            series.setdefault((case["scheme"], case["delta"]), []).append(case)
        deltas = ("orthogonal", "large", "small", "euclidean")
        expected = [("losasso04", delta) for delta in deltas]
        expected += [("losasso06", "orthogonal"), ("losasso06s", "orthogonal")]
        self.assertEqual(list(series), expected)
        for (scheme, delta), rows in series.items():
            self.assertEqual([row["leaves"] for row in rows], [rows[0]["leaves"] * 8**i for i in range(4)])
            order = math.log2(rows[-2]["p_l1"] / rows[-1]["p_l1"])
            low, high = (0.8, 1.7) if scheme == "losasso04" else (1.9, 2.1)
            self.assertTrue(low < order < high, f"{scheme} {delta}: order {order}")

    def test_reproduce_hydrostatic(self):
        cases = self.cases("reproduce", "hydrostatic")
        self.assertEqual({case["scheme"] for case in cases}, {"losasso04", "losasso06", "losasso06s"})
        self.assertGreater(len({case["leaves"] for case in cases}), 2)
        for case in cases:
            self.assertEqual(list(case), ["scheme", "leaves", "max_u_over_g_dt"])
            if case["scheme"] == "losasso04":
                self.assertGreater(case["max_u_over_g_dt"], 0.1)
            else:
                self.assertLess(case["max_u_over_g_dt"], 1e-9)

    def test_reproduce_tank(self):
        cases = self.cases("reproduce", "tank", "--resolution", 16)
        keys = ["scheme", "dim", "beside", "jump", "tilt", "resolution", "leaves", "max_u_over_g_dt", "iterations",
                "cut_rows", "cut_large_faces", "degenerate_rows", "without_partner", "largest_w"]
        worst = {}
        for case in cases:
            self.assertEqual(list(case), keys)
            self.assertEqual(case["resolution"], 16)
            worst[case["scheme"]] = max(worst.get(case["scheme"], 0), case["max_u_over_g_dt"])
        self.assertEqual({(case["dim"], case["jump"], case["tilt"]) for case in cases},
                         set(itertools.product((2, 3), (2, 4, 8), (0, 0.1, 0.37))))
        self.assertLess(worst["secant"], 1e-9)
        self.assertGreater(worst["clamped"], 0.1)
        self.assertGreater(worst["ghost_fluid"], 0.1)
        self.assertGreater(sum(case["degenerate_rows"] for case in cases), 0)
        self.refused("reproduce", "tank", "--resolution", 17, says="power of two")
        self.refused("reproduce", "hydrostatic", "--resolution", 16, says="--resolution")

    def test_reproduce_taylor_green(self):
        plot = self.folder / "energy.svg"
        rows = self.cases("reproduce", "taylor-green", "--plot", plot)
        cases = {(row["choice"], row["size"]): row for row in rows}
        for size in 64, 128:
            self.assertLess(cases["reflection", size]["mean_error"],
                            3 * cases["basilisk", size]["mean_error"])
        left = [cases[c, 64]["energy_left"] for c in ("semi_lagrangian", "maccormack", "reflection")]
        self.assertEqual(left, sorted(left))
        self.assertGreater(left[-1], 0.98)
        root = xml.etree.ElementTree.parse(plot).getroot()
        self.assertTrue(root.tag.endswith("svg"))

    SMALL = ("--set", "camera.resolution=[64,40]", "--set", "render.samples=1")

    def test_reproduce_bunlutangtum_table_1(self):
        plot, pictures = self.folder / "nine.svg", self.folder / "pictures"
        rows = self.cases("reproduce", "bunlutangtum-table-1", *self.SMALL, "--frames", 4, "--set", "grid.max_level=1",
                          "--set", "refine[0].above=2", "--plot", plot, "--pictures", pictures)
        self.assertEqual(len(rows), 12)
        names = ["octree, tau = 0", "uniform"] + [f"octree, tau = {t}" for t in (1, 2, 5, 10)]
        for domain, cells in ("128 x 80 x 48", 61440), ("128 x 80 x 96", 122880):
            cases = {row["case"]: row for row in rows if row["domain"] == domain}
            self.assertEqual(list(cases), names)
            self.assertEqual(cases["uniform"]["mean_leaves"], cells)
            leaves = [cases[name]["mean_leaves"] for name in names[:1] + names[2:]]
            self.assertEqual(leaves, sorted(leaves, reverse=True))
            self.assertGreater(leaves[0], leaves[-1])
            for name in names[1:]:
                psnr = cases[name]["least_psnr_db"]  # nothing where all pictures are the same
                self.assertGreater(math.inf if psnr is None else psnr, 20)
                self.assertLess(cases[name]["work_difference"], 0.05)
            for name in "uniform", "octree, tau = 10":
                self.assertLess(cases[name]["least_psnr_db"], 200)
        self.assertEqual(rows[-1]["paper_speed_up_percent"], 118.67)
        self.assertIn("nodes", plot.read_text())
        self.assertEqual(len(list(pictures.glob("*.0004.png"))), 12)

    def test_reproduce_view_dependence(self):
        corridor = self.cases("reproduce", "view-dependence", "--domain", "corridor", *self.SMALL, "--frames", 2,
                              "--set", "grid.max_level=3", "--set", "grid.min_level=1")
        self.assertEqual([row["case"] for row in corridor], ["octree without a view", "pixels, outside, hidden"])
        self.assertLess(corridor[1]["mean_leaves"], 0.7 * corridor[0]["mean_leaves"])
        self.assertGreater(corridor[1]["least_psnr_db"], 20)
        self.assertGreaterEqual(corridor[1]["largest_psnr_drop_db"], 0)

    def test_reproduce_for_people(self):
        table = self.octavo("reproduce", "losasso-table-1", "--levels", 1).stdout
        for words in ("differ by up\nto 3 levels", "Delta: euclidean", "losasso06s", "Pa/m", "1.820e-04  1.14"):
            self.assertIn(words, table)
        self.assertIn("g dt", self.octavo("reproduce", "hydrostatic").stdout)
        self.assertIn("losasso-table-1", self.octavo("reproduce", "--help").stdout)

    def test_reproduce_refuses(self):
        self.refused("reproduce", says="losasso-table-1, hydrostatic, taylor-green")
        self.refused("reproduce", "losasso-table-2", says="losasso-table-1, hydrostatic, taylor-green")
        self.refused("reproduce", "tree", says="'tree'")
        self.refused("reproduce", "hydrostatic", "losasso-table-1", says="losasso-table-1")
        self.refused("reproduce", "hydrostatic", "--levels", 2, says="--levels")
        self.refused("reproduce", "hydrostatic", "--plot", "x.svg", says="--plot")
        for option, value in ("--pictures", "here"), ("--set", "view.tau=1"), ("--frames", 2):
            self.refused("reproduce", "hydrostatic", option, value, says=option)
        self.refused("reproduce", "view-dependence", "--set", "view.taw=1", says="view.taw")
        for levels in (0, -1, 99, "many", 2.5):
            self.refused("reproduce", "losasso-table-1", "--levels", levels, says="levels")
        self.refused("reproduce", "losasso-table-1", "--no-such-option", says="no-such-option")

    def test_help_and_version(self):
        self.assertIn("--max-level", self.octavo("tree", "--help").stdout)
        self.assertRegex(self.octavo("--version").stdout, r"octavo \d+\.\d+\.\d+ \((portable|native) build")


if __name__ == "__main__":
    client.main()
