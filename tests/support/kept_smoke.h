#pragma once

// A state of a simulation, kept apart from it.

#include "octavo/io/archive.h"
#include "octavo/sim/smoke.h"

namespace octavo::test {

template <int Dim, class Real = float>
struct KeptSmoke {
  SmokeState<Dim, Real> numbers;  // its arrays are not used
  Buffer<Key<Dim>> leaves;
  Buffer<Real> velocity, pressure, density, temperature;
  std::vector<Buffer<Real>> scalars;

  KeptSmoke() = default;
  explicit KeptSmoke(const SmokeState<Dim, Real>& s) : numbers(s) {
    keep(s.leaves, leaves);
    keep(s.velocity, velocity);
    keep(s.pressure, pressure);
    keep(s.density, density);
    keep(s.temperature, temperature);
    scalars.resize(s.scalars.size());
    for (std::size_t i = 0; i < scalars.size(); ++i) keep(s.scalars[i], scalars[i]);
  }

  SmokeState<Dim, Real> state() const {
    SmokeState<Dim, Real> s = numbers;
    s.leaves = leaves.view();
    s.velocity = velocity.view();
    s.pressure = pressure.view();
    s.density = density.view();
    s.temperature = temperature.view();
    s.scalars.clear();
    for (const Buffer<Real>& b : scalars) s.scalars.push_back(b.view());
    return s;
  }

 private:
  template <class T>
  static void keep(View<const T> from, Buffer<T>& to) {
    to.resize(from.size());
    std::copy(from.begin(), from.end(), to.begin());
  }
};

// The same through a file.
template <int Dim, class Real>
void write_smoke(const std::filesystem::path& path, const SmokeState<Dim, Real>& s) {
  Buffer<std::uint64_t> leaves(s.leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = s.leaves[i].bits;
  ArchiveWriter out;
  out.add_number("time", s.time);
  out.add_number("steps", s.steps);
  out.add_number("solids since", s.solids_since);
  out.add_number("solids time", s.solids_time);
  out.add_number("strictness", s.strictness);
  out.add_array("leaves", leaves.view());
  out.add_array("velocity", s.velocity);
  out.add_array("pressure", s.pressure);
  out.add_array("density", s.density);
  out.add_array("temperature", s.temperature);
  out.add_number("scalars", s.scalars.size());
  for (std::size_t i = 0; i < s.scalars.size(); ++i)
    out.add_array("scalar " + std::to_string(i), s.scalars[i]);
  out.commit(path);
}

template <int Dim, class Real>
KeptSmoke<Dim, Real> read_smoke(const std::filesystem::path& path) {
  const ArchiveReader in(path);
  KeptSmoke<Dim, Real> kept;
  kept.numbers.time = in.number<double>("time");
  kept.numbers.steps = in.number<std::uint64_t>("steps");
  kept.numbers.solids_since = in.number<double>("solids since");
  kept.numbers.solids_time = in.number<double>("solids time");
  kept.numbers.strictness = in.number<double>("strictness");
  const Buffer<std::uint64_t> leaves = in.array<std::uint64_t>("leaves");
  kept.leaves.resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) kept.leaves[i] = {leaves[i]};
  kept.velocity = in.array<Real>("velocity");
  kept.pressure = in.array<Real>("pressure");
  kept.density = in.array<Real>("density");
  kept.temperature = in.array<Real>("temperature");
  for (std::uint64_t i = 0, n = in.number<std::uint64_t>("scalars"); i < n; ++i)
    kept.scalars.push_back(in.array<Real>("scalar " + std::to_string(i)));
  return kept;
}

}  // namespace octavo::test
