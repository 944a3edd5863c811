#pragma once

// This is one path of light, followed back from the camera.

#include "octavo/render/first_march.h"
#include "octavo/render/path_scene.h"

namespace octavo {

class Path {
 public:
  Path(const PathScene& scene, const Ray& ray, Samples& samples, FirstMarch* first_march)
      : scene_(scene), samples_(samples), first_march_(first_march), ray_(ray) {}

  void follow();

  Light light{};
  float opacity = 1;
  Features::Pixel first{};

 private:
  bool step();  // false if that was the end
  void note(const SurfaceHit& hit);
  void travel(const SurfaceHit* hit);
  void escape();
  bool fade(const SurfaceHit& hit);
  Light glint(const SurfaceHit& hit, const Vec3d& shading) const;
  bool pass_glass(const SurfaceHit& hit);
  bool scatter(const SurfaceHit& hit);
  bool survives();
  void add(const Light& more);

  const PathScene& scene_;
  Samples& samples_;
  FirstMarch* first_march_;  // null without a medium
  Ray ray_;
  Light weight_{1, 1, 1};
  const SurfaceLook* within_ = nullptr;  // the glass that the ray is in
  int bounce_ = 0;
};

}  // namespace octavo
