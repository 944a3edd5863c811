#pragma once

// These check what must be so before a run takes a folder, and say what is recorded there of its scene. All
// throw InputError.

#include "octavo/output/run_folder.h"
#include "octavo/output/scene_record.h"
#include "octavo/run/run.h"

namespace octavo {

// The folder is free for a run, or it is to be gone on with or replaced, and the scene needs nothing that would be
// replaced.
void require_usable(const RunFolder& folder, const SceneFile& file, const RunOptions& options);

// Frames without a checkpoint are of the same scene; nothing is required if it cannot be read any more.
void require_same_as_recorded(const RunFolder& folder, const SceneRecord& now);

// This is the scene with names of files that are right in the run folder.
std::string recorded_scene(const RunFolder& folder, const SceneFile& file);

}  // namespace octavo
