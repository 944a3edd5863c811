#include "octavo/water/water_parameters.h"

#include "octavo/base/checks.h"

namespace octavo {

template <int Dim>
void WaterParameters<Dim>::check(const Domain<Dim>& domain) const {
  FlowParameters<Dim>::check(domain);
  check_positive("the density of the liquid", liquid_density);
  check_finite("gravity", gravity);
  check_not_negative("surface tension", surface_tension);
  surface_tracker().particles.check();
}

std::vector<FieldInfo> water_fields() {
  return {{.name = "liquid",
           .unit = "m",
           .help = "The signed distance to the surface of the liquid, negative inside.",
           .next_mesh = NextMesh::tracked,
           .in_solids = InSolids::nothing,
           .outside = 1,
           .is_state = false,
           .both_signs = true,
           .is_level_set = true,
           .role = FieldRole::liquid,
           .houdini = "surface",
           .blender = "phi"}};
}

template struct WaterParameters<2>;
template struct WaterParameters<3>;

}  // namespace octavo
