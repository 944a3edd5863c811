#include "octavo/scene/shape_checks.h"

namespace octavo {

template <int Dim>
bool ShapeChecks<Dim>::shape(const ShapeScene<Dim>& s, const std::string& path) {
  const int kinds = (s.sphere ? 1 : 0) + (s.box ? 1 : 0) + (s.ellipsoid ? 1 : 0) +
                    (s.cylinder ? 1 : 0) + (s.capsule ? 1 : 0) + (s.torus ? 1 : 0) +
                    (s.plane ? 1 : 0) + (s.mesh ? 1 : 0) + (s.unite.empty() ? 0 : 1) +
                    (s.intersect.empty() ? 0 : 1) + (s.subtract.empty() ? 0 : 1);
  if (kinds != 1) {
    say_.wrong(path,
               "a shape must be one of sphere, box, ellipsoid, cylinder, capsule, torus, plane{}, "
               "union, intersection or difference; this is {}",
               Dim == 3 ? ", mesh" : "", kinds == 0 ? "none of them" : "several");
    return false;
  }
  bool good = true;
  auto parts = [&](const std::vector<ShapeScene<Dim>>& list, const char* kind) {
    for (std::size_t i = 0; i < list.size(); ++i)
      good = shape(list[i], fmt::format("{}.{}[{}]", path, kind, i)) && good;
  };
  parts(s.unite, "union");
  parts(s.intersect, "intersection");
  parts(s.subtract, "difference");
  if (s.subtract.size() == 1) {
    say_.wrong(path + ".difference", "a difference needs two shapes at least");
    good = false;
  }
  if (!good) return false;
  try {
    shape_of(s, files_);
  } catch (const InputError& e) {
    say_.wrong(s.mesh ? path + ".mesh.file" : path, "{}", e.what());
    return false;
  }
  return true;
}

template <int Dim>
bool ShapeChecks<Dim>::motion(const MotionScene<Dim>& m, const std::string& path) {
  const bool steady = !(m.velocity == Vec<Dim>{}) || !(m.spin == Turn<Dim>{});
  if ((steady ? 1 : 0) + (m.oscillate ? 1 : 0) + (m.keyframes.empty() ? 0 : 1) > 1) {
    say_.wrong(
        path,
        "a motion is steady (velocity, spin), an oscillation or keyframes, not several of them");
    return false;
  }
  try {
    motion_of(m);
    return true;
  } catch (const InputError& e) {
    say_.wrong(path, "{}", e.what());
    return false;
  }
}

template <int Dim>
void ShapeChecks<Dim>::moving(const ShapeScene<Dim>& s, const MotionScene<Dim>& m,
                              const std::string& path, const char* what,
                              const std::optional<Box<Dim>>& box) {
  const bool is_shape = shape(s, path + ".shape"), is_motion = motion(m, path + ".motion");
  if (!is_shape || !is_motion || !box || say_.unread(path) || !motion_of(m).is_still()) return;
  const Box<Dim> b = shape_of(s, files_).bounds();
  for (int a = 0; a < Dim; ++a)
    if (b.hi[a] <= box->lo[a] || b.lo[a] >= box->hi[a])
      return say_.wrong(path + ".shape", "the {} is outside of the box, which goes from {} to {} m",
                        what, text(box->lo), text(box->hi));
}

template class ShapeChecks<2>;
template class ShapeChecks<3>;

}  // namespace octavo
