#include "octavo/pressure/hanging_faces.h"

#include <bit>

#include "octavo/pressure/hanging_face_geometry.h"

namespace octavo {
namespace {

// Entry d of the depths is about the rows of this depth.
int depth_of(const HangingFace& hanging_face, std::size_t d) {
  return hanging_face.depth + 1 + static_cast<int>(d - hanging_face.first);
}

}  // namespace

template <int Dim, class Real>
void HangingFaces<Dim, Real>::build(const FaceMeasure<Dim, Real>& measure,
                                    const SiblingBlocks<Dim>& sibling_blocks,
                                    View<const std::uint64_t> mask, View<const std::uint32_t> block,
                                    View<const Real> fraction) {
  number(sibling_blocks, mask);
  join_rows(measure);
  const Across across(measure, block, fraction, row_of_sibling_block_.view(),
                      fragment_row_of_sibling_block_.view(), row_.view());
  count_rows(across);
  fill(across);
}

// Hanging faces are numbered in the order of the sibling blocks of the larger leaves, coarse depths first.
template <int Dim, class Real>
void HangingFaces<Dim, Real>::number(const SiblingBlocks<Dim>& sibling_blocks,
                                     View<const std::uint64_t> mask) {
  std::size_t total = 0;
  hanging_face_of_sibling_block_.resize(mask.size());
  const View<std::uint32_t> first = hanging_face_of_sibling_block_.view();
  hanging_face_begin_.fill(0);
  for (const SiblingLevel& level : sibling_blocks.levels()) {
    if (level.depth < 0) continue;
    const View<std::uint32_t> counts{first.data() + level.begin, level.end - level.begin};
    parallel_for("count hanging faces", counts.size(), [=](std::size_t i) {
      counts[i] = static_cast<std::uint32_t>(std::popcount(mask[level.begin + i]));
    });
    const std::size_t here = exclusive_scan("number hanging faces", counts);
    const auto before = static_cast<std::uint32_t>(total);
    parallel_for("number hanging faces", counts.size(),
                 [=](std::size_t i) { counts[i] += before; });
    total += here;
    for (auto d = static_cast<std::size_t>(level.depth) + 1; d < hanging_face_begin_.size(); ++d)
      hanging_face_begin_[d] = total;
  }

  hanging_face_.resize(total + 1);
  hanging_face_[total] = {LevelCellId::none(), 0, 0, 0};
  const View<HangingFace> hanging_face = hanging_face_.view();
  for (const SiblingLevel& level : sibling_blocks.levels())
    if (level.depth >= 0)
      parallel_for("list hanging faces", level.end - level.begin, [=](std::size_t i) {
        std::uint32_t next = first[level.begin + i];
        for (std::uint64_t bits = mask[level.begin + i]; bits != 0; bits &= bits - 1) {
          const int bit = std::countr_zero(bits);
          hanging_face[next++] = {SiblingBlocksView<Dim>::level_cell(
                                      SiblingBlockId(level.begin + i), bit / side_count<Dim>),
                                  0, static_cast<std::int8_t>(level.depth),
                                  static_cast<std::int8_t>(bit % side_count<Dim>)};
        }
      });
}

// This counts how many depths and rows every hanging face has.
template <int Dim, class Real>
void HangingFaces<Dim, Real>::count_rows(const Across& across) {
  const std::size_t n = hanging_face_.size() - 1;
  const View<HangingFace> hanging_face = hanging_face_.view();
  count_.resize(n);
  row_count_.resize(n);
  const View<std::uint32_t> depths = count_.view(), rows = row_count_.view();
  parallel_for("count rows of hanging faces", n, [&](std::size_t j) {
    rows[j] = 0;
    const int deepest =
        across.for_each_row_of_any_depth(hanging_face[j], [&](std::uint32_t) { ++rows[j]; });
    depths[j] = static_cast<std::uint32_t>(deepest - hanging_face[j].depth);
  });
  const std::size_t depth_total = exclusive_scan("number hanging face depths", depths);
  row_of_hanging_face_.resize(exclusive_scan("number rows of hanging faces", rows));
  parallel_for("number hanging face depths", n,
               [=](std::size_t j) { hanging_face[j].first = depths[j]; });
  hanging_face[n].first = static_cast<std::uint32_t>(depth_total);
  depth_.resize(depth_total + 1);
  depth_[depth_total] = {static_cast<std::uint32_t>(row_of_hanging_face_.size()), 0};
}

template <int Dim, class Real>
void HangingFaces<Dim, Real>::fill(const Across& across) {
  const std::size_t n = hanging_face_.size() - 1;
  gamma_.resize(n);
  weight_.resize(n);
  cut_weight_.resize(across.measure.cut_rows.empty() ? 0 : n);
  parallel_for("fill hanging faces", n, [&](std::size_t j) {
    const View<const std::uint32_t> rows = list_rows(across, j);
    const CutRow* row = across.cut_row(hanging_face_[j]);
    weigh(across, j, rows, row != nullptr || across.is_whole(hanging_face_[j], rows));
    if (cut_weight_.size() > 0) cut_weight_[j] = weight_[j];
    if (row != nullptr) cut(across, j, *row);
  });
}

// This lists the rows of a hanging face, depth after depth.
template <int Dim, class Real>
View<const std::uint32_t> HangingFaces<Dim, Real>::list_rows(const Across& across, std::size_t j) {
  std::uint32_t next = row_count_[j];
  for (std::size_t d = hanging_face_[j].first; d < hanging_face_[j + 1].first; ++d) {
    depth_[d].first = next;
    across.for_each_row(hanging_face_[j], depth_of(hanging_face_[j], d), [&](std::uint32_t r) {
      row_of_hanging_face_[next++] = r;
      row_[r].hanging_face = static_cast<std::uint32_t>(j);
    });
  }
  return {row_of_hanging_face_.data() + row_count_[j], next - row_count_[j]};
}

// This turns open fractions into weights and finds what follows from them.
template <int Dim, class Real>
void HangingFaces<Dim, Real>::weigh(const Across& across, std::size_t j,
                                    View<const std::uint32_t> rows, bool whole) {
  const auto large = static_cast<int>(hanging_face_[j].depth);
  const double area = across.area[static_cast<std::size_t>(large)];
  double sum = 0, moment = 0;  // of the weights and of w delta, of the leaves so far
  std::size_t i = 0;
  for (std::size_t d = hanging_face_[j].first; d < hanging_face_[j + 1].first; ++d) {
    const int at = depth_of(hanging_face_[j], d);
    const double delta = across.distance(at, large), share = across.share(at, large);
    const bool is_last = d + 1 == hanging_face_[j + 1].first;
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

// Where the surface cuts a hanging face, the dry part of it counts as well: for the weight of the larger leaf, and in
// the volume from which gamma follows on coarser levels.
template <int Dim, class Real>
void HangingFaces<Dim, Real>::cut(const Across& across, std::size_t j, const CutRow& row) {
  const double area = across.area[static_cast<std::size_t>(hanging_face_[j].depth)];
  for (std::size_t d = hanging_face_[j].first; d < hanging_face_[j + 1].first; ++d)
    depth_[d].gamma *= static_cast<float>(row.weight() * row.wet_area / row.area);
  gamma_[j] = row.inverse_mass * area * area;
  cut_weight_[j] = row.large_is_wet ? row.area / area : 0;
}

template <int Dim, class Real>
HangingFacesView<Dim, Real> HangingFaces<Dim, Real>::view() const {
  return {hanging_face_.view(),        gamma_.view(), weight_.view(),    depth_.view(),
          row_of_hanging_face_.view(), row_.view(),   cut_weight_.view()};
}

template <int Dim, class Real>
std::size_t HangingFaces<Dim, Real>::bytes() const {
  return hanging_face_.bytes() + gamma_.bytes() + weight_.bytes() + cut_weight_.bytes() +
         depth_.bytes() + row_of_hanging_face_.bytes() + row_.bytes() +
         hanging_face_of_sibling_block_.bytes() + row_of_sibling_block_.bytes() +
         fragment_row_of_sibling_block_.bytes() + count_.bytes() + row_count_.bytes();
}

template class HangingFaces<2, float>;
template class HangingFaces<3, float>;
template class HangingFaces<2, double>;
template class HangingFaces<3, double>;

}  // namespace octavo
