#include "octavo/output/probe_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "octavo/io/atomic_file.h"

namespace octavo {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 3> axes{"x", "y", "z"};

// This adds to a file and forces it to disk.
void append(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  auto fail = [&] {
    const int error = errno;
    if (file >= 0) close(file);
    throw FileError(path, error);
  };
  if (file < 0 || !write_all(file, text) || fsync(file) != 0) fail();
  close(file);
}

// These are the rows up to a frame that an interrupted run has left, whole lines only. Rows of something
// else are not thrown away.
std::string rows_until(const fs::path& path, const std::string& header, int last) {
  std::ifstream file(path, std::ios::binary);
  std::string line, rows;
  if (!std::getline(file, line)) return "";
  if (line + "\n" != header && file.peek() != std::ifstream::traits_type::eof())
    throw InputError("'{}' has other columns than the probe now; give the probe another name",
                     path.string());
  while (std::getline(file, line) && !file.eof())
    if (std::atoi(line.c_str()) <= last) rows += line + "\n";
  return rows;
}

template <int Dim>
std::string value_text(const MeshView<Dim>& mesh, const NodeField<float>& field,
                       const Vec<Dim>& x) {
  return fmt::format(",{}", sample<float>(mesh, field.view(), x));
}
template <int Dim>
std::string value_text(const MeshView<Dim>& mesh, const LeafField<float>& field,
                       const Vec<Dim>& x) {
  return fmt::format(",{}", field[mesh.tree.leaf_at(x)]);
}
template <int Dim>
std::string value_text(const MeshView<Dim>& mesh, const NodeField<Vec<Dim, float>>& field,
                       const Vec<Dim>& x) {
  const auto u = sample<Vec<Dim, float>>(mesh, field.view(), x);
  std::string text;
  for (int a = 0; a < Dim; ++a) text += fmt::format(",{}", u[a]);
  return text;
}

// The points come one after the other in a box from lo to hi, the first axis fastest.
template <int Dim>
std::vector<Vec<Dim>> lattice_points(const Vec<Dim>& lo, const Vec<Dim>& hi,
                                     const Vec<Dim, int>& counts) {
  std::vector<Vec<Dim>> points(static_cast<std::size_t>(product(counts)));
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t rest = i;
    for (int a = 0; a < Dim; ++a) {
      const auto n = static_cast<std::size_t>(counts[a]);
      const double t = n == 1 ? 0.5 : static_cast<double>(rest % n) / static_cast<double>(n - 1);
      points[i][a] = lo[a] + (hi[a] - lo[a]) * t;
      rest /= n;
    }
  }
  return points;
}

}  // namespace

template <int Dim>
std::vector<Vec<Dim>> probe_points(const ProbeScene<Dim>& scene, const Domain<Dim>& domain) {
  if (scene.line) {
    const ProbeLine<Dim>& line = *scene.line;
    std::vector<Vec<Dim>> points;
    for (int i = 0; i < line.points; ++i)
      points.push_back(line.from + (line.to - line.from) * (i / (line.points - 1.0)));
    return points;
  }
  if (!scene.plane) return scene.points;
  const ProbePlane<Dim>& plane = *scene.plane;
  const int across = static_cast<int>(plane.normal);
  Box<Dim> box = domain.box();
  Vec<Dim, int> counts = Vec<Dim, int>::filled(1);
  for (int a = 0, k = 0; a < Dim; ++a)
    if (a != across) counts[a] = plane.points[k++];
  box.lo[across] = box.hi[across] = plane.at;
  return lattice_points(box.lo, box.hi, counts);
}

template <int Dim>
ProbeFile<Dim>::ProbeFile(const ProbeScene<Dim>& scene, const Domain<Dim>& domain, fs::path path,
                          int kept)
    : scene_(scene), path_(std::move(path)), points_(probe_points(scene, domain)) {
  RunFolder::make_folder_of(path_);
  write_file(path_, header() + (kept < 0 ? "" : rows_until(path_, header(), kept)));
}

template <int Dim>
bool ProbeFile<Dim>::wants(int frame) const {
  if (!scene_.frames.empty())
    return std::find(scene_.frames.begin(), scene_.frames.end(), frame) != scene_.frames.end();
  return frame % scene_.every == 0;
}

template <int Dim>
std::string ProbeFile<Dim>::header() const {
  std::string text = "frame,time";
  for (int a = 0; a < Dim; ++a) text += fmt::format(",{}", axes[static_cast<std::size_t>(a)]);
  for (const std::string& field : scene_.fields)
    if (field == "velocity")
      for (int a = 0; a < Dim; ++a)
        text += fmt::format(",velocity_{}", axes[static_cast<std::size_t>(a)]);
    else
      text += "," + field;
  return text + "\n";
}

template <int Dim>
void ProbeFile<Dim>::write(int frame, double time, FrameFields<Dim>& fields) const {
  append(path_, rows(frame, time, fields));
}

template <int Dim>
std::string ProbeFile<Dim>::rows(int frame, double time, FrameFields<Dim>& fields) const {
  const MeshView<Dim> mesh = fields.mesh().view();
  std::string text;
  for (const Vec<Dim>& x : points_) {
    text += fmt::format("{},{}", frame, time);
    for (int a = 0; a < Dim; ++a) text += fmt::format(",{}", x[a]);
    for (const std::string& name : scene_.fields)
      text += std::visit([&](const auto* field) { return value_text(mesh, *field, x); },
                         fields.shown(name));
    text += '\n';
  }
  return text;
}

template class ProbeFile<2>;
template class ProbeFile<3>;
template std::vector<Vec<2>> probe_points(const ProbeScene<2>&, const Domain<2>&);
template std::vector<Vec<3>> probe_points(const ProbeScene<3>&, const Domain<3>&);

}  // namespace octavo
