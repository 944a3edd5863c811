#include "octavo/pictures/plane_picture.h"

#include "octavo/base/srgb.h"
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

// These are the values of a volume, which is one voxel thick, on nodes.
struct InPlane {
  Grid<2> grid;
  NodeField<float> field;

  InPlane(const Scene<2>& scene, const VolumeGrid& volume)
      : grid(uniform_tree(scene, std::max(scene.camera.resolution[0], scene.camera.resolution[1]))),
        field(grid.mesh()) {
    const MeshView<2> mesh = grid.mesh().view();
    const View<float> out = field.view();
    parallel_for("volume in the plane", out.size(), [&](std::size_t i) {
      const Vec2d p = mesh.position(NodeId(i));
      out[i] = static_cast<float>(volume.number_at({p[0], p[1], 0}));
    });
  }
  View<const float> values() const { return field.view(); }
};

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
  const InPlane plane(scene, density);
  return smoke_in_plane(scene, files, plane.grid.mesh().view(), plane.values(), time);
}

// Pixels are means of 4 x 4 points, each of which has as much of the liquid as a straight edge leaves of its square; but
// the edge is no wider than a leaf, since volumes know no large distances.
Image liquid_in_plane(const Scene<2>& scene, MeshFiles& files, const MeshView<2>& mesh,
                      View<const float> level_set, double time) {
  const Domain<2> domain = domain_of(scene);
  const Vec2d size = domain.box().size();
  const Vec<2, int>& canvas = scene.camera.resolution;
  const double pixel = std::max(size[0] / canvas[0], size[1] / canvas[1]);
  const double edge = std::min(pixel / 8, domain.size(scene.grid.max_level));
  LeafPicture<2> picture{mesh.tree};
  picture.field = {.nodes = level_set, .mesh = mesh, .map = ColorMap::liquid};
  picture.field->range = Vec2d{-edge, edge};
  for (int c = 0; c < 3; ++c)
    picture.field->liquid[static_cast<std::size_t>(c)] =
        srgb_encoded(static_cast<float>(scene.render.liquid_color[c]));
  picture.solid_distance = obstacle_distance(scene, files, time);
  return draw_slice(picture, {.lines = false, .means = true, .canvas = canvas});
}

Image liquid_in_plane(const Scene<2>& scene, MeshFiles& files, const VolumeGrid& level_set,
                      double time) {
  const InPlane plane(scene, level_set);
  return liquid_in_plane(scene, files, plane.grid.mesh().view(), plane.values(), time);
}

template std::function<double(const Vec2d&)> obstacle_distance(const Scene<2>&, MeshFiles&, double);
template std::function<double(const Vec3d&)> obstacle_distance(const Scene<3>&, MeshFiles&, double);

}  // namespace octavo
