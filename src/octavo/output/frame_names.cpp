#include "octavo/output/frame_names.h"

#include <fmt/format.h>

#include "octavo/base/text.h"

namespace octavo {

namespace fs = std::filesystem;

std::string frame_file(const std::string& name, int frame, const std::string& ending) {
  return fmt::format("{}.{:04}{}", name, frame, ending);
}

std::optional<FrameName> frame_name(const fs::path& file) {
  const std::string stem = file.stem().string();
  const auto dot = stem.rfind('.');
  if (dot == std::string::npos || dot == 0) return {};
  const auto frame = whole_number(std::string_view(stem).substr(dot + 1));
  return frame ? std::optional(FrameName{stem.substr(0, dot), *frame}) : std::nullopt;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error)) files.push_back(at->path());
  return files;
}

std::map<std::string, FrameSeries> series_in(const fs::path& folder, const std::string& ending) {
  std::map<std::string, FrameSeries> found;
  for (const fs::path& file : files_in(folder))
    if (file.extension() == ending)
      if (const auto name = frame_name(file)) found[name->name][name->frame] = file;
  return found;
}

FrameSeries frames_in(const fs::path& folder, const std::string& name, const std::string& ending) {
  return series_in(folder, ending)[name];
}

std::string frame_list(const std::vector<int>& frames) {
  std::string text;
  for (std::size_t first = 0; first < frames.size();) {
    std::size_t last = first;
    while (last + 1 < frames.size() && frames[last + 1] == frames[last] + 1) ++last;
    text += fmt::format("{}{}", first == 0 ? "" : ", ", frames[first]);
    if (last > first) text += fmt::format("{}{}", last == first + 1 ? ", " : " .. ", frames[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace octavo
