#pragma once

// Joints: the large faces, where a leaf L meets smaller leaves. With w_C the part of the face of L
// (area A) that a smaller cell C shares with it, openly, and delta_C the distance of the centres:
//
//   losasso06:  g = gamma * sum_C w_C (q_L - q_C),   gamma = A / sum_C w_C delta_C,
//               w_C g flows into each C,  sum w_C g out of L
//   losasso04:  c_C (q_L - q_C) flows into each C,   c_C = w_C A / Delta_C
//
// On a coarser level the smaller leaves are replaced by the branches that hold them, of which the
// formulae are true as well, until branches are as large as L and an ordinary face is left. So a
// joint has *members* depth after depth: the places across it of one depth, leaves and branches,
// stand together. A vector that is zero on branches sees only the leaves among them.
//
// Rows are the same numbers for the smaller side: all joints of a place, which are at most one on
// each of its outer sides.

#include "octavo/solvers/face_measure.h"

namespace octavo {

struct Joint {
  PlaceId large;        // L
  std::uint32_t first;  // of the depths; the next joint's is its end
  std::int8_t depth, side;
};

// The members of one depth.
struct JointDepth {
  std::uint32_t first;  // of the members; the next one's is its end
  float gamma;          // on the tree cut off at this depth
};

template <class Real>
struct JointMember {
  PlaceId place;
  Real weight;  // w_C, or c_C for losasso04
};

struct JointRow {
  PlaceId place;
  std::uint32_t first;  // of the entries; the next row's is its end
};

template <class Real>
struct JointEntry {
  std::uint32_t joint;
  Real weight;
};

template <int Dim, class Real>
struct JointsView {
  View<const Joint> joint;  // and one more that ends the last; by depth of L
  View<const double> gamma,
      weight;                    // of the leaves across: gamma, 0 where each has its own gradient;
                                 // and the sum of their weights
  View<const JointDepth> depth;  // and one more
  View<const JointMember<Real>> member;
  View<const JointRow> row;  // and one more; by depth
  View<const JointEntry<Real>> entry;

  std::size_t count() const { return gamma.size(); }
  bool is_whole(std::size_t j) const { return gamma[j] > 0; }  // as losasso06, or as losasso04
  std::size_t row_count() const { return row.size() - 1; }

  // The members of joint j that have a depth, in the order of the curve.
  View<const JointMember<Real>> members(std::size_t j, int at_depth) const {
    const std::size_t d = joint[j].first + static_cast<std::size_t>(at_depth - joint[j].depth - 1);
    if (d >= joint[j + 1].first) return {};
    return {member.data() + depth[d].first, depth[d + 1].first - depth[d].first};
  }
  View<const JointMember<Real>> members(std::size_t j) const {
    const std::size_t begin = depth[joint[j].first].first, end = depth[joint[j + 1].first].first;
    return {member.data() + begin, end - begin};
  }
  double gamma_at(std::size_t j, int at_depth) const {
    return static_cast<double>(
        depth[joint[j].first + static_cast<std::size_t>(at_depth - joint[j].depth - 1)].gamma);
  }
  View<const JointEntry<Real>> entries(std::size_t r) const {
    return {entry.data() + row[r].first, row[r + 1].first - row[r].first};
  }
};

template <int Dim, class Real>
class Joints {
 public:
  // mask: for each family, bit slot * 2 Dim + side for every side of a liquid leaf that is a large
  // face.
  void build(const FaceMeasure<Dim, Real>& measure, const Families<Dim>& families,
             View<const std::uint64_t> mask);

  JointsView<Dim, Real> view() const;

  // Joints whose larger leaf has a depth, and rows of a depth: those of places, those of fragments.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  Range of_depth(int depth) const {
    const auto d = static_cast<std::size_t>(depth);
    return depth < 0 ? Range{} : Range{joint_begin_[d], joint_begin_[d + 1]};
  }
  std::array<Range, 2> rows_of_depth(int depth) const {
    if (depth < 0) return {};
    return rows_[static_cast<std::size_t>(depth)];
  }
  bool empty() const { return gamma_.empty(); }
  std::size_t bytes() const;

 private:
  void number(const Families<Dim>& families, View<const std::uint64_t> mask);
  template <class Geometry>
  void count_depths(const Geometry& geometry);
  template <class Geometry>
  void count_members(const Geometry& geometry);
  void fill(const FaceMeasure<Dim, Real>& measure);
  void build_rows(const FaceMeasure<Dim, Real>& measure, const Families<Dim>& families,
                  View<const std::uint64_t> mask);

  Buffer<Joint> joint_;
  Buffer<double> gamma_, weight_;
  Buffer<JointDepth> depth_;
  Buffer<JointMember<Real>> member_;
  Buffer<JointRow> row_;
  Buffer<JointEntry<Real>> entry_;
  Buffer<std::uint32_t> joint_of_family_, count_;
  std::array<std::size_t, max_level + 2> joint_begin_{};
  std::array<std::array<Range, 2>, max_level + 1> rows_{};
};

extern template class Joints<2, float>;
extern template class Joints<3, float>;
extern template class Joints<2, double>;
extern template class Joints<3, double>;

// Calls f(place of L, first joint, end) for the larger leaves of joints [begin, end).
template <int Dim, class Real, class F>
void for_each_large_leaf(const char* label, const JointsView<Dim, Real>& joints, std::size_t begin,
                         std::size_t end, F&& f) {
  parallel_for(label, end - begin, [&](std::size_t i) {
    const std::size_t first = begin + i;
    const PlaceId large = joints.joint[first].large;
    if (first > begin && joints.joint[first - 1].large == large) return;
    std::size_t last = first + 1;
    while (last < end && joints.joint[last].large == large) ++last;
    f(large, first, last);
  });
}

}  // namespace octavo
