#pragma once

// An [[initial]] begins with these grids of a volume file; those that are not there are left out.

#include "octavo/io/vdb.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {

struct InitialGrids {
  struct Grid {
    std::string field;
    const VdbGridInfo* info;
    std::string key;  // that names it
  };
  std::vector<Grid> all;
  std::vector<std::string> wanted;  // names of grids

  template <int Dim>
  InitialGrids(const VdbContents& contents, const Scene<Dim>& scene, const InitialScene<Dim>& s) {
    auto add = [&](const std::string& field, const std::string& grid, const std::string& or_else) {
      wanted.push_back(grid);
      const VdbGridInfo* info = find(contents, grid);
      if (info == nullptr) info = find(contents, or_else);
      if (info != nullptr) all.push_back({field, info, field + "_grid"});
    };
    // Fields may have other names in files of Houdini, and of Blender.
    for (const FieldInfo& f : scene.simulation.own->fields()) {
      const std::string name = s.grids.of(f.name);
      const bool other = name == f.name && !f.houdini.empty();
      add(f.name, other && find(contents, name) == nullptr ? f.houdini : name,
          other && !f.blender.empty() ? f.blender : name);
    }
    // The velocity has one name in Houdini and another in Blender.
    add("velocity", s.velocity_grid, s.velocity_grid == "vel" ? "velocity" : s.velocity_grid);
  }

 private:
  static const VdbGridInfo* find(const VdbContents& contents, const std::string& name) {
    for (const VdbGridInfo& g : contents.grids)
      if (g.name == name) return &g;
    return nullptr;
  }
};

}  // namespace octavo
