#pragma once

// The smoke that is measured: rising past a sphere, as in figure 2 of Losasso, Gibou, Fedkiw 2004.

#include "octavo/smoke/smoke.h"

namespace octavo::bench {

// Where the grid is fine: everywhere; where there is anything to see; or by the paper's rules, which leave
// out what is inside of thick smoke.
enum class Fineness { uniform, all_smoke, paper };

// Of 2^level cells along each edge of a box of 1 m.
inline SmokeParameters<3> smoke_past_sphere(int level, Fineness fineness) {
  SmokeParameters<3> p;
  p.lift = 1.2;
  p.walls.fill(Wall::open);
  p.walls[4] = Wall::closed;
  p.obstacles.push_back({sphere_shape<3>({0.5, 0.5, 0.42}, 0.1), {}, {}});
  Source<3> source{.shape = sphere_shape<3>({0.5, 0.5, 0.14}, 0.07)};
  source.values = {{"density", 1}, {"temperature", 1}};
  p.sources.push_back(source);
  p.refinement.max_level = level;
  p.refinement.min_level = fineness == Fineness::uniform ? level : std::max(2, level - 4);
  if (fineness == Fineness::all_smoke)
    p.refinement.rules = {{.by = RefineBy::objects},
                          {.by = RefineBy::sources},
                          {.by = RefineBy::band, .field = "density", .low = 0.02, .high = 1e9},
                          {.by = RefineBy::vorticity, .above = 6, .level = level},
                          {.by = RefineBy::vorticity, .above = 1.5, .level = level - 1},
                          {.by = RefineBy::vorticity, .above = 0.4, .level = level - 2}};
  if (fineness == Fineness::paper)
    p.refinement.rules = {
        {.by = RefineBy::objects},
        {.by = RefineBy::sources, .level = level - 2},
        {.by = RefineBy::band, .field = "density", .low = 0.1, .high = 0.3},
        {.by = RefineBy::band, .field = "density", .low = 0.02, .high = 1e9, .level = level - 2},
        {.by = RefineBy::vorticity, .above = 24, .level = level},
        {.by = RefineBy::vorticity, .above = 6, .level = level - 1},
        {.by = RefineBy::vorticity, .above = 1.5, .level = level - 2}};
  return p;
}

// What is seen of a nodal field from the side: its integral along y, for width x width points of the
// plane through x and z, row after row from the top.
inline std::vector<float> seen_from_the_side(const Mesh<3>& mesh, const NodeField<float>& field,
                                             int width) {
  const MeshView<3> m = mesh.view();
  const View<const float> values = field.view();
  const auto n = static_cast<std::size_t>(width);
  std::vector<float> seen(n * n);
  const Box<3> box = m.tree.domain.box();
  const Vec3d size = box.size() / static_cast<double>(width);
  parallel_blocks(
      "seen from the side", n * n,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        Sampler<3, float> at(m, values);
        for (std::size_t i = begin; i < end; ++i) {
          const double x = static_cast<double>(i % n) + 0.5, z = static_cast<double>(i / n) + 0.5;
          double sum = 0;
          for (int y = 0; y < width; ++y)
            sum += static_cast<double>(at({box.lo[0] + x * size[0], box.lo[1] + (y + 0.5) * size[1],
                                           box.hi[2] - z * size[2]}));
          seen[i] = static_cast<float>(sum * size[1]);
        }
      },
      n);
  return seen;
}

// |p - q| / |q|
inline double relative_difference(const std::vector<float>& p, const std::vector<float>& q) {
  double difference = 0, square = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    difference += static_cast<double>(p[i] - q[i]) * static_cast<double>(p[i] - q[i]);
    square += static_cast<double>(q[i]) * static_cast<double>(q[i]);
  }
  return std::sqrt(difference / square);
}

}  // namespace octavo::bench
