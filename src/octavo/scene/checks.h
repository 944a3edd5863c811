#pragma once

// These find what a scene says that cannot be, although each of its values may be: contradictions, and
// files that are not there.

#include "octavo/scene/build.h"
#include "octavo/scene/problems.h"

namespace octavo {

template <int Dim>
void check_scene(const Scene<Dim>& scene, MeshFiles& files, Reading& reading);

}  // namespace octavo
