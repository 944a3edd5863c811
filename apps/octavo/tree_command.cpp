#include "tree_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "octavo/draw/slice.h"
#include "octavo/io/files.h"
#include "octavo/io/htg.h"
#include "octavo/io/png.h"
#include "octavo/output/interrupt.h"
#include "tree_report.h"
#include "tree_subject.h"
#include "words.h"

namespace octavo {
namespace {

template <int Dim>
class TreeRun {
 public:
  TreeRun(const TreeOptions& options, const Vec<Dim, int>& roots)
      : options_(options), subject_(make_subject<Dim>(options, roots)) {
    slice_.axis = axis_of(options.axis);
    slice_.size = options.pixels;
    slice_.min_level = options.min_level;
    slice_.max_level = options.max_level;
    slice_.position = options.position;
  }

  int run() {
    check_slice();
    Stopwatch watch;
    auto tree = build_tree(subject_, options_);
    seconds_.tree = watch.seconds();
    watch = Stopwatch();
    Grid<Dim> grid(std::move(tree));
    seconds_.mesh = watch.seconds();
    if (options_.validate) check(grid);
    if (!interrupted()) make_folder(options_.output);

    FieldSet<Dim> no_fields;
    AdaptOptions adapt_options;
    adapt_options.grading = options_.grading;
    for (int frame = 0; frame < options_.frames && !interrupted(); ++frame) {
      if (frame > 0) {
        const auto offset = offset_at(options_, subject_.domain, frame);
        const auto criterion = criterion_at(subject_, options_, options_.max_level, offset);
        seconds_.adapt += adapt(grid, no_fields, criterion, adapt_options).seconds;
      }
      write_picture(grid, frame);
      progress(grid, frame);
    }
    if (interrupted()) {
      fmt::print(stderr, "octavo: interrupted; {} of {} frames are written\n", files_.size(),
                 options_.frames);
      return 3;
    }
    write_grid(grid);
    if (options_.json)
      fmt::print("{}\n", json_report(grid, options_, seconds_, files_)
                             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    else if (!options_.quiet)
      print_report(grid, options_, seconds_, files_);
    return 0;
  }

 private:
  // Draws a few pixels of an unrefined tree, so that a wrong slice is noticed before anything is done.
  void check_slice() const {
    SliceOptions small = slice_;
    small.size = 16;
    draw_slice(Octree<Dim>(subject_.domain).view(), small);
  }

  void write_picture(const Grid<Dim>& grid, int frame) {
    const Stopwatch watch;
    const std::string name =
        options_.frames == 1 ? "slice.png" : fmt::format("slice.{:04}.png", frame + 1);
    const auto path = std::filesystem::path(options_.output) / name;
    write_png(path, draw_slice(grid.tree().view(), slice_));
    files_.push_back(path.string());
    seconds_.files += watch.seconds();
  }

  void write_grid(const Grid<Dim>& grid) {
    const Stopwatch watch;
    const auto path = std::filesystem::path(options_.output) / "tree.htg";
    write_htg(path, grid.tree());
    files_.push_back(path.string());
    seconds_.files += watch.seconds();
  }

  void progress(const Grid<Dim>& grid, int frame) const {
    if (options_.frames == 1 || options_.quiet || options_.json) return;
    fmt::print(stderr, "frame {} of {}: {} leaves\n", frame + 1, options_.frames,
               grid.tree().leaf_count());
  }

  void check(const Grid<Dim>& grid) {
    const Stopwatch watch;
    const std::string wrong = grid.tree().validate() + grid.mesh().validate();
    if (!wrong.empty()) throw InvariantError(wrong);
    if (!options_.quiet && !options_.json)
      fmt::print("the octree and its mesh are valid (checked in {:.3f} s)\n", watch.seconds());
  }

  TreeOptions options_;
  Subject<Dim> subject_;
  SliceOptions slice_;
  Seconds seconds_;
  std::vector<std::string> files_;
};

template <int Dim>
int run_in(const TreeOptions& options) {
  Vec<Dim, int> roots = Vec<Dim, int>::filled(1);
  if (!options.roots.empty()) {
    if (options.roots.size() != Dim)
      throw InputError("--roots takes {} numbers, not {}", Dim, options.roots.size());
    for (int a = 0; a < Dim; ++a) roots[a] = options.roots[static_cast<std::size_t>(a)];
  }
  return TreeRun<Dim>(options, roots).run();
}

}  // namespace

void add_tree_options(CLI::App& command, TreeOptions& o) {
  command
      .add_option("--shape", o.shape,
                  "sphere, box, torus, or a file of triangles (obj, ply, stl, ...)")
      ->capture_default_str();
  command.add_option("--dim", o.dim, "2 or 3 dimensions")
      ->check(CLI::IsMember({2, 3}))
      ->capture_default_str();
  command.add_option("--roots", o.roots, "Root cells along each axis, e.g. 8,5,3; default: one")
      ->delimiter(',')
      ->check(CLI::Range(1, 32768));
  command.add_option("--min-level", o.min_level, "Level of the coarsest leaves")
      ->check(CLI::Range(0, max_level))
      ->capture_default_str();
  command.add_option("--max-level", o.max_level, "Level of the leaves at the surface")
      ->check(CLI::Range(0, max_level))
      ->capture_default_str();
  command
      .add_option(
          "--grading", o.grading,
          "Largest difference in level of leaves that touch; 0: any, the tree is unrestricted")
      ->check(CLI::Range(0, max_level))
      ->capture_default_str();
  command.add_option("--band", o.band, "Cells of the finest level on each side of the surface")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  command
      .add_option("--frames", o.frames, "More than one: the shape moves and the tree follows it")
      ->check(CLI::Range(1, 9999))
      ->capture_default_str();
  command.add_option("--axis", o.axis, "Axis across which the picture cuts: x, y or z")
      ->check(CLI::IsMember({"x", "y", "z"}))
      ->capture_default_str();
  command.add_option("--at", o.position,
                     "Where the picture cuts, m; default: the middle of the box");
  command.add_option("--pixels", o.pixels, "Longer side of the picture")
      ->check(CLI::Range(16, 16384))
      ->capture_default_str();
  command.add_option("-o,--output", o.output, "Folder for slice.png and tree.htg")
      ->capture_default_str();
  command.add_flag("--validate", o.validate, "Check every rule of the octree and the mesh");
  command.add_flag("--timers", o.timers, "Say how long each loop took");
  command.add_flag("--json", o.json, "Print the report as one JSON object");
  command.add_flag("--quiet", o.quiet, "Print nothing but errors");
}

int run_tree(const TreeOptions& options) {
  if (options.min_level > options.max_level)
    throw InputError("--min-level {} is above --max-level {}", options.min_level,
                     options.max_level);
  if (!std::isfinite(options.band))
    throw InputError("--band must be a number, not {}", options.band);
  if (options.dim == 2 && options.position)
    throw InputError("--at is for three dimensions; a quadtree is drawn whole");
  catch_interrupts();
  return options.dim == 2 ? run_in<2>(options) : run_in<3>(options);
}

}  // namespace octavo
