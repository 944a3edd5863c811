// What signed distances, velocities in the air and curvatures cost, about a ball: `band` is a tree that is fine within
// three leaves of the surface, `jumps` the same with half of the leaves there twice as large, `uniform` has leaves of one
// size.
//
//   build/release/bench/level_set                    a paragraph for each case
//   build/release/bench/level_set --json             a JSON object for each case, one a line
//   build/release/bench/level_set --leaves 1e5,1e6   other sizes

#include <CLI/CLI.hpp>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "octavo/base/random.h"
#include "octavo/level_set/curvature.h"
#include "octavo/level_set/extrapolation.h"
#include "octavo/level_set/signed_distance.h"
#include "octavo/mesh/hanging_nodes.h"
#include "print_row.h"
#include "seconds_of.h"

namespace octavo::bench {
namespace {

struct Settings {
  std::vector<double> leaves{1e5, 1e6};
  int repeats = 5, threads = 0;
  bool json = false;
};

constexpr Vec3d center{0.5, 0.51, 0.52};
constexpr double radius = 0.3;

double ball(const Vec3d& x) { return length(x - center) - radius; }

Octree<3> build_tree(const std::string& name, int level) {
  const double h = 1.0 / (1 << level);
  const Random random(1);
  return Octree<3>::build({}, [&](const Leaf<3>& leaf) {
    if (name == "uniform") return leaf.level < level;
    if (leaf.level < 3) return true;
    if (std::abs(ball(leaf.center)) > 3 * h + 0.5 * diagonal<3>(leaf.size)) return false;
    if (name == "band" || leaf.level < level - 1) return leaf.level < level;
    const auto place = static_cast<std::uint64_t>(
        (leaf.center[0] * 1024 + leaf.center[1]) * 1024 * 1024 + leaf.center[2] * 1024);
    return leaf.level < level && random.uniform(place) < 0.5;
  });
}

template <class F>
double best_of(int repeats, F&& f) {
  double best = 1e300;
  for (int r = 0; r < repeats; ++r) best = std::min(best, seconds_of(f));
  return best;
}

void measure(const std::string& name, double leaves, const Settings& settings) {
  int level = 4;
  while (static_cast<double>(build_tree(name, level).leaf_count()) < 0.6 * leaves) ++level;
  const auto tree = build_tree(name, level);
  const Mesh<3> mesh(tree);
  NodeField<float> given(mesh);
  for (std::size_t i = 0; i < mesh.node_count(); ++i)
    given[NodeId(i)] = static_cast<float>(1.2 * ball(mesh.view().position(NodeId(i))));
  constrain(mesh, given);

  NodeField<float> phi;
  SignedDistance<3, float> redistance;
  SignedDistanceReport report, old_report;
  double seconds = 1e300, old_seconds = 1e300;
  for (int r = 0; r < settings.repeats; ++r) {
    phi = given;
    old_report = redistance(mesh, phi, {.scheme = DistanceScheme::losasso04});
    old_seconds = std::min(old_seconds, old_report.seconds);
    phi = given;
    report = redistance(mesh, phi);
    seconds = std::min(seconds, report.seconds);
  }

  LeafField<float> level_set, kappa;
  at_leaf_centers(mesh, phi, level_set);
  FlowBoundary<3, float> boundary;
  boundary.level_set = std::as_const(level_set).view();
  Buffer<std::uint8_t> known;
  mark_liquid_faces(mesh, boundary, known);
  FaceField<float> velocity(mesh, 1.0f);
  Extrapolation<3, float> extrapolate;
  const double extrapolation = best_of(
      settings.repeats, [&] { extrapolate(mesh, phi, std::as_const(known).view(), velocity); });

  Curvature<3, float> curvature;
  std::size_t beside = 0;
  const double fit =
      best_of(settings.repeats, [&] { beside = curvature(mesh, phi, kappa).leaves; });
  const double averages =
      best_of(settings.repeats, [&] { curvature(mesh, phi, kappa, CurvatureScheme::losasso04); });

  const auto n = static_cast<double>(tree.leaf_count());
  const double b = static_cast<double>(redistance.bytes() + extrapolate.bytes());
  print_row(
      {{"case", name},
       {"leaves", tree.leaf_count()},
       {"threads", threads()},
       {"band_nodes", report.nodes},
       {"surface_nodes", report.surface_nodes},
       {"rounds", report.rounds},
       {"visits_per_band_node",
        static_cast<double>(report.visits) / static_cast<double>(report.nodes)},
       {"second_order_ns_per_leaf", seconds / n * 1e9},
       {"second_order_ns_per_band_node", seconds / static_cast<double>(report.nodes) * 1e9},
       {"losasso04_ns_per_leaf", old_seconds / n * 1e9},
       {"losasso04_ns_per_band_node", old_seconds / static_cast<double>(old_report.nodes) * 1e9},
       {"extrapolation_ns_per_leaf", extrapolation / n * 1e9},
       {"curvature_ns_per_surface_leaf", fit / static_cast<double>(beside) * 1e9},
       {"losasso04_curvature_ns_per_leaf", averages / n * 1e9},
       {"bytes_per_leaf", b / n}},
      settings.json);
}

int run(const Settings& settings) {
  set_threads(settings.threads);
  fmt::print(stderr, "octavo {} ({}, {}), {} threads\n", build_info().version, build_info().march,
             build_info().compiler, threads());
  for (const double leaves : settings.leaves)
    for (const char* name : {"band", "jumps", "uniform"}) measure(name, leaves, settings);
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  using namespace octavo::bench;
  return guarded("level_set", [&] {
    Settings settings;
    CLI::App app("Measures signed distances, extrapolation and curvatures.");
    app.add_option("--leaves", settings.leaves, "Numbers of leaves")->delimiter(',');
    app.add_option("--repeats", settings.repeats, "The best of so many counts");
    app.add_option("--threads", settings.threads, "How many; 0 for all");
    app.add_flag("--json", settings.json, "JSON objects, one a line");
    if (const auto code = parse(app, argc, argv)) return *code;
    return run(settings);
  });
}
