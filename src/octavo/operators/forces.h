#pragma once

// These forces act on a velocity on faces (Losasso 2004, section 5).
//
//   buoyancy      f = (-alpha rho + beta (T - T_ambient)) along up, with density and temperature averaged
//                 from the corners of each face
//   confinement   f = epsilon h (N x omega),  N = grad |omega| / |grad |omega||; velocities, vorticity and
//                 N at the centres of leaves, by the paper's chain of averages; h is the face's diagonal.
//                 Gradients that are rounding only, compared to |omega|/h, count as none.

#include "octavo/mesh/nodal_velocity.h"

namespace octavo {

// This is the mean of a nodal field over the corners of a face.
template <class T, int Dim>
constexpr T mean_on_face(const MeshView<Dim>& mesh, View<const T> nodal, FaceId face) {
  const auto [leaf, side] = mesh.finer(face);
  T sum{};
  for (int c = 0; c < child_count<Dim>; ++c)
    if (((c >> (side / 2)) & 1) == side % 2) sum += nodal[mesh.node(leaf, c)];
  return sum / static_cast<Scalar<T>>(side_child_count<Dim>);
}

struct Buoyancy {
  double weight, lift, ambient;
  int up_axis;
};

template <int Dim, class Real>
void add_buoyancy(const Mesh<Dim>& mesh, const Buoyancy& b, double dt,
                  const NodeField<Real>& density, const NodeField<Real>& temperature,
                  FaceField<Real>& velocity) {
  const MeshView<Dim> m = mesh.view();
  const View<const Real> rho = density.view(), t = temperature.view();
  const View<Real> u = velocity.view();
  const auto weight = static_cast<Real>(dt * b.weight), lift = static_cast<Real>(dt * b.lift),
             ambient = static_cast<Real>(b.ambient);
  parallel_for("buoyancy", m.owned_faces, [=](std::size_t i) {
    const FaceId face(i);
    if (m.axis(face) != b.up_axis) return;
    u[i] += lift * (mean_on_face<Real>(m, t, face) - ambient) -
            weight * mean_on_face<Real>(m, rho, face);
  });
}

template <int Dim, class Real>
void add_acceleration(const Mesh<Dim>& mesh, const Vec<Dim>& acceleration, double dt,
                      FaceField<Real>& velocity) {
  const MeshView<Dim> m = mesh.view();
  const View<Real> u = velocity.view();
  const Vec<Dim, Real> gain = (acceleration * dt).template cast<Real>();
  parallel_for("acceleration", m.owned_faces,
               [=](std::size_t i) { u[i] += gain[m.axis(FaceId(i))]; });
}

// The velocity at the centre of a leaf is the mean, by area, of what is on its sides.
template <int Dim, class Real>
constexpr Vec<Dim, Real> center_velocity(const MeshView<Dim>& mesh, View<const Real> velocity,
                                         LeafId leaf) {
  Vec<Dim, Real> u{};
  for (int side = 0; side < side_count<Dim>; ++side)
    u[side / 2] +=
        static_cast<Real>(0.5) * mean_on_side<Real>(mesh, velocity, Cell::leaf(leaf), side);
  return u;
}

// The derivative along an axis, at the centre of a leaf, of values at the centres of leaves is the mean of the
// differences across its two sides, each weighed by area. Beside a wall the other side alone counts.
template <class T, int Dim, class Value>
constexpr T center_derivative(const MeshView<Dim>& mesh, LeafId leaf, int axis, Value&& value) {
  using Real = Scalar<T>;
  const T own = value(leaf);
  const double size = mesh.tree.size(leaf);
  T sum{};
  int sides = 0;
  for (int end = 0; end < 2; ++end) {
    const FaceRange faces = mesh.faces(leaf, 2 * axis + end);
    if (!mesh.is_inner(faces.first)) continue;
    ++sides;
    const int level = mesh.tree.level(leaf);
    for (const FaceId f : faces) {
      const FaceLeaves l = mesh.face_leaf[f];
      const LeafId other = end == 1 ? l.high : l.low;
      const double distance = 0.5 * (size + mesh.tree.size(other));
      const double part =
          1.0 /
          static_cast<double>(std::uint64_t{1} << ((Dim - 1) * std::max(0, mesh.level(f) - level)));
      const T rise = end == 1 ? value(other) - own : own - value(other);
      sum += rise * static_cast<Real>(part / distance);
    }
  }
  return sides == 2 ? sum * static_cast<Real>(0.5) : sum;
}

// Vorticity is a vector along z in 2D.
template <int Dim, class Real>
constexpr Vec<3, Real> vorticity_of(const Vec<Dim, Real>* derivative) {
  if constexpr (Dim == 2)
    return {0, 0, derivative[0][1] - derivative[1][0]};
  else
    return {derivative[1][2] - derivative[2][1], derivative[2][0] - derivative[0][2],
            derivative[0][1] - derivative[1][0]};
}

// Confinement keeps its memory from step to step; it takes 12 + 12 + 4 bytes per leaf in 3D.
template <int Dim, class Real>
class Confinement {
 public:
  void add(const Mesh<Dim>& mesh, double epsilon, double dt, FaceField<Real>& velocity);
  std::size_t bytes() const { return center_.bytes() + vorticity_.bytes() + magnitude_.bytes(); }

