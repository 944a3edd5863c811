#pragma once

// The grid and the fields of a checkpoint by themselves, without a simulation that could go on: to look at.
//
//   std::visit([](const auto& c) { draw(c.grid.mesh(), c.fields.at("density")); },
//              read_checkpoint_grid("out/checkpoint/plume.0010.h5"));
//
// The scene's file is not needed: a checkpoint knows the box and the names of its scalars.

#include <filesystem>
#include <map>
#include <string>
#include <variant>

#include "octavo/io/archive.h"
#include "octavo/mesh/field.h"
#include "octavo/mesh/grid.h"

namespace octavo {

template <int Dim>
struct CheckpointGrid {
  Grid<Dim> grid;
  std::map<std::string, NodeField<float>> fields;  // density, temperature and the further scalars
  LeafField<float> pressure;
  FaceField<float> velocity;
  std::string title;  // of the scene
  int up_axis = 0;
  double time = 0;  // s
  int frame = 0, substep = 0;
};
using AnyCheckpointGrid = std::variant<CheckpointGrid<2>, CheckpointGrid<3>>;

// Both throw InputError if the file is damaged, or is something else.
AnyCheckpointGrid read_checkpoint_grid(const std::filesystem::path& path);
AnyCheckpointGrid checkpoint_grid(const ArchiveReader& archive);

}  // namespace octavo
