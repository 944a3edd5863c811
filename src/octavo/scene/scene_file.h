#pragma once

// These get scenes from files and into files.
//
//   const SceneFile file = read_scene("plume.toml", {"grid.max_level=7"});
//   std::visit([&](const auto& scene) { run(scene, *file.files); }, file.scene);

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/scene/mesh_files.h"

namespace octavo {

struct SceneFile {
  AnyScene scene;
  std::string name;                  // of the file, without folder and ending
  std::shared_ptr<MeshFiles> files;  // that the scene refers to
};

// A scene is read for one of these. Pictures of what has been simulated need no [[source]], [[initial]] and
// [[refine]], nor the files that these refer to, which may be gone by then: the scene comes without them.
enum class SceneUse { simulation, pictures };

// Each override is "key=value", the key like "grid.max_level" or "source[0].density". It throws SceneError with all
// that is wrong, also with what the scene refers to: files that are missing, shapes outside of the box, ...
SceneFile read_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                     SceneUse use = SceneUse::simulation);

// This is for pictures, with [camera], [[light]] and [render] of another scene; all else in that one does not count.
SceneFile read_scene_with_look(const std::filesystem::path& path, const std::filesystem::path& look,
                               const std::vector<std::string>& overrides);

// This does the same for a text; `name` is what messages call it.
SceneFile parse_scene(std::string_view text, const std::string& name,
                      const std::filesystem::path& folder,
                      const std::vector<std::string>& overrides = {});

// The text is a file that reads as the same scene, with everything in it.
std::string scene_text(const AnyScene& scene);

// These are all values by key, like "grid.max_level" and "7".
std::map<std::string, std::string> scene_values(const AnyScene& scene);

// This calls f with the files that a scene refers to, by key; `f` may change them.
void for_each_file(AnyScene& scene, const std::function<void(const std::string&, FileName&)>& f);

}  // namespace octavo
