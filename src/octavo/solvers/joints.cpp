#include "octavo/solvers/joints.h"

#include <bit>

#include "octavo/solvers/joint_geometry.h"

namespace octavo {
namespace {

// The depth of the rows that entry d of the depths is about.
int depth_of(const Joint& joint, std::size_t d) {
  return joint.depth + 1 + static_cast<int>(d - joint.first);
}

}  // namespace

template <int Dim, class Real>
void Joints<Dim, Real>::build(const FaceMeasure<Dim, Real>& measure, const Families<Dim>& families,
                              View<const std::uint64_t> mask, View<const std::uint32_t> block,
                              View<const Real> fraction) {
  number(families, mask);
  join_rows(measure);
  const Across across(measure, block, fraction, row_of_family_.view(),
                      fragment_row_of_family_.view(), row_.view());
  count_rows(across);
  fill(across);
}

// Joints in the order of the families of the larger leaves, coarse depths first.
template <int Dim, class Real>
void Joints<Dim, Real>::number(const Families<Dim>& families, View<const std::uint64_t> mask) {
  std::size_t total = 0;
  joint_of_family_.resize(mask.size());
  const View<std::uint32_t> first = joint_of_family_.view();
  joint_begin_.fill(0);
  for (const FamilyLevel& level : families.levels()) {
    if (level.depth < 0) continue;
    const View<std::uint32_t> counts{first.data() + level.begin, level.end - level.begin};
    parallel_for("count joints", counts.size(), [=](std::size_t i) {
      counts[i] = static_cast<std::uint32_t>(std::popcount(mask[level.begin + i]));
    });
    const std::size_t here = exclusive_scan("number joints", counts);
    const auto before = static_cast<std::uint32_t>(total);
    parallel_for("number joints", counts.size(), [=](std::size_t i) { counts[i] += before; });
    total += here;
    for (auto d = static_cast<std::size_t>(level.depth) + 1; d < joint_begin_.size(); ++d)
      joint_begin_[d] = total;
  }

  joint_.resize(total + 1);
  joint_[total] = {PlaceId::none(), 0, 0, 0};
  const View<Joint> joint = joint_.view();
  for (const FamilyLevel& level : families.levels())
    if (level.depth >= 0)
      parallel_for("list joints", level.end - level.begin, [=](std::size_t i) {
        std::uint32_t next = first[level.begin + i];
        for (std::uint64_t bits = mask[level.begin + i]; bits != 0; bits &= bits - 1) {
          const int bit = std::countr_zero(bits);
          joint[next++] = {
              FamiliesView<Dim>::place(FamilyId(level.begin + i), bit / side_count<Dim>), 0,
              static_cast<std::int8_t>(level.depth),
              static_cast<std::int8_t>(bit % side_count<Dim>)};
        }
      });
}

// How many depths and rows every joint has.
template <int Dim, class Real>
void Joints<Dim, Real>::count_rows(const Across& across) {
  const std::size_t n = joint_.size() - 1;
  const View<Joint> joint = joint_.view();
  count_.resize(n);
  row_count_.resize(n);
  const View<std::uint32_t> depths = count_.view(), rows = row_count_.view();
  parallel_for("count rows of joints", n, [&](std::size_t j) {
    rows[j] = 0;
    const int deepest =
        across.for_each_row_of_any_depth(joint[j], [&](std::uint32_t) { ++rows[j]; });
    depths[j] = static_cast<std::uint32_t>(deepest - joint[j].depth);
  });
  const std::size_t depth_total = exclusive_scan("number joint depths", depths);
  row_of_joint_.resize(exclusive_scan("number rows of joints", rows));
  parallel_for("number joint depths", n, [=](std::size_t j) { joint[j].first = depths[j]; });
  joint[n].first = static_cast<std::uint32_t>(depth_total);
  depth_.resize(depth_total + 1);
  depth_[depth_total] = {static_cast<std::uint32_t>(row_of_joint_.size()), 0};
}

template <int Dim, class Real>
void Joints<Dim, Real>::fill(const Across& across) {
  const std::size_t n = joint_.size() - 1;
  gamma_.resize(n);
  weight_.resize(n);
  parallel_for("fill joints", n, [&](std::size_t j) {
    const View<const std::uint32_t> rows = list_rows(across, j);
    weigh(across, j, rows, across.is_whole(joint_[j], rows));
  });
}

// The rows of a joint, depth after depth.
template <int Dim, class Real>
View<const std::uint32_t> Joints<Dim, Real>::list_rows(const Across& across, std::size_t j) {
  std::uint32_t next = row_count_[j];
  for (std::size_t d = joint_[j].first; d < joint_[j + 1].first; ++d) {
    depth_[d].first = next;
    across.for_each_row(joint_[j], depth_of(joint_[j], d), [&](std::uint32_t r) {
      row_of_joint_[next++] = r;
      row_[r].joint = static_cast<std::uint32_t>(j);
    });
  }
  return {row_of_joint_.data() + row_count_[j], next - row_count_[j]};
}

// From open fractions to weights, and what follows from them.
template <int Dim, class Real>
void Joints<Dim, Real>::weigh(const Across& across, std::size_t j, View<const std::uint32_t> rows,
                              bool whole) {
  const auto large = static_cast<int>(joint_[j].depth);
  const double area = across.area[static_cast<std::size_t>(large)];
  double sum = 0, moment = 0;  // of the weights and of w delta, of the leaves so far
  std::size_t i = 0;
  for (std::size_t d = joint_[j].first; d < joint_[j + 1].first; ++d) {
    const int at = depth_of(joint_[j], d);
    const double delta = across.distance(at, large), share = across.share(at, large);
    const bool is_last = d + 1 == joint_[j + 1].first;
    const std::size_t end = is_last ? rows.size() : depth_[d + 1].first - row_count_[j];
    double all = 0, leaves = 0;
    for (; i < end; ++i) {
      Row& row = row_[rows[i]];
      row.is_whole = whole;
      const unsigned leaf_members = across.leaf_members(row);
      for (int k = 0; k < child_count<Dim>; ++k) {
        const double w = share * static_cast<double>(row.weight[k]);
        row.weight[k] = static_cast<Real>(whole ? w : across.own_coefficient(row, k, at, large));
        const double is_leaf = (leaf_members >> k) & 1;
        all += w;
        leaves += is_leaf * w;
        sum += is_leaf * static_cast<double>(row.weight[k]);
      }
    }
    depth_[d].gamma = static_cast<float>(area / (moment + all * delta));
    moment += leaves * delta;
  }
  gamma_[j] = whole ? area / moment : 0;
  weight_[j] = sum;
}

template <int Dim, class Real>
JointsView<Dim, Real> Joints<Dim, Real>::view() const {
  return {joint_.view(), gamma_.view(),        weight_.view(),
          depth_.view(), row_of_joint_.view(), row_.view()};
}

template <int Dim, class Real>
std::size_t Joints<Dim, Real>::bytes() const {
  return joint_.bytes() + gamma_.bytes() + weight_.bytes() + depth_.bytes() +
         row_of_joint_.bytes() + row_.bytes() + joint_of_family_.bytes() + row_of_family_.bytes() +
         fragment_row_of_family_.bytes() + count_.bytes() + row_count_.bytes();
}

template class Joints<2, float>;
template class Joints<3, float>;
template class Joints<2, double>;
template class Joints<3, double>;

}  // namespace octavo
