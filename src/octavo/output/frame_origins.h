#pragma once

// This knows which beginning each frame of a run comes from. A run that is begun anew, or goes on with another
// scene, writes other frames under the same names; whoever keeps what was made from frames, like pictures, can
// tell them apart.
//
//   FrameOrigins origins;
//   origins.begin(0);
//   origins.begin(61);  // with another scene: of(60) and of(61) are not the same

#include <filesystem>
#include <map>
#include <string>

namespace octavo {

class FrameOrigins {
 public:
  // This frame and later ones come from a beginning that is like no other.
  void begin(int frame);

  // The origin is a word; it is empty if nothing is known, as of runs of earlier versions.
  std::string of(int frame) const;

  // This has the first frame of each beginning, as the log has it.
  std::map<std::string, std::string> by_first_frame() const;
  std::string text() const;
  // This throws InputError if the text is not one of text().
  static FrameOrigins from(const std::string& text);

 private:
  std::map<int, std::string> words_;  // by the first frame
};

// These are the origins of the run in a folder, as its log says of the last time it began or continued, or
// else its newest checkpoint.
FrameOrigins frame_origins_in(const std::filesystem::path& folder);

}  // namespace octavo
