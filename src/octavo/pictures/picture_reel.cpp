#include "octavo/pictures/picture_reel.h"

#include <fmt/format.h>

#include <algorithm>

#include "octavo/base/error.h"
#include "octavo/draw/montage.h"
#include "octavo/io/files.h"
#include "octavo/io/movie.h"
#include "octavo/io/png.h"
#include "octavo/output/interrupt.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// Frames are evenly chosen, the first and the last one among them.
void write_sheet(const fs::path& path, const FrameSeries& pictures) {
  constexpr std::size_t most = 12;
  const std::size_t count = std::min(pictures.size(), most);
  std::vector<Image> chosen;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = count == 1 ? 0 : i * (pictures.size() - 1) / (count - 1);
    const auto& [frame, picture] = *std::next(pictures.begin(), static_cast<std::ptrdiff_t>(k));
    chosen.push_back(read_png(picture));
    names.push_back(fmt::format("{}", frame));
  }
  write_png(path, sheet(chosen, names));
}

bool write_movie_of(const FrameSeries& pictures, const ReelOptions& options) {
  std::vector<fs::path> files;
  for (const auto& [frame, picture] : pictures) files.push_back(picture);
  const double fps = std::clamp(options.fps, 0.01, 1000.0);
  return write_movie(options.movie, files, {.fps = fps, .stopped = interrupted});
}

// The disk may be full, ffmpeg may not be there, or one of the pictures may be damaged.
template <class Make>
bool made(const char* what, Progress& progress, Make&& make) {
  try {
    return make();
  } catch (const InputError& e) {
    progress.say(fmt::format("warning: there is no {}: {}", what, e.what()));
  } catch (const FileError& e) {
    progress.say(fmt::format("warning: there is no {}: {}", what, e.what()));
  }
  return true;
}

}  // namespace

bool write_reel(const FrameSeries& pictures, const ReelOptions& options, Progress& progress) {
  if (pictures.size() < 2) return true;
  if (pictures.begin()->second.extension() == ".exr") {
    progress.note("there is no movie of .exr pictures");
    return true;
  }
  if (!options.sheet.empty())
    made("contact sheet", progress, [&] { return write_sheet(options.sheet, pictures), true; });
  return made("movie", progress, [&] { return write_movie_of(pictures, options); });
}

}  // namespace octavo
