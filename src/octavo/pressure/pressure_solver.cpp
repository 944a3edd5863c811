#include "octavo/pressure/pressure_solver.h"

#include <cmath>

namespace octavo {

template <int Dim, class Real>
void PressureSolver<Dim, Real>::set_up(const Mesh<Dim>& mesh,
                                       const FlowBoundary<Dim, Real>& boundary,
                                       PressureScheme scheme, Preconditioner preconditioner) {
  matrix_.build(mesh, boundary, scheme);
  components_.build(matrix_);
  preconditioner_ = preconditioner;
  const std::size_t cells = matrix_.vector_size();
  switch (preconditioner) {
    case Preconditioner::multigrid:
      multigrid_.build(matrix_);
      break;
    case Preconditioner::mic0:
      mic_.build({mesh.view(), boundary, scheme}, matrix_.sibling_blocks().view(),
                 matrix_.cut_rows().view());
      break;
    case Preconditioner::diagonal: {
      inverse_diagonal_.resize(cells);
      z_.resize(cells);
      for (double& d : inverse_diagonal_) d = 0;
      matrix_.full_diagonal(inverse_diagonal_.view());
      const View<double> d = inverse_diagonal_.view();
      parallel_for("invert diagonal", cells,
                   [=](std::size_t p) { d[p] = d[p] > 0 ? 1 / d[p] : 0; });
      break;
    }
  }
  first_divergence_ = 0;
  x_.resize(cells);
  r_.resize(cells);
  product_.resize(cells);
  direction_.resize(cells);
  const View<double> x = x_.view(), r = r_.view(), product = product_.view();
  const View<Real> direction = direction_.view();
  parallel_for("clear vectors", cells, [=](std::size_t p) {
    x[p] = r[p] = product[p] = 0;
    direction[p] = 0;
  });
}

template <int Dim, class Real>
double PressureSolver<Dim, Real>::prepare(bool has_guess) {
  first_divergence_ = measure_residual().divergence;
  const double forced = components_.remove_mean_inflow(r_.view());
  if (has_guess) subtract_guess();
  return forced;
}

template <int Dim, class Real>
void PressureSolver<Dim, Real>::subtract_guess() {
  const View<double> x = x_.view(), r = r_.view(), product = product_.view();
  const View<Real> direction = direction_.view();
  parallel_for("take guess", x.size(), [=](std::size_t p) {
    direction[p] = static_cast<Real>(x[p]);
    x[p] = static_cast<double>(direction[p]);
  });
  matrix_.apply(direction, product);
  parallel_for("subtract guess", x.size(), [=](std::size_t p) { r[p] -= product[p]; });
}

template <int Dim, class Real>
void PressureSolver<Dim, Real>::precondition() {
  switch (preconditioner_) {
    case Preconditioner::multigrid:
      return multigrid_.apply(r_.view(), scale_);
    case Preconditioner::mic0:
      return mic_.apply(r_.view(), scale_);
    case Preconditioner::diagonal:
      break;
  }
  const View<const double> d = inverse_diagonal_.view(), r = r_.view();
  const View<double> z = z_.view();
  const double scale = scale_;
  parallel_for("divide by diagonal", z.size(), [=](std::size_t p) { z[p] = d[p] * scale * r[p]; });
}

namespace {

// Calls f(z) with z the view of the preconditioner's result.
template <class F, int Dim, class Real>
auto with_correction(Preconditioner preconditioner, const Multigrid<Dim, Real>& multigrid,
                     const IncompleteCholesky<Dim, Real>& mic, View<const double> diagonal, F&& f) {
  switch (preconditioner) {
    case Preconditioner::multigrid:
      return f(multigrid.correction());
    case Preconditioner::mic0:
      return f(mic.correction());
    case Preconditioner::diagonal:
      break;
  }
  return f(diagonal);
}

}  // namespace

template <int Dim, class Real>
double PressureSolver<Dim, Real>::residual_dot_correction() {
  const View<const double> r = r_.view();
  const auto leaves = matrix_.view().leaves;
  return with_correction(preconditioner_, multigrid_, mic_, z_.view(), [=](auto z) {
    return parallel_sum("residual . correction", leaves.size(), [=](std::size_t f) {
      double sum = 0;
      if (leaves[f] == 0) return sum;
      for (std::size_t p = f * width; p < (f + 1) * width; ++p)
        sum += r[p] * static_cast<double>(z[p]);
      return sum;
    });
  });
}

template <int Dim, class Real>
void PressureSolver<Dim, Real>::turn_direction(double beta) {
  const View<Real> direction = direction_.view();
  const auto leaves = matrix_.view().leaves;
  with_correction(preconditioner_, multigrid_, mic_, z_.view(), [=](auto z) {
    parallel_for("turn direction", leaves.size(), [=](std::size_t f) {
      if (leaves[f] == 0) return;
      for (int slot = 0; slot < width; ++slot) {
        const std::size_t p = f * width + static_cast<std::size_t>(slot);
        direction[p] = (leaves[f] >> slot) & 1
                           ? static_cast<Real>(static_cast<double>(z[p]) +
                                               beta * static_cast<double>(direction[p]))
                           : Real{0};
      }
    });
  });
}

// Calls f(cell), which returns the residual there, and measures it.
template <int Dim, class Real>
template <class F>
typename PressureSolver<Dim, Real>::Norms PressureSolver<Dim, Real>::measure(const char* label,
                                                                             F&& f) {
  Norms all;
  const auto leaves = matrix_.view().leaves;
  for (const SiblingLevel& level : matrix_.sibling_blocks().levels()) {
    if (level.depth < 0) continue;
    const Norms here = parallel_reduce(
        label, level.end - level.begin, Norms{},
        [&](std::size_t i) {
          Norms sibling_block;
          if (leaves[level.begin + i] == 0) return sibling_block;
          for (std::size_t d = 0; d < width; ++d) {
            const double r = f((level.begin + i) * width + d);
            sibling_block.squares += r * r;
            sibling_block.divergence = std::max(sibling_block.divergence, std::abs(r));
          }
          return sibling_block;
        },
        [](const Norms& p, const Norms& q) {
          return Norms{p.squares + q.squares, std::max(p.divergence, q.divergence)};
        },
        sibling_blocks_at_once);
    all.squares += here.squares;
    all.divergence = std::max(all.divergence, here.divergence / std::pow(level.size, Dim));
  }
  return all;
}

template <int Dim, class Real>
typename PressureSolver<Dim, Real>::Norms PressureSolver<Dim, Real>::move_along(double alpha) {
  const View<double> x = x_.view(), r = r_.view();
  const View<const double> product = product_.view();
  const View<const Real> direction = direction_.view();
  return measure("move along direction", [=](std::size_t p) {
    x[p] += alpha * static_cast<double>(direction[p]);
    return r[p] -= alpha * product[p];
  });
}

template <int Dim, class Real>
typename PressureSolver<Dim, Real>::Norms PressureSolver<Dim, Real>::measure_residual() {
  const View<const double> r = r_.view();
  return measure("residual", [=](std::size_t p) { return r[p]; });
}

template <int Dim, class Real>
SolveReport PressureSolver<Dim, Real>::solve(const StopRule& rule) {
  SolveReport report;
  Norms now = measure_residual();
  auto record = [&] {
    report.residual.push_back(std::sqrt(now.squares));
    report.divergence.push_back(now.divergence);
  };
  record();
  const double first = first_divergence_ > 0 ? first_divergence_ : now.divergence;
  const double enough = std::max(rule.divergence, rule.relative * first);
  const double start = now.squares;
  // Corrections and directions are floats; they are in units in which the first residual is about 1.
  scale_ = start > 0 && std::isfinite(start) ? std::exp2(-std::ilogb(std::sqrt(start))) : 1;
  double old_rz = 0, best = start;
  int best_iteration = 0;
  while (std::isfinite(now.squares) && now.divergence > enough &&
         report.iterations < rule.max_iterations && report.iterations < best_iteration + patience &&
         now.squares <= hopeless * start) {
    // Rounding gives closed components a net inflow, which no pressure can remove and which would
    // take over once the rest is as small.
    if (report.iterations % 8 == 7) components_.remove_mean_inflow(r_.view());
    precondition();
    const double rz = residual_dot_correction();
    turn_direction(report.iterations == 0 ? 0 : rz / old_rz);
    old_rz = rz;
    const double curvature = matrix_.apply(direction_.view(), product_.view());
    if (!(curvature > 0) || !std::isfinite(rz)) break;  // nothing left that it can reduce
    now = move_along(rz / curvature);
    ++report.iterations;
    record();
    if (now.squares < best) {
      best = now.squares;
      best_iteration = report.iterations;
    }
  }
  report.gave_up = !(now.squares <= hopeless * start);
  report.gave_up ? give_up() : components_.remove_mean_pressure(x_.view());
  report.outcome = !std::isfinite(now.squares) || !std::isfinite(old_rz) ? SolveOutcome::not_finite
                   : now.divergence > enough ? SolveOutcome::not_converged
                                             : SolveOutcome::converged;
  return report;
}

// No pressure is better than one that makes things worse.
template <int Dim, class Real>
void PressureSolver<Dim, Real>::give_up() {
  const View<double> x = x_.view();
  parallel_for("give up", x.size(), [=](std::size_t p) { x[p] = 0; });
}

template <int Dim, class Real>
std::size_t PressureSolver<Dim, Real>::matrix_bytes() const {
  return matrix_.bytes() + components_.bytes() + multigrid_.bytes() + mic_.bytes() +
         inverse_diagonal_.bytes() + z_.bytes();
}

template <int Dim, class Real>
std::size_t PressureSolver<Dim, Real>::bytes() const {
  return matrix_bytes() + x_.bytes() + r_.bytes() + product_.bytes() + direction_.bytes();
}

template class PressureSolver<2, float>;
template class PressureSolver<3, float>;
template class PressureSolver<2, double>;
template class PressureSolver<3, double>;

}  // namespace octavo
