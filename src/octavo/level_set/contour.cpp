#include "octavo/level_set/contour.h"

#include <utility>

#include "octavo/mesh/interpolate.h"

namespace octavo {
namespace {

// A thread takes this many leaves of the surface at a time.
constexpr std::size_t leaves_at_once = 256;

using Key = std::uint64_t;

constexpr std::uint32_t low_end(Key key) { return static_cast<std::uint32_t>(key >> 32); }
constexpr std::uint32_t high_end(Key key) { return static_cast<std::uint32_t>(key); }

// A node on the surface is the vertex of all its edges.
constexpr Key key_of(const SurfacePoint& p) {
  const std::uint32_t in = p.inside.id, out = p.outside.id;
  if (p.outside.value == 0) return Key{out} << 32 | out;
  return Key{std::min(in, out)} << 32 | std::max(in, out);
}

// This is the place of a vertex; the end with the smaller number comes first, so that all agree on it.
template <int Dim, class Real>
Vec<Dim> place_of(const Tetrahedra<Dim, Real>& tetrahedra, Key key) {
  const std::uint32_t low = low_end(key), high = high_end(key);
  const Vec<Dim> p = tetrahedra.position_of(low);
  if (high == low || high == tetrahedra.beyond) return p;
  const double a = tetrahedra.vertex_of(low).value, b = tetrahedra.vertex_of(high).value;
  return p + (tetrahedra.position_of(high) - p) * (a / (a - b));
}

}  // namespace

// This is what a block of leaves adds to the mesh; triangles refer to the keys of the block.
template <int Dim, class Real>
struct Contour<Dim, Real>::Part {
  std::vector<Key> keys;
  std::vector<Triangle> free, caps;
  std::size_t leaf_begin = 0;

  // Most corners of a leaf's triangles are met several times.
  std::uint32_t number(Key key) {
    for (std::size_t i = keys.size(); i-- > leaf_begin;)
      if (keys[i] == key) return static_cast<std::uint32_t>(i);
    keys.push_back(key);
    return static_cast<std::uint32_t>(keys.size() - 1);
  }

  void add(const SurfacePiece<Dim>& piece, std::vector<Triangle>& to) {
    std::array<Key, Dim> key;
    for (std::size_t i = 0; i < Dim; ++i) key[i] = key_of(piece[i]);
    for (std::size_t i = 0; i < Dim; ++i)
      if (key[i] == key[(i + 1) % Dim]) return;
    Triangle t{};
    for (std::size_t i = 0; i < Dim; ++i) t[i] = number(key[i]);
    to.push_back(t);
  }

  // This sorts the keys and drops those that are there twice.
  void tidy() {
    std::vector<Key> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (auto* list : {&free, &caps})
      for (Triangle& t : *list)
        for (std::uint32_t& corner : t)
          corner = static_cast<std::uint32_t>(
              std::lower_bound(sorted.begin(), sorted.end(), keys[corner]) - sorted.begin());
    keys = std::move(sorted);
  }
};

template <int Dim, class Real>
void Contour<Dim, Real>::build(const SurfaceLeaves<Dim, Real>& surface) {
  const MeshView<Dim> mesh = surface.mesh().view();
  if (mesh.node_count() + mesh.face_count() + mesh.leaf_count() >= Tetrahedra<Dim, Real>::beyond)
    throw InputError("the mesh has too many faces for a contour");
  std::vector<Part> parts(block_count(surface.leaves().size(), leaves_at_once));
  march(surface, parts);
  number_vertices(parts);
  place_vertices(surface);
  collect_triangles(parts);
}

template <int Dim, class Real>
void Contour<Dim, Real>::march(const SurfaceLeaves<Dim, Real>& surface,
                               std::vector<Part>& parts) const {
  const Tetrahedra<Dim, Real> tetrahedra = surface.tetrahedra();
  const View<const SurfaceLeaf> leaves = surface.leaves();
  auto march_leaf = [&](const SurfaceLeaf& s, Part& part) {
    part.leaf_begin = part.keys.size();
    if (s.is_cut)
      tetrahedra.for_each_in(s.leaf, s.is_regular, [&](const Simplex<Dim>& simplex, double) {
        for_each_piece(simplex, [&](const SurfacePiece<Dim>& p) { part.add(p, part.free); });
      });
    if (s.is_at_wall)
      tetrahedra.for_each_on_walls(s.leaf, [&](const auto& triangle, int) {
        for_each_piece(tetrahedra.outer_simplex(triangle),
                       [&](const SurfacePiece<Dim>& p) { part.add(p, part.caps); });
      });
  };
  parallel_blocks(
      "march tetrahedra", leaves.size(),
      [&](std::size_t block, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) march_leaf(leaves[i], parts[block]);
        parts[block].tidy();
      },
      leaves_at_once);
}

