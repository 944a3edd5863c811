#include "tank.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "octavo/operators/open_area.h"
#include "reproduce_tools.h"

namespace octavo {
namespace {

constexpr std::array<double, 3> tilts{0, 0.1, 0.37};  // of surface and gravity
constexpr std::array<int, 3> jumps{2, 4, 8};          // largest ratio of sizes beside each other
constexpr std::array<SurfaceRows, 3> kinds{SurfaceRows::ghost_fluid, SurfaceRows::clamped,
                                           SurfaceRows::secant};

enum class Beside { nothing, ball, inclined_wall };
constexpr std::array<std::string_view, 3> beside_names{"nothing", "ball", "inclined wall"};

template <int Dim>
struct TiltedSurface {
  Vec<Dim> up;
  double distance(const Vec<Dim>& x) const {
    return dot(up, x - Vec<Dim>::filled(0.5)) - 0.0637;  // no multiple of any cell's size
  }
};

// The surface tilts towards a side that is no axis.
template <int Dim>
TiltedSurface<Dim> tilted_surface(double tilt) {
  TiltedSurface<Dim> s{};
  s.up[Dim - 1] = std::cos(tilt);
  s.up[0] = std::sin(tilt) * (Dim == 2 ? 1 : 0.8);
  if constexpr (Dim == 3) s.up[1] = std::sin(tilt) * 0.6;
  return s;
}

// The ball and the wall are solid where this is negative.
template <int Dim>
double distance_of_solid(Beside beside, const Vec<Dim>& x) {
  const Vec<Dim> from_middle = x - Vec<Dim>::filled(0.5);
  if (beside == Beside::ball) return length(from_middle) - 0.217;
  Vec<Dim> normal{};
  normal[0] = 0.8;
  normal[Dim - 1] = 0.6;
  return dot(normal, from_middle) + 0.253;
}

template <int Dim>
Buffer<double> open_areas(const MeshView<Dim>& mesh, Beside beside) {
  Buffer<double> open(mesh.face_count());
  for (std::size_t i = 0; i < open.size(); ++i) {
    const FaceId face(i);
    auto at = [&](int j, int k) {
      Vec<Dim> x = mesh.center(face);
      x[(mesh.axis(face) + 1) % Dim] += (j - 0.5) * mesh.size(face);
      if constexpr (Dim == 3) x[(mesh.axis(face) + 2) % Dim] += (k - 0.5) * mesh.size(face);
      return distance_of_solid(beside, x);
    };
    open[i] = Dim == 2 ? open_part(at(0, 0), at(1, 0))
                       : open_part(at(0, 0), at(1, 0), at(0, 1), at(1, 1));
  }
  return open;
}

struct TankRow {
  int dim, jump;
  double tilt;
  Beside beside;
  SurfaceRows kind;
  std::size_t leaves = 0;
  double speed = 0;  // the largest |u| / (g dt)
  PressureReport report;
};

template <int Dim>
class Tank {
 public:
  static constexpr double gravity = 9.81;        // m/s^2, against the surface's normal
  static constexpr double time_step = 0.01;      // s
  static constexpr double water_density = 1000;  // kg/m^3

  Tank(int resolution, int jump, double tilt, Beside beside)
      : tree_(scattered_tree<Dim>(resolution, jump, 1)),
        mesh_(tree_),
        surface_(tilted_surface<Dim>(tilt)),
        level_set_(mesh_) {
    for (std::size_t i = 0; i < level_set_.size(); ++i)
      level_set_[LeafId(i)] = surface_.distance(tree_.view().center(LeafId(i)));
    boundary_.level_set = std::as_const(level_set_).view();
    boundary_.gravity = surface_.up * -gravity;
    if (beside == Beside::nothing) return;
    open_area_ = open_areas(mesh_.view(), beside);
    boundary_.open_area = std::as_const(open_area_).view();
  }

