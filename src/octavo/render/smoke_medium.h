#pragma once

// This is smoke on an octree, as rays see it.
//
//   dL/ds = -sigma_t L + sigma_t J,   sigma_t = extinction * density
//   J     = albedo * sum over lights (phase * strength / 4 * what arrives) + albedo * light from the sky + glow
//
// Density is multilinear in a leaf, so along a ray it is a cubic, which Simpson's rule integrates without an error:
// optical depths, and with them shadows, are exact for the field on the octree. The integral of J is taken in pieces
// that are optically thin. What arrives of each light is computed once at every node that has smoke around it and
// kept: this is the light volume (Kajiya, Von Herzen 1984, "Ray tracing volume densities").

#include <memory>
#include <optional>

#include "octavo/camera/octree_walk.h"
#include "octavo/mesh/field.h"
#include "octavo/render/ambient_volume.h"
#include "octavo/render/glow_table.h"
#include "octavo/render/lighting.h"
#include "octavo/render/medium.h"
#include "octavo/render/smoke_look.h"
#include "octavo/render/surfaces.h"

namespace octavo {

// These are nodal fields with hanging nodes constrained; they must outlive the medium.
struct SmokeField {
  const Mesh<3>* mesh = nullptr;
  View<const float> density{};
  View<const float> temperature{};  // empty: no glow

  // Light from the sky is kept on a grid over this box, the same for all frames, so that it does not flicker; it is
  // the box of the octree if there is none.
  std::optional<Box<3>> room{};
};

class SmokeMedium final : public Medium {
 public:
  // Throws InputError for an anisotropy that is not between -1 and 1, and if there are so many lights that what is
  // kept of them, 4 bytes for each node and with solids 8, takes more than 8 GB. Smoke is taken to be above the
  // ground, if there is one.
  SmokeMedium(const SmokeField& field, const SmokeLook& look, const Lighting& lighting,
              const Surfaces& surfaces);

  Marched march(const Ray& ray, const Span& span) const override;
  float arriving(const Vec3d& point, std::size_t light) const override;
  double reach(const Ray& ray) const override;

  float transmittance(const Ray& ray, const Span& span) const;
  std::size_t bytes() const;

 private:
  class March;

  // It is a light that shines on smoke.
  struct Lamp {
    DistantLight light;
    Buffer<float> through{};  // on nodes: how much smoke lets through
    Buffer<float> visible{};  // and what solids leave of it; none without solids
  };

  void find_bounds();
  void light_nodes(const Surfaces& surfaces);
  void light_from_sky(const Surfaces& surfaces);

  SmokeField field_;
  SmokeLook look_;
  Lighting lighting_;
  Occupancy occupied_;
  OctreeWalk walk_;
  MeshView<3> mesh_;
  bool empty_ = true;
  Box<3> bounds_{};  // of the smoke
  std::vector<Lamp> lamps_;
  std::unique_ptr<AmbientVolume> ambient_;  // none without smoke, or if the sky is dark
  GlowTable glow_;
};

}  // namespace octavo
