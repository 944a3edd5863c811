#include "octavo/level_set/contour.h"

#include <utility>

namespace octavo {
namespace {

// A thread takes this many leaves of the surface at a time.
constexpr std::size_t leaves_at_once = 256;

// A node on the surface is the vertex of all its edges.
constexpr EdgeKey key_of(const SurfacePoint& p) {
  const std::uint32_t in = p.inside.id, out = p.outside.id;
  return p.outside.value == 0 ? EdgeKey(out, out) : EdgeKey(std::min(in, out), std::max(in, out));
}

// This is the place of a vertex; the end with the smaller number comes first, so that all agree on it.
template <int Dim, class Real>
Vec<Dim> place_of(const Tetrahedra<Dim, Real>& tetrahedra, EdgeKey key) {
  const std::uint32_t low = key.low(), high = key.high();
  const Vec<Dim> p = tetrahedra.position_of(low);
  if (high == low || high == tetrahedra.beyond) return p;
  const double a = tetrahedra.vertex_of(low).value, b = tetrahedra.vertex_of(high).value;
  return p + (tetrahedra.position_of(high) - p) * (a / (a - b));
}

}  // namespace

// This is what a block of leaves adds to the mesh; triangles refer to the keys of the block.
template <int Dim, class Real>
struct Contour<Dim, Real>::Part {
  std::vector<EdgeKey> keys;
  std::vector<Triangle> free, caps;
  std::size_t leaf_begin = 0;

  // Most corners of a leaf's triangles have been met shortly before.
  std::uint32_t number(EdgeKey key) {
    constexpr std::size_t remembered = 32;
    const std::size_t oldest =
        std::max(leaf_begin, keys.size() - std::min(keys.size(), remembered));
    for (std::size_t i = keys.size(); i-- > oldest;)
      if (keys[i] == key) return static_cast<std::uint32_t>(i);
    keys.push_back(key);
    return static_cast<std::uint32_t>(keys.size() - 1);
  }

  void add(const SurfacePiece<Dim>& piece, std::vector<Triangle>& to) {
    std::array<EdgeKey, Dim> key;
    for (std::size_t i = 0; i < Dim; ++i) key[i] = key_of(piece[i]);
    for (std::size_t i = 0; i < Dim; ++i)
      if (key[i] == key[(i + 1) % Dim]) return;
    Triangle t{};
    for (std::size_t i = 0; i < Dim; ++i) t[i] = number(key[i]);
    to.push_back(t);
  }

  // This sorts the keys and drops those that are there twice.
  void tidy() {
    std::vector<Corner> sorted(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
      sorted[i] = {keys[i], static_cast<std::uint32_t>(i)};
    std::sort(sorted.begin(), sorted.end(),
              [](const Corner& p, const Corner& q) { return p.key < q.key; });
    std::vector<std::uint32_t> rank(keys.size());
    keys.clear();
    for (const Corner& corner : sorted) {
      if (keys.empty() || keys.back() != corner.key) keys.push_back(corner.key);
      rank[corner.place] = static_cast<std::uint32_t>(keys.size() - 1);
    }
    for (auto* list : {&free, &caps})
      for (Triangle& t : *list)
        for (std::uint32_t& corner : t) corner = rank[corner];
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

template class Contour<2, float>;
template class Contour<3, float>;
template class Contour<2, double>;
template class Contour<3, double>;

}  // namespace octavo
