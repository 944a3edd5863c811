#pragma once

// Nodal fields and the velocity on faces are advected by a scheme, from one mesh to another (or the same). An
// Advection keeps its memory from step to step.
//
//   Advection<3, float> advection(AdvectionScheme::maccormack);
//   advection.fields(paths, {from, to}, {{&density, 0}, {&temperature, 300}});
//   advection.velocity(paths, {from, to}, nodal, velocity);

#include <utility>
#include <vector>

#include "octavo/advection/advection_scheme.h"
#include "octavo/advection/predict_correct.h"
#include "octavo/mesh/nodal_velocity.h"

namespace octavo {

// Advection goes from one mesh to itself, or to another one with Transfer::origin of the one to the other.
template <int Dim>
struct MeshChange {
  const Mesh<Dim>& from;
  const Mesh<Dim>& to;
  View<const LeafId> origin{};

  MeshPair<Dim> pair() const { return {from.view(), to.view(), origin}; }
};

// This says which nodes of the two meshes are inside of solids.
template <int Dim>
struct SolidsOfBoth {
  SolidNodes<Dim> from, to;
};

template <int Dim, class Real>
class Advection {
 public:
  // With `shared` the parts of a large face have one velocity, as the pressure scheme losasso06s makes it.
  explicit Advection(AdvectionScheme scheme, bool shared = false)
      : scheme_(scheme), shared_(shared) {}

  // A nodal field is carried with the value it has outside of open walls; `heated` says whether hot solids heat it.
  struct Carried {
    NodeField<Real>* field;
    Real outside;
    bool heated = false;
  };

  // Replaces each field by its values after paths.dt, on the nodes of `to`.
  template <class Obstacles>
  void fields(const Characteristics<Dim, Real, Obstacles>& paths, const MeshChange<Dim>& change,
              const std::vector<Carried>& carried, const SolidsOfBoth<Dim>& solids = {}) {
    std::size_t i = 0;
    for (; i + 1 < carried.size(); i += 2)
      together<2>(paths, change, {carried[i], carried[i + 1]}, solids);
    if (i < carried.size()) together<1>(paths, change, {carried[i]}, solids);
  }

  // Replaces the velocity; `nodal` are its nodal velocities, `open_from` and `open_to` say how open the faces
  // of the meshes are; the first is needed for bfecc only. The flow need not be the velocity that it carries.
  template <class Obstacles>
  void velocity(const Characteristics<Dim, Real, Obstacles>& paths, const MeshChange<Dim>& change,
                const NodeField<Vec<Dim, Real>>& nodal, FaceField<Real>& velocity,
                View<const Real> open_from = {}, View<const Real> open_to = {});

  std::size_t bytes() const {
    std::size_t sum = face_.bytes() + face_spare_.bytes() + nodal_.bytes();
    for (const auto& n : node_) sum += n.bytes();
    for (const auto& n : node_spare_) sum += n.bytes();
    return sum;
  }

 private:
  template <int K, class Obstacles>
  void together(const Characteristics<Dim, Real, Obstacles>& paths, const MeshChange<Dim>& change,
                const std::array<Carried, static_cast<std::size_t>(K)>& carried,
                const SolidsOfBoth<Dim>& solids);
  template <int K>
  static NodalInterpolant<Dim, K, Real> source(const MeshView<Dim>& mesh,
                                               NodeField<Real>* const* fields,
                                               const SolidNodes<Dim>& solid) {
    NodalInterpolant<Dim, K, Real> s{mesh, {}, solid};
    for (int k = 0; k < K; ++k) s.field[k] = std::as_const(*fields[k]).view();
    return s;
  }
  template <int K>
  static Target<K, Real> target(const Mesh<Dim>& mesh, NodeField<Real>* const* fields) {
    Target<K, Real> t{};
    for (int k = 0; k < K; ++k) {
      fields[k]->resize(mesh);
      t.field[k] = fields[k]->view();
    }
    return t;
  }

