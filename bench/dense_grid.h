#pragma once

// The rival: a dense uniform grid of n^3 cells with the same operations, written as plainly and as
// fast as its regularity allows. Index arithmetic takes the place of every search.

#include "octavo/base/parallel.h"
#include "octavo/base/vec.h"
#include "octavo/mesh/mesh.h"

namespace octavo::bench {

class DenseGrid {
 public:
  // A grid of about `cells` cells over the unit cube.
  explicit DenseGrid(double cells) : n_(static_cast<std::size_t>(std::lround(std::cbrt(cells)))) {}

  std::size_t cells() const { return n_ * n_ * n_; }
  std::size_t nodes() const { return (n_ + 1) * (n_ + 1) * (n_ + 1); }
  std::size_t faces() const { return 3 * n_ * n_ * (n_ + 1); }
  double size() const { return 1.0 / static_cast<double>(n_); }

  std::size_t cell_at(const Vec3d& p) const {
    return index(coordinate(p[0]), coordinate(p[1]), coordinate(p[2]), n_);
  }

  float sample(View<const float> nodal, const Vec3d& p) const {
    std::size_t i[3];
    float t[3];
    for (int a = 0; a < 3; ++a) {
      i[a] = coordinate(p[a]);
      t[a] = static_cast<float>(p[a] * static_cast<double>(n_) - static_cast<double>(i[a]));
    }
    const std::size_t m = n_ + 1, at = index(i[0], i[1], i[2], m);
    auto along_x = [&](std::size_t k) { return nodal[k] * (1 - t[0]) + nodal[k + 1] * t[0]; };
    auto along_y = [&](std::size_t k) { return along_x(k) * (1 - t[1]) + along_x(k + m) * t[1]; };
    return along_y(at) * (1 - t[2]) + along_y(at + m * m) * t[2];
  }

  // Calls f(cell, centre) for every cell.
  template <class F>
  void for_cells(F&& f) const {
    parallel_for("dense cells", n_ * n_, [&](std::size_t row) {
      const std::size_t y = row % n_, z = row / n_;
      for (std::size_t x = 0; x < n_; ++x) f(index(x, y, z, n_), center(x, y, z));
    });
  }

  // The connectivity a Mesh has, for this grid: cell -> nodes, cell -> faces, face -> cells.
  void build_connectivity() {
    cell_node_.resize(cells() * 8);
    cell_face_.resize(cells() * 6);
    face_cell_.resize(faces());
    face_info_.resize(faces());
    parallel_for("dense mesh", n_ * n_, [&](std::size_t row) {
      const std::size_t y = row % n_, z = row / n_;
      for (std::size_t x = 0; x < n_; ++x) connect({x, y, z});
    });
  }

 private:
  static std::size_t index(std::size_t x, std::size_t y, std::size_t z, std::size_t n) {
    return x + n * (y + n * z);
  }
  std::size_t coordinate(double x) const {
    const double top = static_cast<double>(n_) - 1, i = x * static_cast<double>(n_);
    return static_cast<std::size_t>(i > 0 ? (i < top ? i : top) : 0.0);
  }
  Vec3d center(std::size_t x, std::size_t y, std::size_t z) const {
    return Vec3d{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                 static_cast<double>(z) + 0.5} *
           size();
  }

  // Faces of an axis are numbered like cells of a grid that is longer by one along it.
  std::size_t face(int axis, const std::size_t (&p)[3]) const {
    const std::size_t nx = n_ + (axis == 0 ? 1 : 0), ny = n_ + (axis == 1 ? 1 : 0);
    return static_cast<std::size_t>(axis) * n_ * n_ * (n_ + 1) + p[0] + nx * (p[1] + ny * p[2]);
  }

  void connect(const std::size_t (&p)[3]) {
    const std::size_t cell = index(p[0], p[1], p[2], n_);
    for (std::size_t c = 0; c < 8; ++c)
      cell_node_[cell * 8 + c] =
          NodeId(index(p[0] + (c & 1), p[1] + (c >> 1 & 1), p[2] + (c >> 2), n_ + 1));
    for (int axis = 0; axis < 3; ++axis) {
      std::size_t q[3] = {p[0], p[1], p[2]};
      const std::size_t low = face(axis, q);
      ++q[axis];
      const std::size_t high = face(axis, q), s = 2 * static_cast<std::size_t>(axis);
      cell_face_[cell * 6 + s] = FaceId(low);
      cell_face_[cell * 6 + s + 1] = FaceId(high);
      face_cell_[low].high = LeafId(cell);
      face_cell_[high].low = LeafId(cell);
      if (p[axis] == 0) face_cell_[low].low = LeafId::none();
      if (q[axis] == n_) face_cell_[high].high = LeafId::none();
      face_info_[low] = face_info_[high] = static_cast<std::uint8_t>(axis);
    }
  }

  std::size_t n_;
  Buffer<NodeId> cell_node_;
  Buffer<FaceId> cell_face_;
  Buffer<FaceLeaves> face_cell_;
  Buffer<std::uint8_t> face_info_;
};

}  // namespace octavo::bench
