#pragma once

// Pictures of one file: a volume, a checkpoint or a triangle mesh, from one side or from all around.

#include <filesystem>
#include <string>
#include <vector>

#include "octavo/run/progress.h"
#include "octavo/run/smoke_picture.h"

namespace octavo {

enum class Material { matte, glass, water };
inline constexpr std::array<std::string_view, 3> material_names{"matte", "glass", "water"};
enum class MeshTexture { plain, color, checker };
inline constexpr std::array<std::string_view, 3> mesh_texture_names{"plain", "color", "checker"};

struct StillOptions {
  std::filesystem::path file;  // .vdb, .h5, or a triangle mesh
  std::filesystem::path
      scene{};  // how it looks; else that of the run it belongs to, or the default
  std::filesystem::path output{};  // else the file's name in the working folder
  std::vector<std::string> set{};  // keys of the scene that are to be different
  PictureFormat format = PictureFormat::png;
  int count = 1;           // pictures, from all around if there are several
  double turntable = 360;  // how far the camera goes around then, degrees
  bool preview = false;
  bool overwrite = false;               // a picture that has the name it gets if none is asked for
  Material material = Material::matte;  // of a mesh
  MeshTexture texture = MeshTexture::color;  // of a mesh; plain if it has no colours
  ProgressKind progress = ProgressKind::lines;
};

// What was written: pictures, and a movie if there are several of them. Fewer than asked for if it was
// interrupted. Throws InputError if the file or the scene cannot be used.
std::vector<std::filesystem::path> render_still(const StillOptions& options);

}  // namespace octavo
