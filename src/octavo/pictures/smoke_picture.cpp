#include "octavo/pictures/smoke_picture.h"

#include <nlohmann/json.hpp>

#include "octavo/base/error.h"
#include "octavo/io/exr.h"
#include "octavo/io/png.h"
#include "octavo/render/denoise.h"
#include "octavo/render/path_tracer.h"

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

// Light that comes back from a solid or the ground more than twice does not show beside smoke.
Picture smoke_picture(const Scene<3>& scene, const Stage& stage, const SmokeField& smoke,
                      double time, const ShotOptions& options) {
  const Camera camera = turned(stage.camera(time), options.turn);
  if (scene.render.denoise) require_denoisable(camera.resolution);
  const Lighting lighting = stage.lighting(time);
  const Surfaces surfaces = stage.surfaces(time);
  SmokeField field = smoke;
  field.room = stage.box();
  const SmokeMedium medium(field, stage.look(), lighting, surfaces);
  PathOptions paths;
  paths.samples = scene.render.samples;
  paths.max_bounces = 2;
  paths.tolerance = 0.01;
  if (scene.render.glow) paths.clamp = 4;  // fire that is met by way of the ground leaves specks
  paths.background = !scene.render.transparent;
  paths.stop = options.stop;
  Features features;
  Picture picture = path_traced(CameraRays(camera), camera.resolution, surfaces, lighting, &medium,
                                paths, scene.render.denoise ? &features : nullptr);
  return scene.render.denoise && !picture.pixels.empty() ? denoised(picture, features) : picture;
}

void require_smoke(const VdbContents& contents, const std::filesystem::path& volume,
                   const SeenFields& names, const RenderScene& render) {
  auto require = [&](const std::string& name, const char* why) {
    std::string there;
    for (const VdbGridInfo& grid : contents.grids) {
      if (grid.name == name && !grid.type.starts_with("vec3")) return;
      there += (there.empty() ? "" : ", ") + grid.name;
    }
    throw InputError("there is no {} in '{}', which {}; there is {}", name, volume.string(), why,
                     there.empty() ? "nothing" : there);
  };
  if (names.haze.empty()) throw InputError("there is no smoke in '{}'", volume.string());
  require(names.haze, "pictures of smoke are made from");
  if (render.glow) require(names.heat, "smoke that glows needs ([render.glow])");
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

std::string coarse_note(const std::filesystem::path& volume, int voxels) {
  return fmt::format(
      "'{}' takes more leaves than a volume may have: it is shown {} times as coarse",
      volume.string(), voxels);
}

void make_preview(CameraScene& camera, RenderScene& render) {
  constexpr double pixels = 480 * 270;
  const double many = static_cast<double>(camera.resolution[0]) * camera.resolution[1];
  const double scale = std::min(1.0, std::sqrt(pixels / many));
  for (int a = 0; a < 2; ++a)
    camera.resolution[a] = std::max(1, static_cast<int>(std::lround(camera.resolution[a] * scale)));
  render.samples = std::min(render.samples, 4);
}

}  // namespace octavo
