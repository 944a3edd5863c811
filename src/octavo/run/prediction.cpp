#include "octavo/run/prediction.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "octavo/base/timer.h"
#include "octavo/run/frame_files.h"
#include "octavo/run/frame_pictures.h"
#include "octavo/run/interrupt.h"
#include "octavo/scene/build.h"

namespace octavo {
namespace {

// What a trial has seen.
struct FrameCost {
  double leaves = 0;  // at its end
  double passed = 0;  // leaves that the flow passes in it, at most
};
struct Trial {
  int level = 0, seen = 0;
  std::vector<FrameCost> frames;  // all; those after the ones that were seen are guessed

  // To be divided by the leaves that it took them for.
  double start_seconds = 0, step_seconds = 0, leaf_steps = 0;
  double output_seconds = 0, output_bytes = 0, output_leaves = 0;
  double picture_seconds = 0;    // of the pictures of a frame
  double bytes = 0, leaves = 0;  // the most at any time
  double checkpoint_bytes = 0;   // at the end
};

// The scene with so many levels less, of everything.
template <int Dim>
Scene<Dim> coarser(const Scene<Dim>& scene, int levels) {
  Scene<Dim> s = scene;
  s.grid.min_level = std::max(0, s.grid.min_level - levels);
  s.grid.max_level -= levels;
  s.grid.max_leaves = 0;
  for (RefineScene<Dim>& r : s.refine)
    if (r.level < scene.grid.max_level) r.level = std::max(0, r.level - levels);
  if (s.output.level) s.output.level = std::max(0, *s.output.level - levels);
  return s;
}

// One of the frames that are written, as the run would.
template <int Dim>
void try_output(const Scene<Dim>& scene, const Smoke<Dim>& smoke, int frame, Trial& t) {
  const Stopwatch watch;
  const auto leaves = static_cast<double>(smoke.mesh().leaf_count());
  SmokeFields<Dim> fields(smoke);
  if (!scene.output.volume.empty())
    t.output_bytes += static_cast<double>(vdb_bytes(volumes_of(scene, frame, fields)).size());
  for (const std::string& name : scene.output.grid)
    t.output_bytes += leaves * sizeof(float) * (name == "velocity" ? Dim : 1);
  t.output_leaves += leaves;
  t.output_seconds += watch.seconds();
}

// All pictures of a frame, from two small sizes of them: what each further pixel takes. The light is looked for
// whatever their size is, and takes not much longer for more leaves.
template <int Dim>
double try_pictures(const Scene<Dim>& scene, MeshFiles& files, const Smoke<Dim>& smoke) {
  if (scene.output.picture.empty()) return 0;
  auto pixels = [](const Scene<Dim>& s) {
    return static_cast<double>(s.camera.resolution[0]) * s.camera.resolution[1];
  };
  auto smaller = [&](int divisor) {
    Scene<Dim> small = scene;
    for (int a = 0; a < 2; ++a) {
      int& side = small.camera.resolution[a];
      side = std::max(side / divisor, std::min(side, 16));
    }
    return small;
  };
  auto seconds = [&](const Scene<Dim>& small) {
    SmokeFields<Dim> fields(smoke);
    FramePictures<Dim> pictures(small, files);
    const Stopwatch watch;
    for (const std::string& what : small.output.picture) pictures.draw(what, smoke.time(), fields);
    return watch.seconds();
  };
  const Scene<Dim> less = smaller(8), more = smaller(4);
  seconds(less);  // the first picture of a program takes longer
  const double before = seconds(less), after = seconds(more), between = pixels(more) - pixels(less);
  const double each = between > 0 ? std::max(0.0, (after - before) / between) : 0;
  return after + each * (pixels(scene) - pixels(more));
}

template <int Dim>
double checkpoint_bytes(const SmokeState<Dim>& s) {
  std::size_t bytes = s.leaves.size() * sizeof(Key<Dim>);
  for (const View<const float>& v : {s.velocity, s.pressure, s.density, s.temperature})
    bytes += v.size() * sizeof(float);
  for (const View<const float>& v : s.scalars) bytes += v.size() * sizeof(float);
  return static_cast<double>(bytes);
}

// Smoke grows: what was not seen any more is taken to go on as it has begun.
void guess_the_rest(Trial& t, std::size_t frames) {
  t.seen = static_cast<int>(t.frames.size());
  while (t.frames.size() < frames) {
    const auto n = static_cast<double>(t.seen);
    const FrameCost& last = t.frames[static_cast<std::size_t>(t.seen) - 1];
    t.frames.push_back({last.leaves * static_cast<double>(t.frames.size() + 1) / n, last.passed});
  }
}

template <int Dim>
Trial run_trial(const Scene<Dim>& scene, MeshFiles& files, double budget) {
  const Stopwatch watch;
  Smoke<Dim> smoke(domain_of(scene), parameters_of(scene, files), start_of(scene, files));
  Trial t;
  t.level = scene.grid.max_level;
  t.start_seconds = watch.seconds();
  const int last = std::max(1, scene.output.frames[1]), between = std::max(1, last / 4);
  const double seconds = 1 / scene.output.fps;
  for (int frame = 1; frame <= last; ++frame) {
    if (frame > 1 && (watch.seconds() > budget || interrupted())) break;
    const double passed = smoke.leaves_passed_in(seconds);
    const SmokeReport all = smoke.advance(seconds, [&](const SmokeReport& r) {
      t.leaf_steps += static_cast<double>(r.leaves);
      t.leaves = std::max(t.leaves, static_cast<double>(r.leaves));
      t.bytes = std::max(t.bytes, static_cast<double>(r.peak_bytes));
      return true;
    });
    t.step_seconds += all.seconds.total;
    t.frames.push_back({static_cast<double>(all.leaves), passed});
    if (frame % between == 0) try_output(scene, smoke, frame, t);
  }
  if (t.output_leaves == 0) try_output(scene, smoke, 1, t);
  t.picture_seconds = try_pictures(scene, files, smoke);
  t.checkpoint_bytes = checkpoint_bytes(smoke.state());
  guess_the_rest(t, static_cast<std::size_t>(last));
  return t;
}

// Leaves with so many levels more. What there was with one level less tells which of them lie along a surface
// and which fill the space, or which are there whatever the finest level is.
double leaves_at(double less, double now, double levels, int dim) {
  const double edge = 2, surface = std::pow(edge, dim - 1), volume = surface * edge;
  if (now < surface * less) {
    const double along = std::max(0.0, (now - less) / (1 - 1 / surface));
    return now - along + along * std::pow(surface, levels);
  }
  const double filling = std::min(now, (now - surface * less) / (1 - surface / volume));
  return (now - filling) * std::pow(surface, levels) + filling * std::pow(volume, levels);
}

template <int Dim>
class Predictor {
 public:
  Predictor(const Scene<Dim>& scene, MeshFiles& files, double budget)
      : scene_(scene), files_(files), budget_(budget), finest_(scene.grid.max_level) {}

