#include "plot_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "octavo/base/error.h"
#include "octavo/draw/montage.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/png.h"
#include "octavo/pictures/log_plots.h"
#include "words.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// These are the runs of which there is something to draw.
std::vector<RunHistory> histories_of(const PlotCommand& o) {
  const std::vector<std::string> labels = labels_of(o.folders, o.names);
  std::vector<RunHistory> runs;
  std::vector<std::string> empty;
  for (std::size_t i = 0; i < o.folders.size(); ++i) {
    RunHistory run = read_history(o.folders[i]);
    run.name = labels[i];
    if (log_plots({run}).empty())
      empty.push_back(o.folders[i]);
    else
      runs.push_back(std::move(run));
  }
  if (runs.empty())
    throw InputError("there is nothing to plot yet: no step in '{}' is done",
                     fmt::join(empty, "', '"));
  for (const std::string& folder : empty)
    fmt::print(stderr, "octavo: no step in '{}' is done yet: it is not drawn\n", folder);
  return runs;
}

// It writes a file for each plot.
std::vector<std::string> write_each(const std::vector<LogPlot>& plots, const fs::path& folder,
                                    bool as_svg) {
  make_folder(folder);
  std::vector<std::string> files;
  for (const LogPlot& p : plots) {
    const fs::path path = folder / (p.name + (as_svg ? ".svg" : ".png"));
    if (as_svg)
      write_file(path, svg(p.plot));
    else
      write_png(path, drawn(p.plot));
    files.push_back(path.string());
  }
  return files;
}

// It puts all of them on one picture.
std::vector<std::string> write_sheet(const std::vector<LogPlot>& plots, const fs::path& path) {
  std::vector<Image> images;
  for (const LogPlot& p : plots) images.push_back(drawn(p.plot));
  const SheetOptions both{.columns = std::min(2, static_cast<int>(images.size())), .width = 2640};
  if (path.has_parent_path()) make_folder(path.parent_path());
  write_png(path, sheet(images, {}, both));
  return {path.string()};
}

}  // namespace

void add_plot_options(CLI::App& command, PlotCommand& o) {
  command.add_option("folder", o.folders, "Folders of runs; several are drawn into the same plots")
      ->option_text("DIR ...")
      ->required();
  command
      .add_option("-o,--output", o.output,
                  "Folder for the plots, or a .png file for all of them; default: DIR/plot, for "
                  "several runs: plot")
      ->option_text("DIR|FILE.png");
  command
      .add_option("--name", o.names,
                  "What a run is called in the plots, once for each; default: its folder's name")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  command.add_flag("--svg", o.svg, "Write SVG files");
  command.add_flag("--png", o.png, "Write PNG files, which is the default");
  command.add_flag("--json", o.json, "Print one JSON object");
}

int run_plot(const PlotCommand& o) {
  if (o.svg && o.png) throw InputError("--svg and --png: only one of them");
  const fs::path ending = fs::path(o.output).extension();
  if (ending == ".svg" || (ending == ".png" && o.svg))
    throw InputError("there are several plots, and an SVG file has one: --output takes a folder");
  const std::vector<LogPlot> plots = log_plots(histories_of(o));
  fs::path target = o.output;
  if (o.output.empty())
    target = o.folders.size() == 1 ? fs::path(o.folders.front()) / "plot" : "plot";
  const auto files =
      ending == ".png" ? write_sheet(plots, target) : write_each(plots, target, o.svg);
  if (o.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"runs", o.folders}, {"files", files}}.dump(
                           -1, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    for (const std::string& file : files) fmt::print("wrote {}\n", file);
  return 0;
}

}  // namespace octavo
