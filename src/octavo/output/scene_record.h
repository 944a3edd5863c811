#pragma once

// A checkpoint knows this about the scene it belongs to: all values, and checksums of the files it refers to.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "octavo/scene/scene_file.h"

namespace octavo {

struct SceneRecord {
  std::map<std::string, std::string> values;  // by key
  std::map<std::string, std::string> files;   // checksums, by key

  static SceneRecord of(const SceneFile& file);

  std::string text() const;
  // This throws InputError if the text is not one of text().
  static SceneRecord from(const std::string& text);
};

// Does a key belong to a table of this name, or is it that key?
bool is_in(const std::string& key, std::string_view name);

// This lists what has changed from one set of values to another, with a phrase for each: "grid.max_level is
// 7, was 8".
std::vector<std::string> changes(const std::map<std::string, std::string>& now,
                                 const std::map<std::string, std::string>& before);

// This lists what is not the same any more and makes a difference to the simulation, e.g. "grid.max_level is 7, was
// 8". Frames, outputs, probes, lights and looks make none, nor does the camera unless the scene has [view]: each key
// says what it is for, in scene/members.h.
std::vector<std::string> differences(const SceneRecord& now, const SceneRecord& before);

// This throws a SceneError with that list, unless it is empty.
void require_same_scene(const SceneRecord& now, const SceneRecord& before,
                        const std::filesystem::path& folder);

// This throws a SceneError if no state of the one could be a state of the other.
void require_fitting_scene(const SceneRecord& now, const SceneRecord& before);

}  // namespace octavo
