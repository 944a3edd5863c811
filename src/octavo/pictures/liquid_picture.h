#pragma once

// These are rendered pictures of a liquid: its surface is a closed mesh, of water, glass or something matte.
//
//   const Stage stage(scene, files);
//   const Picture picture = liquid_picture(scene, stage, {read_ply("mesh/dam.surface.0012.ply")}, time);

#include "octavo/pictures/shot.h"
#include "octavo/pictures/stage.h"

namespace octavo {

// A mesh without triangles is no liquid at all. Drops are balls.
struct LiquidMeshes {
  SurfaceMesh surface, drops{};
};

Picture liquid_picture(const Scene<3>& scene, const Stage& stage, LiquidMeshes liquid, double time,
                       const ShotOptions& options = {});

}  // namespace octavo
