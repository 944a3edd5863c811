#pragma once

// Rows that a free surface cuts, and those that are coupled to them. The pressure p changes the velocity of a row by
//
//   u = u* - X B (p - p_I) - grad p_I,    A = B^T X B                          (row_measure.h has B, V, m and d)
//
// with p_I the known pressure at the surface, its gradient taken from all leaves of a row, wet or dry (p_I = 0 far from
// it), and X the inverse mass of rows, a symmetric positive definite matrix. A row that is not cut has X = 1/V. Still water,
// p = alpha psi, rests if and only if X d = m. This is so for
//
//   X = W / V,  W = V m / d         of Ando and Batty 2020, sections 4.3 to 4.6; on a face between leaves of one size
//                                   it is the ghost fluid method. It needs W > 0.
//
// A row for which W is not positive (a *seed*) is coupled to a *partner*, a row of another direction that shares a
// liquid leaf with it. Rows that share partners are a group, in which the secant update of Davidon, Fletcher and
// Powell makes of the diagonal x0 (1/V for seeds, W/V for partners) the nearest matrix that is right,
//
//   X_g = diag(x0) - (x0 d)(x0 d)^T / (d^T x0 d) + m m^T / (m^T d)
//
// which is positive definite if m^T d > 0. Rows whose faces solids leave open to different parts are coupled in the
// same way, with psi the height along gravity where they are not cut. The projection is orthogonal in the norm of
// M = X^-1: it never adds energy to sum u M u, nor does the reflection.
//
// Rows are named by their faces, in whose order they are listed; partners that are not cut come after all others.

#include <algorithm>
#include <vector>

#include "octavo/pressure/row_measure.h"

namespace octavo {

// A list of unknown length has become an array.
template <class T>
void keep(const std::vector<T>& list, Buffer<T>& out) {
  out.resize(list.size());
  std::copy(list.begin(), list.end(), out.begin());
}

struct CutRow {
  static constexpr std::uint32_t no_group = 0xffffffffu;

  FaceId first, last;  // its faces are [first, last)
  double volume, slope, moment;
  double start;           // x0, in 1/m^Dim
  double inverse_mass;    // its entry on the diagonal of X
  double area, wet_area;  // as in RowMeasure
  std::uint32_t wet_leaves;
  std::uint32_t group = no_group;
  bool large_is_wet, is_cut;
  bool meets_surface;  // it is cut, or in a group with one that is

  CutRow(const FaceRange& faces, const RowMeasure& r, double weight)
      : first(faces.first),
        last(faces.last),
        volume(r.volume),
        slope(r.slope),
        moment(r.moment),
        start(weight / r.volume),
        inverse_mass(start),
        area(r.area),
        wet_area(r.wet_area),
        wet_leaves(r.wet_leaves),
        large_is_wet(r.large_is_wet),
        is_cut(r.is_cut()),
        meets_surface(is_cut) {}
  CutRow() = default;

  FaceRange faces() const { return {first, last}; }
  bool is_large() const { return last - first > 1; }
  // Of one liquid leaf the row is a term on the diagonal of the matrix, and nothing else.
  bool is_one_term() const { return is_cut && wet_leaves == 1; }

  // The M-matrix for preconditioners has, for each open face of a cut row, such a term between its two leaves, or
  // between the liquid one and the surface.
  double conductance(double face_area) const {
    return inverse_mass * (large_is_wet ? area : wet_area) * face_area;
  }
  double weight() const { return inverse_mass * volume; }
  // The rest of the pressure operator takes rows for what they are if nothing cuts them.
  double uncut_part() const { return is_cut ? 0 : 1 / volume; }
};

struct CutRowsView {
  View<const CutRow> row;
  std::size_t listed = 0;                   // the others are partners that are not cut
  View<const std::uint32_t> group, member;  // a group's first member, and one more; rows

  bool empty() const { return row.size() == 0; }

  // This is the row that holds a face, if it is here.
  const CutRow* find(FaceId face) const {
    if (const CutRow* found = find_in(row.begin(), row.begin() + listed, face)) return found;
    return find_in(row.begin() + listed, row.end(), face);
  }
  View<const std::uint32_t> members(std::size_t g) const {
    return {member.data() + group[g], group[g + 1] - group[g]};
  }

  // Calls set(i, y) with y = X_g z for the rows row_at(i), i in 0..count, of one group, where z(i) is given.
  template <class RowAt, class Z, class Set>
  static void multiply_group(std::size_t count, RowAt&& row_at, Z&& z, Set&& set) {
    double dz = 0, dd = 0, mz = 0, md = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const CutRow& r = row_at(i);
      const double xd = r.start * r.moment;
      dz += xd * z(i);
      dd += xd * r.moment;
      mz += r.slope * z(i);
      md += r.slope * r.moment;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const CutRow& r = row_at(i);
      set(i, r.start * (z(i) - r.moment * (dz / dd)) + r.slope * (mz / md));
    }
  }