  Prediction predict() {
    for (int level = std::max(finest_ - 5, std::min(finest_, 3)); level <= finest_; ++level) {
      const double left = budget_ - watch_.seconds();
      if (last_ && (seconds_at(level) > left || interrupted())) break;
      before_ = std::exchange(last_, run_trial(coarser(scene_, finest_ - level), files_, left));
    }
    Prediction p = at(finest_);
    p.trial_level = last_->level;
    p.trial_frames = last_->seen;
    p.trial_seconds = watch_.seconds();
    return p;
  }

 private:
  // Of a trial, which does not make all the pictures.
  double seconds_at(int level) const {
    const Prediction p = at(level);
    return p.seconds - p.picture_seconds;
  }

  // What a run with this finest level would need.
  Prediction at(int level) const {
    const Trial& t = *last_;
    const SmokeParameters<Dim>& smoke = scene_.smoke;
    const double finer = std::pow(2.0, level - t.level);
    Prediction p;
    double written = 0, leaves = 0;
    for (std::size_t i = 0; i < t.frames.size(); ++i) {
      leaves = leaves_in(i, level - t.level);
      p.leaves = std::max(p.leaves, leaves);
      p.leaf_steps += leaves * smoke.substeps(t.frames[i].passed * finer);
      if (!is_written(scene_.output, static_cast<int>(i) + 1)) continue;
      written += leaves;
      p.picture_seconds += t.picture_seconds;
    }
    p.bytes = p.leaves * t.bytes / t.leaves;
    p.disk_bytes = written * t.output_bytes / t.output_leaves +
                   kept_checkpoints() * leaves * t.checkpoint_bytes /
                       t.frames[static_cast<std::size_t>(t.seen) - 1].leaves;
    p.seconds = p.leaf_steps * t.step_seconds / t.leaf_steps +
                written * t.output_seconds / t.output_leaves +
                p.leaves * t.start_seconds / t.leaves + p.picture_seconds;
    return p;
  }

  // The last frame always has one.
  double kept_checkpoints() const {
    const OutputScene& o = scene_.output;
    const int made = 1 + (o.checkpoint_every > 0 ? (o.frames[1] - 1) / o.checkpoint_every : 0);
    return o.checkpoints > 0 ? std::min(o.checkpoints, made) : made;
  }

  double leaves_in(std::size_t frame, double levels) const {
    const double now = last_->frames[frame].leaves;
    const double less = before_ ? before_->frames[frame].leaves : now / std::pow(2.0, Dim - 1);
    const double leaves = leaves_at(less, now, levels, Dim);
    const auto most = static_cast<double>(scene_.grid.max_leaves);
    return most > 0 ? std::min(leaves, most) : leaves;
  }

  const Scene<Dim>& scene_;
  MeshFiles& files_;
  double budget_;
  int finest_;
  Stopwatch watch_;
  std::optional<Trial> before_, last_;
};

}  // namespace

Prediction predict(const SceneFile& file, double budget) {
  return std::visit(
      [&]<int Dim>(const Scene<Dim>& scene) {
        return Predictor<Dim>(scene, *file.files, budget).predict();
      },
      file.scene);
}

}  // namespace octavo
