#pragma once

// Runs of one scene with different keys are shown as a table: how fast they are, and what differs from the
// first.

#include "octavo/scene/scene_file.h"
#include "reproduce_command.h"
#include "shot.h"

namespace octavo {

// A paper gives these: frames per second, and how much faster that is than its reference, %.
struct PublishedRate {
  double fps, faster;
};

struct ShotCase {
  std::string name;
  std::vector<std::string> overrides;
  std::optional<PublishedRate> published{};
  std::optional<double> tau{};
  bool uniform = false;  // on a grid of the finest leaves
};

// The first case is what the others are compared with.
struct ShotSet {
  const char* name;
  const char* scene;
  std::vector<ShotCase> cases;
  int every = 4;  // a picture is compared every so many frames

  bool is_published() const { return cases.front().published.has_value(); }
};

struct ShotRow {
  const ShotCase& which;
  Shot shot;
};

class ShotTable {
 public:
  // Reads all scenes, so that mistakes are found before anything is run.
  ShotTable(const ReproduceOptions& options, const ShotSet& set);

  // Prints a row after each case.
  void run();
  const ShotSet& set() const { return set_; }
  const std::vector<ShotRow>& rows() const { return rows_; }

 private:
  SceneFile scene_of(const ShotCase& which) const;
  void save_pictures(const ShotRow& row) const;
  void print_heading() const;
  void print(const ShotRow& row) const;

  const ReproduceOptions& options_;
  const ShotSet& set_;
  std::vector<SceneFile> scenes_;
  std::vector<ShotRow> rows_;
};

}  // namespace octavo
