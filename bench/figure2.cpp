// Smoke rising past a sphere, figure 2 of Losasso, Gibou, Fedkiw 2004: on an octree and, with the same
// code, on a uniform grid of the same finest cells.
//
//   build/release/bench/figure2 --sizes 64,128,256          the octree against the uniform grid
//   build/release/bench/figure2 --sizes 1024 --alone --paper --cfl 8 --max-leaves 2.5e6 --frames 60
//                                                           the paper's headline, on the octree only
//   build/release/bench/figure2 --sizes 128 --pictures DIR  also pictures of what is seen from the side

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "octavo/io/png.h"
#include "print_row.h"
#include "smoke_cases.h"

namespace octavo::bench {
namespace {

struct Settings {
  std::vector<int> sizes{64, 128, 256};
  int frames = 48;
  bool json = false, alone = false, paper = false;
  double cfl = 4, max_leaves = 0;
  std::string pictures;
};

// A grid's run: what it cost, and what was seen at half time and at the end.
struct Run {
  double seconds = 0, last_frame_seconds = 0, leaf_steps = 0;
  std::size_t leaves = 0, peak_bytes = 0;
  int steps = 0;
  std::vector<float> half_time, end;
};

void write_picture(const std::string& folder, const std::string& name,
                   const std::vector<float>& seen, int width) {
  if (folder.empty()) return;
  Image image(width, width);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double light = 255 * (1 - std::exp(-12.0 * static_cast<double>(seen[i])));
    for (std::size_t c = 0; c < 3; ++c)
      image.pixels[3 * i + c] = static_cast<std::uint8_t>(std::clamp(light, 0.0, 255.0));
  }
  std::filesystem::create_directories(folder);
  write_png(std::filesystem::path(folder) / (name + ".png"), image);
}

Run run_grid(const Settings& settings, int size, Fineness fineness) {
  const int level = static_cast<int>(std::lround(std::log2(size)));
  const int width = std::min(size, 256);
  const std::string kind =
      fmt::format("{}-{}", fineness == Fineness::uniform ? "uniform" : "octree", size);
  Run run;
  SmokeParameters<3> parameters = smoke_past_sphere(level, fineness);
  parameters.cfl = settings.cfl;
  if (fineness != Fineness::uniform)
    parameters.refinement.max_leaves = static_cast<std::size_t>(settings.max_leaves);
  Smoke<3> smoke(Domain<3>{}, parameters);
  for (int frame = 1; frame <= settings.frames; ++frame) {
    const StepReport r = smoke.advance(1.0 / 24);
    run.seconds += r.seconds.total;
    run.last_frame_seconds = r.seconds.total;
    run.steps += r.substeps;
    run.leaf_steps += static_cast<double>(r.leaves) * r.substeps;
    run.leaves = r.leaves;
    run.peak_bytes = std::max(run.peak_bytes, r.peak_bytes);
    fmt::print(stderr,
               "{} frame {:>3}: {:>9} leaves, {} steps, {:>7.2f} s, {:.2f} GiB, CFL {:.1f}, total "
               "{:.5f}, strictness {:.2f}\n",
               kind, frame, r.leaves, r.substeps, r.seconds.total,
               static_cast<double>(r.peak_bytes) / (1 << 30), r.cfl, r.ledger.front().after,
               r.strictness);
    if (frame == settings.frames / 2 || frame == settings.frames) {
      auto seen = seen_from_the_side(smoke.mesh(), smoke.density(), width);
      write_picture(settings.pictures, fmt::format("{}.{:04}", kind, frame), seen, width);
      (frame == settings.frames ? run.end : run.half_time) = std::move(seen);
    }
  }
  return run;
}

nlohmann::ordered_json row(const Settings& settings, int size, const Run& octree) {
  const auto leaves = static_cast<double>(octree.leaves);
  return {{"size", size},
          {"frames", settings.frames},
          {"rules", settings.paper ? "paper" : "all smoke"},
          {"cfl", settings.cfl},
          {"max_leaves", settings.max_leaves},
          {"threads", threads()},
          {"leaves", octree.leaves},
          {"steps", octree.steps},
          {"seconds", octree.seconds},
          {"last_frame_seconds", octree.last_frame_seconds},
          {"leaf_steps_per_second", octree.leaf_steps / octree.seconds},
          {"bytes", octree.peak_bytes},
          {"bytes_per_leaf", static_cast<double>(octree.peak_bytes) / leaves}};
}

void run_size(const Settings& settings, int size) {
  const Run octree =
      run_grid(settings, size, settings.paper ? Fineness::paper : Fineness::all_smoke);
  nlohmann::ordered_json object = row(settings, size, octree);
  if (!settings.alone) {
    const Run uniform = run_grid(settings, size, Fineness::uniform);
    object["uniform_cells"] = uniform.leaves;
    object["uniform_steps"] = uniform.steps;
    object["uniform_seconds"] = uniform.seconds;
    object["uniform_bytes"] = uniform.peak_bytes;
    object["times_faster"] = uniform.seconds / octree.seconds;
    object["times_smaller"] =
        static_cast<double>(uniform.peak_bytes) / static_cast<double>(octree.peak_bytes);
    object["difference_at_half_time"] = relative_difference(octree.half_time, uniform.half_time);
    object["difference_at_end"] = relative_difference(octree.end, uniform.end);
  }
  print_row(object, settings.json);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Smoke past a sphere, on an octree and on a uniform grid");
  app.add_option("--sizes", settings.sizes, "cells along an edge, powers of two")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(16, 4096));
  app.add_option("--frames", settings.frames, "of 1/24 s")
      ->check(CLI::Range(2, 100000))
      ->capture_default_str();
  app.add_option("--pictures", settings.pictures, "a folder for pictures");
  app.add_flag("--alone", settings.alone, "no uniform grid");
  app.add_flag("--paper", settings.paper,
               "refine by the paper's rules: not inside of what is thick");
  app.add_option("--cfl", settings.cfl, "cells that anything may pass in a step")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--max-leaves", settings.max_leaves, "of the octree, at most; 0: any number")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--json", settings.json, "a JSON object per size");
  if (const auto code = parse(app, argc, argv)) return *code;
  for (const int size : settings.sizes)
    if ((size & (size - 1)) != 0) throw InputError("{} is not a power of two", size);
  fmt::print(stderr, "octavo {} ({}, {})\n", build_info().version, build_info().march,
             build_info().compiler);
  for (const int size : settings.sizes) run_size(settings, size);
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("figure2", [=] { return octavo::bench::run(argc, argv); });
}
