#include "octavo/run/run_checks.h"

#include <algorithm>

#include "octavo/base/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// What the scene begins with must not be what is replaced.
void require_files_elsewhere(const RunFolder& run, const SceneFile& file) {
  const fs::path folder = fs::weakly_canonical(run.path());
  AnyScene scene = file.scene;
  for_each_file(scene, [&](const std::string& key, FileName& name) {
    const fs::path path = fs::weakly_canonical(file.files->path(name));
    if (std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end())
      throw InputError(
          "the scene needs '{}' ({}), which is in the folder that --overwrite replaces",
          path.string(), key);
  });
}

}  // namespace

void require_usable(const RunFolder& folder, const SceneFile& file, const RunOptions& options) {
  if (!folder.holds_run()) {
    std::error_code error;
    if (fs::exists(folder.scene(), error))
      throw InputError("'{}' has a scene.toml that is not of a run and would be replaced",
                       folder.path().string());
    return;
  }
  if (!options.resume && !options.overwrite)
    throw InputError("'{}' holds a run already; --resume continues it, --overwrite replaces it",
                     folder.path().string());
  if (options.overwrite) require_files_elsewhere(folder, file);
}

void require_same_as_recorded(const RunFolder& folder, const SceneRecord& now) {
  std::optional<SceneRecord> before;
  try {
    before = SceneRecord::of(read_scene(folder.scene(), {}));
  } catch (const InputError&) {  // it is not there, or something that it needs is not
    return;
  }
  require_same_scene(now, *before, folder.path());
}

std::string recorded_scene(const RunFolder& folder, const SceneFile& file) {
  AnyScene scene = file.scene;
  for_each_file(scene, [&](const std::string&, FileName& name) {
    name.path = folder.name_in_scene(file.files->path(name));
  });
  return scene_text(scene);
}

}  // namespace octavo
