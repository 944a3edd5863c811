#include "octavo/pictures/volume_checks.h"

#include "octavo/base/error.h"

namespace octavo {
namespace {

void require_grid(const VdbContents& contents, const std::filesystem::path& volume,
                  const std::string& name, const char* why) {
  std::string there;
  for (const VdbGridInfo& grid : contents.grids) {
    if (grid.name == name && !grid.type.starts_with("vec3")) return;
    there += (there.empty() ? "" : ", ") + grid.name;
  }
  throw InputError("there is no {} in '{}', which {}; there is {}", name, volume.string(), why,
                   there.empty() ? "nothing" : there);
}

}  // namespace

void throw_no_smoke(const std::filesystem::path& file) {
  throw InputError(
      "there is no smoke in '{}'; a liquid is drawn from the meshes of its surface, "
      "mesh/*.{}.*.ply",
      file.string(), surface_mesh_name);
}

void require_smoke(const VdbContents& contents, const std::filesystem::path& volume,
                   const SeenFields& names, const RenderScene& render) {
  if (names.haze.empty()) throw_no_smoke(volume);
  require_grid(contents, volume, names.haze, "pictures of smoke are made from");
  if (render.glow)
    require_grid(contents, volume, names.heat, "smoke that glows needs ([render.glow])");
}

void require_liquid(const VdbContents& contents, const std::filesystem::path& volume,
                    const SeenFields& names) {
  require_grid(contents, volume, names.liquid, "pictures of a liquid in a plane are made from");
}

std::string coarse_note(const std::filesystem::path& volume, int voxels) {
  return fmt::format(
      "'{}' takes more leaves than a volume may have: it is shown {} times as coarse",
      volume.string(), voxels);
}

}  // namespace octavo
