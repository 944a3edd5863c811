#include "hydrostatic.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "reproduce_tools.h"

namespace octavo {
namespace {

constexpr double surface = 0.5637;      // height of the water, m: no multiple of any cell's size
constexpr double gravity = 9.81;        // m/s^2, against z
constexpr double time_step = 0.01;      // s
constexpr double water_density = 1000;  // kg/m^3

constexpr std::array<GradientScheme, 3> schemes{
    GradientScheme::losasso04, GradientScheme::losasso06, GradientScheme::losasso06s};

struct Pool {
  std::uint64_t seed;
  int finest;  // level of the leaves around the surface
};
constexpr std::array<Pool, 5> pools{{{1, 5}, {2, 5}, {3, 6}, {4, 6}, {5, 7}}};

struct HydrostaticRow {
  std::size_t leaves = 0, liquid_leaves = 0;
  int jump_in_water = 0, jump_in_air = 0;  // levels
  std::vector<double> speed;               // for each scheme: largest |u| / (g dt)
};

// Leaves have random sizes, except that they are of the finest level where the surface is and two
// cells to either side, so that gradients alone are compared; `octavo reproduce tank` has sizes that
// jump at the surface.
Octree<3> random_pool(const Pool& pool) {
  const Random random(pool.seed);
  const Domain<3> box;
  const double band = 2 * box.size(pool.finest);
  return Octree<3>::build(box, [&](const Leaf<3>& leaf) {
    if (leaf.level == pool.finest) return false;
    if (leaf.level == 0 || std::abs(leaf.center[2] - surface) < leaf.reach + band) return true;
    return noise(random, leaf) < 0.35;
  });
}

LeafField<double> flat_level_set(const Mesh<3>& mesh) {
  LeafField<double> phi(mesh);
  const OctreeView<3> tree = mesh.tree().view();
  for (std::size_t i = 0; i < phi.size(); ++i) phi[LeafId(i)] = tree.center(LeafId(i))[2] - surface;
  return phi;
}

// It is water at rest after gravity has acted for a time step, before the pressure does.
FaceField<double> falling(const Mesh<3>& mesh) {
  FaceField<double> velocity(mesh);
  const MeshView<3> m = mesh.view();
  for (std::size_t i = 0; i < m.face_count(); ++i)
    if (m.axis(FaceId(i)) == 2 && !m.is_wall(FaceId(i))) velocity[FaceId(i)] = -gravity * time_step;
  return velocity;
}

double largest_wet_speed(const PressureFaces<3, double>& faces, View<const double> velocity) {
  return parallel_max("largest speed", velocity.size(), 0.0, [&](std::size_t i) {
    return faces.link(FaceId(i)).kind == FaceLink::none ? 0.0 : std::abs(velocity[i]);
  });
}

double speed_after_projection(const Mesh<3>& mesh, const FlowBoundary<3, double>& boundary,
                              PressureScheme scheme) {
  const ProjectionOptions options{.time_step = time_step,
                                  .density = water_density,
                                  .scheme = scheme,
                                  .stop = {.relative = 1e-13, .max_iterations = 1000}};
  FaceField<double> velocity = falling(mesh);
  LeafField<double> pressure(mesh);
  Projection<3, double> projection;
  const PressureReport report = projection.project(mesh, boundary, options, velocity, pressure);
  require_converged(report, scheme);
  show_progress(
      fmt::format("{} leaves, {}: {}", mesh.leaf_count(), name(scheme.scheme), report.sentence()));
  const double speed =
      largest_wet_speed({mesh.view(), boundary, scheme}, std::as_const(velocity).view());
  return speed / (gravity * time_step);
}

HydrostaticRow measure(const Pool& pool) {
  const Octree<3> tree = random_pool(pool);
  const Mesh<3> mesh(tree);
  const LeafField<double> phi = flat_level_set(mesh);
  FlowBoundary<3, double> boundary;
  boundary.level_set = phi.view();
  HydrostaticRow row;
  row.leaves = mesh.leaf_count();
  auto wet = [&](LeafId leaf) { return boundary.is_liquid(leaf); };
  for (std::size_t i = 0; i < mesh.leaf_count(); ++i) row.liquid_leaves += wet(LeafId(i)) ? 1 : 0;
  row.jump_in_water = largest_jump_across_faces(mesh.view(), wet);
  row.jump_in_air = largest_jump_across_faces(mesh.view(), [&](LeafId l) { return !wet(l); });
  for (const GradientScheme scheme : schemes)
    row.speed.push_back(speed_after_projection(mesh, boundary, {scheme}));
  return row;
}

void print_json(const HydrostaticRow& row) {
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    const nlohmann::ordered_json line{
        {"scheme", name(schemes[s])}, {"leaves", row.leaves}, {"max_u_over_g_dt", row.speed[s]}};
    fmt::print("{}\n", line.dump());
  }
}

void print_header() {
  fmt::print(
      "Still water in a closed box of 1 m, flat surface at z = {} m, on random unrestricted\n"
      "octrees: the largest velocity after one projection on any face of the water, in units of\n"
      "g dt (g = {} m/s^2, dt = {} s). Exact: 0. Jump: largest difference in level of leaves that\n"
      "share a face, in the water and in the air.\n\n",
      surface, gravity, time_step);
  fmt::print("{:>8} {:>8} {:>10} {:>9}", "leaves", "in water", "water jump", "air jump");
  for (const GradientScheme scheme : schemes) fmt::print(" {:>10}", name(scheme));
  fmt::print("\n");
}

void print_text(const HydrostaticRow& row) {
  fmt::print("{:>8} {:>8} {:>10} {:>9}", row.leaves, row.liquid_leaves, row.jump_in_water,
             row.jump_in_air);
  for (const double speed : row.speed) fmt::print(" {:>10.2e}", speed);
  fmt::print("\n");
}

}  // namespace

void run_hydrostatic(const ReproduceOptions& options) {
  if (!options.json) print_header();
  for (const Pool& pool : pools) {
    const HydrostaticRow row = measure(pool);
    if (options.json)
      print_json(row);
    else
      print_text(row);
  }
}

}  // namespace octavo
