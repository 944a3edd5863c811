#include "octavo/run/picture_settings.h"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "octavo/io/atomic_file.h"
#include "octavo/run/run_folder.h"
#include "octavo/run/scene_record.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

bool is_seen(const std::string& key) {
  constexpr std::array<std::string_view, 6> seen{"camera",   "light",  "render",
                                                 "obstacle", "domain", "up"};
  return std::any_of(seen.begin(), seen.end(),
                     [&](std::string_view table) { return is_in(key, table); });
}

// What was recorded; empty if nothing was, or if it cannot be read.
std::map<std::string, std::string> recorded(const fs::path& file) {
  std::ifstream in(file);
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  std::map<std::string, std::string> values;
  if (json.is_object())
    for (const auto& [key, value] : json.items())
      if (value.is_string()) values[key] = value.get<std::string>();
  return values;
}

// The first of them, and how many more there are.
std::string listed(const std::vector<std::string>& phrases) {
  constexpr std::size_t most = 4;
  std::string all;
  for (std::size_t i = 0; i < std::min(phrases.size(), most); ++i)
    all += (i == 0 ? "" : "; ") + phrases[i];
  return phrases.size() > most ? all + fmt::format("; and {} more", phrases.size() - most) : all;
}

void remove_pictures(const fs::path& folder, const std::string& name) {
  for (const char* ending : {".png", ".exr"})
    for (const auto& [frame, path] : frames_in(folder, name, ending)) fs::remove(path);
}

}  // namespace

PictureSettings PictureSettings::of(const AnyScene& scene) {
  PictureSettings settings;
  for (const auto& [key, value] : scene_values(scene))
    if (is_seen(key)) settings.values_[key] = value;
  return settings;
}

void PictureSettings::enter(const fs::path& folder, const std::string& name, bool overwrite) const {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw InputError("the folder '{}' cannot be made: {}", folder.string(),
                     error ? error.message() : "it is not a folder");
  const fs::path file = folder / "settings.json";
  const auto before = recorded(file);
  if (before == values_) return;
  const bool pictures =
      !frames_in(folder, name, ".png").empty() || !frames_in(folder, name, ".exr").empty();
  if (!before.empty() && pictures) {
    if (!overwrite)
      throw InputError(
          "the pictures in '{}' were made with other settings ({}); --overwrite replaces them, -o "
          "puts new ones elsewhere",
          folder.string(), listed(changes(values_, before)));
    remove_pictures(folder, name);
  }
  write_file(file, nlohmann::json(values_).dump(1));
}

}  // namespace octavo
