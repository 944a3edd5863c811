// What the multigrid does at joints, the faces between leaves of different sizes. Down: the flow that a
// level's correction causes is passed on to the coarser levels, where the leaves it concerns are. Up:
// the corrections of coarser leaves are known, and enter the right-hand side of finer ones as flow.

#include "octavo/solvers/multigrid.h"

namespace octavo {

// The diagonal term that stands for the flow into a cell while it is relaxed: a multiple of its weight.
template <int Dim, class Real>
void Multigrid<Dim, Real>::add_joints_to_diagonal(const FamilyLevel& level) {
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> diagonal = inverse_diagonal_.view(), row_diagonal = row_diagonal_.view();
  const auto scale = static_cast<float>(1 / matrix_->full_coefficient(level.size));
  for_each_family("diagonal of joints", joints, matrix_->joints().rows_of_depth(level.depth),
                  [=](std::size_t first, std::size_t end) {
                    for (std::size_t r = first; r < end; ++r) {
                      const JointRow<Dim, Real>& row = joints.row[r];
                      const std::size_t j = row.joint;
                      row_diagonal[r] = joints.is_whole(j)
                                            ? static_cast<float>(joint_damping * joints.weight[j] *
                                                                 joints.gamma_at(j, level.depth))
                                            : 1;
                      row.for_each_member([&](std::size_t k, PlaceId place) {
                        diagonal[place] +=
                            scale * row_diagonal[r] * static_cast<float>(row.weight[k]);
                      });
                    }
                  });
}

// Flow that deeper levels have found enters the leaves of this one.
template <int Dim, class Real>
void Multigrid<Dim, Real>::meet_joints_downward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const PressureMatrixView<Dim, Real> matrix = matrix_->view();
  const View<float> b = b_.view();
  const View<const float> so_far = flow_so_far_.view();
  for_each_family("flow into leaves", joints, matrix_->joints().rows_of_depth(depth),
                  [=](std::size_t first, std::size_t end) {
                    const unsigned leaves = matrix.leaves_of(joints.row[first]);
                    for (std::size_t r = first; r < end && leaves != 0; ++r) {
                      const JointRow<Dim, Real>& row = joints.row[r];
                      const float flow = row.is_whole ? so_far[row.joint] : 0;
                      if (flow != 0)
                        row.for_each_member([&](std::size_t k, PlaceId place) {
                          if ((leaves >> k) & 1)
                            b[place] += static_cast<float>(row.weight[k]) * flow;
                        });
                    }
                  });
  for_each_large_leaf("flow out of leaves", joints, matrix_->joints().of_depth(depth),
                      [=](std::size_t first, std::size_t end) {
                        for (std::size_t j = first; j < end; ++j)
                          b[joints.joint[j].large] -=
                              joints.is_whole(j) ? static_cast<float>(joints.weight[j]) * so_far[j]
                                                 : so_far[j];
                      });
}

// The sum of weight * x over the cells of a depth across every joint that has some: f(joint, sum). First
// row by row, in the order in which they are stored.
template <int Dim, class Real>
template <class F>
void Multigrid<Dim, Real>::for_each_joint(int depth, F&& f) {
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const IndexRange rows = matrix_->joints().rows_of_depth(depth);
  if (rows.begin == rows.end) return;
  const View<const float> x = x_.view();
  const View<float> row_sum = row_sum_.view();
  parallel_for("sums over rows", rows.end - rows.begin, [=](std::size_t i) {
    const JointRow<Dim, Real>& row = joints.row[rows.begin + i];
    float sum = 0;
    row.for_each_member(
        [&](std::size_t k, PlaceId place) { sum += static_cast<float>(row.weight[k]) * x[place]; });
    row_sum[rows.begin + i] = sum;
  });
  parallel_for("flow at joints", matrix_->joints().of_depth(depth).begin, [&](std::size_t j) {
    const View<const std::uint32_t> of_joint = joints.rows(j, depth);
    if (of_joint.size() == 0) return;
    float sum = 0;
    for (const std::uint32_t r : of_joint) sum += row_sum[r];
    f(j, sum);
  });
}