 private:
  static const CutRow* find_in(const CutRow* begin, const CutRow* end, FaceId face) {
    const CutRow* after =
        std::upper_bound(begin, end, face, [](FaceId f, const CutRow& r) { return f < r.first; });
    return after != begin && face < (after - 1)->last ? after - 1 : nullptr;
  }
};

// This is what a step reports of them.
struct CutRowCounts {
  std::size_t cut = 0, large = 0;  // rows that the surface cuts; large faces among them
  std::size_t degenerate = 0;      // cut rows for which W is not positive
  std::size_t without_partner = 0;
  double largest_weight = 0;  // the largest W of rows that are not degenerate
};

template <int Dim, class Real>
class RowJudge;

template <int Dim, class Real>
class CutRows {
 public:
  // Rows without a partner get this weight: nearly a wall, but none that would seal a leaf.
  static constexpr double lonely_weight = 0.01;
  // Clamped ones, and those whose weight is zero but for rounding, keep that much, so that the matrix stays regular.
  static constexpr double least_weight = 1e-12;

  // There are none without a surface, or with a ghost fluid.
  void build(const PressureFaces<Dim, Real>& faces);

  CutRowsView view() const { return {row_.view(), listed_, group_.view(), member_.view()}; }
  bool empty() const { return row_.empty(); }
  const CutRowCounts& counts() const { return counts_; }

  // Gives what a row's velocity loses, X B (q - p_I) + grad p_I with p_I = scale * the known pressure, less grad q of
  // rows that are not cut. The result is valid until the next call.
  template <class Pressure>
  View<const double> gradient(const PressureFaces<Dim, Real>& faces, double scale, Pressure&& q);

  // This is u M u, for a velocity that rows share; twice the kinetic energy by density. Without cut rows it is
  // sum area distance u^2.
  double squared_norm(const PressureFaces<Dim, Real>& faces, View<const Real> velocity) const;

  std::size_t bytes() const {
    return row_.bytes() + group_.bytes() + member_.bytes() + rise_.bytes() + gradient_.bytes();
  }

 private:
  void list_rows(const PressureFaces<Dim, Real>& faces);
  void couple(const RowJudge<Dim, Real>& judge, const std::vector<std::uint32_t>& seeds);

  Buffer<CutRow> row_;
  std::size_t listed_ = 0;
  Buffer<std::uint32_t> group_, member_;
  Buffer<double> rise_, gradient_;
  CutRowCounts counts_;
};

// This is sum area (value of the leaf above - value of the leaf below) over the open faces of a row.
template <int Dim, class Real, class Value>
double rise_across(const PressureFaces<Dim, Real>& faces, const CutRow& row, Value&& value) {
  double rise = 0;
  for_each_open_face(faces, row.faces(), [&](FaceId, const LeavesBySize<Dim>& leaves, double area) {
    const double up = value(leaves.large) - value(leaves.small);
    rise += area * (leaves.large_is_high ? up : -up);
  });
  return rise;
}

template <int Dim, class Real>
template <class Pressure>
View<const double> CutRows<Dim, Real>::gradient(const PressureFaces<Dim, Real>& faces, double scale,
                                                Pressure&& q) {
  rise_.resize(row_.size());
  gradient_.resize(row_.size());
  const View<double> rise = rise_.view(), out = gradient_.view();
  const CutRowsView rows = view();
  const View<const Real> surface = faces.boundary.surface_pressure;
  auto known = [=](LeafId leaf) {
    return surface.size() > 0 ? scale * static_cast<double>(surface[leaf]) : 0.0;
  };
  parallel_for("rise across cut rows", rows.row.size(), [&](std::size_t k) {
    const CutRow& row = rows.row[k];
    rise[k] = rise_across(faces, row, [&](LeafId leaf) {
      if (!faces.is_liquid(leaf)) return 0.0;
      return row.meets_surface ? q(leaf) - known(leaf) : q(leaf);
    });
    out[k] = (row.inverse_mass - row.uncut_part()) * rise[k];
  });
  parallel_for(
      "gradient of groups", rows.group.size() > 0 ? rows.group.size() - 1 : 0, [=](std::size_t g) {
        const View<const std::uint32_t> members = rows.members(g);
        rows.multiply_group(
            members.size(), [&](std::size_t i) -> const CutRow& { return rows.row[members[i]]; },
            [&](std::size_t i) { return rise[members[i]]; },
            [&](std::size_t i, double y) {
              const std::uint32_t k = members[i];
              out[k] = y - rows.row[k].uncut_part() * rise[k];
            });
      });
  if (surface.size() > 0)
    parallel_for("gradient of known pressures", rows.row.size(), [&](std::size_t k) {
      const CutRow& row = rows.row[k];
      if (row.is_cut) out[k] += rise_across(faces, row, known) / row.volume;
    });
  return gradient_.view();
}

extern template class CutRows<2, float>;
extern template class CutRows<3, float>;
extern template class CutRows<2, double>;
extern template class CutRows<3, double>;

}  // namespace octavo
