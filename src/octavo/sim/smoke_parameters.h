#pragma once

// What a smoke simulation is made of, apart from its state. Plain structs with defaults; SI units.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "octavo/operators/flow_boundary.h"
#include "octavo/shapes/motion.h"
#include "octavo/shapes/shape.h"
#include "octavo/sim/view_parameters.h"
#include "octavo/solvers/advection_scheme.h"
#include "octavo/solvers/pressure_solver.h"
#include "octavo/tree/domain.h"

namespace octavo {

// How a step is put together.
//   projection   advect, add forces, project: Stam 1999, Losasso 2004
//   reflection   half a step, project, reflect the velocity about the result, half a step, project:
//                Zehnder, Narain, Thomaszewski 2018. Twice the work of a step, and hardly any loss of
//                energy. Needs the orthogonal projection losasso06s.
enum class TimeStepping { projection, reflection };
inline constexpr std::array<std::string_view, 2> time_stepping_names{"projection", "reflection"};
constexpr std::string_view name(TimeStepping t) {
  return time_stepping_names[static_cast<std::size_t>(t)];
}
inline TimeStepping time_stepping_named(std::string_view wanted) {
  return value_named<TimeStepping>(time_stepping_names, wanted, "time stepping");
}

// How obstacles enter the pressure: by the open area of each face, or, as in the paper, by closing each
// face that intersects one.
enum class ObstacleTreatment { cut, voxel };
inline constexpr std::array<std::string_view, 2> obstacle_treatment_names{"cut", "voxel"};
constexpr std::string_view name(ObstacleTreatment t) {
  return obstacle_treatment_names[static_cast<std::size_t>(t)];
}
inline ObstacleTreatment obstacle_treatment_named(std::string_view wanted) {
  return value_named<ObstacleTreatment>(obstacle_treatment_names, wanted, "obstacle treatment");
}

template <int Dim>
struct Obstacle {
  Shape<Dim> shape;                     // at rest
  Motion<Dim> motion{};                 // moves the shape
  std::optional<double> temperature{};  // to which it heats or cools the air beside it, K
};

// Noise by which the density, and what temperature and scalars are above those outside, is multiplied:
// 1 - amount * noise, noise between 0 and 1.
struct SourceNoise {
  double amount = 0;  // 0: none; 1: down to nothing in places
  double size = 0.1;  // of its features, m
  double period = 1;  // how long they last, s
  std::uint64_t seed = 0;
};

// Makes smoke inside of a shape. What has no value is left alone.
template <int Dim>
struct Source {
  Shape<Dim> shape;
  Motion<Dim> motion{};
  std::optional<double> density{}, temperature{};  // to be set, or 1/s and K/s to be added
  std::optional<Vec<Dim>> velocity{};              // m/s to be set, or m/s^2 to be added
  std::vector<std::optional<double>> scalars{};    // for the further scalars, in their order
  bool add = false;
  double start = 0, end = std::numeric_limits<double>::infinity();  // s
  SourceNoise noise{};
  double edge = 0;  // over which it fades across its surface, m; a leaf at least

  // For how much of a stretch of time it is on, s.
  double active_for(double from, double to) const {
    return std::max(0.0, std::min(end, to) - std::max(start, from));
  }
};

// A further quantity that is carried along, e.g. a colour.
struct ScalarParameters {
  std::string name;
  double outside = 0;  // its value in the air that comes in through open walls
  double decay = 0;    // 1/s
};

enum class RefineBy {
  objects,
  sources,
  vorticity,
  density_band,
  density_detail,
  velocity_variation,
  region
};
inline constexpr std::array<std::string_view, 7> refine_by_names{
    "objects", "sources", "vorticity", "density_band", "density_detail", "velocity_variation",
    "region"};
constexpr std::string_view name(RefineBy r) { return refine_by_names[static_cast<std::size_t>(r)]; }
inline RefineBy refine_by_named(std::string_view wanted) {
  return value_named<RefineBy>(refine_by_names, wanted, "refinement criterion");
}

constexpr bool is_about_shapes(RefineBy r) {
  return r == RefineBy::objects || r == RefineBy::sources || r == RefineBy::region;
}

// One criterion: where the grid is to have `level`.
template <int Dim>
struct RefinementRule {
  RefineBy by = RefineBy::objects;
  double above = 0;                    // vorticity, 1/s; detail; variation, 1/(m s)
  double low = 0.1, high = 0.3;        // density band
  double within = 0;                   // objects, sources, region: this far from them, m
  std::optional<Shape<Dim>> region{};  // region: inside of this shape
  int level = max_level;               // never finer than the finest level of all
  double keep = 0.5;                   // of the threshold, above which what was refined is kept
  bool always = false;                 // objects, sources, region: whatever the view allows
};

template <int Dim>
struct RefinementParameters {
  int min_level = 3, max_level = 6;
  std::vector<RefinementRule<Dim>> rules;
  std::vector<std::function<int(const Leaf<Dim>&)>>
      criteria;                // further ones: see adapt/criterion.h
  double margin = 1;           // cells around what a rule asks for
  double hysteresis = 1;       // cells; see adapt.h
  int grading = 0;             // largest difference in level between leaves that touch; 0: any
  std::size_t max_leaves = 0;  // thresholds rise until there are no more; 0: any number
  ViewParameters view{};
};

template <int Dim>
struct SmokeParameters {
  // Method.
  AdvectionScheme advection = AdvectionScheme::maccormack;
  TimeStepping stepping = TimeStepping::projection;
  PressureScheme pressure{};
  Preconditioner preconditioner = Preconditioner::multigrid;
  StopRule stop{.relative = 1e-4, .divergence = 0, .max_iterations = 200};
  ObstacleTreatment treatment = ObstacleTreatment::cut;

  // Time: substeps of a frame so that nothing moves by more than `cfl` leaves, within bounds.
  double cfl = 4;
  int min_substeps = 1, max_substeps = 16;
  int substeps(double leaves_passed) const {
    return static_cast<int>(std::clamp(std::ceil(leaves_passed / cfl - 1e-9),
                                       static_cast<double>(min_substeps),
                                       static_cast<double>(max_substeps)));
  }

  // Forces: -weight rho + lift (T - ambient) along up, m/s^2.
  double weight = 0;   // alpha, per unit of density
  double lift = 0;     // beta, m/s^2/K
  double ambient = 0;  // temperature of the air outside, K
  int up_axis = Dim - 1;
  double confinement = 0;                       // epsilon of vorticity confinement
  Vec<Dim> acceleration = Vec<Dim>::filled(0);  // a constant force, m/s^2
  double cooling = 0;                           // 1/s, towards ambient
  double density_decay = 0;                     // 1/s

  std::array<Wall, static_cast<std::size_t>(side_count<Dim>)> walls{};  // all closed
  std::vector<Obstacle<Dim>> obstacles;
  std::vector<Source<Dim>> sources;
  std::vector<ScalarParameters> scalars;
  RefinementParameters<Dim> refinement;

  // Throws InputError for values that make no sense.
  void check(const Domain<Dim>& domain) const;
};

}  // namespace octavo
