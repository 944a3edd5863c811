#include "octavo/io/movie.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <optional>
#include <system_error>

#include "octavo/base/error.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/child_process.h"
#include "octavo/io/png.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

void check(const std::vector<fs::path>& pictures, const MovieOptions& options) {
  if (pictures.empty()) throw InputError("a movie needs at least one picture");
  if (!(options.fps >= 0.01 && options.fps <= 1000))
    throw InputError("a movie has 0.01 to 1000 frames per second, not {}", options.fps);
  if (options.quality < 0 || options.quality > 51)
    throw InputError("the quality of a movie is 0 to 51, not {}", options.quality);
}

int even(int size) { return size + size % 2; }

// A frame has its last row and column once more where the size is odd.
std::string frame_bytes(const Image& image) {
  const auto row = static_cast<std::size_t>(image.width) * 3;
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(even(image.width)) *
                static_cast<std::size_t>(even(image.height)) * 3);
  for (int y = 0; y < even(image.height); ++y) {
    const auto* from = reinterpret_cast<const char*>(image.at(0, std::min(y, image.height - 1)));
    bytes.append(from, row);
    if (image.width % 2 == 1) bytes.append(from + row - 3, 3);
  }
  return bytes;
}

// The pictures come as they are, one after the other, and leave with the colours of HDTV, which players take
// such movies to have. "file:" keeps names from being taken for addresses.
std::vector<std::string> arguments(const fs::path& target, const Image& first,
                                   const MovieOptions& options) {
  return {"-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-y",
          // This describes what comes.
          "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size",
          fmt::format("{}x{}", even(first.width), even(first.height)), "-framerate",
          fmt::format("{}", options.fps), "-i", "pipe:0",
          // This is what is made of it.
          "-vf", "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int",
          "-c:v", "libx264", "-preset", "medium", "-crf", fmt::format("{}", options.quality),
          "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
          "iec61966-2-1", "-color_range", "tv", "-movflags", "+faststart", "-f", "mp4",
          "file:" + fs::absolute(target).string()};
}

// It is what ffmpeg says, in one line.
std::string reason_of(const ChildEnd& end) {
  std::string text = end.errors;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at))
    text.replace(at, 1, "; ");
  if (text.empty()) text = end.code < 0 ? "it was killed" : fmt::format("it returned {}", end.code);
  return "ffmpeg failed: " + text;
}

class MovieWriter {
 public:
  MovieWriter(const fs::path& path, const Image& first, const MovieOptions& options)
      : path_(path), file_(path), size_{first.width, first.height} {
    try {
      ffmpeg_.emplace("ffmpeg", arguments(file_.temporary(), first, options));
    } catch (const std::system_error& e) {
      if (e.code().value() != ENOENT) throw FileError(path, "ffmpeg: " + e.code().message());
      throw FileError(path,
                      "movies are made by ffmpeg, which is not installed (apt install ffmpeg)");
    }
  }

  void add(const fs::path& name, const Image& image) {
    if (image.width != size_[0] || image.height != size_[1])
      throw InputError(
          "'{}' has {} x {} pixels, the pictures before it {} x {}: a movie has one size",
          name.string(), image.width, image.height, size_[0], size_[1]);
    if (!ffmpeg_->write(frame_bytes(image))) throw FileError(path_, reason_of(ffmpeg_->finish()));
  }

  void finish() {
    const ChildEnd end = ffmpeg_->finish();
    if (!end.well()) throw FileError(path_, reason_of(end));
    file_.commit();
  }

 private:
  fs::path path_;
  AtomicFile file_;  // outlives the process that writes it
  std::optional<ChildProcess> ffmpeg_;
  std::array<int, 2> size_;
};

}  // namespace

bool write_movie(const fs::path& path, const std::vector<fs::path>& pictures,
                 const MovieOptions& options) {
  check(pictures, options);
  MovieWriter writer(path, read_png_on_black(pictures.front()), options);
  for (const fs::path& picture : pictures) {
    if (options.stopped && options.stopped()) return false;
    writer.add(picture, read_png_on_black(picture));
  }
  writer.finish();
  return true;
}

}  // namespace octavo
