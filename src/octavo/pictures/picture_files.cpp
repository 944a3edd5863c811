#include "octavo/pictures/picture_files.h"

#include <nlohmann/json.hpp>

#include "octavo/base/error.h"
#include "octavo/io/exr.h"
#include "octavo/io/png.h"

namespace octavo {
namespace {

void write_linear(const std::filesystem::path& path, const Picture& picture, double exposure) {
  const auto gain = static_cast<float>(std::exp2(exposure));
  std::vector<float> rgba;
  rgba.reserve(4 * picture.pixels.size());
  for (const Picture::Pixel& p : picture.pixels) {
    for (int c = 0; c < 3; ++c) rgba.push_back(p.light[c] * gain);
    rgba.push_back(p.opacity);
  }
  write_exr(path, {picture.width, picture.height, {rgba.data(), rgba.size()}});
}

}  // namespace

const char* ending_of(PictureFormat format) {
  return format == PictureFormat::exr ? ".exr" : ".png";
}

Tone tone_of(const RenderScene& render) {
  return {.exposure = render.exposure, .opacity = render.transparent};
}

void write_picture(const std::filesystem::path& path, const Picture& picture,
                   const RenderScene& render, PictureFormat format) {
  const Tone tone = tone_of(render);
  if (format == PictureFormat::exr)
    write_linear(path, picture, render.exposure);
  else if (format == PictureFormat::png16)
    write_png(path, shown16(picture, tone));
  else
    write_png(path, shown(picture, tone));
}

void require_picture_path(const std::filesystem::path& path, PictureFormat format) {
  const char* ending = ending_of(format);
  if (path.extension() != ending)
    throw InputError("a picture in the format {} ends with {}, unlike '{}'",
                     picture_format_names[static_cast<std::size_t>(format)], ending, path.string());
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError("'{}' is a folder, not a picture", path.string());
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    throw InputError("there is no folder '{}' for the picture", folder.string());
}

std::string picture_event(int frame, const std::filesystem::path& file, double seconds) {
  return nlohmann::ordered_json{
      {"event", "picture"}, {"frame", frame}, {"file", file.string()}, {"seconds", seconds}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace octavo
