#include "octavo/solvers/incomplete_cholesky.h"

namespace octavo {

template <int Dim, class Real>
void IncompleteCholesky<Dim, Real>::build(const PressureFaces<Dim, Real>& given,
                                          const FamiliesView<Dim>& families) {
  PressureFaces<Dim, Real> faces = given;
  if (faces.scheme.whole_faces()) faces.scheme = {GradientScheme::losasso04, {}};
  const MeshView<Dim>& mesh = faces.mesh;
  const std::size_t n = mesh.leaf_count();

  // Lower triangle, diagonal, and for each row the sum of its entries above the diagonal.
  auto for_each_link = [&](std::size_t i, auto&& visit) {
    if (!faces.boundary.is_liquid(LeafId(i))) return;
    for (int side = 0; side < side_count<Dim>; ++side)
      for (const FaceId face : mesh.faces(LeafId(i), side)) {
        const FaceLink l = faces.link(face);
        if (l.kind != FaceLink::pair && l.kind != FaceLink::surface) continue;
        const FaceLeaves leaves = mesh.face_leaf[face];
        const LeafId other = l.kind == FaceLink::surface ? LeafId::none()
                             : leaves.low == i           ? leaves.high
                                                         : leaves.low;
        visit(other, l.area / l.distance);
      }
  };
  first_.resize(n + 1);
  place_.resize(n);
  std::size_t total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    place_[i] = families.place(LeafId(i));
    first_[i] = static_cast<std::uint32_t>(total);
    for_each_link(i, [&](LeafId j, double) { total += !j.is_none() && j < i ? 1 : 0; });
  }
  first_[n] = static_cast<std::uint32_t>(total);
  column_.resize(total);
  value_.resize(total);
  pivot_.resize(n);
  z_.resize(families.place_count());
  work_.resize(n);
  for (double& z : z_) z = 0;

  Buffer<double> above(n);
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double diagonal = 0;
    above[i] = 0;
    for_each_link(i, [&](LeafId j, double c) {
      diagonal += c;
      if (j.is_none()) return;
      if (j > i) {
        above[i] -= c;
        return;
      }
      column_[next] = j;
      value_[next++] = -c;
    });
    double pivot = diagonal;
    for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
      const std::uint32_t k = column_[e];
      if (pivot_[k] > 0) pivot -= value_[e] / pivot_[k] * above[k];
    }
    // The last row of a closed component has nothing left over: its equation is redundant.
    pivot_[i] = pivot > 1e-12 * diagonal ? pivot : diagonal;
  }
}

template <int Dim, class Real>
void IncompleteCholesky<Dim, Real>::apply(View<const double> r) {
  const std::size_t n = place_.size();
  for (std::size_t i = 0; i < n; ++i) {
    double s = r[place_[i]];
    for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) s -= value_[e] * work_[column_[e]];
    work_[i] = pivot_[i] > 0 ? s / pivot_[i] : 0;
  }
  // Backward: row i has passed its result on to all columns below it.
  for (std::size_t i = n; i-- > 0;) {
    const double z = work_[i];
    z_[place_[i]] = z;
    for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
      const std::uint32_t k = column_[e];
      if (pivot_[k] > 0) work_[k] -= value_[e] * z / pivot_[k];
    }
  }
}

template <int Dim, class Real>
void IncompleteCholesky<Dim, Real>::multiply(View<const double> v, View<double> out) const {
  const std::size_t n = place_.size();
  Buffer<double> t(n);
  for (std::size_t i = 0; i < n; ++i) t[i] = pivot_[i] * v[i];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) t[column_[e]] += value_[e] * v[i];
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = t[i];
    for (std::size_t e = first_[i]; e < first_[i + 1]; ++e)
      if (pivot_[column_[e]] > 0) out[i] += value_[e] * t[column_[e]] / pivot_[column_[e]];
  }
}

template class IncompleteCholesky<2, float>;
template class IncompleteCholesky<3, float>;
template class IncompleteCholesky<2, double>;
template class IncompleteCholesky<3, double>;

}  // namespace octavo
