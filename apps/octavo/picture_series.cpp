#include "picture_series.h"

#include <vector>

#include "octavo/base/error.h"
#include "octavo/image/picture.h"
#include "octavo/io/exr.h"
#include "octavo/io/png.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using Pictures = std::map<std::string, FrameSeries>;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::string listed(const Pictures& pictures) {
  std::string text;
  for (const auto& [name, series] : pictures) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The text looks like this: 'one' and 'other'.
std::string quoted(const std::vector<fs::path>& folders) {
  std::string text;
  for (const fs::path& folder : folders)
    text += fmt::format("{}'{}'", text.empty() ? "" : " and ", folder.string());
  return text;
}

// It says what to do about a folder without pictures, or two.
[[noreturn]] void complain_of_none(const std::vector<fs::path>& without) {
  std::string commands;
  std::vector<fs::path> empty;
  for (const fs::path& folder : without) {
    if (has_volumes(folder))
      commands += fmt::format("; to make them: octavo render {}", folder.string());
    else
      empty.push_back(folder);
  }
  throw InputError("there are no pictures (image/NAME.0001.png) in {}{}{}", quoted(without),
                   commands,
                   empty.empty() ? "" : ", and no volumes to make them of in " + quoted(empty));
}

}  // namespace

Pictures pictures_in(const fs::path& folder) {
  const fs::path image = folder / "image", from = is_folder(image) ? image : folder;
  Pictures found = series_in(from, ".png");
  for (auto& [name, series] : series_in(from, ".exr")) found[name].merge(series);
  return found;
}

bool has_volumes(const fs::path& folder) { return !series_in(folder / "volume", ".vdb").empty(); }

std::pair<FrameSeries, FrameSeries> matching_pictures(const fs::path& one, const fs::path& other) {
  const Pictures a = pictures_in(one), b = pictures_in(other);
  std::vector<fs::path> without;
  if (a.empty()) without.push_back(one);
  if (b.empty() && other != one) without.push_back(other);
  if (!without.empty()) complain_of_none(without);
  if (a.size() == 1 && b.size() == 1) return {a.begin()->second, b.begin()->second};
  Pictures shared;
  for (const auto& [name, series] : a)
    if (b.contains(name)) shared[name] = series;
  if (shared.size() != 1)
    throw InputError(
        "which pictures are to be compared? In '{}' are those of {}, in '{}' those of {}; only one "
        "name may be in both, or two files be named",
        one.string(), listed(a), other.string(), listed(b));
  return {shared.begin()->second, b.at(shared.begin()->first)};
}

Image read_picture(const fs::path& path) {
  if (path.extension() == ".png") return read_png_on_black(path);
  const ExrImage exr = read_exr(path);
  Picture picture(exr.width, exr.height);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    const float* p = exr.rgba.data() + 4 * i;
    picture.pixels[i] = {{p[0], p[1], p[2]}, p[3]};
  }
  return shown(picture);
}

}  // namespace octavo
