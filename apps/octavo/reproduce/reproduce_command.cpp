#include "reproduce_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>

#include "hydrostatic.h"
#include "losasso_table.h"
#include "octavo/base/error.h"
#include "surface_tests.h"
#include "taylor_green.h"
#include "view_table.h"

namespace octavo {
namespace {

struct Test {
  const char* name;
  const char* shows;
  bool takes_levels, takes_plot, takes_frames, takes_tracker;
  void (*run)(const ReproduceOptions&);
};

constexpr std::array<Test, 7> tests{{
    {"losasso-table-1", "accuracy of the pressure on an unrestricted octree", true, false, false,
     false, run_losasso_table},
    {"hydrostatic", "what one projection does to still water, which should stay still", false,
     false, false, false, run_hydrostatic},
    {"taylor-green", "what advection leaves of vortices that should turn for ever", false, true,
     false, false, run_taylor_green},
    {"bunlutangtum-table-1", "what it gains that thresholds rise with the distance from the camera",
     false, true, true, false, run_view_table},
    {"view-dependence", "what it gains to leave out what the camera cannot see", false, false, true,
     false, run_view_shots},
    {"enright", "what a surface tracker loses of a sphere drawn out into a film and back", false,
     false, false, true, run_enright},
    {"zalesak", "what a surface tracker makes of a disk with a slot that turns round once", false,
     false, false, true, run_zalesak},
}};

std::string test_names() {
  std::string names;
  for (const Test& test : tests) names += (names.empty() ? "" : ", ") + std::string(test.name);
  return names;
}

const Test& test_named(const std::string& name) {
  for (const Test& test : tests)
    if (test.name == name) return test;
  if (name.empty()) throw InputError("reproduce needs the name of a test: {}", test_names());
  throw InputError("there is no test '{}' to reproduce; there are: {}", name, test_names());
}

}  // namespace

void add_reproduce_options(CLI::App& command, ReproduceOptions& o) {
  std::string list = "Tests:\n";
  for (const Test& test : tests) list += fmt::format("  {:<26}{}\n", test.name, test.shows);
  command.footer(list);
  command.add_option("name", o.name, "What to reproduce; see below")->option_text("NAME");
  command
      .add_option("--levels", o.levels,
                  fmt::format("losasso-table-1: how often every cell is halved; default {}",
                              default_table_levels))
      ->check(CLI::Range(1, most_table_levels));
  command
      .add_option("--frames", o.frames,
                  "bunlutangtum-table-1, view-dependence: so many instead of all of the shot")
      ->option_text("N")
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--plot", o.plot,
                  "taylor-green: draw the energy over time; bunlutangtum-table-1: figure 9; as SVG")
      ->option_text("FILE");
  command
      .add_option("--pictures", o.pictures,
                  "bunlutangtum-table-1, view-dependence: a folder for the pictures compared")
      ->option_text("DIR");
  command
      .add_option("--domain", o.domain,
                  "bunlutangtum-table-1, view-dependence: only this one, e.g. corridor")
      ->option_text("NAME");
  command
      .add_option("--set", o.set,
                  "bunlutangtum-table-1, view-dependence: change a key of the scenes, e.g. "
                  "camera.resolution=[320,200]")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option(
          "--resolution", o.resolution,
          "enright, zalesak: leaves along an edge of the box; default: several, one after the "
          "other")
      ->option_text("N")
      ->check(CLI::Range(8, 4096));
  command
      .add_option("--tracker", o.tracker,
                  "enright, zalesak: only this one: particle_level_set, losasso04, level_set")
      ->option_text("NAME");
  command
      .add_option("--particles", o.particles,
                  "enright, zalesak: so many in a leaf, or rules by name: adaptive, losasso04")
      ->option_text("N|NAME");
  command.add_flag("--json", o.json, "Print one JSON object on a line for each case");
}

int run_reproduce(const ReproduceOptions& options) {
  const Test& test = test_named(options.name);
  if (options.levels && !test.takes_levels) throw InputError("{} takes no --levels", test.name);
  if (options.frames && !test.takes_frames) throw InputError("{} takes no --frames", test.name);
  if (!options.pictures.empty() && !test.takes_frames)
    throw InputError("{} takes no --pictures", test.name);
  if (!options.domain.empty() && !test.takes_frames)
    throw InputError("{} takes no --domain", test.name);
  if (!options.set.empty() && !test.takes_frames) throw InputError("{} takes no --set", test.name);
  if (!options.plot.empty() && !test.takes_plot) throw InputError("{} takes no --plot", test.name);
  if (!test.takes_tracker &&
      (options.resolution || !options.tracker.empty() || !options.particles.empty()))
    throw InputError("{} takes no --resolution, --tracker or --particles", test.name);
  test.run(options);
  return 0;
}

}  // namespace octavo
