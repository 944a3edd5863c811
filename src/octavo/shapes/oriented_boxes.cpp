#include "octavo/shapes/oriented_boxes.h"

#include <array>
#include <limits>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"

namespace octavo {

namespace {

// These allow for rounding, in units of half the mesh's diagonal, from points up to two such units
// away; farther ones, and axes that are not quite of length one, are wrong by a part of their distance.
constexpr double margin = 1e-6;
constexpr double limit_slack = 1e-5;
constexpr float farthest = 1e15f;  // squares of which are still numbers

using Axes = std::array<Vec3d, 3>;
using Children = std::array<std::uint32_t, 4>;  // boxes of the tree
constexpr std::uint32_t no_child = std::numeric_limits<std::uint32_t>::max();

template <class F>
void for_each_corner(const TriangleTree& tree, const TriangleRange& range, F&& f) {
  for (std::uint32_t i = range.first; i < range.last; ++i) {
    const Triangle& t = tree.triangles[i];
    f(t.corner);
    f(t.corner + t.edge_1);
    f(t.corner + t.edge_2);
  }
}

double half_area(const BoxNode& b) {
  const double x = double{b.hi[0]} - b.lo[0], y = double{b.hi[1]} - b.lo[1],
               z = double{b.hi[2]} - b.lo[2];
  return x * y + y * z + z * x;
}

// This finds the largest box that has halves, of up to four.
int largest(const TriangleTree& tree, const Children& children, int count) {
  int found = -1;
  double most = -1;
  for (int k = 0; k < count; ++k) {
    const BoxNode& node = tree.nodes[children[static_cast<std::size_t>(k)]];
    if (node.count > 0 || !(half_area(node) > most)) continue;
    most = half_area(node);
    found = k;
  }
  return found;
}

// A box is replaced by its halves until there are four. The tree may be a single box.
Children four_below(const TriangleTree& tree, std::uint32_t node) {
  Children children{node, no_child, no_child, no_child};
  for (int count = 1; count < 4; ++count) {
    const int k = largest(tree, children, count);
    if (k < 0) break;
    std::uint32_t& split = children[static_cast<std::size_t>(k)];
    children[static_cast<std::size_t>(count)] = tree.nodes[split].next;
    ++split;
  }
  return children;
}

// This tells which boxes of the tree make each quad; a whole stands before its parts.
struct Layout {
  explicit Layout(const TriangleTree& of) : tree(of) { add(0); }

  std::uint32_t add(std::uint32_t node) {
    const auto index = static_cast<std::uint32_t>(quads.size());
    const Children children = four_below(tree, node);
    quads.push_back(children);
    contents.emplace_back();
    for (std::size_t k = 0; k < 4 && children[k] != no_child; ++k) {
      const BoxNode& child = tree.nodes[children[k]];
      const BoxContent content =
          child.count > 0 ? BoxContent::triangles(child) : BoxContent::quad(add(children[k]));
      contents[index][k] = content;
    }
    return index;
  }

