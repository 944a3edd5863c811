#pragma once

// These are rendered pictures of smoke, and the files they go to.
//
//   const Stage stage(scene, files);
//   write_picture("smoke.png", smoke_picture(scene, stage, {&mesh, density.view()}, time), scene.render);

#include <filesystem>
#include <functional>

#include "octavo/image/picture.h"
#include "octavo/io/vdb.h"
#include "octavo/pictures/stage.h"
#include "octavo/render/smoke_medium.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {

enum class PictureFormat { png, png16, exr };
inline constexpr std::array<std::string_view, 3> picture_format_names{"png", "png16", "exr"};

// It is ".png" or ".exr".
const char* ending_of(PictureFormat format);

struct ShotOptions {
  double turn = 0;               // of the camera about its target, degrees
  std::function<bool()> stop{};  // true: the picture is not wanted any more, and comes out empty
};

Picture smoke_picture(const Scene<3>& scene, const Stage& stage, const SmokeField& smoke,
                      double time, const ShotOptions& options = {});

// It throws an InputError unless a volume has what pictures of smoke are made from: haze, and heat if it glows.
void require_smoke(const VdbContents& contents, const std::filesystem::path& volume,
                   const SeenFields& names, const RenderScene& render);

Tone tone_of(const RenderScene& render);

void write_picture(const std::filesystem::path& path, const Picture& picture,
                   const RenderScene& render, PictureFormat format = PictureFormat::png);

// It throws an InputError unless a picture can go to this path: with the ending that belongs to its format, in a
// folder that is there.
void require_picture_path(const std::filesystem::path& path, PictureFormat format);

// This is what is said about it to machines: one JSON object.
std::string picture_event(int frame, const std::filesystem::path& file, double seconds);

// This is said of a volume whose leaves could not be as small as its voxels.
std::string coarse_note(const std::filesystem::path& volume, int voxels);

// It leaves fewer pixels and samples: what can be had in about a second.
void make_preview(CameraScene& camera, RenderScene& render);

}  // namespace octavo
