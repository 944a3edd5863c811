#pragma once

// Complete states of a run, from which it continues as if it had never stopped.

#include "octavo/io/archive.h"
#include "octavo/run/run_folder.h"
#include "octavo/run/scene_record.h"
#include "octavo/sim/smoke.h"

namespace octavo {

// Where a run is: at a moment, and if that is within a frame, how many steps the frame has and how long
// they are.
struct RunPosition {
  Moment moment;
  int substeps = 0;
  double dt = 0;
};

// What can be known of a checkpoint without the simulation.
struct CheckpointHeader {
  int dimensions = 0;
  RunPosition position;
  double time = 0;
  std::size_t leaves = 0;
  std::string program;
  SceneRecord scene;
};

template <int Dim>
void write_checkpoint(const std::filesystem::path& path, const Smoke<Dim>& smoke,
                      const RunPosition& position, const SceneRecord& scene);

// Both throw InputError if the file is damaged, or is something else.
CheckpointHeader read_checkpoint_header(const ArchiveReader& archive);
template <int Dim>
void restore_checkpoint(const ArchiveReader& archive, Smoke<Dim>& smoke);

}  // namespace octavo
