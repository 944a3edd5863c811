#pragma once

// Probes write numbers at points, along lines and over planes as tables: probe/NAME.csv, with a row for
// each frame and point.

#include "octavo/output/fields.h"
#include "octavo/output/run_folder.h"
#include "octavo/scene/scene.h"

namespace octavo {

template <int Dim>
class ProbeFile {
 public:
  // `kept` is the last frame whose rows are kept, if the file is there; later ones will be written
  // again. Less than 0 makes a new file.
  ProbeFile(const ProbeScene<Dim>& scene, const Domain<Dim>& domain, std::filesystem::path path,
            int kept);

  bool wants(int frame) const;
  // This appends the rows of a frame.
  void write(int frame, double time, FrameFields<Dim>& fields) const;

 private:
  std::string header() const;
  std::string rows(int frame, double time, FrameFields<Dim>& fields) const;

  const ProbeScene<Dim>& scene_;
  std::filesystem::path path_;
  std::vector<Vec<Dim>> points_;
};

// A probe looks at these points.
template <int Dim>
std::vector<Vec<Dim>> probe_points(const ProbeScene<Dim>& scene, const Domain<Dim>& domain);

}  // namespace octavo
