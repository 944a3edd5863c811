#pragma once

// The rows of a pressure operator, all of them, as dense matrices: B and X of pressure/cut_rows.h, with nothing but
// loops over faces, and the X of groups taken from the rows themselves.

#include "octavo/pressure/cut_rows.h"
#include "support/dense_matrix.h"
#include "support/pressure_problem.h"

namespace octavo::test {

template <int Dim>
struct DenseRows {
  std::vector<FaceRange> row;
  std::vector<std::vector<std::pair<std::size_t, double>>>
      b;  // of each row: leaves and signed areas
  DenseMatrix x{0};

  DenseRows(const PressureFaces<Dim, double>& faces, const CutRowsView& cut) {
    std::vector<double> uncut;
    for (std::size_t i = 0; i < faces.mesh.face_count(); ++i) {
      const FaceRange range = faces.row_of(FaceId(i));
      if (range.first != i) continue;
      std::vector<std::pair<std::size_t, double>> entries;
      double volume = 0;
      for (const FaceId f : range) {
        const auto [low, high] = faces.mesh.face_leaf[f];
        const bool open_wall = faces.link(f).kind == FaceLink::surface && faces.mesh.is_wall(f);
        if (!faces.is_passage(f) && !open_wall) continue;
        const double area = faces.boundary.open_fraction(f) * faces.mesh.area(f);
        volume +=
            area * (open_wall ? faces.link(f).distance
                              : 0.5 * (faces.mesh.tree.size(low) + faces.mesh.tree.size(high)));
        if (low.is_here() && faces.is_liquid(low)) entries.push_back({low, -area});
        if (high.is_here() && faces.is_liquid(high)) entries.push_back({high, area});
      }
      if (entries.empty()) continue;
      row.push_back(range);
      b.push_back(entries);
      uncut.push_back(1 / volume);
    }
    x = DenseMatrix(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      const CutRow* own = cut.find(row[k].first);
      x(k, k) = own == nullptr ? uncut[k] : own->start;
      if (own == nullptr || own->group == CutRow::no_group) continue;
      for (const std::uint32_t l : cut.members(own->group)) add_group(cut, own->group, k, l);
    }
  }

  std::vector<double> times_b(const std::vector<double>& q) const {
    std::vector<double> z(row.size(), 0.0);
    for (std::size_t k = 0; k < z.size(); ++k)
      for (const auto& [leaf, area] : b[k]) z[k] += area * q[leaf];
    return z;
  }
  std::vector<double> times_matrix(const std::vector<double>& q) const {
    const std::vector<double> y = x.times(times_b(q));
    std::vector<double> out(q.size(), 0.0);
    for (std::size_t k = 0; k < y.size(); ++k)
      for (const auto& [leaf, area] : b[k]) out[leaf] += area * y[k];
    return out;
  }

 private:
  // X = diag(x0) - (x0 d)(x0 d)^T / (d . x0 d) + m m^T / (m . d)
  void add_group(const CutRowsView& cut, std::uint32_t group, std::size_t k, std::uint32_t l) {
    double dd = 0, md = 0;
    for (const std::uint32_t n : cut.members(group)) {
      dd += cut.row[n].start * cut.row[n].moment * cut.row[n].moment;
      md += cut.row[n].slope * cut.row[n].moment;
    }
    const CutRow &p = *cut.find(row[k].first), &q = cut.row[l];
    std::size_t column = 0;
    while (row[column].first != q.first) ++column;
    x(k, column) += p.slope * q.slope / md - p.start * p.moment * q.start * q.moment / dd;
  }
};

}  // namespace octavo::test
