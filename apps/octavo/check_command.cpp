#include "check_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "octavo/base/free_room.h"
#include "octavo/base/parallel.h"
#include "octavo/output/frame_files.h"
#include "octavo/output/interrupt.h"
#include "octavo/output/progress.h"
#include "octavo/run/prediction.h"
#include "octavo/run/run_limits.h"
#include "octavo/scene/build.h"
#include "run_command.h"

namespace octavo {
namespace {

// It says what the scene is, in a line.
template <int Dim>
std::string summary(const Scene<Dim>& scene) {
  const Domain<Dim> domain = domain_of(scene);
  std::string size, cells;
  for (int a = 0; a < Dim; ++a) {
    size += fmt::format("{}{}", a == 0 ? "" : " x ", scene.domain.size[a]);
    cells +=
        fmt::format("{}{}", a == 0 ? "" : " x ",
                    static_cast<double>(domain.roots[a]) * std::pow(2.0, scene.grid.max_level));
  }
  return fmt::format("box of {} m, finest level {}: effective {}; frames {} to {}", size,
                     scene.grid.max_level, cells, scene.output.frames[0], scene.output.frames[1]);
}

// It names the pictures that are made while it runs, in a line; it is empty if there are none.
std::string picture_summary(const OutputScene& output, const CameraScene& camera) {
  if (output.picture.empty()) return "";
  int frames = 0;
  for (int frame = output.frames[0]; frame <= output.frames[1]; ++frame)
    frames += is_written(output, frame) ? 1 : 0;
  return fmt::format("pictures of {} in {} frame{}, {} x {} pixels\n",
                     fmt::join(output.picture, ", "), frames, frames == 1 ? "" : "s",
                     camera.resolution[0], camera.resolution[1]);
}

void print_json(const CheckCommand& o, const Prediction& p) {
  fmt::print("{}\n", nlohmann::ordered_json{{"scene", o.scene},
                                            {"threads", threads()},
                                            {"trial_level", p.trial_level},
                                            {"trial_frames", p.trial_frames},
                                            {"trial_seconds", p.trial_seconds},
                                            {"leaves", p.leaves},
                                            {"leaf_steps", p.leaf_steps},
                                            {"bytes", p.bytes},
                                            {"disk_bytes", p.disk_bytes},
                                            {"seconds", p.seconds},
                                            {"picture_seconds", p.picture_seconds}}
                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const Prediction& p) {
  fmt::print(
      "predicted from {} frames of a trial with finest level {} ({:.1f} s):\n"
      "  leaves   up to about {}\n  memory   about {}\n  disk     about {}\n"
      "  time     about {} with {} threads\n",
      p.trial_frames, p.trial_level, p.trial_seconds, short_count(p.leaves), bytes_text(p.bytes),
      bytes_text(p.disk_bytes), clock_text(p.seconds), threads());
  if (p.picture_seconds > 0)
    fmt::print("           about {} of it for pictures\n", clock_text(p.picture_seconds));
}

// The room is asked for where the run would be if it were started here. This comes after what there is to say
// about the scene.
void require_room_for_run(const SceneFile& file, const std::string& who, const Room& needs) {
  std::fflush(stdout);
  require_room(who, needs, room_for("runs/" + file.name));
}

}  // namespace

void add_check_options(CLI::App& command, CheckCommand& o) {
  add_scene_options(command, o.scene, o.set, o.frames);
  command
      .add_option("--seconds", o.seconds,
                  "For trials from which the run is predicted, of two cores; 0: none")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  add_limit_option(command, o.ignore_limits);
  command.add_flag("--json", o.json, "Print one JSON object");
}

int run_check(const CheckCommand& o) {
  const SceneFile file = read_scene(o.scene, overrides_of(o.set, o.frames));
  if (o.ignore_limits) ignore_limits();
  const std::string what = std::visit(
      [](const auto& s) { return summary(s) + "\n" + picture_summary(s.output, s.camera); },
      file.scene);
  if (!o.json) fmt::print("{}: no mistakes\n{}", o.scene, what);
  print_warnings(file);
  if (o.seconds <= 0) {
    require_room_for_run(file, "the run needs at least", {least_memory(file), 0});
    return 0;
  }
  std::fflush(stdout);
  catch_interrupts();
  const Prediction p = predict(file, o.seconds);
  if (interrupted()) return 3;
  o.json ? print_json(o, p) : print_text(p);
  require_room_for_run(file, "the run needs about", {p.bytes, p.disk_bytes});
  return 0;
}

}  // namespace octavo
