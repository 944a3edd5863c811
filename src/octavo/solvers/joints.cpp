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
  find_joints_of_rows(measure, mask);
  const Across across(measure, block, fraction, row_of_family_.view(),
                      fragment_row_of_family_.view(), row_.view());
  count_depths(across);
  list_rows(across);
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

template <int Dim, class Real>
void Joints<Dim, Real>::count_depths(const Across& across) {
  const std::size_t n = joint_.size() - 1;
  const View<Joint> joint = joint_.view();
  count_.resize(n);
  const View<std::uint32_t> depths = count_.view();
  parallel_for("count joint depths", n, [&](std::size_t j) {
    const int deepest =
        across.deepest(across.family(joint[j]), joint[j].depth + 1, joint[j].side ^ 1);
    depths[j] = static_cast<std::uint32_t>(deepest - joint[j].depth);
  });
  const std::size_t total = exclusive_scan("number joint depths", depths);
  parallel_for("number joint depths", n, [=](std::size_t j) { joint[j].first = depths[j]; });
  joint[n].first = static_cast<std::uint32_t>(total);
  depth_.resize(total + 1);
}

template <int Dim, class Real>
void Joints<Dim, Real>::list_rows(const Across& across) {
  const std::size_t n = joint_.size() - 1, depth_total = depth_.size() - 1;
  const View<const Joint> joint = joint_.view();
  const View<JointDepth> depth = depth_.view();
  count_.resize(depth_total);
  const View<std::uint32_t> counts = count_.view();
  parallel_for("count rows of joints", n, [&](std::size_t j) {
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      counts[d] = 0;
      across.for_each_row(joint[j], depth_of(joint[j], d), [&](std::uint32_t) { ++counts[d]; });
    }
  });
  const std::size_t total = exclusive_scan("number rows of joints", counts);
  row_of_joint_.resize(total);
  depth[depth_total] = {static_cast<std::uint32_t>(total), 0};
  const View<std::uint32_t> list = row_of_joint_.view();
  parallel_for("list rows of joints", n, [&](std::size_t j) {
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      std::uint32_t next = depth[d].first = counts[d];
      across.for_each_row(joint[j], depth_of(joint[j], d),
                          [&](std::uint32_t r) { list[next++] = r; });
    }
  });
}

// From open fractions to weights.
template <int Dim, class Real>
void Joints<Dim, Real>::fill(const Across& across) {
  const std::size_t n = joint_.size() - 1;
  gamma_.resize(n);
  weight_.resize(n);
  const View<const Joint> joint = joint_.view();
  const View<JointDepth> depth = depth_.view();
  const View<const std::uint32_t> list = row_of_joint_.view();
  const View<Row> row = row_.view();
  const View<double> gamma = gamma_.view(), weight = weight_.view();
  parallel_for("fill joints", n, [&](std::size_t j) {
    const int large = joint[j].depth, side = joint[j].side ^ 1;
    const double area = across.area[static_cast<std::size_t>(large)];
    const bool whole = across.is_whole(joint[j]);
    double sum = 0, moment = 0;  // of the weights and of w delta, of the leaves so far
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      const int at = depth_of(joint[j], d);
      const double delta = across.distance(at, large);
      double all = 0, leaves = 0;
      for (std::size_t i = depth[d].first; i < depth[d + 1].first; ++i)
        row[list[i]].for_each_member([&](std::size_t k, PlaceId place) {
          Real& own = row[list[i]].weight[k];
          if (own == 0) return;
          const auto open = static_cast<double>(own);
          const double w = across.part_of_face(open, at, large);
          const Cell c = across.cell(row[list[i]], place);
          own = static_cast<Real>(whole ? w : across.own_coefficient(open, c, side, at, large));
          all += w;
          if (!c.is_leaf()) return;
          leaves += w;
          sum += static_cast<double>(own);
        });
      depth[d].gamma = static_cast<float>(area / (moment + all * delta));
      moment += leaves * delta;
    }
    gamma[j] = whole ? area / moment : 0;
    weight[j] = sum;
  });
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
         fragment_row_of_family_.bytes() + count_.bytes();
}

template class Joints<2, float>;
template class Joints<3, float>;
template class Joints<2, double>;
template class Joints<3, double>;

}  // namespace octavo
