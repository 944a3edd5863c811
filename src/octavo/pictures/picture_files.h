#pragma once

// These are the files that rendered pictures go to.
//
//   write_picture("dam.0012.png", picture, scene.render);

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "octavo/image/picture.h"
#include "octavo/scene/scene.h"

namespace octavo {

enum class PictureFormat { png, png16, exr };
inline constexpr std::array<std::string_view, 3> picture_format_names{"png", "png16", "exr"};

// It is ".png" or ".exr".
const char* ending_of(PictureFormat format);

Tone tone_of(const RenderScene& render);

void write_picture(const std::filesystem::path& path, const Picture& picture,
                   const RenderScene& render, PictureFormat format = PictureFormat::png);

// It throws an InputError unless a picture can go to this path: with the ending that belongs to its format, in a
// folder that is there.
void require_picture_path(const std::filesystem::path& path, PictureFormat format);

// This is what is said about it to machines: one JSON object.
std::string picture_event(int frame, const std::filesystem::path& file, double seconds);

}  // namespace octavo
