#pragma once

// These are the files of a frame: volumes, grids and triangle meshes.

#include "octavo/io/vdb.h"
#include "octavo/output/background.h"
#include "octavo/output/fields.h"
#include "octavo/output/run_folder.h"
#include "octavo/scene/scene.h"

namespace octavo {

template <int Dim>
class FrameFiles {
 public:
  FrameFiles(const Scene<Dim>& scene, const RunFolder& folder) : scene_(scene), folder_(folder) {}

  // Volumes are put together now and written in the background.
  void write(int frame, FrameFields<Dim>& fields, Background& background) const;

 private:
  void write_grid(int frame, FrameFields<Dim>& fields) const;
  void write_series(int last) const;
  void write_meshes(int frame, FrameFields<Dim>& fields) const;

  const Scene<Dim>& scene_;
  const RunFolder& folder_;
};

// Is a frame one of those that are written?
bool is_written(const OutputScene& output, int frame);
// A frame is at this time, s.
inline double frame_time(const OutputScene& output, int frame) { return frame / output.fps; }

// The volumes of a moment are in one file; it is the same whoever writes it and when.
template <int Dim>
VdbFile volumes_of(const Scene<Dim>& scene, int frame, FrameFields<Dim>& fields);

}  // namespace octavo
