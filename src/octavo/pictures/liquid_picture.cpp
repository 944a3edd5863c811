#include "octavo/pictures/liquid_picture.h"

namespace octavo {
namespace {

// It is how long the edges of a mesh are in the mean, m; 0 if there are none.
double mean_edge(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      sum += length(mesh.vertices[t[(i + 1) % 3]] - mesh.vertices[t[i]]);
  return mesh.triangles.empty() ? 0 : sum / (3 * static_cast<double>(mesh.triangles.size()));
}

}  // namespace

// Light goes into clear liquids, to and fro between their sides, and out again; a matte one sends it on as any solid.
Picture liquid_picture(const Scene<3>& scene, const Stage& stage, LiquidMeshes liquid, double time,
                       const ShotOptions& options) {
  const Camera camera = turned(stage.camera(time), options.turn);
  const Lighting lighting = stage.lighting(time);
  const SurfaceLook look = stage.liquid_look();
  Surfaces surfaces;
  stage.add_obstacles(surfaces, time);
  PathOptions paths;
  paths.contact = 0.5 * mean_edge(liquid.surface);
  surfaces.add(std::move(liquid.surface), look);
  surfaces.add(std::move(liquid.drops), look);
  surfaces.commit();
  paths.max_bounces = look.kind == SurfaceLook::Kind::glass ? 8 : 3;
  paths.tolerance = 0.01;
  return take_shot(scene, {camera, lighting, surfaces}, paths, options);
}

}  // namespace octavo
