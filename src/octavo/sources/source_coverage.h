#pragma once

// This tells of a source at a moment where it is, how much of a leaf lies inside of it, and how strong it is.

#include <algorithm>
#include <cmath>

#include "octavo/base/noise.h"
#include "octavo/sources/source.h"
#include "octavo/tree/domain.h"

namespace octavo {

template <int Dim>
class Emitter {
 public:
  Emitter(const Source<Dim>& source, double time, const Domain<Dim>& domain, double fine)
      : source_(&source),
        pose_(source.motion.pose(time)),
        noise_(source.noise.seed),
        time_(time),
        box_(domain.box()),
        fine_(fine) {}

  const Source<Dim>& source() const { return *source_; }

  // This is how far a point is from the source, m.
  double distance(const Vec<Dim>& p) const { return source_->shape(pose_.inverse(p)); }

  // This is how much of a cube around a point at that distance lies inside, 0 to 1; only what is in the domain
  // counts, so that a source that ends at a wall is whole there. Soft edges are the same for all sizes that can tell.
  double part(const Vec<Dim>& p, double distance, double size) const {
    if (source_->edge >= 2 * size) return part_inside(distance, source_->edge);
    if (std::abs(distance) > reach(size)) return distance > 0 ? 0.0 : 1.0;
    Box<Dim> cube;
    for (int a = 0; a < Dim; ++a) {
      cube.lo[a] = std::max(p[a] - 0.5 * size, box_.lo[a]);
      cube.hi[a] = std::min(p[a] + 0.5 * size, box_.hi[a]);
    }
    return part(cube, std::clamp(std::ilogb(size / fine_), 0, most_halvings));
  }
  // A cube whose centre is farther away than that lies on one side.
  double reach(double size) const { return 0.5 * (std::sqrt(double{Dim}) * size + source_->edge); }

  double strength(const Vec<Dim>& p) const {
    const SourceNoise& n = source_->noise;
    if (n.amount <= 0) return 1;
    return 1 - n.amount * noise_(p / n.size, time_ / n.period);
  }

 private:
  // A larger leaf is cut so often at most to find out how much of it is inside.
  static constexpr int most_halvings = 3;

  // The finest leaves have a ramp across them; in larger ones curvature and corners count:
  // they have the mean of their children.
  double part(const Box<Dim>& cell, int halvings) const {
    const Vec<Dim> center = cell.center(), size = cell.size();
    const double d = distance(center);
    double narrow = size[0], wide = size[0];
    for (int a = 1; a < Dim; ++a) {
      narrow = std::min(narrow, size[a]);
      wide = std::max(wide, size[a]);
    }
    if (std::abs(d) > reach(wide)) return d > 0 ? 0.0 : 1.0;
    if (source_->edge >= (halvings == 0 ? narrow : 2 * wide)) return part_inside(d, source_->edge);
    if (halvings == 0) return std::clamp(0.5 - d / narrow, 0.0, 1.0);
    double sum = 0;
    for (int c = 0; c < child_count<Dim>; ++c) {
      Box<Dim> child{cell.lo, center};
      for (int a = 0; a < Dim; ++a)
        if ((c >> a & 1) != 0) {
          child.lo[a] = center[a];
          child.hi[a] = cell.hi[a];
        }
      sum += part(child, halvings - 1);
    }
    return sum / child_count<Dim>;
  }

  const Source<Dim>* source_;
  Pose<Dim> pose_;
  Noise<Dim> noise_;
  double time_;
  Box<Dim> box_;
  double fine_;
};

}  // namespace octavo