  AdvectionScheme scheme_;
  bool shared_;
  std::array<NodeField<Real>, 2> node_, node_spare_;
  FaceField<Real> face_, face_spare_;
  NodeField<Vec<Dim, Real>> nodal_;
};

template <int Dim, class Real>
template <int K, class Obstacles>
void Advection<Dim, Real>::together(const Characteristics<Dim, Real, Obstacles>& paths,
                                    const MeshChange<Dim>& change,
                                    const std::array<Carried, static_cast<std::size_t>(K)>& carried,
                                    const SolidsOfBoth<Dim>& solids) {
  const Mesh<Dim>&from = change.from, &to = change.to;
  const NodePoints<Dim> points{change.pair()};
  NodeField<Real>*now[K], *predicted[K], *spare[K];
  Vec<K, Real> outside{};
  for (int k = 0; k < K; ++k) {
    const auto i = static_cast<std::size_t>(k);
    now[k] = carried[i].field;
    outside[k] = carried[i].outside;
    predicted[k] = &node_[i];
    spare[k] = &node_spare_[i];
  }
  auto constrain_all = [](const Mesh<Dim>& mesh, const SolidNodes<Dim>& solid,
                          NodeField<Real>** fields) {
    for (int k = 0; k < K; ++k) constrain(mesh, *fields[k], solid.inside);
  };

  auto f = source<K>(paths.from, now, solids.from);
  for (int k = 0; k < K; ++k) f.heated[k] = carried[static_cast<std::size_t>(k)].heated;
  const Target<K, Real> first = target<K>(to, predicted);
  predict("advect fields", paths, points, f, outside, first);
  constrain_all(to, solids.to, predicted);
  const auto there = source<K>(points.meshes.to, predicted, solids.to);
  if (scheme_ == AdvectionScheme::maccormack) {
    correct("correct fields", paths, points, f, there, first, target<K>(to, spare));
    constrain_all(to, solids.to, spare);
    for (int k = 0; k < K; ++k) predicted[k]->swap(*spare[k]);
  } else if (scheme_ == AdvectionScheme::bfecc) {
    const NodePoints<Dim> old_points{points.meshes.turned_to_first()};
    compensate("compensate fields", paths, old_points, f, there, target<K>(from, spare));
    constrain_all(from, solids.from, spare);
    auto compensated = source<K>(paths.from, spare, solids.from);
    std::copy_n(f.heated, K, compensated.heated);
    predict_limited("correct fields", paths, points, compensated, f, outside, first);
    constrain_all(to, solids.to, predicted);
  }
  for (int k = 0; k < K; ++k) now[k]->swap(*predicted[k]);
}

template <int Dim, class Real>
template <class Obstacles>
void Advection<Dim, Real>::velocity(const Characteristics<Dim, Real, Obstacles>& paths,
                                    const MeshChange<Dim>& change,
                                    const NodeField<Vec<Dim, Real>>& nodal,
                                    FaceField<Real>& velocity, View<const Real> open_from,
                                    View<const Real> open_to) {
  const bool exact = scheme_ != AdvectionScheme::semi_lagrangian;
  const FacePoints<Dim> points{change.pair(), shared_};
  const Vec<1, Real> at_rest{0};
  auto source = [=, this](const MeshView<Dim>& mesh, const FaceField<Real>& face,
                          const NodeField<Vec<Dim, Real>>& node) {
    return FaceInterpolant<Dim, Real>{mesh, face.view(), node.view(), exact, shared_};
  };

  const FaceInterpolant<Dim, Real> u = source(paths.from, velocity, nodal);
  face_.resize(change.to);
  const Target<1, Real> first{{face_.view()}};
  predict("advect velocity", paths, points, u, at_rest, first);
  if (exact) nodal_velocity(change.to, face_, nodal_, open_to);
  const FaceInterpolant<Dim, Real> there = source(points.meshes.to, face_, nodal_);
  if (scheme_ == AdvectionScheme::maccormack) {
    face_spare_.resize(change.to);
    correct("correct velocity", paths, points, u, there, first, {{face_spare_.view()}});
    face_.swap(face_spare_);
  } else if (scheme_ == AdvectionScheme::bfecc) {
    face_spare_.resize(change.from);
    compensate("compensate velocity", paths,
               FacePoints<Dim>{points.meshes.turned_to_first(), shared_}, u, there,
               Target<1, Real>{{face_spare_.view()}});
    nodal_velocity(change.from, face_spare_, nodal_, open_from);
    predict_limited("correct velocity", paths, points, source(paths.from, face_spare_, nodal_), u,
                    at_rest, first);
  }
  velocity.swap(face_);
}

}  // namespace octavo