template <int Dim, class Real>
void Contour<Dim, Real>::number_vertices(const std::vector<Part>& parts) {
  std::vector<std::size_t> first(parts.size() + 1, 0);
  for (std::size_t p = 0; p < parts.size(); ++p) first[p + 1] = first[p] + parts[p].keys.size();
  if (first.back() >= 0xffffffffu) throw InputError("the surface has too many vertices");
  corner_.resize(first.back());
  number_.resize(first.back());
  const View<Corner> corner = corner_.view();
  parallel_blocks(
      "collect corners", parts.size(),
      [&](std::size_t p, std::size_t, std::size_t) {
        for (std::size_t i = 0; i < parts[p].keys.size(); ++i)
          corner[first[p] + i] = {parts[p].keys[i], static_cast<std::uint32_t>(first[p] + i)};
      },
      std::size_t{1});
  parallel_sort("sort corners", corner,
                [](const Corner& p, const Corner& q) { return p.key < q.key; });

  // Among equal keys the first one brings a new vertex.
  Buffer<std::uint32_t> before(corner.size());
  auto is_new = [=](std::size_t i) { return i == 0 || corner[i].key != corner[i - 1].key; };
  parallel_for("count vertices", corner.size(), [&](std::size_t i) { before[i] = is_new(i); });
  key_.resize(exclusive_scan("number vertices", before.view()));
  parallel_for("write vertices", corner.size(), [&](std::size_t i) {
    const std::uint32_t vertex = is_new(i) ? before[i] : before[i] - 1;
    number_[corner[i].place] = vertex;
    if (is_new(i)) key_[vertex] = corner[i].key;
  });
}

template <int Dim, class Real>
void Contour<Dim, Real>::place_vertices(const SurfaceLeaves<Dim, Real>& surface) {
  const Tetrahedra<Dim, Real> tetrahedra = surface.tetrahedra();
  vertices_.resize(key_.size());
  parallel_for("place vertices", key_.size(),
               [&](std::size_t i) { vertices_[i] = place_of(tetrahedra, key_[i]); });
}

template <int Dim, class Real>
void Contour<Dim, Real>::collect_triangles(const std::vector<Part>& parts) {
  struct First {
    std::size_t free = 0, cap = 0, corner = 0;
  };
  std::vector<First> first(parts.size() + 1);
  for (std::size_t p = 0; p < parts.size(); ++p)
    first[p + 1] = {first[p].free + parts[p].free.size(), first[p].cap + parts[p].caps.size(),
                    first[p].corner + parts[p].keys.size()};
  cap_begin_ = first.back().free;
  triangles_.resize(cap_begin_ + first.back().cap);
  parallel_blocks(
      "collect triangles", parts.size(),
      [&](std::size_t p, std::size_t, std::size_t) {
        auto write = [&](const std::vector<Triangle>& from, std::size_t to) {
          for (Triangle t : from) {
            for (std::uint32_t& corner : t) corner = number_[first[p].corner + corner];
            triangles_[to++] = t;
          }
        };
        write(parts[p].free, first[p].free);
        write(parts[p].caps, cap_begin_ + first[p].cap);
      },
      std::size_t{1});
}

namespace {

// This is the sum of the outward normals of the walls on which a point is.
template <int Dim>
Vec<Dim> wall_normal(const Box<Dim>& box, const Vec<Dim>& x) {
  Vec<Dim> n{};
  for (int a = 0; a < Dim; ++a)
    n[a] = (x[a] == box.hi[a] ? 1.0 : 0.0) - (x[a] == box.lo[a] ? 1.0 : 0.0);
  return n;
}

// This is the gradient of a nodal field by differences over a distance to both sides, or to one beside a wall.
template <int Dim, class Real>
Vec<Dim> slope(const Box<Dim>& box, Sampler<Dim, Real>& value_at, const Vec<Dim>& x, double h) {
  Vec<Dim> gradient{};
  for (int a = 0; a < Dim; ++a) {
    Vec<Dim> low = x, high = x;
    low[a] = std::max(x[a] - h, box.lo[a]);
    high[a] = std::min(x[a] + h, box.hi[a]);
    gradient[a] = (static_cast<double>(value_at(high)) - static_cast<double>(value_at(low))) /
                  (high[a] - low[a]);
  }
  return gradient;
}

}  // namespace