 private:
  static constexpr double least_gradient = 1e-3;  // of |omega| / h
  LeafField<Vec<Dim, Real>> center_;              // velocity, then the force
  LeafField<Vec<3, Real>> vorticity_;
  LeafField<Real> magnitude_;
};

template <int Dim, class Real>
void Confinement<Dim, Real>::add(const Mesh<Dim>& mesh, double epsilon, double dt,
                                 FaceField<Real>& velocity) {
  const MeshView<Dim> m = mesh.view();
  const View<Real> u = velocity.view();
  center_.resize(mesh);
  vorticity_.resize(mesh);
  magnitude_.resize(mesh);
  const View<Vec<Dim, Real>> center = center_.view();
  const View<Vec<3, Real>> vorticity = vorticity_.view();
  const View<Real> magnitude = magnitude_.view();

  parallel_for("center velocity", m.owned_leaves,
               [=](std::size_t i) { center[i] = center_velocity<Dim, Real>(m, u, LeafId(i)); });
  parallel_for("vorticity", m.owned_leaves, [=](std::size_t i) {
    Vec<Dim, Real> derivative[Dim];
    for (int a = 0; a < Dim; ++a)
      derivative[a] =
          center_derivative<Vec<Dim, Real>>(m, LeafId(i), a, [=](LeafId l) { return center[l]; });
    vorticity[i] = vorticity_of<Dim, Real>(derivative);
    magnitude[i] = length(vorticity[i]);
  });

  // The force goes along N x omega, with N zero where the gradient is rounding.
  parallel_for("confinement", m.owned_leaves, [=](std::size_t i) {
    Vec<3, Real> n{};
    for (int a = 0; a < Dim; ++a)
      n[a] = center_derivative<Real>(m, LeafId(i), a, [=](LeafId l) { return magnitude[l]; });
    const auto least = static_cast<Real>(least_gradient * static_cast<double>(magnitude[i]) /
                                         m.tree.size(LeafId(i)));
    const Real steepness = length(n);
    const Vec<3, Real> force =
        steepness > least ? cross(n / steepness, vorticity[i]) : Vec<3, Real>{};
    for (int a = 0; a < Dim; ++a) center[i][a] = force[a];
  });

  const double diagonal = std::sqrt(static_cast<double>(Dim - 1));
  parallel_for("confinement", m.owned_faces, [=](std::size_t i) {
    const FaceId face(i);
    const auto [low, high] = m.face_leaf[face];
    if (!m.is_inner(face)) return;
    const int axis = m.axis(face);
    u[i] += static_cast<Real>(0.5 * dt * epsilon * diagonal * m.size(face)) *
            (center[low][axis] + center[high][axis]);
  });
}

}  // namespace octavo
