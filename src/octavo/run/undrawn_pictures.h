#pragma once

// Some pictures cannot be made while a run goes on. The first is spoken of at once; how many there were is
// said at the end.

#include <fmt/format.h>

#include <string>

#include "octavo/output/progress.h"
#include "octavo/pictures/frame_pictures.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {

class UndrawnPictures {
 public:
  UndrawnPictures(std::string folder, Progress& progress)
      : folder_(std::move(folder)), progress_(progress) {}

  void add(int frame, const UndrawnPicture& picture) {
    if (all_++ == 0)
      progress_.say(fmt::format("warning: no picture of frame {}: {}; the run goes on", frame,
                                picture.reason));
    if (is_main_picture(picture.what)) ++main_;
  }

  // Main pictures can be made from volumes and surfaces, slices from grids and checkpoints.
  void end() const {
    if (all_ == 0) return;
    std::string later;
    if (main_ > 0) later = "octavo render " + folder_;
    if (main_ < all_) later += (later.empty() ? "" : ", ") + ("octavo slice " + folder_);
    progress_.say(fmt::format("warning: {} picture{} could not be made; to make {} later: {}", all_,
                              all_ == 1 ? "" : "s", all_ == 1 ? "it" : "them", later));
  }

 private:
  std::string folder_;
  Progress& progress_;
  int all_ = 0, main_ = 0;
};

}  // namespace octavo
