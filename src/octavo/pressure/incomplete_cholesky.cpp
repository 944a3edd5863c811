#include "octavo/pressure/incomplete_cholesky.h"

namespace octavo {

namespace {

// Calls visit(other leaf, coefficient) for the links of a leaf; the other end of a surface is none.
template <int Dim, class Real, class Visit>
void for_each_link(const PressureFaces<Dim, Real>& faces, const CutRowsView& cut_rows, LeafId leaf,
                   Visit&& visit) {
  if (!faces.is_liquid(leaf)) return;
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const FaceId face : faces.mesh.faces(leaf, side)) {
      const FaceLink l = faces.link(face);
      if (l.kind != FaceLink::pair && l.kind != FaceLink::surface) continue;
      const FaceLeaves leaves = faces.mesh.face_leaf[face];
      const LeafId other = leaves.low == leaf ? leaves.high : leaves.low;
      const CutRow* row = cut_rows.find(face);
      const bool is_cut = row != nullptr && row->is_cut;
      visit(l.kind == FaceLink::surface ? LeafId::none() : other,
            is_cut ? row->conductance(l.area) : l.area / l.distance);
    }
}

}  // namespace

template <int Dim, class Real>
void IncompleteCholesky<Dim, Real>::build(const PressureFaces<Dim, Real>& faces,
                                          const SiblingBlocksView<Dim>& sibling_blocks,
                                          const CutRowsView& cut_rows) {
  const std::size_t n = faces.mesh.leaf_count();
  first_.resize(n + 1);
  cell_.resize(n);
  std::size_t total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    cell_[i] = sibling_blocks.level_cell(LeafId(i));
    first_[i] = static_cast<std::uint32_t>(total);
    for_each_link(faces, cut_rows, LeafId(i),
                  [&](LeafId j, double) { total += !j.is_none() && j < i; });
  }
  first_[n] = static_cast<std::uint32_t>(total);
  column_.resize(total);
  value_.resize(total);
  z_.resize(sibling_blocks.level_cell_count());
  work_.resize(n);
  for (double& z : z_) z = 0;
  factorize(faces, cut_rows);
}

template <int Dim, class Real>
void IncompleteCholesky<Dim, Real>::factorize(const PressureFaces<Dim, Real>& faces,
                                              const CutRowsView& cut_rows) {
  const std::size_t n = faces.mesh.leaf_count();
  pivot_.resize(n);
  const View<double> above =
      work_.view();  // of each row, the sum of the entries above the diagonal
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double diagonal = 0;
    above[i] = 0;
    for_each_link(faces, cut_rows, LeafId(i), [&](LeafId j, double c) {
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
void IncompleteCholesky<Dim, Real>::apply(View<const double> r, double scale) {
  const std::size_t n = cell_.size();
  for (std::size_t i = 0; i < n; ++i) {
    double s = scale * r[cell_[i]];
    for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) s -= value_[e] * work_[column_[e]];
    work_[i] = pivot_[i] > 0 ? s / pivot_[i] : 0;
  }
  // Backward, row i has passed its result on to all columns below it.
  for (std::size_t i = n; i-- > 0;) {
    const double z = work_[i];
    z_[cell_[i]] = z;
    for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
      const std::uint32_t k = column_[e];
      if (pivot_[k] > 0) work_[k] -= value_[e] * z / pivot_[k];
    }
  }
}

template <int Dim, class Real>
void IncompleteCholesky<Dim, Real>::multiply(View<const double> v, View<double> out) const {
  const std::size_t n = cell_.size();
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
