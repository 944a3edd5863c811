#include "octavo/camera/camera.h"

#include <algorithm>
#include <numbers>

#include "octavo/base/error.h"

namespace octavo {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// The curve goes through b and c, with the slopes of the parabolas through three keys; times are those of the four.
template <class T>
T through(const T& a, const T& b, const T& c, const T& d, const double (&time)[4], double now) {
  auto slope = [](const T& p, const T& q, const T& r, double before, double after) {
    if (before <= 0) return (r - q) * (1 / after);
    if (after <= 0) return (q - p) * (1 / before);
    return ((q - p) * (after / before) + (r - q) * (before / after)) * (1 / (before + after));
  };
  const double length = time[2] - time[1], t = (now - time[1]) / length;
  const T first = slope(a, b, c, time[1] - time[0], length) * length;
  const T last = slope(b, c, d, length, time[3] - time[2]) * length;
  const double s = 1 - t;
  return b * (s * s * (1 + 2 * t)) + first * (s * s * t) + c * (t * t * (3 - 2 * t)) -
         last * (t * t * s);
}

}  // namespace

CameraRays::CameraRays(const Camera& camera) : position_(camera.position) {
  const Vec3d view = camera.target - camera.position;
  if (!(length(view) > 0)) throw InputError("the camera stands where it looks");
  forward_ = normalized(view);
  Vec3d right = cross(forward_, camera.up);
  if (!(length(right) > 1e-9 * length(camera.up)))
    right = Basis(forward_).right;  // straight up or down
  pixel_ = 2 * std::tan(radians(camera.field_of_view) / 2) / camera.resolution[0];
  right_ = normalized(right) * pixel_;
  down_ = cross(forward_, right_);
  center_ = camera.resolution.cast<double>() * 0.5;
}

Ray CameraRays::through(double x, double y) const {
  return {position_, normalized(forward_ + right_ * (x - center_[0]) + down_ * (y - center_[1]))};
}

bool CameraRays::place(const Vec3d& point, Vec2d& pixel) const {
  const Vec3d to = point - position_;
  const double depth = dot(to, forward_);
  if (!(depth > 0)) return false;
  const double scale = 1 / (depth * pixel_ * pixel_);
  pixel = {center_[0] + dot(to, right_) * scale, center_[1] + dot(to, down_) * scale};
  return true;
}

// The directions to all corners must be within the picture; both distances at which that is so, for the width
// and for the height, are known in closed form for each corner.
Camera framing(const Box<3>& box, const Vec3d& up, double field_of_view,
               const Vec<2, int>& resolution) {
  constexpr double above = 10, room = 1.06;
  const Vec3d high = normalized(up), front = up[2] != 0 ? Vec3d{0, 1, 0} : Vec3d{0, 0, -1};
  const Vec3d forward = front * std::cos(radians(above)) - high * std::sin(radians(above));
  const Vec3d right = normalized(cross(forward, high)), down = cross(forward, right);
  const double wide = std::tan(radians(field_of_view) / 2);
  const double tall = wide * resolution[1] / resolution[0];
  double distance = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3d p = box.corner(corner) - box.center();
    const double needed =
        std::max(std::abs(dot(p, right)) / wide, std::abs(dot(p, down)) / tall) * room;
    distance = std::max(distance, needed - dot(p, forward));
  }
  Camera camera;
  camera.target = box.center();
  camera.position = box.center() - forward * distance;
  camera.up = high;
  camera.field_of_view = field_of_view;
  camera.resolution = resolution;
  return camera;
}

Camera turned(Camera camera, double angle) {
  const Vec3d axis = normalized(camera.up), from = camera.position - camera.target;
  const double c = std::cos(radians(angle)), s = std::sin(radians(angle));
  camera.position =
      camera.target + from * c + cross(axis, from) * s + axis * (dot(axis, from) * (1 - c));
  return camera;
}

Camera camera_at(const std::vector<CameraKey>& keys, double time, Camera camera) {
  if (keys.empty()) return camera;
  auto stand = [&](const CameraKey& k) {
    camera.position = k.position;
    camera.target = k.target;
    camera.field_of_view = k.field_of_view;
    return camera;
  };
  if (time <= keys.front().time) return stand(keys.front());
  if (time >= keys.back().time) return stand(keys.back());
  const auto after = std::upper_bound(keys.begin(), keys.end(), time,
                                      [](double t, const CameraKey& k) { return t < k.time; });
  const auto i = static_cast<std::size_t>(after - keys.begin());
  const CameraKey& c = keys[i];
  const CameraKey& b = keys[i - 1];
  const CameraKey& a = i >= 2 ? keys[i - 2] : b;
  const CameraKey& d = i + 1 < keys.size() ? keys[i + 1] : c;
  const double times[4] = {a.time, b.time, c.time, d.time};
  camera.position = through(a.position, b.position, c.position, d.position, times, time);
  camera.target = through(a.target, b.target, c.target, d.target, times, time);
  camera.field_of_view = std::clamp(
      through(a.field_of_view, b.field_of_view, c.field_of_view, d.field_of_view, times, time), 1.0,
      170.0);
  return camera;
}

}  // namespace octavo
