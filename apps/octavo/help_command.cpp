#include "help_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "octavo/base/error.h"
#include "octavo/scene/reference.h"

namespace octavo {

void add_help_options(CLI::App& command, HelpCommand& o) {
  command.add_option("topic", o.topic, "scene, or a command")->option_text("TOPIC");
  command.add_option("table", o.table, "A table of scene files, e.g. source or shape")
      ->option_text("TABLE");
  command.add_flag("--markdown", o.markdown, "The whole scene reference, as a page");
}

int run_help(const HelpCommand& o, const CLI::App& app) {
  if (o.topic.empty()) {
    fmt::print("{}", app.help());
  } else if (o.topic == "scene") {
    fmt::print("{}",
               o.markdown ? scene_reference() : scene_help(o.table.empty() ? "scene" : o.table));
  } else {
    for (const CLI::App* command : app.get_subcommands({}))
      if (command->get_name() == o.topic) {
        fmt::print("{}", command->help());
        return 0;
      }
    throw InputError("there is no help about '{}'; see octavo --help and octavo help scene",
                     o.topic);
  }
  return 0;
}

}  // namespace octavo
