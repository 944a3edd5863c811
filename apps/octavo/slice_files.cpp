#include "slice_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "octavo/base/text.h"
#include "octavo/io/files.h"
#include "octavo/io/htg.h"
#include "octavo/run/run_folder.h"
#include "words.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// NAME.0001.htg
std::optional<int> frame_of(const fs::path& path) {
  const std::string stem = path.stem().string();
  const auto dot = stem.rfind('.');
  return dot == std::string::npos ? std::nullopt
                                  : whole_number(std::string_view(stem).substr(dot + 1));
}

// The files of each frame: the grid first, then checkpoints, those within the next frame last.
std::map<int, std::vector<fs::path>> frames_in(const fs::path& folder) {
  std::map<int, std::vector<fs::path>> frames;
  std::error_code error;
  for (fs::directory_iterator at(folder / "grid", error), end; !error && at != end;
       at.increment(error))
    if (const auto frame = frame_of(at->path()); frame && at->path().extension() == ".htg")
      frames[*frame].push_back(at->path());
  for (auto& [frame, files] : frames) std::sort(files.begin(), files.end());
  std::vector<CheckpointFile> checkpoints = checkpoints_in(folder);
  std::reverse(checkpoints.begin(), checkpoints.end());
  for (const CheckpointFile& c : checkpoints) frames[c.moment.frame].push_back(c.path);
  return frames;
}

bool has_field(const fs::path& path, const std::string& field) {
  if (is_checkpoint(path)) return true;
  const HtgContents contents = htg_contents(path);
  return std::any_of(contents.fields.begin(), contents.fields.end(),
                     [&](const HtgContents::Array& a) { return a.name == field; });
}

SliceFile find_in_folder(const fs::path& folder, std::optional<int> frame,
                         const std::string& field) {
  const auto frames = frames_in(folder);
  if (frames.empty())
    throw InputError(
        "there are no grids and no checkpoints in '{}'; grid = [\"density\"] under [output] of a "
        "scene makes a grid for each frame",
        folder.string());
  const auto found = frame ? frames.find(*frame) : std::prev(frames.end());
  if (found == frames.end()) {
    std::vector<int> numbers;
    for (const auto& [number, files] : frames) numbers.push_back(number);
    throw InputError("there is no grid or checkpoint of frame {} in '{}'; there are those of {}",
                     *frame, folder.string(), ranges_text(numbers));
  }
  const auto& files = found->second;
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const fs::path& path) { return has_field(path, field); });
  return {file == files.end() ? files.front() : *file, found->first, {}};
}

}  // namespace

bool is_checkpoint(const fs::path& path) { return path.extension() == ".h5"; }

SliceFile find_slice_file(const fs::path& file_or_folder, std::optional<int> frame,
                          const std::string& field) {
  std::error_code error;
  fs::path folder = file_or_folder;
  SliceFile file;
  if (fs::is_directory(file_or_folder, error)) {
    file = find_in_folder(file_or_folder, frame, field);
  } else {
    require_file(file_or_folder, "file");
    if (frame) throw InputError("--frame is for run folders, and '{}' is a file", folder.string());
    if (!is_checkpoint(folder) && folder.extension() != ".htg")
      throw InputError("'{}' is no grid (.htg), checkpoint (.h5) or run folder", folder.string());
    file = {folder, frame_of(folder), {}};
    folder = fs::absolute(folder).parent_path().parent_path();
  }
  if (fs::is_regular_file(folder / "scene.toml", error)) file.scene = folder / "scene.toml";
  return file;
}

}  // namespace octavo
