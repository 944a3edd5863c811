#pragma once

// Fields are typed by what they live on: LeafField<float> pressure; FaceField<float> velocity; NodeField<...>.
//
// A field is an array with one value for each leaf, face or node of a mesh, indexed by the matching
// id only. On faces, the value is the component along the face's axis. A field knows its mesh.

#include <cstdint>
#include <utility>

#include "octavo/base/buffer.h"
#include "octavo/base/ids.h"
#include "octavo/base/parallel.h"
#include "octavo/mesh/mesh.h"

namespace octavo {

// This counts how many places of a kind a mesh has. A further kind of place is a further overload, beside its id.
template <int Dim>
std::size_t place_count(const Mesh<Dim>& mesh, LeafId) {
  return mesh.leaf_count();
}
template <int Dim>
std::size_t place_count(const Mesh<Dim>& mesh, FaceId) {
  return mesh.face_count();
}
template <int Dim>
std::size_t place_count(const Mesh<Dim>& mesh, NodeId) {
  return mesh.node_count();
}

template <class Place, class T>
class Field {
 public:
  using Value = T;

  Field() = default;
  template <int Dim>
  explicit Field(const Mesh<Dim>& mesh, T value = T{}) {
    resize(mesh);
    fill(value);
  }

  template <int Dim>
  void resize(const Mesh<Dim>& mesh) {
    values_.resize(place_count(mesh, Place{}));
    mesh_ = mesh.identity();
  }
  // This is no longer so after the mesh was built anew, even if it has as many places as before.
  template <int Dim>
  bool belongs_to(const Mesh<Dim>& mesh) const {
    return mesh_ != 0 && mesh_ == mesh.identity();
  }
  void fill(T value) {
    const View<T> v = values_.view();
    parallel_for("fill field", v.size(), [=](std::size_t i) { v[i] = value; });
  }

  T& operator[](Place id) { return values_[id]; }
  const T& operator[](Place id) const { return values_[id]; }
  std::size_t size() const { return values_.size(); }
  std::size_t bytes() const { return values_.bytes(); }
  View<T> view() { return values_.view(); }
  View<const T> view() const { return values_.view(); }
  void swap(Field& other) noexcept {
    values_.swap(other.values_);
    std::swap(mesh_, other.mesh_);
  }

 private:
  Buffer<T> values_;
  std::uint64_t mesh_ = 0;  // the identity of the mesh it was sized for
};

template <class T>
using LeafField = Field<LeafId, T>;
template <class T>
using FaceField = Field<FaceId, T>;
template <class T>
using NodeField = Field<NodeId, T>;

// This is the kind of number a value is made of: float for float and Vec<3, float>.
template <class T>
struct ScalarOf {
  using Type = T;
};
template <int Dim, class T>
struct ScalarOf<Vec<Dim, T>> {
  using Type = T;
};
template <class T>
using Scalar = typename ScalarOf<T>::Type;

}  // namespace octavo
