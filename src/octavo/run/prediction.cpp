#include "octavo/run/prediction.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "octavo/base/timer.h"
#include "octavo/output/frame_files.h"
#include "octavo/output/interrupt.h"
#include "octavo/run/trial.h"
#include "octavo/scene/build.h"

namespace octavo {
namespace {

// This many leaves there are with so many levels more. What there was with one level less tells which of
// them lie along a surface and which fill the space, or which are there whatever the finest level is.
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
      : scene_(scene),
        files_(files),
        work_(budget * work_per_second),
        finest_(scene.grid.max_level) {}

  Prediction predict() {
    for (int level = first_trial(); level <= finest_; ++level) {
      if (last_ && (!is_worth(level) || interrupted())) break;
      before_ = std::exchange(last_, run_trial(coarser_to(level), files_, work_));
      work_ -= last_->work;
    }
    Prediction p = whole_run();
    p.trial_level = last_->level;
    p.trial_frames = last_->seen;
    p.trial_seconds = watch_.seconds();
    return p;
  }

 private:
  static constexpr double work_per_second = 400'000;  // of two cores, about
  static constexpr double most_trial_leaves = 1'000'000, most_first_leaves = 50'000;

  Scene<Dim> coarser_to(int level) const { return coarser(scene_, finest_ - level); }

  // The first trial has five levels less, or as many more as it takes for the leaves that are there anyway to be few.
  int first_trial() const {
    int level = std::max(finest_ - 5, std::min(finest_, 3));
    while (level > 0 && coarsest_leaves(coarser_to(level)) > most_first_leaves) --level;
    return level;
  }

  // Trials know no bound of leaves. Those that have come to it have no more to tell.
  bool is_worth(int level) const {
    const auto bound = static_cast<double>(scene_.grid.max_leaves);
    if (bound > 0 && last_->leaves >= bound) return false;
    double work = first_leaves(coarser_to(level));
    for (std::size_t i = 0; i < last_->frames.size(); ++i) {
      const double leaves = leaves_in(i, level);
      if (leaves > most_trial_leaves) return false;
      work += (leaves + work_of_step) * substeps(i, level);
    }
    return work <= work_;
  }

  // A run with all levels would need this.
  Prediction whole_run() const {
    const Trial& t = *last_;
    Prediction p;
    double written = 0, leaves = 0;
    for (std::size_t i = 0; i < t.frames.size(); ++i) {
      leaves = bounded(leaves_in(i, finest_));
      p.leaves = std::max(p.leaves, leaves);
      p.leaf_steps += leaves * substeps(i, finest_);
      if (!is_written(scene_.output, static_cast<int>(i) + 1)) continue;
      written += leaves;
      p.picture_seconds += t.picture_seconds;
    }
    p.bytes = bytes_for(p.leaves);
    p.disk_bytes = written * t.output_bytes / t.output_leaves +
                   kept_checkpoints() * leaves * t.checkpoint_bytes / t.last_leaves;
    p.seconds = p.leaf_steps * t.step_seconds / t.leaf_steps +
                written * t.output_seconds / t.output_leaves +
                p.leaves * t.start_seconds / t.leaves + p.picture_seconds;
    return p;
  }

  // What the beginning takes for its first octree is kept, whether later ones need it or not.
  double bytes_for(double leaves) const {
    const Trial& t = *last_;
    const double first = first_leaves(scene_);
    return std::max(first * t.start_bytes / t.start_leaves,
                    leaves * t.step_bytes / t.last_leaves +
                        std::max(0.0, first - leaves) * t.kept_bytes / t.start_leaves);
  }

  // The last frame always has one.
  double kept_checkpoints() const {
    const OutputScene& o = scene_.output;
    const int made = 1 + (o.checkpoint_every > 0 ? (o.frames[1] - 1) / o.checkpoint_every : 0);
    return o.checkpoints > 0 ? std::min(o.checkpoints, made) : made;
  }

  double substeps(std::size_t frame, int level) const {
    const FlowParameters<Dim>& flow = scene_.simulation.flow;
    return flow.substeps(last_->frames[frame].passed * std::pow(2.0, level - last_->level));
  }

  // The leaves are those with this finest level, and no bound.
  double leaves_in(std::size_t frame, int level) const {
    const double now = last_->frames[frame].added;
    const double less = before_ ? before_->frames[frame].added : now / std::pow(2.0, Dim - 1);
    const double leaves =
        coarsest_leaves(coarser_to(level)) + leaves_at(less, now, level - last_->level, Dim);
    return std::min(leaves, domain_of(scene_).root_count() * std::pow(2.0, Dim * level));
  }
  double bounded(double leaves) const {
    const auto most = static_cast<double>(scene_.grid.max_leaves);
    return most > 0 ? std::min(leaves, most) : leaves;
  }

  const Scene<Dim>& scene_;
  MeshFiles& files_;
  double work_;  // that is left
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
