#pragma once

// Short trials tell what a run will need. They are of the same scene with fewer levels, with one more each time until
// the work for them is spent. What two trials differ by tells what each further level costs.

#include <cstddef>

#include "octavo/scene/scene_file.h"

namespace octavo {

struct Prediction {
  int trial_level = 0;   // finest level of the last trial
  int trial_frames = 0;  // how many frames it got to
  double trial_seconds = 0;
  double leaves = 0;      // the most at any time
  double leaf_steps = 0;  // leaves of all steps
  double bytes = 0;       // memory, the most at any time
  double disk_bytes = 0;
  double seconds = 0;          // with this number of threads
  double picture_seconds = 0;  // of them for pictures
};

// Trials take about `budget` seconds, or less, if a processor of two cores has nothing else to do. They are the same
// whatever else it does, and so is all that is predicted but for seconds.
Prediction predict(const SceneFile& file, double budget);

}  // namespace octavo
