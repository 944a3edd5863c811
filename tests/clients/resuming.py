"""Stops runs, kills them, breaks their checkpoints, changes their scenes, and lets them go on.

    /usr/bin/python3 resuming.py PATH_OF_OCTAVO [TESTS]
"""

import random
import shutil
import signal
import time

import client
from run_client import RunClient


class Resuming(RunClient):
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
        small = ("--set", "grid.max_level=3", "--frames", "1:4")
        begin = time.time()
        self.run_scene("whole", *small)
        length = time.time() - begin
        moments = random.Random(1)
        kills = 0
        while kills < 8:
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
        self.run_scene("sound", "--frames", "1:4")
        for damage in ("cut", "flip", "empty"):
            shutil.copytree(self.folder / "sound", self.folder / damage)
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
        result = self.run_scene("out", "--resume", "--set", "smoke.lift=3", "--set", "grid.max_level=3", code=2)
        self.assertIn("smoke.lift is 3.0, was 8.0", result.stderr)
        self.assertIn("grid.max_level is 3, was 4", result.stderr)
        self.assertEqual(self.files("out"), before)
        self.run_scene("out", "--resume", "--set", "output.half=false", "--frames", "1:3")  # harmless
        self.assertTrue((self.folder / "out/volume/smoke.0003.vdb").exists())
        self.run_scene("out", "--resume", "--force", "--set", "smoke.lift=3", "--frames", "1:4")
        self.assertTrue((self.folder / "out/volume/smoke.0004.vdb").exists())

    def test_the_camera_counts_where_there_is_a_view(self):
        small = ("--set", "grid.max_level=3")
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
        small = ("--set", "grid.max_level=3")
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


if __name__ == "__main__":
    client.main()
