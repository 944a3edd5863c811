#pragma once

// These are the pictures of a frame, drawn while a run goes on, from the octree itself.
//
//   FramePictures<3> pictures(scene, files);
//   for (const UndrawnPicture& u : pictures.write(folder, frame, origin, time, fields)) ...

#include "octavo/output/fields.h"
#include "octavo/output/run_folder.h"
#include "octavo/pictures/stage.h"

namespace octavo {

// It says what could not be drawn or written, and why.
struct UndrawnPicture {
  std::string what, reason;
};

template <int Dim>
class FramePictures {
 public:
  FramePictures(const Scene<Dim>& scene, MeshFiles& files) : scene_(scene), files_(files) {}

  // It writes all that the scene asks for. That one fails is no reason for a simulation to stop.
  // `origin` is what the frame is of: see output/frame_origins.h.
  std::vector<UndrawnPicture> write(const RunFolder& folder, int frame, const std::string& origin,
                                    double time, FrameFields<Dim>& fields);

  // It draws one of them: smoke, surface, level, or a field.
  Image draw(const std::string& what, double time, FrameFields<Dim>& fields);

 private:
  void note(const RunFolder& folder, const std::string& what, int frame,
            const std::string& origin) const;
  Image smoke(double time, const FrameFields<Dim>& fields);
  Image surface(double time, FrameFields<Dim>& fields);
  const Stage& stage() requires(Dim == 3);
  Image slice(const std::string& what, double time, FrameFields<Dim>& fields);

  const Scene<Dim>& scene_;
  MeshFiles& files_;
  std::optional<Stage> stage_;
};

}  // namespace octavo
