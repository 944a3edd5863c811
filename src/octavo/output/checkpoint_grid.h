#pragma once

// This is the octree of a checkpoint with the fields on it, without the simulation they belong to.
//
//   const AnyCheckpointGrid any = read_checkpoint_grid("checkpoint/plume.0010.h5");
//   const auto& grid = std::get<CheckpointGrid<3>>(any);
//   const auto* density = grid.fields.find("density")->as<NodeField<float>>();

#include <filesystem>
#include <string>
#include <variant>

#include "octavo/flow/field_table.h"
#include "octavo/io/archive.h"
#include "octavo/mesh/grid.h"

namespace octavo {

template <int Dim>
struct CheckpointGrid {
  Grid<Dim> grid;
  FieldTable<Dim, float> fields;
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
