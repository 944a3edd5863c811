#pragma once

// A shot is a picture of surfaces, and maybe of a medium between them, as the [render] of a scene wants it.
//
//   const Camera camera = turned(stage.camera(time), options.turn);
//   const Picture picture = take_shot(scene, {camera, stage.lighting(time), surfaces}, {.max_bounces = 8}, options);

#include <functional>

#include "octavo/camera/camera.h"
#include "octavo/image/picture.h"
#include "octavo/render/path_tracer.h"
#include "octavo/scene/scene.h"

namespace octavo {

struct ShotOptions {
  double turn = 0;               // of the camera about its target, degrees
  std::function<bool()> stop{};  // true: the picture is not wanted any more, and comes out empty
};

struct ShotSetup {
  const Camera& camera;
  const Lighting& lighting;
  const Surfaces& surfaces;
  const Medium* medium = nullptr;
};

// Samples, background and denoising are the scene's; how far paths go is up to what is seen.
Picture take_shot(const Scene<3>& scene, const ShotSetup& shot, PathOptions paths,
                  const ShotOptions& options);

// It leaves fewer pixels and samples: what can be had in about a second.
void make_preview(CameraScene& camera, RenderScene& render);

}  // namespace octavo
