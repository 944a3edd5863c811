#include "octavo/pictures/picture_record.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "octavo/base/text.h"
#include "octavo/io/atomic_file.h"
#include "octavo/output/frame_names.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* mark = "made by octavo";  // a key that all records have
constexpr const char* pictures_key = "pictures";

// What is not as it should be is left out.
void read_pictures(const json& from, PictureRecord& record) {
  record.knows_whole = from.is_object();
  if (!from.is_object()) return;
  if (from.contains("source") && from["source"].is_string())
    record.source = from["source"].get<std::string>();
  if (from.contains("whole"))
    for (const json& file : from["whole"])
      if (file.is_string()) record.whole.push_back(file.get<std::string>());
  if (from.contains("origins"))
    for (const auto& [number, origin] : from["origins"].items())
      if (const auto frame = whole_number(number); frame && origin.is_string())
        record.origins[*frame] = origin.get<std::string>();
}

json pictures_of(const PictureRecord& record) {
  json origins = json::object();
  for (const auto& [frame, origin] : record.origins) origins[fmt::format("{}", frame)] = origin;
  return {{"source", record.source}, {"whole", record.whole}, {"origins", origins}};
}

// It is the name of what is recorded in a file .NAME.settings.json; it is empty if the file is
// called otherwise.
std::string recorded_name(const fs::path& file) {
  constexpr std::string_view ending = ".settings.json";
  const std::string text = file.filename().string();
  const bool is_one = text.size() > ending.size() + 1 && text[0] == '.' && text.ends_with(ending);
  return is_one ? text.substr(1, text.size() - ending.size() - 1) : "";
}

// Pictures of a run are not of a single file. Earlier versions did not note the source of others.
bool is_of_its_run(const PictureRecord& record) {
  return record.knows_whole ? record.source == inside_its_run : !record.settings.contains("file");
}

void remove_recorded(const fs::path& folder, const std::string& name, const PictureRecord& record) {
  std::error_code error;
  for (const char* ending : {".png", ".exr"})
    for (const auto& [frame, path] : frames_in(folder, name, ending))
      if (record.origins.contains(frame) || !record.knows_whole) fs::remove(path, error);
  for (const fs::path file : record.whole)
    if (file == file.filename() || file == ".." / file.filename()) fs::remove(folder / file, error);
  fs::remove(PictureRecord::path(folder, name), error);
}

}  // namespace

std::optional<PictureRecord> PictureRecord::read(const fs::path& file) {
  std::ifstream in(file);
  const json object = json::parse(in, nullptr, false);
  if (!object.is_object() || !object.contains(mark)) return {};
  PictureRecord record;
  for (const auto& [key, value] : object.items())
    if (key != mark && value.is_string()) record.settings[key] = value.get<std::string>();
  read_pictures(object.value(pictures_key, json()), record);
  return record;
}

void PictureRecord::write(const fs::path& file) const {
  json object = settings;
  object[mark] = "";
  if (knows_whole) object[pictures_key] = pictures_of(*this);
  write_file(file, object.dump(1, ' ', false, json::error_handler_t::replace));
}

void remove_pictures_of_run(const fs::path& folder) {
  for (const char* part : {"image", "preview"})
    for (const fs::path& file : files_in(folder / part)) {
      const std::string name = recorded_name(file);
      const auto record = name.empty() ? std::nullopt : PictureRecord::read(file);
      if (record && is_of_its_run(*record)) remove_recorded(folder / part, name, *record);
    }
}

}  // namespace octavo
