#include "octavo/solvers/joints.h"

#include <bit>

namespace octavo {
namespace {

constexpr std::uint32_t no_joint = 0xffffffffu;

// Who is across a large face, and with which weight.
template <int Dim, class Real>
struct JointGeometry {
  using Place = FamiliesView<Dim>;
  FaceMeasure<Dim, Real> measure;
  bool plain;  // all faces between leaves are open
  std::array<double, max_level + 1> size, area;

  explicit JointGeometry(const FaceMeasure<Dim, Real>& m)
      : measure(m), plain(!m.faces.boundary.has_solids() && !m.faces.boundary.has_surface()) {
    for (int depth = 0; depth <= max_level; ++depth) {
      const auto d = static_cast<std::size_t>(depth);
      size[d] = m.families.tree.domain.size(depth);
      area[d] = Dim == 2 ? size[d] : size[d] * size[d];
    }
  }

  // The branch across a large face.
  FamilyId across(const Joint& joint) const {
    const FamilyId family(joint.large.value / child_count<Dim>);
    const int digit = static_cast<int>(joint.large.value % child_count<Dim>);
    return FamilyId(measure.member(measure.beside(family, digit, joint.side)).branch().value);
  }

  // Calls f(digit, cell) for the members of a family on one of its sides.
  template <class F>
  void for_each_on_side(FamilyId family, int side, F&& f) const {
    for (int digit = 0; digit < child_count<Dim>; ++digit)
      if (Place::is_outer(digit, side)) f(digit, measure.families.member(family, digit));
  }
  template <class F>
  void for_each_of_depth(FamilyId family, int at, int side, int depth, F&& f) const {
    for_each_on_side(family, side, [&](int digit, Cell c) {
      if (at + 1 == depth)
        f(Place::place(family, digit), c);
      else if (c.is_branch())
        for_each_of_depth(FamilyId(c.branch().value), at + 1, side, depth, f);
    });
  }
  int deepest(FamilyId family, int at, int side) const {
    int depth = at + 1;
    for_each_on_side(family, side, [&](int, Cell c) {
      if (c.is_branch()) depth = std::max(depth, deepest(FamilyId(c.branch().value), at + 1, side));
    });
    return depth;
  }

  // How many parts the fluid of a cell has, and the open fraction of a side of each.
  std::uint32_t parts(Cell c) const {
    return !plain && measure.is_split(c) ? measure.split(c).parts : 1;
  }
  double open(Cell c, int side) const {
    if (c.is_branch()) return static_cast<double>(measure.fraction_of(c, side));
    if (plain) return 1;
    const FaceId face = measure.faces.mesh.first_face(c.leaf(), side);
    const FaceLink l = measure.faces.link(face);
    return l.kind == FaceLink::pair ? l.area / measure.faces.mesh.area(face) : 0;
  }

  // The part of the larger leaf's face, and the weight stored for it.
  double part_of_face(double open_fraction, int depth, int large) const {
    return open_fraction * area[static_cast<std::size_t>(depth)] /
           area[static_cast<std::size_t>(large)];
  }
  double distance(int depth, int large) const {
    return 0.5 * (size[static_cast<std::size_t>(depth)] + size[static_cast<std::size_t>(large)]);
  }
  Real weight(Cell c, int side, double open_fraction, int depth, int large) const {
    if (measure.faces.scheme.whole_faces())
      return static_cast<Real>(part_of_face(open_fraction, depth, large));
    double delta = distance(depth, large);
    if (c.is_leaf() && open_fraction > 0)
      delta = measure.faces.link(measure.faces.mesh.first_face(c.leaf(), side)).distance;
    return static_cast<Real>(open_fraction * area[static_cast<std::size_t>(depth)] / delta);
  }

  // Calls f(index, cell, open fraction) for all parts of the members of one depth.
  template <class F>
  void for_each_part(const Joint& joint, int depth, F&& f) const {
    const int side = joint.side ^ 1;
    for_each_of_depth(across(joint), joint.depth, side, depth, [&](PlaceId place, Cell c) {
      f(place.value, c, open(c, side));
      for (std::uint32_t k = 1; k < parts(c); ++k) {
        const std::size_t fragment = measure.split(c).first_fragment + k - 1;
        f(measure.fragments->index(fragment), c,
          static_cast<double>(measure.fragments->fragment(fragment).side[side]));
      }
    });
  }
};

// The joint across a side of a family, if a larger leaf is there.
template <int Dim>
struct JointLookup {
  MeshView<Dim> mesh;
  FamiliesView<Dim> families;
  View<const std::uint64_t> mask;
  View<const std::uint32_t> first;

