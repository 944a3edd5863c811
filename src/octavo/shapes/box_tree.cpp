#include "octavo/shapes/box_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "octavo/base/error.h"

namespace octavo {

namespace {

constexpr int bin_count = 16;
constexpr std::ptrdiff_t last_box_items = 4;

// Below this depth boxes are cut in halves of equal count: 2^32 triangles then end within 32 more,
// and no arrangement of triangles makes the tree deeper than box_tree_depth.
constexpr int balanced_depth = box_tree_depth - 34;

constexpr Box<3> empty_box() {
  return {Vec3d::filled(std::numeric_limits<double>::infinity()),
          Vec3d::filled(-std::numeric_limits<double>::infinity())};
}

Box<3> joined(const Box<3>& a, const Box<3>& b) { return {min(a.lo, b.lo), max(a.hi, b.hi)}; }

double half_area(const Box<3>& b) {
  const Vec3d s = b.size();
  return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

struct Bins {
  Box<3> centers;
  int axis;

  int operator()(const BoxItem& item) const {
    const double width = centers.hi[axis] - centers.lo[axis];
    const double x = (item.box.center()[axis] - centers.lo[axis]) / width * bin_count;
    return std::clamp(static_cast<int>(x), 0, bin_count - 1);
  }
};

struct Cut {
  double cost = std::numeric_limits<double>::infinity();
  int axis = 0;
  int bin = 0;  // items of this bin and those before it go left
};

// This finds the cheapest of the cuts between bins along one axis: the cost is area times count, left and right.
Cut best_cut(const BoxItem* begin, const BoxItem* end, const Bins& bins) {
  std::array<Box<3>, bin_count> box;
  std::array<std::size_t, bin_count> count{};
  box.fill(empty_box());
  for (const BoxItem* i = begin; i != end; ++i) {
    const auto b = static_cast<std::size_t>(bins(*i));
    box[b] = joined(box[b], i->box);
    ++count[b];
  }

  // These are the costs of everything right of each cut; those of the left are then added on the way up.
  std::array<double, bin_count> cost{};
  Box<3> side = empty_box();
  std::size_t items = 0;
  for (std::size_t b = bin_count - 1; b > 0; --b) {
    side = joined(side, box[b]);
    items += count[b];
    if (items > 0) cost[b - 1] = half_area(side) * static_cast<double>(items);
  }
  Cut best{.axis = bins.axis};
  side = empty_box();
  const std::size_t all = items + count[0];
  items = 0;
  for (std::size_t b = 0; b + 1 < bin_count; ++b) {
    side = joined(side, box[b]);
    items += count[b];
    if (items == 0 || items == all) continue;
    const double total = cost[b] + half_area(side) * static_cast<double>(items);
    if (total < best.cost) best = {total, bins.axis, static_cast<int>(b)};
  }
  return best;
}

class Builder {
 public:
  explicit Builder(std::vector<BoxItem>& items) : items_(items) {
    OCTAVO_CHECK(items.size() < std::numeric_limits<std::uint32_t>::max());
    nodes_.reserve(items.size());
    add(items.data(), items.data() + items.size(), 0);
  }
  std::vector<BoxNode> take() { return std::move(nodes_); }

 private:
  void add(BoxItem* begin, BoxItem* end, int depth) {
    OCTAVO_CHECK(depth < box_tree_depth);
    const std::size_t index = nodes_.size();
    nodes_.push_back(rounded_outwards(bounds_of(begin, end)));
    if (end - begin <= last_box_items) {
      nodes_[index].next = static_cast<std::uint32_t>(begin - items_.data());
      nodes_[index].count = static_cast<std::uint32_t>(end - begin);
      return;
    }
    BoxItem* middle = split(begin, end, depth);
    add(begin, middle, depth + 1);
    nodes_[index].next = static_cast<std::uint32_t>(nodes_.size());
    add(middle, end, depth + 1);
  }

  static BoxItem* split(BoxItem* begin, BoxItem* end, int depth) {
    Box<3> centers = empty_box();
    for (const BoxItem* i = begin; i != end; ++i)
      centers = joined(centers, {i->box.center(), i->box.center()});
    Cut cut;
    for (int axis = 0; axis < 3 && depth < balanced_depth; ++axis) {
      if (!(centers.size()[axis] > 0)) continue;
      const Cut along = best_cut(begin, end, {centers, axis});
      if (along.cost < cut.cost) cut = along;
    }
    if (!std::isfinite(cut.cost)) return begin + (end - begin) / 2;
    const Bins bins{centers, cut.axis};
    return std::partition(begin, end, [&](const BoxItem& i) { return bins(i) <= cut.bin; });
  }

  static BoxNode rounded_outwards(const Box<3>& box) {
    BoxNode node{};
    for (int a = 0; a < 3; ++a) {
      node.lo[a] = std::nextafterf(static_cast<float>(box.lo[a]), -HUGE_VALF);
      node.hi[a] = std::nextafterf(static_cast<float>(box.hi[a]), HUGE_VALF);
    }
    return node;
  }

  std::vector<BoxItem>& items_;
  std::vector<BoxNode> nodes_;
};

}  // namespace

Box<3> bounds_of(const BoxItem* begin, const BoxItem* end) {
  Box<3> box = empty_box();
  for (const BoxItem* i = begin; i != end; ++i) box = joined(box, i->box);
  return box;
}

std::vector<BoxNode> build_box_tree(std::vector<BoxItem>& items) { return Builder(items).take(); }

}  // namespace octavo
