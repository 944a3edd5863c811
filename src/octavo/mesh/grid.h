#pragma once

// A Grid<Dim> is an octree and the mesh derived from it, which belong together. They are replaced together.

#include <memory>
#include <utility>

#include "octavo/mesh/mesh.h"

namespace octavo {

template <int Dim>
class Grid {
 public:
  explicit Grid(Octree<Dim> tree)
      : now_(std::make_unique<Pair>()), spare_(std::make_unique<Pair>()) {
    now_->tree = std::move(tree);
    now_->mesh.build(now_->tree);
  }

  const Octree<Dim>& tree() const { return now_->tree; }
  const Mesh<Dim>& mesh() const { return now_->mesh; }

  // This is the memory of the octree and mesh in use, without the pair kept for the next change.
  std::size_t bytes() const { return now_->tree.bytes() + now_->mesh.bytes(); }
  std::size_t spare_bytes() const {
    return spare_->tree.bytes() + spare_->mesh.bytes() + keys_.bytes();
  }

  // The leaves of the next octree are put together here.
  Buffer<Key<Dim>>& spare_keys() { return keys_; }

  // This builds the next octree and mesh from spare_keys() in the memory of the last but one, calls
  // carry(old_mesh, new_mesh) while both exist, and makes them current. If anything fails, the grid is as it was.
  template <class Carry>
  void replace(Carry&& carry) {
    spare_->tree.replace(now_->tree, keys_);
    spare_->mesh.build(spare_->tree);
    carry(std::as_const(now_->mesh), std::as_const(spare_->mesh));
    now_.swap(spare_);
  }

 private:
  struct Pair {
    Octree<Dim> tree;
    Mesh<Dim> mesh;
  };
  Buffer<Key<Dim>> keys_;
  std::unique_ptr<Pair> now_, spare_;
};

}  // namespace octavo
