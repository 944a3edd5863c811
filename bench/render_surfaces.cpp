// What a picture of a glass surface costs: a splash-like body of many triangles on the ground, with a lamp and a
// sky.
//
//   build/release/bench/render_surfaces                           640 x 360, 500,000 triangles, 32 samples
//   build/release/bench/render_surfaces --picture splash.png      to be looked at

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <numbers>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "octavo/base/noise.h"
#include "octavo/base/parallel.h"
#include "octavo/base/timer.h"
#include "octavo/io/png.h"
#include "octavo/render/denoise.h"
#include "octavo/render/path_tracer.h"
#include "print_row.h"
#include "seconds_of.h"

namespace octavo::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  double triangles = 5e5;
  int width = 640, height = 360, samples = 32, bounces = 12, repeats = 3;
  std::string picture;
  bool json = false;
};

// A cube whose sides are cut into cuts x cuts squares, blown up to a ball with bumps of many sizes, on the
// ground.
SurfaceMesh splash(int cuts) {
  SurfaceMesh mesh;
  const Noise<3> noise(5);
  const auto row = static_cast<std::uint32_t>(cuts) + 1;
  auto along = [&](int i) {  // exact at the ends, where sides meet
    const int from_middle = 2 * i - cuts;
    if (std::abs(from_middle) == cuts) return from_middle < 0 ? -1.0 : 1.0;
    return std::tan(from_middle * std::numbers::pi / 4 / cuts);
  };
  for (int side = 0; side < 6; ++side) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const int axis = side / 2, sign = side % 2 == 0 ? -1 : 1;
    for (int j = 0; j <= cuts; ++j)
      for (int i = 0; i <= cuts; ++i) {
        Vec3d d{};
        d[axis] = sign;
        d[(axis + 1) % 3] = sign * along(i);
        d[(axis + 2) % 3] = along(j);
        d = d / length(d);
        const double radius = 0.5 + 0.55 * noise.fractal(d * 1.5 + Vec3d{3, 4, 5}, 0, 4);
        mesh.vertices.push_back(d * radius);
      }
    for (std::uint32_t j = 0; j + 1 < row; ++j)
      for (std::uint32_t i = 0; i + 1 < row; ++i) {
        const std::uint32_t p = first + j * row + i;
        mesh.triangles.push_back({p, p + 1, p + row + 1});
        mesh.triangles.push_back({p, p + row + 1, p + row});
      }
  }
  double lowest = 0;
  for (const Vec3d& v : mesh.vertices) lowest = std::min(lowest, v[2]);
  for (Vec3d& v : mesh.vertices) v[2] -= lowest;
  return mesh;
}

Lighting daylight() {
  Lighting lighting;
  lighting.lights = {{normalized(Vec3d{0.5, 0.6, -1}), {1.1f, 1.05f, 0.95f}, 4}};
  lighting.ground = Ground{.height = 0, .color = {0.4f, 0.4f, 0.4f}, .fade = 14};
  return lighting;
}

void measure(const Settings& s) {
  const int cuts = static_cast<int>(std::ceil(std::sqrt(s.triangles / 12)));
  const SurfaceMesh mesh = splash(cuts);
  const SurfaceLook look{.kind = SurfaceLook::Kind::glass,
                         .smooth = true,
                         .ior = 1.33,
                         .absorption = {0.5f, 0.15f, 0.1f}};
  const Camera camera{{0.7, -5.2, 1.8}, {0, 0, 0.85}, {0, 0, 1}, 42, {s.width, s.height}};
  const Lighting lighting = daylight();
  Picture picture;
  Features features;
  double build = HUGE_VAL, trace = HUGE_VAL;
  for (int i = 0; i < s.repeats; ++i) {
    Surfaces surfaces;
    build = std::min(build, seconds_of([&] {
                       surfaces.add(mesh, look);
                       surfaces.commit();
                     }));
    trace = std::min(trace, seconds_of([&] {
                       picture = path_traced(
                           CameraRays(camera), camera.resolution, surfaces, lighting, nullptr,
                           {.samples = s.samples, .max_bounces = s.bounces}, &features);
                     }));
    fmt::print(stderr, "built in {:.2f} s, traced in {:.2f} s, at best\n", build, trace);
  }
  Picture clean;
  const double denoise = seconds_of([&] { clean = denoised(picture, features); });
  if (!s.picture.empty()) write_png(s.picture, shown(picture));
  const double paths = static_cast<double>(picture.pixels.size()) * s.samples;
  print_row(Json{{"case", "glass"},
                 {"triangles", mesh.triangles.size()},
                 {"width", s.width},
                 {"height", s.height},
                 {"samples", s.samples},
                 {"threads", threads()},
                 {"build_seconds", build},
                 {"trace_seconds", trace},
                 {"paths_per_second", paths / trace},
                 {"denoise_seconds", denoise}},
            s.json);
}

int run(int argc, char** argv) {
  Settings s;
  CLI::App app("What a picture of a glass surface costs");
  app.add_option("--triangles", s.triangles, "at least so many")
      ->check(CLI::Range(12.0, 1e8))
      ->capture_default_str();
  app.add_option("--width", s.width)->check(CLI::Range(1, 16384))->capture_default_str();
  app.add_option("--height", s.height)->check(CLI::Range(1, 16384))->capture_default_str();
  app.add_option("--samples", s.samples)->check(CLI::Range(1, 1 << 20))->capture_default_str();
  app.add_option("--bounces", s.bounces)->check(CLI::Range(0, 1000))->capture_default_str();
  app.add_option("--repeats", s.repeats, "of which the best counts")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--picture", s.picture, "a PNG file to write");
  app.add_flag("--json", s.json, "a JSON object per case");
  if (const auto code = parse(app, argc, argv)) return *code;
  fmt::print(stderr, "octavo {} ({}, {})\n", build_info().version, build_info().march,
             build_info().compiler);
  measure(s);
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("render_surfaces", [=] { return octavo::bench::run(argc, argv); });
}
