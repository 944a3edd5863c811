#pragma once

// These check whether pictures of a scene can be made as it says: camera, lights, slices.

#include "octavo/scene/complaints.h"
#include "octavo/scene/scene.h"

namespace octavo {

template <int Dim>
void check_pictures(const Scene<Dim>& scene, const std::optional<Box<Dim>>& box, Complaints& say);

}  // namespace octavo
