#include "octavo/shapes/triangle_mesh.h"

#include "octavo/base/equals.h"

namespace octavo {

Box<3> box_around(const std::vector<Vec3d>& points) {
  Box<3> box{points.front(), points.front()};
  for (const Vec3d& p : points) box = {min(box.lo, p), max(box.hi, p)};
  return box;
}

std::vector<std::uint32_t> joined_vertices(const std::vector<Vec3d>& vertices) {
  return first_of_equals(vertices.size(), [&](std::uint32_t i, std::uint32_t j) {
    for (int a = 0; a < 3; ++a)
      if (vertices[i][a] != vertices[j][a]) return vertices[i][a] < vertices[j][a] ? -1 : 1;
    return 0;
  });
}

}  // namespace octavo
