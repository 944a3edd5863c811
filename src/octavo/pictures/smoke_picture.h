#pragma once

// These are rendered pictures of smoke.
//
//   const Stage stage(scene, files);
//   write_picture("smoke.png", smoke_picture(scene, stage, {&mesh, density.view()}, time), scene.render);

#include "octavo/pictures/shot.h"
#include "octavo/pictures/stage.h"
#include "octavo/render/smoke_medium.h"

namespace octavo {

Picture smoke_picture(const Scene<3>& scene, const Stage& stage, const SmokeField& smoke,
                      double time, const ShotOptions& options = {});

}  // namespace octavo
