#include "octavo/smoke/smoke.h"

namespace octavo {

template <int Dim, class Real>
Smoke<Dim, Real>::Smoke(const Domain<Dim>& domain, SmokeParameters<Dim> parameters,
                        const std::optional<Start>& beginning)
    : parameters_((parameters.check(domain), std::move(parameters))),
      flow_(domain, parameters_, smoke_fields(parameters_)),
      density_(flow_.number("density")),
      temperature_(flow_.number("temperature")) {
  flow_.visibility = [this](const Mesh<Dim>& mesh, View<Visibility> visibility) {
    find_visibility(mesh, visibility);
  };
  if (beginning) start(*beginning);
}

template <int Dim, class Real>
StepReport Smoke<Dim, Real>::step(double dt) {
  flow_.begin_step(dt, confinement_.bytes());
  flow_.decide_leaves(dt);
  if (parameters_.stepping == TimeStepping::projection)
    step_by_projection(dt);
  else
    step_by_reflection(dt);
  return flow_.end_step(dt, confinement_.bytes());
}

// This advects, adds forces and projects.
template <int Dim, class Real>
void Smoke<Dim, Real>::step_by_projection(double dt) {
  const double now = flow_.time();
  flow_.onto_next_mesh(
      dt, [&](const MeshAndSolids& from, const MeshAndSolids& to) { flow_.advect(from, to, dt); });
  flow_.emit_sources(now, now + dt);
  add_forces(dt);
  flow_.project(dt);
}

// Half of the step is made twice; in between the velocity is reflected about the one free of divergence.
template <int Dim, class Real>
void Smoke<Dim, Real>::step_by_reflection(double dt) {
  const double now = flow_.time(), half = 0.5 * dt;
  flow_.onto_next_mesh(half, [&](const MeshAndSolids& from, const MeshAndSolids& to) {
    flow_.advect(from, to, half);
  });
  flow_.emit_sources(now, now + half);
  add_forces(half);
  flow_.keep_for_reflection();
  flow_.project(half);
  flow_.reflect();
  flow_.on_this_mesh(now + half, now + dt, [&](const MeshAndSolids& from, const MeshAndSolids& to) {
    flow_.advect_reflected(from, to, half);
  });
  flow_.use_reflected();
  flow_.emit_sources(now + half, now + dt);
  add_forces(half);
  flow_.project(half);
}

template <int Dim, class Real>
void Smoke<Dim, Real>::add_forces(double dt) {
  const PhaseTimer phase(flow_.report().seconds.forces);
  const SmokeParameters<Dim>& p = parameters_;
  FaceField<Real>& velocity = flow_.velocity();
  flow_.decay(dt);
  if (p.weight != 0 || p.lift != 0)
    add_buoyancy<Dim, Real>(mesh(), {p.weight, p.lift, p.ambient, p.up_axis}, dt, density_,
                            temperature_, velocity);
  if (!(p.acceleration == Vec<Dim>::filled(0)))
    add_acceleration(mesh(), p.acceleration, dt, velocity);
  if (p.confinement != 0) confinement_.add(mesh(), p.confinement, dt, velocity);
  flow_.impose_boundary();
}

template <int Dim, class Real>
double Smoke<Dim, Real>::leaves_passed_in(double seconds) const {
  flow_.require_ready();
  return flow_.leaves_passed_in(seconds, largest_acceleration());
}

template <int Dim, class Real>
double Smoke<Dim, Real>::largest_acceleration() const {
  const SmokeParameters<Dim>& p = parameters_;
  auto largest = [](const NodeField<Real>& field, double from) {
    const View<const Real> v = field.view();
    return parallel_max("largest value", v.size(), 0.0,
                        [=](std::size_t i) { return std::abs(static_cast<double>(v[i]) - from); });
  };
  double acceleration = length(p.acceleration);
  if (p.weight != 0) acceleration += std::abs(p.weight) * largest(density_, 0);
  if (p.lift != 0) acceleration += std::abs(p.lift) * largest(temperature_, p.ambient);
  return acceleration;
}

// The densest corner of a leaf is noticed; what it hides is the mean of its corners.
template <int Dim, class Real>
void Smoke<Dim, Real>::find_visibility(const Mesh<Dim>& mesh, View<Visibility> visibility) const {
  const MeshView<Dim> m = mesh.view();
  const View<const Real> density = std::as_const(density_).view();
  parallel_for("visibility", visibility.size(), [=](std::size_t i) {
    double sum = 0, most = 0;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const auto corner = static_cast<double>(density[m.node(LeafId(i), c)]);
      sum += corner;
      most = std::max(most, corner);
    }
    visibility[i] = {most, std::max(0.0, sum / child_count<Dim>)};
  });
}

template class Smoke<2, float>;
template class Smoke<3, float>;
template class Smoke<2, double>;
template class Smoke<3, double>;

}  // namespace octavo
