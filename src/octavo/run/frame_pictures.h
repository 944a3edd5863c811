#pragma once

// The pictures of a frame, drawn while a run goes on, from the octree itself.

#include "octavo/run/fields.h"
#include "octavo/run/run_folder.h"
#include "octavo/run/stage.h"

namespace octavo {

template <int Dim>
class FramePictures {
 public:
  FramePictures(const Scene<Dim>& scene, MeshFiles& files, const RunFolder& folder)
      : scene_(scene), files_(files), folder_(folder) {}

  // All that the scene asks for.
  void write(int frame, double time, SmokeFields<Dim>& fields);

 private:
  Image smoke(double time, const SmokeFields<Dim>& fields);
  Image slice(const std::string& what, double time, SmokeFields<Dim>& fields);

  const Scene<Dim>& scene_;
  MeshFiles& files_;
  const RunFolder& folder_;
  std::optional<Stage> stage_;
  bool noted_ = false;  // what pictures are made with
};

}  // namespace octavo