  const TriangleTree& tree;
  std::vector<Children> quads;
  std::vector<std::array<BoxContent, 4>> contents;
};

// The axes are along the mean normal and, in its plane, along the direction in which the corners spread
// most; they are the axes of space if there is no mean normal.
Axes flat_axes(const TriangleTree& tree, const TriangleRange& range) {
  Vec3d normal{}, middle{};
  for (std::uint32_t i = range.first; i < range.last; ++i) normal += area_normal(tree.triangles[i]);
  if (!(length(normal) > 0)) return {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  normal = normal / length(normal);
  const Vec3d across = cross(normal, std::abs(normal[0]) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  const Vec3d u = across / length(across), v = cross(normal, u);

  for_each_corner(tree, range, [&](const Vec3d& p) { middle += p; });
  middle = middle / (3.0 * (range.last - range.first));
  double uu = 0, uv = 0, vv = 0;
  for_each_corner(tree, range, [&](const Vec3d& p) {
    const double x = dot(p - middle, u), y = dot(p - middle, v);
    uu += x * x;
    uv += x * y;
    vv += y * y;
  });
  const double angle = 0.5 * std::atan2(2 * uv, uu - vv);
  const Vec3d spread = u * std::cos(angle) + v * std::sin(angle);
  return {normal, spread, cross(normal, spread)};
}

// This is the box with given axes around triangles; it is local.
struct Fitted {
  Axes axes;
  Vec3d center, half_size;

  double half_area() const {
    return half_size[0] * half_size[1] + half_size[1] * half_size[2] + half_size[2] * half_size[0];
  }
};

Fitted fit(const TriangleTree& tree, const TriangleRange& range, const Axes& axes,
           const Vec3d& origin, double unit) {
  Fitted box{axes, {}, {}};
  Vec3d lo = Vec3d::filled(HUGE_VAL), hi = Vec3d::filled(-HUGE_VAL);
  for (Vec3d& axis : box.axes) axis = axis.cast<float>().cast<double>();  // as they will be stored
  for_each_corner(tree, range, [&](const Vec3d& p) {
    const Vec3d q = (p - origin) / unit;
    const Vec3d along{dot(q, box.axes[0]), dot(q, box.axes[1]), dot(q, box.axes[2])};
    lo = min(lo, along);
    hi = max(hi, along);
  });
  const Vec3d middle = (lo + hi) * 0.5;
  box.center = box.axes[0] * middle[0] + box.axes[1] * middle[1] + box.axes[2] * middle[2];
  box.half_size = (hi - lo) * 0.5 + Vec3d::filled(margin);
  return box;
}

void put(const Fitted& box, std::size_t lane, BoxQuad& quad) {
  for (std::size_t a = 0; a < 3; ++a) {
    const int i = static_cast<int>(a);
    quad.center[a][lane] = static_cast<float>(box.center[i]);
    quad.half_size[a][lane] = static_cast<float>(box.half_size[i]);
    for (std::size_t c = 0; c < 3; ++c)
      quad.axis[a][c][lane] = static_cast<float>(box.axes[a][static_cast<int>(c)]);
  }
}

}  // namespace

BoxContent BoxContent::quad(std::size_t index) {
  OCTAVO_CHECK(index < leaf_bit);
  return BoxContent(static_cast<std::uint32_t>(index));
}

BoxContent BoxContent::triangles(const BoxNode& last_box) {
  OCTAVO_CHECK(last_box.count < 8 && last_box.next < leaf_bit >> 3);
  return BoxContent(leaf_bit | last_box.next << 3 | last_box.count);
}

// Of a box along the axes and a flat one the one with the smaller surface is taken: around large
// parts of a closed surface the mean normal says little.
OrientedBoxes::OrientedBoxes(const TriangleTree& tree)
    : origin_(tree.bounds.center()), unit_(0.5 * length(tree.bounds.size())) {
  if (!(unit_ > 0)) unit_ = 1;  // a single point
  const Layout layout(tree);
  const std::vector<TriangleRange> ranges = tree.ranges();
  quads_.resize(layout.quads.size());
  parallel_for("fit boxes", quads_.size(), [&](std::size_t i) {
    const Axes straight{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
    const Fitted nothing{straight, {}, Vec3d::filled(-HUGE_VAL)};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t node = layout.quads[i][k];
      quads_[i].content[k] = layout.contents[i][k];
      put(nothing, k, quads_[i]);
      if (node == no_child) continue;
      const Fitted along = fit(tree, ranges[node], straight, origin_, unit_);
      const Fitted flat = fit(tree, ranges[node], flat_axes(tree, ranges[node]), origin_, unit_);
      put(flat.half_area() < along.half_area() ? flat : along, k, quads_[i]);
    }
  });
}

Vec3f OrientedBoxes::local(const Vec3d& p) const {
  const Vec3d q = (p - origin_) / unit_;
  const Vec3d most = Vec3d::filled(farthest);
  return max(min(q, most), -most).cast<float>();
}

float OrientedBoxes::local_limit(double squared) const {
  using Float = std::numeric_limits<float>;
  const double local = squared / (unit_ * unit_) * (1 + limit_slack);
  return static_cast<float>(std::clamp<double>(local, Float::min(), Float::max()));
}

}  // namespace octavo
