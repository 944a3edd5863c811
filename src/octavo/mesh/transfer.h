#pragma once

// A Transfer carries fields from one mesh to another over the same box.
//
// Nodes (Losasso et al. 2004, section 3): a node that exists in both keeps its value; a new one takes
// the multilinear value of the old leaf it lies in, which is the mean of the neighbours on its edge or
// face when leaves are split once. Hanging nodes are then constrained. The old field must have been.
//
// Faces: the flux through every old face, hence the net flux out of every old leaf, is kept to
// rounding. A new face that is
//
//   part of an old face    takes its value + slope . (centre - old centre). The slope comes from the
//                          nodal velocities around the face; it adds nothing to the whole of it.
//   several old faces      takes their mean by area.
//   inside an old leaf     lies between the leaf's two opposite sides, and so does its value, up to
//                          the smallest correction that gives all children of the leaf its divergence.
//
// The paper averages nodal velocities here, which does not keep fluxes: every change of the tree would
// give the next projection something to repair.
//
// Leaves: the integral is kept. Children take the parent's value, a parent the mean of its children.

#include <functional>
#include <memory>
#include <vector>

#include "octavo/mesh/field.h"

namespace octavo {

template <int Dim>
class Transfer {
 public:
  // Both meshes, with their trees, must outlive this. Their boxes must be the same.
  Transfer(const Mesh<Dim>& from, const Mesh<Dim>& to);

  const Mesh<Dim>& from() const { return from_; }
  const Mesh<Dim>& to() const { return to_; }

  // This is for each new leaf the old leaf at its lowest corner: equal to it, around it, or the first inside it.
  View<const LeafId> origin() const { return origin_.view(); }

  // This tells whether any new leaf is smaller than the old leaf at its place.
  bool refines() const { return refines_; }

  template <class T>
  void operator()(const LeafField<T>& old_field, LeafField<T>& new_field) const;
  template <class T>
  void operator()(const FaceField<T>& old_field, FaceField<T>& new_field) const;
  template <class T>
  void operator()(const NodeField<T>& old_field, NodeField<T>& new_field) const;

 private:
  const Mesh<Dim>& from_;
  const Mesh<Dim>& to_;
  Buffer<LeafId> origin_;
  bool refines_ = false;
};

// A FieldSet names the fields that live on a mesh and move with it.
//
//   FieldSet<3> fields;
//   fields.add(density);   // the field must outlive the set
template <int Dim>
class FieldSet {
 public:
  template <class Place, class T>
  void add(Field<Place, T>& field) {
    for (const auto& member : members_)
      if (member.field == &field) throw InputError("a field was added to a set twice");
    auto spare = std::make_shared<Field<Place, T>>();
    members_.push_back({&field, [&field, spare](const Transfer<Dim>& t) { t(field, *spare); },
                        [&field, spare] { field.swap(*spare); }});
  }

  // All or none are transferred: if one of them fails, all are as they were.
  void transfer(const Transfer<Dim>& t) {
    for (auto& member : members_) member.carry(t);
    for (auto& member : members_) member.take();
  }

 private:
  struct Member {
    const void* field;
    std::function<void(const Transfer<Dim>&)> carry;
    std::function<void()> take;
  };
  std::vector<Member> members_;
};

extern template class Transfer<2>;
extern template class Transfer<3>;

}  // namespace octavo
