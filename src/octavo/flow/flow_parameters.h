#pragma once

// These are the parameters of any simulation of a flow, apart from what it carries. They are plain structs
// with defaults, in SI units.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "octavo/advection/advection_scheme.h"
#include "octavo/flow/field_info.h"
#include "octavo/flow/substeps.h"
#include "octavo/obstacles/obstacle.h"
#include "octavo/operators/flow_boundary.h"
#include "octavo/pressure/pressure_solver.h"
#include "octavo/refinement/refinement_parameters.h"
#include "octavo/sources/source.h"

namespace octavo {

// A step is put together in one of these ways.
//   projection   advect, add forces, project: Stam 1999, Losasso 2004
//   reflection   half a step, project, reflect the velocity about the result, half a step, project:
//                Zehnder, Narain, Thomaszewski 2018. Twice the work of a step, and hardly any loss of
//                energy. Needs the orthogonal projection losasso06s.
enum class TimeStepping { projection, reflection };
inline constexpr std::array<std::string_view, 2> time_stepping_names{"projection", "reflection"};
constexpr std::string_view name(TimeStepping t) {
  return time_stepping_names[static_cast<std::size_t>(t)];
}

// This is a further quantity that is carried along, e.g. a colour.
struct ScalarParameters {
  std::string name;
  double outside = 0;  // its value in the air that comes in through open walls
  double decay = 0;    // towards that, 1/s
};

inline FieldInfo field_info(const ScalarParameters& scalar) {
  return {.name = scalar.name,
          .help = "A further quantity of the scene.",
          .outside = scalar.outside,
          .decay = scalar.decay};
}

template <int Dim>
struct FlowParameters {
  // These are about the method.
  AdvectionScheme advection = AdvectionScheme::maccormack;
  TimeStepping stepping = TimeStepping::projection;
  PressureScheme pressure{};
  Preconditioner preconditioner = Preconditioner::multigrid;
  StopRule stop{.relative = 1e-4, .divergence = 0, .max_iterations = 200};
  ObstacleTreatment treatment = ObstacleTreatment::cut;

  // These are about time: a frame has so many substeps that nothing moves by more than `cfl` leaves, within bounds.
  double cfl = 4;
  int min_substeps = 1, max_substeps = 16;
  int substeps(double leaves_passed) const {
    return substeps_of(leaves_passed, cfl, min_substeps, max_substeps);
  }

  double density = 1;                           // of the fluid, kg/m^3
  Vec<Dim> acceleration = Vec<Dim>::filled(0);  // a constant force, m/s^2
  int up_axis = Dim - 1;

  std::array<Wall, static_cast<std::size_t>(side_count<Dim>)> walls{};  // all closed
  std::vector<Obstacle<Dim>> obstacles;
  std::vector<Source<Dim>> sources;
  RefinementParameters<Dim> refinement;
  std::vector<ScalarParameters> scalars;  // which any kind of simulation may carry

  // This throws InputError for values that make no sense.
  void check(const Domain<Dim>& domain) const;
};

}  // namespace octavo
