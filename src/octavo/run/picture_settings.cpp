#include "octavo/run/picture_settings.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "octavo/io/atomic_file.h"
#include "octavo/run/frame_names.h"
#include "octavo/run/scene_record.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

bool is_seen(const std::string& key) {
  constexpr std::array<std::string_view, 7> seen{"camera", "light", "render",    "obstacle",
                                                 "domain", "up",    "output.fps"};
  return std::any_of(seen.begin(), seen.end(),
                     [&](std::string_view table) { return is_in(key, table); });
}

constexpr const char* mark = "made by octavo";  // a key that all records have

// What was recorded; empty if nothing was, or if it cannot be read.
std::map<std::string, std::string> recorded(const fs::path& file) {
  std::ifstream in(file);
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  std::map<std::string, std::string> values;
  if (!json.is_object() || !json.contains(mark)) return values;
  for (const auto& [key, value] : json.items())
    if (key != mark && value.is_string()) values[key] = value.get<std::string>();
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

struct Found {
  std::vector<fs::path> wanted, others;
};

Found pictures_in(const PictureFolder& where) {
  Found found;
  for (const char* ending : {".png", ".exr"})
    for (const auto& [frame, path] : frames_in(where.folder, where.name, ending)) {
      const bool wanted =
          std::find(where.wanted.begin(), where.wanted.end(), frame) != where.wanted.end();
      (wanted ? found.wanted : found.others).push_back(path);
    }
  return found;
}

// Nothing may be there that was not made with these settings.
void require_own(const PictureFolder& where, const Found& found,
                 const std::map<std::string, std::string>& before,
                 const std::map<std::string, std::string>& now) {
  if (!found.wanted.empty() || !found.others.empty()) {
    const std::string why = before.empty()
                                ? "by something else"
                                : "with other settings (" + listed(changes(now, before)) + ")";
    throw InputError(
        "the pictures in '{}' were made {}; --overwrite replaces them, -o puts new ones elsewhere",
        where.folder.string(), why);
  }
  std::error_code error;
  for (const fs::path& file : where.whole)
    if (before.empty() && fs::exists(file, error))
      throw InputError("'{}' would be overwritten; --overwrite allows it, --no-movie does without",
                       file.string());
}

}  // namespace

PictureSettings PictureSettings::of(const AnyScene& scene) {
  PictureSettings settings;
  for (const auto& [key, value] : scene_values(scene))
    if (is_seen(key)) settings.values_[key] = value;
  settings.note("format", "png");
  settings.note("grid", "false");
  settings.note("turntable", "0");
  return settings;
}

void PictureSettings::enter(const PictureFolder& where, bool overwrite) const {
  make_folder(where.folder);
  const auto before = recorded(where.record());
  const Found found = pictures_in(where);
  const bool same = before == values_;
  if (overwrite) {
    if (!same && !found.others.empty())
      throw InputError(
          "'{}' has {} more picture{} than those of --frames, made with other settings; -o puts "
          "new ones elsewhere",
          where.folder.string(), found.others.size(), found.others.size() == 1 ? "" : "s");
    std::error_code error;
    for (const fs::path& path : found.wanted) fs::remove(path, error);
  } else if (!same) {
    require_own(where, found, before, values_);
  }
  write(where);
}

void PictureSettings::note_in(const PictureFolder& where) const {
  make_folder(where.folder);
  if (recorded(where.record()).empty()) write(where);
}

void PictureSettings::write(const PictureFolder& where) const {
  nlohmann::json json = values_;
  json[mark] = "";
  write_file(where.record(), json.dump(1));
}

}  // namespace octavo
