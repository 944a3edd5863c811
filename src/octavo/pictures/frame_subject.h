#pragma once

// Pictures of a run's frames are made from the files that it has written, one for each frame: smoke from volumes, a
// liquid from the meshes of its surface, and in a plane both from volumes.
//
//   const auto subject = frame_subject(scene, "out/dam");
//   for (const auto& [frame, file] : subject->files())
//     const Picture picture = subject->draw(file, frame_time(scene.output, frame), stage, {}, progress);

#include <memory>
#include <type_traits>

#include "octavo/output/frame_names.h"
#include "octavo/output/progress.h"
#include "octavo/pictures/shot.h"
#include "octavo/pictures/stage.h"

namespace octavo {

// In space a picture is taken on a stage; in a plane it is drawn, with obstacles that may be of mesh files.
template <int Dim>
using FrameScenery = std::conditional_t<Dim == 2, MeshFiles, const Stage>;
template <int Dim>
using FramePicture = std::conditional_t<Dim == 2, Image, Picture>;

template <int Dim>
class FrameSubject {
 public:
  // Each of the files is called `what`.
  FrameSubject(std::string what, FrameSeries files)
      : what_(std::move(what)), files_(std::move(files)) {}
  FrameSubject(const FrameSubject&) = delete;
  FrameSubject& operator=(const FrameSubject&) = delete;
  virtual ~FrameSubject() = default;

  const std::string& what() const { return what_; }
  const FrameSeries& files() const { return files_; }

  // It throws an InputError if a file that can be read has not what pictures are made from. One that cannot be read is
  // spoken of when its turn comes, and the result is false.
  virtual bool require(const std::filesystem::path& file) const = 0;

  // The picture is empty if it was stopped. It throws an InputError if the file cannot be used.
  virtual FramePicture<Dim> draw(const std::filesystem::path& file, double time,
                                 FrameScenery<Dim>& scenery, const ShotOptions& options,
                                 Progress& progress) const = 0;

 private:
  std::string what_;
  FrameSeries files_;
};

// It throws an InputError, which says how to get them, if the run folder has no such files at all.
template <int Dim>
std::unique_ptr<FrameSubject<Dim>> frame_subject(const Scene<Dim>& scene,
                                                 const std::filesystem::path& run);

}  // namespace octavo
