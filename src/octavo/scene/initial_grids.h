#pragma once

// Which grids of a volume file an [[initial]] begins with; none for those that are not there.

#include "octavo/io/vdb.h"
#include "octavo/scene/scene.h"

namespace octavo {

struct InitialGrids {
  const VdbGridInfo* density;
  const VdbGridInfo* temperature;
  const VdbGridInfo* velocity;

  template <int Dim>
  InitialGrids(const VdbContents& contents, const InitialScene<Dim>& s)
      : density(find(contents, s.density_grid)),
        temperature(find(contents, s.temperature_grid)),
        velocity(find(contents, s.velocity_grid)) {
    // Houdini's name and Blender's.
    if (velocity == nullptr && s.velocity_grid == "vel") velocity = find(contents, "velocity");
  }

 private:
  static const VdbGridInfo* find(const VdbContents& contents, const std::string& name) {
    for (const VdbGridInfo& g : contents.grids)
      if (g.name == name) return &g;
    return nullptr;
  }
};

}  // namespace octavo
