#pragma once

// A Camera says where a picture is taken from, and CameraRays give the rays through its pixels.
//
//   const CameraRays rays(framing(box, {0, 0, 1}, 40, {960, 540}));
//   const Ray ray = rays.through(480.5, 270.5);          // the middle of a pixel

#include <vector>

#include "octavo/camera/ray.h"

namespace octavo {

struct Camera {
  Vec3d position{0.5, -2, 0.5}, target{0.5, 0.5, 0.5}, up{0, 0, 1};  // m
  double field_of_view = 40;                                         // across the picture, degrees
  Vec<2, int> resolution{960, 540};                                  // pixels
};

class CameraRays {
 public:
  // This throws InputError if the camera stands where it looks.
  explicit CameraRays(const Camera& camera);

  // Pixels count from the upper left corner of the picture.
  Ray through(double x, double y) const;

  // This is how wide a pixel is, seen from so far away, m.
  double pixel_size(double distance) const { return pixel_ * distance; }

  // This finds where a point is in the picture, in pixels; there is no place if it is behind the camera.
  bool place(const Vec3d& point, Vec2d& pixel) const;

 private:
  Vec3d position_, forward_, right_, down_;  // the last two as long as a pixel at distance 1
  Vec2d center_;
  double pixel_;
};

// This is a camera from which all of a box is in the picture, with some room around it: from the front,
// and from a little above.
Camera framing(const Box<3>& box, const Vec3d& up, double field_of_view,
               const Vec<2, int>& resolution);

// The camera goes around the target, about the direction that is up, by an angle in degrees.
Camera turned(Camera camera, double angle);

// A CameraKey is a camera at a time, s.
struct CameraKey {
  double time = 0;
  Vec3d position{}, target{};
  double field_of_view = 40;
};

// The camera moves smoothly through all keys (Catmull, Rom 1974, for keys at any distance in time); it is
// at rest before the first and after the last. Times must increase.
Camera camera_at(const std::vector<CameraKey>& keys, double time, Camera camera);

// A CameraPath is a camera that may move.
struct CameraPath {
  Camera camera;  // all that keys leave as it is
  std::vector<CameraKey> keys{};

  Camera at(double time) const { return camera_at(keys, time, camera); }
  bool moves() const { return keys.size() > 1; }
};

}  // namespace octavo
