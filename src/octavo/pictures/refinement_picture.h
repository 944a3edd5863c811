#pragma once

// This shows why the octree is as it is, as a picture and as a table.
//
//   const RefinementReasons why = smoke.refinement_reasons();
//   write_png(path, refinement_picture(scene, smoke.grid().tree(), why, time));
//   fmt::print("{}", refinement_table(why));

#include <nlohmann/json_fwd.hpp>

#include "octavo/io/png.h"
#include "octavo/refinement/refinement_reasons.h"
#include "octavo/scene/scene.h"
#include "octavo/tree/octree.h"

namespace octavo {

// The leaves are coloured by the criterion that set them: in 3D as the camera sees them behind a cut across the box,
// where leaves in front of it are finest on average, and beside it a slice from above.
template <int Dim>
Image refinement_picture(const Scene<Dim>& scene, const Octree<Dim>& tree,
                         const RefinementReasons& why, double time);

// There is one line for each criterion: its name, the leaves it asks for and those it set.
std::string refinement_table(const RefinementReasons& why);
nlohmann::ordered_json json_of(const RefinementReasons& why);

}  // namespace octavo
