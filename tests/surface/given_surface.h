#pragma once

// Surfaces carried along given flows, and what a tracker saves, kept apart from it.

#include <map>
#include <string>

#include "octavo/surface/particle_level_set.h"
#include "octavo/surface/shape_error.h"
#include "octavo/surface/surface_in_flow.h"

namespace octavo::test {

template <int Dim, class Real = float>
using GivenSurface = SurfaceInFlow<Dim, Real, ParticleLevelSet<Dim, Real>>;

template <int Dim, class Real = float>
GivenSurface<Dim, Real> given_surface(const Domain<Dim>& box, const SurfaceLevels& levels,
                                      const ParticleLevelSetParameters& tracker) {
  return {box, levels, ParticleLevelSet<Dim, Real>(tracker)};
}

// What is left of a shape after a flow has brought it back, as parts of its volume.
struct Leftover {
  double lost = 0, error = 0;
};

template <int Dim, class Real, class Distance>
Leftover leftover(const GivenSurface<Dim, Real>& run, const Distance& distance, double volume) {
  const ShapeMeasure end = measure_shape(run.mesh(), run.tracker().signed_distance(), distance);
  return {1 - end.volume / volume, end.difference / volume};
}

// The bytes of a state.
struct SavedSurface {
  std::vector<std::uint64_t> leaves;
  std::map<std::string, std::vector<std::byte>> arrays;
  std::vector<SavedNumber> numbers;

  friend bool operator==(const SavedSurface& p, const SavedSurface& q) {
    return p.leaves == q.leaves && p.arrays == q.arrays && p.numbers.size() == q.numbers.size() &&
           p.numbers[0].value == q.numbers[0].value;
  }
};

template <int Dim, class Real>
SavedSurface saved(const GivenSurface<Dim, Real>& run) {
  SavedSurface s;
  for (const Key<Dim> key : run.mesh().tree().keys()) s.leaves.push_back(key.bits);
  std::vector<SavedArray> arrays;
  run.tracker().save(arrays, s.numbers);
  for (const SavedArray& a : arrays)
    std::visit(
        [&](const auto& values) {
          const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
          s.arrays[a.name].assign(bytes, bytes + values.size() * sizeof(values[0]));
        },
        a.values);
  return s;
}

}  // namespace octavo::test
