#include "octavo/pictures/shot.h"

#include "octavo/render/denoise.h"

namespace octavo {

Picture take_shot(const Scene<3>& scene, const ShotSetup& shot, PathOptions paths,
                  const ShotOptions& options) {
  const bool denoise = scene.render.denoise;
  if (denoise) require_denoisable(shot.camera.resolution);
  paths.samples = scene.render.samples;
  paths.background = !scene.render.transparent;
  paths.stop = options.stop;
  Features features;
  Picture picture = path_traced(CameraRays(shot.camera), shot.camera.resolution, shot.surfaces,
                                shot.lighting, shot.medium, paths, denoise ? &features : nullptr);
  return denoise && !picture.pixels.empty() ? denoised(picture, features) : picture;
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
