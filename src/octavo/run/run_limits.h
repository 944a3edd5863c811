#pragma once

// These check whether what a run needs is there: before it begins, and before each of its frames.

#include <string>

#include "octavo/flow/saved_state.h"
#include "octavo/flow/step_report.h"
#include "octavo/output/run_folder.h"
#include "octavo/scene/scene_file.h"

namespace octavo {

// These are bytes that are needed, or that there are.
struct Room {
  double memory = 0, disk = 0;
};

// A run into this folder may take this much, with what the program has already.
Room room_for(const std::filesystem::path& folder);

// This says what is missing, in a sentence that begins with `who` like "the run needs about"; it is
// empty if nothing is.
std::string lack_of_room(const std::string& who, const Room& needs, const Room& there);
// This throws an InputError if anything is missing.
void require_room(const std::string& who, const Room& needs, const Room& there);

// No run of the scene gets anywhere without this memory: that of the leaves that there are everywhere.
double least_memory(const SceneFile& file);

// A state takes this many bytes as it is saved.
template <int Dim>
double saved_bytes(const SavedState<Dim>& state);

// This tells what the next frame of a run will take, from what the last ones took.
class NextFrame {
 public:
  explicit NextFrame(const RunFolder& folder) : folder_(folder) {}

  // `frame` has just been written.
  void saw(const StepReport& report, int frame);

  // `now` is the state that the frame begins with.
  template <int Dim>
  Room needed(const SavedState<Dim>& now) const;

 private:
  double growth() const;

  const RunFolder& folder_;
  double leaves_ = 0, leaves_before_ = 0, memory_ = 0, files_ = 0;  // none yet
};

}  // namespace octavo
