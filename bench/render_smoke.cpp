// What a picture of smoke costs: a column of billows on an octree that is fine where they are, with an obstacle, a
// lamp with shadows and a sky.
//
//   build/release/bench/render_smoke                           640 x 360, finest levels 7, 7.5 and 8
//   build/release/bench/render_smoke --levels 8 --picture smoke.png

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "octavo/base/noise.h"
#include "octavo/io/png.h"
#include "octavo/mesh/grid.h"
#include "octavo/mesh/interpolate.h"
#include "octavo/render/path_tracer.h"
#include "octavo/render/smoke_medium.h"
#include "print_row.h"
#include "seconds_of.h"

namespace octavo::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  std::vector<double> levels{7, 7.5, 8};
  int width = 640, height = 360, samples = 16, repeats = 3;
  std::string picture;
  bool json = false;
};

// Billows around the axis of the box, with an edge that is soft over a few cells.
double density_at(const Vec3d& p) {
  static const Noise<3> noise(7);
  const double away = length(Vec2d{p[0] - 0.5, p[1] - 0.5});
  const double edge =
      0.08 + 0.22 * p[2] * noise.fractal(p * 6.0, 0, 5) - 3 * std::max(0.0, p[2] - 0.85);
  return std::clamp((edge - away) * 60, 0.0, 1.0) * (0.4 + 0.6 * noise.fractal(p * 10.0, 1, 4));
}

// Half a level more makes the lower half of the box finer by one.
Octree<3> tree_of(double level) {
  return Octree<3>::build(Domain<3>{}, [=](const Leaf<3>& leaf) {
    const double away = length(Vec2d{leaf.center[0] - 0.5, leaf.center[1] - 0.5});
    const int fine = static_cast<int>(level + 1 - leaf.center[2]);
    return leaf.level < (away - leaf.size < 0.1 + 0.2 * leaf.center[2] ? fine : 3);
  });
}

void measure(const Settings& s, double level) {
  const Grid<3> grid(tree_of(level));
  NodeField<float> density(grid.mesh());
  const MeshView<3> mesh = grid.mesh().view();
  const View<float> out = density.view();
  parallel_for("density", out.size(), [=](std::size_t i) {
    out[i] = static_cast<float>(density_at(mesh.position(NodeId(i))));
  });
  constrain(grid.mesh(), density);
  Surfaces surfaces;
  surfaces.add(sphere_shape<3>({0.3, 0.35, 0.35}, 0.1), mesh.tree.domain.box(), {});
  surfaces.commit();
  Lighting lighting{.lights = {{normalized(Vec3d{1, 1, -2}), {2.5f, 2.4f, 2.2f}, 2}}};
  lighting.sky = {{0, 0, 1}, {0.03f, 0.045f, 0.075f}, {0.1f, 0.12f, 0.15f}, {0.05f, 0.06f, 0.07f}};
  lighting.ground = Ground{.color = {0.08f, 0.08f, 0.08f}, .fade = 6};
  const CameraRays rays(framing(mesh.tree.domain.box(), {0, 0, 1}, 40, {s.width, s.height}));

  double light = HUGE_VAL, trace = HUGE_VAL;
  std::size_t bytes = 0;
  Picture picture;
  for (int i = 0; i < s.repeats; ++i) {
    std::optional<SmokeMedium> medium;
    light = std::min(light, seconds_of([&] {
                       medium.emplace(SmokeField{&grid.mesh(), std::as_const(density).view(), {}},
                                      SmokeLook{.orders = 3}, lighting, surfaces);
                     }));
    trace = std::min(trace, seconds_of([&] {
                       picture =
                           path_traced(rays, {s.width, s.height}, surfaces, lighting, &*medium,
                                       {.samples = s.samples, .tolerance = 0.01, .max_bounces = 2});
                     }));
    bytes = medium->bytes() + picture.pixels.size() * sizeof(Picture::Pixel);
  }
  if (!s.picture.empty()) write_png(s.picture, shown(picture));
  const std::size_t volume = grid.bytes() + density.bytes();
  print_row(Json{{"case", "smoke"},
                 {"leaves", mesh.leaf_count()},
                 {"width", s.width},
                 {"height", s.height},
                 {"samples", s.samples},
                 {"threads", threads()},
                 {"light_seconds", light},
                 {"trace_seconds", trace},
                 {"seconds", light + trace},
                 {"volume_bytes", volume},
                 {"render_bytes", bytes}},
            s.json);
}

int run(int argc, char** argv) {
  Settings s;
  CLI::App app("What a picture of smoke costs");
  app.add_option("--levels", s.levels, "of the finest leaves")
      ->delimiter(',')
      ->check(CLI::Range(4.0, 11.0));
  app.add_option("--width", s.width)->check(CLI::Range(1, 16384))->capture_default_str();
  app.add_option("--height", s.height)->check(CLI::Range(1, 16384))->capture_default_str();
  app.add_option("--samples", s.samples)->check(CLI::Range(1, 1 << 20))->capture_default_str();
  app.add_option("--repeats", s.repeats, "of which the best counts")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--picture", s.picture, "a PNG file to write, of the last case");
  app.add_flag("--json", s.json, "a JSON object per case");
  if (const auto code = parse(app, argc, argv)) return *code;
  fmt::print(stderr, "octavo {} ({}, {})\n", build_info().version, build_info().march,
             build_info().compiler);
  for (const double level : s.levels) measure(s, level);
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("render_smoke", [=] { return octavo::bench::run(argc, argv); });
}
