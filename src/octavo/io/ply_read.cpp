#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "octavo/base/error.h"
#include "octavo/io/files.h"
#include "octavo/io/ply.h"

namespace octavo {
namespace {

// A header has these: what each vertex has, all of it floats, and how much there is of everything.
struct PlyHeader {
  std::size_t vertices = 0, faces = 0;
  std::vector<std::string> properties;  // of a vertex
  std::size_t size = 0;                 // of the header, bytes

  std::optional<std::size_t> column(std::string_view property) const {
    const auto at = std::find(properties.begin(), properties.end(), property);
    if (at == properties.end()) return {};
    return static_cast<std::size_t>(at - properties.begin());
  }
  std::size_t vertex_bytes() const { return sizeof(float) * properties.size(); }
};

constexpr std::size_t face_bytes = 1 + 3 * sizeof(std::int32_t);

// It goes through the lines of a header.
class PlyLines {
 public:
  explicit PlyLines(std::string_view text) : text_(text) {}

  std::size_t passed() const { return passed_; }

  std::string_view next() {
    const auto end = text_.find('\n', passed_);
    require(end != std::string_view::npos);
    const std::string_view line = text_.substr(passed_, end - passed_);
    passed_ = end + 1;
    return line;
  }

  // It is the number in a line like "element vertex 8", of which `what` is all before it.
  static std::size_t count(std::string_view line, std::string_view what) {
    require(line.starts_with(what));
    line.remove_prefix(what.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    require(error == std::errc() && end == line.data() + line.size());
    return number;
  }
  static void require(bool condition) {
    if (!condition) throw InputError("its header is none that octavo writes");
  }

 private:
  std::string_view text_;
  std::size_t passed_ = 0;
};

PlyHeader header_of(std::string_view bytes) {
  constexpr std::string_view floats = "property float ";
  PlyLines lines(bytes);
  PlyHeader h;
  PlyLines::require(lines.next() == "ply");
  PlyLines::require(lines.next() == "format binary_little_endian 1.0");
  h.vertices = PlyLines::count(lines.next(), "element vertex ");
  std::string_view line = lines.next();
  for (; line.starts_with(floats); line = lines.next())
    h.properties.emplace_back(line.substr(floats.size()));
  h.faces = PlyLines::count(line, "element face ");
  PlyLines::require(lines.next() == "property list uchar int vertex_indices");
  PlyLines::require(lines.next() == "end_header");
  h.size = lines.passed();
  return h;
}

// There must be as many bytes as the header says, no more and no less; sizes are compared so that none overflows.
void require_size(const PlyHeader& h, std::size_t bytes) {
  const std::size_t left = bytes - h.size, each = h.vertex_bytes();
  if (each == 0 || h.vertices > left / each || h.faces > left / face_bytes ||
      h.vertices * each + h.faces * face_bytes != left)
    throw InputError("it has not as many bytes as it should");
}

template <class T>
T value_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// It reads properties of all vertices; there are none if the file has not all of them.
template <int Count>
std::vector<Vec<Count, float>> vectors(const PlyHeader& h, std::string_view bytes,
                                       const std::array<const char*, Count>& names) {
  std::array<std::size_t, Count> columns{};
  for (std::size_t a = 0; a < Count; ++a) {
    const auto column = h.column(names[a]);
    if (!column) return {};
    columns[a] = *column * sizeof(float);
  }
  std::vector<Vec<Count, float>> values(h.vertices);
  for (std::size_t i = 0; i < h.vertices; ++i)
    for (std::size_t a = 0; a < Count; ++a) {
      const auto x = value_at<float>(bytes, h.size + i * h.vertex_bytes() + columns[a]);
      if (!std::isfinite(x)) throw InputError("the {} of a vertex is not finite", names[a]);
      values[i][static_cast<int>(a)] = x;
    }
  return values;
}

std::vector<std::array<std::uint32_t, 3>> triangles_in(const PlyHeader& h, std::string_view bytes) {
  std::vector<std::array<std::uint32_t, 3>> triangles(h.faces);
  std::size_t at = h.size + h.vertices * h.vertex_bytes();
  for (auto& triangle : triangles) {
    if (bytes[at] != 3) throw InputError("it has a face that is no triangle");
    for (std::size_t c = 0; c < 3; ++c) {
      triangle[c] = value_at<std::uint32_t>(bytes, at + 1 + c * sizeof(std::uint32_t));
      if (triangle[c] >= h.vertices) throw InputError("a triangle has a vertex that is not there");
    }
    at += face_bytes;
  }
  return triangles;
}

SurfaceMesh mesh_of(std::string_view bytes) {
  const PlyHeader h = header_of(bytes);
  require_size(h, bytes.size());
  PlyLines::require(h.column("x") && h.column("y") && h.column("z"));
  SurfaceMesh mesh;
  for (const Vec3f& x : vectors<3>(h, bytes, {"x", "y", "z"}))
    mesh.vertices.push_back(x.cast<double>());
  mesh.normals = vectors<3>(h, bytes, {"nx", "ny", "nz"});
  mesh.texture = vectors<2>(h, bytes, {"s", "t"});
  mesh.colors = vectors<3>(h, bytes, {"red", "green", "blue"});
  mesh.velocities = vectors<3>(h, bytes, {"vx", "vy", "vz"});
  for (const Vec<1, float>& r : vectors<1>(h, bytes, {"radius"})) mesh.radii.push_back(r[0]);
  mesh.triangles = triangles_in(h, bytes);
  return mesh;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string bytes(static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())), '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw InputError("it cannot be read");
  return bytes;
}

}  // namespace

SurfaceMesh read_ply(const std::filesystem::path& path) {
  require_file(path, "mesh file");
  try {
    return mesh_of(bytes_of(path));
  } catch (const InputError& e) {
    throw InputError("the mesh file '{}' cannot be used: {}", path.string(), e.what());
  }
}

}  // namespace octavo
