#include "octavo/solvers/joints.h"

#include <bit>

#include "octavo/solvers/joint_geometry.h"

namespace octavo {
namespace {

// The depth of the members that entry d of the depths is about.
int depth_of(const Joint& joint, std::size_t d) {
  return joint.depth + 1 + static_cast<int>(d - joint.first);
}

}  // namespace

template <int Dim, class Real>
void Joints<Dim, Real>::build(const FaceMeasure<Dim, Real>& measure, const Families<Dim>& families,
                              View<const std::uint64_t> mask) {
  number(families, mask);
  fill(measure);
  build_rows(measure, families, mask);
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
template <class Geometry>
void Joints<Dim, Real>::count_depths(const Geometry& geometry) {
  const std::size_t n = joint_.size() - 1;
  const View<Joint> joint = joint_.view();
  count_.resize(n);
  const View<std::uint32_t> depths = count_.view();
  parallel_for("count joint depths", n, [&](std::size_t j) {
    const int deepest =
        geometry.deepest(geometry.across(joint[j]), joint[j].depth, joint[j].side ^ 1);
    depths[j] = static_cast<std::uint32_t>(deepest - joint[j].depth);
  });
  const std::size_t total = exclusive_scan("number joint depths", depths);
  parallel_for("number joint depths", n, [=](std::size_t j) { joint[j].first = depths[j]; });
  joint[n].first = static_cast<std::uint32_t>(total);
  depth_.resize(total + 1);
}

template <int Dim, class Real>
template <class Geometry>
void Joints<Dim, Real>::count_members(const Geometry& geometry) {
  const std::size_t n = joint_.size() - 1, depth_total = depth_.size() - 1;
  const View<const Joint> joint = joint_.view();
  const View<JointDepth> depth = depth_.view();
  count_.resize(depth_total);
  const View<std::uint32_t> counts = count_.view();
  parallel_for("count joint members", n, [&](std::size_t j) {
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      counts[d] = 0;
      geometry.for_each_of_depth(geometry.across(joint[j]), joint[j].depth, joint[j].side ^ 1,
                                 depth_of(joint[j], d),
                                 [&](PlaceId, Cell c) { counts[d] += geometry.parts(c); });
    }
  });
  const std::size_t member_total = exclusive_scan("number joint members", counts);
  parallel_for("number joint members", depth_total,
               [=](std::size_t d) { depth[d].first = counts[d]; });
  depth[depth_total] = {static_cast<std::uint32_t>(member_total), 0};
  member_.resize(member_total);
}

template <int Dim, class Real>
void Joints<Dim, Real>::fill(const FaceMeasure<Dim, Real>& measure) {
  const JointGeometry<Dim, Real> geometry(measure);
  count_depths(geometry);
  count_members(geometry);
  const std::size_t n = joint_.size() - 1;
  const View<const Joint> joint = joint_.view();
  const View<JointDepth> depth = depth_.view();
  gamma_.resize(n);
  weight_.resize(n);
  const View<JointMember<Real>> member = member_.view();
  const View<double> gamma = gamma_.view(), weight = weight_.view();
  parallel_for("fill joints", n, [&](std::size_t j) {
    const int large = joint[j].depth, side = joint[j].side ^ 1;
    const double area = geometry.area[static_cast<std::size_t>(large)];
    const bool whole = geometry.is_whole(joint[j]);
    double sum = 0, moment = 0;  // of the weights and of w delta, of the leaves so far
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      const int at = depth_of(joint[j], d);
      const double delta = geometry.distance(at, large);
      double all = 0, leaves = 0;
      std::size_t next = depth[d].first;
      geometry.for_each_part(joint[j], at, [&](std::uint32_t index, Cell c, double open) {
        const double w = geometry.part_of_face(open, at, large);
        member[next] = {PlaceId(index), geometry.weight(whole, c, side, open, at, large)};
        all += w;
        if (c.is_leaf()) {
          leaves += w;
          sum += static_cast<double>(member[next].weight);
        }
        ++next;
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
  return {joint_.view(),  gamma_.view(), weight_.view(), depth_.view(),
          member_.view(), row_.view(),   entry_.view()};
}

template <int Dim, class Real>
std::size_t Joints<Dim, Real>::bytes() const {
  return joint_.bytes() + gamma_.bytes() + weight_.bytes() + depth_.bytes() + member_.bytes() +
         row_.bytes() + entry_.bytes() + joint_of_family_.bytes() + count_.bytes();
}

template class Joints<2, float>;
template class Joints<3, float>;
template class Joints<2, double>;
template class Joints<3, double>;

}  // namespace octavo
