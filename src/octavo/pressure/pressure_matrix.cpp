#include "octavo/pressure/pressure_matrix.h"
#include "octavo/multigrid/sibling_lanes.h"

namespace octavo {

template <int Dim, class Real>
double PressureMatrix<Dim, Real>::apply(View<const Real> q, View<double> out) {
  const MatrixView m = view();
  double energy = 0;
  for (const SiblingLevel& level : sibling_blocks_.levels()) {
    if (level.depth < 0) continue;
    const double scale = full_coefficient(level.size);
    auto apply_color = [=]<int Color>(std::size_t sibling_block,
                                      std::integral_constant<int, Color>) {
      const std::size_t i = sibling_block * width + Color * width / 2;
      const auto own = convert_lanes<Lanes<Dim, double>>(load_lanes<Dim>(&q[i]));
      const Lanes<Dim, double> diagonal = load_lanes<Dim>(&m.diagonal[i]);
      const Lanes<Dim, double> sum = sum_neighbors<Dim, Color, double>(
          q.data(), &m.sibling_blocks.neighbor[sibling_block * side_count<Dim>], sibling_block,
          m.block_of(sibling_block));
      const Lanes<Dim, double> value = where_positive(diagonal, scale * (diagonal * own - sum));
      store_lanes<Dim>(&out[i], value);
      return own * value;
    };
    energy += parallel_reduce(
        "apply pressure matrix", level.end - level.begin, 0.0,
        [=](std::size_t i) {
          const std::size_t sibling_block = level.begin + i;
          if (m.leaves[sibling_block] == 0) return 0.0;
          return sum_lanes(apply_color(sibling_block, std::integral_constant<int, 0>()) +
                           apply_color(sibling_block, std::integral_constant<int, 1>()));
        },
        std::plus<>(), sibling_blocks_at_once);
  }
  if (!hanging_faces_.empty()) energy += apply_hanging_faces(q, out);
  if (!cut_row_matrix_.empty()) energy += cut_row_matrix_.apply(q, out);
  return energy;
}

// Flow through large faces comes in three steps: first what flows, then into the
// smaller leaves, then out of the larger one.
template <int Dim, class Real>
double PressureMatrix<Dim, Real>::apply_hanging_faces(View<const Real> q, View<double> out) {
  const MatrixView m = view();
  const HangingFacesView<Dim, Real> hanging_faces = hanging_faces_.view();
  hanging_face_flow_.resize(hanging_faces.count());
  const View<double> flow = hanging_face_flow_.view();
  row_sum_.resize(hanging_faces.row.size());
  const View<RowSum> row_sum = row_sum_.view();
  parallel_for("sums over rows", hanging_faces.row.size(), [=](std::size_t r) {
    RowSum s{};
    hanging_faces.row[r].for_each_member([&](std::size_t k, LevelCellId level_cell) {
      const auto small = static_cast<double>(q[level_cell]);
      const double term = static_cast<double>(hanging_faces.row[r].weight[k]) * small;
      s.sum += term;
      s.squares += term * small;
    });
    row_sum[r] = s;
  });
  const double energy =
      parallel_sum("flow through hanging faces", hanging_faces.count(), [=](std::size_t j) {
        const auto large = static_cast<double>(q[hanging_faces.hanging_face[j].large]);
        double sum = 0, squares = 0;
        for (const std::uint32_t r : hanging_faces.rows(j)) {
          sum += row_sum[r].sum;
          squares += row_sum[r].squares;
        }
        const double rise = hanging_faces.large_weight(j) * large - sum;
        flow[j] = hanging_faces.is_whole(j) ? hanging_faces.gamma[j] * rise : rise;
        return hanging_faces.is_whole(j) ? flow[j] * rise : large * (rise - sum) + squares;
      });
  for_each_sibling_block(
      "flow into small leaves", hanging_faces, {0, hanging_faces.row.size()},
      [=](std::size_t first, std::size_t end) {
        const unsigned leaves = m.leaves_of(hanging_faces.row[first]);
        for (std::size_t r = first; r < end && leaves != 0; ++r) {
          const HangingFaceRow<Dim, Real>& row = hanging_faces.row[r];
          const bool whole = row.is_whole;
          const double in =
              whole ? flow[row.hanging_face]
                    : static_cast<double>(q[hanging_faces.hanging_face[row.hanging_face].large]);
          row.for_each_member([&](std::size_t k, LevelCellId level_cell) {
            const double own = whole ? 0 : static_cast<double>(q[level_cell]);
            if ((leaves >> k) & 1)
              out[level_cell] -= static_cast<double>(row.weight[k]) * (in - own);
          });
        }
      });
  for_each_large_leaf("flow out of large leaves", hanging_faces, {0, hanging_faces.count()},
                      [=](std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j)
                          out[hanging_faces.hanging_face[j].large] +=
                              hanging_faces.is_whole(j) ? hanging_faces.large_weight(j) * flow[j]
                                                        : flow[j];
                      });
  return energy;
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::full_diagonal(View<double> out) const {
  const MatrixView m = view();
  const HangingFacesView<Dim, Real> hanging_faces = hanging_faces_.view();
  for (const SiblingLevel& level : sibling_blocks_.levels()) {
    const double scale = full_coefficient(level.size);
    parallel_for("diagonal", (level.end - level.begin) * width, [=](std::size_t i) {
      const std::size_t level_cell = level.begin * width + i;
      out[level_cell] = scale * m.diagonal[level_cell];
    });
  }
  if (!cut_row_matrix_.empty()) cut_row_matrix_.add_to_diagonal(out);
  if (hanging_faces_.empty()) return;
  auto term = [=](std::size_t j, double w) {
    return hanging_faces.is_whole(j) ? hanging_faces.gamma[j] * w * w : w;
  };
  for_each_sibling_block(
      "diagonal of small leaves", hanging_faces, {0, hanging_faces.row.size()},
      [=](std::size_t first, std::size_t end) {
        const unsigned leaves = m.leaves_of(hanging_faces.row[first]);
        for (std::size_t r = first; r < end; ++r)
          hanging_faces.row[r].for_each_member([&](std::size_t k, LevelCellId level_cell) {
            if ((leaves >> k) & 1)
              out[level_cell] += term(hanging_faces.row[r].hanging_face,
                                      static_cast<double>(hanging_faces.row[r].weight[k]));
          });
      });
  for_each_large_leaf("diagonal of large leaves", hanging_faces, {0, hanging_faces.count()},
                      [=](std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j)
                          out[hanging_faces.hanging_face[j].large] +=
                              term(j, hanging_faces.large_weight(j));
                      });
}

template <int Dim, class Real>
PressureMatrixView<Dim, Real> PressureMatrix<Dim, Real>::view() const {
  return {sibling_blocks_.view(),  leaves_.view(), active_.view(),  diagonal_.view(),
          coarse_diagonal_.view(), block_.view(),  fraction_.view()};
}

template <int Dim, class Real>
std::size_t PressureMatrix<Dim, Real>::bytes() const {
  return sibling_blocks_.bytes() + hanging_faces_.bytes() + fragments_.bytes() + leaves_.bytes() +
         active_.bytes() + diagonal_.bytes() + coarse_diagonal_.bytes() + block_.bytes() +
         fraction_.bytes() + wet_.bytes() + side_fraction_.bytes() + dirichlet_.bytes() +
         filled_.bytes() + hanging_face_mask_.bytes() + hanging_face_flow_.bytes() +
         row_sum_.bytes();
}

template class PressureMatrix<2, float>;
template class PressureMatrix<3, float>;
template class PressureMatrix<2, double>;
template class PressureMatrix<3, double>;

}  // namespace octavo
