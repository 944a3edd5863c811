#include "octavo/solvers/joints.h"

#include <bit>

namespace octavo {
namespace {

// What the passes below share: who is across a joint, and with which weight.
template <int Dim, class Real>
struct JointGeometry {
  PressureFaces<Dim, Real> faces;
  FamiliesView<Dim> families;
  View<const float> side_fraction;

  // Calls f(place, cell) for the cells of a depth inside `branch` (of depth `at`) that touch its
  // side.
  template <class F>
  void for_each_member(FamilyId branch, int at, int side, int depth, F&& f) const {
    for (int digit = 0; digit < child_count<Dim>; ++digit) {
      if (!FamiliesView<Dim>::is_outer(digit, side)) continue;
      const Cell c = families.member(branch, digit);
      if (at + 1 == depth)
        f(FamiliesView<Dim>::place(branch, digit), c);
      else if (c.is_branch())
        for_each_member(FamilyId(c.branch().value), at + 1, side, depth, f);
    }
  }

  // The deepest cell inside `branch` that touches its side.
  int deepest(FamilyId branch, int at, int side) const {
    int depth = at + 1;
    for (int digit = 0; digit < child_count<Dim>; ++digit) {
      const Cell c = families.member(branch, digit);
      if (FamiliesView<Dim>::is_outer(digit, side) && c.is_branch())
        depth = std::max(depth, deepest(FamilyId(c.branch().value), at + 1, side));
    }
    return depth;
  }

  // The part of a large leaf's face that the cell on its other side covers; `side` is the cell's.
  double part(Cell cell, int side, int depth, int large_depth) const {
    double w = 1;
    if (cell.is_leaf()) {
      const FaceLink l = faces.link(faces.mesh.first_face(cell.leaf(), side));
      if (l.kind != FaceLink::pair) return 0;
      w = l.area / faces.mesh.area(faces.mesh.first_face(cell.leaf(), side));
    } else {
      w = side_fraction[std::size_t{cell.branch()} * side_count<Dim> +
                        static_cast<std::size_t>(side)];
    }
    return std::ldexp(w, (Dim - 1) * (large_depth - depth));
  }
  double distance(int depth, int large_depth) const {
    return 0.5 * (families.tree.domain.size(depth) + families.tree.domain.size(large_depth));
  }
  double area(int depth) const { return std::pow(families.tree.domain.size(depth), Dim - 1); }