  struct Found {
    std::uint32_t joint = no_joint;
    int depth = 0;
  };
  Found across(std::size_t family, int side) const {
    const Cell c = mesh.around.row[family * direction_count<Dim> +
                                   static_cast<std::size_t>(side_direction<Dim>(side))];
    if (!c.is_leaf()) return {};
    const PlaceId large = families.place(c.leaf());
    const std::size_t f = large.value / child_count<Dim>;
    const auto digit = static_cast<int>(large.value % child_count<Dim>);
    const int bit = digit * side_count<Dim> + (side ^ 1);
    if (((mask[f] >> bit) & 1) == 0) return {};
    const std::uint64_t below = mask[f] & ((std::uint64_t{1} << bit) - 1);
    return {first[f] + static_cast<std::uint32_t>(std::popcount(below)), mesh.tree.level(c.leaf())};
  }
};

}  // namespace

template <int Dim, class Real>
void Joints<Dim, Real>::build(const FaceMeasure<Dim, Real>& measure, const Families<Dim>& families,
                              View<const std::uint64_t> mask) {
  whole_faces_ = measure.faces.scheme.whole_faces();
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
void Joints<Dim, Real>::fill(const FaceMeasure<Dim, Real>& measure) {
  const JointGeometry<Dim, Real> geometry(measure);
  const std::size_t n = joint_.size() - 1;
  const View<Joint> joint = joint_.view();

  count_.resize(n);
  const View<std::uint32_t> depths = count_.view();
  parallel_for("count joint depths", n, [&](std::size_t j) {
    const int deepest =
        geometry.deepest(geometry.across(joint[j]), joint[j].depth, joint[j].side ^ 1);
    depths[j] = static_cast<std::uint32_t>(deepest - joint[j].depth);
  });
  const std::size_t depth_total = exclusive_scan("number joint depths", depths);
  parallel_for("number joint depths", n, [=](std::size_t j) { joint[j].first = depths[j]; });
  joint[n].first = static_cast<std::uint32_t>(depth_total);

  auto depth_of = [=](std::size_t j, std::size_t d) {
    return joint[j].depth + 1 + static_cast<int>(d - joint[j].first);
  };
  depth_.resize(depth_total + 1);
  const View<JointDepth> depth = depth_.view();
  count_.resize(depth_total);
  const View<std::uint32_t> counts = count_.view();
  parallel_for("count joint members", n, [&](std::size_t j) {
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      counts[d] = 0;
      geometry.for_each_of_depth(geometry.across(joint[j]), joint[j].depth, joint[j].side ^ 1,
                                 depth_of(j, d),
                                 [&](PlaceId, Cell c) { counts[d] += geometry.parts(c); });
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
  parallel_for("fill joints", n, [&](std::size_t j) {
    const int large = joint[j].depth, side = joint[j].side ^ 1;
    const double area = geometry.area[static_cast<std::size_t>(large)];
    double sum = 0, moment = 0;  // of the weights and of w delta, of the leaves so far
    for (std::size_t d = joint[j].first; d < joint[j + 1].first; ++d) {
      const int at = depth_of(j, d);
      const double delta = geometry.distance(at, large);
      double all = 0, leaves = 0;
      std::size_t next = depth[d].first;
      geometry.for_each_part(joint[j], at, [&](std::uint32_t index, Cell c, double open) {
        const double w = geometry.part_of_face(open, at, large);
        member[next] = {PlaceId(index), geometry.weight(c, side, open, at, large)};
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
    gamma[j] = area / moment;
    weight[j] = sum;
  });
}

template <int Dim, class Real>
void Joints<Dim, Real>::build_rows(const FaceMeasure<Dim, Real>& measure,
                                   const Families<Dim>& families, View<const std::uint64_t> mask) {
  using Place = FamiliesView<Dim>;
  const JointGeometry<Dim, Real> geometry(measure);
  const JointLookup<Dim> lookup{measure.faces.mesh, measure.families, mask,
                                joint_of_family_.view()};
  const Fragments<Dim>& fragments = *measure.fragments;
  rows_.fill({});

  // Families, level by level, then fragments: what they have on their sides, into lists per block.
  struct List {
    std::vector<JointRow> rows;
    std::vector<JointEntry<Real>> entries;
    void begin_row(std::uint32_t index) {
      rows.push_back({PlaceId(index), static_cast<std::uint32_t>(entries.size())});
    }
  };
  std::vector<List> lists;
  std::vector<std::size_t> rows_before{0}, entries_before{0};
  auto collect = [&](std::size_t first_list) {
    for (std::size_t b = first_list; b < lists.size(); ++b) {
      rows_before.push_back(rows_before.back() + lists[b].rows.size());
      entries_before.push_back(entries_before.back() + lists[b].entries.size());
    }
  };
  for (const FamilyLevel& level : families.levels()) {
    if (level.depth < 1) continue;
    const std::size_t first_list = lists.size();
    lists.resize(first_list + block_count(level.end - level.begin, row_block));
    parallel_blocks(
        "list joint rows", level.end - level.begin,
        [&](std::size_t b, std::size_t begin, std::size_t end) {
          List& list = lists[first_list + b];
          for (std::size_t f = level.begin + begin; f < level.begin + end; ++f) {
            typename JointLookup<Dim>::Found across[side_count<Dim>];
            bool any = false;
            for (int side = 0; side < side_count<Dim>; ++side)
              if (measure.families.neighbor_of(FamilyId(f), side) == measure.families.nothing) {
                across[side] = lookup.across(f, side);
                any = any || across[side].joint != no_joint;
              }
            for (int digit = 0; any && digit < child_count<Dim>; ++digit) {
              const Cell c = measure.families.member(FamilyId(f), digit);
              bool begun = false;
              for (int side = 0; side < side_count<Dim>; ++side) {
                if (!Place::is_outer(digit, side) || across[side].joint == no_joint) continue;
                if (!begun) list.begin_row(Place::place(FamilyId(f), digit));
                begun = true;
                list.entries.push_back(
                    {across[side].joint, geometry.weight(c, side, geometry.open(c, side),
                                                         level.depth, across[side].depth)});
              }
            }
          }
        },
        row_block);
    collect(first_list);
    rows_[static_cast<std::size_t>(level.depth)][0] = {rows_before[first_list], rows_before.back()};
  }
  for (const FamilyLevel& level : families.levels()) {
    if (level.depth < 1 || fragments.empty()) continue;
    List list;
    const auto& range = fragments.level(level.depth).fragments;
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const std::uint32_t cell = fragments.fragment(k).cell;
      const auto digit = static_cast<int>(cell % child_count<Dim>);
      bool begun = false;
      for (int side = 0; side < side_count<Dim>; ++side) {
        const FamilyId family(cell / child_count<Dim>);
        if (!Place::is_outer(digit, side) || fragments.fragment(k).side[side] <= 0 ||
            measure.families.neighbor_of(family, side) != measure.families.nothing)
          continue;
        const auto found = lookup.across(family, side);
        if (found.joint == no_joint) continue;
        if (!begun) list.begin_row(fragments.index(k));
        begun = true;
        list.entries.push_back(
            {found.joint, geometry.weight(measure.families.member(family, digit), side,
                                          static_cast<double>(fragments.fragment(k).side[side]),
                                          level.depth, found.depth)});
      }
    }
    lists.push_back(std::move(list));
    collect(lists.size() - 1);
    rows_[static_cast<std::size_t>(level.depth)][1] = {rows_before[lists.size() - 1],
                                                       rows_before.back()};
  }

  row_.resize(rows_before.back() + 1);
  entry_.resize(entries_before.back());
  const View<JointRow> row = row_.view();
  const View<JointEntry<Real>> entry = entry_.view();
  row[rows_before.back()] = {PlaceId::none(), static_cast<std::uint32_t>(entries_before.back())};
  parallel_blocks(
      "join joint rows", lists.size(),
      [&](std::size_t b, std::size_t, std::size_t) {
        std::size_t r = rows_before[b];
        for (const JointRow& from : lists[b].rows)
          row[r++] = {from.place, from.first + static_cast<std::uint32_t>(entries_before[b])};
        std::copy(lists[b].entries.begin(), lists[b].entries.end(),
                  entry.begin() + entries_before[b]);
      },
      1);
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
