#include "octavo/pictures/plane_picture.h"

#include "octavo/mesh/grid.h"
#include "octavo/scene/build.h"

namespace octavo {
namespace {

// Every root cell is cut up alike, as finely as the leaves of the run or as a picture of this size can show.
Octree<2> uniform_tree(const Scene<2>& scene, int pixels) {
  const Domain<2> domain = domain_of(scene);
  const int longest = std::max(domain.roots[0], domain.roots[1]);
  int level = 0;
  while (level < scene.grid.max_level && longest << level < pixels) ++level;
  return Octree<2>::build(domain, [=](const Leaf<2>& leaf) { return leaf.level < level; });
}

}  // namespace

template <int Dim>
std::function<double(const Vec<Dim>&)> obstacle_distance(const Scene<Dim>& scene, MeshFiles& files,
                                                         double time) {
  if (scene.obstacle.empty()) return {};
  std::vector<Shape<Dim>> shapes;
  for (const Obstacle<Dim>& o : obstacles_of(scene, files))
    shapes.push_back(moved(o.shape, o.motion.pose(time)));
  return unite(std::move(shapes));
}

// What is opaque in 3D, over a sixtieth of the box, is white here.
Image smoke_in_plane(const Scene<2>& scene, MeshFiles& files, const MeshView<2>& mesh,
                     View<const float> density, double time) {
  const double longest = std::max(scene.domain.size[0], scene.domain.size[1]);
  const double opacity = std::max(extinction_of(scene) * longest, 1e-6);
  LeafPicture<2> picture{mesh.tree};
  picture.field = {.nodes = density, .mesh = mesh, .map = ColorMap::smoke};
  picture.field->range = Vec2d{0, usual_opacity / opacity};
  picture.solid_distance = obstacle_distance(scene, files, time);
  return draw_slice(picture, {.lines = false, .canvas = scene.camera.resolution});
}

Image smoke_in_plane(const Scene<2>& scene, MeshFiles& files, const VolumeGrid& density,
                     double time) {
  const Vec<2, int>& resolution = scene.camera.resolution;
  const Grid<2> grid(uniform_tree(scene, std::max(resolution[0], resolution[1])));
  const MeshView<2> mesh = grid.mesh().view();
  NodeField<float> nodal(grid.mesh());
  const View<float> out = nodal.view();
  parallel_for("density in the plane", out.size(), [&](std::size_t i) {
    const Vec2d p = mesh.position(NodeId(i));
    out[i] = static_cast<float>(density.number_at({p[0], p[1], 0}));
  });
  return smoke_in_plane(scene, files, mesh, std::as_const(nodal).view(), time);
}

template std::function<double(const Vec2d&)> obstacle_distance(const Scene<2>&, MeshFiles&, double);
template std::function<double(const Vec3d&)> obstacle_distance(const Scene<3>&, MeshFiles&, double);

}  // namespace octavo
