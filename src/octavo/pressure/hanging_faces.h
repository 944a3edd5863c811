#pragma once

// Hanging faces are the large faces, where a leaf L meets smaller leaves. With w_C the part of the face of L
// (area A) that a smaller cell C shares with it, openly, and delta_C the distance of the centres:
//
//   losasso06:  g = gamma * sum_C w_C (q_L - q_C),   gamma = A / sum_C w_C delta_C,
//               w_C g flows into each C,  sum w_C g out of L
//   losasso04:  c_C (q_L - q_C) flows into each C,   c_C = w_C A / Delta_C
//   cut:        g = gamma * (w_L q_L - sum_C w_C q_C) over liquid cells C,  w_L the open part of the face of L,
//               gamma = X A^2 with X the inverse mass of the row (cut_rows.h),
//               w_C g flows into each C,  w_L g out of L; w_L = 0 if L is dry
//
// On a coarser level the smaller leaves are replaced by the branches that hold them, of which the
// formulae are true as well, until branches are as large as L and an ordinary face is left.
//
// The smaller cells come as *rows*: a side of a sibling block lies in one large face or in none, so that a row
// is a sibling block, a side, and the weights of the members there, leaves and branches. A fragment is a
// row of one. A hanging face has rows depth after depth. A vector that is zero on branches sees only the
// leaves among them.

#include "octavo/pressure/face_measure.h"

namespace octavo {

struct HangingFace {
  LevelCellId large;    // L
  std::uint32_t first;  // of the depths; the next hanging face's is its end
  std::int8_t depth, side;
};

// These are the rows of a hanging face that have one depth.
struct HangingFaceDepth {
  std::uint32_t first;  // in the list of rows; the next one's is its end
  float gamma;          // on the tree cut off at this depth
};

template <int Dim, class Real>
struct HangingFaceRow {
  static constexpr int width = child_count<Dim>;

  std::uint32_t base;  // the sibling block's first cell, or the index of the fragment
  std::uint32_t hanging_face;
  std::uint8_t side;
  bool is_fragment, is_whole;  // is_whole: as the hanging face
  Real weight[width];          // w_C, or c_C for losasso04; zero for members elsewhere

  // Calls f(k, cell) for all members; the weights of those that are elsewhere are zero.
  template <class F>
  void for_each_member(F&& f) const {
    if (is_fragment) return f(0, LevelCellId(base));
    for (std::uint32_t k = 0; k < width; ++k) f(k, LevelCellId(base + k));
  }
};

template <int Dim, class Real>
struct HangingFacesView {
  using Row = HangingFaceRow<Dim, Real>;
  View<const HangingFace> hanging_face;  // and one more that ends the last; by depth of L
  // For the leaves across, these are gamma, which is 0 where each has its own gradient, and the sum of their weights.
  View<const double> gamma, weight;
  View<const HangingFaceDepth> depth;  // and one more
  View<const std::uint32_t> row_of_hanging_face;
  View<const Row> row;  // by depth, then by sibling block
  View<const double>
      cut_weight;  // w_L, if there are some that are cut; else it is the sum of weights

  std::size_t count() const { return gamma.size(); }
  bool is_whole(std::size_t j) const { return gamma[j] > 0; }  // as losasso06, or as losasso04
  double large_weight(std::size_t j) const {
    return cut_weight.size() > 0 ? cut_weight[j] : weight[j];
  }

  // These give the rows of hanging face j that have a depth, in the order of the curve, and all of them.
  View<const std::uint32_t> rows(std::size_t j, int at_depth) const {
    const std::size_t d =
        hanging_face[j].first + static_cast<std::size_t>(at_depth - hanging_face[j].depth - 1);
    if (d >= hanging_face[j + 1].first) return {};
    return {row_of_hanging_face.data() + depth[d].first, depth[d + 1].first - depth[d].first};
  }
  View<const std::uint32_t> rows(std::size_t j) const {
    const std::size_t begin = depth[hanging_face[j].first].first,
                      end = depth[hanging_face[j + 1].first].first;
    return {row_of_hanging_face.data() + begin, end - begin};
  }
  double gamma_at(std::size_t j, int at_depth) const {
    return static_cast<double>(depth[hanging_face[j].first +
                                     static_cast<std::size_t>(at_depth - hanging_face[j].depth - 1)]
                                   .gamma);
  }
};

template <int Dim, class Real>
class HangingFaces {
 public:
  using Row = HangingFaceRow<Dim, Real>;

