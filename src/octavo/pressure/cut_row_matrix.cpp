#include "octavo/pressure/cut_row_matrix.h"

namespace octavo {
template <int Dim, class Real>
void CutRowMatrix<Dim, Real>::build(const PressureFaces<Dim, Real>& faces, const CutRowsView& rows,
                                    const SiblingBlocksView<Dim>& sibling_blocks) {
  list_bundles(rows);
  list_entries(faces, sibling_blocks);
}

template <int Dim, class Real>
void CutRowMatrix<Dim, Real>::list_bundles(const CutRowsView& rows) {
  std::vector<Row> list;
  std::vector<std::uint32_t> first;
  auto add = [&](const CutRow& row) {
    const double known = row.is_cut ? row.inverse_mass : row.uncut_part();
    list.push_back({row, known, static_cast<std::uint32_t>(first.size() - 1)});
  };
  for (const CutRow& row : rows.row) {
    const bool differs = !row.is_cut && row.inverse_mass != row.uncut_part();
    if (row.group != CutRow::no_group || !differs) continue;
    first.push_back(static_cast<std::uint32_t>(list.size()));
    add(row);
  }
  for (std::size_t g = 0; g + 1 < rows.group.size(); ++g) {
    first.push_back(static_cast<std::uint32_t>(list.size()));
    for (const std::uint32_t k : rows.members(g)) add(rows.row[k]);
  }
  first.push_back(static_cast<std::uint32_t>(list.size()));
  keep(list, row_);
  keep(first, bundle_);
}

template <int Dim, class Real>
void CutRowMatrix<Dim, Real>::list_entries(const PressureFaces<Dim, Real>& faces,
                                           const SiblingBlocksView<Dim>& sibling_blocks) {
  constexpr std::size_t rows_at_once = 256;
  std::vector<std::vector<Entry>> parts(block_count(row_.size(), rows_at_once));
  of_row_.resize(row_.size() + 1);
  auto list = [&](std::size_t s, std::vector<Entry>& out) {
    const CutRow& row = row_[s].row;
    const LeavesBySize<Dim> first(faces.mesh, row.first);
    const double sign = first.large_is_high ? 1 : -1;
    auto add = [&](LeafId leaf, double area) {
      out.push_back({sibling_blocks.level_cell(leaf), static_cast<std::uint32_t>(s), sign * area});
    };
    if (row.large_is_wet) add(first.large, row.area);
    for_each_open_face(faces, row.faces(),
                       [&](FaceId, const LeavesBySize<Dim>& leaves, double area) {
                         if (faces.is_liquid(leaves.small)) add(leaves.small, -area);
                       });
  };
  parallel_blocks(
      "list entries of cut rows", row_.size(),
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
          const std::size_t before = parts[b].size();
          list(s, parts[b]);
          of_row_[s] = static_cast<std::uint32_t>(parts[b].size() - before);
        }
      },
      rows_at_once);
  of_row_[row_.size()] = 0;
  exclusive_scan("number entries", of_row_.view());
  concatenate("join entries", parts, entry_);

  // The same entries are put in the order of cells, so that cells can gather.
  cell_entry_ = entry_;
  const View<Entry> by_cell = cell_entry_.view();
  parallel_sort("sort entries by cells", by_cell,
                [](const Entry& p, const Entry& q) { return p.cell < q.cell; });
  std::vector<std::uint32_t> first;
  for (std::size_t e = 0; e < by_cell.size(); ++e)
    if (e == 0 || by_cell[e].cell != by_cell[e - 1].cell)
      first.push_back(static_cast<std::uint32_t>(e));
  first.push_back(static_cast<std::uint32_t>(by_cell.size()));
  keep(first, of_cell_);
}

template <int Dim, class Real>
double CutRowMatrix<Dim, Real>::apply(View<const Real> q, View<double> out) {
  flow_.resize(2 * row_.size());
  const View<double> rise{flow_.data(), row_.size()}, flow{flow_.data() + row_.size(), row_.size()};
  const View<const Row> row = std::as_const(row_).view();
  const View<const Entry> entry = std::as_const(entry_).view(),
                          by_cell = std::as_const(cell_entry_).view();
  const View<const std::uint32_t> bundle = std::as_const(bundle_).view(),
                                  of_row = std::as_const(of_row_).view(),
                                  of_cell = std::as_const(of_cell_).view();
  const double energy =
      parallel_sum("flow through cut rows", bundle.size() - 1, [=](std::size_t g) {
        const std::size_t begin = bundle[g], end = bundle[g + 1];
        for (std::size_t s = begin; s < end; ++s) {
          double sum = 0;
          for (std::size_t e = of_row[s]; e < of_row[s + 1]; ++e)
            sum += entry[e].area * static_cast<double>(q[entry[e].cell]);
          rise[s] = sum;
        }
        if (row[begin].row.group == CutRow::no_group)
          flow[begin] = row[begin].row.inverse_mass * rise[begin];
        else
          CutRowsView::multiply_group(
              end - begin, [&](std::size_t i) -> const CutRow& { return row[begin + i].row; },
              [&](std::size_t i) { return rise[begin + i]; },
              [&](std::size_t i, double y) { flow[begin + i] = y; });
        double sum = 0;
        for (std::size_t s = begin; s < end; ++s) {
          flow[s] -= row[s].known * rise[s];
          sum += flow[s] * rise[s];
        }
        return sum;
      });
  parallel_for("flow from cut rows into cells", of_cell.size() - 1, [=](std::size_t c) {
    double sum = 0;
    for (std::size_t e = of_cell[c]; e < of_cell[c + 1]; ++e)
      sum += by_cell[e].area * flow[by_cell[e].row];
    out[by_cell[of_cell[c]].cell] += sum;
  });
  return energy;
}

// This is an entry of X, less what is known of it.
template <int Dim, class Real>
double CutRowMatrix<Dim, Real>::coupling(const Row& p, const Row& q) const {
  if (p.bundle != q.bundle) return 0;
  if (p.row.first == q.row.first) return p.row.inverse_mass - p.known;
  double dd = 0, md = 0;
  for (std::size_t s = bundle_[p.bundle]; s < bundle_[p.bundle + 1]; ++s) {
    const CutRow& r = row_[s].row;
    dd += r.start * r.moment * r.moment;
    md += r.slope * r.moment;
  }
  return p.row.slope * q.row.slope / md -
         p.row.start * p.row.moment * q.row.start * q.row.moment / dd;
}

template <int Dim, class Real>
void CutRowMatrix<Dim, Real>::add_to_diagonal(View<double> diagonal) const {
  parallel_for("diagonal of cut rows", of_cell_.size() - 1, [&](std::size_t c) {
    double sum = 0;
    for (std::size_t e = of_cell_[c]; e < of_cell_[c + 1]; ++e)
      for (std::size_t f = of_cell_[c]; f < of_cell_[c + 1]; ++f)
        sum += cell_entry_[e].area * cell_entry_[f].area *
               coupling(row_[cell_entry_[e].row], row_[cell_entry_[f].row]);
    diagonal[cell_entry_[of_cell_[c]].cell] += sum;
  });
}

template <int Dim, class Real>
std::size_t CutRowMatrix<Dim, Real>::bytes() const {
  return row_.bytes() + bundle_.bytes() + of_row_.bytes() + entry_.bytes() + cell_entry_.bytes() +
         of_cell_.bytes() + flow_.bytes();
}

template class CutRowMatrix<2, float>;
template class CutRowMatrix<3, float>;
template class CutRowMatrix<2, double>;
template class CutRowMatrix<3, double>;

}  // namespace octavo
