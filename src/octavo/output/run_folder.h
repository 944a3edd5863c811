#pragma once

// The folder of a run has these files.
//
//   scene.toml                  the scene as it was run, with all defaults and changes
//   log.jsonl                   what happened, one JSON object on a line
//   volume/NAME.0001.vdb        fields
//   grid/NAME.0001.htg, .pvd    the octree with fields, and the series for ParaView
//   mesh/NAME.WHAT.0001.ply     triangles, of simulations that have some
//   image/NAME.0001.png         pictures
//   probe/PROBE.csv             numbers at points
//   checkpoint/NAME.0010.h5     complete states
//
// Only one run at a time can have it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace octavo {

// A moment is after a frame, or after some of the steps of the next one.
struct Moment {
  int frame = 0, substep = 0;

  friend auto operator<=>(const Moment&, const Moment&) = default;
};

struct CheckpointFile {
  Moment moment;
  std::filesystem::path path;
};

class RunFolder {
 public:
  RunFolder(std::filesystem::path folder, std::string name)
      : folder_(std::move(folder)), name_(std::move(name)) {}
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  // Has something been run here? There is a log, or a checkpoint that can be used.
  bool holds_run() const;

  // This makes it, takes it for this process and removes what writers that were killed have left.
  // It throws InputError if it cannot be had.
  void open();

  // This removes the files of an earlier run, and only those.
  void clear();

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path scene() const { return folder_ / "scene.toml"; }
  std::filesystem::path log() const { return folder_ / "log.jsonl"; }
  std::filesystem::path volume(int frame) const { return numbered("volume", frame, ".vdb"); }
  std::filesystem::path grid(int frame) const { return numbered("grid", frame, ".htg"); }
  std::filesystem::path mesh(const std::string& what, int frame) const {
    return numbered("mesh", frame, ".ply", "." + what);
  }
  // `what` is drawn: smoke, surface, level, or a field.
  std::filesystem::path picture(const std::string& what, int frame) const;
  std::filesystem::path grid_series() const { return folder_ / "grid" / (name_ + ".pvd"); }
  std::filesystem::path probe(const std::string& probe) const {
    return folder_ / "probe" / (probe + ".csv");
  }
  std::filesystem::path checkpoint(const Moment& moment) const;

  // scene.toml names a file like this: from the root, so that the run can be moved, or if UTF-8 cannot express
  // that, from here. It throws InputError if it can express neither.
  std::string name_in_scene(const std::filesystem::path& file) const;

  // The newest one comes first.
  std::vector<CheckpointFile> checkpoints() const;

  // This removes all but the newest `keep`, none of them if it is 0, and whatever is later than now: the run has
  // gone back behind it.
  void prune_checkpoints(const Moment& now, int keep) const;

  // A file goes to this folder; it is made when first needed.
  static void make_folder_of(const std::filesystem::path& file);

 private:
  std::filesystem::path numbered(const char* kind, int frame, const char* ending,
                                 const std::string& what = "") const;
  void take();
  void remove_unfinished() const;

  std::filesystem::path folder_;
  std::string name_;
  int lock_ = -1;
};

// These are the checkpoints of any folder; the newest comes first.
std::vector<CheckpointFile> checkpoints_in(const std::filesystem::path& folder);

// This is the scene of the run that a file in one of its folders is part of; it is empty if there is none.
std::filesystem::path scene_of_run(const std::filesystem::path& file);

}  // namespace octavo
