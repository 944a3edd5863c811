#include "octavo/render/node_light.h"

#include <atomic>

namespace octavo {
namespace {

// Nodes of leaves that are chosen get the level of the finest of them, plus 1; all others get 0.
template <class Choose>
Buffer<std::uint8_t> node_levels(const MeshView<3>& mesh, Choose&& choose) {
  Buffer<std::uint8_t> levels(mesh.node_count());
  const View<std::uint8_t> out = levels.view();
  parallel_for("no nodes", out.size(), [=](std::size_t i) { out[i] = 0; });
  parallel_for("nodes of leaves", mesh.leaf_count(), [&, out](std::size_t i) {
    if (!choose(LeafId(i))) return;
    const auto level = static_cast<std::uint8_t>(mesh.tree.level(LeafId(i)) + 1);
    for (int c = 0; c < 8; ++c) {
      const std::atomic_ref finest(out[mesh.node(LeafId(i), c)]);
      std::uint8_t before = finest.load(std::memory_order_relaxed);
      while (before < level &&
             !finest.compare_exchange_weak(before, level, std::memory_order_relaxed)) {
      }
    }
  });
  return levels;
}

}  // namespace

NodeLight::NodeLight(const Mesh<3>& mesh, View<const std::uint8_t> occupied)
    : whole_(mesh),
      mesh_(mesh.view()),
      occupied_(occupied),
      wanted_(node_levels(mesh_, [=](LeafId leaf) { return occupied[leaf] != 0; })) {}

Buffer<float> NodeLight::smooth(const Value& value) const {
  constexpr float sharp = 0.3f;
  Buffer<float> values(mesh_.node_count());
  const View<float> out = values.view();
  auto size = [&](std::size_t i) { return mesh_.tree.domain.size(wanted_[i] - 1); };
  parallel_for("light volume", out.size(), [&](std::size_t i) {
    out[i] = wanted_[i] == 0 ? 1 : value(mesh_.position(NodeId(i)), size(i));
  });
  const Buffer<std::uint8_t> edge = node_levels(mesh_, [&](LeafId leaf) {
    if (occupied_[leaf] == 0) return false;
    const LeafCorners c = corners_of(mesh_, out, leaf);
    const auto [least, most] = std::minmax_element(c.begin(), c.end());
    return *most - *least > sharp;
  });
  parallel_for("edges of shadows", out.size(), [&](std::size_t i) {
    if (edge[i] == 0) return;
    const Vec3d p = mesh_.position(NodeId(i));
    const double h = size(i);
    float sum = 0;
    for (int k = 0; k < 27; ++k) {
      const Vec<3, int> beside{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
      sum += value(p + beside.cast<double>() * (h / 3), h);
    }
    out[i] = sum / 27;
  });
  constrain(out);
  return values;
}

// A node that hangs on a leaf with smoke has what is between the leaf's corners.
void NodeLight::constrain(View<float> value) const {
  const View<const HangingNode<3>> hanging = mesh_.hanging;
  const View<const std::uint8_t> wanted = wanted_.view();
  for (int g = 0; g < Mesh<3>::hanging_groups; ++g) {
    const auto [first, last] = whole_.hanging_group(g);
    parallel_for("constrain light", last - first, [=, first = first](std::size_t i) {
      const HangingNode<3>& h = hanging[first + i];
      float sum = 0;
      for (int j = 0; j < HangingNode<3>::source_count; ++j) {
        if (wanted[h.source[j]] == 0) return;
        sum += value[h.source[j]] * h.template weight<float>(j);
      }
      value[h.node] = sum;
    });
  }
}

}  // namespace octavo
