#pragma once

// Checkpoints are complete states of a run, from which it continues as if it had never stopped.

#include "octavo/io/archive.h"
#include "octavo/output/frame_origins.h"
#include "octavo/output/run_folder.h"
#include "octavo/output/scene_record.h"
#include "octavo/simulation/simulation.h"

namespace octavo {

// This says where a run is: at a moment, and if that is within a frame, how many steps the frame has
// and how long they are.
struct RunPosition {
  Moment moment;
  int substeps = 0;
  double dt = 0;
};

// This can be known of a checkpoint without the simulation.
struct CheckpointHeader {
  std::string simulation;  // the name of its kind
  int dimensions = 0;
  RunPosition position;
  double time = 0;
  std::size_t leaves = 0;
  std::string program;
  SceneRecord scene;
  FrameOrigins origins;
};

// `kind` is the name of the simulation's.
template <int Dim>
void write_checkpoint(const std::filesystem::path& path, const std::string& kind,
                      const SavedState<Dim>& state, const RunPosition& position,
                      const SceneRecord& scene, const FrameOrigins& origins = {});

// All that follows throws InputError if the file is damaged, or is something else. Files of earlier versions can be
// read, too.
CheckpointHeader read_checkpoint_header(const ArchiveReader& archive);

// This is the state that is in a file.
template <int Dim>
class StoredState {
 public:
  StoredState(const ArchiveReader& archive, const CheckpointHeader& header);
  StoredState(const StoredState&) = delete;  // views would be of the other's arrays
  StoredState& operator=(const StoredState&) = delete;

  const SavedState<Dim>& state() const { return state_; }

 private:
  using Values =
      std::variant<Buffer<float>, Buffer<double>, Buffer<std::int32_t>, Buffer<std::uint64_t>>;

  void add_array(const ArchiveReader& archive, const std::string& type, const std::string& entry,
                 const std::string& name);

  Buffer<std::uint64_t> leaves_;
  std::vector<Values> values_;
  SavedState<Dim> state_;  // views of them
};

}  // namespace octavo
