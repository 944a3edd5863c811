// Measures the octree and its mesh beside a dense uniform grid of as many cells, in the same run:
// tree build, mesh build, adapt + transfer, leaf at a point and nodal interpolation at points along
// the curve and in random order; on a tree refined at a sphere's shell and on one refined in a
// ball.
//
//   build/release/bench/mesh                    a table
//   build/release/bench/mesh --json             a JSON object per case, one a line
//   build/release/bench/mesh --leaves 1e5,1e6   other sizes

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "dense_grid.h"
#include "guarded.h"
#include "octavo/adapt/adapt.h"
#include "octavo/base/build_info.h"
#include "octavo/base/random.h"
#include "octavo/mesh/interpolate.h"

namespace octavo::bench {
namespace {

struct Settings {
  std::vector<double> leaves{1e5, 1e6, 1e7};
  int repeats = 5;
  int threads = 0;
  bool json = false;
};

// The shorter of two runs says more about the program; the longer one about the machine.
template <class F>
double best_time(int repeats, F&& f) {
  double best = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const Stopwatch watch;
    f();
    best = std::min(best, watch.seconds());
  }
  return best;
}

struct Row {
  std::string name;
  std::size_t leaves;
  double seconds, uniform_seconds, bytes_per_leaf;
};

void print(const Row& row, bool json) {
  if (json) {
    const nlohmann::ordered_json object = {{"case", row.name},
                                           {"leaves", row.leaves},
                                           {"threads", threads()},
                                           {"seconds", row.seconds},
                                           {"uniform_seconds", row.uniform_seconds},
                                           {"bytes_per_leaf", row.bytes_per_leaf}};
    fmt::print("{}\n", object.dump());
  } else {
    const double n = static_cast<double>(row.leaves);
    fmt::print(
        "{:<22} {:>9} {:>9.4f} s {:>7.1f} ns/leaf {:>8.2f} M/s {:>7.1f} ns uniform {:>6.2f}x "
        "{:>7.1f} B/leaf\n",
        row.name, row.leaves, row.seconds, row.seconds / n * 1e9, n / row.seconds * 1e-6,
        row.uniform_seconds / n * 1e9, row.seconds / row.uniform_seconds, row.bytes_per_leaf);
  }
  std::fflush(stdout);
}

// The two kinds of trees, as criteria with a size that sets the number of leaves.
struct Shell {
  static constexpr const char* name = "shell";
  double radius, shift = 0;
  int level;
  int operator()(const Leaf<3>& leaf) const {
    const Vec3d center{0.5 + shift, 0.5, 0.5};
    const double distance = std::abs(length(leaf.center - center) - radius);
    return distance <= std::sqrt(3.0) * leaf.reach ? level : 0;
  }
  static double growth() { return 2; }  // leaves ~ radius^2
};

struct Ball {
  static constexpr const char* name = "ball";
  double radius, shift = 0;
  int level;
  int operator()(const Leaf<3>& leaf) const {
    const Vec3d center{0.5 + shift, 0.5, 0.5};
    return length(leaf.center - center) - radius <= std::sqrt(3.0) * leaf.reach ? level : 0;
  }
  static double growth() { return 3; }
};

template <class Criterion>
Octree<3> build_tree(const Criterion& c) {
  return Octree<3>::build({}, [=](const Leaf<3>& leaf) { return c(leaf) > leaf.level; });
}

// The criterion whose tree has about as many leaves as asked for.
template <class Criterion>
Criterion sized(double leaves) {
  Criterion c{};
  c.radius = 0.4;
  for (c.level = 4; static_cast<double>(build_tree(c).leaf_count()) < leaves;) ++c.level;
  for (int i = 0; i < 3; ++i)
    c.radius *= std::pow(leaves / static_cast<double>(build_tree(c).leaf_count()), 1 / c.growth());
  return c;
}

// A random point in every leaf, along the curve.
Buffer<Vec3d> points_along_curve(const OctreeView<3>& tree) {
  Buffer<Vec3d> points(tree.leaf_count());
  const View<Vec3d> p = points.view();
  const Random random(1);
  parallel_for("points", p.size(), [=](std::size_t i) {
    const Vec3d c = tree.center(LeafId(i));
    for (int a = 0; a < 3; ++a)
      p[i][a] =
          c[a] + (random.uniform(i, static_cast<std::uint32_t>(a)) - 0.5) * tree.size(LeafId(i));
  });
  return points;
}

template <class Less>
Buffer<Vec3d> reordered(const Buffer<Vec3d>& points, Less&& less) {
  Buffer<std::uint32_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  parallel_sort("order points", order.view(), less);
  Buffer<Vec3d> result(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[i] = points[order[i]];
  return result;
}

template <class Criterion>
class Bench {
 public:
  Bench(const Settings& settings, double leaves)
      : settings_(settings),
        criterion_(sized<Criterion>(leaves)),
        tree_(build_tree(criterion_)),
        mesh_(tree_),
        dense_(static_cast<double>(tree_.leaf_count())) {}

  void run() {
    build();
    points();
    adaptation();
    validate();
  }

 private:
  void row(const char* operation, double seconds, double uniform_seconds, std::size_t bytes) {
    const std::size_t n = tree_.leaf_count();
    print({fmt::format("{}/{}", Criterion::name, operation), n, seconds, uniform_seconds,
           static_cast<double>(bytes) / static_cast<double>(n)},
          settings_.json);
  }

  void build() {
    const int repeats = settings_.repeats;
    Buffer<std::uint8_t> level(dense_.cells());
    const double tree = best_time(repeats, [&] { tree_ = build_tree(criterion_); });
    const double flags = best_time(repeats, [&] { mark_dense(level.view()); });
    row("tree_build", tree, flags, tree_.bytes());
    const double mesh = best_time(repeats, [&] { mesh_.build(tree_); });
    const double connectivity = best_time(repeats, [&] { dense_.build_connectivity(); });
    row("mesh_build", mesh, connectivity, tree_.bytes() + mesh_.bytes());
  }

  // What a uniform grid does to know where something is: ask the criterion about every cell.
  void mark_dense(View<std::uint8_t> level) const {
    dense_.for_cells([&](std::size_t cell, const Vec3d& center) {
      const Leaf<3> leaf{center, dense_.size(), 0.5 * dense_.size(), 0};
      level[cell] = static_cast<std::uint8_t>(criterion_(leaf));
    });
  }

  // The dense grid is given the points in the order of its own rows as well, and its better time
  // counts.
  void points() {
    const OctreeView<3> tree = tree_.view();
    const Buffer<Vec3d> curve = points_along_curve(tree);
    const Random random(2);
    const Buffer<Vec3d> shuffled = reordered(curve, [&](std::uint32_t i, std::uint32_t j) {
      return std::pair(random.bits(i), i) < std::pair(random.bits(j), j);
    });
    const Buffer<Vec3d> rows = reordered(curve, [&](std::uint32_t i, std::uint32_t j) {
      return std::pair(dense_.cell_at(curve[i]), i) < std::pair(dense_.cell_at(curve[j]), j);
    });
    const DenseGrid& dense = dense_;
    auto leaf_at = [&] {
      return [&tree, locator = Locator<3>(tree)](const Vec3d& p) mutable {
        return std::uint32_t{locator.leaf_at(tree.domain.lattice(p))};
      };
    };
    auto cell_at = [&] {
      return [&](const Vec3d& p) { return static_cast<std::uint32_t>(dense.cell_at(p)); };
    };
    row("leaf_at_curve", time_points(curve, leaf_at),
        std::min(time_points(curve, cell_at), time_points(rows, cell_at)), tree_.bytes());
    row("leaf_at_random", time_points(shuffled, leaf_at), time_points(shuffled, cell_at),
        tree_.bytes());

    NodeField<float> nodal(mesh_);
    for (std::size_t i = 0; i < nodal.size(); ++i) nodal.view()[i] = static_cast<float>(i % 64);
    Buffer<float> dense_nodal(dense_.nodes());
    for (std::size_t i = 0; i < dense_nodal.size(); ++i)
      dense_nodal[i] = static_cast<float>(i % 64);
    const MeshView<3> mesh = mesh_.view();
    const View<const float> f = std::as_const(nodal).view(), g = std::as_const(dense_nodal).view();
    auto on_tree = [&] { return Sampler<3, float>(mesh, f); };
    auto on_grid = [&] { return [&](const Vec3d& p) { return dense.sample(g, p); }; };
    const std::size_t bytes = tree_.bytes() + mesh_.bytes() + nodal.bytes();
    row("sample_curve", time_points(curve, on_tree),
        std::min(time_points(curve, on_grid), time_points(rows, on_grid)), bytes);
    row("sample_random", time_points(shuffled, on_tree), time_points(shuffled, on_grid), bytes);
  }

  // make() gives a function of a point; every block of points has one of its own.
  template <class Make>
  double time_points(const Buffer<Vec3d>& points, Make&& make) const {
    using T = decltype(make()(points[0]));
    Buffer<T> results(points.size());
    const View<const Vec3d> p = points.view();
    const View<T> r = results.view();
    return best_time(settings_.repeats, [&] {
      parallel_blocks("points", p.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
        auto f = make();
        for (std::size_t i = begin; i < end; ++i) r[i] = f(p[i]);
      });
    });
  }

  // The shape moves by one cell a step; velocity, density and pressure go along. The dense grid
  // asks the criterion about every cell, makes its connectivity and copies the same fields.
  void adaptation() {
    Grid<3> grid{Octree<3>(tree_)};
    FaceField<float> velocity(grid.mesh(), 1.0f);
    NodeField<float> density(grid.mesh(), 1.0f);
    LeafField<float> pressure(grid.mesh(), 1.0f);
    FieldSet<3> fields;
    fields.add(velocity);
    fields.add(density);
    fields.add(pressure);
    Criterion moving = criterion_;
    auto step = [&] {
      moving.shift += std::pow(0.5, criterion_.level);
      adapt(grid, fields, moving);
    };
    step();
    step();  // from here on the memory of two steps ago is reused
    const double seconds = best_time(settings_.repeats, step);
    const std::size_t bytes = grid.bytes() + grid.spare_bytes() +
                              2 * (velocity.bytes() + density.bytes() + pressure.bytes());

    Buffer<std::uint8_t> level(dense_.cells());
    const std::size_t values = dense_.cells() + dense_.nodes() + dense_.faces();
    Buffer<float> from(values), to(values);
    std::fill(from.begin(), from.end(), 1.0f);
    const View<const float> source = std::as_const(from).view();
    const View<float> target = to.view();
    const double uniform = best_time(settings_.repeats, [&] {
      mark_dense(level.view());
      dense_.build_connectivity();
      parallel_for("copy", values, [=](std::size_t i) { target[i] = source[i]; });
    });
    row("adapt_transfer", seconds, uniform, bytes);
  }

  void validate() {
    const Stopwatch watch;
    const std::string wrong = tree_.validate() + mesh_.validate();
    if (!wrong.empty()) throw InvariantError(wrong);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print(stderr,
               "{}: {} leaves, {} faces, {} nodes ({} hanging) validated in {:.2f} s; peak memory "
               "{:.2f} GiB\n",
               Criterion::name, mesh_.leaf_count(), mesh_.face_count(), mesh_.node_count(),
               mesh_.hanging_count(), watch.seconds(),
               static_cast<double>(usage.ru_maxrss) / (1 << 20));
  }

  Settings settings_;
  Criterion criterion_;
  Octree<3> tree_;
  Mesh<3> mesh_;
  DenseGrid dense_;
};

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Measures the octree and its mesh beside a dense uniform grid");
  app.add_option("--leaves", settings.leaves, "sizes of trees")
      ->check(CLI::Range(1e3, 1e8))
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--repeats", settings.repeats, "runs of each case; the best counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "0 takes all");
  app.add_flag("--json", settings.json, "a JSON object per case");
  if (const auto code = parse(app, argc, argv)) return *code;
  set_threads(settings.threads);
  fmt::print(stderr, "octavo {} ({}, {}), {} threads\n", build_info().version, build_info().march,
             build_info().compiler, threads());
  for (const double leaves : settings.leaves) {
    Bench<Shell>(settings, leaves).run();
    Bench<Ball>(settings, leaves).run();
  }
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("mesh", [=] { return octavo::bench::run(argc, argv); });
}
