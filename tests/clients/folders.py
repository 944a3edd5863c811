"""Runs where folders are of others or cannot be had, and where disks are full, read-only or gone.

    /usr/bin/python3 folders.py PATH_OF_OCTAVO [TESTS]
"""

import resource
import shutil
import signal
import subprocess

import client
from client import OCTAVO
from run_client import SCENE, RunClient


def limit_file_size():
    """As a shell's ulimit: Python ignores the signal, and what it starts would, too."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


class Folders(RunClient):
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


if __name__ == "__main__":
    client.main()
