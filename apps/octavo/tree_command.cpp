#include "tree_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "octavo/adapt/adapt.h"
#include "octavo/base/build_info.h"
#include "octavo/io/htg.h"
#include "octavo/render/slice.h"
#include "octavo/shapes/implicit.h"
#include "octavo/shapes/mesh_distance.h"

namespace octavo {
namespace {

// Signal handlers can reach nothing but globals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interrupted = 0;

// The first Ctrl-C lets the frame finish; the second one ends the program.
void interrupt(int signal_number) {
  interrupted = 1;
  std::signal(signal_number, SIG_DFL);
}

// A shape in the box it is looked at in.
template <int Dim>
struct Subject {
  Domain<Dim> domain;
  std::function<bool(const Vec<Dim>& point, double radius)> near;  // is its surface within radius?
};

// A box of root cells around a given one, with a tenth of its largest extent as margin on each
// side.
template <int Dim>
Domain<Dim> domain_around(const Box<Dim>& box, const Vec<Dim, int>& roots) {
  Domain<Dim> domain;
  domain.roots = roots;
  domain.root_size = 0;
  for (int a = 0; a < Dim; ++a)
    domain.root_size = std::max(domain.root_size, 1.2 * box.size()[a] / roots[a]);
  domain.origin = box.center() - roots.template cast<double>() * (0.5 * domain.root_size);
  return domain;
}

template <int Dim, class Shape>
Subject<Dim> implicit_subject(const Domain<Dim>& domain, const Shape& shape) {
  return {domain, [shape](const Vec<Dim>& p, double r) { return std::abs(shape(p)) <= r; }};
}

template <int Dim>
Subject<Dim> make_subject(const TreeOptions& options, const Vec<Dim, int>& roots) {
  Domain<Dim> domain;  // the shortest side of the box is one metre
  domain.roots = roots;
  domain.root_size = 1.0 / *std::min_element(roots.v, roots.v + Dim);
  domain.check();
  const Vec<Dim> center = domain.box().center();
  if (options.shape == "sphere") return implicit_subject(domain, SphereShape<Dim>{center, 0.3});
  if (options.shape == "box")
    return implicit_subject(domain, BoxShape<Dim>{center, Vec<Dim>::filled(0.25)});
  if (options.shape == "torus") return implicit_subject(domain, TorusShape<Dim>{center, 0.3, 0.1});

  if constexpr (Dim == 3) {
    const auto mesh = std::make_shared<MeshDistance>(read_triangle_mesh(options.shape));
    return {domain_around(mesh->bounds(), roots),
            [mesh](const Vec3d& p, double r) { return mesh->within(p, r); }};
  } else {
    throw InputError("in two dimensions the shape is sphere, box or torus, not '{}'",
                     options.shape);
  }
}

// The shape goes round in a circle, once in all frames.
template <int Dim>
Vec<Dim> offset_at(const TreeOptions& options, const Domain<Dim>& domain, int frame) {
  Vec<Dim> offset{};
  if (options.frames == 1) return offset;
  const double angle = 2 * 3.14159265358979323846 * frame / options.frames;
  const double radius = 0.1 * domain.root_size * domain.roots[0];
  offset[0] = radius * std::cos(angle);
  offset[Dim - 1] = radius * std::sin(angle);
  return offset;
}

template <int Dim>
auto criterion_at(const Subject<Dim>& subject, const TreeOptions& options, int finest,
                  const Vec<Dim>& offset) {
  const double band = options.band * subject.domain.size(finest);
  auto near = [&subject, offset, band, finest](const Leaf<Dim>& leaf) {
    const double radius = std::sqrt(static_cast<double>(Dim)) * leaf.reach + band;
    return subject.near(leaf.center - offset, radius) ? finest : 0;
  };
  return clamp_level(near, options.min_level, finest);
}

std::size_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string word;
  while (info >> word)
    if (word == "MemAvailable:") {
      std::size_t kib = 0;
      info >> kib;
      return kib * 1024;
    }
  return std::size_t{1} << 62;
}

// Builds the tree level after level, so that one that would not fit is noticed while it is small:
// the number of leaves grows from level to level as it did from the last one to this.
template <int Dim>
Octree<Dim> build_tree(const Subject<Dim>& subject, const TreeOptions& options) {
  constexpr double bytes_per_leaf =
      Dim == 2 ? 130 : 220;  // octree, mesh and what making them takes
  const auto available = static_cast<double>(available_memory());
  const Vec<Dim> offset = offset_at(options, subject.domain, 0);
  double before = 0;
  for (int finest = std::min(options.min_level, options.max_level);; ++finest) {
    const auto criterion = criterion_at(subject, options, finest, offset);
    auto tree = Octree<Dim>::build(subject.domain,
                                   [&](const Leaf<Dim>& l) { return criterion(l) > l.level; });
    if (options.grading > 0) grade(tree, options.grading);
    if (finest == options.max_level) return tree;
    const auto now = static_cast<double>(tree.leaf_count());
    const double growth = before > 0 ? std::max(1.0, now / before) : 1.0;
    for (int level = finest + 1; level <= options.max_level; ++level) {
      const double leaves = now * std::pow(growth, level - finest);
      if (leaves * bytes_per_leaf > available)
        throw InputError(
            "a tree of level {} would have about {:.2g} leaves and need {:.0f} GiB; {:.1f} GiB are "
            "free. Choose a smaller --max-level: {} fits",
            options.max_level, now * std::pow(growth, options.max_level - finest),
            now * std::pow(growth, options.max_level - finest) * bytes_per_leaf / (1 << 30),
            available / (1 << 30), level - 1);
    }
    before = now;
  }
}

struct Seconds {
  double tree = 0, mesh = 0, adapt = 0, files = 0, validate = 0;
};

template <int Dim>
nlohmann::ordered_json report(const Grid<Dim>& grid, const TreeOptions& options,
                              const Seconds& seconds, const std::vector<std::string>& files) {
  const auto& mesh = grid.mesh();
  return {{"version", build_info().version},
          {"march", build_info().march},
          {"compiler", build_info().compiler},
          {"threads", threads()},
          {"shape", options.shape},
          {"dim", Dim},
          {"deepest_level", grid.tree().deepest_level()},
          {"largest_jump", largest_jump(grid.tree())},
          {"leaves", mesh.leaf_count()},
          {"faces", mesh.face_count()},
          {"nodes", mesh.node_count()},
          {"hanging_nodes", mesh.hanging_count()},
          {"octree_bytes", grid.tree().bytes()},
          {"mesh_bytes", mesh.bytes()},
          {"tree_seconds", seconds.tree},
          {"mesh_seconds", seconds.mesh},
          {"adapt_seconds", seconds.adapt},
          {"file_seconds", seconds.files},
          {"files", files}};
}

template <int Dim>
void print_report(const Grid<Dim>& grid, const TreeOptions& options, const Seconds& seconds,
                  const std::vector<std::string>& files) {
  const auto& mesh = grid.mesh();
  const auto n = static_cast<double>(mesh.leaf_count());
  const Vec<Dim> size = grid.tree().domain().box().size();
  const int deepest = grid.tree().deepest_level();
  std::string box, effective;
  double dense = 1;
  for (int a = 0; a < Dim; ++a) {
    const double cells = std::ldexp(grid.tree().domain().roots[a], deepest);
    box += fmt::format("{}{:.4g}", a == 0 ? "" : " x ", size[a]);
    effective += fmt::format("{}{:.0f}", a == 0 ? "" : " x ", cells);
    dense *= cells;
  }
  fmt::print("octavo {}, {} build ({}), {} threads\n", build_info().version, build_info().march,
             build_info().compiler, threads());
  fmt::print("{} in a box of {} m, finest level {}: effective {}\n", options.shape, box, deepest,
             effective);
  fmt::print("  leaves  {:>12}   {:.3g} times fewer than the uniform grid\n", mesh.leaf_count(),
             dense / n);
  fmt::print("  faces   {:>12}\n", mesh.face_count());
  fmt::print("  nodes   {:>12}   {} of them hanging; largest jump {} levels\n", mesh.node_count(),
             mesh.hanging_count(), largest_jump(grid.tree()));
  fmt::print("  bytes   {:>12}   {:.0f} per leaf for the octree, {:.0f} for the mesh\n",
             grid.bytes(), static_cast<double>(grid.tree().bytes()) / n,
             static_cast<double>(mesh.bytes()) / n);
  fmt::print("  seconds {:>12.4f}   octree; mesh {:.4f}; files {:.3f}{}\n", seconds.tree,
             seconds.mesh, seconds.files,
             options.frames > 1
                 ? fmt::format("; adapt {:.4f} a frame", seconds.adapt / (options.frames - 1))
                 : "");
  if (options.timers)
    for (const TimerRow& row : timer_report())
      fmt::print("  {:<26} {:>8} calls {:>10.4f} s\n", row.label, row.calls, row.seconds);
  if (options.frames > 1)
    fmt::print("wrote {} to {}\n", files.front(), files[files.size() - 2]);
  else
    fmt::print("wrote {}\n", files.front());
  fmt::print("wrote {}\n", files.back());
}

int axis_of(const std::string& name) { return name == "x" ? 0 : name == "y" ? 1 : 2; }

template <int Dim>
class TreeRun {
 public:
  TreeRun(const TreeOptions& options, const Vec<Dim, int>& roots)
      : options_(options), subject_(make_subject<Dim>(options, roots)) {
    slice_.axis = axis_of(options.axis);
    slice_.size = options.pixels;
    slice_.min_level = options.min_level;
    slice_.max_level = options.max_level;
    if (options.position_given) slice_.position = options.position;
  }

