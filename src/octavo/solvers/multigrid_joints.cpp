// What the multigrid does at joints, the faces between leaves of different sizes. Down: the flow that a
// level's correction causes is passed on to the coarser levels, where the leaves it concerns are. Up:
// the corrections of coarser leaves are known, and enter the right-hand side of finer ones as flow.

#include "octavo/solvers/multigrid.h"

namespace octavo {
namespace {

template <int Dim, class Real, class F>
void for_each_row(const char* label, const Joints<Dim, Real>& joints, int depth, F&& f) {
  for (const auto& [begin, end] : joints.rows_of_depth(depth))
    parallel_for(label, end - begin, [&f, begin = begin](std::size_t i) { f(begin + i); });
}

}  // namespace

template <int Dim, class Real>
bool Multigrid<Dim, Real>::has_rows(int depth) const {
  const auto rows = matrix_->joints().rows_of_depth(depth);
  return rows[0].begin < rows[0].end || rows[1].begin < rows[1].end;
}

// The diagonal term that stands for the flow into a cell while it is relaxed.
template <int Dim, class Real>
void Multigrid<Dim, Real>::add_joints_to_diagonal(const FamilyLevel& level) {
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> diagonal = inverse_diagonal_.view(), row_diagonal = row_diagonal_.view();
  const auto scale = static_cast<float>(1 / matrix_->full_coefficient(level.size));
  for_each_row("diagonal of joints", matrix_->joints(), level.depth, [=](std::size_t r) {
    double sum = 0;
    for (const JointEntry<Real>& e : joints.entries(r)) {
      const auto w = static_cast<double>(e.weight);
      sum += joints.is_whole(e.joint) ? joint_damping * w * joints.gamma_at(e.joint, level.depth) *
                                            joints.weight[e.joint]
                                      : w;
    }
    row_diagonal[r] = static_cast<float>(sum);
    diagonal[joints.row[r].place] += scale * static_cast<float>(sum);
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
  for_each_row("flow into leaves", matrix_->joints(), depth, [=](std::size_t r) {
    const PlaceId place = joints.row[r].place;
    if (!matrix.is_leaf(place)) return;
    for (const JointEntry<Real>& e : joints.entries(r))
      if (joints.is_whole(e.joint)) b[place] += static_cast<float>(e.weight) * so_far[e.joint];
  });
  const auto [first, last] = matrix_->joints().of_depth(depth);
  for_each_large_leaf("flow out of leaves", joints, first, last,
                      [=](PlaceId large, std::size_t j, std::size_t j_end) {
                        for (; j < j_end; ++j)
                          b[large] -= joints.is_whole(j)
                                          ? static_cast<float>(joints.weight[j]) * so_far[j]
                                          : so_far[j];
                      });
}

// The flow that this level's correction causes, and what it does to this level's residual.
template <int Dim, class Real>
void Multigrid<Dim, Real>::leave_joints_downward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  if (!has_rows(depth)) return;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> b = b_.view(), so_far = flow_so_far_.view(), flow = flow_.view();
  const View<float> row_b = row_b_.view();
  const View<const float> x = x_.view(), row_diagonal = row_diagonal_.view();
  parallel_for("flow at joints", matrix_->joints().of_depth(depth).begin, [=](std::size_t j) {
    const auto members = joints.members(j, depth);
    if (members.size() == 0) return;
    float sum = 0;
    for (const auto& member : members) sum += static_cast<float>(member.weight) * x[member.place];
    flow[j] = joints.is_whole(j) ? -static_cast<float>(joints.gamma_at(j, depth)) * sum : -sum;
    so_far[j] += flow[j];
  });
  for_each_row("flow into cells", matrix_->joints(), depth, [=](std::size_t r) {
    const PlaceId place = joints.row[r].place;
    float in = 0;
    for (const JointEntry<Real>& e : joints.entries(r))
      in += static_cast<float>(e.weight) * (joints.is_whole(e.joint) ? flow[e.joint] : -x[place]);
    row_b[r] = b[place];
    // The diagonal term stands for the flow while relaxing; here the flow itself is known.
    b[place] += in + row_diagonal[r] * x[place];
  });
}

// With the larger leaves' corrections known, the flow is put into the right-hand side.
template <int Dim, class Real>
void Multigrid<Dim, Real>::meet_joints_upward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  if (!has_rows(depth)) return;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> b = b_.view(), flow = flow_.view();
  const View<const float> x = x_.view(), row_b = row_b_.view(), rise = rise_.view(),
                          row_diagonal = row_diagonal_.view();
  parallel_for("flow at joints", matrix_->joints().of_depth(depth).begin, [=](std::size_t j) {
    const auto members = joints.members(j, depth);
    if (members.size() == 0) return;
    float sum = 0;
    for (const auto& member : members) sum += static_cast<float>(member.weight) * x[member.place];
    if (joints.is_whole(j))
      flow[j] = static_cast<float>(joints.gamma_at(j, depth)) * (rise[j] - sum);
  });
  for_each_row("flow into cells", matrix_->joints(), depth, [=](std::size_t r) {
    const PlaceId place = joints.row[r].place;
    float in = 0;
    for (const JointEntry<Real>& e : joints.entries(r))
      in += static_cast<float>(e.weight) *
            (joints.is_whole(e.joint) ? flow[e.joint] : rise[e.joint] - x[place]);
    b[place] = row_b[r] + in + row_diagonal[r] * x[place];
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
  const auto [first, last] = matrix_->joints().of_depth(depth);
  parallel_for("pressure of large leaves", last - first, [=, first = first](std::size_t i) {
    const std::size_t j = first + i;
    rise[j] = x[joints.joint[j].large] *
              (joints.is_whole(j) ? static_cast<float>(joints.weight[j]) : 1.0f);
  });
  parallel_for("pressure of small leaves", first, [=](std::size_t j) {
    if (!joints.is_whole(j) || joints.members(j, depth + 1).size() == 0) return;
    for (const auto& member : joints.members(j, depth))
      if (matrix.is_leaf(member.place))
        rise[j] -= static_cast<float>(member.weight) * x[member.place];
  });
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace octavo
