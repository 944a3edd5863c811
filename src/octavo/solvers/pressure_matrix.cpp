#include "octavo/solvers/pressure_matrix.h"
#include "octavo/solvers/family_lanes.h"

namespace octavo {

template <int Dim, class Real>
double PressureMatrix<Dim, Real>::apply(View<const Real> q, View<double> out) {
  const MatrixView m = view();
  double energy = 0;
  for (const FamilyLevel& level : families_.levels()) {
    if (level.depth < 0) continue;
    const double scale = full_coefficient(level.size);
    auto apply_color = [=]<int Color>(std::size_t family, std::integral_constant<int, Color>) {
      const std::size_t i = family * width + Color * width / 2;
      const Lanes<Dim, double> own = convert_lanes<Lanes<Dim, double>>(load_lanes<Dim>(&q[i]));
      const Lanes<Dim, double> diagonal = load_lanes<Dim>(&m.diagonal[i]);
      const Lanes<Dim, double> sum = sum_neighbors<Dim, Color, double>(
          q.data(), &m.families.neighbor[family * side_count<Dim>], family, m.block_of(family));
      const Lanes<Dim, double> value = where_positive(diagonal, scale * (diagonal * own - sum));
      store_lanes<Dim>(&out[i], value);
      return own * value;
    };
    energy += parallel_reduce(
        "apply pressure matrix", level.end - level.begin, 0.0,
        [=](std::size_t i) {
          const std::size_t family = level.begin + i;
          if (m.leaves[family] == 0) return 0.0;
          return sum_lanes(apply_color(family, std::integral_constant<int, 0>()) +
                           apply_color(family, std::integral_constant<int, 1>()));
        },
        std::plus<>(), family_block);
  }
  return joints_.empty() ? energy : energy + apply_joints(q, out);
}

// Through large faces: first what flows, then into the smaller leaves, then out of the larger one.
template <int Dim, class Real>
double PressureMatrix<Dim, Real>::apply_joints(View<const Real> q, View<double> out) {
  const MatrixView m = view();
  const JointsView<Dim, Real> joints = joints_.view();
  joint_flow_.resize(joints.count());
  const View<double> flow = joint_flow_.view();
  const double energy = parallel_sum("flow through joints", joints.count(), [=](std::size_t j) {
    const auto large = static_cast<double>(q[joints.joint[j].large]);
    double sum = 0, squares = 0;
    for (const JointMember<Real>& member : joints.members(j)) {
      const auto small = static_cast<double>(q[member.place]);
      sum += static_cast<double>(member.weight) * small;
      squares += static_cast<double>(member.weight) * small * small;
    }
    const double rise = joints.weight[j] * large - sum;
    flow[j] = joints.is_whole(j) ? joints.gamma[j] * rise : rise;
    return joints.is_whole(j) ? flow[j] * rise : large * (rise - sum) + squares;
  });
  parallel_for("flow into small leaves", joints.row_count(), [=](std::size_t r) {
    const PlaceId place = joints.row[r].place;
    if (!m.is_leaf(place)) return;
    double in = 0;
    for (const JointEntry<Real>& e : joints.entries(r))
      in += static_cast<double>(e.weight) *
            (joints.is_whole(e.joint) ? flow[e.joint]
                                      : static_cast<double>(q[joints.joint[e.joint].large]) -
                                            static_cast<double>(q[place]));
    out[place] -= in;
  });
  for_each_large_leaf("flow out of large leaves", joints, 0, joints.count(),
                      [=](PlaceId large, std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j)
                          out[large] += joints.is_whole(j) ? joints.weight[j] * flow[j] : flow[j];
                      });
  return energy;
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::full_diagonal(View<double> out) const {
  const MatrixView m = view();
  const JointsView<Dim, Real> joints = joints_.view();
  for (const FamilyLevel& level : families_.levels()) {
    const double scale = full_coefficient(level.size);
    parallel_for("diagonal", (level.end - level.begin) * width, [=](std::size_t i) {
      const std::size_t place = level.begin * width + i;
      out[place] = scale * m.diagonal[place];
    });
  }
  if (joints_.empty()) return;
  parallel_for("diagonal of small leaves", joints.row_count(), [=](std::size_t r) {
    const PlaceId place = joints.row[r].place;
    if (!m.is_leaf(place)) return;
    for (const JointEntry<Real>& e : joints.entries(r)) {
      const auto w = static_cast<double>(e.weight);
      out[place] += joints.is_whole(e.joint) ? joints.gamma[e.joint] * w * w : w;
    }
  });
  for_each_large_leaf("diagonal of large leaves", joints, 0, joints.count(),
                      [=](PlaceId large, std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j) {
                          const double w = joints.weight[j];
                          out[large] += joints.is_whole(j) ? joints.gamma[j] * w * w : w;
                        }
                      });
}

template <int Dim, class Real>
PressureMatrixView<Dim, Real> PressureMatrix<Dim, Real>::view() const {
  return {families_.view(),
          leaves_.view(),
          active_.view(),
          diagonal_.view(),
          coarse_diagonal_.view(),
          block_.view(),
          {fraction_.data(), fraction_.size()}};
}

template <int Dim, class Real>
std::size_t PressureMatrix<Dim, Real>::bytes() const {
  return families_.bytes() + joints_.bytes() + fragments_.bytes() + leaves_.bytes() +
         active_.bytes() + diagonal_.bytes() + coarse_diagonal_.bytes() + block_.bytes() +
         fraction_.capacity() * sizeof(Real) + side_fraction_.bytes() + dirichlet_.bytes() +
         joint_mask_.bytes() + joint_flow_.bytes();
}

template class PressureMatrix<2, float>;
template class PressureMatrix<3, float>;
template class PressureMatrix<2, double>;
template class PressureMatrix<3, double>;

}  // namespace octavo
