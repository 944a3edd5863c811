#include "octavo/draw/leaf_colors.h"

#include <algorithm>

#include "octavo/base/error.h"

namespace octavo {
namespace {

template <int Dim>
LevelRange level_range(const OctreeView<Dim>& tree, const ShownLevels& levels) {
  auto level = [&](std::size_t i) { return static_cast<double>(tree.level(LeafId(i))); };
  LevelRange range{levels.min, levels.max};
  if (range.lo < 0)
    range.lo = static_cast<int>(-parallel_max("lowest level", tree.leaf_count(), -max_level,
                                              [&](std::size_t i) { return -level(i); }));
  if (range.hi < 0)
    range.hi = static_cast<int>(parallel_max("highest level", tree.leaf_count(), 0, level));
  range.lo = std::min(range.lo, range.hi);
  return range;
}

}  // namespace

void ShownLevels::check() const {
  for (const int level : {min, max})
    if (level < -1 || level > max_level)
      throw InputError("a level is between 0 and {}, not {}", max_level, level);
  if (min >= 0 && max >= 0 && min > max)
    throw InputError("the lowest level of a picture, {}, is above the highest, {}", min, max);
}

void require_inside(const Box<3>& box, int axis, double position, std::string_view what) {
  if (!(position >= box.lo[axis] && position <= box.hi[axis]))
    throw InputError("{} at {} m is outside the domain, which goes from {} to {} m along {}", what,
                     position, box.lo[axis], box.hi[axis], "xyz"[axis]);
}

template <int Dim>
LeafColors<Dim>::LeafColors(const LeafPicture<Dim>& picture, const ShownLevels& levels)
    : tree_(picture.tree) {
  levels.check();
  if (picture.categories) {
    categories_ = picture.categories->leaves;
    OCTAVO_CHECK(categories_.size() == tree_.leaf_count());
    legend_ = {picture.categories->title, Categories{picture.categories->names}};
    return;
  }
  if (!picture.field) {
    legend_ = {"level", level_range(tree_, levels)};
    return;
  }
  const FieldColors<Dim>& field = *picture.field;
  leaves_ = field.leaves;
  nodes_ = field.nodes;
  leaf_node_ = field.mesh.leaf_node;
  if (leaves_.size() > 0)
    OCTAVO_CHECK(leaves_.size() == tree_.leaf_count());
  else
    OCTAVO_CHECK(field.mesh.leaf_count() == tree_.leaf_count() &&
                 nodes_.size() == field.mesh.node_count());
  ColorScale scale = color_scale(leaves_.size() > 0 ? leaves_ : nodes_, field.map, field.range);
  scale.liquid = field.liquid;
  legend_ = {field.title, scale};
}

Color with_solid(const Color& color, double pixels) {
  constexpr Color body = color_of(0x9a9a9e), edge = color_of(0x5c5c63);
  const auto inside = static_cast<float>(std::clamp(0.5 - pixels, 0.0, 1.0));
  const auto near = static_cast<float>(std::clamp(2.0 - std::abs(pixels + 1), 0.0, 1.0));
  return mix(color, mix(body, edge, near), inside);
}

template class LeafColors<2>;
template class LeafColors<3>;

}  // namespace octavo