  Real weight(Cell cell, int side, int depth, int large_depth) const {
    const double w = part(cell, side, depth, large_depth);
    if (faces.scheme.whole_faces()) return static_cast<Real>(w);
    double delta = distance(depth, large_depth);
    if (cell.is_leaf() && w > 0)
      delta = faces.link(faces.mesh.first_face(cell.leaf(), side)).distance;
    return static_cast<Real>(w * area(large_depth) / delta);
  }
};

template <int Dim>
constexpr int joint_bit(int digit, int side) {
  return digit * side_count<Dim> + side;
}

// The family across a side of a member, as a cell of the member's own size: a branch at a joint.
template <int Dim>
FamilyId branch_across(const FamiliesView<Dim>& families, PlaceId large, int side) {
  const FamilyId family(large.value / child_count<Dim>);
  const int digit = static_cast<int>(large.value % child_count<Dim>);
  const FamilyId owner =
      FamiliesView<Dim>::is_outer(digit, side) ? families.neighbor_of(family, side) : family;
  return FamilyId(families.member(owner, FamiliesView<Dim>::across(digit, side)).branch().value);
}

}  // namespace

template <int Dim, class Real>
void Joints<Dim, Real>::build(const PressureFaces<Dim, Real>& faces, const Families<Dim>& families,
                              View<const std::uint64_t> mask, View<const float> side_fraction) {
  whole_faces_ = faces.scheme.whole_faces();
  number(families, mask);
  fill(faces, families, side_fraction);
  build_rows(faces, families, mask);
  const JointGeometry<Dim, Real> geometry{faces, families.view(), side_fraction};
  const JointsView<Dim, Real> j = view();
  const View<JointEntry<Real>> entry = entry_.view();
  parallel_for("weigh joint rows", j.row_count(), [=](std::size_t r) {
    const PlaceId place = j.row[r].place;
    const FamilyId family(place.value / child_count<Dim>);
    const int digit = static_cast<int>(place.value % child_count<Dim>);
    const int depth = geometry.families.tree.branch_key[family].level() + 1;
    const Cell cell = geometry.families.member(family, digit);
    for (std::size_t e = j.row[r].first; e < j.row[r + 1].first; ++e) {
      const Joint& joint = j.joint[entry[e].joint];
      entry[e].weight = geometry.weight(cell, joint.side ^ 1, depth, joint.depth);
    }
  });
}

// Joints in the order of the families of the larger leaves, coarse depths first: root cells, then
// the members of branches.
template <int Dim, class Real>
void Joints<Dim, Real>::number(const Families<Dim>& families, View<const std::uint64_t> mask) {
  std::size_t total = 0;
  joint_of_family_.resize(mask.size());
  const View<std::uint32_t> first = joint_of_family_.view();
  joint_begin_.fill(0);
  for (const FamilyLevel& level : families.levels()) {
    if (level.depth < 0) continue;
    joint_begin_[static_cast<std::size_t>(level.depth)] = total;
    View<std::uint32_t> counts{first.data() + level.begin, level.end - level.begin};
    parallel_for("count joints", counts.size(), [=](std::size_t i) {
      counts[i] = static_cast<std::uint32_t>(std::popcount(mask[level.begin + i]));
    });
    const std::size_t here = exclusive_scan("number joints", counts);
    const auto before = static_cast<std::uint32_t>(total);
    if (before > 0)
      parallel_for("number joints", counts.size(), [=](std::size_t i) { counts[i] += before; });
    total += here;
    for (std::size_t d = static_cast<std::size_t>(level.depth) + 1; d < joint_begin_.size(); ++d)
      joint_begin_[d] = total;
  }

  joint_.resize(total + 1);
  joint_[total] = {PlaceId::none(), 0, 0, 0};
  const View<Joint> joint = joint_.view();
  for (const FamilyLevel& level : families.levels()) {
    if (level.depth < 0) continue;
    parallel_for("list joints", level.end - level.begin, [=](std::size_t i) {
      const std::size_t f = level.begin + i;
      std::uint32_t next = first[f];
      for (std::uint64_t bits = mask[f]; bits != 0; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        joint[next++] = {FamiliesView<Dim>::place(FamilyId(f), bit / side_count<Dim>), 0,
                         static_cast<std::int8_t>(level.depth),
                         static_cast<std::int8_t>(bit % side_count<Dim>)};
      }
    });
  }
}

template <int Dim, class Real>
void Joints<Dim, Real>::fill(const PressureFaces<Dim, Real>& faces, const Families<Dim>& families,
                             View<const float> side_fraction) {
  const JointGeometry<Dim, Real> geometry{faces, families.view(), side_fraction};
  const std::size_t n = joint_.size() - 1;
  const View<Joint> joint = joint_.view();

  // How many depths, how many members.
  count_.resize(n);
  const View<std::uint32_t> depths = count_.view();
  parallel_for("count joint depths", n, [=](std::size_t j) {
    const FamilyId branch = branch_across(geometry.families, joint[j].large, joint[j].side);
    const int deepest = geometry.deepest(branch, joint[j].depth, joint[j].side ^ 1);
    depths[j] = static_cast<std::uint32_t>(deepest - joint[j].depth);
  });
  const std::size_t depth_total = exclusive_scan("number joint depths", depths);
  parallel_for("number joint depths", n, [=](std::size_t j) { joint[j].first = depths[j]; });
  joint[n].first = static_cast<std::uint32_t>(depth_total);

  depth_.resize(depth_total + 1);
  const View<JointDepth> depth = depth_.view();
  Buffer<std::uint32_t> member_count(depth_total);
  const View<std::uint32_t> counts = member_count.view();
  parallel_for("count joint members", n, [=](std::size_t j) {
    const FamilyId branch = branch_across(geometry.families, joint[j].large, joint[j].side);
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      std::uint32_t count = 0;
      geometry.for_each_member(branch, joint[j].depth, joint[j].side ^ 1,
                               joint[j].depth + 1 + static_cast<int>(d - joint[j].first),
                               [&](PlaceId, Cell) { ++count; });
      counts[d] = count;
    }
  });
  const std::size_t member_total = exclusive_scan("number joint members", counts);
  parallel_for("number joint members", depth_total,
               [=](std::size_t d) { depth[d].first = counts[d]; });
  depth[depth_total] = {static_cast<std::uint32_t>(member_total), 0};

  member_.resize(member_total);
  gamma_.resize(n);
  weight_.resize(n);
  const View<JointMember<Real>> member = member_.view();
  const View<double> gamma = gamma_.view(), weight = weight_.view();
  parallel_for("fill joints", n, [=](std::size_t j) {
    const Joint& here = joint[j];
    const FamilyId branch = branch_across(geometry.families, here.large, here.side);
    const double area = geometry.area(here.depth);
    double sum = 0, moment = 0;  // of the weights and of w_C delta_C, of the leaves so far
    for (std::size_t d = here.first; d < joint[j + 1].first; ++d) {
      const int at = here.depth + 1 + static_cast<int>(d - here.first);
      const double delta = geometry.distance(at, here.depth);
      double all = 0, leaves = 0;
      std::size_t next = depth[d].first;
      geometry.for_each_member(
          branch, here.depth, here.side ^ 1, at, [&](PlaceId place, Cell cell) {
            const double w = geometry.part(cell, here.side ^ 1, at, here.depth);
            const Real stored = geometry.weight(cell, here.side ^ 1, at, here.depth);
            all += w;
            if (cell.is_leaf()) {
              leaves += w;
              sum += static_cast<double>(stored);
            }
            member[next++] = {place, stored};
          });
      depth[d].gamma = static_cast<float>(area / (moment + all * delta));
      moment += leaves * delta;
    }
    gamma[j] = area / moment;
    weight[j] = sum;
  });
}

