// Any text as a scene: it is read, or refused with a sentence.

#include "octavo/scene/build.h"
#include "octavo/scene/scene_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace octavo;
  const std::string text(reinterpret_cast<const char*>(data), size);

  // What stands behind the first zero is an option of the command line.
  const auto zero = text.find('\0');
  std::vector<std::string> set;
  if (zero != std::string::npos) set.push_back(text.substr(zero + 1));
  try {
    const SceneFile file = parse_scene(text.substr(0, zero), "fuzz.toml", "/nowhere", set);
    const SceneFile again = parse_scene(scene_text(file.scene), "again.toml", "/nowhere");
    if (scene_values(file.scene) != scene_values(again.scene)) std::abort();
    std::visit([&](const auto& scene) { flow_of(scene, *file.files).check(domain_of(scene)); },
               file.scene);
  } catch (const InputError&) {
  }
  return 0;
}
