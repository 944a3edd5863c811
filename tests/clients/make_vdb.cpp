// Writes the volume files that read_vdb.py opens with OpenVDB's own Python module, and beside each a .json
// that says what a reader must find in it.
//
//   make_vdb FOLDER

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "octavo/io/atomic_file.h"
#include "octavo/io/vdb.h"
#include "octavo/mesh/interpolate.h"
#include "octavo/mesh/nodal_velocity.h"
#include "support/dense_volume.h"

using namespace octavo;

namespace {

template <int Dim>
double plume(const Vec<Dim>& p) {
  Vec<Dim> from = p - Vec<Dim>::filled(0.4);
  return std::max(0.0, 1 - 3 * length(from));
}

nlohmann::json to_json(float x) { return x; }
nlohmann::json to_json(const Vec3f& x) { return {x[0], x[1], x[2]}; }
nlohmann::json to_json(const Vec3d& x) { return {x[0], x[1], x[2]}; }

// How far values may be from what the simulator says at their places: `tolerance` for all voxels.
template <int Dim, class T, class Exact>
nlohmann::json describe(const Volume<T>& volume, bool half, double tolerance, Exact&& exact) {
  nlohmann::json j;
  j["voxel_size"] = volume.voxel_size;
  j["origin"] = to_json(volume.origin);
  j["half"] = half;
  j["staggered"] = volume.staggered;
  j["background"] = to_json(volume.background);
  j["tolerance"] = tolerance;
  const test::DenseVolume<T> dense(volume);
  std::uint64_t active = 0, seen = 0;
  dense.for_each([&](const Vec<3, int>& v) {
    using Kind = typename test::DenseVolume<T>::Kind;
    if (dense.kind(v) == Kind::active || dense.kind(v) == Kind::tile) ++active;
    if (seen++ % (Dim == 2 ? 7 : 499) != 0) return;
    const Vec<Dim> p = test::center_of<Dim>(volume, v);
    Vec3d world{};
    for (int a = 0; a < Dim; ++a) world[a] = p[a];
    j["samples"].push_back({{"voxel", {v[0], v[1], v[2]}},
                            {"center", to_json(world)},
                            {"stored", to_json(dense.value(v))},
                            {"exact", to_json(exact(p))}});
  });
  j["active"] = active;
  return j;
}

template <int Dim>
Vec3f with_depth(const Vec<Dim, float>& u) {
  Vec3f r{};
  for (int a = 0; a < Dim; ++a) r[a] = u[a];
  return r;
}

template <int Dim>
void save(const std::filesystem::path& folder, const std::string& name, const Domain<Dim>& domain,
          const VdbOptions& options) {
  const auto tree = Octree<Dim>::build(domain, [](const Leaf<Dim>& leaf) {
    return leaf.level < 2 || (leaf.level < 6 && std::abs(plume(leaf.center) - 0.5) < 2 * leaf.size);
  });
  const Mesh<Dim> mesh(tree);
  NodeField<float> density(mesh);
  FaceField<float> on_faces(mesh);
  for (std::size_t n = 0; n < mesh.node_count(); ++n)
    density[NodeId(n)] = static_cast<float>(plume(mesh.view().position(NodeId(n))));
  constrain(mesh, density);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const Vec<Dim> p = mesh.view().center(FaceId(f));
    on_faces[FaceId(f)] = static_cast<float>(std::sin(3 * p[mesh.view().axis(FaceId(f))]) + p[0]);
  }
  const auto velocity = nodal_velocity(mesh, on_faces);

  const auto rho = make_volume(mesh, density);
  const VolumeMask smoky({&rho});
  const auto u = make_volume(mesh, velocity, {.within = &smoky});
  const auto staggered = make_volume(mesh, on_faces, {.tolerance = 0});
  auto rho_at = [&](const Vec<Dim>& p) {
    return sample<float>(mesh.view(), std::as_const(density).view(), p);
  };
  auto u_at = [&](const Vec<Dim>& p) {
    return with_depth<Dim>(sample<Vec<Dim, float>>(mesh.view(), velocity.view(), p));
  };
  const test::DenseVolume<Vec3f> faces_dense(staggered);
  auto stored_at = [&](const Vec<Dim>& p) {
    Vec<3, int> v{};
    for (int a = 0; a < Dim; ++a)
      v[a] = static_cast<int>((p[a] - staggered.origin[a]) / staggered.voxel_size);
    return faces_dense.value(v);
  };

  nlohmann::json j;
  j["metadata"] = {{"frame", 7}, {"time", 0.25}, {"program", "octavo"}};
  j["compress"] = options.compress;
  j["grids"]["density"] = describe<Dim>(rho, options.half, 1.0 / 2048, rho_at);
  j["grids"]["velocity"] = describe<Dim>(u, options.half, 2.5 / 2048, u_at);
  j["grids"]["velocity"]["masked"] = true;
  j["grids"]["v"] = describe<Dim>(staggered, options.half, 0, stored_at);
  j["grids"]["density"]["unit"] = "kg/m3";
  const VdbMetadata metadata{{"frame", 7}, {"time", 0.25}, {"program", "octavo"}};
  write_vdb(folder / (name + ".vdb"),
            make_vdb({{"density", rho, {{"unit", "kg/m3"}}}, {"velocity", u}, {"v", staggered}},
                     metadata, options));
  write_file(folder / (name + ".json"), j.dump());
  std::printf("%s: %zu leaves, %zu blocks and %zu tiles of density\n", name.c_str(),
              tree.leaf_count(), rho.blocks.size(), rho.tiles.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: make_vdb FOLDER\n"), 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  save<3>(folder, "half_3d", {{-0.3, 0.1, 0.0}, 0.5, {2, 1, 2}}, {});
  save<3>(folder, "full_3d", {{-0.3, 0.1, 0.0}, 0.5, {2, 1, 2}},
          {.half = false, .compress = false});
  save<2>(folder, "half_2d", {{-0.3, 0.1}, 0.5, {2, 1}}, {});
}
