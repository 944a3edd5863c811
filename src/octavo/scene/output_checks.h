#pragma once

// These check whether what a scene wants to be written can be.

#include "octavo/scene/complaints.h"
#include "octavo/scene/scene.h"

namespace octavo {

// Probes are looked for in the box, if there is one.
template <int Dim>
void check_outputs(const Scene<Dim>& scene, const std::optional<Box<Dim>>& box, Complaints& say);

}  // namespace octavo
