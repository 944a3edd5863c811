#pragma once

// A Domain is the box that is simulated: roots[0] x roots[1] (x roots[2]) cubes of edge root_size, in metres.

#include "octavo/base/error.h"
#include "octavo/tree/key.h"

namespace octavo {

// A Leaf is a cell as user code sees it: where it is and how large.
template <int Dim>
struct Leaf {
  Vec<Dim> center;
  double size;  // edge length, m
  double
      reach;  // half edge of the region a criterion has to look at; size/2 unless grown by a margin
  int level;
};

template <int Dim>
struct Domain {
  Vec<Dim> origin = Vec<Dim>::filled(0.0);  // lowest corner, m
  double root_size = 1.0;                   // edge of a root cell, m
  Vec<Dim, int> roots = Vec<Dim, int>::filled(1);

  friend bool operator==(const Domain&, const Domain&) = default;

  constexpr std::uint32_t root_count() const { return static_cast<std::uint32_t>(product(roots)); }
  double unit() const { return root_size / root_lattice; }  // one lattice unit, m
  double size(int level) const { return unit() * (1u << (max_level - level)); }
  double volume() const { return root_count() * std::pow(root_size, Dim); }
  constexpr Box<Dim> box() const { return {origin, position(extent())}; }

  // The extent is in lattice units along each axis.
  constexpr Lattice<Dim> extent() const {
    return roots.template cast<std::uint32_t>() * root_lattice;
  }

  constexpr std::uint32_t root_index(const Vec<Dim, std::uint32_t>& root) const {
    std::uint32_t index = 0;
    for (int a = Dim - 1; a >= 0; --a)
      index = index * static_cast<std::uint32_t>(roots[a]) + root[a];
    return index;
  }
  constexpr Vec<Dim, std::uint32_t> root_position(std::uint32_t index) const {
    Vec<Dim, std::uint32_t> root{};
    for (int a = 0; a < Dim; ++a) {
      root[a] = index % static_cast<std::uint32_t>(roots[a]);
      index /= static_cast<std::uint32_t>(roots[a]);
    }
    return root;
  }

  constexpr Vec<Dim> position(const Lattice<Dim>& p) const {
    return origin + p.template cast<double>() * unit();
  }

  // This is the lattice cell that holds a point; points outside go to the nearest cell inside, NaN to 0.
  constexpr Lattice<Dim> lattice(const Vec<Dim>& point) const {
    Lattice<Dim> r{};
    const double scale = root_lattice / root_size;
    for (int a = 0; a < Dim; ++a) {
      const double x = (point[a] - origin[a]) * scale;
      const double top = static_cast<double>(roots[a]) * root_lattice - 1;
      r[a] = static_cast<std::uint32_t>(x > 0 ? (x < top ? x : top) : 0.0);
    }
    return r;
  }

  constexpr Lattice<Dim> lo(Key<Dim> key) const {
    return root_position(key.root_index()) * root_lattice + key.local();
  }

  constexpr Key<Dim> key_at(const Lattice<Dim>& p, int level) const {
    Vec<Dim, std::uint32_t> root{}, local{};
    for (int a = 0; a < Dim; ++a) {
      root[a] = p[a] >> max_level;
      local[a] = p[a] & (root_lattice - 1);
    }
    return Key<Dim>::at(root_index(root), local, level);
  }

  constexpr Leaf<Dim> leaf(Key<Dim> key) const {
    const double h = size(key.level());
    return {position(lo(key)) + Vec<Dim>::filled(0.5 * h), h, 0.5 * h, key.level()};
  }

  // This says what is wrong with the domain, if anything.
  void check() const {
    double count = 1;
    for (int a = 0; a < Dim; ++a) {
      if (roots[a] < 1) throw InputError("a domain needs at least one root cell along every axis");
      if (!std::isfinite(origin[a])) throw InputError("the origin of the domain must be finite");
      count *= roots[a];
    }
    if (count > max_roots)
      throw InputError("a domain has at most {} root cells, not {}", max_roots, count);
    if (!(root_size > 0) || !std::isfinite(root_size))
      throw InputError("the size of a root cell must be a positive length, not {}", root_size);

    // The smallest cells must have a size that can be told from nothing, wherever in the box they are.
    const Box<Dim> whole = box();
    for (int a = 0; a < Dim; ++a)
      if (!std::isnormal(unit()) || !std::isfinite(whole.hi[a]) ||
          whole.lo[a] + unit() == whole.lo[a] || whole.hi[a] - unit() == whole.hi[a])
        throw InputError(
            "cells of {} / {} m cannot be told apart in a box from {} to {}: it is too large, too "
            "small or too far from zero",
            root_size, root_lattice, whole.lo[a], whole.hi[a]);
  }
};

}  // namespace octavo
