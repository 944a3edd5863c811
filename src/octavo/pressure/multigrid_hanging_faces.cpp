// The multigrid treats hanging faces here, the faces between leaves of different sizes. Downward, the flow that
// a level's correction causes is passed on to the coarser levels, where the leaves it concerns are. Upward, the
// corrections of coarser leaves are known, and enter the right-hand side of finer ones as flow.

#include "octavo/pressure/multigrid.h"

namespace octavo {

// This diagonal term stands for the flow into a cell while it is relaxed; it is a multiple of the cell's weight.
template <int Dim, class Real>
void Multigrid<Dim, Real>::add_hanging_faces_to_diagonal(const SiblingLevel& level) {
  const HangingFacesView<Dim, Real> hanging_faces = matrix_->hanging_faces().view();
  const View<float> diagonal = inverse_diagonal_.view(), row_diagonal = row_diagonal_.view();
  const auto scale = static_cast<float>(1 / matrix_->full_coefficient(level.size));
  for_each_sibling_block(
      "diagonal of hanging faces", hanging_faces,
      matrix_->hanging_faces().rows_of_depth(level.depth), [=](std::size_t first, std::size_t end) {
        for (std::size_t r = first; r < end; ++r) {
          const HangingFaceRow<Dim, Real>& row = hanging_faces.row[r];
          const std::size_t j = row.hanging_face;
          row_diagonal[r] =
              hanging_faces.is_whole(j)
                  ? static_cast<float>(hanging_face_damping * hanging_faces.weight[j] *
                                       hanging_faces.gamma_at(j, level.depth))
                  : 1;
          row.for_each_member([&](std::size_t k, LevelCellId level_cell) {
            diagonal[level_cell] += scale * row_diagonal[r] * static_cast<float>(row.weight[k]);
          });
        }
      });
}

// Flow that deeper levels have found enters the leaves of this one.
template <int Dim, class Real>
void Multigrid<Dim, Real>::meet_hanging_faces_downward(std::size_t level) {
  const int depth = matrix_->sibling_blocks().levels()[level].depth;
  const HangingFacesView<Dim, Real> hanging_faces = matrix_->hanging_faces().view();
  const PressureMatrixView<Dim, Real> matrix = matrix_->view();
  const View<float> b = b_.view();
  const View<const float> so_far = flow_so_far_.view();
  for_each_sibling_block("flow into leaves", hanging_faces,
                         matrix_->hanging_faces().rows_of_depth(depth),
                         [=](std::size_t first, std::size_t end) {
                           const unsigned leaves = matrix.leaves_of(hanging_faces.row[first]);
                           for (std::size_t r = first; r < end && leaves != 0; ++r) {
                             const HangingFaceRow<Dim, Real>& row = hanging_faces.row[r];
                             const float flow = row.is_whole ? so_far[row.hanging_face] : 0;
                             if (flow != 0)
                               row.for_each_member([&](std::size_t k, LevelCellId level_cell) {
                                 if ((leaves >> k) & 1)
                                   b[level_cell] += static_cast<float>(row.weight[k]) * flow;
                               });
                           }
                         });
  for_each_large_leaf("flow out of leaves", hanging_faces, matrix_->hanging_faces().of_depth(depth),
                      [=](std::size_t first, std::size_t end) {
                        for (std::size_t j = first; j < end; ++j)
                          b[hanging_faces.hanging_face[j].large] -=
                              hanging_faces.is_whole(j)
                                  ? static_cast<float>(hanging_faces.large_weight(j)) * so_far[j]
                                  : so_far[j];
                      });
}

// Calls f(hanging face, sum) with the sum of weight * x over the cells of a depth across every hanging face
// that has some. The sums are taken first row by row, in the order in which rows are stored.
template <int Dim, class Real>
template <class F>
void Multigrid<Dim, Real>::for_each_hanging_face(int depth, F&& f) {
  const HangingFacesView<Dim, Real> hanging_faces = matrix_->hanging_faces().view();
  const IndexRange rows = matrix_->hanging_faces().rows_of_depth(depth);
  if (rows.begin == rows.end) return;
  const View<const float> x = x_.view();
  const View<float> row_sum = row_sum_.view();
  parallel_for("sums over rows", rows.end - rows.begin, [=](std::size_t i) {
    const HangingFaceRow<Dim, Real>& row = hanging_faces.row[rows.begin + i];
    float sum = 0;
    row.for_each_member([&](std::size_t k, LevelCellId level_cell) {
      sum += static_cast<float>(row.weight[k]) * x[level_cell];
    });
    row_sum[rows.begin + i] = sum;
  });
  parallel_for("flow at hanging faces", matrix_->hanging_faces().of_depth(depth).begin,
               [&](std::size_t j) {
                 const View<const std::uint32_t> of_hanging_face = hanging_faces.rows(j, depth);
                 if (of_hanging_face.size() == 0) return;
                 float sum = 0;
                 for (const std::uint32_t r : of_hanging_face) sum += row_sum[r];
                 f(j, sum);
               });
}

// Puts flow - part * x for each unit of weight into the cells of a depth; (flow, part) = inflow(row).
// The diagonal term stands for it while relaxing; where the flow itself is known, it is taken back.
template <int Dim, class Real>
template <class F>
void Multigrid<Dim, Real>::add_flow(int depth, bool keep_b, F&& inflow) {
  const HangingFacesView<Dim, Real> hanging_faces = matrix_->hanging_faces().view();
  const View<float> b = b_.view(), row_b = row_b_.view();
  const View<const float> x = x_.view(), row_diagonal = row_diagonal_.view();
  for_each_sibling_block(
      "flow into cells", hanging_faces, matrix_->hanging_faces().rows_of_depth(depth),
      [&](std::size_t first, std::size_t end) {
        hanging_faces.row[first].for_each_member([&](std::size_t k, LevelCellId level_cell) {
          if (keep_b)
            row_b[first * width + k] = b[level_cell];
          else
            b[level_cell] = row_b[first * width + k];
        });
        for (std::size_t r = first; r < end; ++r) {
          const HangingFaceRow<Dim, Real>& row = hanging_faces.row[r];
          const auto flow = inflow(row);
          const float term = row_diagonal[r] - flow.second;
          row.for_each_member([&](std::size_t k, LevelCellId level_cell) {
            b[level_cell] +=
                static_cast<float>(row.weight[k]) * (flow.first + term * x[level_cell]);
          });
        }
      });
}

// This finds the flow that this level's correction causes, and what it does to this level's residual.
template <int Dim, class Real>
void Multigrid<Dim, Real>::leave_hanging_faces_downward(std::size_t level) {
  const int depth = matrix_->sibling_blocks().levels()[level].depth;
  const HangingFacesView<Dim, Real> hanging_faces = matrix_->hanging_faces().view();
  const View<float> so_far = flow_so_far_.view(), flow = flow_.view();
  for_each_hanging_face(depth, [=](std::size_t j, float sum) {
    flow[j] = hanging_faces.is_whole(j)
                  ? -static_cast<float>(hanging_faces.gamma_at(j, depth)) * sum
                  : -sum;
    so_far[j] += flow[j];
  });
  add_flow(depth, true, [=](const HangingFaceRow<Dim, Real>& row) {
    return row.is_whole ? std::pair(flow[row.hanging_face], 0.0f) : std::pair(0.0f, 1.0f);
  });
}

// With the larger leaves' corrections known, the flow is put into the right-hand side.
template <int Dim, class Real>
void Multigrid<Dim, Real>::meet_hanging_faces_upward(std::size_t level) {
  const int depth = matrix_->sibling_blocks().levels()[level].depth;
  const HangingFacesView<Dim, Real> hanging_faces = matrix_->hanging_faces().view();
  const View<float> flow = flow_.view();
  const View<const float> rise = rise_.view();
  for_each_hanging_face(depth, [=](std::size_t j, float sum) {
    if (hanging_faces.is_whole(j))
      flow[j] = static_cast<float>(hanging_faces.gamma_at(j, depth)) * (rise[j] - sum);
  });
  add_flow(depth, false, [=](const HangingFaceRow<Dim, Real>& row) {
    return row.is_whole ? std::pair(flow[row.hanging_face], 0.0f)
                        : std::pair(rise[row.hanging_face], 1.0f);
  });
}

// Leaves of this level have their final correction.
template <int Dim, class Real>
void Multigrid<Dim, Real>::leave_hanging_faces_upward(std::size_t level) {
  const int depth = matrix_->sibling_blocks().levels()[level].depth;
  if (depth < 0 || matrix_->hanging_faces().empty()) return;
  const HangingFacesView<Dim, Real> hanging_faces = matrix_->hanging_faces().view();
  const PressureMatrixView<Dim, Real> matrix = matrix_->view();
  const View<float> rise = rise_.view();
  const View<const float> x = x_.view();
  const IndexRange here = matrix_->hanging_faces().of_depth(depth);
  parallel_for("pressure of large leaves", here.end - here.begin, [=](std::size_t i) {
    const std::size_t j = here.begin + i;
    rise[j] =
        x[hanging_faces.hanging_face[j].large] *
        (hanging_faces.is_whole(j) ? static_cast<float>(hanging_faces.large_weight(j)) : 1.0f);
  });
  parallel_for("pressure of small leaves", here.begin, [=](std::size_t j) {
    if (!hanging_faces.is_whole(j) || hanging_faces.rows(j, depth + 1).size() == 0) return;
    for (const std::uint32_t r : hanging_faces.rows(j, depth))
      hanging_faces.row[r].for_each_member([&, leaves = matrix.leaves_of(hanging_faces.row[r])](
                                               std::size_t k, LevelCellId level_cell) {
        if ((leaves >> k) & 1)
          rise[j] -= static_cast<float>(hanging_faces.row[r].weight[k]) * x[level_cell];
      });
  });
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace octavo
