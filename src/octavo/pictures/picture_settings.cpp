#include "octavo/pictures/picture_settings.h"

#include <algorithm>
#include <array>

#include "octavo/base/text.h"
#include "octavo/io/files.h"
#include "octavo/output/frame_names.h"
#include "octavo/output/scene_record.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

bool is_seen(const std::string& key) {
  constexpr std::array<std::string_view, 7> seen{"camera", "light", "render",    "obstacle",
                                                 "domain", "up",    "output.fps"};
  return std::any_of(seen.begin(), seen.end(),
                     [&](std::string_view table) { return is_in(key, table); });
}

// It names the first of them, and how many more there are.
std::string listed(const std::vector<std::string>& phrases) {
  constexpr std::size_t most = 4;
  std::string all;
  for (std::size_t i = 0; i < std::min(phrases.size(), most); ++i)
    all += (i == 0 ? "" : "; ") + phrases[i];
  return phrases.size() > most ? all + fmt::format("; and {} more", phrases.size() - most) : all;
}

// A picture that is there is of this simulation as it is now, of an older one, or of something else.
enum class State { current, outdated, foreign };

struct Found {
  fs::path path;
  int frame = 0;
  bool wanted = false;
  State state = State::current;
};

// A folder may have been moved, so that what is of the same origin is of the same source. Earlier versions did not
// note sources.
State state_of(int frame, const PictureFolder& where, const std::optional<PictureRecord>& before) {
  if (!before) return State::foreign;
  const std::string now = where.origin(frame), noted = before->source;
  const bool same_source =
      noted == where.source || (noted.empty() && where.source == inside_its_run);
  if (before->origin(frame) == now && (same_source || noted.empty() || !now.empty()))
    return State::current;
  return same_source ? State::outdated : State::foreign;
}

std::string source_text(const std::string& source) {
  return source.empty() || source == inside_its_run ? "" : fmt::format(" ('{}')", source);
}

std::vector<Found> pictures_in(const PictureFolder& where,
                               const std::optional<PictureRecord>& before) {
  const std::set<int> wanted(where.wanted.begin(), where.wanted.end());
  std::vector<Found> found;
  for (const char* ending : {".png", ".exr"})
    for (const auto& [frame, path] : frames_in(where.folder, where.name, ending))
      found.push_back({path, frame, wanted.contains(frame), state_of(frame, where, before)});
  return found;
}

std::string in_folder(const PictureFolder& where, const fs::path& file) {
  return printable(file.lexically_relative(where.folder).generic_string());
}

// Nothing may be there that was made by something else, of something else or with other settings.
void require_own(const PictureFolder& where, const std::vector<Found>& found,
                 const std::optional<PictureRecord>& before,
                 const std::map<std::string, std::string>& now) {
  for (const Found& f : found) {
    std::string why;
    if (!before)
      why = "made by something else";
    else if (f.state == State::foreign)
      why = "of something else" + source_text(before->source);
    else if (f.state == State::current && before->settings != now)
      why = "made with other settings (" + listed(changes(now, before->settings)) + ")";
    if (!why.empty())
      throw InputError(
          "the pictures in '{}' were {}; --overwrite replaces them, -o puts new ones elsewhere",
          where.folder.string(), why);
  }
}

void require_own_whole(const PictureFolder& where, const std::optional<PictureRecord>& before) {
  auto is_own = [&](const fs::path& file) {
    if (!before || !before->knows_whole) return before.has_value();
    return std::find(before->whole.begin(), before->whole.end(), in_folder(where, file)) !=
           before->whole.end();
  };
  std::error_code error;
  for (const fs::path& file : where.whole)
    if (fs::exists(file, error) && !is_own(file))
      throw InputError("'{}' would be overwritten; --overwrite allows it, --no-movie does without",
                       file.string());
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw FileError(file, error.message());
}

// Pictures that are not wanted must not be taken for such as are made now.
void require_alike(const PictureFolder& where, const std::vector<Found>& found,
                   bool same_settings) {
  const auto others = std::count_if(found.begin(), found.end(), [&](const Found& f) {
    return !f.wanted &&
           (f.state == State::foreign || (f.state == State::current && !same_settings));
  });
  if (others > 0)
    throw InputError(
        "'{}' has {} more picture{} than those of --frames, made with other settings or of "
        "something else; -o puts new ones elsewhere",
        where.folder.string(), others, others == 1 ? "" : "s");
}

// It records what will be there: the wanted pictures, and what was there and stays.
PictureRecord record_of(const PictureFolder& where, const std::vector<Found>& found,
                        const std::optional<PictureRecord>& before) {
  PictureRecord record;
  record.source = where.source;
  for (const Found& f : found)
    if (!f.wanted && before) record.origins[f.frame] = before->origin(f.frame);
  for (const int frame : where.wanted) record.origins[frame] = where.origin(frame);
  if (before) record.whole = before->whole;
  record.knows_whole = !where.whole.empty() || !before || before->knows_whole;
  for (const fs::path& file : where.whole)
    if (const std::string own = in_folder(where, file);
        std::find(record.whole.begin(), record.whole.end(), own) == record.whole.end())
      record.whole.push_back(own);
  return record;
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

OutdatedPictures PictureSettings::enter(const PictureFolder& where, bool overwrite) const {
  make_folder(where.folder);
  const auto before = PictureRecord::read(where.record());
  const std::vector<Found> found = pictures_in(where, before);
  if (overwrite) {
    require_alike(where, found, before && before->settings == values_);
  } else {
    require_own(where, found, before, values_);
    require_own_whole(where, before);
  }
  OutdatedPictures outdated;
  for (const Found& f : found) {
    const bool is_outdated = f.state == State::outdated;
    if (f.wanted && (overwrite || is_outdated)) remove_file(f.path);
    if (f.wanted && !overwrite && is_outdated) ++outdated.removed;
    if (!f.wanted && is_outdated) outdated.frames.insert(f.frame);
  }
  PictureRecord record = record_of(where, found, before);
  record.settings = values_;
  record.write(where.record());
  return outdated;
}

void PictureSettings::note_in(const PictureFolder& where, int frame) const {
  make_folder(where.folder);
  std::optional<PictureRecord> record = PictureRecord::read(where.record());
  if (!record) {
    record.emplace();
    record->settings = values_;
    record->source = where.source;
  }
  // Those of other settings are as good as outdated.
  if (record->settings == values_)
    record->origins[frame] = where.origin(frame);
  else
    record->origins.erase(frame);
  record->write(where.record());
}

}  // namespace octavo
