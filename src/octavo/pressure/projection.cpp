#include "octavo/pressure/projection.h"

#include <cmath>

#include "octavo/operators/divergence.h"

namespace octavo {
namespace {

void check_options(const ProjectionOptions& options) {
  if (!(options.time_step > 0) || !std::isfinite(options.time_step))
    throw InputError("the time step must be positive, and is {} s", options.time_step);
  if (!(options.density > 0) || !std::isfinite(options.density))
    throw InputError("the density must be positive, and is {} kg/m^3", options.density);
  const StopRule& stop = options.stop;
  if (!(stop.relative >= 0) || !(stop.divergence >= 0) || stop.max_iterations < 0)
    throw InputError("a bound on the divergence or on the iterations is negative, or not a number");
}

}  // namespace

template <int Dim, class Real>
PressureReport Projection<Dim, Real>::project(const Mesh<Dim>& mesh,
                                              const FlowBoundary<Dim, Real>& boundary,
                                              const ProjectionOptions& options,
                                              FaceField<Real>& velocity, LeafField<Real>& pressure,
                                              View<const Real> wanted) {
  check_options(options);
  if (!velocity.belongs_to(mesh)) throw InputError("the velocity belongs to another mesh");
  if (!pressure.belongs_to(mesh)) throw InputError("the pressure belongs to another mesh");
  const PressureFaces<Dim, Real> faces{mesh.view(), boundary, options.scheme};
  boundary.check_sizes(faces.mesh);
  if (wanted.size() != 0 && wanted.size() != mesh.leaf_count())
    throw InputError("the wanted divergence belongs to another mesh");

  PressureReport report;
  if (!all_finite<Real>(velocity.view()) || !all_finite<Real>(pressure.view()) ||
      !all_finite<Real>(boundary.level_set) || !all_finite<Real>(boundary.open_area) ||
      !all_finite<Real>(wanted) || !all_finite<Real>(boundary.solid_velocity) ||
      !all_finite<Real>(boundary.surface_pressure)) {
    report.outcome = SolveOutcome::not_finite;
    return report;
  }

  const Stopwatch setup;
  solver_.set_up(mesh, boundary, options.scheme, options.preconditioner);
  report.setup_seconds = setup.seconds();
  report.liquid_leaves = solver_.matrix().liquid_leaves();
  report.closed_components = solver_.components().count();
  report.cut_rows = solver_.matrix().cut_rows().counts();
  report.matrix_bytes = solver_.matrix_bytes();
  report.bytes = solver_.bytes();
  report.divergence_before = largest_divergence(faces, velocity.view(), wanted);

  // The equation is solved for q = dt p / rho.
  const Stopwatch solve;
  const double scale = options.time_step / options.density;
  if (options.scheme.shares_velocity()) share_velocity(faces, velocity.view());
  set_right_hand_side(faces, velocity.view(), wanted, scale);
  if (faces.has_cut_rows()) add_known_pressures(faces, scale);
  report.forced_divergence = solver_.prepare(set_guess(faces.mesh, pressure.view(), scale));
  report.history = solver_.solve(options.stop);
  report.solve_seconds = solve.seconds();
  report.outcome = report.history.outcome;
  report.iterations = report.history.iterations;
  report.residual_before = report.history.residual.front();
  report.residual_after = report.history.residual.back();
  if (report.outcome == SolveOutcome::not_finite || report.history.gave_up) {
    report.divergence_after = report.divergence_before;
    return report;
  }

  update_velocity(faces, velocity.view(), scale);
  store_pressure(faces, pressure.view(), scale);
  report.divergence_after = largest_divergence(faces, velocity.view(), wanted);
  return report;
}

// Only leaves that have an equation count; inside of solids there is none.
template <int Dim, class Real>
double Projection<Dim, Real>::largest_divergence(const PressureFaces<Dim, Real>& faces,
                                                 View<const Real> velocity,
                                                 View<const Real> wanted) const {
  const PressureMatrixView<Dim, Real> matrix = solver_.matrix().view();
  return parallel_max("largest divergence", faces.mesh.owned_leaves, 0.0, [=](std::size_t i) {
    const LeafId leaf(i);
    if (!matrix.is_leaf(matrix.sibling_blocks.level_cell(leaf))) return 0.0;
    const double is =
        outflow(faces.mesh, faces.boundary, velocity, leaf) / volume(faces.mesh, leaf);
    return std::abs(wanted.size() == 0 ? is : is - static_cast<double>(wanted[i]));
  });
}

// The right-hand side is what flows into every liquid leaf, and the known pressures.
template <int Dim, class Real>
void Projection<Dim, Real>::set_right_hand_side(const PressureFaces<Dim, Real>& faces,
                                                View<const Real> velocity, View<const Real> wanted,
                                                double scale) {
  const PressureMatrixView<Dim, Real> matrix = solver_.matrix().view();
  const View<double> r = solver_.residual();
  const bool known = faces.boundary.surface_pressure.size() > 0 && !faces.has_cut_rows();
  parallel_for("right-hand side", faces.mesh.owned_leaves, [=](std::size_t i) {
    const LeafId leaf(i);
    const LevelCellId level_cell = matrix.sibling_blocks.level_cell(leaf);
    if (!matrix.is_leaf(level_cell)) return;
    double in = -outflow(faces.mesh, faces.boundary, velocity, leaf);
    if (wanted.size() != 0) in += static_cast<double>(wanted[leaf]) * volume(faces.mesh, leaf);
    for (int side = 0; known && side < side_count<Dim>; ++side)
      for (const FaceId face : faces.mesh.faces(leaf, side)) {
        const FaceLink l = faces.link(face);
        if (l.kind == FaceLink::surface) in += l.area / l.distance * scale * l.beyond;
      }
    r[level_cell] = in;
  });
}

// What is known at the surface drives cut rows, and those that are coupled to them: B^T X p_I.
template <int Dim, class Real>
void Projection<Dim, Real>::add_known_pressures(const PressureFaces<Dim, Real>& faces,
                                                double scale) {
  if (faces.boundary.surface_pressure.size() == 0) return;
  CutRows<Dim, Real>& cut_rows = solver_.matrix().cut_rows();
  const View<const double> gradient = cut_rows.gradient(faces, scale, [](LeafId) { return 0.0; });
  const CutRowsView rows = cut_rows.view();
  const PressureMatrixView<Dim, Real> matrix = solver_.matrix().view();
  const View<double> r = solver_.residual();
  parallel_for("known pressures", faces.mesh.owned_leaves, [=](std::size_t i) {
    const LeafId leaf(i);
    const LevelCellId level_cell = matrix.sibling_blocks.level_cell(leaf);
    if (!matrix.is_leaf(level_cell)) return;
    for (int side = 0; side < side_count<Dim>; ++side)
      for (const FaceId face : faces.mesh.faces(leaf, side)) {
        const CutRow* row = faces.is_passage(face) ? rows.find(face) : nullptr;
        if (row == nullptr) continue;
        const double area =
            static_cast<double>(faces.boundary.open_fraction(face)) * faces.mesh.area(face);
        r[level_cell] += (side % 2 == 1 ? 1 : -1) * area * gradient[row - rows.row.begin()];
      }
  });
}

template <int Dim, class Real>
bool Projection<Dim, Real>::set_guess(const MeshView<Dim>& mesh, View<const Real> pressure,
                                      double scale) {
  const bool guess = parallel_max("look at guess", pressure.size(), 0.0, [=](std::size_t i) {
                       return std::abs(static_cast<double>(pressure[i]));
                     }) > 0;
  if (!guess) return false;
  const auto matrix = solver_.matrix().view();
  const View<double> q = solver_.solution();
  parallel_for("set guess", mesh.owned_leaves, [=](std::size_t i) {
    const LevelCellId level_cell = matrix.sibling_blocks.level_cell(LeafId(i));
    if (matrix.is_leaf(level_cell)) q[level_cell] = scale * static_cast<double>(pressure[i]);
  });
  return true;
}

template <int Dim, class Real>
void Projection<Dim, Real>::update_velocity(const PressureFaces<Dim, Real>& faces,
                                            View<Real> velocity, double scale) {
  const SiblingBlocksView<Dim> sibling_blocks = solver_.matrix().sibling_blocks().view();
  const View<const double> q = solver_.solution();
  parallel_for("subtract gradient", faces.mesh.owned_faces, [=](std::size_t i) {
    const FaceId first(i);
    if (!faces.begins_large_face(first)) return;
    for_each_gradient(
        faces, first, scale, [=](LeafId leaf) { return q[sibling_blocks.level_cell(leaf)]; },
        [=](FaceId face, const FaceLink& l, double gradient) {
          if (l.kind == FaceLink::pair || l.kind == FaceLink::surface)
            velocity[face] = static_cast<Real>(static_cast<double>(velocity[face]) - gradient);
          else if (faces.boundary.open_fraction(face) <= 0)
            velocity[face] = static_cast<Real>(faces.boundary.solid_speed(face));
        });
  });
  if (!faces.has_cut_rows()) return;
  CutRows<Dim, Real>& cut_rows = solver_.matrix().cut_rows();
  const View<const double> gradient = cut_rows.gradient(
      faces, scale, [=](LeafId leaf) { return q[sibling_blocks.level_cell(leaf)]; });
  const CutRowsView rows = cut_rows.view();
  parallel_for("subtract gradient of cut rows", rows.row.size(), [=](std::size_t k) {
    for (const FaceId face : rows.row[k].faces())
      if (faces.is_passage(face))
        velocity[face] = static_cast<Real>(static_cast<double>(velocity[face]) - gradient[k]);
  });
}

template <int Dim, class Real>
void Projection<Dim, Real>::store_pressure(const PressureFaces<Dim, Real>& faces,
                                           View<Real> pressure, double scale) {
  const SiblingBlocksView<Dim> sibling_blocks = solver_.matrix().sibling_blocks().view();
  const View<const double> q = solver_.solution();
  parallel_for("store pressure", faces.mesh.owned_leaves, [=](std::size_t i) {
    pressure[i] = static_cast<Real>(q[sibling_blocks.level_cell(LeafId(i))] / scale);
  });
}

std::string PressureReport::sentence() const {
  switch (outcome) {
    case SolveOutcome::not_finite:
      return "the pressure was not solved: a velocity, pressure or boundary value is not a number";
    case SolveOutcome::not_converged:
      return fmt::format(
          "the pressure did not converge: {} iterations left a divergence of {:.3g} 1/s of {:.3g}",
          iterations, divergence_after, divergence_before);
    case SolveOutcome::converged:
      break;
  }
  return fmt::format("{} iterations took the divergence from {:.3g} to {:.3g} 1/s", iterations,
                     divergence_before, divergence_after);
}

template class Projection<2, float>;
template class Projection<3, float>;
template class Projection<2, double>;
template class Projection<3, double>;

}  // namespace octavo
