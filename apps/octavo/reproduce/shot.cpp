#include "shot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "octavo/base/error.h"
#include "octavo/draw/difference.h"
#include "octavo/pictures/picture_files.h"
#include "octavo/pictures/smoke_picture.h"
#include "octavo/scene/build.h"
#include "octavo/smoke/smoke.h"
#include "octavo/smoke/smoke_kind.h"
#include "reproduce_tools.h"

namespace octavo {
namespace {

// It is a quantity in a leaf, by its values at the corners: the mean, and how much it rises across the leaf along
// each axis.
struct Linear {
  double mean = 0;
  Vec3d rise{};

  template <class Value>
  static Linear of(Value&& value) {
    Linear l;
    for (int c = 0; c < child_count<3>; ++c) {
      const double v = value(c);
      l.mean += v / 8;
      for (int a = 0; a < 3; ++a) l.rise[a] += (c >> a & 1) != 0 ? v / 4 : -v / 4;
    }
    return l;
  }
};

// It is what lift and weight do to the air that moves, in a second. The mean of a product is not the product of
// means: what they rise by in a leaf counts, so that large leaves are not at a disadvantage.
double buoyancy_power(const Smoke<3>& smoke) {
  const SmokeParameters<3>& p = smoke.parameters();
  const MeshView<3> m = smoke.mesh().view();
  const View<const float> u = smoke.velocity().view();
  const View<const float> rho = smoke.density().view(), t = smoke.temperature().view();
  NodeField<Vec<3, float>> nodal(smoke.mesh());
  smoke.nodal_velocity(nodal);
  const View<Vec<3, float>> v = nodal.view();
  return parallel_sum("power of buoyancy", m.leaf_count(), [&](std::size_t i) {
    const LeafId leaf(i);
    const Linear force = Linear::of([&](int c) {
      const NodeId node = m.node(leaf, c);
      return p.lift * (static_cast<double>(t[node]) - p.ambient) -
             p.weight * static_cast<double>(rho[node]);
    });
    const Linear speed =
        Linear::of([&](int c) { return static_cast<double>(v[m.node(leaf, c)][p.up_axis]); });
    double up = 0;
    for (const int side : {2 * p.up_axis, 2 * p.up_axis + 1})
      up += 0.5 * static_cast<double>(mean_on_side<float>(m, u, Cell::leaf(leaf), side));
    const double h = m.tree.size(leaf);
    return h * h * h * (force.mean * up + dot(force.rise, speed.rise) / 12);
  });
}

// The height is found by halving the interval in which it lies.
double height_of_smoke(const Smoke<3>& smoke) {
  const int up = smoke.parameters().up_axis;
  const Box<3> box = smoke.grid().tree().domain().box();
  const MeshView<3> m = smoke.mesh().view();
  const View<const float> rho = smoke.density().view();
  auto above = [&](double height) {
    return parallel_sum("smoke above", m.leaf_count(), [&](std::size_t i) {
      const LeafId leaf(i);
      const Linear density = Linear::of(
          [&](int c) { return std::max(0.0, static_cast<double>(rho[m.node(leaf, c)])); });
      const double h = m.tree.size(leaf), below = m.tree.center(leaf)[up] - 0.5 * h;
      const double from = std::clamp((height - below) / h, 0.0, 1.0);  // of the leaf is below
      return h * h * h * (1 - from) * (density.mean + 0.5 * from * density.rise[up]);
    });
  };
  const double all = above(box.lo[up]);
  double low = box.lo[up], high = box.hi[up];
  for (int i = 0; i < 16; ++i) {
    const double middle = 0.5 * (low + high);
    (above(middle) > 0.01 * all ? low : high) = middle;
  }
  return low - box.lo[up];
}

Image shot_picture(const Scene<3>& scene, const Stage& stage, const Smoke<3>& smoke) {
  const SmokeField field{&smoke.mesh(), smoke.density().view(), smoke.temperature().view()};
  return shown(smoke_picture(scene, stage, field, smoke.time()), tone_of(scene.render));
}

}  // namespace

double Shot::seconds() const {
  return std::accumulate(frames.begin(), frames.end(), 0.0,
                         [](double sum, const ShotFrame& f) { return sum + f.seconds; });
}
double Shot::mean(std::size_t ShotFrame::*count) const {
  return std::accumulate(frames.begin(), frames.end(), 0.0, [&](double sum, const ShotFrame& f) {
    return sum + static_cast<double>(f.*count) / static_cast<double>(frames.size());
  });
}

Shot run_shot(const SceneFile& file, const ShotPlan& options) {
  const auto& scene = std::get<Scene<3>>(file.scene);
  const Stage stage(scene, *file.files);
  Smoke<3> smoke(domain_of(scene),
                 smoke_parameters(*scene.simulation.own, flow_of(scene, *file.files)),
                 start_of(scene, *file.files));
  const int last = scene.output.frames[1];
  Shot shot;
  double work = 0;
  for (int frame = 1; frame <= last; ++frame) {
    const Stopwatch watch;
    const double length = 1 / scene.output.fps;
    const StepReport report = smoke.advance(length);
    ShotFrame& now = shot.frames.emplace_back();
    now.frame = frame;
    now.seconds = watch.seconds();
    now.leaves = report.leaves;
    now.nodes = report.nodes;
    now.buoyancy = work += buoyancy_power(smoke) * length;
    now.height = height_of_smoke(smoke);
    if (frame % options.every == 0 || frame == last)
      now.picture = shot_picture(scene, stage, smoke);
    show_progress(fmt::format("{}: frame {} of {}, {} leaves, {:.2f} s", options.name, frame, last,
                              report.leaves, now.seconds));
  }
  return shot;
}

std::vector<double> psnr_of(const Shot& reference, const Shot& shot) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(reference.frames.size(), shot.frames.size()); ++i)
    if (reference.frames[i].picture && shot.frames[i].picture)
      all.push_back(psnr(*reference.frames[i].picture, *shot.frames[i].picture));
  return all;
}

double least_of(const std::vector<double>& all) {
  return all.empty() ? std::nan("") : *std::min_element(all.begin(), all.end());
}

double largest_drop(const std::vector<double>& all) {
  const double rounding = 20 * std::log10(255 * std::sqrt(12.0));
  auto seen = [&](std::size_t i) { return std::min(all[i], rounding); };
  double most = all.empty() ? std::nan("") : 0;
  for (std::size_t i = 1; i < all.size(); ++i) most = std::max(most, seen(i - 1) - seen(i));
  return most;
}

// Work is compared with what it is at the end, so that its beginning from nothing does not count for more.
BehaviourDifference behaviour_difference(const Shot& reference, const Shot& shot) {
  BehaviourDifference most;
  const double whole = std::abs(reference.frames.back().buoyancy);
  for (std::size_t i = 0; i < std::min(reference.frames.size(), shot.frames.size()); ++i) {
    const ShotFrame &a = reference.frames[i], &b = shot.frames[i];
    most.work = std::max(most.work, std::abs(b.buoyancy - a.buoyancy) / whole);
    most.height = std::max(most.height, std::abs(b.height - a.height) / a.height);
  }
  return most;
}

}  // namespace octavo
