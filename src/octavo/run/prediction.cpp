#include "octavo/run/prediction.h"

#include <cmath>
#include <optional>

#include "octavo/base/timer.h"
#include "octavo/run/frame_files.h"
#include "octavo/run/interrupt.h"
#include "octavo/scene/build.h"

namespace octavo {
namespace {

// What a trial has seen. Sums are over all frames, those it did not get to included.
struct Trial {
  int level = 0, frames = 0;
  double leaves = 0, leaf_steps = 0, bytes = 0, disk_bytes = 0, seconds = 0;
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

// Volumes and what is left of checkpoints at the end.
template <int Dim>
double bytes_of_volumes(const Scene<Dim>& scene, const Smoke<Dim>& smoke, int frame) {
  if (scene.output.volume.empty()) return 0;
  SmokeFields<Dim> fields(smoke);
  return static_cast<double>(vdb_bytes(volumes_of(scene, frame, fields)).size());
}

template <int Dim>
Trial run_trial(const Scene<Dim>& scene, MeshFiles& files, double budget) {
  const Stopwatch watch;
  Smoke<Dim> smoke(domain_of(scene), parameters_of(scene, files));
  if (!scene.initial.empty()) smoke.start(start_of(scene, files));
  Trial t{.level = scene.grid.max_level};
  const int last = scene.output.frames[1], samples = 4;
  double volumes = 0, sampled = 0;
  while (t.frames < last && watch.seconds() < budget && !interrupted()) {
    smoke.advance(1 / scene.output.fps, [&](const SmokeReport& r) {
      t.leaves = std::max(t.leaves, static_cast<double>(r.leaves));
      t.leaf_steps += static_cast<double>(r.leaves);
      t.bytes = std::max(t.bytes, static_cast<double>(r.peak_bytes));
      return true;
    });
    if (++t.frames * samples / last > static_cast<int>(sampled) || t.frames == last) {
      volumes += bytes_of_volumes(scene, smoke, t.frames);
      ++sampled;
    }
  }
  t.seconds = watch.seconds();
  const auto written =
      static_cast<double>((last - scene.output.frames[0]) / scene.output.every + 1);
  t.disk_bytes = volumes / std::max(1.0, sampled) * written;

  // Smoke grows: what is not seen any more is taken to go on as it has begun, leaves in proportion to time.
  const double rest = static_cast<double>(last) / std::max(1, t.frames);
  t.leaf_steps *= rest * rest;
  t.seconds *= rest * rest;
  t.leaves *= rest;
  t.bytes *= rest;
  t.disk_bytes *= rest;
  return t;
}

template <int Dim>
Prediction predict_scene(const Scene<Dim>& scene, MeshFiles& files, double budget) {
  const Stopwatch watch;
  const int finest = scene.grid.max_level;
  std::optional<Trial> before, last;
  for (int level = std::max(finest - 5, std::min(finest, 3)); level <= finest; ++level) {
    const double left = budget - watch.seconds();
    const double next =
        last ? last->seconds * (last->seconds > 0.05 && before ? last->seconds / before->seconds
                                                               : std::pow(2.0, Dim))
             : 0;
    if (last && (next > left || interrupted())) break;
    before = last;
    last = run_trial(coarser(scene, finest - level), files, left);
  }

  // By which each level makes it more: a surface at least, everything at most.
  auto factor = [&](double Trial::*what, double least, double most) {
    const double seen = before ? *last.*what / std::max(1.0, *before.*what) : least;
    return std::clamp(seen, least, most);
  };
  const double levels = finest - last->level, edge = 2, surface = std::pow(edge, Dim - 1);
  auto grown = [&](double Trial::*what, double least, double most) {
    return *last.*what * std::pow(factor(what, least, most), levels);
  };
  Prediction p;
  p.trial_level = last->level;
  p.trial_frames = last->frames;
  p.leaves = grown(&Trial::leaves, surface * 0.5, surface * edge);
  p.leaf_steps = grown(&Trial::leaf_steps, surface * 0.5, surface * edge * edge);
  double share = 1;
  if (const auto most = static_cast<double>(scene.grid.max_leaves); most > 0 && p.leaves > most)
    share = most / p.leaves;
  p.leaves *= share;
  p.leaf_steps *= share;
  const double per_leaf = last->bytes / std::max(1.0, last->leaves);
  p.bytes = per_leaf * p.leaves;
  p.disk_bytes = last->disk_bytes * p.leaves / std::max(1.0, last->leaves);
  p.seconds = last->seconds * p.leaf_steps / std::max(1.0, last->leaf_steps);
  p.trial_seconds = watch.seconds();
  return p;
}

}  // namespace

Prediction predict(const SceneFile& file, double budget) {
  return std::visit(
      [&]<int Dim>(const Scene<Dim>& scene) { return predict_scene(scene, *file.files, budget); },
      file.scene);
}

}  // namespace octavo
