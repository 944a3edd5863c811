// What the files of a run cost: the same frames of a scene, from the same checkpoint, written and not written.
//
//   build/release/bench/output                          the plume of the starter scenes, from 1e6 leaves on
//   build/release/bench/output --leaves 1e5 --level 7   a smaller one

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "octavo/base/parallel.h"
#include "octavo/io/vdb.h"
#include "octavo/run/run.h"
#include "octavo/scene/build.h"
#include "print_row.h"

namespace octavo::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Settings {
  std::string scene = "scenes/starter/plume.toml", folder = "bench-output";
  double leaves = 1e6;
  int level = 8, frames = 5, repeats = 1;
  bool json = false;
};

// One run of a few frames, as its log tells it.
struct Cost {
  double seconds = 0;             // with all its files on disk
  double checkpoint_seconds = 0;  // of them, for the checkpoint at the end
  double leaf_frames = 0;
  int steps = 0;
};

std::vector<Json> events(const fs::path& folder) {
  std::ifstream log(folder / "log.jsonl");
  std::vector<Json> all;
  for (std::string line; std::getline(log, line);) all.push_back(Json::parse(line));
  return all;
}

// What is kept of a run is its last checkpoint only.
SceneFile scene_with(const Settings& s, int last, const std::vector<std::string>& more) {
  std::vector<std::string> set{fmt::format("grid.max_level={}", s.level),
                               fmt::format("output.frames=[1, {}]", last), "output.name=\"smoke\"",
                               "output.checkpoint_every=0", "output.checkpoints=1"};
  set.insert(set.end(), more.begin(), more.end());
  return read_scene(s.scene, set);
}

// Simulates until there are enough leaves; returns the frame, which has a checkpoint.
int prepare(const Settings& s, const fs::path& folder) {
  for (int frame = 4;; frame += 4) {
    run_scene(scene_with(s, frame, {"output.volume=[]"}),
              {.folder = folder, .resume = true, .progress = ProgressKind::quiet});
    double leaves = 0;
    for (const Json& e : events(folder))
      if (e["event"] == "frame") leaves = e["leaves"];
    fmt::print(stderr, "frame {}: {:.0f} leaves\n", frame, leaves);
    if (leaves >= s.leaves) return frame;
    if (frame >= 400) throw InputError("there are never {:.0f} leaves", s.leaves);
  }
}

Cost run_from(const Settings& s, const fs::path& begun, int frame, const fs::path& folder,
              const std::vector<std::string>& output) {
  run_scene(scene_with(s, frame + s.frames, output), {.folder = folder,
                                                      .overwrite = true,
                                                      .from = BranchPoint{begun, frame},
                                                      .progress = ProgressKind::quiet});
  Cost cost;
  for (const Json& e : events(folder)) {
    if (e["event"] == "done") cost.seconds = e["seconds"];
    if (e["event"] == "checkpoint") cost.checkpoint_seconds = e["seconds"];
    if (e["event"] == "step") ++cost.steps;
    if (e["event"] == "frame") cost.leaf_frames += e["leaves"].get<double>();
  }
  return cost;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double bytes_in(const fs::path& folder) {
  double bytes = 0;
  std::error_code error;
  for (const auto& e : fs::directory_iterator(folder, error))
    bytes += static_cast<double>(e.file_size());
  return bytes;
}

// The same fields in half floats at all cells of the finest lattice.
double dense_bytes(const SceneFile& file) {
  return std::visit(
      []<int Dim>(const Scene<Dim>& scene) {
        const Domain<Dim> domain = domain_of(scene);
        double cells = std::pow(2.0, Dim * scene.grid.max_level), values = 0;
        for (int a = 0; a < Dim; ++a) cells *= domain.roots[a];
        for (const std::string& name : scene.output.volume) values += name == "velocity" ? 3 : 1;
        return cells * values * 2;
      },
      file.scene);
}

void measure(const Settings& s, const std::string& name, const fs::path& begun, int frame,
             const std::vector<std::string>& output) {
  const fs::path without = fs::path(s.folder) / "without", with = fs::path(s.folder) / name;
  std::vector<double> seconds, seconds_without;
  Cost cost;
  for (int i = 0; i < s.repeats; ++i) {
    const Cost none = run_from(s, begun, frame, without, {"output.volume=[]", "output.grid=[]"});
    cost = run_from(s, begun, frame, with, output);
    seconds_without.push_back(none.seconds - none.checkpoint_seconds);
    seconds.push_back(cost.seconds);
    fmt::print(stderr, "{}: {:.2f} s, without files {:.2f} s\n", name, seconds.back(),
               seconds_without.back());
  }
  const double a = median(seconds), b = median(seconds_without);
  const double frames = s.frames, volume = bytes_in(with / "volume") / frames;
  const Json row{{"case", name},
                 {"leaves", cost.leaf_frames / frames},
                 {"threads", threads()},
                 {"frames", s.frames},
                 {"steps", cost.steps},
                 {"seconds", a},
                 {"seconds_without", b},
                 {"share", (a - b) / a},
                 {"checkpoint_seconds", cost.checkpoint_seconds},
                 {"volume_bytes", volume},
                 {"grid_bytes", bytes_in(with / "grid") / frames},
                 {"checkpoint_bytes", bytes_in(with / "checkpoint")},
                 {"dense_bytes", dense_bytes(scene_with(s, frame + 1, output))}};
  print_row(row, s.json);
}

int run(int argc, char** argv) {
  Settings s;
  CLI::App app("What the files of a run cost");
  app.add_option("--scene", s.scene)->capture_default_str()->check(CLI::ExistingFile);
  app.add_option("--folder", s.folder, "for the runs; removed at the end")->capture_default_str();
  app.add_option("--leaves", s.leaves, "to begin with")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--level", s.level, "the finest")->check(CLI::Range(1, 20))->capture_default_str();
  app.add_option("--frames", s.frames)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--repeats", s.repeats, "of which the median counts")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_flag("--json", s.json, "a JSON object per case");
  if (const auto code = parse(app, argc, argv)) return *code;
  if (fs::exists(s.folder)) throw InputError("'{}' is there already", s.folder);
  fmt::print(stderr, "octavo {} ({}, {})\n", build_info().version, build_info().march,
             build_info().compiler);
  const fs::path begun = fs::path(s.folder) / "begun";
  const int frame = prepare(s, begun);
  measure(s, "volumes", begun, frame, {});
  measure(s, "volumes and grids", begun, frame,
          {R"(output.grid=["density", "temperature", "velocity"])"});
  fs::remove_all(s.folder);
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("output", [=] { return octavo::bench::run(argc, argv); });
}
