#include "reproduce_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>

#include "hydrostatic.h"
#include "losasso_table.h"
#include "octavo/base/error.h"
#include "surface_tests.h"
#include "tank.h"
#include "taylor_green.h"
#include "view_table.h"

namespace octavo {
namespace {

// A test takes some of these options, beside --json.
enum Takes : unsigned {
  nothing = 0,
  levels = 1,
  plot = 2,
  shot = 4,  // --frames, --pictures, --domain, --set
  resolution = 8,
  tracker = 16  // --tracker, --particles
};

struct Test {
  const char* name;
  const char* shows;
  unsigned takes;
  void (*run)(const ReproduceOptions&);
};

constexpr std::array<Test, 8> tests{{
    {"losasso-table-1", "accuracy of the pressure on an unrestricted octree", levels,
     run_losasso_table},
    {"hydrostatic", "what one projection does to still water, which should stay still", nothing,
     run_hydrostatic},
    {"taylor-green", "what advection leaves of vortices that should turn for ever", plot,
     run_taylor_green},
    {"bunlutangtum-table-1", "what it gains that thresholds rise with the distance from the camera",
     plot | shot, run_view_table},
    {"view-dependence", "what it gains to leave out what the camera cannot see", shot,
     run_view_shots},
    {"tank", "still water, tilted, under surfaces that cross changes of size", resolution,
     run_tank},
    {"enright", "what a surface tracker loses of a sphere drawn out into a film and back",
     resolution | tracker, run_enright},
    {"zalesak", "what a surface tracker makes of a disk with a slot that turns round once",
     resolution | tracker, run_zalesak},
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
      .add_option("--resolution", o.resolution,
                  "tank, enright, zalesak: the finest leaves along an edge of the box; for tank a "
                  "power of two; several, one after the other, if not given, for tank 64")
      ->option_text("N")
      ->check(CLI::Range(1, 4096));
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
  auto refuse = [&](bool given, Takes option, const char* name) {
    if (given && (test.takes & option) == 0) throw InputError("{} takes no {}", test.name, name);
  };
  refuse(options.levels.has_value(), levels, "--levels");
  refuse(options.resolution.has_value(), resolution, "--resolution");
  refuse(options.frames.has_value(), shot, "--frames");
  refuse(!options.pictures.empty(), shot, "--pictures");
  refuse(!options.domain.empty(), shot, "--domain");
  refuse(!options.set.empty(), shot, "--set");
  refuse(!options.plot.empty(), plot, "--plot");
  refuse(!options.tracker.empty(), tracker, "--tracker");
  refuse(!options.particles.empty(), tracker, "--particles");
  test.run(options);
  return 0;
}

}  // namespace octavo
