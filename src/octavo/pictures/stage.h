#pragma once

// Pictures of a scene are made from this, beside the smoke: camera, lights, solids and how all of it looks.
//
//   const Stage stage(scene, files);
//   const Surfaces solids = stage.surfaces(time);
//   const SmokeMedium medium(smoke, stage.look(), stage.lighting(time), solids);

#include <vector>

#include "octavo/camera/camera.h"
#include "octavo/render/lighting.h"
#include "octavo/render/smoke_look.h"
#include "octavo/render/surfaces.h"
#include "octavo/scene/mesh_files.h"
#include "octavo/scene/scene.h"

namespace octavo {

class Stage {
 public:
  // `seen` is what a camera without a place of its own has in the picture; it is the scene's box if it is not given.
  Stage(const Scene<3>& scene, MeshFiles& files, const std::optional<Box<3>>& seen = {});

  const Box<3>& box() const { return box_; }
  Camera camera(double time) const;
  Lighting lighting(double time) const;
  SmokeLook look() const;
  SurfaceLook liquid_look() const;
  Surfaces surfaces(double time) const;  // the obstacles, where they are then
  void add_obstacles(Surfaces& surfaces, double time) const;

 private:
  // A mesh is traced as the triangles it is; all other shapes by their distance.
  struct Solid {
    std::optional<SurfaceMesh> mesh;
    std::optional<Shape<3>> shape;
    Motion<3> motion;
  };

  const Scene<3>& scene_;
  Box<3> box_, seen_;
  Vec3d up_;
  std::vector<Solid> solids_;
};

// It is the look of a scene's obstacles.
SurfaceLook obstacle_look(const RenderScene& render);

// It is the look of a smooth thing of a material, which has the colour if it is matte. Water takes the same part of the
// light on its way through the `size` of what is seen, whatever that is, so that a cup and a pool look alike.
SurfaceLook look_of(Material material, const Light& color, double size);

}  // namespace octavo
