// What vertices of a contour have beside a place: normals, and values of nodal fields.

#include <utility>

#include "octavo/level_set/contour.h"
#include "octavo/mesh/interpolate.h"

namespace octavo {
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
          if (key_[i].high() == tetrahedra.beyond)
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
  template void Contour<Dim, Real>::normals(const SurfaceLeaves<Dim, Real>&,                      \
                                            Buffer<Vec<Dim, float>>&) const;                      \
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