  // First the rows of every depth are added, with open fractions as weights, those of a sibling block one after the
  // other; then the hanging faces are built with mask. For each sibling block, mask has bit slot * 2 Dim + side for
  // every side of a liquid leaf that is a large face; block and fraction are its open fractions.
  void clear();
  void add_rows(int depth, std::vector<Row>&& rows);
  void add_fragments(const FaceMeasure<Dim, Real>& measure, int depth);
  void build(const FaceMeasure<Dim, Real>& measure, const SiblingBlocks<Dim>& sibling_blocks,
             View<const std::uint64_t> mask, View<const std::uint32_t> block,
             View<const Real> fraction);

  HangingFacesView<Dim, Real> view() const;

  // These are the hanging faces whose larger leaf has a depth, and the rows of a depth.
  IndexRange of_depth(int depth) const {
    const auto d = static_cast<std::size_t>(depth);
    return depth < 0 ? IndexRange{}
                     : IndexRange{hanging_face_begin_[d], hanging_face_begin_[d + 1]};
  }
  IndexRange rows_of_depth(int depth) const {
    return depth < 0 ? IndexRange{} : rows_[static_cast<std::size_t>(depth)];
  }
  bool empty() const { return gamma_.empty(); }
  std::size_t bytes() const;

 private:
  struct Across;
  static SiblingBlockId sibling_block_of(const FaceMeasure<Dim, Real>& measure, const Row& row);
  void number(const SiblingBlocks<Dim>& sibling_blocks, View<const std::uint64_t> mask);
  void join_rows(const FaceMeasure<Dim, Real>& measure);
  void count_rows(const Across& across);
  void fill(const Across& across);
  View<const std::uint32_t> list_rows(const Across& across, std::size_t j);
  void weigh(const Across& across, std::size_t j, View<const std::uint32_t> rows, bool whole);
  void cut(const Across& across, std::size_t j, const CutRow& row);

  Buffer<HangingFace> hanging_face_;
  Buffer<double> gamma_, weight_, cut_weight_;
  Buffer<HangingFaceDepth> depth_;
  Buffer<std::uint32_t> row_of_hanging_face_;
  Buffer<Row> row_;
  std::array<std::size_t, max_level + 2> hanging_face_begin_{};
  std::array<IndexRange, max_level + 1> rows_{};

  // While building, rows are kept as they come; each sibling block has its first hanging face, its first row,
  // and the first row of a fragment that is one of its members.
  std::vector<std::vector<Row>> found_;
  std::size_t found_total_ = 0;
  Buffer<std::uint32_t> hanging_face_of_sibling_block_, row_of_sibling_block_,
      fragment_row_of_sibling_block_, count_, row_count_;
};

extern template class HangingFaces<2, float>;
extern template class HangingFaces<3, float>;
extern template class HangingFaces<2, double>;
extern template class HangingFaces<3, double>;

// Calls f(first, end) for the runs of equal key(i) in [begin, end).
template <class Key, class F>
void for_each_run(const char* label, IndexRange range, Key&& key, F&& f) {
  parallel_for(label, range.end - range.begin, [&](std::size_t i) {
    const std::size_t first = range.begin + i;
    const auto own = key(first);
    if (first > range.begin && key(first - 1) == own) return;
    std::size_t last = first + 1;
    while (last < range.end && key(last) == own) ++last;
    f(first, last);
  });
}

// These do the same for the hanging faces of each larger leaf, and for the rows of each sibling block or fragment.
template <int Dim, class Real, class F>
void for_each_large_leaf(const char* label, const HangingFacesView<Dim, Real>& hanging_faces,
                         IndexRange range, F&& f) {
  for_each_run(
      label, range, [&](std::size_t j) { return hanging_faces.hanging_face[j].large.value; }, f);
}
template <int Dim, class Real, class F>
void for_each_sibling_block(const char* label, const HangingFacesView<Dim, Real>& hanging_faces,
                            IndexRange range, F&& f) {
  for_each_run(
      label, range, [&](std::size_t r) { return hanging_faces.row[r].base; }, f);
}

}  // namespace octavo
