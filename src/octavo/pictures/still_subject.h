#pragma once

// This is what is in one file that pictures are made of: a volume, a checkpoint or a triangle mesh.
//
//   const auto subject = still_subject("smoke.0012.vdb", {});
//   const Stage stage(scene, files, subject->box());
//   const Picture picture = subject->picture(scene, stage, {});

#include <filesystem>
#include <memory>
#include <optional>

#include "octavo/pictures/smoke_picture.h"

namespace octavo {

enum class MeshTexture { plain, color, checker };
inline constexpr std::array<std::string_view, 3> mesh_texture_names{"plain", "color", "checker"};

// It is the look of a mesh.
struct MeshLook {
  std::optional<Material> material{};    // else matte
  std::optional<MeshTexture> texture{};  // else its colours, if it has some
};

// It holds what is in the file, and a way to take a picture of it.
class StillSubject {
 public:
  StillSubject() = default;
  StillSubject(const StillSubject&) = delete;
  StillSubject& operator=(const StillSubject&) = delete;
  virtual ~StillSubject() = default;

  virtual Box<3> box() const = 0;
  // It throws an InputError if there is not all in the file that the picture is to show.
  virtual void require(const RenderScene&) const {}
  virtual Picture picture(const Scene<3>& scene, const Stage& stage,
                          const ShotOptions& shot) const = 0;

  AxisName up = AxisName::z;
  std::string note{};  // what one should know of it, if anything
};

// Throws InputError if there is nothing in the file that a picture can be made of, or a look is asked for that it
// cannot have.
std::unique_ptr<StillSubject> still_subject(const std::filesystem::path& file,
                                            const MeshLook& look);

}  // namespace octavo
