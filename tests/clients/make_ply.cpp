// Writes surfaces of water that read_ply.py opens with VTK, and beside each a .json that says what a reader must find.
//
//   make_ply FOLDER

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "octavo/io/atomic_file.h"
#include "octavo/io/ply.h"
#include "octavo/level_set/contour.h"
#include "octavo/level_set/liquid_volume.h"
#include "octavo/mesh/hanging_nodes.h"
#include "support/random_tree.h"

using namespace octavo;

namespace {

// The tree has leaves of three sizes wherever the surface is.
template <class F>
void save(const std::filesystem::path& path, F&& level_set) {
  const Random random(17);
  const Octree<3> tree = Octree<3>::build({}, [&](const Leaf<3>& l) {
    return l.level < 3 || (l.level < 5 && test::cell_noise(random, l) < 0.3);
  });
  const Mesh<3> mesh(tree);
  NodeField<float> phi(mesh);
  NodeField<Vec3f> velocity(mesh);
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const Vec3d x = mesh.view().position(NodeId(i));
    phi[NodeId(i)] = static_cast<float>(level_set(x));
    velocity[NodeId(i)] = {static_cast<float>(x[1]), 2, 3};
  }
  constrain(mesh, phi);
  constrain(mesh, velocity);

  SurfaceLeaves<3, float> surface;
  Contour<3, float> contour;
  LiquidVolume<3, float> volume;
  Buffer<Vec3f> normals, velocities;
  surface.build(mesh, phi);
  contour.build(surface);
  contour.normals(surface, normals);
  contour.sample(surface, velocity, velocities);
  volume.measure(surface);
  write_ply(path,
            surface_mesh(contour, std::as_const(normals).view(), std::as_const(velocities).view()));
  write_file(
      std::filesystem::path(path).replace_extension(".json"),
      nlohmann::json{{"triangles", contour.triangles().size()}, {"volume", volume.total()}}.dump());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_ply FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  save(folder / "ball.ply", [](const Vec3d& x) { return length(x - Vec3d{0.5, 0.5, 0.5}) - 0.3; });
  save(folder / "pool.ply",
       [](const Vec3d& x) { return x[2] - 0.5 - 0.1 * std::sin(9 * x[0]) * std::sin(7 * x[1]); });
  save(folder / "still.ply", [](const Vec3d& x) { return x[2] - 0.5; });
  save(folder / "corner.ply", [](const Vec3d& x) { return length(x) - 0.7; });
}
