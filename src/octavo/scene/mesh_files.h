#pragma once

// A scene refers to these triangle meshes; each is read once.

#include <filesystem>
#include <map>
#include <tuple>

#include "octavo/scene/scene.h"
#include "octavo/shapes/surface_mesh.h"

namespace octavo {

class MeshFiles {
 public:
  explicit MeshFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // This is where a file of the scene is.
  std::filesystem::path path(const FileName& file) const { return folder_ / file.path; }

  // Both throw InputError if there is no such file, or no triangles in it.
  const SurfaceMesh& surface(const FileName& file);
  Shape<3> shape(const MeshScene& scene);

 private:
  std::filesystem::path folder_;
  std::map<std::string, SurfaceMesh> surfaces_;
  std::map<std::tuple<std::string, double, double>, Shape<3>> shapes_;
};

}  // namespace octavo