template <int Dim, class Real>
void Contour<Dim, Real>::normals(const SurfaceLeaves<Dim, Real>& surface,
                                 Buffer<Vec<Dim, float>>& out) const {
  const Tetrahedra<Dim, Real> tetrahedra = surface.tetrahedra();
  const MeshView<Dim>& mesh = tetrahedra.mesh;
  const Box<Dim> box = mesh.tree.domain.box();
  out.resize(vertices_.size());
  parallel_blocks(
      "surface normals", vertices_.size(),
      [&](std::size_t, std::size_t begin, std::size_t end) {
        Sampler<Dim, Real> phi(mesh, tetrahedra.phi), solid(mesh, tetrahedra.solid);
        Locator<Dim> locator(mesh.tree);
        for (std::size_t i = begin; i < end; ++i) {
          const Vec<Dim>& x = vertices_[i];
          const double h = mesh.tree.size(locator.template locate<double>(x).leaf);
          const double outwards = tetrahedra.fluid == Fluid::liquid ? 1 : -1;
          Vec<Dim> n{};
          if (high_end(key_[i]) == tetrahedra.beyond)
            n = wall_normal(box, x);
          else if (tetrahedra.solid.size() > 0 && -solid(x) > static_cast<Real>(outwards) * phi(x))
            n = slope(box, solid, x, h) * -1.0;
          else
            n = slope(box, phi, x, h) * outwards;
          const double size = length(n);
          out[i] = size > 0 ? (n / size).template cast<float>() : Vec<Dim, float>{};
        }
      },
      std::size_t{1024});
}

template <int Dim, class Real>
template <class T>
void Contour<Dim, Real>::sample(const SurfaceLeaves<Dim, Real>& surface, const NodeField<T>& field,
                                Buffer<T>& out) const {
  const MeshView<Dim> mesh = surface.mesh().view();
  OCTAVO_CHECK(field.belongs_to(surface.mesh()));
  out.resize(vertices_.size());
  parallel_blocks(
      "sample at surface", vertices_.size(),
      [&](std::size_t, std::size_t begin, std::size_t end) {
        Sampler<Dim, T> value_at(mesh, field.view());
        for (std::size_t i = begin; i < end; ++i) out[i] = value_at(vertices_[i]);
      },
      std::size_t{1024});
}

// A vertex of caps is copied for each wall of whose cap it is a corner; what nothing refers to is dropped.
template <class Real>
SurfaceMesh surface_mesh(const Contour<3, Real>& contour, View<const Vec3f> normals,
                         View<const Vec<3, Real>> velocities) {
  OCTAVO_CHECK(normals.size() == contour.vertices().size() &&
               (velocities.size() == 0 || velocities.size() == normals.size()));
  const auto vertices = contour.vertices();
  const auto triangles = contour.triangles();
  SurfaceMesh mesh;
  mesh.vertices.assign(vertices.begin(), vertices.end());
  mesh.normals.assign(normals.begin(), normals.end());
  for (const Vec<3, Real>& u : velocities) mesh.velocities.push_back(u.template cast<float>());
  mesh.triangles.assign(triangles.begin(), triangles.end());

  struct Copy {
    std::uint32_t vertex;
    int side;
    std::uint32_t* corner;
  };
  std::vector<Copy> copies;
  for (std::size_t i = contour.cap_begin(); i < mesh.triangles.size(); ++i) {
    auto& t = mesh.triangles[i];
    const Vec3d& p = mesh.vertices[t[0]];
    const Vec3d n = cross(mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
    int side = 0;
    for (int a = 0; a < 3; ++a)
      if (n[a] != 0) side = 2 * a + (n[a] > 0 ? 1 : 0);
    for (std::uint32_t& corner : t) copies.push_back({corner, side, &corner});
  }
  std::stable_sort(copies.begin(), copies.end(), [](const Copy& p, const Copy& q) {
    return p.vertex != q.vertex ? p.vertex < q.vertex : p.side < q.side;
  });
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Copy& c = copies[i];
    if (i == 0 || c.vertex != copies[i - 1].vertex || c.side != copies[i - 1].side) {
      mesh.vertices.push_back(mesh.vertices[c.vertex]);
      Vec3f n{};
      n[c.side / 2] = c.side % 2 == 1 ? 1 : -1;
      mesh.normals.push_back(n);
      if (velocities.size() > 0) mesh.velocities.push_back(mesh.velocities[c.vertex]);
    }
    *c.corner = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  }
  tidy(mesh);
  return mesh;
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                                             \
  template class Contour<Dim, Real>;                                                              \
  template void Contour<Dim, Real>::sample(                                                       \
      const SurfaceLeaves<Dim, Real>&, const NodeField<Vec<Dim, Real>>&, Buffer<Vec<Dim, Real>>&) \
      const;
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE
template SurfaceMesh surface_mesh(const Contour<3, float>&, View<const Vec3f>, View<const Vec3f>);
template SurfaceMesh surface_mesh(const Contour<3, double>&, View<const Vec3f>, View<const Vec3d>);

}  // namespace octavo
