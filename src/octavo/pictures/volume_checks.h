#pragma once

// Volumes must have what pictures are made from; what is said of those that have not.

#include <filesystem>
#include <string>

#include "octavo/io/vdb.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {

// It throws an InputError unless a volume has what pictures of smoke are made from: haze, and heat if it glows.
void require_smoke(const VdbContents& contents, const std::filesystem::path& volume,
                   const SeenFields& names, const RenderScene& render);

// It does the same for what pictures of a liquid in a plane are made from: its level set.
void require_liquid(const VdbContents& contents, const std::filesystem::path& volume,
                    const SeenFields& names);

// This says what pictures of a file without smoke could be made from instead.
[[noreturn]] void throw_no_smoke(const std::filesystem::path& file);

// This is said of a volume whose leaves could not be as small as its voxels.
std::string coarse_note(const std::filesystem::path& volume, int voxels);

}  // namespace octavo
