#include "octavo/pictures/smoke_picture.h"

namespace octavo {

// Light that comes back from a solid or the ground more than twice does not show beside smoke.
Picture smoke_picture(const Scene<3>& scene, const Stage& stage, const SmokeField& smoke,
                      double time, const ShotOptions& options) {
  const Camera camera = turned(stage.camera(time), options.turn);
  const Lighting lighting = stage.lighting(time);
  const Surfaces surfaces = stage.surfaces(time);
  SmokeField field = smoke;
  field.room = stage.box();
  const SmokeMedium medium(field, stage.look(), lighting, surfaces);
  PathOptions paths;
  paths.max_bounces = 2;
  paths.tolerance = 0.01;
  if (scene.render.glow) paths.clamp = 4;  // fire that is met by way of the ground leaves specks
  return take_shot(scene, {camera, lighting, surfaces, &medium}, paths, options);
}

}  // namespace octavo