  // It is water at rest after gravity has acted for a time step; then the pressure does.
  void project(TankRow& row) const {
    const PressureScheme scheme{GradientScheme::losasso06s, {}, row.kind};
    const PressureFaces<Dim, double> faces{mesh_.view(), boundary_, scheme};
    FaceField<double> u(mesh_, 0.0);
    for (std::size_t i = 0; i < u.size(); ++i)
      if (faces.is_passage(FaceId(i)))
        u[FaceId(i)] = time_step * boundary_.gravity[faces.mesh.axis(FaceId(i))];
    LeafField<double> pressure(mesh_);
    const ProjectionOptions options{.time_step = time_step,
                                    .density = water_density,
                                    .scheme = scheme,
                                    .stop = {.relative = 1e-12, .max_iterations = 1000}};
    row.report = Projection<Dim, double>().project(mesh_, boundary_, options, u, pressure);
    require_converged(row.report, scheme);
    row.leaves = mesh_.leaf_count();
    row.speed = parallel_max("largest speed", u.size(), 0.0, [&](std::size_t i) {
      return faces.link(FaceId(i)).kind == FaceLink::none ? 0.0 : std::abs(u[FaceId(i)]);
    });
    row.speed /= gravity * time_step;
    show_progress(
        fmt::format("{} leaves, {}: {}", row.leaves, name(row.kind), row.report.sentence()));
  }

 private:
  Octree<Dim> tree_;
  Mesh<Dim> mesh_;
  TiltedSurface<Dim> surface_;
  LeafField<double> level_set_;
  Buffer<double> open_area_;
  FlowBoundary<Dim, double> boundary_;
};

void print_json(int resolution, const TankRow& row) {
  const CutRowCounts& rows = row.report.cut_rows;
  const nlohmann::ordered_json line{{"scheme", name(row.kind)},
                                    {"dim", row.dim},
                                    {"beside", beside_names[static_cast<std::size_t>(row.beside)]},
                                    {"jump", row.jump},
                                    {"tilt", row.tilt},
                                    {"resolution", resolution},
                                    {"leaves", row.leaves},
                                    {"max_u_over_g_dt", row.speed},
                                    {"iterations", row.report.iterations},
                                    {"cut_rows", rows.cut},
                                    {"cut_large_faces", rows.large},
                                    {"degenerate_rows", rows.degenerate},
                                    {"without_partner", rows.without_partner},
                                    {"largest_w", rows.largest_weight}};
  fmt::print("{}\n", line.dump());
}

void print_header(int resolution) {
  fmt::print(
      "Still water in a closed box, {} cells across at the finest, on random octrees with jumps "
      "of\n"
      "that ratio at the surface; surface and gravity are tilted. The largest velocity after one\n"
      "projection, in units of g dt, by rows at the surface (exact: 0), and iterations to "
      "1e-12.\n\n"
      "{:>3} {:>14} {:>5} {:>5} {:>8}",
      resolution, "dim", "beside", "jump", "tilt", "leaves");
  for (const SurfaceRows kind : kinds) fmt::print(" {:>16}", name(kind));
  fmt::print("   {}\n", "cut rows, large, degenerate, alone, W up to");
}

void print_text(const std::vector<TankRow>& rows) {
  const TankRow& first = rows.front();
  fmt::print("{:>3} {:>14} {:>5} {:>5} {:>8}", first.dim,
             beside_names[static_cast<std::size_t>(first.beside)], first.jump, first.tilt,
             first.leaves);
  for (const TankRow& row : rows) fmt::print(" {:>10.1e} {:>5}", row.speed, row.report.iterations);
  const CutRowCounts& c = rows.back().report.cut_rows;
  fmt::print("   {}, {}, {}, {}, {:.3g}\n", c.cut, c.large, c.degenerate, c.without_partner,
             c.largest_weight);
}

template <int Dim>
void run_all(const ReproduceOptions& options, int resolution) {
  for (const Beside beside : {Beside::nothing, Beside::ball, Beside::inclined_wall})
    for (const int jump : jumps)
      for (const double tilt : tilts) {
        const Tank<Dim> tank(resolution, jump, tilt, beside);
        std::vector<TankRow> rows;
        for (const SurfaceRows kind : kinds) {
          rows.push_back({Dim, jump, tilt, beside, kind, 0, 0, {}});
          tank.project(rows.back());
          if (options.json) print_json(resolution, rows.back());
        }
        if (!options.json) print_text(rows);
      }
}

}  // namespace

void run_tank(const ReproduceOptions& options) {
  const int resolution = power_of_two(options.resolution.value_or(64), 16);
  if (!options.json) print_header(resolution);
  run_all<2>(options, resolution);
  run_all<3>(options, resolution);
}

}  // namespace octavo
