#include "octavo/shapes/winding_number.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "octavo/base/parallel.h"

namespace octavo {

namespace {

constexpr double accuracy = 2;  // the paper's beta: how many reaches away a dipole will do

// Half a solid angle is the angle of this vector in the plane (van Oosterom and Strackee 1983).
Vec2d half_angle(const Vec3d& p, const Triangle& t) {
  const Vec3d a = t.corner - p, b = a + t.edge_1, c = a + t.edge_2;
  const double r = length(a), s = length(b), q = length(c);
  return {r * s * q + dot(a, b) * q + dot(b, c) * r + dot(c, a) * s, dot(a, area_normal(t))};
}

// This is a sum of angles between -pi and pi, given by vectors in the plane. These are multiplied as
// complex numbers, which adds their angles, and only the last product asks for an arc tangent. The
// angle passes pi if two vectors of the upper half plane have a product in the lower one, and -pi if it
// is the other way round.
class AngleSum {
 public:
  void add(const Vec2d& v) {
    if (v[1] == 0) return;
    const Vec2d product{sum_[0] * v[0] - sum_[1] * v[1], sum_[0] * v[1] + sum_[1] * v[0]};
    const bool before = std::signbit(sum_[1]), after = std::signbit(product[1]);
    if (before == std::signbit(v[1]) && before != after) turns_ += after ? 1 : -1;
    const double size = std::abs(product[0]) + std::abs(product[1]);
    if (size > 0) sum_ = product / size;
  }
  double total() const { return std::atan2(sum_[1], sum_[0]) + 2 * std::numbers::pi * turns_; }

 private:
  Vec2d sum_{1, 0};
  int turns_ = 0;
};

}  // namespace

double solid_angle(const Vec3d& p, const Triangle& triangle) {
  const Vec2d half = half_angle(p, triangle);
  return half[1] == 0 ? 0 : 2 * std::atan2(half[1], half[0]);
}

WindingNumber::WindingNumber(const TriangleMesh& mesh)
    : WindingNumber(std::make_shared<const TriangleTree>(mesh)) {}

WindingNumber::WindingNumber(std::shared_ptr<const TriangleTree> tree) : tree_(std::move(tree)) {
  const std::vector<TriangleRange> ranges = tree_->ranges();
  dipoles_.resize(ranges.size());
  parallel_for("sum dipoles", ranges.size(),
               [&](std::size_t i) { dipoles_[i] = dipole(ranges[i]); });
}

WindingNumber::Dipole WindingNumber::dipole(const TriangleRange& range) const {
  // The dipole is at the centre of the area; of triangles without any, it is at some corner.
  Dipole d{};
  double area = 0;
  for (std::uint32_t i = range.first; i < range.last; ++i) {
    const Triangle& t = tree_->triangles[i];
    const Vec3d normal = area_normal(t) * 0.5;
    d.area_normal += normal;
    d.center += (t.corner + (t.edge_1 + t.edge_2) / 3.0) * length(normal);
    area += length(normal);
  }
  d.center = area > 0 ? d.center / area : tree_->triangles[range.first].corner;

  for (std::uint32_t i = range.first; i < range.last; ++i) {
    const Triangle& t = tree_->triangles[i];
    const Vec3d a = t.corner - d.center, b = a + t.edge_1, c = a + t.edge_2;
    d.squared_reach = std::max({d.squared_reach, dot(a, a), dot(b, b), dot(c, c)});
  }
  return d;
}

double WindingNumber::operator()(const Vec3d& p) const {
  std::uint32_t waiting[box_tree_depth + 1];
  int count = 0;
  waiting[count++] = 0;
  double far = 0;
  AngleSum near;
  while (count > 0) {
    const std::uint32_t i = waiting[--count];
    const Dipole& d = dipoles_[i];
    const Vec3d r = d.center - p;
    const double squared = dot(r, r);
    if (squared > accuracy * accuracy * d.squared_reach) {
      far += dot(r, d.area_normal) / (squared * std::sqrt(squared));
      continue;
    }
    const BoxNode& node = tree_->nodes[i];
    for (std::uint32_t k = node.next; k < node.next + node.count; ++k)
      near.add(half_angle(p, tree_->triangles[k]));
    if (node.count > 0) continue;
    waiting[count++] = node.next;
    waiting[count++] = i + 1;
  }
  return (far + 2 * near.total()) / (4 * std::numbers::pi);
}

double WindingNumber::exact(const Vec3d& p) const {
  double sum = 0;
  for (const Triangle& t : tree_->triangles) sum += solid_angle(p, t);
  return sum / (4 * std::numbers::pi);
}

}  // namespace octavo
