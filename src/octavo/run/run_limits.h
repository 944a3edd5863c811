#pragma once

// Whether what a run needs is there: before it begins, and before each of its frames.

#include <string>

#include "octavo/flow/saved_state.h"
#include "octavo/flow/step_report.h"
#include "octavo/output/run_folder.h"
#include "octavo/scene/scene_file.h"

namespace octavo {

// Bytes that are needed, or that there are.
struct Room {
  double memory = 0, disk = 0;
};

// What a run into this folder may take, with what the program has already.
Room room_for(const std::filesystem::path& folder);

// What is missing, in a sentence that begins with `who` like "the run needs about"; empty if nothing is.
std::string lack_of_room(const std::string& who, const Room& needs, const Room& there);
// An InputError if anything is.
void require_room(const std::string& who, const Room& needs, const Room& there);

// Memory without which no run of the scene gets anywhere: that of the leaves that there are everywhere.
double least_memory(const SceneFile& file);

// Bytes of a state as it is saved.
template <int Dim>
double saved_bytes(const SavedState<Dim>& state);

// What the next frame of a run will take, from what the last ones took.
class NextFrame {
 public:
  explicit NextFrame(const RunFolder& folder) : folder_(folder) {}

  // The frame that has just been written.
  void saw(const StepReport& report, int frame);

  // With the state that it begins with.
  template <int Dim>
  Room needed(const SavedState<Dim>& now) const;

 private:
  double growth() const;

  const RunFolder& folder_;
  double leaves_ = 0, leaves_before_ = 0, memory_ = 0, files_ = 0;  // none yet
};

}  // namespace octavo
