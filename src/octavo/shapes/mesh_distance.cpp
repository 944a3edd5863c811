#include "octavo/shapes/mesh_distance.h"

#include <cmath>
#include <utility>

namespace octavo {

namespace {

// These boxes wait to be visited, the nearest last. Every quad on the way down leaves at most three.
class Waiting {
 public:
  explicit Waiting(float limit) : limit_(limit) {}
  void lower_limit(float limit) { limit_ = limit; }

  void add(const BoxQuad& quad, const Vec3f& p) {
    const BoxLanes squared = squared_distances(p, quad);
    const int first = count_;
    for (int k = 0; k < 4; ++k) {
      if (!(squared[k] < limit_)) continue;
      int place = count_++;
      for (; place > first && boxes_[place - 1].squared < squared[k]; --place)
        boxes_[place] = boxes_[place - 1];
      boxes_[place] = {squared[k], quad.content[k]};
    }
  }

  // This takes the nearest of the boxes added last; it is false if none is within the limit.
  bool take(BoxContent& content) {
    while (count_ > 0) {
      const Entry& entry = boxes_[--count_];
      content = entry.content;
      if (entry.squared < limit_) return true;
    }
    return false;
  }

 private:
  struct Entry {
    float squared;
    BoxContent content;
  };
  Entry boxes_[3 * box_tree_depth + 1];
  int count_ = 0;
  float limit_;
};

}  // namespace

MeshDistance::MeshDistance(const TriangleMesh& mesh)
    : MeshDistance(std::make_shared<const TriangleTree>(mesh)) {}

MeshDistance::MeshDistance(std::shared_ptr<const TriangleTree> tree)
    : tree_(std::move(tree)), boxes_(*tree_) {}

// This finds the nearest triangle, or gives `best` if none is nearer; the search may end with any that is not
// farther than `enough`. Boxes only decide what is looked at: the distance itself is that of the triangle.
MeshDistance::Nearest MeshDistance::search(const Vec3d& p, Nearest best, double enough) const {
  const Vec3f local = boxes_.local(p);
  Waiting waiting(boxes_.local_limit(best.squared));
  waiting.add(boxes_[0], local);
  BoxContent content;
  while (best.squared > enough && waiting.take(content)) {
    if (content.is_quad()) {
      waiting.add(boxes_[content.index()], local);
      continue;
    }
    for (std::uint32_t i = content.first(); i < content.last(); ++i) {
      const double squared = squared_distance(p, tree_->triangles[i]);
      if (squared < best.squared) best = {squared, i};
    }
    waiting.lower_limit(boxes_.local_limit(best.squared));
  }
  return best;
}

double MeshDistance::distance(const Vec3d& p) const {
  std::uint32_t nearest = 0;
  return distance(p, nearest);
}

double MeshDistance::distance(const Vec3d& p, std::uint32_t& nearest) const {
  if (nearest >= triangle_count()) nearest = 0;
  const Nearest guess{squared_distance(p, tree_->triangles[nearest]), nearest};
  const Nearest found = search(p, guess, 0.0);
  nearest = found.triangle;
  return std::sqrt(found.squared);
}

bool MeshDistance::within(const Vec3d& p, double radius) const {
  if (!(radius >= 0)) return false;
  const double enough = radius * radius;
  return search(p, {std::nextafter(enough, HUGE_VAL), 0}, enough).squared <= enough;
}

}  // namespace octavo
