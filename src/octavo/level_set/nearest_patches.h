#pragma once

// Which patch of the surface is nearest to each node of a band. Patches are carried outward from node to node: again
// and again each node beside one that has changed takes the nearest of the patches that its neighbours have. All nodes
// of a round are looked at before any of them changes, so that the result is the same for any number of threads.
//
// Nodes take patches of nodes on their own side of the surface only. The first nodes beyond the band still take one, so
// that what is measured at the last nodes within it, where leaves may be large, does not end there. A patch that is nearer by less than a tenth of
// its leaf is not worth another round: both give the same distance to third order.

#include "octavo/level_set/distance_band.h"
#include "octavo/level_set/surface_patches.h"

namespace octavo {

// A PatchId is the place of a patch, with what a node that has it must know: whether the node is in the liquid, whether
// the patch is the node's own, and whether it is so far away that it goes no further.
struct PatchId {
  std::uint32_t bits = ~std::uint32_t{0};

  static constexpr std::uint32_t liquid_bit = 1u << 31, own_bit = 1u << 30, beyond_bit = 1u << 29;

  static constexpr PatchId own(std::size_t place, bool liquid) {
    return {static_cast<std::uint32_t>(place) | own_bit | (liquid ? liquid_bit : 0)};
  }
  constexpr bool is_none() const { return bits == ~std::uint32_t{0}; }
  constexpr bool is_own() const { return !is_none() && (bits & own_bit) != 0; }
  constexpr bool is_beyond() const { return (bits & beyond_bit) != 0; }
  constexpr bool is_liquid() const { return (bits & liquid_bit) != 0; }
  constexpr std::uint32_t place() const { return bits & (beyond_bit - 1); }

  // This is what a neighbour may take.
  constexpr bool is_lent() const { return !is_beyond(); }
  constexpr PatchId lent() const { return {bits & ~own_bit}; }
  constexpr PatchId beyond() const { return {bits | beyond_bit}; }
  constexpr bool is_same(PatchId other) const {
    return !is_none() && !other.is_none() && place() == other.place();
  }
  friend constexpr bool operator==(const PatchId&, const PatchId&) = default;
};

template <int Dim, class Real>
class NearestPatches {
 public:
  struct Spread {
    std::size_t rounds = 0, visits = 0;
  };
  Spread spread(const NodeGraphView<Dim>& graph, const SurfacePatchesView<Dim, Real>& patches,
                View<const Real> phi, const DistanceBand& band);

  View<const PatchId> view() const { return patch_.view(); }
  std::size_t bytes() const {
    return patch_.bytes() + better_.bytes() + distance_.bytes() + shorter_.bytes() +
           active_.bytes() + next_.bytes();
  }

 private:
  void begin(const NodeGraphView<Dim>& graph, const SurfacePatchesView<Dim, Real>& patches,
             View<const Real> phi);

  Buffer<PatchId> patch_, better_;
  Buffer<float> distance_, shorter_;
  Buffer<std::uint8_t> active_, next_;
};

extern template class NearestPatches<2, float>;
extern template class NearestPatches<2, double>;
extern template class NearestPatches<3, float>;
extern template class NearestPatches<3, double>;

}  // namespace octavo
