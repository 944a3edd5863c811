#include "octavo/render/leaf_corners.h"
#include "octavo/render/smoke_medium.h"

namespace octavo {
namespace {

// What lets less through than this hides what is behind it.
constexpr float least_transmittance = 1e-3f;
constexpr float thin = 0.25f;        // optical depth of a piece over which light is averaged
constexpr float most_pieces = 1024;  // of a leaf

}  // namespace

// It goes along one ray, from leaf to leaf.
class SmokeMedium::March {
 public:
  March(const SmokeMedium& smoke, const Ray& ray)
      : smoke_(smoke),
        ray_(ray),
        extinction_(static_cast<float>(smoke.look_.extinction)),
        lights_(smoke.lamps_.size()) {
    for (const Lamp& lamp : smoke.lamps_) add_weights(lamp.light);
  }

  // It is false if nothing behind the leaf can be seen.
  bool pass(const OctreeWalk::LeafCrossing& p) {
    const LeafCorners density = densities_of(smoke_.mesh_, smoke_.field_.density, p.leaf);
    const float length = static_cast<float>(p.to - p.from) * extinction_;
    const float depth = mean_along(density, p.begin, p.end) * length;
    if (!(depth > 0)) return true;
    look_at(p);
    const int pieces = static_cast<int>(std::clamp(std::ceil(depth / thin), 1.0f, most_pieces));
    integrate(p, density, length, pieces);
    return sum_.transmittance > least_transmittance;
  }

  Marched result() const {
    return sum_.transmittance <= least_transmittance ? Marched{sum_.light, 0} : sum_;
  }

 private:
  struct LeafLight {
    LeafCorners through{}, visible{};
  };

  // It adds what is the same along the ray: by light and order, the part that is sent towards the ray's
  // origin.
  void add_weights(const DistantLight& light) {
    const SmokeLook& look = smoke_.look_;
    double part = 0.25, anisotropy = look.anisotropy;
    for (int order = 0; order < look.orders; ++order, part /= 2, anisotropy /= 2)
      weights_.push_back(
          scaled(look.albedo, light.strength) *
          static_cast<float>(part * phase(-dot(light.direction, ray_.direction), anisotropy)));
  }

  void look_at(const OctreeWalk::LeafCrossing& p) {
    const MeshView<3>& mesh = smoke_.mesh_;
    for (std::size_t l = 0; l < lights_.size(); ++l) {
      const Lamp& lamp = smoke_.lamps_[l];
      lights_[l].through = corners_of(mesh, lamp.through.view(), p.leaf);
      if (lamp.visible.size() > 0)
        lights_[l].visible = corners_of(mesh, lamp.visible.view(), p.leaf);
    }
    if (!smoke_.glow_.empty()) temperature_ = corners_of(mesh, smoke_.field_.temperature, p.leaf);
    if (!smoke_.ambient_) return;
    from_ = p.from;
    way_ = p.to - p.from;
    sky_begin_ = smoke_.ambient_->at(ray_.at(p.from));
    sky_change_ = smoke_.ambient_->at(ray_.at(p.to)) - sky_begin_;
  }

  // It is linear within a leaf, unless there are points of the sky's own grid in it.
  Light sky(float part) const {
    if (!smoke_.ambient_ || way_ <= smoke_.ambient_->spacing())
      return sky_begin_ + sky_change_ * part;
    return smoke_.ambient_->at(ray_.at(from_ + way_ * double{part}));
  }

  // It is J, at a part of the way through the leaf.
  Light source(float part, const Vec3f& local) const {
    Light j = scaled(sky(part), smoke_.look_.albedo);
    const Light* weight = weights_.data();
    for (std::size_t l = 0; l < lights_.size(); ++l) {
      const float seen =
          smoke_.lamps_[l].visible.size() == 0 ? 1 : value_at(lights_[l].visible, local);
      float light = value_at(lights_[l].through, local);
      for (int order = 0; order < smoke_.look_.orders; ++order, light = std::sqrt(light))
        j += *weight++ * (light * seen);
    }
    if (!smoke_.glow_.empty()) j += smoke_.glow_.at(value_at(temperature_, local));
    return j;
  }

  // Within a piece light is averaged by where it is stopped.
  void integrate(const OctreeWalk::LeafCrossing& p, const LeafCorners& density, float length,
                 int pieces) {
    const float step = 0.5f / static_cast<float>(pieces);
    const Vec3f way = p.end - p.begin;
    auto density_at = [&](float part) {
      return std::max(0.0f, value_at(density, p.begin + way * part));
    };
    float d0 = density_at(0);
    Light j0 = source(0, p.begin);
    for (int i = 0; i < pieces && sum_.transmittance > least_transmittance; ++i) {
      const float middle = static_cast<float>(2 * i + 1) * step, end = middle + step;
      const float d1 = density_at(middle), d2 = density_at(end), mass = d0 + 4 * d1 + d2;
      const Light j1 = source(middle, p.begin + way * middle),
                  j2 = source(end, p.begin + way * end);
      if (mass > 0) {
        const float through = std::exp(-mass / 6 * length * 2 * step);
        sum_.light +=
            (j0 * d0 + j1 * (4 * d1) + j2 * d2) * (sum_.transmittance * (1 - through) / mass);
        sum_.transmittance *= through;
      }
      d0 = d2;
      j0 = j2;
    }
  }

  const SmokeMedium& smoke_;
  const Ray& ray_;
  float extinction_;
  std::vector<Light> weights_;
  std::vector<LeafLight> lights_;  // of the leaf
  LeafCorners temperature_{};
  double from_ = 0, way_ = 0;
  Light sky_begin_{}, sky_change_{};
  Marched sum_;
};

Marched SmokeMedium::march(const Ray& ray, const Span& span) const {
  if (empty_) return {};
  March march(*this, ray);
  walk_.along(ray, span, [&](const OctreeWalk::LeafCrossing& p) { return march.pass(p); });
  return march.result();
}

}  // namespace octavo
