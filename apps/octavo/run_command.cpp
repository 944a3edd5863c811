#include "run_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "octavo/base/error.h"
#include "octavo/base/free_room.h"
#include "octavo/base/text.h"
#include "octavo/output/interrupt.h"
#include "octavo/run/run.h"
#include "words.h"

namespace octavo {
namespace {

BranchPoint branch_point(const std::string& text) {
  const auto at = text.rfind('@');
  const auto frame =
      at == std::string::npos ? std::nullopt : whole_number(std::string_view(text).substr(at + 1));
  if (!frame || at == 0)
    throw InputError("--from takes a run folder and a frame, like runs/plume@40, not '{}'", text);
  return {text.substr(0, at), *frame};
}

// It is the same command, from where it stopped.
std::string continuing_run(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--resume" || words[i] == "--overwrite") continue;
    if (words[i] == "--from" && ++i < words.size()) continue;
    if (words[i].starts_with("--from=")) continue;
    kept.push_back(words[i]);
  }
  kept.emplace_back("--resume");
  return command_text(kept);
}

}  // namespace

void add_scene_options(CLI::App& command, std::string& scene, std::vector<std::string>& set,
                       std::string& frames) {
  command.add_option("scene", scene, "A scene file; `octavo help scene` says what is in it")
      ->option_text("SCENE.toml")
      ->required();
  command.add_option("--set", set, "Change a key of the scene, e.g. grid.max_level=7")
      ->option_text("KEY=VALUE ...")
      ->allow_extra_args(false);
  command.add_option("--frames", frames, "First and last frame; 120 is 1:120")
      ->option_text("1:120");
}

std::vector<std::string> overrides_of(const std::vector<std::string>& set,
                                      const std::string& frames) {
  std::vector<std::string> overrides = set;
  if (const auto range = frame_range(frames))
    overrides.push_back(fmt::format("output.frames=[{}, {}]", (*range)[0], (*range)[1]));
  return overrides;
}

void add_limit_option(CLI::App& command, bool& ignore_limits) {
  command.add_flag("--ignore-limits", ignore_limits,
                   "Go on although there is not enough memory or disk space");
}

// It warns of what is no mistake, but hardly meant.
void print_warnings(const SceneFile& file) {
  std::visit(
      [](const auto& scene) {
        if (scene.source.empty() && scene.initial.empty())
          fmt::print(stderr,
                     "octavo: warning: there is no [[source]] and no [[initial]]: no smoke\n");
      },
      file.scene);
}

void add_run_options(CLI::App& command, RunCommand& o) {
  add_scene_options(command, o.scene, o.set, o.frames);
  command
      .add_option("-o,--output", o.output, "Folder of the run; default: runs/ and the scene's name")
      ->option_text("DIR");
  command.add_flag("--resume", o.resume, "Continue from the last checkpoint in the folder");
  command.add_flag("--force", o.force, "Continue although the scene has changed");
  command.add_flag("--overwrite", o.overwrite, "Replace an earlier run in the folder");
  command.add_option("--from", o.from, "Begin with a checkpoint of another run")
      ->option_text("DIR@FRAME");
  command
      .add_option("--grid-names", o.grid_names, "Names of fields in volumes: houdini or blender")
      ->check(CLI::IsMember({"houdini", "blender"}));
  command
      .add_option("--explain-refinement", o.explain,
                  "Show why the octree of a frame is as it is: a table and a picture in image/")
      ->option_text("FRAME")
      ->check(CLI::NonNegativeNumber);
  add_limit_option(command, o.ignore_limits);
  command.add_flag("--json", o.json, "Print the log, one JSON object on a line");
  command.add_flag("--quiet", o.quiet, "Print nothing but warnings and errors");
}

int run_run(const RunCommand& o, const std::vector<std::string>& words) {
  std::vector<std::string> overrides = overrides_of(o.set, o.frames);
  if (!o.grid_names.empty()) overrides.push_back("output.grid_names=" + o.grid_names);
  if (o.resume && o.overwrite)
    throw InputError("--resume continues a run and --overwrite replaces it: only one of them");
  if (o.resume && !o.from.empty())
    throw InputError("--resume and --from both say where to begin: only one of them");
  const SceneFile scene = read_scene(o.scene, overrides);
  RunOptions options;
  options.folder = o.output.empty() ? "runs/" + scene.name : o.output;
  options.resume = o.resume;
  options.force = o.force;
  options.overwrite = o.overwrite;
  if (!o.from.empty()) options.from = branch_point(o.from);
  options.explain = o.explain;
  options.progress = progress_kind(o.json, o.quiet);
  options.command = continuing_run(words);
  print_warnings(scene);
  if (o.ignore_limits) ignore_limits();
  catch_interrupts();
  return run_scene(scene, options) == RunOutcome::done ? 0 : 3;
}

}  // namespace octavo
