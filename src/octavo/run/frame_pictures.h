#pragma once

// The pictures of a frame, drawn while a run goes on, from the octree itself.
//
//   FramePictures<3> pictures(scene, files);
//   for (const UndrawnPicture& u : pictures.write(folder, frame, time, fields)) ...

#include "octavo/run/fields.h"
#include "octavo/run/run_folder.h"
#include "octavo/run/stage.h"

namespace octavo {

// What could not be drawn or written, and why.
struct UndrawnPicture {
  std::string what, reason;
};

template <int Dim>
class FramePictures {
 public:
  FramePictures(const Scene<Dim>& scene, MeshFiles& files) : scene_(scene), files_(files) {}

  // All that the scene asks for. That one fails is no reason for a simulation to stop.
  std::vector<UndrawnPicture> write(const RunFolder& folder, int frame, double time,
                                    SmokeFields<Dim>& fields);

  // One of them: smoke, level, or a field.
  Image draw(const std::string& what, double time, SmokeFields<Dim>& fields);

 private:
  void write(const RunFolder& folder, const std::string& what, int frame, const Image& image);
  Image smoke(double time, const SmokeFields<Dim>& fields);
  Image slice(const std::string& what, double time, SmokeFields<Dim>& fields);

  const Scene<Dim>& scene_;
  MeshFiles& files_;
  std::optional<Stage> stage_;
  bool noted_ = false;  // what pictures are made with
};

}  // namespace octavo
