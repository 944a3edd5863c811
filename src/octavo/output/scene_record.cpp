#include "octavo/output/scene_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "octavo/io/checksum.h"
#include "octavo/scene/key_uses.h"
#include "octavo/scene/problems.h"

namespace octavo {
namespace {

using Values = std::map<std::string, std::string>;

bool has_view(const Values& values) {
  return std::any_of(values.begin(), values.end(),
                     [](const auto& entry) { return is_in(entry.first, "view"); });
}

// What is computed depends on these.
Values relevant(const Values& all, bool viewed) {
  const KeyUses uses;
  Values some;
  for (const auto& [key, value] : all) {
    const Use use = uses.of(key);
    if (use == Use::simulation || (viewed && use == Use::view_and_look)) some[key] = value;
  }
  return some;
}

}  // namespace

bool is_in(const std::string& key, std::string_view name) {
  return key.starts_with(name) &&
         (key.size() == name.size() || key[name.size()] == '.' || key[name.size()] == '[');
}

SceneRecord SceneRecord::of(const SceneFile& file) {
  SceneRecord record;
  AnyScene scene = file.scene;
  for_each_file(scene, [&](const std::string& key, FileName& name) {
    record.files[key] = file_checksum(file.files->path(name));
    name.path = "file";  // wherever it is
  });
  record.values = scene_values(scene);
  return record;
}

std::string SceneRecord::text() const {
  return nlohmann::json{{"values", values}, {"files", files}}.dump(
      1, ' ', false, nlohmann::json::error_handler_t::replace);
}

SceneRecord SceneRecord::from(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    SceneRecord record;
    json.at("values").get_to(record.values);
    json.at("files").get_to(record.files);
    return record;
  } catch (const nlohmann::json::exception&) {
    throw InputError("what it says about its scene makes no sense");
  }
}

std::vector<std::string> changes(const Values& now, const Values& before) {
  std::vector<std::string> found;
  Values all = now;
  all.insert(before.begin(), before.end());
  for (const auto& [key, any] : all) {
    const auto a = now.find(key), b = before.find(key);
    if (b == before.end())
      found.push_back(fmt::format("{} is {}, was not there", key, a->second));
    else if (a == now.end())
      found.push_back(fmt::format("{} is not there, was {}", key, b->second));
    else if (a->second != b->second)
      found.push_back(fmt::format("{} is {}, was {}", key, a->second, b->second));
  }
  return found;
}

std::vector<std::string> differences(const SceneRecord& now, const SceneRecord& before) {
  const bool viewed = has_view(now.values) || has_view(before.values);
  std::vector<std::string> found =
      changes(relevant(now.values, viewed), relevant(before.values, viewed));
  for (const auto& [key, checksum] : now.files)
    if (const auto b = before.files.find(key); b != before.files.end() && b->second != checksum)
      found.push_back(fmt::format("the file of {} is another one", key));
  return found;
}

void require_same_scene(const SceneRecord& now, const SceneRecord& before,
                        const std::filesystem::path& folder) {
  std::string list;
  for (const std::string& line : differences(now, before)) list += "\n  " + line;
  if (list.empty()) return;
  throw SceneError(
      "the scene is not the one that '{}' was run with:{}\n--force continues with it, "
      "-o takes another folder",
      folder.string(), list);
}

void require_fitting_scene(const SceneRecord& now, const SceneRecord& before) {
  auto same = [&](const std::string& key) {
    const auto a = now.values.find(key), b = before.values.find(key);
    const bool in_a = a != now.values.end(), in_b = b != before.values.end();
    return in_a == in_b && (!in_a || a->second == b->second);
  };
  for (const char* key : {"domain.size", "domain.origin", "domain.roots", "output.fps"})
    if (!same(key))
      throw SceneError("'{}' must be the same as in the scene of the checkpoint", key);
  for (const SceneRecord* record : {&now, &before})
    for (const auto& [key, value] : record->values)
      if (key.starts_with("scalar[") && key.ends_with("].name") && !same(key))
        throw SceneError("the scalars must be the same as in the scene of the checkpoint");
}

}  // namespace octavo
