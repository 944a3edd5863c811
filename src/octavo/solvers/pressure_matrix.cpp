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
      const auto own = convert_lanes<Lanes<Dim, double>>(load_lanes<Dim>(&q[i]));
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
  row_sum_.resize(joints.row.size());
  const View<RowSum> row_sum = row_sum_.view();
  parallel_for("sums over rows", joints.row.size(), [=](std::size_t r) {
    RowSum s{};
    joints.row[r].for_each_member([&](std::size_t k, PlaceId place) {
      const auto small = static_cast<double>(q[place]);
      const double term = static_cast<double>(joints.row[r].weight[k]) * small;
      s.sum += term;
      s.squares += term * small;
    });
    row_sum[r] = s;
  });
  const double energy = parallel_sum("flow through joints", joints.count(), [=](std::size_t j) {
    const auto large = static_cast<double>(q[joints.joint[j].large]);
    double sum = 0, squares = 0;
    for (const std::uint32_t r : joints.rows(j)) {
      sum += row_sum[r].sum;
      squares += row_sum[r].squares;
    }
    const double rise = joints.weight[j] * large - sum;
    flow[j] = joints.is_whole(j) ? joints.gamma[j] * rise : rise;
    return joints.is_whole(j) ? flow[j] * rise : large * (rise - sum) + squares;
  });
  for_each_family("flow into small leaves", joints, {0, joints.row.size()},
                  [=](std::size_t first, std::size_t end) {
                    const unsigned leaves = m.leaves_of(joints.row[first]);
                    for (std::size_t r = first; r < end && leaves != 0; ++r) {
                      const JointRow<Dim, Real>& row = joints.row[r];
                      const bool whole = row.is_whole;
                      const double in = whole
                                            ? flow[row.joint]
                                            : static_cast<double>(q[joints.joint[row.joint].large]);
                      row.for_each_member([&](std::size_t k, PlaceId place) {
                        const double own = whole ? 0 : static_cast<double>(q[place]);
                        if ((leaves >> k) & 1)
                          out[place] -= static_cast<double>(row.weight[k]) * (in - own);
                      });
                    }
                  });
  for_each_large_leaf("flow out of large leaves", joints, {0, joints.count()},
                      [=](std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j)
                          out[joints.joint[j].large] +=
                              joints.is_whole(j) ? joints.weight[j] * flow[j] : flow[j];
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
  auto term = [=](std::size_t j, double w) {
    return joints.is_whole(j) ? joints.gamma[j] * w * w : w;
  };
  for_each_family("diagonal of small leaves", joints, {0, joints.row.size()},
                  [=](std::size_t first, std::size_t end) {
                    const unsigned leaves = m.leaves_of(joints.row[first]);
                    for (std::size_t r = first; r < end; ++r)
                      joints.row[r].for_each_member([&](std::size_t k, PlaceId place) {
                        if ((leaves >> k) & 1)
                          out[place] += term(joints.row[r].joint,
                                             static_cast<double>(joints.row[r].weight[k]));
                      });
                  });
  for_each_large_leaf("diagonal of large leaves", joints, {0, joints.count()},
                      [=](std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j)
                          out[joints.joint[j].large] += term(j, joints.weight[j]);
                      });
}

template <int Dim, class Real>
PressureMatrixView<Dim, Real> PressureMatrix<Dim, Real>::view() const {
  return {families_.view(),        leaves_.view(), active_.view(),  diagonal_.view(),
          coarse_diagonal_.view(), block_.view(),  fraction_.view()};
}

template <int Dim, class Real>
std::size_t PressureMatrix<Dim, Real>::bytes() const {
  return families_.bytes() + joints_.bytes() + fragments_.bytes() + leaves_.bytes() +
         active_.bytes() + diagonal_.bytes() + coarse_diagonal_.bytes() + block_.bytes() +
         fraction_.bytes() + wet_.bytes() + side_fraction_.bytes() + dirichlet_.bytes() +
         filled_.bytes() + joint_mask_.bytes() + joint_flow_.bytes() + row_sum_.bytes();
}

template class PressureMatrix<2, float>;
template class PressureMatrix<3, float>;
template class PressureMatrix<2, double>;
template class PressureMatrix<3, double>;

}  // namespace octavo