// Puts flow - part * x for each unit of weight into the cells of a depth; (flow, part) = inflow(row).
// The diagonal term stands for it while relaxing; where the flow itself is known, it is taken back.
template <int Dim, class Real>
template <class F>
void Multigrid<Dim, Real>::add_flow(int depth, bool keep_b, F&& inflow) {
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> b = b_.view(), row_b = row_b_.view();
  const View<const float> x = x_.view(), row_diagonal = row_diagonal_.view();
  for_each_family("flow into cells", joints, matrix_->joints().rows_of_depth(depth),
                  [&](std::size_t first, std::size_t end) {
                    joints.row[first].for_each_member([&](std::size_t k, PlaceId place) {
                      if (keep_b)
                        row_b[first * width + k] = b[place];
                      else
                        b[place] = row_b[first * width + k];
                    });
                    for (std::size_t r = first; r < end; ++r) {
                      const JointRow<Dim, Real>& row = joints.row[r];
                      const auto flow = inflow(row);
                      const float term = row_diagonal[r] - flow.second;
                      row.for_each_member([&](std::size_t k, PlaceId place) {
                        b[place] +=
                            static_cast<float>(row.weight[k]) * (flow.first + term * x[place]);
                      });
                    }
                  });
}

// The flow that this level's correction causes, and what it does to this level's residual.
template <int Dim, class Real>
void Multigrid<Dim, Real>::leave_joints_downward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> so_far = flow_so_far_.view(), flow = flow_.view();
  for_each_joint(depth, [=](std::size_t j, float sum) {
    flow[j] = joints.is_whole(j) ? -static_cast<float>(joints.gamma_at(j, depth)) * sum : -sum;
    so_far[j] += flow[j];
  });
  add_flow(depth, true, [=](const JointRow<Dim, Real>& row) {
    return row.is_whole ? std::pair(flow[row.joint], 0.0f) : std::pair(0.0f, 1.0f);
  });
}

// With the larger leaves' corrections known, the flow is put into the right-hand side.
template <int Dim, class Real>
void Multigrid<Dim, Real>::meet_joints_upward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> flow = flow_.view();
  const View<const float> rise = rise_.view();
  for_each_joint(depth, [=](std::size_t j, float sum) {
    if (joints.is_whole(j))
      flow[j] = static_cast<float>(joints.gamma_at(j, depth)) * (rise[j] - sum);
  });
  add_flow(depth, false, [=](const JointRow<Dim, Real>& row) {
    return row.is_whole ? std::pair(flow[row.joint], 0.0f) : std::pair(rise[row.joint], 1.0f);
  });
}

// Leaves of this level have their final correction.
template <int Dim, class Real>
void Multigrid<Dim, Real>::leave_joints_upward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  if (depth < 0 || matrix_->joints().empty()) return;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const PressureMatrixView<Dim, Real> matrix = matrix_->view();
  const View<float> rise = rise_.view();
  const View<const float> x = x_.view();
  const IndexRange here = matrix_->joints().of_depth(depth);
  parallel_for("pressure of large leaves", here.end - here.begin, [=](std::size_t i) {
    const std::size_t j = here.begin + i;
    rise[j] = x[joints.joint[j].large] *
              (joints.is_whole(j) ? static_cast<float>(joints.weight[j]) : 1.0f);
  });
  parallel_for("pressure of small leaves", here.begin, [=](std::size_t j) {
    if (!joints.is_whole(j) || joints.rows(j, depth + 1).size() == 0) return;
    for (const std::uint32_t r : joints.rows(j, depth))
      joints.row[r].for_each_member(
          [&, leaves = matrix.leaves_of(joints.row[r])](std::size_t k, PlaceId place) {
            if ((leaves >> k) & 1)
              rise[j] -= static_cast<float>(joints.row[r].weight[k]) * x[place];
          });
  });
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace octavo
