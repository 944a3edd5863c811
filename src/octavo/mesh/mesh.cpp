#include "octavo/mesh/mesh.h"

#include <atomic>

namespace octavo {
namespace {

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

template <int Dim>
void Mesh<Dim>::build(const Octree<Dim>& tree) {
  tree_ = &tree;
  identity_ = next_identity();
  colleagues_.build(tree);
  build_faces();
  find_corners();
  number_extra_nodes();
  build_hanging();

  // A simulation has two meshes at a time; what is needed only while one is built is not kept.
  count_ = {};
  extra_corners_ = {};
  claimed_corners_ = {};
  support_ = {};
}

template <int Dim>
MeshView<Dim> Mesh<Dim>::view() const {
  return {tree_->view(),      colleagues_.view(*tree_), leaf_node_.view(),
          leaf_face_.view(),  face_leaf_.view(),        face_info_.view(),
          extra_node_.view(), hanging_.view(),          leaf_count(),
          face_count(),       extra_node_.size()};
}

template <int Dim>
std::size_t Mesh<Dim>::bytes() const {
  return colleagues_.bytes() + leaf_node_.bytes() + leaf_face_.bytes() + face_leaf_.bytes() +
         face_info_.bytes() + extra_node_.bytes() + hanging_.bytes();
}

template class Mesh<2>;
template class Mesh<3>;

}  // namespace octavo