template <int Dim, class Real>
void Joints<Dim, Real>::build_rows(const PressureFaces<Dim, Real>& faces,
                                   const Families<Dim>& families, View<const std::uint64_t> mask) {
  const MeshView<Dim> mesh = faces.mesh;
  const FamiliesView<Dim> fam = families.view();
  const View<const std::uint32_t> first_joint = joint_of_family_.view();
  const std::size_t branches = mesh.tree.branch_count();
  constexpr std::uint32_t no_joint = 0xffffffffu;

  // The joint across a side of a family, if a larger leaf is there.
  auto joint_across = [=](std::size_t family, int side) -> std::uint32_t {
    const Cell c = mesh.around.row[family * direction_count<Dim> +
                                   static_cast<std::size_t>(side_direction<Dim>(side))];
    if (!c.is_leaf()) return no_joint;
    const PlaceId large = fam.place(c.leaf());
    const std::uint64_t bits = mask[large.value / child_count<Dim>];
    const int bit = joint_bit<Dim>(static_cast<int>(large.value % child_count<Dim>), side ^ 1);
    if (((bits >> bit) & 1) == 0) return no_joint;
    const std::uint64_t below = bits & ((std::uint64_t{1} << bit) - 1);
    return first_joint[large.value / child_count<Dim>] +
           static_cast<std::uint32_t>(std::popcount(below));
  };

  Buffer<std::uint32_t> row_count(branches), entry_count(branches);
  const View<std::uint32_t> rows = row_count.view(), entries = entry_count.view();
  parallel_for("count joint rows", branches, [=](std::size_t f) {
    unsigned touched = 0;
    std::uint32_t sides = 0;
    for (int side = 0; side < side_count<Dim>; ++side) {
      if (joint_across(f, side) == no_joint) continue;
      ++sides;
      for (int digit = 0; digit < child_count<Dim>; ++digit)
        if (FamiliesView<Dim>::is_outer(digit, side)) touched |= 1u << digit;
    }
    rows[f] = static_cast<std::uint32_t>(std::popcount(touched));
    entries[f] = sides * side_child_count<Dim>;
  });
  const std::size_t row_total = exclusive_scan("number joint rows", rows);
  const std::size_t entry_total = exclusive_scan("number joint entries", entries);

  row_.resize(row_total + 1);
  entry_.resize(entry_total);
  const View<JointRow> row = row_.view();
  const View<JointEntry<Real>> entry = entry_.view();
  row[row_total] = {PlaceId::none(), static_cast<std::uint32_t>(entry_total)};
  parallel_for("list joint rows", branches, [=](std::size_t f) {
    std::array<std::uint32_t, static_cast<std::size_t>(side_count<Dim>)> across{};
    bool any = false;
    for (int side = 0; side < side_count<Dim>; ++side) {
      across[static_cast<std::size_t>(side)] = joint_across(f, side);
      any = any || across[static_cast<std::size_t>(side)] != no_joint;
    }
    if (!any) return;
    std::uint32_t next_row = rows[f], next = entries[f];
    for (int digit = 0; digit < child_count<Dim>; ++digit) {
      const std::uint32_t begin = next;
      for (int side = 0; side < side_count<Dim>; ++side)
        if (FamiliesView<Dim>::is_outer(digit, side) &&
            across[static_cast<std::size_t>(side)] != no_joint)
          entry[next++] = {across[static_cast<std::size_t>(side)], Real{0}};
      if (next > begin) row[next_row++] = {FamiliesView<Dim>::place(FamilyId(f), digit), begin};
    }
  });
  row_begin_.fill(0);
  for (const FamilyLevel& level : families.levels()) {
    if (level.depth < 1) continue;
    const auto d = static_cast<std::size_t>(level.depth);
    row_begin_[d] = rows[level.begin];
    for (std::size_t k = d + 1; k < row_begin_.size(); ++k)
      row_begin_[k] = level.end < branches ? rows[level.end] : row_total;
  }
}

template <int Dim, class Real>
JointsView<Dim, Real> Joints<Dim, Real>::view() const {
  return {whole_faces_,  joint_.view(),  gamma_.view(), weight_.view(),
          depth_.view(), member_.view(), row_.view(),   entry_.view()};
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
