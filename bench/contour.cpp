// Measures what the surface of a body of water costs: which leaves it passes through, volumes, the mesh, its normals,
// bodies. The water is a sphere with bumps, on a tree that is fine in a band about its surface, or on a uniform one.
//
//   build/release/bench/contour --leaves 1e5,1e6

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "octavo/level_set/bodies.h"
#include "octavo/level_set/contour.h"
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

double distance(const Vec3d& x) {
  const Vec3d r = x - Vec3d{0.503, 0.497, 0.501};
  return length(r) - 0.3 - 0.01 * std::sin(40 * r[0]) * std::sin(40 * r[1]);
}

// The finest leaves are within so many of their diagonals of the surface.
Octree<3> band_tree(int level, double diagonals) {
  return Octree<3>::build({}, [=](const Leaf<3>& l) {
    return l.level < level &&
           std::abs(distance(l.center)) <
               diagonal<3>(0.5 * l.size) + diagonals * diagonal<3>(std::ldexp(1.0, -level));
  });
}

// The finest level is one at which a band of a few leaves is too few; the band is widened until it is enough.
Octree<3> band_tree(double leaves) {
  int level = 4;
  while (static_cast<double>(band_tree(level + 1, 1).leaf_count()) < leaves) ++level;
  double diagonals = 1;
  while (static_cast<double>(band_tree(level, diagonals).leaf_count()) < leaves) diagonals *= 1.2;
  return band_tree(level, diagonals);
}

Octree<3> uniform_tree(double leaves) {
  const int level = static_cast<int>(std::lround(std::log2(leaves) / 3));
  return Octree<3>::build({}, [=](const Leaf<3>& l) { return l.level < level; });
}

void measure(const char* name, const Octree<3>& tree, const Settings& s) {
  const Mesh<3> mesh(tree);
  NodeField<float> phi(mesh);
  const MeshView<3> m = mesh.view();
  parallel_for("level set", phi.size(), [&](std::size_t i) {
    phi[NodeId(i)] = static_cast<float>(distance(m.position(NodeId(i))));
  });
  constrain(mesh, phi);

  SurfaceLeaves<3, float> surface;
  LiquidVolume<3, float> volume;
  Contour<3, float> contour;
  Bodies<3, float> bodies;
  Buffer<Vec3f> normals;
  const auto best = [&](auto&& f) {
    double seconds = seconds_of(f);
    for (int r = 1; r < s.repeats; ++r) seconds = std::min(seconds, seconds_of(f));
    return seconds;
  };
  const double find = best([&] { surface.build(mesh, phi); });
  const double measured = best([&] { volume.measure(surface); });
  const double march = best([&] { contour.build(surface); });
  const double shade = best([&] { contour.normals(surface, normals); });
  const double join = best([&] { bodies.find(surface, volume, {}); });
  const auto leaves = static_cast<double>(tree.leaf_count());
  const auto cut = static_cast<double>(surface.leaves().size());
  auto rounded = [](double x) { return std::round(x * 10) / 10; };
  print_row({{"case", name},
             {"leaves", tree.leaf_count()},
             {"surface_leaves", surface.leaves().size()},
             {"triangles", contour.triangles().size()},
             {"threads", threads()},
             {"find_ns_per_leaf", rounded(find / leaves * 1e9)},
             {"volume_ns_per_leaf", rounded(measured / leaves * 1e9)},
             {"bodies_ns_per_leaf", rounded(join / leaves * 1e9)},
             {"volume_ns_per_surface_leaf", rounded(measured / cut * 1e9)},
             {"contour_ns_per_surface_leaf", rounded(march / cut * 1e9)},
             {"normals_ns_per_vertex",
              rounded(shade / static_cast<double>(contour.vertices().size()) * 1e9)},
             {"bytes_per_leaf", rounded(static_cast<double>(surface.bytes() + volume.bytes() +
                                                            contour.bytes() + bodies.bytes()) /
                                        leaves)}},
            s.json);
}

int run(int argc, char** argv) {
  Settings s;
  CLI::App app("Measures what the surface of a body of water costs");
  app.add_option("--leaves", s.leaves, "sizes of trees")
      ->check(CLI::Range(1e3, 1e8))
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--repeats", s.repeats, "of which the best counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--threads", s.threads, "0 takes all");
  app.add_flag("--json", s.json, "a JSON object per case");
  if (const auto code = parse(app, argc, argv)) return *code;
  set_threads(s.threads);
  fmt::print(stderr, "octavo {} ({}, {})\n", build_info().version, build_info().march,
             build_info().compiler);
  for (const double leaves : s.leaves) {
    measure("band", band_tree(leaves), s);
    measure("uniform", uniform_tree(leaves), s);
  }
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("contour", [=] { return octavo::bench::run(argc, argv); });
}
