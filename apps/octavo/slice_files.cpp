#include "slice_files.h"

#include <algorithm>
#include <map>
#include <vector>

#include "octavo/base/error.h"
#include "octavo/io/files.h"
#include "octavo/io/htg.h"
#include "octavo/output/frame_names.h"
#include "octavo/output/run_folder.h"
#include "words.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// It lists the files of each frame: the grid comes first, then checkpoints, those within the next
// frame last.
std::map<int, std::vector<fs::path>> files_of_frames(const fs::path& folder) {
  std::map<int, std::vector<fs::path>> frames;
  for (const auto& [name, series] : series_in(folder / "grid", ".htg"))
    for (const auto& [frame, path] : series) frames[frame].push_back(path);
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

std::string listed(const std::map<int, std::vector<fs::path>>& frames) {
  std::vector<int> numbers;
  for (const auto& [frame, files] : frames) numbers.push_back(frame);
  return frame_list(numbers);
}

SliceFile find_in_folder(const fs::path& folder, std::optional<int> frame,
                         const std::string& field) {
  const auto frames = files_of_frames(folder);
  if (frames.empty())
    throw InputError(
        "there are no grids and no checkpoints in '{}'; a list of fields as output.grid of a scene "
        "makes a grid for each frame",
        folder.string());
  const auto found = frame ? frames.find(*frame) : std::prev(frames.end());
  if (found == frames.end())
    throw InputError("there is no grid or checkpoint of frame {} in '{}'; there are those of {}",
                     *frame, folder.string(), listed(frames));
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
  SliceFile file;
  if (fs::is_directory(file_or_folder, error)) {
    file = find_in_folder(file_or_folder, frame, field);
  } else {
    const fs::path& path = file_or_folder;
    require_file(path, "file");
    if (frame) throw InputError("--frame is for run folders, and '{}' is a file", path.string());
    if (!is_checkpoint(path) && path.extension() != ".htg")
      throw InputError("'{}' is no grid (.htg), checkpoint (.h5) or run folder", path.string());
    file.path = path;
    if (const auto name = frame_name(path)) file.frame = name->frame;
  }
  file.scene = scene_of_run(file.path);
  return file;
}

}  // namespace octavo