  int run() {
    Stopwatch watch;
    auto tree = build_tree(subject_, options_);
    seconds_.tree = watch.seconds();
    draw_slice(tree.view(), small_slice());  // a wrong slice is noticed before anything is written
    watch = Stopwatch();
    Grid<Dim> grid(std::move(tree));
    seconds_.mesh = watch.seconds();
    std::filesystem::create_directories(options_.output);

    FieldSet<Dim> no_fields;
    AdaptOptions adapt_options;
    adapt_options.grading = options_.grading;
    for (int frame = 0; frame < options_.frames && interrupted == 0; ++frame) {
      if (frame > 0) {
        const auto offset = offset_at(options_, subject_.domain, frame);
        const auto criterion = criterion_at(subject_, options_, options_.max_level, offset);
        seconds_.adapt += adapt(grid, no_fields, criterion, adapt_options).seconds;
      }
      write_picture(grid, frame);
      progress(grid, frame);
    }
    if (interrupted != 0) {
      fmt::print(stderr, "octavo: interrupted after {} of {} frames, which are complete\n",
                 files_.size(), options_.frames);
      return 3;
    }
    write_grid(grid);
    if (options_.validate) check(grid);
    if (options_.json)
      fmt::print("{}\n", report(grid, options_, seconds_, files_).dump());
    else if (!options_.quiet)
      print_report(grid, options_, seconds_, files_);
    return 0;
  }

 private:
  SliceOptions small_slice() const {
    SliceOptions small = slice_;
    small.size = std::min(64, slice_.size);
    return small;
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
  command.add_option_function<double>(
      "--at",
      [&o](double x) {
        o.position = x;
        o.position_given = true;
      },
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
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  return options.dim == 2 ? run_in<2>(options) : run_in<3>(options);
}

}  // namespace octavo
