// The command line becomes structs, and errors become sentences and exit codes.
//
// The exit codes are 0 done, 1 failed, 2 bad input, 3 interrupted.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "check_command.h"
#include "compare_command.h"
#include "help_command.h"
#include "info_command.h"
#include "octavo/base/build_info.h"
#include "octavo/base/parallel.h"
#include "octavo/base/text.h"
#include "octavo/scene/problems.h"
#include "plot_command.h"
#include "render_command.h"
#include "reproduce/reproduce_command.h"
#include "run_command.h"
#include "slice_command.h"
#include "tree_command.h"

namespace {

// It says what is wrong with the words of a command line, in one sentence.
std::string parse_error_text(const CLI::App* app, const CLI::Error& error) {
  const auto parsed = app->get_subcommands();
  const CLI::App* command = parsed.empty() ? app : parsed.front();
  const std::string name = parsed.empty() ? "octavo" : "octavo " + command->get_name();
  std::string text = error.what();
  const std::vector<std::string> unknown = app->remaining(true);
  const auto option = std::find_if(unknown.begin(), unknown.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (option != unknown.end()) {
    std::vector<std::string> names;
    for (const CLI::App* a : {command, app})
      for (const CLI::Option* o : a->get_options())
        for (const std::string& long_name : o->get_lnames()) names.push_back("--" + long_name);
    text = fmt::format("there is no option '{}'{}", *option, octavo::did_you_mean(*option, names));
  } else if (!unknown.empty()) {
    text = fmt::format("'{}' is one word too many", unknown.front());
  }
  return fmt::format("{}: {}{} {} --help\n", name, octavo::printable(text),
                     text.back() == '?' ? " See" : "; see", name);
}

int run_program(int argc, char** argv) {
  using namespace octavo;
  CLI::App app("Octavo simulates smoke and water on octrees.", "octavo");
  app.failure_message(parse_error_text);
  app.set_version_flag("--version", fmt::format("octavo {} ({} build, {})", build_info().version,
                                                build_info().march, build_info().compiler));
  app.require_subcommand(1);
  app.fallthrough();
  int thread_count = 0;
  app.add_option("--threads", thread_count, "Number of threads; 0 takes all the machine has")
      ->capture_default_str();

  RunCommand run;
  CLI::App* run_command = app.add_subcommand("run", "Simulate a scene");
  add_run_options(*run_command, run);
  CheckCommand check;
  CLI::App* check_command =
      app.add_subcommand("check", "Look for mistakes in a scene and predict what it needs");
  add_check_options(*check_command, check);
  RenderCommand render;
  CLI::App* render_command =
      app.add_subcommand("render", "Make pictures and a movie of a run, or of one file");
  add_render_options(*render_command, render);
  InfoCommand info;
  CLI::App* info_command = app.add_subcommand("info", "Say what is in a file or a run folder");
  add_info_options(*info_command, info);
  SliceCommand slice;
  CLI::App* slice_command =
      app.add_subcommand("slice", "Draw the leaves of a grid, a checkpoint or a run");
  add_slice_options(*slice_command, slice);
  PlotCommand plot;
  CLI::App* plot_command =
      app.add_subcommand("plot", "Plot what the log of a run says, or compare several");
  add_plot_options(*plot_command, plot);
  CompareCommand compare;
  CLI::App* compare_command =
      app.add_subcommand("compare", "Say and show how much the pictures of two runs differ");
  add_compare_options(*compare_command, compare);
  TreeOptions tree;
  CLI::App* tree_command =
      app.add_subcommand("tree", "Build an octree around a shape and look at it");
  add_tree_options(*tree_command, tree);
  ReproduceOptions reproduce;
  CLI::App* reproduce_command =
      app.add_subcommand("reproduce", "Run a known test and print its figures");
  add_reproduce_options(*reproduce_command, reproduce);
  HelpCommand help;
  CLI::App* help_command =
      app.add_subcommand("help", "Explain scene files or a command: octavo help scene");
  add_help_options(*help_command, help);

  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& e) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty())
      throw InputError("there is no command '{}'; see octavo --help", argv[1]);
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;  // --help and --version end here, too
  }
  set_threads(thread_count);
  if (run_command->parsed()) return run_run(run, {argv, argv + argc});
  if (check_command->parsed()) return run_check(check);
  if (render_command->parsed()) return run_render(render, {argv, argv + argc});
  if (info_command->parsed()) return run_info(info);
  if (slice_command->parsed()) return run_slice(slice);
  if (plot_command->parsed()) return run_plot(plot);
  if (compare_command->parsed()) return run_compare(compare);
  if (tree_command->parsed()) return run_tree(tree);
  if (reproduce_command->parsed()) return run_reproduce(reproduce);
  OCTAVO_CHECK(help_command->parsed());
  return run_help(help, app);
}

// Descriptors that are closed would become those of the next files that are opened, and what is printed would
// go into them.
void open_standard_streams() {
  int descriptor = 0;
  while (descriptor >= 0 && descriptor <= 2) descriptor = open("/dev/null", O_RDWR);
  if (descriptor > 2) close(descriptor);
}

// `text` is as it can be printed. Where nobody can read it, nothing is to be done about it.
int failed(int code, const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using octavo::printable;
  open_standard_streams();
  std::signal(SIGCHLD, SIG_DFL);  // whoever ignores it may have started this program
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is one that cannot be written
  try {
    const int code = run_program(argc, argv);
    // A report that nobody could read is not done.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw std::runtime_error("standard output cannot be written to");
    return code;
  } catch (const octavo::PlacedSceneError& e) {
    return failed(2, octavo::printable_lines(e.what()));
  } catch (const octavo::InputError& e) {
    return failed(2, fmt::format("octavo: {}", printable(e.what())));
  } catch (const std::bad_alloc&) {
    return failed(1, "octavo: there is not enough memory");
  } catch (const std::exception& e) {
    return failed(1, fmt::format("octavo: {}", printable(e.what())));
  }
}
